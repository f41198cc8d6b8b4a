/* The slider's equations; how they change is in slider_vary.c, how they are run in slider_run.c. */

#include <gsl/gsl_math.h>
#include <math.h>
#include <string.h>

#include "experiment/slider_parts.h"

/* A block without mass: its speed is found to rounding, in fewer rounds than this. */
enum { MOST_ROUNDS = 200 };
static const double FOUND = 1e-15;

/* ---- layout */

bool cf_slider_gives_way(const struct cf_slider *s)
{
    return s->drive == CF_SLIDER_BY_DISPLACEMENT && s->number[CF_SLIDER_STIFFNESS] > 0;
}

/* Does the block move by itself? */
static bool is_free(const struct cf_slider *s)
{
    return s->drive != CF_SLIDER_BY_DISPLACEMENT || cf_slider_gives_way(s);
}

/* Has it a speed of its own? */
static bool has_mass(const struct cf_slider *s)
{
    return s->number[CF_SLIDER_MASS] > 0;
}

void cf_slider_layout(struct cf_slider_work *w, const struct cf_slider *s,
                      const struct cf_slider_columns *columns)
{
    *w = (struct cf_slider_work){.s = s,
                                 .place = CF_SLIDER_NONE,
                                 .velocity = CF_SLIDER_NONE,
                                 .sensor = CF_SLIDER_NONE,
                                 .looked_s = (double) NAN};
    for (size_t i = 0; i < s->law->nstate; i++)
        if (i >= 2 * s->law->nvector || i % 2 == 0)
            w->of[w->nfriction++] = i;
    w->n = w->nfriction;
    if (is_free(s))
        w->place = w->n++;
    if (is_free(s) && has_mass(s))
        w->velocity = w->n++;
    w->w = 2 * M_PI * s->number[CF_SLIDER_BANDWIDTH];
    if (w->w > 0) {
        w->sensor = w->n;
        w->n += s->order == 2 ? 2 : 1;
    }
    w->ncolumn = columns->n;
    w->d[CF_BY_VELOCITY] = 1;
    for (size_t c = 0; c < columns->n; c++) {
        double *d = w->d + (c + 1) * CF_FRICTION_COLUMNS;
        w->column[c] = columns->of[c];
        if (columns->of[c] < s->law->nparam)
            d[CF_BY_PARAM + columns->of[c]] = 1;
        else if (columns->of[c] == s->law->nparam + CF_SLIDER_LOAD && !(s->piece && s->piece->load))
            d[CF_BY_NORMAL] = 1;
    }
}

/* ---- the instant */

static double spring(const struct cf_slider *s, double u)
{
    const double *a = s->number;
    double half = a[CF_SLIDER_BACKLASH] / 2, k = a[CF_SLIDER_STIFFNESS];

    return u > half ? k * (u - half) : u < -half ? k * a[CF_SLIDER_RATIO] * (u + half) : 0;
}

static void rub(const struct cf_slider *s, struct cf_slider_now *now)
{
    const struct cf_slide c = {
        .normal_N = now->load_N, .velocity_m_s = {now->v, 0}, .state = now->state};
    double force[2];

    s->law->force(s->p, &c, force, now->rate);
    now->friction_N = -force[0];
}

/* Friction's slope by the slip; rate[] those of its states. */
static double by_slip(const struct cf_slider *s, const struct cf_slider_now *now, double rate[])
{
    const struct cf_slide c = {
        .normal_N = now->load_N, .velocity_m_s = {now->v, 0}, .state = now->state};
    double d[CF_FRICTION_COLUMNS] = {[CF_BY_VELOCITY] = 1}, force[2];

    cf_friction_vary(s->law, s->p, &c, 1, d, force, rate);
    return -force[0];
}

/* v of a block without mass, at which spring, damper and friction are in balance: by Newton's
 * method, kept between speeds that are too low and too high. */
