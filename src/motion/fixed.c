/* Fixed steps in time, as a simulator takes them. What is found in overlap at the end of a step
 * touches there: its approach speed is the one it has by then, and with [G07] 3.44-3.45 the overlap
 * z_o that it was found with is taken off the depth and fades in tau_r. */

#include "motion/fixed.h"

#include <math.h>

static void observe(struct cf_phase *phase, double time_s)
{
    struct cf_system *system = phase->system;
    double *state = phase->state;

    cf_system_poses(system, time_s, state);
    for (size_t m = 0; m < system->scene->nmeeting; m++) {
        struct cf_bond *bond = &system->bond[m];
        struct cf_grip grip;
        if (!bond->meeting->law)
            continue;
        cf_bond_meet(system, bond, &grip);
        if (bond->mode == CF_OPEN && grip.depth > 0) {
            cf_bond_touch(system, bond, time_s, state, &grip);
            if (bond->relaxed != CF_NONE)
                state[bond->relaxed] = grip.depth;
            cf_watch_happened(phase->watch, CF_MAKE, m, time_s, state);
        } else if (bond->mode == CF_TOUCHING && !(grip.depth > 0)) {
            cf_bond_press(system, bond, state, &grip);
            cf_watch_happened(phase->watch, CF_BREAK, m, time_s, state);
            cf_bond_leave(system, bond, time_s, state, &grip);
            if (bond->relaxed != CF_NONE)
                state[bond->relaxed] = 0;
        }
    }
}

int cf_motion_fixed(struct cf_phase *phase, double *time_s, struct cf_error *err)
{
    struct cf_system *system = phase->system;
    const struct cf_motion_options *options = phase->watch->options;
    const struct cf_ode_system rates = {.n = system->n, .rates = cf_system_rates};
    struct cf_motion_result *total = phase->watch->result;
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
        if (status != CF_OK)
            return status;
        *time_s = fmin((double) (i + 1) * options->dt_s, end_s);
        cf_system_rebase(system, phase->state);
        observe(phase, *time_s);
        /* samples fall on the ends of steps */
        if (cf_watch_due(phase->watch) <= *time_s * (1 + 1e-12))
            cf_watch_sample(phase->watch, *time_s, phase->state);
        else
            cf_watch_books(phase->watch, *time_s, phase->state);
    }
    return CF_OK;
}
