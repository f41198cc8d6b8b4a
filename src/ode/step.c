/* One step of DOP853 with its error and its dense output. */

#include <float.h>
#include <math.h>
#include <string.h>

#include "ode/stiff.h"

/* Weight of the error of order 3 in the denominator that damps the one of order 5 (DOP853). */
static const double THIRD = 0.01;

/* That of order 3 alone is at most this part of a state, whatever the tolerance. Steps are larger
 * where a corner of the rates lies in them; there the error of order 5 may be small by chance. */
static const double ROUGH = 0.1;

/* States that are summed at a time: as many as have their sums in 16 registers of two; where few
 * are left, fewer. */
enum { BLOCK = 10, SMALL_BLOCK = 4 };

/* The weights reach 43 and cancel: applied to differences from the first rate they leave less
 * rounding. `sum` is that of the row's weights. For `block` states, a constant, from i on; a block
 * that reaches beyond the last state reads what follows in the workspace, and that result is
 * unused. */
static inline __attribute__((__always_inline__)) void
weigh_block(int block, const struct cf_dop_row *row, double sum, size_t n, const double *k,
            size_t i, double out[BLOCK])
{
    double first[BLOCK], total[BLOCK] = {0};

    for (int b = 0; b < block; b++)
        first[b] = k[i + (size_t) b];
    for (int j = row->stage[0] == 0; j < row->count; j++) {
        const double *at = k + (size_t) row->stage[j] * n + i;
        for (int b = 0; b < block; b++)
            total[b] += row->weight[j] * (at[b] - first[b]);
    }
    for (int b = 0; b < block; b++)
        out[b] = sum * first[b] + total[b];
}

static inline void weigh(const struct cf_dop_row *row, double sum, size_t n, const double *k,
                         size_t i, double out[BLOCK])
{
    if (n - i <= SMALL_BLOCK)
        weigh_block(SMALL_BLOCK, row, sum, n, k, i, out);
    else
        weigh_block(BLOCK, row, sum, n, k, i, out);
}

void cf_ode_combine(int stage, size_t n, const double *k, double h, const double *y, double *out)
{
    for (size_t i = 0; i < n; i += BLOCK) {
        size_t count = i + BLOCK < n ? BLOCK : n - i;
        double sum[BLOCK];
        weigh(&cf_dop_a[stage], cf_dop_c[stage], n, k, i, sum);
        for (size_t b = 0; b < count; b++)
            out[i + b] = y[i + b] + h * sum[b];
    }
}

void cf_ode_weigh(const struct cf_dop_row *row, size_t n, const double *k, double h, double *out)
{
    for (size_t i = 0; i < n; i += BLOCK) {
        size_t count = i + BLOCK < n ? BLOCK : n - i;
        double sum[BLOCK];
        weigh(row, 0, n, k, i, sum);
        for (size_t b = 0; b < count; b++)
            out[i + b] = h * sum[b];
    }
}

void cf_ode_rate(struct cf_ode *ode, int stage, double t, const double y[])
{
    ode->system->rates(ode->context, t, y, ode->k + (size_t) stage * ode->n);
    ode->evaluations++;
}

void cf_ode_step(struct cf_ode *ode, double h)
{
    size_t n = ode->n;

    ode->h = h;
    ode->dense_made = false;
    if (ode->stiff_now) {
        cf_stiff_redo(ode, h);
        return;
    }
    for (int i = 1; i < CF_DOP_STAGES; i++) {
        double *at = ode->stage + (size_t) i * n;
        cf_ode_combine(i, n, ode->k, h, ode->y, at);
        cf_ode_rate(ode, i, ode->t + cf_dop_c[i] * h, at);
    }
    cf_ode_combine(CF_DOP_STAGES, n, ode->k, h, ode->y, ode->next);
}

/* Not fmax(): its NaN handling costs a call; a NaN dropped here still reaches the error norm. */
static inline double larger(double a, double b)
{
    return a > b ? a : b;
}

