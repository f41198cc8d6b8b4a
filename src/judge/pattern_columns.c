#include "judge/pattern_columns.h"

#include <gsl/gsl_math.h>
#include <math.h>
#include <stdlib.h>

#include "judge/cycles.h"
#include "judge/departure_columns.h"

enum { DRIFT_DEGREE = 3, PLACE_DEGREE = 6, DIRECTION_DEGREE = 2, MOST_HARMONICS = 8 };

/* Rows of a cycle that one harmonic more takes. */
static const double rows_per_harmonic = 8;

/* Where fewer rows of one sign, or of one direction, than this share are there, nothing is tested.
 */
static const double least_share = 0.05;

/* What is imposed turns where it comes back by more than this share of its range. */
static const double turn_share = 0.02;

void cf_pattern_rows_clear(struct cf_pattern_rows *rows)
{
    free(rows->time);
    *rows = (struct cf_pattern_rows){0};
}

/* An imposed channel beside time: the axis, or else the first that was read. */
static size_t driver_of(const struct cf_dataset *d)
{
    const struct cf_protocol *protocol = d->protocol;
    size_t axis = protocol->axis_channel;

    if (axis < protocol->nchannel && axis != protocol->clock && d->series[axis].value)
        return axis;
    for (size_t c = 0; c < protocol->nchannel; c++)
        if (protocol->channel[c].role == CF_ROLE_IMPOSED && c != protocol->clock &&
            d->series[c].value)
            return c;
    return CF_NO_CHANNEL;
}

/* From its range to -1 to 1; false: it is one number, or none. */
static bool scale(double x[], size_t n)
{
    double low = (double) INFINITY, high = -low;

    for (size_t i = 0; i < n; i++) {
        low = fmin(low, x[i]);
        high = fmax(high, x[i]);
    }
    for (size_t i = 0; i < n; i++) {
        x[i] = high > low ? 2 * (x[i] - low) / (high - low) - 1 : 0;
        if (!isfinite(x[i]))
            return false;
    }
    return high > low;
}

int cf_pattern_rows_make(const struct cf_fitted *of, const size_t o[], size_t n,
                         struct cf_pattern_rows *rows, struct cf_error *err)
{
    const struct cf_problem *q = of->problem;
    const struct cf_dataset *d = &q->spec->data[q->observation[o[0]].data];
    size_t clock = d->protocol->clock;
    double largest = 0;

    *rows = (struct cf_pattern_rows){
        .n = n, .driver = driver_of(d), .time = calloc(5 * n + 1, sizeof *rows->time)};
    if (!rows->time)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu residuals", n);
    rows->place = rows->time + n;
    rows->predicted = rows->place + n;
    rows->direction = rows->predicted + n;
    rows->phase = rows->direction + n;
    for (size_t i = 0; i < n; i++)
        largest = fmax(largest, fabs(of->y[o[i]]));
    for (size_t i = 0; i < n; i++) {
        size_t row = q->observation[o[i]].row;
        double t = clock != CF_NO_CHANNEL ? cf_dataset_value(d, row, clock) : (double) NAN;
        rows->time[i] = isnan(t) ? (double) row : t;
        rows->predicted[i] = largest > 0 ? of->y[o[i]] / largest : 0;
        rows->place[i] = rows->driver != CF_NO_CHANNEL ? cf_dataset_value(d, row, rows->driver)
                                                       : rows->predicted[i];
    }
    if (!scale(rows->place, n))
        rows->driver = CF_NO_CHANNEL;
    cf_cycle_directions(rows->place, n, turn_share, rows->direction);
    rows->cycles = cf_cycle_phases(rows->place, rows->time, n, rows->phase);
    rows->harmonics = 0;
    if (rows->cycles > 0)
        rows->harmonics =
            (size_t) fmin(MOST_HARMONICS, (double) n / rows->cycles / rows_per_harmonic);
    scale(rows->time, n);
    return CF_OK;
}

/* Are both signs of x there? */
static bool is_mixed(const double x[], size_t n)
{
    double above = 0, below = 0;

    for (size_t i = 0; i < n; i++) {
        above += x[i] > 0;
        below += x[i] < 0;
    }
    return fmin(above, below) > least_share * (double) n;
}

size_t cf_pattern_columns(const struct cf_pattern_rows *rows, enum cf_pattern pattern)
{
    bool driven = rows->driver != CF_NO_CHANNEL;

    switch (pattern) {
    case CF_PATTERN_OFFSET:
        return 1;
    case CF_PATTERN_DRIFT:
        return DRIFT_DEGREE;
    case CF_PATTERN_PLACE:
        return driven ? PLACE_DEGREE : 0;
    case CF_PATTERN_DIRECTION:
        return driven && is_mixed(rows->direction, rows->n) ? DIRECTION_DEGREE + 1 : 0;
    case CF_PATTERN_SIGN:
        return is_mixed(rows->predicted, rows->n) ? 2 : 0;
    case CF_PATTERN_CYCLE:
        return 2 * rows->harmonics;
    case CF_NPATTERN:
        break;
    }
    return 0;
}

/* P_first to P_last of Legendre at x, times `by`. */
static void polynomials(double x, size_t first, size_t last, double by, double out[])
{
    double value[PLACE_DEGREE + 1];

    cf_legendre(x, last, value);
    for (size_t k = first; k <= last; k++)
        out[k - first] = by * value[k];
}

void cf_pattern_values(const struct cf_pattern_rows *rows, enum cf_pattern pattern, size_t row,
                       double x[])
{
    double y = rows->predicted[row], phase = 2 * M_PI * rows->phase[row];

    switch (pattern) {
    case CF_PATTERN_OFFSET:
        x[0] = 1;
        break;
    case CF_PATTERN_DRIFT:
        polynomials(rows->time[row], 1, DRIFT_DEGREE, 1, x);
        break;
    case CF_PATTERN_PLACE:
        polynomials(rows->place[row], 1, PLACE_DEGREE, 1, x);
        break;
    case CF_PATTERN_DIRECTION:
        polynomials(rows->place[row], 0, DIRECTION_DEGREE, rows->direction[row], x);
        break;
    case CF_PATTERN_SIGN:
        x[0] = GSL_SIGN(y);
        x[1] = fabs(y);
        break;
    case CF_PATTERN_CYCLE:
        for (size_t k = 1; k <= rows->harmonics; k++) {
            x[2 * k - 2] = isnan(phase) ? 0 : cos((double) k * phase);
            x[2 * k - 1] = isnan(phase) ? 0 : sin((double) k * phase);
        }
        break;
    case CF_NPATTERN:
        break;
    }
}
