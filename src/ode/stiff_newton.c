/* The stages of a step of the stiff method by Newton's method with one Jacobian J for all (Hairer &
 * Wanner, Solving Ordinary Differential Equations II, 1996, IV.8).
 *
 * z_i = h sum_j a_ij f(t + c_j h, y + z_j) is solved in w = T^-1 z, in which A^-1 is diagonal with
 * the eigenvalues l: for each, real or one of a pair,
 *
 *   (l/h - J) dw = T^-1 f - (l/h) w
 *
 * so that a system of 5 n unknowns is one of n real and two of n complex ones.
 */

#include <float.h>
#include <math.h>
#include <string.h>

#include "ode/stiff.h"

enum { STAGES = CF_RADAU_STAGES, PAIRS = CF_RADAU_PAIRS };

/* Part of a state's size over which rates are differenced: sqrt of rounding. */
static const double NUDGE = 0x1p-26;

/* Rates bend over as many of the largest errors that are allowed; but a state is moved by this part
 * of itself at least, that rounding leaves a difference. */
static const double FELT = 100, LEAST_NUDGE = 0x1p-44;

/* Corrections that grow like this do not converge; a step is then halved. */
static const double DIVERGES = 0.99, HALF = 0.5;

/* The error left by a correction is estimated from how fast corrections shrink; the rate of the
 * step before is trusted to this power (RADAU) for the first one, which must still be near the
 * allowed error: results of a single correction were wrong by twice that in Kaps' problem. */
static const double MEMORY = 0.8, TRUSTED = 1e-2;

/* Derivatives of the rates by the states at the step's start, whose rate is ode->k: differenced in
 * the direction in which the solution moves, so as not to cross a corner there. */
static void make_jacobian(struct cf_ode *ode)
{
    struct cf_stiff *s = ode->stiff;
    size_t n = ode->n, nread = s->nread;
    double *at = s->spare, *rate = s->spare + n;

    memcpy(at, ode->y, n * sizeof *at);
    for (size_t j = 0; j < nread; j++) {
        double nudge = NUDGE * fmax(fabs(ode->y[j]), ode->options->scale[j]);
        if (ode->options->most)
            nudge = fmax(fmin(nudge, FELT * ode->options->most[j]), LEAST_NUDGE * fabs(ode->y[j]));
        at[j] += copysign(nudge, ode->k[j]);
        double step = at[j] - ode->y[j];
        ode->system->rates(ode->context, ode->t, at, rate);
        ode->evaluations++;
        for (size_t i = 0; i < n; i++)
            s->jacobian[i * nread + j] = (rate[i] - ode->k[i]) / step;
        at[j] = ode->y[j];
    }
    s->jacobian_made = true;
    s->factored = 0;
}

/* Only what rates read is to be factored: its columns alone are not 0, and its rows come first. */
static bool factor(struct cf_stiff *s, double h)
{
    size_t n = s->nread;
    bool good = cf_stiff_factor(n, cf_radau_real / h, s->jacobian, s->lu, s->pivot);

    for (int p = 0; p < PAIRS && good; p++) {
        const double *l = cf_radau_pair[p];
        good = cf_stiff_factor_pair(n, l[0] / h, -l[1] / h, s->jacobian, s->pair[p],
                                    s->pivot + (size_t) (p + 1) * s->n);
    }
    s->factored = good ? h : 0;
    return good;
}

/* What no rate reads follows from what is read. */
void cf_stiff_resolve(const struct cf_stiff *s, size_t n, double x[])
{
    double d = cf_radau_real / s->factored;

    cf_stiff_solve(s->nread, s->lu, s->pivot, x);
    for (size_t i = s->nread; i < n; i++) {
        const double *row = s->jacobian + i * s->nread;
        double sum = x[i];
        for (size_t j = 0; j < s->nread; j++)
            sum += row[j] * x[j];
        x[i] = sum / d;
    }
}

/* The same of a pair; x holds real and imaginary parts by turns. */
static void resolve_pair(const struct cf_stiff *s, size_t n, size_t p, double x[])
{
    double re = cf_radau_pair[p][0] / s->factored, im = -cf_radau_pair[p][1] / s->factored;
    double scale = 1 / (re * re + im * im);

    cf_stiff_solve_pair(s->nread, s->pair[p], s->pivot + (1 + p) * s->n, x);
    for (size_t i = s->nread; i < n; i++) {
        const double *row = s->jacobian + i * s->nread;
        double a = x[2 * i], b = x[2 * i + 1];
        for (size_t j = 0; j < s->nread; j++) {
            a += row[j] * x[2 * j];
            b += row[j] * x[2 * j + 1];
        }
        x[2 * i] = scale * (a * re + b * im);
        x[2 * i + 1] = scale * (b * re - a * im);
    }
}

/* out = m in, stage by stage. */
static void turn(const double m[STAGES][STAGES], size_t n, const double in[], double out[])
{
    for (size_t d = 0; d < n; d++)
        for (size_t i = 0; i < STAGES; i++) {
            double sum = 0;
            for (size_t j = 0; j < STAGES; j++)
                sum += m[i][j] * in[j * n + d];
            out[i * n + d] = sum;
        }
}

