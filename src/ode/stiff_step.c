/* The stiff method: Radau IIA with five stages, order 9, L-stable (Hairer & Wanner, Solving
 * Ordinary Differential Equations II, 1996, IV.8, and their RADAU).
 *
 * The stages y + z_i are on a polynomial of degree 5 that fulfils the equations at c_i h: the dense
 * output. The error estimate, filtered by (1 - h J/l)^-1 with l the real eigenvalue of A^-1, is
 * that of a method of order 5, as good as the polynomial is; the step's end is of order 9.
 *
 * Why not extrapolated linearly implicit Euler steps (SEULEX), which need no iteration: where h
 * lambda is 1e2 to 1e4, as bristles make it, the errors of their first rows differ by what goes
 * with 1/lambda and not with powers of h, so that order and length stay low. A ball that rolls for
 * 10 s took 1276 steps of 330 evaluations, here 1173 of 46.
 */

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ode/stiff.h"

enum { STAGES = CF_RADAU_STAGES, PAIRS = CF_RADAU_PAIRS };

/* Newton's method leaves this part of the allowed error, and as little as rounding permits, in
 * units of the tolerance, where a state is compared with others. */
static const double LEAVES = 1e-2, LEAST_LEFT = 16 * DBL_EPSILON;

/* The controller of RADAU: a step is changed by SAFETY err^(-1/6), less where Newton's method
 * took many rounds, within LEAST and MOST. */
static const double SAFETY = 0.9, LEAST = 0.2, MOST = 8;
enum { ORDER = STAGES + 1, ROUNDS = 12 };

/* The largest |x (x - c_1) ... (x - 1)| between 0 and 1; what it is multiplied by is that of the
 * last two steps, and may grow. */
static const double NODAL = 1.147e-3, LAGS = 2;

/* (1 - c_1) ... (1 - c_4) */
static const double NODAL_BEFORE = 3.968e-2;

/* Rounding of a state's sums. */
const double cf_stiff_rounding = 4 * DBL_EPSILON;

static double *lay(struct cf_radau *of, size_t n, double *next)
{
    of->n = n;
    of->z = next;
    of->w = next += STAGES * n;
    of->rate = next += STAGES * n;
    of->last = next += STAGES * n;
    of->unit = next += STAGES * n;
    of->predicted = next += n;
    return next + n;
}

struct cf_stiff *cf_stiff_alloc(size_t n, size_t ncolumn)
{
    struct cf_stiff *s = calloc(1, sizeof *s);
    size_t stages = (4 * STAGES + 2) * n;
    double *next;

    if (!s)
        return NULL;
    s->n = n;
    s->ncolumn = ncolumn;
    s->jacobian =
        calloc((2 + 2 * PAIRS) * n * n + (1 + ncolumn) * stages + 3 * n + 1, sizeof *s->jacobian);
    s->pivot = calloc((1 + PAIRS) * n + 1, sizeof *s->pivot);
    s->column = calloc(ncolumn + 1, sizeof *s->column);
    if (!s->jacobian || !s->pivot || !s->column) {
        cf_stiff_free(s);
        return NULL;
    }
    next = s->jacobian + n * n;
    s->lu = next;
    next += n * n;
    for (int p = 0; p < PAIRS; p++) {
        s->pair[p] = next;
        next += 2 * n * n;
    }
    s->spare = next;
    s->error = next += 2 * n;
    next = lay(&s->own, n, next + n);
    for (size_t c = 0; c < ncolumn; c++)
        next = lay(&s->column[c], n, next);
    return s;
}

void cf_stiff_free(struct cf_stiff *stiff)
{
    if (!stiff)
        return;
    free(stiff->jacobian);
    free(stiff->pivot);
    free(stiff->column);
    free(stiff);
}

void cf_stiff_start(struct cf_ode *ode)
{
    cf_stiff_moved(ode, false);
    ode->stiff->good_h = 0;
    ode->stiff->contraction = ode->stiff->column_contraction = 1;
}

static void move(struct cf_radau *of, bool smoothly)
{
    of->behind = true;
    if (!smoothly)
        of->length = 0;
}

void cf_radau_keep(struct cf_radau *of, double h)
{
    memcpy(of->last, of->z, STAGES * of->n * sizeof *of->last);
    of->length = h;
    of->behind = false;
}

double cf_stiff_within(const struct cf_ode *ode)
{
    return fmax(LEAVES, LEAST_LEFT / ode->options->tolerance);
}

void cf_stiff_moved(struct cf_ode *ode, bool smoothly)
{
    struct cf_stiff *s = ode->stiff;

    s->jacobian_made = false;
    move(&s->own, smoothly);
    for (size_t c = 0; c < s->ncolumn; c++)
        move(&s->column[c], smoothly);
}

static double norm(const struct cf_radau *of, const double x[])
{
    double sum = 0;

    for (size_t d = 0; d < of->n; d++) {
        double e = x[d] / of->unit[d];
        sum += e * e;
    }
    return sqrt(sum / (double) of->n);
}

/* With the sizes of y, or of a and b. */
static void allow(struct cf_ode *ode, const double a[], const double b[])
{
    const struct cf_ode_options *o = ode->options;

    for (size_t d = 0; d < ode->n; d++) {
        double size = fmax(fabs(a[d]), fabs(b[d]));
        double error = o->tolerance * fmax(size, o->scale[d]);
        if (o->most)
            error = fmin(error, o->most[d]);
        ode->stiff->own.unit[d] = error + cf_stiff_rounding * size +
                                  cf_ode_blur(ode, b[d] - a[d], fmax(size, o->scale[d]));
    }
}

