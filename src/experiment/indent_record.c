/* A record of an indentation: its rows one by one, then as a whole.
 *
 * Rows load up to the first one of the greatest depth and unload from there on, unless a column
 * says which do. The rate of a row, where no column has it, is the slope of the least-squares line
 * in time through the `rate_rows` rows about it, those of its own branch; one of the other branch's
 * sign, noise about the turning point, is 0.
 */

#include <gsl/gsl_fit.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiment/indent_channels.h"

static double value(const struct cf_dataset *d, size_t row, enum cf_indent_channel channel)
{
    return cf_dataset_value(d, row, channel);
}

int cf_indent_check_row(const struct cf_dataset *d, size_t row, char note[], size_t size,
                        struct cf_error *err)
{
    double direction = value(d, row, CF_INDENT_DIRECTION), rate = value(d, row, CF_INDENT_RATE);

    if (size)
        note[0] = '\0';
    if (!cf_dataset_has(d, row, CF_INDENT_DEPTH))
        return cf_fail(err, CF_EINPUT, "no depth: it is what an indentation is driven by");
    if (!isnan(direction) && direction != 1 && direction != -1)
        return cf_fail(err, CF_EINPUT,
                       "direction %g: must be 1 where the row loads, -1 where it "
                       "unloads",
                       direction);
    if (direction * rate < 0)
        return cf_fail(err, CF_EINPUT,
                       "rate %g m/s in a row of direction %g: a rate is above 0 where the depth "
                       "grows and below 0 where it shrinks; of a column that has speeds without a "
                       "sign, give time instead",
                       rate, direction);
    return CF_OK;
}

/* ---- the rows that count */

/* Those that are not excluded, in their order: index[n], to be freed. */
static size_t *rows_of(const struct cf_dataset *d, size_t *n)
{
    size_t *index = malloc((d->nrow + 1) * sizeof *index);

    *n = 0;
    for (size_t row = 0; index && row < d->nrow; row++)
        if (d->use[row] != CF_ROW_EXCLUDED)
            index[(*n)++] = row;
    return index;
}

/* The branch of a row by what was read of it, else by the turning point. */
static int put_directions(struct cf_dataset *d, const size_t index[], size_t n,
                          struct cf_error *err)
{
    size_t deepest = 0;
    int status = CF_OK;

    for (size_t i = 1; i < n; i++)
        if (value(d, index[i], CF_INDENT_DEPTH) > value(d, index[deepest], CF_INDENT_DEPTH))
            deepest = i;
    for (size_t i = 0; i < n && !status; i++) {
        double rate = value(d, index[i], CF_INDENT_RATE);
        bool known = rate < 0 || rate > 0, loads = known ? rate > 0 : i <= deepest;
        if (deepest == 0 && n > 1 && !known) /* drawn back from the first row on */
            loads = false;
        if (!cf_dataset_has(d, index[i], CF_INDENT_DIRECTION))
            status = cf_dataset_put(d, index[i], CF_INDENT_DIRECTION, loads ? 1 : -1, 0, err);
    }
    return status;
}

static bool same_branch(const struct cf_dataset *d, size_t a, size_t b)
{
    return value(d, a, CF_INDENT_DIRECTION) == value(d, b, CF_INDENT_DIRECTION);
}

/* ---- rates */

/* A column that has rates or times has them in every row. */
static int check_gaps(const struct cf_dataset *d, const size_t index[], size_t n,
                      enum cf_indent_channel channel, size_t *row, struct cf_error *err)
{
    for (size_t i = 0; i < n; i++) {
        *row = index[i];
        if (!cf_dataset_has(d, index[i], channel))
            return cf_fail(err, CF_EINPUT,
                           "no %s, which other rows have: give it, or exclude the row",
                           d->protocol->channel[channel].name);
    }
    return CF_OK;
}

static int check_times(const struct cf_dataset *d, const size_t index[], size_t n, size_t *row,
                       struct cf_error *err)
{
    for (size_t i = 1; i < n; i++) {
        double before = value(d, index[i - 1], CF_INDENT_TIME),
               now = value(d, index[i], CF_INDENT_TIME);
        *row = index[i];
        if (!(now > before))
            return cf_fail(err, CF_EINPUT,
                           "time %.9g s behind %.9g s: rates need times that increase from row to "
                           "row",
                           now, before);
    }
    return CF_OK;
}

