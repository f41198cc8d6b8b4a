/* One step of the stiff method: the linearly implicit Euler method, extrapolated (Deuflhard;
 * Hairer & Wanner, Solving Ordinary Differential Equations II, 1996, IV.9, SEULEX).
 *
 * Row j takes n_j = j + 1 small steps of length h_j = h/n_j over the step,
 *
 *   (1 - h_j J) (y_i+1 - y_i) = h_j f(t_i+1, y_i)
 *
 * with the Jacobian J at the step's start, and the rows are extrapolated to h_j = 0,
 *
 *   T_j,k+1 = T_j,k + (T_j,k - T_j-1,k)/(n_j/n_j-k - 1)
 *
 * T_k,k is of order k, L-stable to a few degrees off the imaginary axis, whatever J is in
 * directions that are not stiff: J by differences is good enough. The error is that of T_k,k-1, one
 * order lower, so that steps are better than they are asked to be.
 */

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ode/stiff.h"

/* Rounding of a state's sum over the small steps, and what the weights of the extrapolation,
 * which alternate in sign, make of it for each row more. */
static const double ROUNDING = 4 * DBL_EPSILON;

/* Part of a state's size over which rates are differenced: sqrt of rounding. */
static const double NUDGE = 0x1p-26;

struct cf_stiff *cf_stiff_alloc(size_t n)
{
    struct cf_stiff *stiff = calloc(1, sizeof *stiff);
    size_t states = 3 * CF_STIFF_ROWS + CF_STIFF_DEGREE + 6;
    double *next;

    if (!stiff)
        return NULL;
    stiff->n = n;
    stiff->jacobian = calloc(2 * n * n + states * n + 1, sizeof *stiff->jacobian);
    stiff->pivot = calloc(n + 1, sizeof *stiff->pivot);
    if (!stiff->jacobian || !stiff->pivot) {
        cf_stiff_free(stiff);
        return NULL;
    }
    next = stiff->jacobian;
    stiff->lu = next += n * n;
    stiff->table = next += n * n;
    stiff->path = next += CF_STIFF_ROWS * n;
    stiff->look = next += (CF_STIFF_ROWS + 1) * n;
    stiff->node = next += (CF_STIFF_ROWS + 1) * n;
    stiff->way = next += (CF_STIFF_DEGREE + 1) * n;
    stiff->at = next += n;
    stiff->change = next + n;
    return stiff;
}

void cf_stiff_free(struct cf_stiff *stiff)
{
    if (!stiff)
        return;
    free(stiff->jacobian);
    free(stiff->pivot);
    free(stiff);
}

int cf_stiff_parts(int row)
{
    return row + 1;
}

void cf_stiff_moved(struct cf_ode *ode)
{
    ode->stiff->jacobian_made = false;
}

/* Rates' derivatives by the states at the step's start, whose rate is ode->k. */
static void make_jacobian(struct cf_ode *ode)
{
    struct cf_stiff *s = ode->stiff;
    size_t n = ode->n;

    memcpy(s->at, ode->y, n * sizeof *s->at);
    for (size_t j = 0; j < n; j++) {
        s->at[j] += NUDGE * copysign(fmax(fabs(ode->y[j]), ode->options->scale[j]), ode->k[j]);
        double step = s->at[j] - ode->y[j];
        ode->system->rates(ode->context, ode->t, s->at, s->change);
        ode->evaluations++;
        for (size_t i = 0; i < n; i++)
            s->jacobian[i * n + j] = (s->change[i] - ode->k[i]) / step;
        s->at[j] = ode->y[j];
    }
    s->jacobian_made = true;
}

/* The small steps of a row: way from the start, and the path. */
static bool small_steps(struct cf_ode *ode, int row, double h)
{
    struct cf_stiff *s = ode->stiff;
    size_t n = ode->n;
    int parts = cf_stiff_parts(row);

    if (!cf_stiff_factor(n, parts / h, s->jacobian, s->lu, s->pivot))
        return false;
    memset(s->way, 0, n * sizeof *s->way);
    memcpy(s->at, ode->y, n * sizeof *s->at);
    for (int i = 1; i <= parts; i++) {
        ode->system->rates(ode->context, ode->t + i * h / parts, s->at, s->change);
        ode->evaluations++;
        cf_stiff_solve(n, s->lu, s->pivot, s->change);
        for (size_t d = 0; d < n; d++) {
            s->way[d] += s->change[d];
            s->at[d] = ode->y[d] + s->way[d];
        }
        memcpy(s->path + (size_t) (i - 1) * n, s->at, n * sizeof *s->at);
    }
    return true;
}

/* way, and what the rows before leave in the table, extrapolated: the row's values. */
static void extrapolate(struct cf_stiff *s, int row)
{
    size_t n = s->n;

    for (int k = 1; k < row; k++) {
        double ratio = (double) cf_stiff_parts(row) / cf_stiff_parts(row - k);
        double *column = s->table + (size_t) (k - 1) * n;
        for (size_t d = 0; d < n; d++) {
            double before = column[d];
            column[d] = s->way[d];
            s->way[d] += (s->way[d] - before) / (ratio - 1);
        }
    }
    memcpy(s->table + (size_t) (row - 1) * n, s->way, n * sizeof *s->way);
}

static double error_of(const struct cf_ode *ode, int row)
{
    const struct cf_stiff *s = ode->stiff;
    const double *last = s->table + (size_t) (row - 1) * s->n, *before = last - s->n;
    double sum = 0;

    for (size_t i = 0; i < s->n; i++) {
        double size = fmax(fabs(ode->y[i]), fabs(ode->y[i] + last[i]));
        double allowed = ode->options->tolerance * fmax(size, ode->options->scale[i]) +
                         ROUNDING * (size + fabs(last[i]));
        double e = (last[i] - before[i]) / allowed;
        sum += e * e;
    }
    return sqrt(sum / (double) s->n);
}

double cf_stiff_row(struct cf_ode *ode, int row, double h)
{
    if (!ode->stiff->jacobian_made)
        make_jacobian(ode);
    if (!small_steps(ode, row, h))
        return NAN;
    extrapolate(ode->stiff, row);
    return row > 1 ? error_of(ode, row) : 0;
}

void cf_stiff_state(struct cf_ode *ode, double h, double out[])
{
    struct cf_stiff *s = ode->stiff;

    for (int row = 1; row <= CF_STIFF_ROWS; row++) {
        double error = cf_stiff_row(ode, row, h);
        for (size_t i = 0; i < ode->n; i++)
            out[i] = ode->y[i] + s->table[(size_t) (row - 1) * ode->n + i];
        if (!isfinite(error) || (row > 1 && error <= 1))
            return;
    }
}
