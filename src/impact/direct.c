/* In two runs: from touch to the turn, with an event at the peak of force, which is before it or at
 * it (at the turn dF/ds is what the damper loses), then to the end. In the second run s is measured
 * from the turn, so that it starts from the end of the first, moved with the turn.
 */

#include "impact/direct.h"

#include <math.h>
#include <string.h>

#include "ode/ode.h"

/* Either part takes a few times q, and some 100 with the largest damping; a run that has not ended
 * by then has failed. */
static const double NEVER = 1e9;

/* From this decay on the way out takes the stiff method, whose steps it does not limit: the
 * explicit one's are as many as its power of e, and about as dear here. */
static const double STIFF = 100;

struct context {
    const struct cf_regular *regular;
    const double *group;
    bool slopes; /* sensitivities by the groups are carried */
};

static void rates(const void *context, double s, const double x[], double rate[])
{
    const struct context *c = context;

    (void) s;
    c->regular->rates(c->group, x, rate, NULL);
}

static void variation(const void *context, double s, const double x[], const double column[],
                      double rate[])
{
    const struct context *c = context;
    struct cf_rates_slope slope = {{{0}}, {{0}}};
    size_t n = c->regular->nstate;
    double ignored[CF_MAX_REGULAR];

    (void) s;
    c->regular->rates(c->group, x, ignored, &slope);
    for (size_t group = 0; group < c->regular->ngroup; group++, column += n, rate += n)
        for (size_t i = 0; i < n; i++) {
            const double *by = slope.by_state[i];
            double sum =
                slope.by_group[i][group] + by[CF_Y] * column[CF_Y] + by[CF_W] * column[CF_W];
            for (size_t j = CF_NBASIC; j < n; j++)
                sum += by[j] * column[j];
            rate[i] = sum;
        }
}

/* The derivative of a quantity along a column. */
double cf_direct_along(const struct cf_sloped *q, size_t n, const double column[], size_t index)
{
    double sum = index == CF_ODE_TIME ? 0 : q->by_group[index];
    for (size_t i = 0; i < n; i++)
        sum += q->by_state[i] * column[i];
    return sum;
}

static double turn(const void *context, double s, const double x[])
{
    const struct context *c = context;
    struct cf_sloped w;

    (void) s;
    if (!c->regular->speed)
        return x[CF_W];
    cf_regular_speed(c->regular, c->group, x, &w);
    return w.value;
}

static double turn_slope(const void *context, double s, const double x[], const double column[],
                         size_t index)
{
    const struct context *c = context;
    struct cf_sloped w;

    (void) s;
    cf_regular_speed(c->regular, c->group, x, &w);
    return cf_direct_along(&w, c->regular->nstate, column, index);
}

static double peak(const void *context, double s, const double x[])
{
    const struct context *c = context;

    (void) s;
    return c->regular->rise(c->group, x);
}

static double end(const void *context, double s, const double x[])
{
    const struct context *c = context;
    struct cf_sloped at = {0};

    (void) s;
    c->regular->end(c->group, x, &at);
    return at.value;
}

static double end_slope(const void *context, double s, const double x[], const double column[],
                        size_t index)
{
    const struct context *c = context;
    struct cf_sloped at = {0};

    (void) s;
    c->regular->end(c->group, x, &at);
    return cf_direct_along(&at, c->regular->nstate, column, index);
}

/* The force has no slope in s at its peak, so that any move of the instant will do: the turn's
 * slope is as good as any. */
enum { PEAK };
static const struct cf_ode_event inwards[] = {
    [PEAK] = {.name = "peak of force", .g = peak, .slope = turn_slope, .direction = -1},
    {.name = "peak of depth", .g = turn, .slope = turn_slope, .direction = -1, .terminal = true},
};
static const struct cf_ode_event outwards[] = {
    {.name = "end of contact", .g = end, .slope = end_slope, .direction = -1, .terminal = true},
};

/* Receives the peak of force. */
struct observer {
    size_t nstate, ncolumn;
    struct cf_instants *out;
};

static void see(void *observer, size_t event, double t, const double x[], const double s[],
                const double dtau[])
{
    struct observer *o = observer;

    (void) t;
    (void) dtau;
    if (event != PEAK || o->out->has_peak)
        return;
    o->out->has_peak = true;
    memcpy(o->out->peak.x, x, o->nstate * sizeof *x);
    if (o->ncolumn)
        memcpy(o->out->peak.s, s, o->ncolumn * o->nstate * sizeof *s);
}

