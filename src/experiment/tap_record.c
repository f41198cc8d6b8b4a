/* A record of a tap: where the knock is, and what the ring-down says by hand.
 *
 * The knock is where the signal leaves the noise before it to become loud. The extremes of the
 * signal behind it, of both signs by turns, lie half a period apart and shrink by half the
 * logarithmic decrement: the line through their logarithms over their times has the slope -zeta
 * w_n, and their spacing is pi/w_d.
 */

#include <gsl/gsl_fit.h>
#include <gsl/gsl_math.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "experiment/tap_channels.h"

/* Rows for the noise before a knock, at least; extremes for a decay, of which the first
 * many give it as well as all. */
enum { QUIET_ROWS = 5, LEAST_EXTREMES = 3, MOST_EXTREMES = 400 };

/* The part of a record that is its end: a tenth. */
enum { TAIL = 10 };

/* Behind a knock the signal is soon as large as this part of the largest that it ever is. */
static const double LOUD = 0.25;

/* As far as hand formulas may be from a fit. */
static const double REACH_STIFFNESS = 3, REACH_DAMPING = 5;

/* A knock's time is sought so many periods about where it was seen. */
static const double PERIODS = 0.5;

/* Or between two rows, behind the earlier by this part of their spacing at least. */
static const double INSIDE = 1e-3;

int cf_tap_check_row(const struct cf_dataset *d, size_t row, char note[], size_t size,
                     struct cf_error *err)
{
    if (size)
        note[0] = '\0';
    if (!cf_dataset_has(d, row, CF_TAP_TIME))
        return cf_fail(err, CF_EINPUT, "no time: the rows of a tap have one each");
    return CF_OK;
}

/* ---- by hand */

struct ring {
    size_t channel, n;
    double *t, *x; /* n each */
    double zero, noise;
    size_t knock; /* first row that leaves the noise; n: none does */
    size_t nextreme;
    double at[MOST_EXTREMES], size[MOST_EXTREMES]; /* signed */
    double w_d, decay;                             /* zeta w_n; NAN: not found */
};

/* Of the channel that has most to say of a knock: velocity, else displacement, acceleration. */
static size_t best_channel(const struct cf_dataset *d)
{
    static const size_t order[] = {CF_TAP_VELOCITY, CF_TAP_DISPLACEMENT, CF_TAP_ACCELERATION};

    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        if (d->series[order[i]].value)
            return order[i];
    return CF_NO_CHANNEL;
}

static bool gather(struct ring *r, const struct cf_dataset *d)
{
    r->channel = best_channel(d);
    for (size_t row = 0; r->channel != CF_NO_CHANNEL && row < d->nrow; row++)
        if (d->use[row] != CF_ROW_EXCLUDED && cf_dataset_has(d, row, r->channel)) {
            r->t[r->n] = cf_dataset_value(d, row, CF_TAP_TIME);
            r->x[r->n++] = cf_dataset_value(d, row, r->channel);
        }
    return r->n > 0;
}

/* What rows before a knock show, taken in one by one. */
struct quiet {
    size_t n;
    double mean, square;
};

static double sd_of(const struct quiet *q)
{
    return q->n > 1 ? sqrt(q->square / (double) (q->n - 1)) : 0;
}

static void take_in(struct quiet *q, double x)
{
    double way = x - q->mean;

    q->n++;
    q->mean += way / (double) q->n;
    q->square += way * (x - q->mean);
}

/* Is x no scatter of the rows before, at what `rise` sds would be of many rows? Of few rows the sd
 * may by chance be many times too small: Student's t is made a normal deviate (D. L. Wallace, Ann.
 * Math. Stat. 30 (1959) 1124). */
static bool stands_out(const struct quiet *q, double x, double rise)
{
    double n = (double) q->n, dof = n - 1, t = (x - q->mean) / (sd_of(q) * sqrt(1 + 1 / n));

    return q->n >= QUIET_ROWS &&
           (8 * dof + 1) / (8 * dof + 3) * sqrt(dof * log1p(t * t / dof)) > rise;
}