/* The slope of the line through rows low to high about one of them. x[], y[]: room for these. */
static double slope_of(const struct cf_dataset *d, const size_t index[], size_t low, size_t high,
                       double x[], double y[])
{
    double level, slope, cov00, cov01, cov11, sum;
    size_t n = high - low + 1;

    for (size_t i = 0; i < n; i++) {
        x[i] = value(d, index[low + i], CF_INDENT_TIME) - value(d, index[low], CF_INDENT_TIME);
        y[i] = value(d, index[low + i], CF_INDENT_DEPTH);
    }
    gsl_fit_linear(x, 1, y, 1, n, &level, &slope, &cov00, &cov01, &cov11, &sum);
    return slope;
}

static int put_rates(struct cf_dataset *d, const size_t index[], size_t n, struct cf_error *err)
{
    size_t half = (size_t) d->apparatus[CF_INDENT_RATE_ROWS] / 2;
    double *room = malloc((4 * half + 3) * sizeof *room);
    int status = room ? CF_OK : cf_fail(err, CF_ENOMEM, "no memory for %zu rates", n);

    for (size_t i = 0; i < n && !status; i++) {
        size_t low = i, high = i;
        double rate, sign = value(d, index[i], CF_INDENT_DIRECTION);
        while (low > 0 && i - low < half && same_branch(d, index[low - 1], index[i]))
            low--;
        while (high + 1 < n && high - i < half && same_branch(d, index[high + 1], index[i]))
            high++;
        rate = high > low ? slope_of(d, index, low, high, room, room + 2 * half + 1) : 0;
        status = cf_dataset_put(d, index[i], CF_INDENT_RATE, rate * sign > 0 ? rate : 0, 0, err);
    }
    free(room);
    return status;
}

/* As far as rows of a branch lie apart: the median; 0 where there are no two. */
static int put_onset(struct cf_dataset *d, const size_t index[], size_t n, struct cf_error *err)
{
    double *gap = malloc((n + 1) * sizeof *gap);
    size_t m = 0;

    if (!gap)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu depths", n);
    for (size_t i = 1; i < n; i++)
        if (same_branch(d, index[i - 1], index[i]))
            gap[m++] =
                fabs(value(d, index[i], CF_INDENT_DEPTH) - value(d, index[i - 1], CF_INDENT_DEPTH));
    gsl_sort(gap, 1, m);
    if (m)
        d->apparatus[CF_INDENT_ONSET] = gsl_stats_median_from_sorted_data(gap, 1, m);
    free(gap);
    return CF_OK;
}

/* ---- what is no indentation */

static double span_of(const struct cf_dataset *d, const size_t index[], size_t n)
{
    double low = (double) INFINITY, high = (double) -INFINITY;

    for (size_t i = 0; i < n; i++) {
        low = fmin(low, value(d, index[i], CF_INDENT_DEPTH));
        high = fmax(high, value(d, index[i], CF_INDENT_DEPTH));
    }
    return n ? high - low : 0;
}

static int check_reversals(const struct cf_dataset *d, const size_t index[], size_t n, bool rates,
                           size_t *row, struct cf_error *err)
{
    double most = d->apparatus[CF_INDENT_REVERSAL], span = span_of(d, index, n), furthest = 0;

    for (size_t i = 0; i < n; i++) {
        double sign = value(d, index[i], CF_INDENT_DIRECTION);
        double on = sign * value(d, index[i], CF_INDENT_DEPTH);
        *row = index[i];
        furthest = i && same_branch(d, index[i - 1], index[i]) ? fmax(furthest, on) : on;
        if (furthest - on > most * span)
            return cf_fail(err, CF_EINPUT,
                           "depth runs backwards in %s: %.4g m behind %.4g m, by %.2g of the "
                           "record's depth, and at most %g is noise (apparatus: {reversal: }); %s",
                           sign > 0 ? "loading" : "unloading", sign * on, sign * furthest,
                           (furthest - on) / span, most,
                           rates ? "a column of speeds without a sign is no rate: give time"
                                 : "of several cycles, choose one by where");
    }
    return CF_OK;
}

