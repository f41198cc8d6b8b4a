/* How a slider changes along its columns and along time. */

#include <gsl/gsl_math.h>
#include <math.h>
#include <string.h>

#include "experiment/slider_parts.h"

/* What moves beside the states and the law's parameters. */
struct moved {
    double driven[3], number[CF_SLIDER_NNUMBER], place;
};

/* The spring's force along du and the numbers of the frame. */
static double vary_spring(const struct cf_slider *s, double u, const struct moved *m)
{
    const double *a = s->number, *da = m->number;
    double half = a[CF_SLIDER_BACKLASH] / 2, k = a[CF_SLIDER_STIFFNESS], ratio = a[CF_SLIDER_RATIO];
    double du = m->place, dhalf = da[CF_SLIDER_BACKLASH] / 2, dk = da[CF_SLIDER_STIFFNESS];

    if (u >= half)
        return dk * (u - half) + k * (du - dhalf);
    if (u < -half)
        return (dk * ratio + k * da[CF_SLIDER_RATIO]) * (u + half) + k * ratio * (du + dhalf);
    return 0;
}

static void vary_frame(const struct cf_slider *s, const struct cf_slider_now *now,
                       const struct moved *m, struct cf_slider_change *out)
{
    const double *a = s->number, *da = m->number;

    if (s->drive == CF_SLIDER_BY_FORCE)
        out->frame_N = m->driven[0];
    else if (s->drive == CF_SLIDER_LEFT_ALONE)
        out->frame_N = 0;
    else if (cf_slider_gives_way(s))
        out->frame_N = vary_spring(s, now->u, m) +
                       da[CF_SLIDER_DAMPING] * (now->driven[1] - now->v) +
                       a[CF_SLIDER_DAMPING] * (m->driven[1] - out->v);
    else
        out->frame_N = da[CF_SLIDER_MASS] * now->driven[2] + a[CF_SLIDER_MASS] * m->driven[2] +
                       out->friction_N;
}

static void vary_seen(const struct cf_slider *s, const struct cf_slider_now *now,
                      const struct moved *m, struct cf_slider_change *out)
{
    const double *a = s->number, *da = m->number;
    double k = a[CF_SLIDER_STIFFNESS], mass = a[CF_SLIDER_MASS];

    switch (s->seen) {
    case CF_SLIDER_FORCE:
        out->seen = out->frame_N;
        break;
    case CF_SLIDER_DISPLACEMENT:
        out->seen = m->place;
        if (s->drive == CF_SLIDER_BY_FORCE && k > 0)
            out->seen += (out->frame_N - now->frame_N * da[CF_SLIDER_STIFFNESS] / k) / k;
        break;
    case CF_SLIDER_VELOCITY:
        out->seen = out->v;
        break;
    case CF_SLIDER_ACCELERATION:
        out->seen = (out->frame_N - out->friction_N) / mass -
                    (now->frame_N - now->friction_N) * da[CF_SLIDER_MASS] / (mass * mass);
        break;
    }
}

/* The rest of a change, once friction's along the states and parameters is known: that along the
 * block's own speed `dv`, or the one by which spring and damper stay in balance. */
static void finish(const struct cf_slider_work *w, const struct cf_slider_now *now,
                   const struct moved *m, double dv, double slope, const double rate_by_slip[],
                   struct cf_slider_change *out)
{
    const struct cf_slider *s = w->s;
    double d = s->number[CF_SLIDER_DAMPING];

    out->v = dv;
    if (w->place != CF_SLIDER_NONE && w->velocity == CF_SLIDER_NONE)
        out->v =
            (vary_spring(s, now->u, m) + m->number[CF_SLIDER_DAMPING] * (now->driven[1] - now->v) +
             d * m->driven[1] - out->friction_N) /
            (d + slope);
    out->friction_N += slope * out->v;
    for (size_t i = 0; i < w->nfriction; i++)
        out->rate[w->of[i]] += rate_by_slip[w->of[i]] * out->v;
    vary_frame(s, now, m, out);
    vary_seen(s, now, m, out);
}

/* The directions of w->d: the slip, then those along which states and parameters move. */
static double *direction(struct cf_slider_work *w, size_t i)
{
    return w->d + (i + 1) * CF_FRICTION_COLUMNS;
}

/* Friction along n of them, and its slope by the slip. */
static void vary_friction(struct cf_slider_work *w, const struct cf_slider_now *now, size_t n,
                          struct cf_slider_change out[], double *slope, double rate_by_slip[])
{
    const struct cf_slider *s = w->s;
    const struct cf_slide c = {
        .normal_N = now->load_N, .velocity_m_s = {now->v, 0}, .state = now->state};
    double force[2 * (CF_SLIDER_COLUMNS + 1)], rate[(CF_SLIDER_COLUMNS + 1) * CF_FRICTION_STATES];