static void balance(const struct cf_slider *s, struct cf_slider_now *now)
{
    double d = s->number[CF_SLIDER_DAMPING], pull = spring(s, now->u), rate[CF_FRICTION_STATES];
    double low = (double) -INFINITY, high = (double) INFINITY;

    now->v = now->driven[1];
    for (int round = 0; round < MOST_ROUNDS; round++) {
        double left, step, next;
        rub(s, now);
        left = pull + d * (now->driven[1] - now->v) - now->friction_N;
        if (left == 0)
            return;
        if (left > 0)
            low = now->v;
        else
            high = now->v;
        step = left / (d + by_slip(s, now, rate));
        next = now->v + step;
        if (!(next > low && next < high))
            next = isinf(low) || isinf(high) ? now->v + 2 * step : (low + high) / 2;
        if (!isfinite(next) || fabs(next - now->v) <= FOUND * fabs(now->v))
            return;
        now->v = next;
    }
}

static double seen(const struct cf_slider *s, const struct cf_slider_now *now, double place)
{
    double k = s->number[CF_SLIDER_STIFFNESS];

    switch (s->seen) {
    case CF_SLIDER_FORCE:
        return now->frame_N;
    case CF_SLIDER_DISPLACEMENT:
        return place + (s->drive == CF_SLIDER_BY_FORCE && k > 0 ? now->frame_N / k : 0);
    case CF_SLIDER_VELOCITY:
        return now->v;
    case CF_SLIDER_ACCELERATION:
        return (now->frame_N - now->friction_N) / s->number[CF_SLIDER_MASS];
    }
    return (double) NAN;
}

static void look_at_drive(struct cf_slider_work *w, double t)
{
    const struct cf_drive_piece *piece = w->s->piece;
    double load[3];

    w->looked_s = t;
    w->load_N = w->s->number[CF_SLIDER_LOAD];
    if (piece)
        cf_smoothing_at(piece->driven, t, w->driven);
    if (piece && piece->load) {
        cf_smoothing_at(piece->load, t, load);
        w->load_N = fmax(0, load[0]);
    }
}

void cf_slider_look(struct cf_slider_work *w, double t, const double y[], struct cf_slider_now *now)
{
    const struct cf_slider *s = w->s;
    const double *a = s->number;
    double place = w->place == CF_SLIDER_NONE ? 0 : y[w->place];

    if (t != w->looked_s)
        look_at_drive(w, t);
    memcpy(now->driven, w->driven, sizeof now->driven);
    memset(now->state, 0, sizeof now->state);
    now->load_N = w->load_N;
    for (size_t i = 0; i < w->nfriction; i++)
        now->state[w->of[i]] = y[i];
    now->u = place; /* of a frame */
    now->v = w->velocity == CF_SLIDER_NONE ? now->driven[1] : y[w->velocity];
    if (w->place != CF_SLIDER_NONE && w->velocity == CF_SLIDER_NONE)
        balance(s, now);
    else
        rub(s, now);
    if (s->drive == CF_SLIDER_BY_FORCE)
        now->frame_N = now->driven[0];
    else if (s->drive == CF_SLIDER_LEFT_ALONE)
        now->frame_N = 0;
    else if (cf_slider_gives_way(s))
        now->frame_N = spring(s, now->u) + a[CF_SLIDER_DAMPING] * (now->driven[1] - now->v);
    else
        now->frame_N = a[CF_SLIDER_MASS] * now->driven[2] + now->friction_N;
    now->seen = seen(s, now, place);
}

void cf_slider_rates(const void *context, double t, const double y[], double dydt[])
{
    struct cf_slider_work *w = (struct cf_slider_work *) context;
    struct cf_slider_now now;

    cf_slider_look(w, t, y, &now);
    for (size_t i = 0; i < w->nfriction; i++)
        dydt[i] = now.rate[w->of[i]];
    if (w->place != CF_SLIDER_NONE)
        dydt[w->place] = cf_slider_gives_way(w->s) ? now.driven[1] - now.v : now.v;
    if (w->velocity != CF_SLIDER_NONE)
        dydt[w->velocity] = (now.frame_N - now.friction_N) / w->s->number[CF_SLIDER_MASS];
    if (w->sensor == CF_SLIDER_NONE)
        return;
    const double *shown = y + w->sensor;
    if (w->s->order == 2) {
        dydt[w->sensor] = shown[1];
        dydt[w->sensor + 1] =
            w->w * w->w * (now.seen - shown[0]) - CF_SLIDER_BUTTERWORTH * w->w * shown[1];
    } else {
        dydt[w->sensor] = w->w * (now.seen - shown[0]);
    }
}
