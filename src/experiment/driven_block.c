/* Running a driven block from step to step, and what samples see of it. */

#include <gsl/gsl_math.h>
#include <math.h>
#include <stdlib.h>

#include "experiment/by_age.h"
#include "experiment/driven_block_parts.h"

/* The scale of forces is this part of friction at the start, of a deflection what it is at it. */
static const double SHARE = 0.1, LENGTH_M = 1e-6;

/* Steps are the states' own as long as columns are known to this part: those that decay while
 * the states stand still would grow in steps that are too long for them. */
static const double COLUMN_ERROR = 1e-4;

struct run {
    struct cf_block_work work;
    size_t n, next;
    const double *time_s;
    size_t *by_age; /* the earliest first */
    double *y, *by, *by_time;
    double start, dstart[CF_BLOCK_COLUMNS]; /* S of the start, and its columns */
};

/* ---- samples */

/* int V dt since the start, and how it goes with a column. */
static double travel(const struct run *r, double t)
{
    const double *a = r->work.b->number;
    double sum = 0, from = a[CF_BLOCK_START], V = a[CF_BLOCK_SPEED];

    for (size_t j = 0; j < r->work.piece; j++) {
        double until = a[CF_BLOCK_STEP + 2 * j];
        sum += V * (until - from);
        from = until;
        V = a[CF_BLOCK_STEP + 2 * j + 1];
    }
    return sum + V * (t - from);
}

static double travel_by(const struct run *r, size_t c, double t)
{
    const double *a = r->work.b->number;
    double from = a[CF_BLOCK_START], V = a[CF_BLOCK_SPEED];

    if (r->work.piece == 0)
        return cf_block_is_by(&r->work, c, CF_BLOCK_SPEED) ? t - from : 0;
    for (size_t j = 0; j <= r->work.piece; j++) {
        double until = j < r->work.piece ? a[CF_BLOCK_STEP + 2 * j] : t;
        double after = j < r->work.piece ? a[CF_BLOCK_STEP + 2 * j + 1] : 0;
        if (cf_block_is_by(&r->work, c, j ? CF_BLOCK_STEP + 2 * j - 1 : CF_BLOCK_SPEED))
            return until - from;
        if (j < r->work.piece && cf_block_is_by(&r->work, c, CF_BLOCK_STEP + 2 * j))
            return V - after;
        from = until;
        V = after;
    }
    return 0;
}

/* What a sample shows without drift, and the force of the frame's spring: values, derivatives by
 * the columns and by time. */
struct seen {
    double y, by[CF_BLOCK_COLUMNS], by_time;
};
struct sight {
    struct seen shown, spring;
};

static void take_spring(const struct run *r, const double y[], const double dydt[],
                        const double s[], size_t n, size_t at, struct seen *out)
{
    out->y = y[at];
    out->by_time = dydt[at];
    for (size_t c = 0; r->by && c < r->work.ncolumn; c++)
        out->by[c] = s[c * n + at];
}

static void look(struct run *r, const double y[], const double dydt[], const double s[],
                 struct sight *out)
{
    struct cf_block_work *w = &r->work;
    struct cf_block_change change[CF_BLOCK_COLUMNS];
    struct cf_block_now now;

    cf_block_look(w, y, &now);
    out->shown.y = now.shown;
    if (r->by)
        cf_block_vary(w, &now, s, false, change);
    for (size_t c = 0; r->by && c < w->ncolumn; c++)
        out->shown.by[c] = change[c].shown;
    if (r->by_time)
        cf_block_drift(w, &now, dydt, change);
    out->shown.by_time = r->by_time ? change[0].shown : 0;
    if (w->spring != CF_BLOCK_NONE)
        take_spring(r, y, dydt, s, w->n, w->spring, &out->spring);
}

/* Of the sample at t. */
static void note(struct run *r, size_t sample, double t, const struct sight *at)
{
    const struct cf_block_work *w = &r->work;
    bool springs = w->spring != CF_BLOCK_NONE;
    double k = w->b->number[CF_BLOCK_STIFFNESS], drift = w->b->number[CF_BLOCK_DRIFT];
    double stretch = springs ? (at->spring.y - r->start) / k : 0, slip = travel(r, t) - stretch;

    r->y[sample] = at->shown.y + drift * slip;
    for (size_t c = 0; r->by && c < w->ncolumn; c++) {
        double dslip = travel_by(r, c, t);
        if (springs)
            dslip -= (at->spring.by[c] - r->dstart[c]) / k;
        if (springs && cf_block_is_by(w, c, CF_BLOCK_STIFFNESS))
            dslip += stretch / k;
        r->by[sample * w->ncolumn + c] = at->shown.by[c] + drift * dslip;
        if (cf_block_is_by(w, c, CF_BLOCK_DRIFT))
            r->by[sample * w->ncolumn + c] += slip;
    }
    if (r->by_time)
        r->by_time[sample] =
            at->shown.by_time + drift * (w->V - (springs ? at->spring.by_time / k : 0));
}

