/* Steady states by implicit steps in time whose length is doubled from one to the next,
 *
 *   x <- x + (1/h - J)^-1 x'(x)        J = dx'/dx
 *
 * which slide the law along at first, however its branches lie, and end as Newton's method on
 * x' = 0. That alone would fail: below its limit an elastic-plastic spring has no slope to follow.
 * The states' derivatives are -J^-1 of those of the rates.
 */

#include "law/sliding.h"

#include <gsl/gsl_linalg.h>
#include <math.h>
#include <string.h>

/* The first step is so much of the time in which the slip loads the stiffest spring. */
static const double FIRST = 0.05;

/* Found: a step is this part of the states' sizes, or rounding lets it come no nearer than that. */
static const double FOUND = 1e-15, ROUNDED = 1e-12;
enum { MOST_STEPS = 200, DOUBLINGS = 120 };

/* Where a law has no deflection under the load: as scenes scale one. */
static const double LENGTH_M = 1e-6;

struct sliding {
    const struct cf_friction_law *law;
    const double *p;
    double speed_m_s, normal_N;
};

static struct cf_slide slide_of(const struct sliding *s, const double state[])
{
    return (struct cf_slide){
        .normal_N = s->normal_N, .velocity_m_s = {s->speed_m_s, 0}, .state = state};
}

static void rates(const struct sliding *s, const double y[], double rate[])
{
    const struct cf_slide c = slide_of(s, y);
    double force[2];

    s->law->force(s->p, &c, force, rate);
}

/* How the rates change along each column while the states stay. */
static void slopes(const struct sliding *s, const double y[],
                   double out[CF_SLIDING_COLUMNS][CF_FRICTION_STATES])
{
    const struct cf_slide c = slide_of(s, y);
    size_t columns = CF_SLIDING_BY_PARAM + s->law->nparam;
    double d[CF_SLIDING_COLUMNS * CF_FRICTION_COLUMNS] = {0}, force[2 * CF_SLIDING_COLUMNS],
                                  rate[CF_SLIDING_COLUMNS * CF_FRICTION_STATES];

    for (size_t i = 0; i < columns; i++)
        d[i * CF_FRICTION_COLUMNS + (i == CF_SLIDING_BY_SPEED ? (size_t) CF_BY_VELOCITY
                                     : i == CF_SLIDING_BY_LOAD
                                         ? (size_t) CF_BY_NORMAL
                                         : CF_BY_PARAM + i - CF_SLIDING_BY_PARAM)] = 1;
    cf_friction_vary(s->law, s->p, &c, columns, d, force, rate);
    for (size_t i = 0; i < columns; i++)
        memcpy(out[i], rate + i * CF_FRICTION_STATES, s->law->nstate * sizeof *rate);
}

/* Sizes of the states: deflections under the load; of numbers such as a dwell, 1. The return is the
 * least deflection. */
static double put_scales(const struct sliding *s, double scale[])
{
    const struct cf_slide c = slide_of(s, (double[CF_FRICTION_STATES]){0});
    struct cf_friction_parts parts;
    double least = (double) INFINITY;

    s->law->parts(s->p, &c, &parts);
    for (size_t i = 0; i < s->law->nstate; i++) {
        double length = i < 2 * s->law->nvector ? s->normal_N / parts.stiffness_N_m[i / 2] : 1;
        scale[i] = length > 0 && isfinite(length) ? length : LENGTH_M;
        if (i < 2 * s->law->nvector)
            least = fmin(least, scale[i]);
    }
    return isfinite(least) ? least : LENGTH_M;
}

/* 1/h - J, factored in matrix[n * n]; of the longest h it is -J to all digits, but for states that
 * never change (the dwell where tau_dw is 0), which so have an inverse, too. */
