/* A cubic spline through recorded positions, its third derivative continuous across the second and
 * the last but one row ("not a knot"): exact for motions that are cubic, of fourth order up to the
 * ends, where the natural spline is of second.
 *
 * The unknowns are the second derivatives M, by the usual three-term equations
 *
 *   h0 M0 + 2 (h0 + h1) M1 + h1 M2 = 6 ((x2 - x1)/h1 - (x1 - x0)/h0)
 *
 * and M0 = M1 - (h0/h1) (M2 - M1), alike at the other end. The rows that this leaves are diagonally
 * dominant, so that they are eliminated without pivoting. A smoothed record has the natural spline
 * of core/smoothing.h along each axis that moves.
 */

#include "motion/recorded.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/smoothing.h"

enum { LEAST_ROWS = 3 };

struct cf_trace {
    size_t n;
    double *time_s;   /* n */
    double *place;    /* 3 n: position_m[row][axis] */
    double *bend;     /* 3 n: second derivatives; of one that is not smoothed */
    double cutoff_Hz; /* INFINITY: it goes through the rows */
    bool chosen;
    int moves_most;                /* axis */
    struct cf_smoothing *along[3]; /* NULL: it stands still along that axis, or is not smoothed */
};

static int check(size_t n, const double time_s[], const double position_m[], struct cf_error *err)
{
    if (n < LEAST_ROWS)
        return cf_fail(err, CF_ERANGE, "a trace of %zu rows: at least %d are needed", n,
                       LEAST_ROWS);
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(time_s[i]))
            return cf_fail(err, CF_ERANGE, "row %zu: the time is not finite", i + 1);
        for (int axis = 0; axis < 3; axis++)
            if (!isfinite(position_m[3 * i + (size_t) axis]))
                return cf_fail(err, CF_ERANGE, "row %zu: the place is not finite", i + 1);
        if (i > 0 && !(time_s[i] > time_s[i - 1]))
            return cf_fail(err, CF_ERANGE,
                           "row %zu: time %.9g s after %.9g s: times must grow from row to row",
                           i + 1, time_s[i], time_s[i - 1]);
    }
    return CF_OK;
}

/* Slope of the chord behind row i. */
static double chord(const struct cf_trace *trace, size_t i, int axis)
{
    const double *x = trace->place + axis;
    return (x[3 * (i + 1)] - x[3 * i]) / (trace->time_s[i + 1] - trace->time_s[i]);
}

/* Row i of the inner equations: lower M[i-1] + middle M[i] + upper M[i+1] = right, M[0] and M[n-1]
 * eliminated. */
static void equation(const struct cf_trace *trace, size_t i, int axis, double row[3], double *right)
{
    double h0 = trace->time_s[i] - trace->time_s[i - 1];
    double h1 = trace->time_s[i + 1] - trace->time_s[i];

    row[0] = h0;
    row[1] = 2 * (h0 + h1);
    row[2] = h1;
    *right = 6 * (chord(trace, i, axis) - chord(trace, i - 1, axis));
    if (i == 1) {
        row[1] += h0 * (1 + h0 / h1);
        row[2] -= h0 * h0 / h1;
        row[0] = 0;
    }
    if (i == trace->n - 2) {
        row[1] += h1 * (1 + h1 / h0);
        row[0] -= h1 * h1 / h0;
        row[2] = 0;
    }
}

static double end_bend(double near, double next, double h_end, double h_next)
{
    return near - h_end / h_next * (next - near);
}

/* Second derivatives along one axis; work has room for 2 n numbers. */
static void bend_axis(struct cf_trace *trace, int axis, double work[])
{
    const double *t = trace->time_s;
    size_t n = trace->n;
    double *M = trace->bend + axis, *upper = work, *right = work + n, row[3];

    if (n == LEAST_ROWS) { /* a parabola */
        double all = 2 * (chord(trace, 1, axis) - chord(trace, 0, axis)) / (t[2] - t[0]);
        M[0] = M[3] = M[6] = all;
        return;
    }
    upper[0] = right[0] = 0;
    for (size_t i = 1; i < n - 1; i++) {
        equation(trace, i, axis, row, &right[i]);
        double pivot = row[1] - row[0] * upper[i - 1];
        upper[i] = row[2] / pivot;
        right[i] = (right[i] - row[0] * right[i - 1]) / pivot;
    }
    M[3 * (n - 2)] = right[n - 2];
    for (size_t i = n - 2; i-- > 1;)
        M[3 * i] = right[i] - upper[i] * M[3 * (i + 1)];
    M[0] = end_bend(M[3], M[6], t[1] - t[0], t[2] - t[1]);
    M[3 * (n - 1)] =
        end_bend(M[3 * (n - 2)], M[3 * (n - 3)], t[n - 1] - t[n - 2], t[n - 2] - t[n - 3]);
}