/* The first row that is as far from where the record begins as LOUD says. */
static size_t first_loud(const struct ring *r)
{
    double zero = gsl_stats_mean(r->x, 1, r->n < QUIET_ROWS ? r->n : QUIET_ROWS), largest = 0;
    size_t i = 0;

    for (size_t k = 0; k < r->n; k++)
        largest = fmax(largest, fabs(r->x[k] - zero));
    while (i < r->n && fabs(r->x[i] - zero) < LOUD * largest)
        i++;
    return i;
}

/* The first of the rows up to a loud one that stand out of all before them. r->n: the loud one is
 * within the noise, which the first half of the rows before it shows, where no swing begins yet. */
static size_t shown_knock(const struct ring *r, double rise)
{
    size_t loud = first_loud(r), half = loud / 2 > QUIET_ROWS ? loud / 2 : QUIET_ROWS, knock = 0;
    struct quiet quiet = {0}, early = {0};

    for (size_t i = 0; i < loud; i++) {
        take_in(&quiet, r->x[i]);
        if (i < half)
            early = quiet;
        if (i + 1 == loud || !stands_out(&quiet, r->x[i + 1], rise))
            knock = i + 1;
    }
    if (knock < QUIET_ROWS || loud == r->n ||
        !(fabs(r->x[loud] - early.mean) > rise * sd_of(&early)))
        return r->n;
    return knock;
}

/* Where the knock is stated, it is the first row that is not before it; with fewer rows before it
 * than give a noise, the last ones give it, which the ring-down has left. */
static void find_knock(struct ring *r, double rise, double stated_s)
{
    struct quiet quiet = {0};
    size_t i = 0;

    if (isnan(stated_s))
        i = shown_knock(r, rise);
    else
        while (i < r->n && r->t[i] < stated_s)
            i++;
    for (size_t k = 0; k < i; k++)
        take_in(&quiet, r->x[k]);
    r->knock = i;
    r->zero = quiet.mean;
    r->noise = sd_of(&quiet);
    if (i < QUIET_ROWS && r->n / TAIL >= QUIET_ROWS) {
        const double *tail = r->x + r->n - r->n / TAIL;
        r->zero = gsl_stats_mean(tail, 1, r->n / TAIL);
        r->noise = gsl_stats_sd(tail, 1, r->n / TAIL);
    }
}

/* Extremes between the zeros of the signal, down to the noise. */
static void find_extremes(struct ring *r, double rise)
{
    double most = 0, at = 0;

    for (size_t i = r->knock; i < r->n && r->nextreme < MOST_EXTREMES; i++) {
        double x = r->x[i] - r->zero;
        if (x * most < 0) { /* the signal has gone through 0 */
            if (fabs(most) <= rise * r->noise)
                return;
            r->at[r->nextreme] = at;
            r->size[r->nextreme++] = most;
            most = 0;
        }
        if (fabs(x) > fabs(most)) {
            most = x;
            at = r->t[i];
        }
    }
}

/* Frequency from the first to the last extreme, decay by the line through their logarithms. Of a
 * velocity the first is the knock's own, and not half a period from the next. */
static void find_decay(struct ring *r)
{
    double ln[MOST_EXTREMES], level, slope, c00, c01, c11, sum;
    size_t first = 1, n = r->nextreme > first ? r->nextreme - first : 0;

    r->w_d = r->decay = (double) NAN;
    if (n < LEAST_EXTREMES)
        return;
    for (size_t i = 0; i < n; i++)
        ln[i] = log(fabs(r->size[first + i]));
    gsl_fit_linear(r->at + first, 1, ln, 1, n, &level, &slope, &c00, &c01, &c11, &sum);
    r->w_d = M_PI * (double) (n - 1) / (r->at[first + n - 1] - r->at[first]);
    r->decay = fmax(-slope, 0);
}

