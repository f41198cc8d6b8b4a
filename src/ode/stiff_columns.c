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
        of->unit[d] = cf_ode_column_unit(ode, c * of->n + d, ode->s_now[c * of->n + d] + way[d]);
}

/* The rates of all columns at the stages. */
static void rates(struct cf_ode *ode)
{
    struct cf_stiff *s = ode->stiff;
    size_t n = ode->nrow;
    double *at = ode->s_stage, *rate = ode->s_rate;

    for (size_t i = 0; i < STAGES; i++) {
        for (size_t c = 0; c < ode->ncolumn; c++)
            for (size_t d = 0; d < n; d++)
                at[c * n + d] = ode->s_now[c * n + d] + s->column[c].z[i * n + d];
        cf_ode_vary(ode, ode->t + cf_radau_c[i] * ode->h, ode->stage + i * ode->n,
                    s->own.rate + i * ode->n, i == STAGES - 1, at, rate);
        for (size_t c = 0; c < ode->ncolumn; c++)
            memcpy(s->column[c].rate + i * n, rate + c * n, n * sizeof *rate);
    }
}

static enum cf_newton solve(struct cf_ode *ode)
{
    struct cf_stiff *s = ode->stiff;
    struct cf_newton_course how = cf_stiff_expect(s->column_contraction);
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

/* The largest filtered error, by rates at the step's start. Receives where the errors lead to. */
static double filtered(struct cf_ode *ode, const double rate[], double to[])
{
    struct cf_stiff *s = ode->stiff;
    size_t n = ode->nrow;
    double error = 0;

    for (size_t c = 0; c < ode->ncolumn; c++) {
        error = cf_ode_worse(error, cf_stiff_filtered(s, &s->column[c], ode->h, rate + c * n));
        for (size_t d = 0; d < n; d++)
            to[c * n + d] = ode->s_now[c * n + d] + s->error[d];
    }
    return error;
}

static double error_of(struct cf_ode *ode, bool retry)
{
    struct cf_stiff *s = ode->stiff;
    double *rate = ode->s_rate, *to = ode->s_stage, error;

    cf_ode_vary(ode, ode->t, ode->y, ode->k, -1, ode->s_now, rate);
    error = filtered(ode, rate, to);
    if (error < 1 || (!retry && s->good_h > 0))
        return error;
    cf_ode_vary(ode, ode->t, ode->y, ode->k, -1, to, rate);
    return filtered(ode, rate, to);
}

double cf_stiff_columns(struct cf_ode *ode, bool retry)
{
    struct cf_stiff *s = ode->stiff;
    enum cf_newton found = solve(ode);
    size_t n = ode->nrow;
    double error;

    for (size_t c = 0; c < ode->ncolumn; c++) {
        const double *way = s->column[c].z + (STAGES - 1) * n;
        for (size_t d = 0; d < n; d++)
            ode->s_next[c * n + d] = ode->s_now[c * n + d] + way[d];
        allow(ode, c);
    }
    if (found != CF_NEWTON_FOUND)
        return found == CF_NEWTON_SLOW ? (double) INFINITY : (double) NAN;
    error = error_of(ode, retry);
    for (size_t c = 0; c < ode->ncolumn; c++) {
        error = cf_ode_worse(error, cf_stiff_bend(s, &s->column[c], ode->h));
        cf_radau_keep(&s->column[c], ode->h);
    }
    return error;
}