static bool factor(const struct sliding *s, const double y[], double h, double matrix[],
                   gsl_permutation *pivot)
{
    const struct cf_slide c = slide_of(s, y);
    size_t n = s->law->nstate;
    double d[CF_FRICTION_STATES * CF_FRICTION_COLUMNS] = {0}, force[2 * CF_FRICTION_STATES],
                                  rate[CF_FRICTION_STATES * CF_FRICTION_STATES];
    gsl_matrix_view m = gsl_matrix_view_array(matrix, n, n);
    int sign;

    for (size_t j = 0; j < n; j++)
        d[j * CF_FRICTION_COLUMNS + CF_BY_STATE + j] = 1;
    cf_friction_vary(s->law, s->p, &c, n, d, force, rate);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            matrix[i * n + j] = (i == j) / h - rate[j * CF_FRICTION_STATES + i];
            if (!isfinite(matrix[i * n + j]))
                return false;
        }
    gsl_linalg_LU_decomp(&m.matrix, pivot, &sign);
    for (size_t i = 0; i < n; i++)
        if (matrix[i * n + i] == 0)
            return false;
    return true;
}

static void solve(const double matrix[], const gsl_permutation *pivot, size_t n, double x[])
{
    gsl_matrix_const_view m = gsl_matrix_const_view_array(matrix, n, n);
    gsl_vector_view v = gsl_vector_view_array(x, n);

    gsl_linalg_LU_svx(&m.matrix, pivot, &v.vector);
}

/* One step; the return is its largest part of a state's size, NAN where there is none. */
static double step(const struct sliding *s, double h, const double scale[], double matrix[],
                   gsl_permutation *pivot, double y[])
{
    size_t n = s->law->nstate;
    double move[CF_FRICTION_STATES], most = 0;

    if (!factor(s, y, h, matrix, pivot))
        return (double) NAN;
    rates(s, y, move);
    solve(matrix, pivot, n, move);
    for (size_t i = 0; i < n; i++) {
        y[i] += move[i];
        most = fmax(most, fabs(move[i]) / fmax(scale[i], fabs(y[i])));
        if (!isfinite(y[i]))
            return (double) NAN;
    }
    return most;
}

/* false: it does not settle. */
static bool settle(const struct sliding *s, double matrix[], gsl_permutation *pivot, double y[])
{
    double scale[CF_FRICTION_STATES], h = FIRST * put_scales(s, scale) / s->speed_m_s;
    double most = (double) INFINITY, before;

    for (int i = 0; i < MOST_STEPS; i++) {
        before = most;
        most = step(s, ldexp(h, i < DOUBLINGS ? i : DOUBLINGS), scale, matrix, pivot, y);
        if (isnan(most))
            return false;
        if (most <= FOUND || (most <= ROUNDED && most >= before))
            return factor(s, y, ldexp(h, DOUBLINGS), matrix, pivot);
    }
    return false;
}

int cf_sliding_settle(const struct cf_friction_law *law, const double p[], double speed_m_s,
                      double normal_N, bool derivatives, struct cf_sliding *out,
                      struct cf_error *err)
{
    const struct sliding s = {law, p, speed_m_s, normal_N};
    size_t columns = derivatives ? CF_SLIDING_BY_PARAM + law->nparam : 0;
    double matrix[CF_FRICTION_STATES * CF_FRICTION_STATES];
    gsl_permutation *pivot;
    bool settled;

    *out = (struct cf_sliding){.state = {0}};
    if (!law->nstate)
        return CF_OK;
    pivot = gsl_permutation_alloc(law->nstate);
    if (!pivot)
        return cf_fail(err, CF_ENOMEM, "no memory to let %s slide", law->name);
    settled = settle(&s, matrix, pivot, out->state);
    if (settled && columns)
        slopes(&s, out->state, out->by);
    for (size_t i = 0; i < columns && settled; i++)
        solve(matrix, pivot, law->nstate, out->by[i]);
    gsl_permutation_free(pivot);
    return settled ? CF_OK
                   : cf_fail(err, CF_ESOLVE, "%s does not settle in sliding at %.6g m/s", law->name,
                             speed_m_s);
}