/* The caller frees r->t. r->n = 0: nothing is measured. */
static int read_ring(struct ring *r, const struct cf_dataset *d, struct cf_error *err)
{
    double *room = malloc((2 * d->nrow + 1) * sizeof *room);

    *r = (struct ring){.t = room};
    if (!room)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu rows", d->nrow);
    r->x = room + d->nrow;
    r->w_d = r->decay = (double) NAN;
    if (!gather(r, d))
        return CF_OK;
    find_knock(r, d->apparatus[CF_TAP_RISE], d->apparatus[CF_TAP_KNOCK]);
    find_extremes(r, d->apparatus[CF_TAP_RISE]);
    find_decay(r);
    return CF_OK;
}

/* ---- the record */

static int check_times(const struct cf_dataset *d, size_t *row, struct cf_error *err)
{
    double before = (double) -INFINITY;

    for (size_t i = 0; i < d->nrow; i++) {
        double t = cf_dataset_value(d, i, CF_TAP_TIME);
        if (d->use[i] == CF_ROW_EXCLUDED)
            continue;
        *row = i;
        if (!(t > before))
            return cf_fail(err, CF_EINPUT,
                           "time %.9g s behind %.9g s: a tap's times must increase from row to "
                           "row; of several taps, each is a data set of its own (where)",
                           t, before);
        before = t;
    }
    return CF_OK;
}

/* It is one of the contact, and friction does not follow from another. */
static int check_load(const struct cf_dataset *d, size_t *row, struct cf_error *err)
{
    size_t first = d->nrow;

    for (size_t i = 0; i < d->nrow; i++) {
        double load = cf_dataset_value(d, i, CF_TAP_LOAD);
        if (d->use[i] == CF_ROW_EXCLUDED || isnan(load))
            continue;
        first = first == d->nrow ? i : first;
        *row = i;
        if (load != cf_dataset_value(d, first, CF_TAP_LOAD))
            return cf_fail(err, CF_EINPUT,
                           "load %g N, and %g N in the rows before: a tap is under one load "
                           "(apparatus: {load: %g N})",
                           load, cf_dataset_value(d, first, CF_TAP_LOAD),
                           cf_dataset_value(d, first, CF_TAP_LOAD));
    }
    return CF_OK;
}

/* The knock, and what the record says by hand. */
static int find_ring(struct cf_dataset *d, const char **number, char note[], size_t size,
                     struct cf_error *err)
{
    struct ring r;
    int status = read_ring(&r, d, err);
    bool measured = r.n > 0, found = measured && r.knock < r.n;
    double *knock_s = &d->apparatus[CF_TAP_KNOCK];

    if (measured && !found && !isnan(*knock_s))
        *number = d->protocol->apparatus[CF_TAP_KNOCK].name;
    if (measured && !found)
        status = isnan(*knock_s)
                     ? cf_fail(err, CF_EINPUT,
                               "no knock in the record: the %s never leaves its own noise, of an "
                               "sd of %.3g %s, by %g times of that (apparatus: {rise: }, or "
                               "{knock: } where it is known)",
                               d->protocol->channel[r.channel].name, r.noise,
                               d->protocol->channel[r.channel].unit, d->apparatus[CF_TAP_RISE])
                     : cf_fail(err, CF_EINPUT, "knocked at %.9g s, behind the last row at %.9g s",
                               *knock_s, r.t[r.n - 1]);
    if (found && size && r.nextreme && !isnan(r.w_d))
        snprintf(note, size,
                 "hand formulas: knocked at %.6g s, %zu swings at %.4g Hz, damping ratio %.3g",
                 isnan(*knock_s) ? r.t[r.knock] : *knock_s, r.nextreme, r.w_d / (2 * M_PI),
                 r.decay / hypot(r.decay, r.w_d));
    if (found && isnan(*knock_s))
        *knock_s = r.t[r.knock];
    free(r.t);
    return status;
}

int cf_tap_complete(struct cf_dataset *d, struct cf_record_about *about, char note[], size_t size,
                    struct cf_error *err)
{
    size_t *row = &about->row;
    int status;

    *row = 0;
    if (size)
        note[0] = '\0';
    status = check_times(d, row, err);
    if (!status)
        status = check_load(d, row, err);
    if (status)
        return status;
    *row = 0;
    return find_ring(d, &about->number, note, size, err);
}

/* ---- where a fit begins */

/* The speed that the knock gave, from the first extreme: of a displacement v = x w, of an
 * acceleration v = a/w. */