/* ---- smoothing */

static double range_along(const struct cf_trace *trace, int axis)
{
    double low = (double) INFINITY, high = -low;

    for (size_t i = 0; i < trace->n; i++) {
        low = fmin(low, trace->place[3 * i + (size_t) axis]);
        high = fmax(high, trace->place[3 * i + (size_t) axis]);
    }
    return high - low;
}

/* One axis; x has room for n numbers. */
static int smooth_axis(struct cf_trace *trace, int axis, double x[], struct cf_error *err)
{
    if (!(range_along(trace, axis) > 0))
        return CF_OK;
    for (size_t i = 0; i < trace->n; i++)
        x[i] = trace->place[3 * i + (size_t) axis];
    trace->along[axis] = cf_smoothing_make(trace->n, trace->time_s, x, trace->cutoff_Hz, err);
    if (!trace->along[axis])
        return CF_ERANGE;
    trace->cutoff_Hz = cf_smoothing_cutoff_Hz(trace->along[axis]);
    return CF_OK;
}

/* The axis that moves most first: its cutoff is the others'. */
static int smooth(struct cf_trace *trace, double x[], struct cf_error *err)
{
    int status;

    for (int axis = 1; axis < 3; axis++)
        if (range_along(trace, axis) > range_along(trace, trace->moves_most))
            trace->moves_most = axis;
    trace->chosen = !(trace->cutoff_Hz > 0);
    status = smooth_axis(trace, trace->moves_most, x, err);
    for (int axis = 0; axis < 3 && !status; axis++)
        if (axis != trace->moves_most)
            status = smooth_axis(trace, axis, x, err);
    if (!(trace->cutoff_Hz > 0)) /* it stands still: nothing to choose by */
        trace->cutoff_Hz = (double) INFINITY;
    return status;
}

/* ---- making */

static struct cf_trace *make(size_t n, const double time_s[], const double position_m[],
                             double cutoff_Hz, struct cf_error *err)
{
    struct cf_trace *trace = calloc(1, sizeof *trace);
    double *work = malloc(2 * n * sizeof *work);
    int status;

    if (trace) {
        trace->n = n;
        trace->cutoff_Hz = cutoff_Hz;
        trace->time_s = malloc(n * sizeof *trace->time_s);
        trace->place = malloc(3 * n * sizeof *trace->place);
        trace->bend = calloc(3 * n, sizeof *trace->bend);
    }
    status = trace && work && trace->time_s && trace->place && trace->bend
                 ? CF_OK
                 : cf_fail(err, CF_ENOMEM, "no memory for a trace of %zu rows", n);
    if (!status) {
        memcpy(trace->time_s, time_s, n * sizeof *time_s);
        memcpy(trace->place, position_m, 3 * n * sizeof *position_m);
        if (!isinf(cutoff_Hz))
            status = smooth(trace, work, err);
        for (int axis = 0; axis < 3 && !status && !trace->along[trace->moves_most]; axis++)
            bend_axis(trace, axis, work);
    }
    free(work);
    if (!status)
        return trace;
    cf_trace_free(trace);
    return NULL;
}

struct cf_trace *cf_trace_make(size_t n, const double time_s[], const double position_m[],
                               struct cf_error *err)
{
    return check(n, time_s, position_m, err) ? NULL
                                             : make(n, time_s, position_m, (double) INFINITY, err);
}

struct cf_trace *cf_trace_smooth(size_t n, const double time_s[], const double position_m[],
                                 double cutoff_Hz, struct cf_error *err)
{
    return check(n, time_s, position_m, err) ? NULL : make(n, time_s, position_m, cutoff_Hz, err);
}

struct cf_trace *cf_trace_again(const struct cf_trace *trace, double cutoff_Hz,
                                struct cf_error *err)
{
    return make(trace->n, trace->time_s, trace->place, cutoff_Hz, err);
}

void cf_trace_free(struct cf_trace *trace)
{
    if (!trace)
        return;
    for (int axis = 0; axis < 3; axis++)
        cf_smoothing_free(trace->along[axis]);
    free(trace->time_s);
    free(trace->place);
    free(trace->bend);
    free(trace);
}