/* Without a damper in the frame what is shown is its spring's force, one state. */
static bool is_spring(const struct cf_block_work *w)
{
    bool damped = w->b->number[CF_BLOCK_DAMPING] != 0;

    for (size_t c = 0; c < w->ncolumn; c++)
        damped = damped || cf_block_is_by(w, c, CF_BLOCK_DAMPING);
    return w->spring != CF_BLOCK_NONE && !damped;
}

static void stepped(void *observer, const struct cf_ode_dense *dense)
{
    struct run *r = observer;
    double from, until, y[CF_BLOCK_STATES], dydt[CF_BLOCK_STATES],
        s[CF_BLOCK_COLUMNS * CF_BLOCK_STATES];
    size_t all[CF_BLOCK_STATES];
    bool alone = is_spring(&r->work);
    struct sight sight;

    for (size_t i = 0; i < r->work.n; i++)
        all[i] = i;
    cf_ode_dense_span(dense, &from, &until);
    for (; r->next < r->n && r->time_s[r->by_age[r->next]] <= until; r->next++) {
        size_t sample = r->by_age[r->next];
        double t = r->time_s[sample];
        cf_ode_dense_states_at(dense, t, alone ? 1 : r->work.n, alone ? &r->work.spring : all, y,
                               dydt, s);
        if (alone) {
            take_spring(r, y, dydt, s, 1, 0, &sight.spring);
            sight.shown = sight.spring;
        } else {
            look(r, y, dydt, s, &sight);
        }
        note(r, sample, t, &sight);
    }
}

/* Samples up to a time at which nothing moves but the load point. */
static void steady(struct run *r, double until, const double y[], const double s[])
{
    const double rest[CF_BLOCK_STATES] = {0};
    struct sight sight;

    look(r, y, rest, s, &sight);
    for (; r->next < r->n && r->time_s[r->by_age[r->next]] <= until; r->next++)
        note(r, r->by_age[r->next], r->time_s[r->by_age[r->next]], &sight);
}

/* ---- the run */

static void scales(const struct cf_block_work *w, const double y[], double mu, double scale[])
{
    for (size_t i = 0; i < w->nfriction; i++)
        scale[i] = w->of[i] >= 2 * w->b->law->nvector ? 1
                   : y[i] != 0                        ? fabs(y[i]) * SHARE
                                                      : LENGTH_M;
    if (w->spring != CF_BLOCK_NONE)
        scale[w->spring] = SHARE * fmax(fabs(mu), SHARE);
    if (w->velocity != CF_BLOCK_NONE)
        scale[w->velocity] = fabs(w->V);
}

/* The load point steps: states go on, columns by its time jump. */
static void step(struct run *r, size_t piece, const double y[], double s[])
{
    struct cf_block_work *w = &r->work;
    double before[CF_BLOCK_STATES], behind[CF_BLOCK_STATES];
    size_t number = CF_BLOCK_STEP + 2 * (piece - 1);

    cf_block_rates(w, 0, y, before);
    cf_block_enter(w, piece);
    cf_block_rates(w, 0, y, behind);
    for (size_t c = 0; r->by && c < w->ncolumn; c++)
        for (size_t i = 0; cf_block_is_by(w, c, number) && i < w->n; i++)
            s[c * w->n + i] += before[i] - behind[i];
}

/* What takes so many steps that they run out, and what to do. */
static int say_steps(const struct run *r, double reached, double until, size_t max_steps,
                     struct cf_error *err)
{
    const double *a = r->work.b->number;

    if (r->work.velocity == CF_BLOCK_NONE)
        return cf_fail(err, CF_ESOLVE,
                       "%zu steps of integration, the most at one speed of the load point, reach "
                       "%g s of %g s: %s is far faster than the record",
                       max_steps, reached, until, r->work.b->law->name);
    return cf_fail(err, CF_ESOLVE,
                   "%zu steps of integration, the most at one speed of the load point, reach %g s "
                   "of %g s: a block of mass %g s^2/m swings at %.3g Hz on its frame of %g 1/m, "
                   "and %s damps it too little: state damping as well, or leave its mass out "
                   "(apparatus: {damping: 10 s/m})",
                   max_steps, reached, until, a[CF_BLOCK_MASS],
                   sqrt(a[CF_BLOCK_STIFFNESS] / a[CF_BLOCK_MASS]) / (2 * M_PI),
                   a[CF_BLOCK_STIFFNESS], r->work.b->law->name);
}

