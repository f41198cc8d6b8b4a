/* The driver: steps whose length follows the error, ended and changed by events. */

#include <float.h>
#include <math.h>
#include <string.h>

#include "ode/stiff.h"
#include "ode/workspace.h"

/* The controller of DOP853: a step is changed by SAFETY err^(-1/8), within
 * LEAST and MOST. 0.85 for its 0.9: a quarter of the steps was rejected in impacts, now an eighth,
 * for as many evaluations. Rates that are not finite give no error estimate: NOT_FINITE then. */
static const double SAFETY = 0.85, LEAST = 1.0 / 3, MOST = 6, NOT_FINITE = 0.1;

/* A contact predicted nearer than this, in parts of t, has already begun. */
static const double LEAST_CAP = 64 * DBL_EPSILON;

struct ode_run {
    struct cf_ode *ode;
    double *t, *y, *s, t_end;
    double h;     /* proposed */
    double whole; /* length of the last step, before it was cut at an event */
    struct cf_ode_result *out;
    size_t event; /* which the reason names */
};

enum { GOING_ON = -1 };

static double longest(const struct ode_run *run)
{
    const struct cf_ode *ode = run->ode;
    const struct cf_ode_options *o = ode->options;
    double h = run->t_end - ode->t, cap;

    if (o->max_step > 0)
        h = fmin(h, o->max_step);
    if (!o->cap)
        return h;
    cap = o->cap(ode->context, ode->t, ode->y);
    return cap > 0 ? fmin(h, fmax(cap, LEAST_CAP * fabs(ode->t))) : h;
}

static double attempt(struct cf_ode *ode, double h, bool retry)
{
    if (ode->stiff_now)
        return cf_stiff_try(ode, h, retry);
    cf_ode_step(ode, h);
    return cf_ode_error(ode);
}

static double factor(double err)
{
    return err > 0 ? fmin(MOST, fmax(LEAST, SAFETY / sqrt(sqrt(sqrt(err))))) : MOST;
}

/* The next step's length after a good one, */
static double longer(struct cf_ode *ode, double h, double err, bool retry)
{
    if (ode->stiff_now)
        return fmin(cf_stiff_next(ode, h, err), retry ? h : (double) INFINITY);
    return h * (retry ? fmin(1, factor(err)) : factor(err));
}

/* and after a rejected one. */
static double shorter(struct cf_ode *ode, double h, double err)
{
    return ode->stiff_now ? cf_stiff_restart(ode, h, err) : h * fmin(SAFETY, factor(err));
}

/* Columns over a step that is good for the states, and is cut at its first event: beyond it, their
 * rates may jump. Their error, and where the step ends. */
static double carry(struct ode_run *run, enum cf_ode_sight sight, double at, bool retry, double *t)
{
    struct cf_ode *ode = run->ode;
    double error;

    *t = ode->h == run->t_end - ode->t ? run->t_end : ode->t + ode->h;
    ode->cut = sight == CF_ODE_SEEN;
    ode->unsolved = false;
    if (ode->cut)
        *t = fmin(cf_ode_locate(ode, run->event, at), run->t_end);
    error = ode->ncolumn > 0 ? cf_ode_carry(ode, retry) : 0;
    if (ode->options->s_slack > 0 && isfinite(error))
        error /= ode->options->s_slack;
    if (ode->unsolved || (ode->cut && !cf_ode_finite(ode->n, ode->next)))
        error = (double) NAN; /* the event is beyond what is known: a shorter step */
    for (size_t e = 0; e < ode->system->nevent && !(error <= 1); e++)
        ode->watch[e].fired = false; /* it may be elsewhere */
    return error;
}

/* Where no step that t resolves meets the tolerance: one of many roundings of t, of which no more
 * is asked than these leave to be known (cf_ode_blur()). Once, and not at t = 0, which has none. */
static bool blurs(struct ode_run *run, double *h)
{
    struct cf_ode *ode = run->ode;
    bool first = !ode->blurred && cf_ode_shortest(ode) > 0;

    ode->blurred = true;
    *h = fmin(cf_ode_shortest(ode), longest(run));
    return first;
}

/* A step that meets the tolerance and ends in finite rates and events, at t; sets run->h for the
 * next one. */
