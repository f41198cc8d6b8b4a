/* Fixed steps in time, as a simulator takes them. A pair found in overlap at the end of a step
 * touches there: its approach speed is the one at that time, and with [G07] 3.44-3.45 the overlap
 * z_o that it was found with is taken off the depth and fades in tau_r. */

#include "motion/fixed.h"

#include <math.h>

#include "motion/patch.h"

/* What a contact was found with: its depth, or its volume. */
static double found(const struct cf_system *system, const struct cf_contact_state *contact,
                    const double state[], const struct cf_contact_kinematics *kin)
{
    struct cf_contact_kinematics pressed = *kin;

    if (!contact->patch)
        return kin->depth;
    cf_contact_forces(system, contact, state, &pressed);
    return pressed.patch.pressed_m3;
}

static void observe(struct cf_phase *phase, double time_s)
{
    struct cf_system *system = phase->system;
    double *state = phase->state;

    cf_system_poses(system, time_s, state);
    cf_near_renew(system);
    for (size_t k = 0; k < system->near.n; k++) {
        size_t m = system->near.pair[k];
        struct cf_contact_state *contact = &system->contact[m];
        struct cf_contact_kinematics kin;
        if (!contact->pair->law)
            continue;
        cf_contact_geometry(system, contact, &kin);
        if (contact->mode == CF_MODE_OPEN && kin.depth > 0) {
            cf_contact_touch(system, contact, time_s, state, &kin);
            if (contact->relaxed != CF_NONE)
                state[contact->relaxed] = found(system, contact, state, &kin);
            cf_observer_event(phase->observer, CF_EVENT_MAKE, m, time_s, state);
        } else if (contact->mode == CF_MODE_TOUCHING && !(kin.depth > 0)) {
            cf_contact_forces(system, contact, state, &kin);
            cf_observer_event(phase->observer, CF_EVENT_BREAK, m, time_s, state);
            cf_contact_leave(system, contact, time_s, state, &kin);
            if (contact->relaxed != CF_NONE)
                state[contact->relaxed] = 0;
        }
    }
}

int cf_motion_fixed(struct cf_phase *phase, double *time_s, struct cf_error *err)
{
    struct cf_system *system = phase->system;
    const struct cf_motion_options *options = phase->observer->options;
    const struct cf_ode_system rates = {.n = system->n, .rates = cf_system_rates};
    struct cf_motion_result *total = phase->observer->result;
    double end_s = system->scene->duration_s, steps = ceil(end_s / options->dt_s * (1 - 1e-12));

    if (!(steps <= (double) options->max_steps))
        return cf_fail(
            err, CF_ESOLVE,
            "%.0f steps of %g s for %g s are more than the %zu allowed: take longer ones "
            "or allow more",
            steps, options->dt_s, end_s, options->max_steps);
    for (size_t i = 0; (double) i < steps; i++) {
        struct cf_ode_result result = {0};
        system->began_s = *time_s;
        double dt = fmin(options->dt_s, end_s - *time_s);
        int status = cf_ode_fixed(phase->ode, options->scheme, &rates, system, dt, 1, time_s,
                                  phase->state, &result, err);
        total->steps++;
        total->evaluations += result.evaluations;
        if (status == CF_ESOLVE)
            return cf_phase_stopped(phase, *time_s, &result, err);
        if (status == CF_OK)
            status = cf_observer_stop(phase->observer, *time_s, err);
        if (status != CF_OK)
            return status;
        *time_s = fmin((double) (i + 1) * options->dt_s, end_s);
        cf_system_rebase(system, phase->state);
        cf_patches_keep(system, *time_s, phase->state);
        observe(phase, *time_s);
        /* samples fall on the ends of steps */
        if (cf_observer_due(phase->observer) <= *time_s * (1 + 1e-12))
            cf_observer_sample(phase->observer, *time_s, phase->state);
        else
            cf_observer_balance(phase->observer, *time_s, phase->state);
    }
    return CF_OK;
}
