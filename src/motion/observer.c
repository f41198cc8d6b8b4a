#include "motion/observer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const cf_motion_event_names[CF_NEVENT] = {
    [CF_EVENT_MAKE] = "make", [CF_EVENT_BREAK] = "break", [CF_EVENT_STICK] = "stick",
    [CF_EVENT_SLIP] = "slip", [CF_EVENT_APEX] = "apex",   [CF_EVENT_REST] = "rest",
};

/* Times that differ by less are equal: rounding of a multiple. */
static const double SAME = 1e-12;

int cf_observer_make(struct cf_observer *observer, const struct cf_system *system,
                     const struct cf_motion_options *options, struct cf_motion_result *result,
                     struct cf_error *err)
{
    *observer = (struct cf_observer){.system = system, .options = options, .result = result};
    observer->body = calloc(system->scene->nbody + 1, sizeof *observer->body);
    observer->contact = calloc(system->scene->npair + 1, sizeof *observer->contact);
    observer->time_by = calloc(options->nwrt + 1, sizeof *observer->time_by);
    observer->body_by = calloc(options->nwrt * system->scene->nbody + 1, sizeof *observer->body_by);
    observer->contact_by =
        calloc(options->nwrt * system->scene->npair + 1, sizeof *observer->contact_by);
    observer->account = calloc(system->scene->nbody + 1, sizeof *observer->account);
    if (!observer->account || !observer->body || !observer->contact || !observer->time_by ||
        !observer->body_by || !observer->contact_by)
        return cf_fail(err, CF_ENOMEM, "out of memory for a scene's snapshot");
    if (cf_ledger_make(&observer->ledger, system, options, result, err))
        return CF_ENOMEM;
    return options->on_values ? cf_values_make(&observer->values, system, options->nchannel,
                                               options->channel, options->nwrt, err)
                              : CF_OK;
}

void cf_observer_free(struct cf_observer *observer)
{
    free(observer->body);
    free(observer->contact);
    free(observer->time_by);
    free(observer->body_by);
    free(observer->contact_by);
    free(observer->account);
    cf_ledger_free(&observer->ledger);
    cf_values_free(&observer->values);
}

static void look_at_contact(const struct cf_system *system, const struct cf_contact_state *contact,
                            double time_s, const double state[], struct cf_contact_snapshot *out)
{
    struct cf_contact_kinematics *kin = &system->kin[contact - system->contact];

    cf_contact_geometry(system, contact, kin);
    if (contact->mode == CF_MODE_TOUCHING)
        cf_contact_forces(system, contact, state, kin);
    cf_contact_snapshot_at(system, contact, time_s, state, out);
}

void cf_observer_balance(struct cf_observer *observer, double time_s, const double state[])
{
    struct cf_motion_result *result = observer->result;
    double off;

    cf_system_poses(observer->system, time_s, state);
    cf_system_energies(observer->system, state, result->energy_J, observer->account);
    off = fabs(cf_energy_sum(result->energy_J) - observer->sum_J);
    if (!(off <= result->residual_J))
        result->residual_J = off;
    cf_ledger_note(&observer->ledger, time_s, observer->account);
}

void cf_observer_start(struct cf_observer *observer, const double state[], const double scale[])
{
    double *energy_J = observer->result->energy_J;

    cf_system_poses(observer->system, 0, state);
    cf_system_energies(observer->system, state, energy_J, observer->account);
    observer->sum_J = cf_energy_sum(energy_J);
    cf_ledger_start(&observer->ledger, observer->account, scale);
}

void cf_observer_judge(struct cf_observer *observer)
{
    cf_ledger_end(&observer->ledger);
}

/* The snapshot's derivatives. */
static void snapshot_by(struct cf_observer *observer, double time_s, const double state[])
{
    struct cf_sensitivity *sensitivity = observer->sensitivity;
    const struct cf_system *system = observer->system;
    size_t nbody = system->scene->nbody, npair = system->scene->npair;

    cf_sensitivity_contacts(sensitivity, time_s, true, state, sensitivity->s, false);
    for (size_t c = 0; c < sensitivity->ncolumn; c++) {
        const struct cf_along *along = &sensitivity->along[c];
        observer->time_by[c] = along->time;
        for (size_t b = 0; b < nbody; b++)
            cf_body_state_along(along, b, &observer->body[b], &observer->body_by[c * nbody + b]);
        for (size_t m = 0; m < npair; m++)
            cf_contact_snapshot_along(along, &system->contact[m], &system->kin[m],
                                      &sensitivity->contact[c * npair + m],
                                      &observer->contact_by[c * npair + m]);
    }
}

/* Makes the snapshot at a time and checks the energy balance there. `about` is the contact of an
 * event, where the contacts that are near are enough; CF_NONE for none. */
