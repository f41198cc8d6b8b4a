/* The record of velocity steps: the speeds that its load point has had, and what it says by hand.
 *
 * Of a step from V_1 to V_2, ln = ln(V_2/V_1), friction goes from its level before to a peak and
 * from there to the level behind: a = (peak - before)/ln, a - b = (behind - before)/ln (Dieterich
 * 1979; Marone, Annu. Rev. Earth Planet. Sci. 26 (1998) 643), and the area over the level behind is
 * (peak - behind) D_c/V_2 where that falls exponentially.
 */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "experiment/slider.h"
#include "experiment/velocity_step_channels.h"

/* As far as hand formulas may be from a fit: a frame that gives way lowers the peak. */
static const double REACH_MU = 0.02, REACH_RATE = 2, REACH_WAY = 4, REACH_STIFFNESS = 10;

/* The part of a piece, or of one before it, that tells its level. */
static const double LEVEL = 0.2;

/* A time is sought within this part of the way to its neighbours. */
static const double PART = 0.5;

int cf_step_check_row(const struct cf_dataset *d, size_t row, char note[], size_t size,
                      struct cf_error *err)
{
    if (size)
        note[0] = '\0';
    if (!cf_dataset_has(d, row, CF_STEP_TIME))
        return cf_fail(err, CF_EINPUT, "no time: the rows of a velocity step have one each");
    return CF_OK;
}

/* ---- the record */

static int check_times(const struct cf_dataset *d, size_t *row, struct cf_error *err)
{
    double before = (double) -INFINITY;

    for (size_t i = 0; i < d->nrow; i++) {
        double t = cf_dataset_value(d, i, CF_STEP_TIME);
        if (d->use[i] == CF_ROW_EXCLUDED)
            continue;
        *row = i;
        if (!(t > before))
            return cf_fail(err, CF_EINPUT,
                           "time %.9g s behind %.9g s: times must increase from row to row; of "
                           "several records, each is a data set of its own (where)",
                           t, before);
        before = t;
    }
    return CF_OK;
}

/* The first and the last row that are not excluded. */
static void ends(const struct cf_dataset *d, size_t *first, size_t *last)
{
    *first = d->nrow;
    *last = 0;
    for (size_t i = 0; i < d->nrow; i++)
        if (d->use[i] != CF_ROW_EXCLUDED) {
            *first = *first == d->nrow ? i : *first;
            *last = i;
        }
}

static double time_of(const struct cf_dataset *d, size_t row)
{
    return cf_dataset_value(d, row, CF_STEP_TIME);
}

/* How many rows from `row` on have its speed; *next: the first behind them, or nrow. */
static size_t run_of(const struct cf_dataset *d, size_t row, size_t *next)
{
    double speed = cf_dataset_value(d, row, CF_STEP_LOAD_POINT);
    size_t n = 0, i = row;

    for (; i < d->nrow; i++) {
        double here = cf_dataset_value(d, i, CF_STEP_LOAD_POINT);
        if (d->use[i] == CF_ROW_EXCLUDED || isnan(here))
            continue;
        if (here != speed)
            break;
        n++;
    }
    *next = i;
    return n;
}

/* The speeds of a column as steps, each half-way between two rows. */
static int read_column(struct cf_dataset *d, size_t *row, struct cf_error *err)
{
    size_t next, piece = 0;

    for (size_t i = *row; i < d->nrow; i = next, piece++) {
        double speed = cf_dataset_value(d, i, CF_STEP_LOAD_POINT);
        size_t n = run_of(d, i, &next);
        *row = i;
        if (piece > CF_BLOCK_STEPS || (n < 2 && speed != 0))
            return cf_fail(err, CF_EINPUT,
                           "the speed of the load point drifts: %g m/s for %zu row%s; the speeds "
                           "that were set are wanted, each for a while, in %d steps at most",
                           speed, n, n == 1 ? "" : "s", CF_BLOCK_STEPS);
        if (n < 2)
            return cf_fail(err, CF_EINPUT, "a hold of no length: one row at 0 m/s");
        d->apparatus[cf_step_speed_of(piece)] = speed;
        if (piece > 0)
            d->apparatus[cf_step_time_of(piece - 1)] = 0.5 * (time_of(d, i - 1) + time_of(d, i));
    }
    return CF_OK;
}

/* What is stated under apparatus, or read from the column. */
static int take_speeds(struct cf_dataset *d, size_t *row, struct cf_error *err)
{
    bool column = d->series[CF_STEP_LOAD_POINT].value != NULL;
    bool stated = !isnan(d->apparatus[CF_BLOCK_SPEED]) || cf_step_count(d->apparatus) > 0;

    if (column && stated)
        return cf_fail(err, CF_EINPUT,
                       "the column load_point_speed says how fast the load point was: leave "
                       "speed_before and the steps out of apparatus");
    if (column)
        return read_column(d, row, err);
    if (isnan(d->apparatus[CF_BLOCK_SPEED]) || !stated)
        return cf_fail(err, CF_EINPUT,
                       "no speed of the load point: a column load_point_speed, or apparatus: "
                       "{speed_before: 3 um/s, step_1_time: 60 s, step_1_speed: 10 um/s}");
    return CF_OK;
}

