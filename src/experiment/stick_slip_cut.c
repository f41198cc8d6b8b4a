/* Where cycles of stick and slip begin: at the troughs of the spring's force.
 *
 * A trough counts once the force has risen from it by a share of its range (`hysteresis`), and a
 * peak once it has fallen by as much: so noise makes none, and no threshold has to fit both ends of
 * a record. Where the trough lies between the rows is found by a parabola through those about it:
 * the block turns there under a nearly constant force.
 */

#include <gsl/gsl_fit.h>
#include <gsl/gsl_math.h>
#include <gsl/gsl_multifit.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

#include "experiment/stick_slip_channels.h"

/* The range of the force goes from here to as far from the other end: single rows do not set it. */
static const double TAIL = 0.01;

/* A change is one of the force where it is so many sds of its noise. These are found by second
 * differences, over 1, 2, 4, ... rows, since errors may follow each other, up to this part of a
 * swing of the block on its spring: over it a swing bends by a twentieth. */
static const double SURE = 10, PART_OF_SWING = 0.05;

/* The parabola is put through rows that are no further above the least than this share of the
 * range, and through so many at least. */
static const double NEAR = 0.05;
enum { LEAST_NEAR = 5 };

/* The middle of a stick, whose slope is that of the plate: neither its beginning, where the block
 * still slips, nor its end. */
static const double STICK_FROM = 0.35, STICK_TO = 0.85;

double cf_stick_force(const struct cf_dataset *d, size_t row)
{
    return cf_dataset_has(d, row, CF_STICK_FORCE)
               ? cf_dataset_value(d, row, CF_STICK_FORCE)
               : d->apparatus[CF_STICK_STIFFNESS] * cf_dataset_value(d, row, CF_STICK_PLACE);
}

/* Of the sizes of standard normal numbers. */
static const double MEDIAN_OF_NORMAL = 0.6745;

/* The rows that count. */
struct trace {
    size_t n, *row;
    size_t highest; /* row of the data set with the greatest force; 0 where none counts */
    double *t, *f;
    double low, high, noise;
};

/* The sd of a row's noise by second differences over `lag` rows; room[n]. */
static double noise_over(const double f[], size_t n, size_t lag, double room[])
{
    size_t m = 0;

    for (size_t i = lag; i + lag < n; i++)
        room[m++] = fabs(f[i - lag] - 2 * f[i] + f[i + lag]);
    gsl_sort(room, 1, m);
    return m ? gsl_stats_median_from_sorted_data(room, 1, m) / (MEDIAN_OF_NORMAL * sqrt(6)) : 0;
}

static double noise_of(const struct trace *x, const double apparatus[], double room[])
{
    double swing_s = 2 * M_PI * sqrt(apparatus[CF_STICK_MASS] / apparatus[CF_STICK_STIFFNESS]);
    double step_s = x->n > 1 ? (x->t[x->n - 1] - x->t[0]) / (double) (x->n - 1) : 0;
    double noise = noise_over(x->f, x->n, 1, room);

    for (size_t lag = 2; lag < x->n && (double) lag * step_s < PART_OF_SWING * swing_s; lag *= 2)
        noise = fmax(noise, noise_over(x->f, x->n, lag, room));
    return noise;
}

static int trace_make(struct trace *x, const struct cf_dataset *d, struct cf_error *err)
{
    double *sorted, most = 0;

    *x = (struct trace){.row = malloc((d->nrow + 1) * sizeof *x->row),
                        .t = malloc((3 * d->nrow + 1) * sizeof *x->t)};
    if (!x->row || !x->t)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu rows", d->nrow);
    x->f = x->t + d->nrow;
    sorted = x->f + d->nrow;
    for (size_t row = 0; row < d->nrow; row++) {
        double f = cf_stick_force(d, row);
        if (d->use[row] == CF_ROW_EXCLUDED || isnan(f))
            continue;
        x->row[x->n] = row;
        x->t[x->n] = cf_dataset_value(d, row, CF_STICK_TIME);
        sorted[x->n] = x->f[x->n] = f;
        if (x->n == 0 || f > most) {
            most = f;
            x->highest = row;
        }
        x->n++;
    }
    gsl_sort(sorted, 1, x->n);
    if (x->n) {
        x->low = gsl_stats_quantile_from_sorted_data(sorted, 1, x->n, TAIL);
        x->high = gsl_stats_quantile_from_sorted_data(sorted, 1, x->n, 1 - TAIL);
        x->noise = noise_of(x, d->apparatus, sorted);
    }
    return CF_OK;
}

