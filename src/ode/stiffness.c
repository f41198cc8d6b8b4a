/* When to change the method.
 *
 * At its stability limit the explicit method's last stage and its end, both at the step's end,
 * differ by the excitation of the fastest decay: the difference of their rates over their own
 * estimates h |lambda| (Hairer, Norsett & Wanner, DOP853). Certain after so many steps at the
 * limit.
 */

#include <math.h>

#include "ode/stiff.h"

/* The limit on the real axis is 6.1, DOP853's own threshold; at tight tolerances errors of the
 * decay hold the steps at 4 to 5 already (Robertson's kinetics, 1e-12). Orbits, swings
 * and Lorenz's system stay below it in two steps of three at 1e-2, in all but a few below 1e-6. */
static const double LIMIT = 3.25;

/* Certain after 15 such steps in a row, or of more where they are a third at least. */
enum { CERTAIN = 30, LAST = CF_DOP_STAGES - 1 };

/* Errors of a loose tolerance drive friction into its limits, where nothing decays, and hide the
 * decay between them: after this many explicit steps the stiff method is tried, and after twice as
 * many when that has not paid, up to a hundred thousand: a run is to come out of it, too. */
enum { FIRST_TRIAL = 500, LAST_TRIAL = 100000 };

/* A stiff step costs some ten explicit ones: it pays above that, and is given up when it certainly
 * does not. */
static const double PAYS = 8;

/* So it is up to this many states; its equations grow with their cube, an explicit step with them.
 */
static const double FEW = 40;

/* How many times as long as those of few states a stiff step takes, in explicit ones. */
static double weight(const struct cf_ode *ode)
{
    double times = (double) ode->stiff->nread / FEW;

    return times > 1 ? times * times : 1;
}

/* h |lambda| from the difference of the rates at the step's end. */
static double fastest(const struct cf_ode *ode)
{
    const double *y = ode->stage + LAST * ode->n, *f = ode->k + LAST * ode->n;
    const double *f_next = ode->k + CF_DOP_STAGES * ode->n;
    double rates = 0, states = 0;

    for (size_t i = 0; i < ode->n; i++) {
        double unit = 1 / fmax(fabs(ode->next[i]), ode->options->scale[i]);
        double df = (f_next[i] - f[i]) * unit, dy = (ode->next[i] - y[i]) * unit;
        rates += df * df;
        states += dy * dy;
    }
    return states > 0 ? ode->h * sqrt(rates / states) : 0;
}

void cf_ode_suspect(struct cf_ode *ode)
{
    ode->suspicion = (struct cf_ode_suspicion){.trial = FIRST_TRIAL};
}

bool cf_ode_switches(struct cf_ode *ode, double h)
{
    struct cf_ode_suspicion *s = &ode->suspicion;
    double dear = weight(ode);
    bool sign = ode->stiff_now ? h < PAYS * dear * s->h : fastest(ode) > LIMIT;

    s->signs = sign ? s->signs + 2 : s->signs > 0 ? s->signs - 1 : 0;
    s->row += !ode->stiff_now;
    if (s->signs < CERTAIN * (ode->stiff_now ? 1 : dear) &&
        (double) s->row < dear * (double) s->trial)
        return ode->stiff_now;
    s->signs = 0;
    s->row = 0;
    if (ode->stiff_now)
        s->trial = s->trial < LAST_TRIAL / 2 ? 2 * s->trial : LAST_TRIAL;
    else
        s->h = h;
    return !ode->stiff_now;
}