/* Is it a part of a record, which began at a time that is stated? Steps may lie behind it. */
static bool is_part(const struct cf_dataset *d)
{
    return !isnan(d->apparatus[CF_BLOCK_START]);
}

static int check_step(const struct cf_dataset *d, size_t j, double from_s, double to_s,
                      struct cf_error *err)
{
    double t = d->apparatus[cf_step_time_of(j)], before = d->apparatus[cf_step_speed_of(j)],
           behind = d->apparatus[cf_step_speed_of(j + 1)];

    if (isnan(behind))
        return cf_fail(err, CF_EINPUT, "step_%zu_time: %g s, and no step_%zu_speed behind it",
                       j + 1, t, j + 1);
    if (behind == before)
        return cf_fail(err, CF_EINPUT,
                       "a step without a step: at %g s the load point goes from %g m/s to %g m/s",
                       t, before, behind);
    if (j > 0 && !(t > d->apparatus[cf_step_time_of(j - 1)]))
        return cf_fail(err, CF_EINPUT, "%s of no length: step %zu at %g s, step %zu at %g s",
                       before == 0 ? "a hold" : "a piece", j, d->apparatus[cf_step_time_of(j - 1)],
                       j + 1, t);
    if (!(t > from_s && (t < to_s || is_part(d))))
        return cf_fail(err, CF_EINPUT,
                       "step %zu at %g s is not in the record, which goes from %g s to %g s", j + 1,
                       t, from_s, to_s);
    return CF_OK;
}

static int check_steps(const struct cf_dataset *d, double from_s, double to_s, struct cf_error *err)
{
    size_t n = cf_step_count(d->apparatus);
    int status = CF_OK;

    if (!(d->apparatus[CF_BLOCK_SPEED] > 0))
        return cf_fail(err, CF_EINPUT,
                       "speed_before: %g m/s: a record begins in steady sliding, above 0",
                       d->apparatus[CF_BLOCK_SPEED]);
    for (size_t j = 0; j < n && !status; j++)
        status = check_step(d, j, from_s, to_s, err);
    for (size_t j = n; j < CF_BLOCK_STEPS && !status; j++)
        if (!isnan(d->apparatus[cf_step_speed_of(j + 1)]))
            status = cf_fail(err, CF_EINPUT, "step_%zu_speed: %g m/s, and no step_%zu_time", j + 1,
                             d->apparatus[cf_step_speed_of(j + 1)], n + 1);
    if (!status && n == 0)
        status =
            cf_fail(err, CF_EINPUT, "a step without a step: the load point has %g m/s all along",
                    d->apparatus[CF_BLOCK_SPEED]);
    return status;
}

/* Rows behind the last step. */
static int check_end(const struct cf_dataset *d, double to_s, struct cf_error *err)
{
    double t = d->apparatus[cf_step_time_of(cf_step_count(d->apparatus) - 1)];
    size_t n = 0;

    if (t >= to_s) /* of a part that ends before */
        return CF_OK;
    for (size_t i = 0; i < d->nrow; i++)
        n += d->use[i] != CF_ROW_EXCLUDED && time_of(d, i) > t;
    if ((double) n < d->apparatus[CF_STEP_LEAST_ROWS])
        return cf_fail(err, CF_EINPUT,
                       "the record is too short behind the step at %g s: %zu rows, at least %g are "
                       "wanted (apparatus: {least_rows: })",
                       t, n, d->apparatus[CF_STEP_LEAST_ROWS]);
    return CF_OK;
}

int cf_step_complete(struct cf_dataset *d, size_t *row, char note[], size_t size,
                     struct cf_error *err)
{
    size_t first, last;
    double from_s;
    int status;

    *row = 0;
    if (size)
        note[0] = '\0';
    status = check_times(d, row, err);
    if (status)
        return status;
    ends(d, &first, &last);
    *row = first;
    status = take_speeds(d, row, err);
    if (status)
        return status;
    *row = first;
    from_s = is_part(d) ? d->apparatus[CF_BLOCK_START] : time_of(d, first);
    if (!(from_s <= time_of(d, first)))
        return cf_fail(err, CF_EINPUT, "start: %g s, behind the first row at %g s", from_s,
                       time_of(d, first));
    status = check_steps(d, from_s, time_of(d, last), err);
    if (!status)
        status = check_end(d, time_of(d, last), err);
    if (!status)
        d->apparatus[CF_BLOCK_START] = from_s;
    return status;
}

/* ---- where a fit begins */

