/* What both methods share of columns: their rates at a state, and the errors allowed to them. */

#include <math.h>

#include "ode/stepper.h"

const double *cf_ode_beside(struct cf_ode *ode, size_t e, int sign, double t, const double y[],
                            const double f[], int way, double *dt)
{
    static const double LEAST = 1e-10, MOST = 0.1; /* of the step */
    const struct cf_ode_event *event = &ode->system->event[e];
    const void *context = cf_ode_event_context(ode, event);
    const double *at = y;

    *dt = 0;
    for (double part = LEAST; part < MOST && !(sign * event->g(context, t + *dt, at) > 0);
         part *= 4) {
        *dt = way * part * ode->h;
        for (size_t i = 0; i < ode->n; i++)
            ode->spare[i] = y[i] + *dt * f[i];
        at = ode->spare;
    }
    return at;
}

/* The state beside y, towards the inside of the step, at which no corner's g has the sign that it
 * has beyond. */
static const double *inside(struct cf_ode *ode, double t, const double y[], const double f[],
                            int ends)
{
    for (size_t e = 0; e < ode->system->nevent; e++) {
        double dt;
        const double *at = y;
        if (ode->system->event[e].corner && ode->watch[e].sign != 0)
            at = cf_ode_beside(ode, e, ode->watch[e].sign, t, y, f, -ends, &dt);
        if (at != y)
            return at;
    }
    return y;
}

void cf_ode_vary(struct cf_ode *ode, double t, const double y[], const double f[], int ends,
                 const double s[], double dsdt[])
{
    if ((ends > 0 && ode->cut) || (ends < 0 && ode->left))
        y = inside(ode, t, y, f, ends);
    ode->system->variation(ode->context, t, y, s, dsdt);
}

double cf_ode_column_unit(const struct cf_ode *ode, size_t i, double next)
{
    double size = fmax(fabs(ode->s_now[i]), fabs(next)), moved = fabs(next - ode->s_now[i]);
    double least = 0;

    if (ode->options->s_per)
        least = ode->options->s_per[i / ode->nrow] *
                fmax(fabs(ode->y[i % ode->nrow]), fabs(ode->next[i % ode->nrow]));
    double most = fmax(fmax(size, ode->s_size[i]), ode->span / ode->h * moved);
    return ode->options->tolerance * most + cf_ode_rounding * (size + moved + least) +
           (ode->blurred ? cf_ode_blur(ode, moved, most) : 0);
}
