/* The workspace of the stepper: made once, checked at the start of every run. */

#include "ode/workspace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ode/stiff.h"

struct cf_ode *cf_ode_alloc(size_t n, size_t ncolumn)
{
    struct cf_ode *ode = calloc(1, sizeof *ode);
    size_t rows = 2 * CF_DOP_ALL + 6 + CF_ODE_TERMS, all = ncolumn * n;
    size_t all_rows = CF_DOP_ALL + 5 + CF_ODE_TERMS;
    double *next;

    if (!ode)
        return NULL;
    ode->n = n;
    ode->ncolumn = ncolumn;
    /* sums over blocks of states read beyond the last */
    ode->store = calloc(rows * n + all_rows * all + ncolumn + CF_ODE_SLACK, sizeof *ode->store);
    if (!ode->store) {
        cf_ode_free(ode);
        return NULL;
    }
    next = ode->store;
    ode->k = next;
    ode->stage = next += CF_DOP_ALL * n;
    ode->y = next += CF_DOP_ALL * n;
    ode->next = next += n;
    ode->spare = next += n;
    ode->nudged = next += n;
    ode->unit = next += n;
    ode->dense.y = next += n;
    ode->dense.term = next += n;
    ode->s_rate = next += CF_ODE_TERMS * n;
    ode->s_now = next += CF_DOP_ALL * all;
    ode->s_next = next += all;
    ode->s_stage = next += all;
    ode->s_own_size = next += all;
    ode->s_seen = next += all;
    ode->dense.s_term = next += all;
    ode->dtau = next + CF_ODE_TERMS * all;
    ode->dense.n = n;
    ode->dense.ode = ode;
    return ode;
}

void cf_ode_free(struct cf_ode *ode)
{
    if (!ode)
        return;
    cf_stiff_free(ode->stiff);
    free(ode->watch);
    free(ode->store);
    free(ode);
}

bool cf_ode_finite(size_t n, const double x[])
{
    double sum = 0;

    /* x - x is 0 unless x is infinite or NaN */
    for (size_t i = 0; i < n; i++)
        sum += x[i] - x[i];
    return sum == 0;
}

int cf_ode_events_room(struct cf_ode *ode, size_t nevent, struct cf_error *err)
{
    struct cf_ode_events *watch;

    if (nevent <= ode->nevent)
        return CF_OK;
    watch = realloc(ode->watch, nevent * sizeof *watch);
    if (!watch)
        return cf_fail(err, CF_ENOMEM, "out of memory for %zu events", nevent);
    ode->watch = watch;
    ode->nevent = nevent;
    return CF_OK;
}

static int check_columns(const struct cf_ode_system *system, struct cf_error *err)
{
    if (system->ncolumn == 0)
        return CF_OK;
    if (!system->variation)
        return cf_fail(err, CF_ERANGE, "the system has %zu sensitivities and no variation",
                       system->ncolumn);
    for (size_t e = 0; e < system->nevent; e++) {
        const struct cf_ode_event *event = &system->event[e];
        if (!event->slope || (event->reset && !event->reset_slope))
            return cf_fail(err, CF_ERANGE,
                           "event \"%s\" has no %s, which the system's %zu sensitivities need",
                           event->name, event->slope ? "reset_slope" : "slope", system->ncolumn);
    }
    return CF_OK;
}

static int stiff_room(struct cf_ode *ode, struct cf_error *err)
{
    if (ode->options->method == CF_ODE_EXPLICIT)
        return CF_OK;
    if (!ode->stiff)
        ode->stiff = cf_stiff_alloc(ode->n, ode->ncolumn);
    if (!ode->stiff)
        return cf_fail(err, CF_ENOMEM, "out of memory for a stiff system of %zu states", ode->n);
    ode->stiff->nread = ode->nrow;
    for (size_t c = 0; c < ode->ncolumn; c++)
        ode->stiff->column[c].n = ode->nrow;
    cf_stiff_start(ode);
    return CF_OK;
}

static void start_sizes(struct cf_ode *ode)
{
    ode->s_size = ode->options->s_size ? ode->options->s_size : ode->s_own_size;
    for (size_t c = 0; c < ode->ncolumn && !ode->options->s_size; c++)
        memcpy(ode->s_size + c * ode->nrow, ode->options->scale, ode->nrow * sizeof *ode->s_size);
}

int cf_ode_prepare(struct cf_ode *ode, const struct cf_ode_system *system, const void *context,
                   const struct cf_ode_options *options, double t, double t_end,
                   struct cf_error *err)
{
    int status;

    if (system->n != ode->n || system->ncolumn != ode->ncolumn)
        return cf_fail(err, CF_ERANGE,
                       "the system has %zu states and %zu sensitivities, the workspace %zu and %zu",
                       system->n, system->ncolumn, ode->n, ode->ncolumn);
    if (system->nread > system->n)
        return cf_fail(err, CF_ERANGE, "rates read %zu states of the system's %zu", system->nread,
                       system->n);
    if (!(options->tolerance > 0 && options->tolerance < 1))
        return cf_fail(err, CF_ERANGE, "tolerance = %g lies outside 0 to 1", options->tolerance);
    for (size_t i = 0; i < ode->n; i++)
        if (!(options->scale[i] > 0 && isfinite(options->scale[i])))
            return cf_fail(err, CF_ERANGE, "the scale of state %zu is %g: it must be above 0", i,
                           options->scale[i]);
    if (!(t_end > t))
        return cf_fail(err, CF_ERANGE, "the end t = %g does not lie after the start t = %g", t_end,
                       t);
    status = check_columns(system, err);
    if (status != CF_OK)
        return status;
    ode->system = system;
    ode->context = context;
    ode->options = options;
    ode->stiff_now = options->method == CF_ODE_STIFF;
    ode->nrow = system->nread > 0 ? system->nread : system->n;
    start_sizes(ode);
    cf_ode_suspect(ode);
    status = stiff_room(ode, err);
    if (status != CF_OK)
        return status;
    return cf_ode_events_room(ode, system->nevent, err);
}

const char *cf_ode_reason_text(enum cf_ode_reason reason)
{
    static const char *const text[] = {
        [CF_ODE_REACHED] = "the end was reached",
        [CF_ODE_EVENT] = "a terminal event",
        [CF_ODE_STEPS] = "the limit of steps ran out",
        [CF_ODE_STOPPED] = "it was asked to stop",
        [CF_ODE_TOO_SMALL] = "the step fell below the rounding of t",
        [CF_ODE_NOT_FINITE] = "a rate, a state or an event's g is not finite",
        [CF_ODE_GRAZING] = "an event touches 0 without going through",
    };
    return text[reason];
}

int cf_ode_stopped(const struct cf_ode *ode, const struct cf_ode_result *out, struct cf_error *err)
{
    if (out->reason == CF_ODE_STEPS)
        return cf_fail(err, CF_ESOLVE,
                       "integration stopped at t = %.9g: the limit of %zu steps "
                       "ran out",
                       ode->t, ode->options->max_steps);
    if (out->reason == CF_ODE_GRAZING)
        return cf_fail(err, CF_ESOLVE,
                       "integration stopped at t = %.9g: the event \"%s\" touches 0 without going "
                       "through, so that no sensitivity exists",
                       ode->t, ode->system->event[out->event].name);
    return cf_fail(err, CF_ESOLVE, "integration stopped at t = %.9g: %s", ode->t,
                   cf_ode_reason_text(out->reason));
}