/* Friction over the load; NAN: not measured. */
static double friction_of(const struct cf_dataset *d, size_t row)
{
    double mu = cf_dataset_value(d, row, CF_STEP_FRICTION);

    if (!isnan(mu) || !(d->apparatus[CF_BLOCK_LOAD] > 0))
        return mu;
    return cf_dataset_value(d, row, CF_STEP_FORCE) / d->apparatus[CF_BLOCK_LOAD];
}

/* The mean of friction between two times; NAN: no row is there. */
static double level(const struct cf_dataset *d, double from_s, double to_s)
{
    double sum = 0;
    size_t n = 0;

    for (size_t i = 0; i < d->nrow; i++) {
        double t = time_of(d, i), mu = friction_of(d, i);
        if (d->use[i] == CF_ROW_EXCLUDED || isnan(mu) || !(t >= from_s && t < to_s))
            continue;
        sum += mu;
        n++;
    }
    return n ? sum / (double) n : (double) NAN;
}

/* A step between two speeds, and what friction did. */
struct step {
    double ln, speed_m_s;       /* ln(V_2/V_1), V_2 */
    double before, peak, after; /* of friction */
    double area_s;              /* between friction and the level behind */
};

static void follow(const struct cf_dataset *d, double from_s, double to_s, struct step *s)
{
    double last = from_s, sign = s->ln > 0 ? 1 : -1;

    s->peak = s->before;
    s->area_s = 0;
    for (size_t i = 0; i < d->nrow; i++) {
        double t = time_of(d, i), mu = friction_of(d, i);
        if (d->use[i] == CF_ROW_EXCLUDED || isnan(mu) || !(t > from_s && t < to_s))
            continue;
        if (sign * mu > sign * s->peak) {
            s->peak = mu;
            s->area_s = 0; /* from the peak on */
        }
        s->area_s += (mu - s->after) * (t - last);
        last = t;
    }
}

/* The first step between two speeds above 0; false: there is none. */
static bool find_step(const struct cf_dataset *d, struct step *s)
{
    const double *a = d->apparatus;
    size_t n = cf_step_count(a), first, last;

    ends(d, &first, &last);
    for (size_t j = 0; j < n && first < d->nrow; j++) {
        double from = j ? a[cf_step_time_of(j - 1)] : time_of(d, first), at = a[cf_step_time_of(j)];
        double to = j + 1 < n ? a[cf_step_time_of(j + 1)] : time_of(d, last);
        double V_1 = a[cf_step_speed_of(j)], V_2 = a[cf_step_speed_of(j + 1)];
        if (!(V_1 > 0 && V_2 > 0))
            continue;
        *s = (struct step){.ln = log(V_2 / V_1),
                           .speed_m_s = V_2,
                           .before = level(d, at - LEVEL * (at - from), at),
                           .after = level(d, to - LEVEL * (to - at), to)};
        follow(d, at, to, s);
        return isfinite(s->before) && isfinite(s->after);
    }
    return false;
}

void cf_step_range(const struct cf_dataset *d, size_t parameter, struct cf_param *row)
{
    const double *a = d->apparatus;
    size_t n = cf_step_count(a), first, last;

    ends(d, &first, &last);
    for (size_t j = 0; j < n && first < d->nrow; j++) {
        double at = a[cf_step_time_of(j)];
        double from = j ? a[cf_step_time_of(j - 1)] : time_of(d, first);
        double to = j + 1 < n ? a[cf_step_time_of(j + 1)] : time_of(d, last);
        if (parameter != cf_step_time_of(j))
            continue;
        row->fit_lower = at - PART * (at - from);
        row->fit_upper = at + PART * (to - at);
    }
}

bool cf_step_hand(const struct cf_dataset *d, const struct cf_law *law, struct cf_hand start[])
{
    struct step s;
    double a, b, way;

    if (!law->friction || !find_step(d, &s))
        return false;
    a = (s.peak - s.before) / s.ln;
    b = a - (s.after - s.before) / s.ln;
    way = s.speed_m_s * s.area_s / (s.peak - s.after);
    cf_slider_hand(law, "mu_0", "1", s.before, REACH_MU, start);
    cf_slider_hand(law, "mu_s", "1", s.before, REACH_MU, start);
    cf_slider_hand(law, "mu_c", "1", s.after, REACH_MU, start);
    cf_slider_hand(law, "a_rate", "1", a, REACH_RATE, start);
    cf_slider_hand(law, "b_state", "1", b, a / 2, start);
    cf_slider_hand(law, "b_state_1", "1", b, a / 2, start);
    cf_slider_hand(law, "d_c", "m", way, REACH_WAY, start);
    cf_slider_hand(law, "d_c_1", "m", way, REACH_WAY, start);
    cf_slider_hand(law, "sigma_2", "s/m", a * s.ln / (s.speed_m_s * -expm1(-s.ln)), REACH_STIFFNESS,
                   start);
    cf_slider_hand(law, "v_s", "m/s", s.speed_m_s * exp(-s.ln / 2), REACH_STIFFNESS, start);
    return true;
}
