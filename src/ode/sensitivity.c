/* Columns s = dy/dp through the steps, and over events. */

#include <math.h>

#include "ode/stepper.h"

/* Near an extremum of height h, g moves with sqrt(h): an event whose g is slower than this times
 * sqrt(tolerance) of its terms' speed over the step is within the run's error of not happening. */
static const double GRAZING = 4;

/* The rates of all columns at stage i, whose states are y. */
static void vary(struct cf_ode *ode, int i, const double y[], const double s[])
{
    size_t n = ode->n;
    double *rate = ode->s_rate + (size_t) i * n * ode->ncolumn;

    for (size_t c = 0; c < ode->ncolumn; c++)
        ode->system->variation(ode->context, ode->t + cf_dop_c[i] * ode->h, y, s + c * n, c,
                               rate + c * n);
}

void cf_ode_carry(struct cf_ode *ode, double s[])
{
    size_t all = ode->n * ode->ncolumn;

    vary(ode, 0, ode->y, s);
    for (int i = 1; i < CF_DOP_STAGES; i++) {
        cf_ode_combine(i, all, ode->s_rate, ode->h, s, ode->s_stage);
        vary(ode, i, ode->stage + (size_t) i * ode->n, ode->s_stage);
    }
    cf_ode_combine(CF_DOP_STAGES, all, ode->s_rate, ode->h, s, s);
}

/* Speed of g if none of its terms cancelled, each at its fastest over the step. */
static double speed(struct cf_ode *ode, const struct cf_ode_event *event, double t)
{
    size_t n = ode->n;
    double *unit = ode->s_stage, by_time, sum;

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
    size_t n = ode->n;
    const double *f = ode->k + CF_DOP_STAGES * n;
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
    size_t n = ode->n;
    double *moved = ode->s_rate, *column_after = ode->s_stage;

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