static void trace_clear(struct trace *x)
{
    free(x->row);
    free(x->t);
}

/* ---- extremes */

struct extreme {
    size_t at;
    bool peak;
};

/* By turns peaks and troughs; extreme[] has room for n. The first is one only if the force came to
 * it by the whole hysteresis. */
static size_t find_extremes(const struct trace *x, double hysteresis, struct extreme extreme[])
{
    size_t n = 0, low = 0, high = 0;
    int going = 0; /* up, down; 0: not known yet */

    for (size_t i = 1; i < x->n; i++) {
        low = x->f[i] < x->f[low] ? i : low;
        high = x->f[i] > x->f[high] ? i : high;
        if (going >= 0 && x->f[high] - x->f[i] > hysteresis) {
            if (going > 0)
                extreme[n++] = (struct extreme){high, true};
            going = -1;
            low = i;
        } else if (going <= 0 && x->f[i] - x->f[low] > hysteresis) {
            if (going < 0)
                extreme[n++] = (struct extreme){low, false};
            going = 1;
            high = i;
        }
    }
    return n;
}

/* Places of a parabola through n rows. */
struct parabola {
    gsl_multifit_linear_workspace *work;
    gsl_matrix *X, *cov;
    gsl_vector *y, *c; /* c: f = c0 + c1 s + c2 s^2 */
};

static int parabola_make(struct parabola *p, size_t n, struct cf_error *err)
{
    *p = (struct parabola){gsl_multifit_linear_alloc(n, 3), gsl_matrix_alloc(n, 3),
                           gsl_matrix_alloc(3, 3), gsl_vector_alloc(n), gsl_vector_alloc(3)};
    return p->work && p->X && p->cov && p->y && p->c
               ? CF_OK
               : cf_fail(err, CF_ENOMEM, "no memory for a trough of %zu rows", n);
}

static void parabola_free(struct parabola *p)
{
    gsl_multifit_linear_free(p->work);
    gsl_matrix_free(p->X);
    gsl_matrix_free(p->cov);
    gsl_vector_free(p->y);
    gsl_vector_free(p->c);
}

/* The vertex of the parabola through rows about a trough, where it opens upwards between them;
 * *t and *f stay as they are where not. */
static int vertex(const struct trace *x, size_t from, size_t to, double about, double *t, double *f,
                  struct cf_error *err)
{
    size_t n = to - from + 1;
    double sum, scale = x->t[to] - x->t[from], slope, bend, at;
    struct parabola p;
    int status = parabola_make(&p, n, err);

    for (size_t i = 0; i < n && !status; i++) {
        double s = (x->t[from + i] - about) / scale;
        gsl_matrix_set(p.X, i, 0, 1);
        gsl_matrix_set(p.X, i, 1, s);
        gsl_matrix_set(p.X, i, 2, s * s);
        gsl_vector_set(p.y, i, x->f[from + i]);
    }
    if (!status && !gsl_multifit_linear(p.X, p.y, p.c, p.cov, &sum, p.work) &&
        gsl_vector_get(p.c, 2) > 0) {
        slope = gsl_vector_get(p.c, 1);
        bend = gsl_vector_get(p.c, 2);
        at = about - slope / (2 * bend) * scale;
        if (at >= x->t[from] && at <= x->t[to]) {
            *t = at;
            *f = gsl_vector_get(p.c, 0) - slope * slope / (4 * bend);
        }
    }
    parabola_free(&p);
    return status;
}