bool cf_trace_smoothness(const struct cf_trace *trace, struct cf_trace_smoothness *out)
{
    if (isinf(trace->cutoff_Hz))
        return false;
    *out = (struct cf_trace_smoothness){.cutoff_Hz = trace->cutoff_Hz,
                                        .chosen = trace->chosen,
                                        .rows = trace->n,
                                        .axis = trace->moves_most};
    for (int axis = 0; axis < 3; axis++)
        if (trace->along[axis])
            out->noise_m[axis] = cf_smoothing_noise(trace->along[axis]);
    if (trace->along[out->axis])
        out->freedom = cf_smoothing_freedom(trace->along[out->axis]);
    return true;
}

/* ---- reading */

/* The last row before a time within the span; the last but one at the end. */
static size_t find_row(const struct cf_trace *trace, double time_s)
{
    size_t low = 0, high = trace->n - 1;

    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (time_s < trace->time_s[middle])
            high = middle;
        else
            low = middle;
    }
    return low;
}

/* Value, rate and second derivative along an axis of a smoothed record. */
static void smoothed_at(const struct cf_trace *trace, int axis, double time_s, double out[3])
{
    out[0] = trace->place[axis];
    out[1] = out[2] = 0;
    if (trace->along[axis])
        cf_smoothing_at(trace->along[axis], time_s, out);
}

/* At rest outside of the record. */
static void rest_at(const struct cf_trace *trace, size_t row, double position_m[3])
{
    double out[3];

    memcpy(position_m, trace->place + 3 * row, 3 * sizeof *position_m);
    for (int axis = 0; axis < 3; axis++)
        if (trace->along[axis]) {
            smoothed_at(trace, axis, trace->time_s[row], out);
            position_m[axis] = out[0];
        }
}

static void through_rows(const struct cf_trace *trace, double time_s, double position_m[3],
                         double velocity_m_s[3])
{
    const double *t = trace->time_s;
    size_t i = find_row(trace, time_s);
    double h = t[i + 1] - t[i], a = (t[i + 1] - time_s) / h, b = (time_s - t[i]) / h;

    for (size_t axis = 0; axis < 3; axis++) {
        double x0 = trace->place[3 * i + axis], x1 = trace->place[3 * (i + 1) + axis];
        double M0 = trace->bend[3 * i + axis], M1 = trace->bend[3 * (i + 1) + axis];
        position_m[axis] =
            x0 + b * (x1 - x0) + ((a * a * a - a) * M0 + (b * b * b - b) * M1) * h * h / 6;
        velocity_m_s[axis] = (x1 - x0) / h + ((1 - 3 * a * a) * M0 + (3 * b * b - 1) * M1) * h / 6;
    }
}

void cf_trace_at(const struct cf_trace *trace, double time_s, double position_m[3],
                 double velocity_m_s[3])
{
    const double *t = trace->time_s;
    size_t last = trace->n - 1;

    if (!(time_s >= t[0] && time_s <= t[last])) {
        rest_at(trace, time_s > t[last] ? last : 0, position_m);
        memset(velocity_m_s, 0, 3 * sizeof *velocity_m_s);
        return;
    }
    if (isinf(trace->cutoff_Hz)) {
        through_rows(trace, time_s, position_m, velocity_m_s);
        return;
    }
    for (int axis = 0; axis < 3; axis++) {
        double out[3];
        smoothed_at(trace, axis, time_s, out);
        position_m[axis] = out[0];
        velocity_m_s[axis] = out[1];
    }
}

void cf_trace_bend(const struct cf_trace *trace, double time_s, double acceleration_m_s2[3])
{
    const double *t = trace->time_s;

    memset(acceleration_m_s2, 0, 3 * sizeof *acceleration_m_s2);
    if (!(time_s >= t[0] && time_s <= t[trace->n - 1]))
        return;
    if (!isinf(trace->cutoff_Hz)) {
        for (int axis = 0; axis < 3; axis++) {
            double out[3];
            smoothed_at(trace, axis, time_s, out);
            acceleration_m_s2[axis] = out[2];
        }
        return;
    }
    size_t i = find_row(trace, time_s);
    double b = (time_s - t[i]) / (t[i + 1] - t[i]);
    for (size_t axis = 0; axis < 3; axis++)
        acceleration_m_s2[axis] =
            (1 - b) * trace->bend[3 * i + axis] + b * trace->bend[3 * (i + 1) + axis];
}

void cf_trace_span(const struct cf_trace *trace, double *from_s, double *to_s)
{
    *from_s = trace->time_s[0];
    *to_s = trace->time_s[trace->n - 1];
}