    cf_friction_vary(s->law, s->p, &c, n + 1, w->d, force, rate);
    *slope = -force[0];
    memcpy(rate_by_slip, rate, CF_FRICTION_STATES * sizeof *rate);
    for (size_t i = 0; i < n; i++) {
        out[i].friction_N = -force[2 * (i + 1)];
        memcpy(out[i].rate, rate + (i + 1) * CF_FRICTION_STATES, sizeof out[i].rate);
    }
}

static void put_states(struct cf_slider_work *w, size_t i, const double ds[])
{
    double *d = direction(w, i) + CF_BY_STATE;

    for (size_t k = 0; k < w->nfriction; k++)
        d[w->of[k]] = ds[k];
}

void cf_slider_vary(struct cf_slider_work *w, const struct cf_slider_now *now, const double s[],
                    struct cf_slider_change out[])
{
    double slope, by_rate[CF_FRICTION_STATES];
    size_t nparam = w->s->law->nparam;

    for (size_t c = 0; c < w->ncolumn; c++)
        put_states(w, c, s + c * w->n);
    vary_friction(w, now, w->ncolumn, out, &slope, by_rate);
    for (size_t c = 0; c < w->ncolumn; c++) {
        const double *ds = s + c * w->n;
        struct moved m = {.place = w->place == CF_SLIDER_NONE ? 0 : ds[w->place]};
        if (w->column[c] >= nparam && w->column[c] != CF_SLIDER_NOTHING)
            m.number[w->column[c] - nparam] = 1;
        finish(w, now, &m, w->velocity == CF_SLIDER_NONE ? 0 : ds[w->velocity], slope, by_rate,
               &out[c]);
    }
}

void cf_slider_drift(struct cf_slider_work *w, const struct cf_slider_now *now, double t,
                     const double dydt[], struct cf_slider_change *out)
{
    const struct cf_drive_piece *piece = w->s->piece;
    double keep[CF_FRICTION_COLUMNS], slope, by_rate[CF_FRICTION_STATES], load[3];
    struct moved m = {.place = w->place == CF_SLIDER_NONE ? 0 : dydt[w->place]};
    double dv = w->velocity == CF_SLIDER_NONE ? now->driven[2] : dydt[w->velocity];

    /* the first direction is borrowed */
    memcpy(keep, direction(w, 0), sizeof keep);
    memset(direction(w, 0), 0, sizeof keep);
    put_states(w, 0, dydt);
    if (piece && piece->load) {
        cf_smoothing_at(piece->load, t, load);
        direction(w, 0)[CF_BY_NORMAL] = load[0] > 0 ? load[1] : 0;
    }
    vary_friction(w, now, 1, out, &slope, by_rate);
    memcpy(direction(w, 0), keep, sizeof keep);
    if (piece) {
        m.driven[0] = now->driven[1];
        m.driven[1] = now->driven[2];
        m.driven[2] = cf_smoothing_jerk(piece->driven, t);
    }
    finish(w, now, &m, dv, slope, by_rate, out);
}

void cf_slider_variation(const void *context, double t, const double y[], const double s[],
                         double dsdt[])
{
    /* the directions are the run's own room: what they hold is put anew each time */
    struct cf_slider_work *w = (struct cf_slider_work *) context;
    struct cf_slider_change change[CF_SLIDER_COLUMNS];
    struct cf_slider_now now;
    double mass = w->s->number[CF_SLIDER_MASS];
    size_t nparam = w->s->law->nparam;

    cf_slider_look(w, t, y, &now);
    cf_slider_vary(w, &now, s, change);
    for (size_t c = 0; c < w->ncolumn; c++) {
        const double *ds = s + c * w->n;
        double *to = dsdt + c * w->n;
        for (size_t i = 0; i < w->nfriction; i++)
            to[i] = change[c].rate[w->of[i]];
        if (w->place != CF_SLIDER_NONE)
            to[w->place] = cf_slider_gives_way(w->s) ? -change[c].v : change[c].v;
        if (w->velocity != CF_SLIDER_NONE) {
            to[w->velocity] = (change[c].frame_N - change[c].friction_N) / mass;
            if (w->column[c] == nparam + CF_SLIDER_MASS)
                to[w->velocity] -= (now.frame_N - now.friction_N) / (mass * mass);
        }
        if (w->sensor == CF_SLIDER_NONE)
            continue;
        const double *shown = y + w->sensor, *dshown = ds + w->sensor;
        double dw = w->column[c] == nparam + CF_SLIDER_BANDWIDTH ? 2 * M_PI : 0, behind;
        behind = change[c].seen - dshown[0];
        if (w->s->order == 2) {
            to[w->sensor] = dshown[1];
            to[w->sensor + 1] =
                w->w * w->w * behind - CF_SLIDER_BUTTERWORTH * w->w * dshown[1] +
                dw * (2 * w->w * (now.seen - shown[0]) - CF_SLIDER_BUTTERWORTH * shown[1]);
        } else {
            to[w->sensor] = w->w * behind + dw * (now.seen - shown[0]);
        }
    }
}
