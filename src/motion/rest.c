/* Rest: speeds against sqrt(g z), accelerations against g, z being the depth of a contact under the
 * weight. Both are the swing about rest in parts of z.
 *
 * What creeps has next to no speed and acceleration and a long way to go. Two more things must be
 * small, therefore: what would accelerate the bodies if they stood still, against g (a depth that
 * the damper has not yet let reach its balance; a slope under friction that cannot stick); and the
 * way v^2/|a| on which a speed decays, against z (viscous friction on the flat). */

#include <math.h>
#include <string.h>

#include "geometry/vector.h"
#include "motion/phase.h"

/* What swings by less than this part of what the weight presses the contact in is at rest: it would
 * stay within that, and holds the square of it of that energy. */
const double cf_at_rest = 1e-6;

/* While the speeds alone are larger than this, squared, it does not rest, whatever the
 * accelerations, which cost as much as a rate. Rest is approached slowly and stays: the distance
 * from it before does not matter, and the reversal at the bottom of an impact is not examined. */
static const double SLOW = 1e-10, FAR = 1;

/* A speed of this part of sqrt(g z) is rounding, and goes no way. */
static const double ROUNDING = 1e-13;

/* Of the dwell state, so that a thousandth below 1 counts as rest does (1e-6 of the swing). */
static const double SET = 1e-3;

bool cf_scene_can_rest(const struct cf_scene *scene)
{
    if (!(cf_vec_norm(scene->gravity_m_s2) > 0) || scene->nforce > 0)
        return false;
    for (size_t m = 0; m < scene->npair; m++)
        if (scene->pair[m].load.n > 0)
            return false;
    for (size_t b = 0; b < scene->nbody; b++) {
        const struct cf_rigid *body = &scene->body[b];
        if (body->drive == CF_DRIVE_RECORDED || body->drive == CF_DRIVE_COMMANDED)
            return false;
        if (body->drive == CF_DRIVE_STEADY &&
            cf_vec_norm(body->velocity_m_s) + cf_vec_norm(body->spin_rad_s) > 0)
            return false;
    }
    return true;
}

/* |v|^2 of a body, its surface's included, from the states at `velocity` and `spin`. */
static double speed(const struct cf_system *system, size_t index, const double x[], size_t velocity)
{
    const struct cf_rigid *body = &system->scene->body[index];
    const struct cf_state_layout *layout = &system->layout[index];
    double sum = cf_vec_dot(x + velocity, x + velocity);

    for (int k = 0; k < 3 && layout->spin != CF_NONE; k++)
        sum += body->inertia_kg_m2[k] / body->mass_kg * x[layout->spin + k] * x[layout->spin + k];
    return sum;
}

/* Of speeds (x a state) or of accelerations (x its rates), squared. */
static double motion(const struct cf_system *system, const double x[])
{
    const struct cf_chain *chain = &system->scene->chain;
    double sum = 0;

    for (size_t b = 0; b < system->scene->nbody; b++)
        if (system->scene->body[b].drive == CF_DRIVE_FREE)
            sum += speed(system, b, x, system->layout[b].velocity);
    for (size_t i = 0; i < chain->nlink; i++) {
        double v = chain->link[i].length_m * x[system->rate + i];
        sum += v * v;
    }
    return sum;
}

/* The state with its bodies held still. */
static void hold(const struct cf_system *system, const double state[], double still[])
{
    memcpy(still, state, system->n * sizeof *still);
    for (size_t b = 0; b < system->scene->nbody; b++) {
        const struct cf_state_layout *layout = &system->layout[b];
        if (system->scene->body[b].drive != CF_DRIVE_FREE)
            continue;
        for (int k = 0; k < 3; k++) {
            still[layout->velocity + k] = 0;
            if (layout->spin != CF_NONE)
                still[layout->spin + k] = 0;
        }
    }
    for (size_t i = 0; i < system->scene->chain.nlink; i++)
        still[system->rate + i] = 0;
}

/* The way on which speeds decay, over z, squared; squares of speed and acceleration are in parts of
 * g z and g^2. */
static double way(double speed, double acceleration)
{
    double v = fmax(speed - ROUNDING * ROUNDING, 0);

    return v > 0 ? v * v / acceleration : 0;
}

double cf_phase_weight(const struct cf_system *system)
{
    double z = 0;

    for (size_t k = 0; k < system->near.n; k++) {
        const struct cf_contact_state *contact = &system->contact[system->near.pair[k]];
        if (contact->mode == CF_MODE_TOUCHING)
            z = fmax(z, contact->depth_scale_m);
    }
    return z;
}

double cf_phase_unrest(const struct cf_phase *phase, double s, const double state[])
{
    const struct cf_system *system = phase->system;
    double g = phase->gravity_m_s2, z = phase->weight_m, unrest, moves, pulls, per_s = 1, *rate;

    if (!(z > 0))
        return 1;
    moves = motion(system, state) / (g * z);
    if (moves > SLOW)
        return FAR;
    rate = phase->rate;
    cf_system_rates(system, s, state, rate);
    if (system->fresh != CF_NONE)
        per_s = rate[system->time];
    pulls = motion(system, rate) / (g * g * per_s * per_s);
    unrest = moves + pulls + way(moves, pulls);
    for (size_t k = 0; k < system->near.n; k++) {
        const struct cf_contact_state *contact = &system->contact[system->near.pair[k]];
        if (contact->bristle == CF_NONE)
            continue;
        const struct cf_friction_law *law = contact->pair->friction;
        for (size_t i = 0; i < law->nvector; i++) {
            const double *by = rate + contact->bristle + 3 * i;
            unrest += cf_vec_dot(by, by) / (g * z * per_s * per_s);
        }
        if (contact->mode == CF_MODE_TOUCHING && law->dwell) /* it still rises to 1 */
            unrest +=
                pow(SET * (1 - state[contact->bristle + cf_bristle_number(law, law->dwell)]), 2);
    }
    if (unrest > SLOW)
        return fmin(unrest, FAR);
    hold(system, state, phase->still);
    cf_system_rates(system, s, phase->still, rate);
    return unrest + motion(system, rate) / (g * g * per_s * per_s);
}