/* One of the two runs, in place. */
static int run(struct cf_ode *ode, const struct context *c, const struct cf_ode_event *event,
               size_t nevent, const struct cf_ode_options *options, struct cf_instant *at,
               struct cf_error *err)
{
    const struct cf_ode_system system = {
        .n = c->regular->nstate,
        .ncolumn = c->slopes ? c->regular->ngroup : 0,
        .rates = rates,
        .variation = variation,
        .nevent = nevent,
        .event = event,
    };
    struct cf_ode_result result;
    double s = 0;
    int status = cf_ode_run(ode, &system, c, options, &s, at->x, at->s, NEVER, &result, err);

    if (!status && result.reason != CF_ODE_EVENT)
        return cf_fail(err, CF_ESOLVE, "the contact did not come to its %s",
                       event[nevent - 1].name);
    return status;
}

static void set_scale(const struct context *c, const struct cf_direct_how *how, double scale[])
{
    const struct cf_regular *regular = c->regular;

    scale[CF_D] = 1;
    scale[CF_W] = regular->last ? regular->last(c->group) : 1;
    for (size_t i = CF_NBASIC; i < regular->nstate; i++)
        scale[i] = how->inner;
    scale[CF_Y] = how->size;
    scale[CF_T] = pow(how->size, regular->q);
}

/* Both runs; step, where it is not NULL, is called for the steps of both. */
static int both(const struct context *c, const double touch[], const struct cf_direct_how *how,
                struct cf_ode_options *options, struct cf_instants *out, struct cf_error *err)
{
    size_t n = c->regular->nstate;
    struct cf_ode *ode = cf_ode_alloc(n, c->slopes ? c->regular->ngroup : 0);
    double scale[CF_MAX_REGULAR];
    int status;

    if (!ode)
        return cf_fail(err, CF_ENOMEM, "out of memory");
    set_scale(c, how, scale);
    options->tolerance = how->tolerance;
    options->scale = scale;
    options->max_steps = how->max_steps;
    options->method = CF_ODE_EXPLICIT;
    memset(out, 0, sizeof *out);
    memcpy(out->turn.x, touch, n * sizeof *touch);
    status = run(ode, c, inwards, 2, options, &out->turn, err);
    out->end = out->turn;
    if (c->regular->decay && c->regular->decay(c->group) > STIFF)
        options->method = CF_ODE_STIFF;
    if (!status)
        status = run(ode, c, outwards, 1, options, &out->end, err);
    cf_ode_free(ode);
    return status;
}

int cf_direct_run(const struct cf_regular *regular, const double group[], const double touch[],
                  const struct cf_direct_how *how, struct cf_instants *out, struct cf_error *err)
{
    struct context c = {regular, group, how->slopes};
    struct observer observer = {regular->nstate, how->slopes ? regular->ngroup : 0, out};
    struct cf_ode_options options = {
        .seen = see, .observer = &observer, .s_slack = (double) INFINITY};

    return both(&c, touch, how, &options, out, err);
}

/* A running trace. */
struct trace {
    size_t n, next, nstate;
    const double *share;
    double duration, *x;
};

/* The states at scaled time t within a step, whose time grows with s. */
static void at_time(const struct cf_ode_dense *dense, double t, double x[])
{
    enum { HALVINGS = 52 }; /* to rounding of the step */
    double from, to;

    cf_ode_dense_span(dense, &from, &to);
    for (int i = 0; i < HALVINGS; i++) {
        double middle = 0.5 * (from + to);
        cf_ode_dense_at(dense, middle, x);
        *(x[CF_T] < t ? &from : &to) = middle;
    }
}

static void take(void *observer, const struct cf_ode_dense *dense)
{
    struct trace *trace = observer;
    double from, to, x[CF_MAX_REGULAR];

    cf_ode_dense_span(dense, &from, &to);
    cf_ode_dense_at(dense, to, x);
    for (; trace->next + 1 < trace->n; trace->next++) {
        double t = trace->share[trace->next] * trace->duration;
        if (t > x[CF_T])
            return;
        at_time(dense, t, &trace->x[trace->next * trace->nstate]);
    }
}

int cf_direct_trace(const struct cf_regular *regular, const double group[],
                    const struct cf_direct_how *how, double duration, size_t n,
                    const double share[], double x[], struct cf_error *err)
{
    const double touch[CF_MAX_REGULAR] = {[CF_W] = 1};
    struct context c = {regular, group, false};
    struct trace trace = {n, 1, regular->nstate, share, duration, x};
    struct cf_ode_options options = {.step = take, .observer = &trace};
    struct cf_instants at;
    int status = both(&c, touch, how, &options, &at, err);

    if (status)
        return status;
    memcpy(x, touch, regular->nstate * sizeof *x);
    while (trace.next < n)
        memcpy(&x[trace.next++ * regular->nstate], at.end.x, regular->nstate * sizeof *x);
    return CF_OK;
}
