/* The energy balance: terms evaluated from the state, and terms integrated. */

#include "geometry/vector.h"
#include "motion/system.h"

const char *const cf_energy_names[CF_NENERGY] = {
    [CF_ENERGY_KINETIC] = "kinetic",
    [CF_ENERGY_POTENTIAL] = "potential",
    [CF_ENERGY_NORMAL_SPRING] = "normal_spring",
    [CF_ENERGY_TANGENTIAL_SPRING] = "tangential_spring",
    [CF_ENERGY_TETHER] = "tether",
    [CF_ENERGY_NORMAL_DAMPER] = "normal_damper",
    [CF_ENERGY_LOOP] = "loop",
    [CF_ENERGY_TANGENTIAL_DAMPER] = "tangential_damper",
    [CF_ENERGY_SLIDE] = "slide",
    [CF_ENERGY_VISCOUS] = "viscous",
    [CF_ENERGY_ROLLING] = "rolling",
    [CF_ENERGY_SPINNING] = "spinning",
    [CF_ENERGY_TETHER_DAMPER] = "tether_damper",
    [CF_ENERGY_WORK] = "work",
};

static void body_energies(const struct cf_system *system, size_t index, const double state[],
                          double energy_J[CF_NENERGY])
{
    const struct cf_rigid *body = &system->scene->body[index];
    const struct cf_pose *pose = &system->pose[index];
    const struct cf_state_layout *layout = &system->layout[index];
    double twice = body->mass_kg * cf_vec_dot(pose->v, pose->v);

    for (int k = 0; k < 3 && layout->spin != CF_NONE; k++)
        twice += body->inertia_kg_m2[k] * state[layout->spin + k] * state[layout->spin + k];
    if (layout->spin == CF_NONE && body->drive == CF_DRIVE_FREE && cf_rigid_turns(body))
        twice += body->inertia_kg_m2[0] * cf_vec_dot(pose->w, pose->w);
    energy_J[CF_ENERGY_KINETIC] += 0.5 * twice;
    energy_J[CF_ENERGY_POTENTIAL] -=
        body->mass_kg * cf_vec_dot(system->scene->gravity_m_s2, pose->x);
}

static void chain_energies(const struct cf_system *system, const double state[],
                           double energy_J[CF_NENERGY])
{
    const struct cf_scene *scene = system->scene;

    for (size_t i = 0; i < scene->chain.nlink; i++) {
        const struct cf_link *link = &scene->chain.link[i];
        const struct cf_pose *pose = &system->pose[link->body];
        double m = scene->body[link->body].mass_kg, spin = state[system->rate + i];
        energy_J[CF_ENERGY_KINETIC] +=
            0.5 * (m * cf_vec_dot(pose->v, pose->v) + link->inertia_kg_m2 * spin * spin);
        energy_J[CF_ENERGY_POTENTIAL] -= m * cf_vec_dot(scene->gravity_m_s2, pose->x);
    }
}

void cf_system_energies(const struct cf_system *system, const double state[],
                        double energy_J[CF_NENERGY])
{
    const struct cf_scene *scene = system->scene;

    for (int e = 0; e < CF_NENERGY; e++)
        energy_J[e] = system->account[e] == CF_NONE ? 0 : state[system->account[e]];
    for (size_t b = 0; b < scene->nbody; b++)
        if (scene->body[b].drive == CF_DRIVE_FREE)
            body_energies(system, b, state, energy_J);
    chain_energies(system, state, energy_J);
    for (size_t k = 0; k < system->near.n; k++) /* those that touch are near */
        cf_contact_energies(system, &system->contact[system->near.pair[k]], state, energy_J);
    for (size_t t = 0; t < scene->ntether; t++) {
        double at[3], v[3];
        cf_tether_ends(system, &scene->tether[t], at, v);
        energy_J[CF_ENERGY_TETHER] += 0.5 * scene->tether[t].stiffness_N_m * cf_vec_dot(at, at);
    }
}

double cf_energy_sum(const double energy_J[CF_NENERGY])
{
    double sum = -2 * energy_J[CF_ENERGY_WORK];

    for (int e = 0; e < CF_NENERGY; e++)
        sum += energy_J[e];
    return sum;
}