static int one_step(struct ode_run *run, enum cf_ode_sight *sight, double *t)
{
    struct cf_ode *ode = run->ode;
    double free = run->h, h = fmin(free, longest(run)), first = h;
    bool retry = false, finite = true;

    ode->blurred = false;
    for (;;) {
        double err, at = 1;
        if (run->out->steps + run->out->rejected >= ode->options->max_steps)
            return CF_ODE_STEPS;
        /* the rest in one step, rather than leave a remainder that rounds to nothing */
        if (ode->t + h * (1 + 1e-9) >= run->t_end)
            h = run->t_end - ode->t;
        else if (!(ode->t + 0.1 * h > ode->t) || h < DBL_EPSILON * first) {
            if (!finite)
                return CF_ODE_NOT_FINITE;
            if (!blurs(run, &h))
                return CF_ODE_TOO_SMALL;
            first = h;
        }
        err = attempt(ode, h, retry);
        finite = !isnan(err) && (err > 1 || cf_ode_arrive(ode));
        if (!(err <= 1))
            ode->span = fmin(ode->span, h);
        if (finite && err <= 1) {
            *sight = cf_ode_events_step(ode, &run->event, &at);
            finite = *sight != CF_ODE_BAD;
        }
        if (finite && err <= 1) {
            run->whole = h;
            err = cf_ode_worse(err, carry(run, *sight, at, retry, t));
            finite = !isnan(err);
            if (!(err <= 1))
                h = ode->h;
        }
        if (finite && err <= 1) {
            run->h = longer(ode, h, err, retry);
            /* a step shortened by a cap or the end says little of the length that errors allow */
            if (h < free && !retry)
                run->h = fmax(run->h, free);
            return GOING_ON;
        }
        h = finite ? shorter(ode, h, err) : NOT_FINITE * h;
        retry = true;
        run->out->rejected++;
    }
}

/* The rates before and behind a corner at the step's end: it is known to rounding only, and on
 * which side of it a state is, g says. f is at first about both. */
static void rates_beside(struct cf_ode *ode, size_t e, double t, double before[], double f[])
{
    for (int side = -1; side <= 1; side += 2) {
        double dt = 0;
        const double *at =
            cf_ode_beside(ode, e, -side * ode->watch[e].sign, t, ode->next, before, side, &dt);
        ode->system->rates(ode->context, t + dt, at, side > 0 ? f : ode->unit);
    }
    memcpy(before, ode->unit, ode->n * sizeof *before);
}

/* All events at the step's end, in the table's order. */
static int happen(struct ode_run *run, double t)
{
    struct cf_ode *ode = run->ode;
    const struct cf_ode_system *system = ode->system;
    size_t n = ode->n;
    double *f = ode->k + CF_DOP_STAGES * n;
    double *f_before = ode->stage + n, *after = ode->stage + 2 * n;

    for (size_t e = 0; e < system->nevent; e++) {
        const struct cf_ode_event *event = &system->event[e];
        bool moves;
        if (!ode->watch[e].fired)
            continue;
        run->event = e;
        moves = ode->ncolumn > 0 && cf_ode_event_moves(ode, event, t, ode->s_next);
        if (ode->ncolumn > 0 && !moves && !event->corner)
            return CF_ODE_GRAZING;
        if (ode->options->seen)
            ode->options->seen(ode->options->observer, e, t, ode->next, moves ? ode->s_seen : NULL,
                               moves ? ode->dtau : NULL);
        if (event->terminal) {
            if (ode->ncolumn > 0)
                memcpy(ode->s_next, ode->s_seen, ode->ncolumn * ode->nrow * sizeof *run->s);
            return CF_ODE_EVENT;
        }
        memcpy(f_before, f, n * sizeof *f);
        memcpy(after, ode->next, n * sizeof *after);
        if (event->reset)
            event->reset(cf_ode_event_context(ode, event), t, ode->next, after);
        /* after is the state now, next the one before */
        ode->system->rates(ode->context, t, after, f);
        ode->evaluations++;
        if (moves && event->jumps)
            rates_beside(ode, e, t, f_before, f);
        if (moves && (!event->corner || event->jumps))
            cf_ode_jump(ode, event, t, ode->next, f_before, f, ode->s_next);
        memcpy(ode->next, after, n * sizeof *after);
        if (!cf_ode_finite(n, after) || !cf_ode_finite(n, f))
            return CF_ODE_NOT_FINITE;
    }
    return GOING_ON;
}