static double speed_of(const struct ring *r)
{
    double first = r->nextreme ? r->size[0] : 0;

    if (r->channel == CF_TAP_VELOCITY || isnan(r->w_d))
        return first;
    return r->channel == CF_TAP_DISPLACEMENT ? first * r->w_d : -first / r->w_d;
}

/* A velocity jumps at the knock, and chi^2 with it, as often as the knock goes past a row: where
 * the record shows between which two rows it was, it is sought between these alone. Sensors that
 * are late or slow show it later. */
static bool is_between_rows(const struct cf_dataset *d, const struct ring *r)
{
    double rise = d->apparatus[CF_TAP_RISE] * r->noise;

    return r->channel == CF_TAP_VELOCITY && r->knock >= QUIET_ROWS &&
           d->apparatus[cf_tap_number(CF_TAP_VELOCITY, CF_TAP_DELAY)] == 0 &&
           d->apparatus[cf_tap_number(CF_TAP_VELOCITY, CF_TAP_BANDWIDTH)] == 0 &&
           fabs(r->x[r->knock] - r->zero) > rise && fabs(r->x[r->knock - 1] - r->zero) < rise;
}

static void put_knock(const struct cf_dataset *d, const struct ring *r, double period,
                      struct cf_param *row)
{
    double before = r->t[r->knock > 0 ? r->knock - 1 : 0], behind = r->t[r->knock];

    if (is_between_rows(d, r)) {
        row->typical = (before + behind) / 2;
        row->fit_lower = before + INSIDE * (behind - before);
        row->fit_upper = behind;
    } else {
        row->typical = before;
        row->fit_lower = before - PERIODS * period;
        row->fit_upper = before + PERIODS * period;
    }
}

int cf_tap_range(const struct cf_dataset *d, size_t parameter, struct cf_param *row,
                 struct cf_error *err)
{
    struct ring r;
    int status;

    if (parameter != CF_TAP_KNOCK && parameter != CF_TAP_SPEED)
        return CF_OK;
    status = read_ring(&r, d, err);
    if (r.knock < r.n) {
        double period = isnan(r.w_d) ? r.t[r.n - 1] - r.t[r.knock] : 2 * M_PI / r.w_d;
        double speed = speed_of(&r);
        if (parameter == CF_TAP_KNOCK) {
            put_knock(d, &r, period, row);
        } else if (speed != 0) {
            row->typical = d->apparatus[CF_TAP_SPEED] != 0 ? d->apparatus[CF_TAP_SPEED] : speed;
            row->fit_lower = row->typical - 10 * fabs(row->typical);
            row->fit_upper = row->typical + 10 * fabs(row->typical);
        }
    }
    free(r.t);
    return status;
}

static double load_of(const struct cf_dataset *d)
{
    double load = d->nrow ? cf_dataset_value(d, 0, CF_TAP_LOAD) : (double) NAN;
    return isnan(load) ? d->apparatus[CF_TAP_APPARATUS_LOAD] : load;
}

int cf_tap_hand(const struct cf_dataset *d, const struct cf_law *law, struct cf_hand start[],
                struct cf_error *err)
{
    double mass = d->apparatus[CF_TAP_MASS] + d->apparatus[CF_TAP_SENSOR_MASS], load = load_of(d);
    struct ring r;
    int status = read_ring(&r, d, err);

    if (r.n && !isnan(r.w_d) && law->friction && load > 0) {
        double stiffness = mass * (gsl_pow_2(r.w_d) + gsl_pow_2(r.decay)),
               damping = 2 * mass * r.decay;
        cf_slider_hand(law, "sigma_0", "1/m", stiffness / load, REACH_STIFFNESS, start);
        cf_slider_hand(law, "sigma_0_star", "N/m", stiffness, REACH_STIFFNESS, start);
        cf_slider_hand(law, "sigma_1", "s/m", damping / load, REACH_DAMPING, start);
        cf_slider_hand(law, "sigma_1_star", "N s/m", damping, REACH_DAMPING, start);
    }
    free(r.t);
    return status;
}
