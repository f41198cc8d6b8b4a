/* What samples show of a slider's states, and how large those are. */

#include <math.h>

#include "experiment/slider_parts.h"

/* A deflection's scale is that under a tenth of the load, as in scenes. */
static const double SHARE = 0.1;

/* Where a law has no deflection. */
static const double LENGTH_M = 1e-6;

static double or_else(double value, double otherwise)
{
    return value > 0 && isfinite(value) ? value : otherwise;
}

void cf_slider_scales(const struct cf_slider_work *w, double scale[])
{
    const struct cf_slider *s = w->s;
    double load[3] = {w->s->number[CF_SLIDER_LOAD]}, load_N;
    struct cf_slide c = {.state = (double[CF_FRICTION_STATES]){0}};
    struct cf_friction_parts parts;
    double most = 0, length = LENGTH_M, speed, swing;

    if (s->piece && s->piece->load)
        cf_smoothing_at(s->piece->load, s->from_s, load);
    load_N = c.normal_N = load[0];
    s->law->parts(s->p, &c, &parts);
    for (size_t i = 0; i < s->law->nvector; i++)
        most = fmax(most, parts.stiffness_N_m[i]);
    length = or_else(SHARE * load_N / most, LENGTH_M);
    swing = or_else(sqrt(most / s->number[CF_SLIDER_MASS]), 1);
    speed = length * swing;
    for (size_t i = 0; i < w->nfriction; i++)
        scale[i] = w->of[i] < 2 * s->law->nvector
                       ? or_else(SHARE * load_N / parts.stiffness_N_m[w->of[i] / 2], LENGTH_M)
                       : 1;
    if (w->place != CF_SLIDER_NONE)
        scale[w->place] = cf_slider_gives_way(s)
                              ? fmin(length, SHARE * load_N / s->number[CF_SLIDER_STIFFNESS])
                              : length;
    if (w->velocity != CF_SLIDER_NONE)
        scale[w->velocity] = speed;
    if (w->sensor == CF_SLIDER_NONE)
        return;
    scale[w->sensor] = s->seen == CF_SLIDER_FORCE          ? or_else(SHARE * load_N, 1)
                       : s->seen == CF_SLIDER_DISPLACEMENT ? length
                       : s->seen == CF_SLIDER_VELOCITY     ? speed
                                                           : speed * swing;
    if (s->order == 2)
        scale[w->sensor + 1] = scale[w->sensor] * w->w;
}

void cf_slider_note(struct cf_slider_work *w, struct cf_slider_samples *to, size_t sample, double t,
                    const double y[], const double dydt[], const double s[])
{
    struct cf_slider_change change[CF_SLIDER_COLUMNS], along;
    struct cf_slider_now now;

    if (w->sensor != CF_SLIDER_NONE) {
        to->y[sample] = y[w->sensor];
        for (size_t c = 0; to->by && c < w->ncolumn; c++)
            to->by[sample * w->ncolumn + c] = s[c * w->n + w->sensor];
        if (to->by_time)
            to->by_time[sample] = dydt[w->sensor];
        return;
    }
    cf_slider_look(w, t, y, &now);
    to->y[sample] = now.seen;
    if (to->by) {
        cf_slider_vary(w, &now, s, change);
        for (size_t c = 0; c < w->ncolumn; c++)
            to->by[sample * w->ncolumn + c] = change[c].seen;
    }
    if (to->by_time) {
        cf_slider_drift(w, &now, t, dydt, &along);
        to->by_time[sample] = along.seen;
    }
}
