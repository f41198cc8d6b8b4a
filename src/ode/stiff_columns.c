/* Columns over a step of the stiff method, staggered: the step's states are known, and its factors
 * solve the columns' linear equations round by round as they solved those of the states. */

#include <math.h>
#include <string.h>

#include "ode/stiff.h"

enum { STAGES = CF_RADAU_STAGES };

static void allow(const struct cf_ode *ode, size_t c)
{
    struct cf_radau *of = &ode->stiff->column[c];
    const double *way = of->z + (STAGES - 1) * of->n;

    for (size_t d = 0; d < of->n; d++)
        of->unit[d] =
            cf_ode_column_unit(ode, c * of->n + d, ode->s_now[c * of->n + d] + way[d]);
}

/* The rates of all columns at the stages. */
static void rates(struct cf_ode *ode)
{
    struct cf_stiff *s = ode->stiff;
    size_t n = ode->nrow;
    double *at = s->spare;

    for (size_t i = 0; i < STAGES; i++) {
        double t = ode->t + cf_radau_c[i] * ode->h;
        const double *y = ode->stage + i * ode->n;
        y = cf_ode_linearise(ode, t, y, s->own.rate + i * ode->n, i == STAGES - 1);
        for (size_t c = 0; c < ode->ncolumn; c++) {
            struct cf_radau *of = &s->column[c];
            for (size_t d = 0; d < n; d++)
                at[d] = ode->s_now[c * n + d] + of->z[i * n + d];
            ode->system->variation(ode->context, t, y, at, c, of->rate + i * n);
        }
    }
}

static enum cf_newton solve(struct cf_ode *ode)
{
    struct cf_stiff *s = ode->stiff;
    struct cf_convergence how = cf_stiff_expect(s->column_contraction);
    enum cf_newton found;

    for (size_t c = 0; c < ode->ncolumn; c++) {
        cf_stiff_guess(&s->column[c], ode->h);
    }
    do {
        double size = 0;
        rates(ode);
        for (size_t c = 0; c < ode->ncolumn; c++) {
            double one;
            allow(ode, c);
            one = cf_stiff_correct(s, &s->column[c], ode->h);
            size = cf_ode_worse(size, one);
        }
        found = cf_stiff_converges(&how, size, cf_stiff_within(ode));
    } while (found == CF_NEWTON_ON);
    if (found == CF_NEWTON_FOUND)
        s->column_contraction = how.rest;
    return found;
}

/* The system is linearised at y, the step's start. */
static double error_of(struct cf_ode *ode, const double y[], size_t c, bool retry)
{
    struct cf_stiff *s = ode->stiff;
    struct cf_radau *of = &s->column[c];
    const double *start = ode->s_now + c * of->n;
    double *at = s->spare, *f = s->spare + of->n, error;

    ode->system->variation(ode->context, ode->t, y, start, c, f);
    error = cf_stiff_filtered(s, of, ode->h, f);
    if (error < 1 || (!retry && s->good_h > 0))
        return error;
    for (size_t d = 0; d < of->n; d++)
        at[d] = start[d] + s->error[d];
    ode->system->variation(ode->context, ode->t, y, at, c, f);
    return cf_stiff_filtered(s, of, ode->h, f);
}

double cf_stiff_columns(struct cf_ode *ode, bool retry)
{
    struct cf_stiff *s = ode->stiff;
    enum cf_newton found = solve(ode);
    size_t n = ode->nrow;
    const double *y;
    double error = 0;

    for (size_t c = 0; c < ode->ncolumn; c++) {
        const double *way = s->column[c].z + (STAGES - 1) * n;
        for (size_t d = 0; d < n; d++)
            ode->s_next[c * n + d] = ode->s_now[c * n + d] + way[d];
    }
    if (found != CF_NEWTON_FOUND)
        return found == CF_NEWTON_SLOW ? (double) INFINITY : (double) NAN;
    y = cf_ode_linearise(ode, ode->t, ode->y, ode->k, -1);
    for (size_t c = 0; c < ode->ncolumn; c++) {
        double one;
        allow(ode, c);
        one = fmax(error_of(ode, y, c, retry), cf_stiff_bend(s, &s->column[c], ode->h));
        error = cf_ode_worse(error, one);
        cf_radau_keep(&s->column[c], ode->h);
    }
    return error;
}
