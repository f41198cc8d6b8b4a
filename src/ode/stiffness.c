/* When the methods take turns.
 *
 * At its stability limit the explicit method's last stage and its end, both at the step's end, lie
 * apart by what the fastest decay is excited with: their rates' difference over their own tells
 * h |lambda| (Hairer, Norsett & Wanner, DOP853). Certain after so many steps at the limit.
 */

#include <math.h>

#include "ode/stiff.h"

/* DOP853's: the limit, in which so many steps tell stiffness unless so many in a row deny it. */
static const double LIMIT = 6.1;
enum { CERTAIN = 15, DENIED = 6, LAST = CF_DOP_STAGES - 1 };

/* A stiff step takes the work of some ten explicit ones: it pays above so many, and is given up
 * after CERTAIN ones that did not. */
static const double PAYS = 8;

/* h |lambda| by how far the rates at the step's end lie apart. */
static double fastest(const struct cf_ode *ode)
{
    const double *y = ode->stage + LAST * ode->n, *f = ode->k + LAST * ode->n;
    const double *f_next = ode->k + CF_DOP_STAGES * ode->n;
    double rates = 0, states = 0;

    for (size_t i = 0; i < ode->n; i++) {
        double unit = fmax(fabs(ode->next[i]), ode->options->scale[i]);
        double df = (f_next[i] - f[i]) / unit, dy = (ode->next[i] - y[i]) / unit;
        rates += df * df;
        states += dy * dy;
    }
    return states > 0 ? ode->h * sqrt(rates / states) : 0;
}

bool cf_ode_switches(struct cf_ode *ode, double h)
{
    struct cf_ode_suspicion *s = &ode->suspicion;
    bool sign = ode->stiff_now ? h < PAYS * s->h : fastest(ode) > LIMIT;

    s->free = sign ? 0 : s->free + 1;
    s->limited = sign ? s->limited + 1 : s->free < DENIED ? s->limited : 0;
    if (s->limited < CERTAIN)
        return ode->stiff_now;
    s->limited = 0;
    if (!ode->stiff_now)
        s->h = h;
    return !ode->stiff_now;
}