/* The fastest that state i is in the step. */
static double fastest(const struct cf_ode *ode, size_t i)
{
    double most = 0;

    for (size_t stage = 0; stage < CF_DOP_STAGES; stage++)
        most = larger(most, fabs(ode->k[stage * ode->n + i]));
    return most;
}

static void allow(struct cf_ode *ode)
{
    const double *last = ode->k + (CF_DOP_STAGES - 1) * ode->n;
    const struct cf_ode_options *o = ode->options;

    for (size_t i = 0; i < ode->n; i++) {
        double size = larger(fabs(ode->y[i]), fabs(ode->next[i]));
        double moved = ode->h * larger(fabs(ode->k[i]), fabs(last[i]));
        double error = o->tolerance * larger(size, o->scale[i]);
        if (o->most && o->most[i] < error)
            error = o->most[i];
        ode->unit[i] = error + cf_ode_rounding * (size + moved);
    }
    if (cf_ode_blur(ode, ode->h, 1) > 0) /* rare */
        for (size_t i = 0; i < ode->n; i++)
            ode->unit[i] +=
                cf_ode_blur(ode, ode->h * fastest(ode, i), larger(fabs(ode->y[i]), o->scale[i]));
}

double cf_ode_error_of(size_t stride, size_t first, size_t n, const struct cf_ode_trial *trial)
{
    double fifth = 0, third = 0, both, error;

    for (size_t i = first; i < first + n; i += BLOCK) {
        size_t count = i + BLOCK < first + n ? BLOCK : first + n - i;
        double sum5[BLOCK], sum3[BLOCK];
        weigh(&cf_dop_error_5, 0, stride, trial->k, i, sum5);
        weigh(&cf_dop_weight_3, 1, stride, trial->k, i, sum3);
        for (size_t b = 0; b < count; b++) {
            double part = 1 / trial->unit[i + b];
            double e5 = trial->h * part * sum5[b];
            double e3 = (trial->next[i + b] - trial->y[i + b] - trial->h * sum3[b]) * part;
            fifth += e5 * e5;
            third += e3 * e3;
        }
    }
    both = fifth + THIRD * third;
    if (both == 0)
        return 0;
    error = fifth / sqrt(both * (double) n);
    return larger(error, sqrt(third / (double) n) / trial->rough);
}

double cf_ode_error(struct cf_ode *ode)
{
    bool alone = ode->ncolumn == 0; /* columns see corners, too */
    const struct cf_ode_trial trial = {
        ode->k,    ode->y, ode->next,
        ode->unit, ode->h, alone ? ROUGH / ode->options->tolerance : (double) INFINITY};

    allow(ode);
    return cf_ode_error_of(ode->n, 0, ode->n, &trial);
}

bool cf_ode_arrive(struct cf_ode *ode)
{
    double sum = 0;

    cf_ode_rate(ode, CF_DOP_STAGES, ode->t + ode->h, ode->next);
    /* x - x is 0 unless x is infinite or NaN */
    for (size_t i = 0; i < ode->n; i++) {
        double rate = ode->k[CF_DOP_STAGES * ode->n + i];
        sum += (rate - rate) + (ode->next[i] - ode->next[i]);
    }
    return sum == 0;
}

/* Are the terms beyond the cubic no larger than the states and their changes? The three rates that
 * they need are no part of the step's error: near the limit of stability they may lead far away. */
static bool tame(const struct cf_ode *ode)
{
    static const double MOST = 10;
    const double *f = ode->k, *f_next = ode->k + CF_DOP_STAGES * ode->n;

    for (size_t i = 0; i < ode->n; i++) {
        const double *term = ode->dense.term + i * CF_ODE_TERMS;
        double moves = fabs(term[0]) + ode->h * (fabs(f[i]) + fabs(f_next[i]));
        double size = larger(fabs(ode->y[i]), ode->options->scale[i]);
        for (int j = 3; j < CF_ODE_TERMS; j++)
            if (!(fabs(term[j]) <= MOST * moves + size))
                return false;
    }
    return true;
}