double cf_stiff_filtered(struct cf_stiff *s, const struct cf_radau *of, double h, const double f[])
{
    size_t n = of->n;

    for (size_t d = 0; d < n; d++) {
        double sum = 0;
        for (size_t i = 0; i < STAGES; i++)
            sum += cf_radau_error[i] * of->z[i * n + d];
        s->error[d] = f[d] + sum / h;
    }
    cf_stiff_resolve(s, n, s->error);
    return norm(of, s->error);
}

static double error_of(struct cf_ode *ode, double h, bool retry)
{
    struct cf_stiff *s = ode->stiff;
    double error = cf_stiff_filtered(s, &s->own, h, ode->k);

    if (error < 1 || (!retry && s->good_h > 0))
        return error;
    /* a decay that has just been excited: the rate after its first part */
    for (size_t d = 0; d < s->n; d++)
        s->spare[d] = ode->y[d] + s->error[d];
    ode->system->rates(ode->context, ode->t, s->spare, s->spare + s->n);
    ode->evaluations++;
    return cf_stiff_filtered(s, &s->own, h, s->spare + s->n);
}

/* The nodes' polynomial x (x - c_1) ... (x - 1). */
static double nodal(double x)
{
    double product = x;

    for (int i = 0; i < STAGES; i++)
        product *= x - cf_radau_c[i];
    return product;
}

/* Distance of the step's end from the polynomial of degree 4 through the other nodes; the error of
 * the one through all nodes is the rest, if a seventh node were as far off. */
static void miss_first(struct cf_stiff *s, const struct cf_radau *of)
{
    enum { BEFORE = STAGES - 1 };

    memcpy(s->error, of->z + BEFORE * of->n, of->n * sizeof *s->error);
    for (size_t i = 0; i < BEFORE; i++) {
        double weight = 1 / cf_radau_c[i];
        for (size_t j = 0; j < BEFORE; j++)
            if (j != i)
                weight *= (1 - cf_radau_c[j]) / (cf_radau_c[i] - cf_radau_c[j]);
        for (size_t d = 0; d < of->n; d++)
            s->error[d] -= weight * of->z[i * of->n + d];
    }
}

/* By the error of the last step's polynomial at this one's end: the filtered error lacks stiff
 * components. */
double cf_stiff_bend(struct cf_stiff *s, const struct cf_radau *of, double h)
{
    double share = h / of->length;

    if (!(of->length > 0 && of->behind)) {
        miss_first(s, of);
        return NODAL / NODAL_BEFORE * norm(of, s->error);
    }
    for (size_t d = 0; d < of->n; d++)
        s->error[d] = of->z[(STAGES - 1) * of->n + d] - of->predicted[d];
    return LAGS * NODAL * pow(share, STAGES + 1) / nodal(1 + share) * norm(of, s->error);
}

static void arrive(struct cf_ode *ode, double h)
{
    struct cf_stiff *s = ode->stiff;
    size_t n = s->n;

    ode->h = h;
    ode->dense_made = false;
    cf_radau_keep(&s->own, h);
    for (size_t i = 0; i < STAGES; i++)
        for (size_t d = 0; d < n; d++)
            ode->stage[i * n + d] = ode->y[d] + s->own.z[i * n + d];
    memcpy(ode->next, ode->stage + (STAGES - 1) * n, n * sizeof *ode->next);
}

double cf_stiff_try(struct cf_ode *ode, double h, bool retry)
{
    struct cf_stiff *s = ode->stiff;
    enum cf_newton found;
    double error;

    ode->h = h;
    allow(ode, ode->y, ode->y);
    found = cf_stiff_newton(ode, h, cf_stiff_within(ode));
    if (found == CF_NEWTON_NOT_FINITE)
        return (double) NAN;
    if (found == CF_NEWTON_SLOW)
        return (double) INFINITY;
    s->again = 0;
    for (size_t d = 0; d < ode->n; d++)
        ode->spare[d] = ode->y[d] + s->own.z[(STAGES - 1) * ode->n + d];
    allow(ode, ode->y, ode->spare);
    error = fmax(error_of(ode, h, retry), cf_stiff_bend(s, &s->own, h));
    if (error <= 1)
        arrive(ode, h);
    return error;
}

void cf_stiff_redo(struct cf_ode *ode, double h)
{
    allow(ode, ode->y, ode->y);
    if (cf_stiff_newton(ode, h, LEAST_LEFT / ode->options->tolerance) != CF_NEWTON_FOUND) {
        cf_stiff_guess(&ode->stiff->own, h);
        ode->unsolved = true;
    }
    arrive(ode, h);
}

static double factor(const struct cf_stiff *s, double error)
{
    double safety = SAFETY * (2 * ROUNDS + 1) / (2 * ROUNDS + s->rounds);

    return fmin(MOST, fmax(LEAST, safety * pow(fmax(error, DBL_EPSILON), -1.0 / ORDER)));
}

double cf_stiff_next(struct cf_ode *ode, double h, double error)
{
    struct cf_stiff *s = ode->stiff;
    double change = factor(s, error);

    error = fmax(error, LEAVES);
    /* growth of the error as predicted from the last step's (Gustafsson) */
    if (s->good_h > 0)
        change = fmin(change, fmax(LEAST, SAFETY * h / s->good_h *
                                              pow(s->good_error / (error * error), 1.0 / ORDER)));
    s->good_h = h;
    s->good_error = error;
    return h * change;
}

double cf_stiff_restart(struct cf_ode *ode, double h, double error)
{
    struct cf_stiff *s = ode->stiff;

    if (s->again > 0)
        return s->again;
    return h * fmin(SAFETY, factor(s, error));
}