static int check_contact(const struct cf_dataset *d, struct cf_error *err)
{
    struct cf_indent_contact c;
    double least = d->apparatus[CF_INDENT_RISE], few = d->apparatus[CF_INDENT_BASELINE];

    int status = cf_indent_find_contact(d, &c, err);
    if (status || !c.n) /* too few rows: what is missing is reported by others */
        return status;
    if (!(c.pressed_N > least * c.noise_N))
        return cf_fail(err, CF_EINPUT,
                       "no contact in the record: at its greatest depth of %.4g m the force is "
                       "%.3g N above what it is without, and its noise has an sd of %.3g N: at "
                       "least %g times as much is a contact (apparatus: {rise: })",
                       c.deepest_m, c.pressed_N, c.noise_N, least);
    if ((double) c.before < few)
        return cf_fail(
            err, CF_EINPUT,
            "contact from the first sample on: %zu row%s above the contact point by "
            "hand, %.4g m: at least %g are needed for the force without contact (apparatus: "
            "{baseline: }); where contact and bias are known, baseline: 0",
            c.before, c.before == 1 ? " lies" : "s lie", c.contact_m, few);
    return CF_OK;
}

/* A probe that is stated is one. */
static int check_probe(const struct cf_dataset *d, struct cf_record_about *about,
                       struct cf_error *err)
{
    struct cf_indent_probe probe;
    int status = cf_indent_probe(d->apparatus, d->press, &probe, err);

    if (status)
        about->number = "";
    return status;
}

/* It is not pressed in whole: from there on no volume grows. */
static int check_depth(const struct cf_dataset *d, struct cf_error *err)
{
    struct cf_indent_probe probe;
    struct cf_indent_contact c;
    int status = cf_indent_probe(d->apparatus, d->press, &probe, err);

    if (status || !cf_indent_is_stated(&probe))
        return status;
    status = cf_indent_find_contact(d, &c, err);
    if (status || !c.n || !(c.deepest_m - c.contact_m > probe.extent_m))
        return status;
    return cf_fail(err, CF_EINPUT,
                   "at its greatest depth the probe, %.4g m long along the press, is %.4g m beyond "
                   "the contact point by hand: it would be in whole",
                   probe.extent_m, c.deepest_m - c.contact_m);
}

/* A remark where the table of a probe's volume is not far better than what is measured. */
static int note_table(const struct cf_dataset *d, char note[], size_t size, struct cf_error *err)
{
    static const double far = 0.1; /* of the noise */
    struct cf_indent_contact c;
    size_t used = strlen(note);
    double most;
    int status;

    if (!d->press)
        return CF_OK;
    status = cf_indent_find_contact(d, &c, err);
    if (status || !(c.pressed_N > 0) || !(c.noise_N > 0))
        return status;
    most = far * c.noise_N / c.pressed_N;
    if (d->press->error > most && used < size)
        snprintf(note + used, size - used,
                 "%sthe volume of the probe is good to %g, and the noise of the force is %.2g of "
                 "its greatest: state shape: {error: %.1g} or less, so that it does not matter",
                 used ? "; " : "", d->press->error, c.noise_N / c.pressed_N, most);
    return CF_OK;
}

int cf_indent_complete(struct cf_dataset *d, struct cf_record_about *about, char note[],
                       size_t size, struct cf_error *err)
{
    size_t *row = &about->row;
    size_t n;
    size_t *index = rows_of(d, &n);
    bool rates = d->series[CF_INDENT_RATE].value, times = d->series[CF_INDENT_TIME].value;
    int status = index ? put_directions(d, index, n, err)
                       : cf_fail(err, CF_ENOMEM, "no memory for %zu rows", d->nrow);

    *row = index && n ? index[0] : 0;
    if (size)
        note[0] = '\0';
    if (!status)
        status = check_reversals(d, index, n, rates, row, err);
    if (!status && (rates || times))
        status = check_gaps(d, index, n, rates ? CF_INDENT_RATE : CF_INDENT_TIME, row, err);
    if (!status && !rates && times)
        status = check_times(d, index, n, row, err);
    if (!status && !rates && times)
        status = put_rates(d, index, n, err);
    if (!status && !(d->apparatus[CF_INDENT_ONSET] > 0))
        status = put_onset(d, index, n, err);
    if (!status && !rates && !times && size)
        snprintf(note, size,
                 "neither rate nor time: taken as infinitely slow, so that it identifies neither "
                 "damping nor drag");
    if (!status)
        *row = index[0];
    if (!status && n)
        status = check_probe(d, about, err);
    if (!status && n)
        status = check_contact(d, err);
    if (!status && n)
        status = check_depth(d, err);
    if (!status && size)
        status = note_table(d, note, size, err);
    free(index);
    return status;
}