void cf_ode_make_dense(struct cf_ode *ode)
{
    size_t n = ode->n;
    double h = ode->h;
    struct cf_ode_dense *dense = &ode->dense;
    const double *f = ode->k, *f_next = ode->k + CF_DOP_STAGES * n;

    if (ode->dense_made)
        return;
    dense->stiff = ode->stiff_now ? ode->stiff : NULL;
    dense->from = ode->t;
    dense->length = h;
    dense->s_made = false;
    ode->dense_made = true;
    if (ode->stiff_now) { /* its stages are the dense output */
        memcpy(dense->y, ode->y, n * sizeof *dense->y);
        return;
    }
    for (int i = CF_DOP_STAGES + 1; i < CF_DOP_ALL; i++) {
        double *at = ode->stage + (size_t) i * n;
        cf_ode_combine(i, n, ode->k, h, ode->y, at);
        cf_ode_rate(ode, i, ode->t + cf_dop_c[i] * h, at);
    }
    for (size_t i = 0; i < n; i++) {
        double *term = dense->term + i * CF_ODE_TERMS;
        double moved = ode->next[i] - ode->y[i];
        dense->y[i] = ode->y[i];
        term[0] = moved;
        term[1] = h * f[i] - moved;
        term[2] = 2 * moved - h * (f[i] + f_next[i]);
    }
    for (int j = 0; j < CF_DOP_DENSE; j++)
        for (size_t i = 0; i < n; i += BLOCK) {
            size_t count = i + BLOCK < n ? BLOCK : n - i;
            double sum[BLOCK];
            weigh(&cf_dop_dense[j], 0, n, ode->k, i, sum);
            for (size_t b = 0; b < count; b++)
                dense->term[(i + b) * CF_ODE_TERMS + 3 + (size_t) j] = h * sum[b];
        }
    if (!tame(ode))
        for (size_t i = 0; i < n; i++)
            for (int j = 3; j < CF_ODE_TERMS; j++)
                dense->term[i * CF_ODE_TERMS + (size_t) j] = 0;
}

void cf_ode_advance(struct cf_ode *ode, double t)
{
    size_t bytes = ode->n * sizeof *ode->y;

    ode->t = t;
    memcpy(ode->y, ode->next, bytes);
    memcpy(ode->k, ode->k + CF_DOP_STAGES * ode->n, bytes);
}

/* Root mean square of a[i]/(allowed error of y[i]). */
static double size_of(const struct cf_ode *ode, const double a[], const double b[])
{
    double sum = 0;

    for (size_t i = 0; i < ode->n; i++) {
        double unit = ode->options->tolerance * fmax(fabs(ode->y[i]), ode->options->scale[i]);
        double x = (a[i] - (b ? b[i] : 0)) / unit;
        sum += x * x;
    }
    return sqrt(sum / (double) ode->n);
}

double cf_ode_first_step(struct cf_ode *ode, double longest)
{
    /* one hundredth of the time in which y would double, a Euler step of that length for y'' */
    double f = size_of(ode, ode->k, NULL), y = size_of(ode, ode->y, NULL);
    double h = fmin(f > 0 && y > 0 ? 0.01 * y / f : 1e-6, longest);
    double bend, most;

    for (size_t i = 0; i < ode->n; i++)
        ode->spare[i] = ode->y[i] + h * ode->k[i];
    cf_ode_rate(ode, 1, ode->t + h, ode->spare);
    bend = size_of(ode, ode->k + ode->n, ode->k) / h;
    most = fmax(f, bend);
    /* the error of order 8 of a step grows as h^8 most^... : h so that h^8 most is a hundredth */
    h = fmin(fmin(100 * h, longest),
             most > 1e-15 ? pow(0.01 / most, 1.0 / 8) : fmax(1e-6, h * 1e-3));
    return h > 0 ? h : longest;
}