static int find_trough(const struct trace *x, size_t at, struct cf_stick_cycle *cycle,
                       struct cf_error *err)
{
    double most = x->f[at] + NEAR * (x->high - x->low);
    size_t from = at, to = at;

    while (from > 0 && (x->f[from - 1] < most || at - from < LEAST_NEAR))
        from--;
    while (to + 1 < x->n && (x->f[to + 1] < most || to - at < LEAST_NEAR))
        to++;
    cycle->trough_s = x->t[at];
    cycle->trough_N = x->f[at];
    return vertex(x, from, to, x->t[at], &cycle->trough_s, &cycle->trough_N, err);
}

/* ---- cycles */

/* The slope of the force in the middle of the stick. */
static void find_rise(const struct trace *x, size_t trough, size_t peak, struct cf_stick_cycle *c)
{
    size_t from = trough + (size_t) (STICK_FROM * (double) (peak - trough)),
           to = trough + (size_t) (STICK_TO * (double) (peak - trough)), n = to - from;
    double level, c00, c01, c11, sum;

    c->rise_N_s = c->rise_sd = (double) NAN;
    if (n < LEAST_NEAR)
        return;
    gsl_fit_linear(x->t + from, 1, x->f + from, 1, n, &level, &c->rise_N_s, &c00, &c01, &c11, &sum);
    c->rise_sd = sqrt(c11);
}

static int make_cycles(const struct trace *x, size_t nrow, const struct extreme e[], size_t n,
                       struct cf_stick_cycles *out, struct cf_error *err)
{
    int status = CF_OK;

    for (size_t i = 0; i < n && !status; i++) {
        struct cf_stick_cycle *c = &out->cycle[out->n];
        if (e[i].peak && out->npeak++ == 0)
            out->peak = x->row[e[i].at];
        if (e[i].peak)
            continue;
        *c = (struct cf_stick_cycle){.peak_s = (double) NAN, .peak_N = (double) NAN};
        status = find_trough(x, e[i].at, c, err);
        c->first = e[i].at;
        while (c->first > 0 && x->t[c->first - 1] >= c->trough_s)
            c->first--;
        while (c->first + 1 < x->n && x->t[c->first] < c->trough_s)
            c->first++;
        c->first = x->row[c->first];
        if (i + 1 < n) {
            c->peak_s = x->t[e[i + 1].at];
            c->peak_N = x->f[e[i + 1].at];
            find_rise(x, e[i].at, e[i + 1].at, c);
        } else {
            find_rise(x, e[i].at, x->n - 1, c);
        }
        c->whole = i + 2 < n;
        out->n++;
    }
    for (size_t i = 0; i < out->n; i++)
        out->cycle[i].count =
            (i + 1 < out->n ? out->cycle[i + 1].first : nrow) - out->cycle[i].first;
    return status;
}

int cf_stick_cut(const struct cf_dataset *d, struct cf_stick_cycles *out, struct cf_error *err)
{
    struct trace x;
    struct extreme *extreme = NULL;
    size_t n;
    int status = trace_make(&x, d, err);

    *out = (struct cf_stick_cycles){.n = 0};
    if (!status) {
        extreme = malloc((x.n + 1) * sizeof *extreme);
        out->cycle = malloc((x.n + 1) * sizeof *out->cycle);
        if (!extreme || !out->cycle)
            status = cf_fail(err, CF_ENOMEM, "no memory for the cycles of %zu rows", x.n);
    }
    if (!status) {
        out->low_N = x.low;
        out->high_N = x.high;
        out->highest = x.highest;
        n = find_extremes(
            &x, fmax(d->apparatus[CF_STICK_HYSTERESIS] * (x.high - x.low), SURE * x.noise),
            extreme);
        status = make_cycles(&x, d->nrow, extreme, n, out, err);
    }
    free(extreme);
    trace_clear(&x);
    return status;
}