static struct cf_snapshot snapshot(struct cf_observer *observer, double time_s,
                                   const double state[], bool event, size_t about)
{
    const struct cf_system *system = observer->system;
    const bool *watched = observer->sensitivity ? NULL : observer->options->watched;

    cf_observer_balance(observer, time_s, state);
    for (size_t b = 0; b < system->scene->nbody; b++)
        cf_body_state_at(system, b, time_s, state, &observer->body[b]);
    if (watched)
        for (size_t m = 0; m < system->scene->npair; m++)
            if (watched[m] || m == about)
                look_at_contact(system, &system->contact[m], time_s, state, &observer->contact[m]);
    for (size_t k = 0; !watched && k < (event ? system->near.n : system->scene->npair); k++) {
        size_t m = event ? system->near.pair[k] : k;
        look_at_contact(system, &system->contact[m], time_s, state, &observer->contact[m]);
    }
    for (size_t i = 0; i < system->scene->chain.nlink; i++) {
        observer->angle[i] = state[system->angle + i] - (i > 0 ? state[system->angle + i - 1] : 0);
        observer->rate[i] = state[system->rate + i] - (i > 0 ? state[system->rate + i - 1] : 0);
    }
    if (observer->sensitivity)
        snapshot_by(observer, time_s, state);
    return (struct cf_snapshot){.time_s = time_s,
                                .body = observer->body,
                                .contact = observer->contact,
                                .energy_J = observer->result->energy_J,
                                .angle_rad = observer->angle,
                                .rate_rad_s = observer->rate,
                                .time_by = observer->time_by,
                                .body_by = observer->body_by,
                                .contact_by = observer->contact_by};
}

void cf_observer_event(struct cf_observer *observer, enum cf_motion_event what, size_t index,
                       double time_s, const double state[])
{
    observer->result->events[what]++;
    if (!observer->options->on_event) {
        cf_observer_balance(observer, time_s, state);
        return;
    }
    bool of_body = what == CF_EVENT_APEX || what == CF_EVENT_REST;
    struct cf_snapshot at =
        snapshot(observer, time_s, state, observer->sensitivity == NULL, of_body ? CF_NONE : index);
    observer->options->on_event(observer->options->observer, what, index, &at);
}

int cf_observer_stop(const struct cf_observer *observer, double time_s, struct cf_error *err)
{
    const struct cf_motion_options *options = observer->options;

    return options->stop && options->stop(options->observer, time_s)
               ? cf_fail(err, CF_ECANCELLED, "stopped at %g s", time_s)
               : CF_OK;
}

static void tell_values(struct cf_observer *observer, double time_s)
{
    const struct cf_value_list *list = &observer->values;
    const struct cf_values at = {time_s, observer->nsample, list->value, list->rate, list->by};

    observer->options->on_values(observer->options->observer, &at);
}

static void count_sample(struct cf_observer *observer, double time_s)
{
    observer->sampled_s = time_s;
    observer->nsample++;
    if (observer->options->every_s > 0) /* a step may be longer than the samples are apart */
        observer->nsample =
            (size_t) fmax((double) observer->nsample,
                          floor(time_s * (1 + SAME) / observer->options->every_s) + 1);
}

void cf_observer_sample(struct cf_observer *observer, double time_s, const double state[])
{
    if (observer->options->sample) {
        struct cf_snapshot at = snapshot(observer, time_s, state, false, CF_NONE);
        observer->options->sample(observer->options->observer, &at);
    }
    if (observer->options->on_values) {
        cf_values_of_state(&observer->values, time_s, state);
        tell_values(observer, time_s);
    }
    count_sample(observer, time_s);
}

bool cf_observer_takes_states(const struct cf_observer *observer)
{
    return !observer->options->sample && observer->values.states;
}

void cf_observer_states(struct cf_observer *observer, double time_s,
                        const struct cf_ode_dense *dense, double t)
{
    cf_values_of_step(&observer->values, dense, t);
    tell_values(observer, time_s);
    count_sample(observer, time_s);
}

void cf_observer_begin(struct cf_observer *observer, const double state[])
{
    const struct cf_motion_options *options = observer->options;

    if (options->ntime == 0 || !(options->time_s[0] > 0))
        cf_observer_sample(observer, 0, state);
}

void cf_observer_end(struct cf_observer *observer, double time_s, const double state[])
{
    if (observer->options->ntime == 0 && observer->sampled_s < time_s * (1 - SAME))
        cf_observer_sample(observer, time_s, state);
    else
        cf_observer_balance(observer, time_s, state);
}

double cf_observer_before(double time_s)
{
    return time_s * (1 - SAME);
}

double cf_observer_due(const struct cf_observer *observer)
{
    const struct cf_motion_options *o = observer->options;
    double every = o->every_s, from = o->from_s;

    if (!o->sample && !o->on_values)
        return (double) INFINITY;
    if (o->ntime > 0)
        return observer->nsample < o->ntime ? o->time_s[observer->nsample] : (double) INFINITY;
    if (!(every > 0))
        return (double) INFINITY;
    return fmax((double) observer->nsample, ceil(from / every)) * every;
}