/* From one step to the next, or to the last sample. */
static int go_on(struct run *r, struct cf_ode *ode, const struct cf_ode_options *options, double *t,
                 double until, double y[], double s[], struct cf_error *err)
{
    struct cf_ode_system system = {.n = r->work.n,
                                   .ncolumn = r->by ? r->work.ncolumn : 0,
                                   .rates = cf_block_rates,
                                   .variation = cf_block_variation};
    struct cf_ode_result result = {0};
    int status;

    if (!(until > *t))
        return CF_OK;
    status = cf_ode_run(ode, &system, &r->work, options, t, y, s, until, &result, err);
    return status == CF_ESOLVE && result.reason == CF_ODE_STEPS
               ? say_steps(r, *t, until, options->max_steps, err)
               : status;
}

static int run(struct run *r, double tolerance, size_t max_steps, struct cf_error *err)
{
    struct cf_block_work *w = &r->work;
    const double *a = w->b->number;
    double y[CF_BLOCK_STATES] = {0}, s[CF_BLOCK_COLUMNS * CF_BLOCK_STATES] = {0};
    double scale[CF_BLOCK_STATES], last = r->time_s[r->by_age[r->n - 1]], t;
    struct cf_block_now now;
    int status = cf_block_settle(w, y, r->by ? s : NULL, err);

    if (status)
        return status;
    cf_block_carried(w, y, &now);
    if (w->spring != CF_BLOCK_NONE && w->velocity == CF_BLOCK_NONE &&
        !(a[CF_BLOCK_DAMPING] + cf_block_slope(w, &now) > 0))
        return cf_fail(err, CF_EINPUT,
                       "in a frame that gives way a block without mass has no speed of its own, "
                       "where neither the frame nor %s resists the more the faster it is: state "
                       "damping or mass (apparatus: {damping: 10 s/m})",
                       w->b->law->name);
    r->start = now.mu;
    for (size_t c = 0; r->by && c < w->ncolumn; c++)
        r->dstart[c] = w->spring == CF_BLOCK_NONE ? 0 : s[c * w->n + w->spring];
    scales(w, y, now.mu, scale);
    t = w->b->nstep ? a[CF_BLOCK_STEP] : (double) INFINITY;
    steady(r, t, y, s);
    struct cf_ode_options options = {.method = CF_ODE_AUTO,
                                     .tolerance = tolerance,
                                     .scale = scale,
                                     .max_steps = max_steps,
                                     .s_slack = COLUMN_ERROR / tolerance,
                                     .step = stepped,
                                     .observer = r};
    struct cf_ode *ode = w->n ? cf_ode_alloc(w->n, r->by ? w->ncolumn : 0) : NULL;
    if (w->n && !ode)
        return cf_fail(err, CF_ENOMEM, "no memory to integrate a block");
    for (size_t j = 1; j <= w->b->nstep && t < last && !status; j++) {
        double until = j < w->b->nstep ? fmin(a[CF_BLOCK_STEP + 2 * j], last) : last;
        step(r, j, y, s);
        if (w->n)
            status = go_on(r, ode, &options, &t, until, y, s, err);
        else
            steady(r, until, y, s);
        t = until;
    }
    cf_ode_free(ode);
    return status;
}

int cf_driven_block_run(const struct cf_driven_block *b, size_t n, const double time_s[],
                        const struct cf_block_columns *columns, double tolerance, size_t max_steps,
                        double y[], double by[], double by_time[], struct cf_error *err)
{
    static const struct cf_block_columns none = {0, NULL};
    struct run *r = calloc(1, sizeof *r);
    size_t *by_age = malloc((n + 1) * sizeof *by_age);
    int status = CF_OK;

    if (!r || !by_age)
        status = cf_fail(err, CF_ENOMEM, "no memory for %zu samples of a block", n);
    if (!status && n > 0) {
        cf_by_age(n, time_s, by_age);
        r->n = n;
        r->time_s = time_s;
        r->by_age = by_age;
        r->y = y;
        r->by = by;
        r->by_time = by_time;
        cf_block_layout(&r->work, b, by ? columns : &none);
        status = run(r, tolerance, max_steps, err);
    }
    free(r);
    free(by_age);
    return status;
}
