/* From the event's place on the dense output, whose order is lower than the step's, to the step
 * that ends there.
 *
 * The step is taken anew from its start with the length to the event; Newton's method corrects that
 * length by g at the new end, so that the state at an event is as good as at any step's end.
 */

#include <float.h>
#include <math.h>

#include "ode/stepper.h"

enum { ROUNDS = 5 };

/* A correction below these parts of the step is made along the end's rate alone: the neglected
 * term, its square, is rounding. Columns are carried before it: for them the correction itself must
 * be rounding. */
static const double LAST = 1e-9, LAST_COLUMNS = 1e-15;

/* Newton stays this near to the event of the dense output; else the latter is used. */
static const double TRUSTED = 1e-3;

/* Events this near in time, in units of rounding, are simultaneous. */
static const double SAME = 16;

static double to_zero(struct cf_ode *ode, const struct cf_ode_event *event)
{
    const double *f = ode->k + CF_DOP_STAGES * ode->n;
    double t = ode->t + ode->h, dt = 0x1p-26 * ode->h;
    double g = event->g(cf_ode_event_context(ode, event), t, ode->next), ahead;

    for (size_t i = 0; i < ode->n; i++)
        ode->spare[i] = ode->next[i] + dt * f[i];
    ahead = event->g(cf_ode_event_context(ode, event), t + dt, ode->spare);
    return g == 0 ? 0 : -g * dt / (ahead - g);
}

static double rounding(const struct cf_ode *ode)
{
    return DBL_EPSILON * fmax(fabs(ode->t), ode->h);
}

static void nudge(struct cf_ode *ode, double dt)
{
    const double *f = ode->k + CF_DOP_STAGES * ode->n;

    for (size_t i = 0; i < ode->n; i++)
        ode->next[i] += dt * f[i];
    ode->h += dt;
}

/* Is its g rounding of what it has been? Its slope then means nothing. */
static bool nothing(const struct cf_ode *ode, const struct cf_ode_event *event,
                    const struct cf_ode_events *w)
{
    double g = event->g(cf_ode_event_context(ode, event), ode->t + ode->h, ode->next);

    return fabs(g) <= SAME * DBL_EPSILON * w->most;
}

double cf_ode_locate(struct cf_ode *ode, size_t event, double at)
{
    const struct cf_ode_event *table = ode->system->event;
    double whole = ode->h, h = at * whole, dt = 0;
    double last = whole * (ode->ncolumn > 0 ? LAST_COLUMNS : LAST);

    for (int i = 0; i < ROUNDS; i++) {
        cf_ode_step(ode, h);
        cf_ode_arrive(ode);
        dt = to_zero(ode, &table[event]);
        if (!(fabs(h + dt - at * whole) <= TRUSTED * h)) {
            dt = 0;
            cf_ode_step(ode, at * whole);
            cf_ode_arrive(ode);
            break;
        }
        if (fabs(dt) <= fmax(last, rounding(ode)))
            break;
        h += dt;
        dt = 0;
    }
    nudge(ode, dt);
    for (size_t e = 0; e < ode->system->nevent; e++) {
        struct cf_ode_events *w = &ode->watch[e];
        w->fired =
            e == event ||
            (w->found && fabs(w->at - at) <= TRUSTED &&
             (fabs(to_zero(ode, &table[e])) <= SAME * rounding(ode) || nothing(ode, &table[e], w)));
    }
    return ode->t + ode->h;
}
