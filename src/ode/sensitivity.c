/* Columns s = dy/dp through the steps, and over events. */

#include <math.h>
#include <string.h>

#include "ode/stiff.h"

/* Near an extremum of height h, g moves with sqrt(h): an event whose g is slower than this times
 * sqrt(tolerance) of its terms' speed over the step is within the run's error of not happening. */
static const double GRAZING = 4;

/* The rates of all columns as stage i, whose states are y. */
static void vary(struct cf_ode *ode, int i, const double y[], const double s[])
{
    cf_ode_vary(ode, ode->t + cf_dop_c[i] * ode->h, y, ode->k + (size_t) i * ode->n,
                i == 0 ? -1 : cf_dop_c[i] == 1, s,
                ode->s_rate + (size_t) i * ode->nrow * ode->ncolumn);
}

/* The rates at the step's start. */
static void begin(struct cf_ode *ode)
{
    if (!ode->s_begun)
        vary(ode, 0, ode->y, ode->s_now);
    ode->s_begun = true;
}

static double carry_explicitly(struct cf_ode *ode)
{
    const struct cf_ode_trial trial = {ode->s_rate,  ode->s_now, ode->s_next,
                                       ode->s_stage, ode->h,     (double) INFINITY};
    size_t all = ode->nrow * ode->ncolumn;
    double error = 0;

    begin(ode);
    ode->s_arrived = false;
    for (int i = 1; i < CF_DOP_STAGES; i++) {
        cf_ode_combine(i, all, ode->s_rate, ode->h, ode->s_now, ode->s_stage);
        vary(ode, i, ode->stage + (size_t) i * ode->n, ode->s_stage);
    }
    cf_ode_combine(CF_DOP_STAGES, all, ode->s_rate, ode->h, ode->s_now, ode->s_next);
    for (size_t i = 0; i < all; i++)
        ode->s_stage[i] = cf_ode_column_unit(ode, i, ode->s_next[i]);
    for (size_t c = 0; c < ode->ncolumn; c++)
        error = cf_ode_worse(error, cf_ode_error_of(all, c * ode->nrow, ode->nrow, &trial));
    return error;
}

double cf_ode_carry(struct cf_ode *ode, bool retry)
{
    ode->dense.s_made = false;
    ode->span = fmax(ode->span, ode->h);
    return ode->stiff_now ? cf_stiff_columns(ode, retry) : carry_explicitly(ode);
}

/* The rates at the step's end, which are also the next one's first. */
static void arrive(struct cf_ode *ode)
{
    if (!ode->s_arrived)
        vary(ode, CF_DOP_STAGES, ode->next, ode->s_next);
    ode->s_arrived = true;
}

void cf_ode_columns_advance(struct cf_ode *ode, bool smoothly)
{
    size_t all = ode->nrow * ode->ncolumn;

    for (size_t i = 0; i < all; i++)
        ode->s_size[i] = fmax(ode->s_size[i], fabs(ode->s_next[i]));
    memcpy(ode->s_now, ode->s_next, all * sizeof *ode->s_now);
    ode->s_begun = smoothly && ode->s_arrived && !ode->stiff_now;
    if (ode->s_begun)
        memcpy(ode->s_rate, ode->s_rate + CF_DOP_STAGES * all, all * sizeof *ode->s_rate);
    ode->left = !smoothly;
}

void cf_ode_columns_dense(struct cf_ode *ode)
{
    size_t all = ode->nrow * ode->ncolumn;
    const double *f = ode->s_rate, *f_next = ode->s_rate + CF_DOP_STAGES * all;
    double *term = ode->dense.s_term;

    if (ode->dense.s_made)
        return;
    arrive(ode);
    for (int i = CF_DOP_STAGES + 1; i < CF_DOP_ALL; i++) {
        cf_ode_combine(i, all, ode->s_rate, ode->h, ode->s_now, ode->s_stage);
        vary(ode, i, ode->stage + (size_t) i * ode->n, ode->s_stage);
    }
    for (size_t i = 0; i < all; i++) {
        double moved = ode->s_next[i] - ode->s_now[i];
        term[i] = moved;
        term[all + i] = ode->h * f[i] - moved;
        term[2 * all + i] = 2 * moved - ode->h * (f[i] + f_next[i]);
    }
    for (int j = 0; j < CF_DOP_DENSE; j++)
        cf_ode_weigh(&cf_dop_dense[j], all, ode->s_rate, ode->h, term + (size_t) (3 + j) * all);
    ode->dense.s_made = true;
}

/* Speed of g if none of its terms cancelled, each at its fastest over the step. */
static double speed(struct cf_ode *ode, const struct cf_ode_event *event, double t)
{
    size_t n = ode->n;
    double *unit = ode->unit, by_time, sum;

    for (size_t i = 0; i < n; i++)
        unit[i] = 0;
    by_time = event->slope(cf_ode_event_context(ode, event), t, ode->next, unit, CF_ODE_TIME);
    sum = fabs(by_time);
    for (size_t i = 0; i < n; i++) {
        double most = 0;
        for (size_t j = 0; j <= CF_DOP_STAGES; j++)
            most = fmax(most, fabs(ode->k[j * n + i]));
        unit[i] = most;
        sum +=
            fabs(event->slope(cf_ode_event_context(ode, event), t, ode->next, unit, CF_ODE_TIME) -
                 by_time);
        unit[i] = 0;
    }
    return sum;
}

bool cf_ode_event_moves(struct cf_ode *ode, const struct cf_ode_event *event, double t,
                        const double s[])
{
    size_t n = ode->nrow;
    const double *f = ode->k + CF_DOP_STAGES * ode->n;
    double rate = event->slope(cf_ode_event_context(ode, event), t, ode->next, f, CF_ODE_TIME);

    /* at a corner the moving time makes nothing jump: it is only reported */
    double least =
        event->corner ? 0 : GRAZING * sqrt(ode->options->tolerance) * speed(ode, event, t);
    if (!(fabs(rate) > least))
        return false;
    for (size_t c = 0; c < ode->ncolumn; c++) {
        const double *column = s + c * n;
        ode->dtau[c] =
            -event->slope(cf_ode_event_context(ode, event), t, ode->next, column, c) / rate;
        for (size_t i = 0; i < n; i++)
            ode->s_seen[c * n + i] = column[i] + f[i] * ode->dtau[c];
    }
    return true;
}

void cf_ode_jump(struct cf_ode *ode, const struct cf_ode_event *event, double t, const double y[],
                 const double f[], const double f_after[], double s[])
{
    size_t n = ode->nrow;
    double *moved = ode->spare, *column_after = ode->s_stage;

    if (!event->reset) {
        for (size_t c = 0; c < ode->ncolumn; c++)
            for (size_t i = 0; i < n; i++)
                s[c * n + i] += (f[i] - f_after[i]) * ode->dtau[c];
        return;
    }
    event->reset_slope(cf_ode_event_context(ode, event), t, y, f, CF_ODE_TIME, moved);
    for (size_t c = 0; c < ode->ncolumn; c++) {
        event->reset_slope(cf_ode_event_context(ode, event), t, y, s + c * n, c, column_after);
        for (size_t i = 0; i < n; i++)
            s[c * n + i] = column_after[i] + (moved[i] - f_after[i]) * ode->dtau[c];
    }
}