static void change_method(struct ode_run *run, bool stiff)
{
    struct cf_ode *ode = run->ode;

    ode->stiff_now = stiff;
    if (stiff)
        cf_stiff_start(ode);
    else
        run->h = ode->suspicion.h;
}

static int advance(struct ode_run *run)
{
    struct cf_ode *ode = run->ode;
    const struct cf_ode_options *o = ode->options;
    enum cf_ode_sight sight = CF_ODE_NOTHING;
    double t = ode->t;
    bool stiff = ode->stiff_now;
    int reason = one_step(run, &sight, &t);

    if (reason != GOING_ON)
        return reason;
    if (sight == CF_ODE_TOUCH && ode->ncolumn > 0 && !ode->system->event[run->event].corner)
        return CF_ODE_GRAZING;
    run->out->steps++;
    run->out->stiff_steps += ode->stiff_now;
    if (o->method == CF_ODE_AUTO)
        stiff = cf_ode_switches(ode, run->whole);
    if (o->step) {
        cf_ode_make_dense(ode);
        o->step(o->observer, &ode->dense);
    }
    if (sight == CF_ODE_SEEN)
        reason = happen(run, t);
    if (reason == GOING_ON && o->stop && o->stop(o->observer, t, ode->next))
        reason = CF_ODE_STOPPED;
    cf_ode_advance(ode, t);
    if (ode->ncolumn > 0)
        cf_ode_columns_advance(ode, sight != CF_ODE_SEEN);
    if (ode->stiff_now)
        cf_stiff_moved(ode, sight != CF_ODE_SEEN);
    if (stiff != ode->stiff_now)
        change_method(run, stiff);
    if (reason == GOING_ON && sight == CF_ODE_SEEN)
        cf_ode_events_start(ode, run->h);
    else if (reason == GOING_ON)
        cf_ode_events_advance(ode);
    return reason == GOING_ON && t >= run->t_end ? CF_ODE_REACHED : reason;
}

static int begin(struct ode_run *run)
{
    struct cf_ode *ode = run->ode;
    double most;

    ode->t = *run->t;
    memcpy(ode->y, run->y, ode->n * sizeof *run->y);
    if (ode->ncolumn > 0)
        memcpy(ode->s_now, run->s, ode->ncolumn * ode->nrow * sizeof *run->s);
    ode->s_begun = ode->left = false;
    ode->span = 0;
    cf_ode_rate(ode, 0, ode->t, ode->y);
    if (!cf_ode_finite(ode->n, ode->y) || !cf_ode_finite(ode->n, ode->k))
        return CF_ODE_NOT_FINITE;
    most = longest(run);
    run->h = ode->options->first_step > 0 ? ode->options->first_step : cf_ode_first_step(ode, most);
    for (size_t e = 0; e < ode->system->nevent; e++)
        ode->watch[e] = (struct cf_ode_events){0};
    cf_ode_events_start(ode, run->h);
    return GOING_ON;
}

int cf_ode_run(struct cf_ode *ode, const struct cf_ode_system *system, const void *context,
               const struct cf_ode_options *options, double *t, double y[], double s[],
               double t_end, struct cf_ode_result *out, struct cf_error *err)
{
    struct ode_run run = {.ode = ode, .t = t, .y = y, .s = s, .t_end = t_end, .out = out};
    int reason, status = cf_ode_prepare(ode, system, context, options, *t, t_end, err);

    if (status != CF_OK)
        return status;
    *out = (struct cf_ode_result){.reason = CF_ODE_REACHED};
    ode->evaluations = 0;
    reason = begin(&run);
    while (reason == GOING_ON)
        reason = advance(&run);
    *t = ode->t;
    memcpy(y, ode->y, ode->n * sizeof *y);
    if (ode->ncolumn > 0)
        memcpy(s, ode->s_now, ode->ncolumn * ode->nrow * sizeof *s);
    out->reason = (enum cf_ode_reason) reason;
    out->event = run.event;
    out->evaluations = ode->evaluations;
    if (reason == CF_ODE_REACHED || reason == CF_ODE_EVENT)
        return CF_OK;
    if (reason == CF_ODE_STOPPED)
        return cf_fail(err, CF_ECANCELLED, "stopped at t = %g", *t);
    return cf_ode_stopped(ode, out, err);
}
