/* Steps of one length, as a fixed-step simulator takes them: the error is not estimated, and an
 * event waits for the end of its step. */

#include <math.h>
#include <string.h>

#include "ode/stepper.h"
#include "ode/workspace.h"

static void fixed_step(struct cf_ode *ode, const struct cf_ode_scheme *scheme, double t, double dt,
                       const double y[])
{
    size_t n = ode->n;

    for (size_t i = 0; i <= scheme->nstage; i++) {
        const double *row = i < scheme->nstage ? scheme->a + i * scheme->nstage : scheme->b;
        for (size_t d = 0; d < n; d++) {
            double sum = 0;
            for (size_t j = 0; j < i; j++)
                sum += row[j] * ode->k[j * n + d];
            ode->next[d] = y[d] + dt * sum;
        }
        if (i < scheme->nstage)
            cf_ode_rate(ode, (int) i, t + scheme->c[i] * dt, ode->next);
    }
}

static int side(const struct cf_ode *ode, size_t e, double t, const double y[])
{
    double g = ode->system->event[e].g(cf_ode_event_context(ode, &ode->system->event[e]), t, y);
    return (g > 0) - (g < 0);
}

/* The events whose g changed its sign, in the table's order; true: a terminal one, in *which. */
static bool events(struct cf_ode *ode, double t, double y[], size_t *which)
{
    for (size_t e = 0; e < ode->system->nevent; e++) {
        const struct cf_ode_event *event = &ode->system->event[e];
        struct cf_ode_events *w = &ode->watch[e];
        int was = w->sign, is = side(ode, e, t, y);
        /* a g of 0 has gone through; its next side is then not yet known */
        w->sign = is;
        if (was == 0 || is == was || (event->direction != 0 && event->direction != -was))
            continue;
        *which = e;
        if (event->terminal)
            return true;
        if (!event->reset)
            continue;
        event->reset(cf_ode_event_context(ode, event), t, y, ode->next);
        memcpy(y, ode->next, ode->n * sizeof *y);
    }
    return false;
}

int cf_ode_fixed(struct cf_ode *ode, const struct cf_ode_scheme *scheme,
                 const struct cf_ode_system *system, const void *context, double dt, size_t count,
                 double *t, double y[], struct cf_ode_result *out, struct cf_error *err)
{
    double start = *t;
    int status;

    if (system->n != ode->n)
        return cf_fail(err, CF_ERANGE, "the system has %zu states, the workspace %zu", system->n,
                       ode->n);
    if (!(dt > 0 && isfinite(dt)))
        return cf_fail(err, CF_ERANGE, "the step %g must be above 0", dt);
    status = cf_ode_events_room(ode, system->nevent, err);
    if (status != CF_OK)
        return status;
    ode->system = system;
    ode->context = context;
    ode->evaluations = 0;
    *out = (struct cf_ode_result){.reason = CF_ODE_REACHED};
    for (size_t e = 0; e < system->nevent; e++)
        ode->watch[e].sign = side(ode, e, *t, y);
    while (out->steps < count && out->reason == CF_ODE_REACHED) {
        fixed_step(ode, scheme, *t, dt, y);
        out->evaluations = ode->evaluations;
        if (!cf_ode_finite(ode->n, ode->next)) {
            out->reason = CF_ODE_NOT_FINITE;
            ode->t = *t;
            return cf_ode_stopped(ode, out, err);
        }
        out->steps++;
        /* not a sum of steps, whose rounding would grow */
        *t = start + (double) out->steps * dt;
        memcpy(y, ode->next, ode->n * sizeof *y);
        if (events(ode, *t, y, &out->event))
            out->reason = CF_ODE_EVENT;
    }
    return CF_OK;
}
