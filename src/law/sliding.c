/* Steady states by implicit steps in time whose length is doubled from one to the next,
 *
 *   x <- x + (1/h - J)^-1 x'(x)        J = dx'/dx
 *
 * which slide the law along at first, however its branches lie, and end as Newton's method on
 * x' = 0. That alone would fail: below its limit an elastic-plastic spring has no slope to follow.
 * The states' derivatives are -J^-1 of those of the rates.
 */

#include "law/sliding.h"

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

bool cf_rates_factor(double m[], size_t order[], size_t n)
{
    for (size_t i = 0; i < n; i++)
        order[i] = i;
    for (size_t j = 0; j < n; j++) {
        size_t best = j, row = order[j];
        for (size_t i = j + 1; i < n; i++)
            best = fabs(m[i * n + j]) > fabs(m[best * n + j]) ? i : best;
        if (!(fabs(m[best * n + j]) > 0))
            return false;
        order[j] = order[best];
        order[best] = row;
        for (size_t k = 0; k < n && best != j; k++) {
            double swap = m[j * n + k];
            m[j * n + k] = m[best * n + k];
            m[best * n + k] = swap;
        }
        for (size_t i = j + 1; i < n; i++) {
            m[i * n + j] *= 1 / m[j * n + j];
            for (size_t k = j + 1; k < n; k++)
                m[i * n + k] -= m[i * n + j] * m[j * n + k];
        }
    }
    return true;
}

void cf_rates_solve(const double m[], const size_t order[], size_t n, double x[])
{
    double y[CF_FRICTION_STATES];

    for (size_t i = 0; i < n; i++) {
        y[i] = x[order[i]];
        for (size_t j = 0; j < i; j++)
            y[i] -= m[i * n + j] * y[j];
    }
    for (size_t i = n; i-- > 0;) {
        x[i] = y[i];
        for (size_t j = i + 1; j < n; j++)
            x[i] -= m[i * n + j] * x[j];
        x[i] /= m[i * n + i];
    }
}

/* 1/h - J, factored in matrix[n * n]; of the longest h it is -J to all digits, but for states that
 * never change (the dwell where tau_dw is 0), which so have an inverse, too. */
static bool factor(const struct sliding *s, const double y[], double h, double matrix[],
                   size_t order[])
{
    const struct cf_slide c = slide_of(s, y);
    size_t n = s->law->nstate;
    double d[CF_FRICTION_STATES * CF_FRICTION_COLUMNS] = {0}, force[2 * CF_FRICTION_STATES],
                                  rate[CF_FRICTION_STATES * CF_FRICTION_STATES];

    for (size_t j = 0; j < n; j++)
        d[j * CF_FRICTION_COLUMNS + CF_BY_STATE + j] = 1;
    cf_friction_vary(s->law, s->p, &c, n, d, force, rate);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            matrix[i * n + j] = (i == j) / h - rate[j * CF_FRICTION_STATES + i];
            if (!isfinite(matrix[i * n + j]))
                return false;
        }
    return cf_rates_factor(matrix, order, n);
}

/* One step; the return is its largest part of a state's size, NAN where there is none. */
static double step(const struct sliding *s, double h, const double scale[], double matrix[],
                   size_t order[], double y[])
{
    size_t n = s->law->nstate;
    double move[CF_FRICTION_STATES], most = 0;

    if (!factor(s, y, h, matrix, order))
        return (double) NAN;
    rates(s, y, move);
    cf_rates_solve(matrix, order, n, move);
    for (size_t i = 0; i < n; i++) {
        y[i] += move[i];
        most = fmax(most, fabs(move[i]) / fmax(scale[i], fabs(y[i])));
        if (!isfinite(y[i]))
            return (double) NAN;
    }
    return most;
}

/* false: it does not settle. */
static bool settle(const struct sliding *s, double matrix[], size_t order[], double y[])
{
    double scale[CF_FRICTION_STATES], h = FIRST * put_scales(s, scale) / s->speed_m_s;
    double most = (double) INFINITY, before;

    for (int i = 0; i < MOST_STEPS; i++) {
        before = most;
        most = step(s, ldexp(h, i < DOUBLINGS ? i : DOUBLINGS), scale, matrix, order, y);
        if (isnan(most))
            return false;
        if (most <= FOUND || (most <= ROUNDED && most >= before))
            return factor(s, y, ldexp(h, DOUBLINGS), matrix, order);
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
    size_t order[CF_FRICTION_STATES];
    bool settled;

    *out = (struct cf_sliding){.state = {0}};
    if (!law->nstate)
        return CF_OK;
    settled = settle(&s, matrix, order, out->state);
    if (settled && columns)
        slopes(&s, out->state, out->by);
    for (size_t i = 0; i < columns && settled; i++)
        cf_rates_solve(matrix, order, law->nstate, out->by[i]);
    return settled ? CF_OK
                   : cf_fail(err, CF_ESOLVE, "%s does not settle in sliding at %.6g m/s", law->name,
                             speed_m_s);
}