void cf_stiff_guess(struct cf_radau *of, double h)
{
    size_t n = of->n;

    memset(of->z, 0, STAGES * n * sizeof *of->z);
    if (of->length > 0)
        for (size_t i = 0; i < STAGES; i++) {
            double *z = of->z + i * n, part = cf_radau_c[i] * h / of->length;
            cf_stiff_polynomial(of, of->behind ? 1 + part : part, z);
            for (size_t d = 0; d < n && of->behind; d++)
                z[d] -= of->last[(STAGES - 1) * n + d];
        }
    memcpy(of->predicted, of->z + (STAGES - 1) * n, n * sizeof *of->predicted);
    turn(cf_radau_T_inverse, n, of->z, of->w);
}

/* Rates at the stages. Finite? */
static bool rates(struct cf_ode *ode, double h)
{
    struct cf_stiff *s = ode->stiff;
    size_t n = ode->n;
    double sum = 0;

    for (size_t i = 0; i < STAGES; i++) {
        double *f = s->own.rate + i * n;
        for (size_t d = 0; d < n; d++)
            s->spare[d] = ode->y[d] + s->own.z[i * n + d];
        ode->system->rates(ode->context, ode->t + cf_radau_c[i] * h, s->spare, f);
        ode->evaluations++;
        /* x - x is 0 unless x is infinite or NaN */
        for (size_t d = 0; d < n; d++)
            sum += f[d] - f[d];
    }
    return sum == 0;
}

double cf_stiff_correct(struct cf_stiff *s, struct cf_radau *of, double h)
{
    size_t n = of->n;
    double *right = of->z, *x = s->spare, sum = 0; /* z is made again from w */

    turn(cf_radau_T_inverse, n, of->rate, right);
    for (size_t d = 0; d < n; d++)
        right[d] -= cf_radau_real / h * of->w[d];
    cf_stiff_resolve(s, n, right);
    for (size_t p = 0; p < PAIRS; p++) {
        double re = cf_radau_pair[p][0] / h, im = cf_radau_pair[p][1] / h;
        double *a = right + (1 + 2 * p) * n, *b = a + n;
        const double *w_a = of->w + (1 + 2 * p) * n, *w_b = w_a + n;
        for (size_t d = 0; d < n; d++) {
            x[2 * d] = a[d] - re * w_a[d] - im * w_b[d];
            x[2 * d + 1] = b[d] + im * w_a[d] - re * w_b[d];
        }
        resolve_pair(s, n, p, x);
        for (size_t d = 0; d < n; d++) {
            a[d] = x[2 * d];
            b[d] = x[2 * d + 1];
        }
    }
    for (size_t i = 0; i < STAGES; i++)
        for (size_t d = 0; d < n; d++) {
            double e = right[i * n + d] / of->unit[d];
            sum += e * e;
            of->w[i * n + d] += right[i * n + d];
        }
    turn(cf_radau_T, n, of->w, of->z);
    return sqrt(sum / (double) (STAGES * n));
}

struct cf_newton_course cf_stiff_expect(double contraction)
{
    return (struct cf_newton_course){.rest = fmax(pow(contraction, MEMORY), TRUSTED)};
}

enum cf_newton cf_stiff_converges(struct cf_newton_course *how, double size, double within)
{
    int left = CF_NEWTON_ROUNDS - ++how->rounds;

    if (!isfinite(size))
        return CF_NEWTON_NOT_FINITE;
    if (how->rounds > 1) {
        double ratio = size / how->before;
        how->shrink = how->rounds == 2 ? ratio : sqrt(ratio * how->shrink);
        if (how->shrink >= DIVERGES)
            return CF_NEWTON_SLOW;
        how->rest = how->shrink / (1 - how->shrink);
        how->predicted = how->rest * size * pow(how->shrink, left) / within;
        if (how->predicted >= 1)
            return CF_NEWTON_SLOW;
    }
    how->before = fmax(size, DBL_EPSILON);
    if (how->rest * size <= within)
        return CF_NEWTON_FOUND;
    return left > 0 ? CF_NEWTON_ON : CF_NEWTON_SLOW;
}

enum cf_newton cf_stiff_newton(struct cf_ode *ode, double h, double within)
{
    struct cf_stiff *s = ode->stiff;
    struct cf_newton_course how = cf_stiff_expect(s->contraction);
    enum cf_newton found;

    if (!s->jacobian_made)
        make_jacobian(ode);
    s->again = HALF * h;
    if (s->factored != h && !factor(s, h))
        return CF_NEWTON_NOT_FINITE;
    cf_stiff_guess(&s->own, h);
    do {
        if (!rates(ode, h))
            return CF_NEWTON_NOT_FINITE;
        found = cf_stiff_converges(&how, cf_stiff_correct(s, &s->own, h), within);
    } while (found == CF_NEWTON_ON);
    s->rounds = how.rounds;
    if (found == CF_NEWTON_FOUND)
        s->contraction = how.rest;
    else if (how.predicted >= 1)
        s->again =
            0.8 * h *
            pow(fmax(1e-4, fmin(20, how.predicted)), -1.0 / (4 + CF_NEWTON_ROUNDS - how.rounds));
    return found;
}
