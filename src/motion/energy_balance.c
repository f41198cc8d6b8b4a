/* The energy books: what is evaluated, and what was integrated. */

#include "geometry/vector.h"
#include "motion/system.h"

const char *const cf_energy_names[CF_NENERGY] = {
    [CF_E_KINETIC] = "kinetic",
    [CF_E_POTENTIAL] = "potential",
    [CF_E_NORMAL_SPRING] = "normal_spring",
    [CF_E_TANGENTIAL_SPRING] = "tangential_spring",
    [CF_E_TETHER] = "tether",
    [CF_E_NORMAL_DAMPER] = "normal_damper",
    [CF_E_TANGENTIAL_DAMPER] = "tangential_damper",
    [CF_E_SLIDE] = "slide",
    [CF_E_VISCOUS] = "viscous",
    [CF_E_TETHER_DAMPER] = "tether_damper",
    [CF_E_WORK] = "work",
};

static void body_energies(const struct cf_system *system, size_t index, const double state[],
                          double energy_J[CF_NENERGY])
{
    const struct cf_rigid *body = &system->scene->body[index];
    const struct cf_pose *pose = &system->pose[index];
    const struct cf_seat *seat = &system->seat[index];
    double twice = body->mass_kg * cf_vec_dot(pose->v, pose->v);

    for (int k = 0; k < 3 && seat->spin != CF_NONE; k++)
        twice += body->inertia_kg_m2[k] * state[seat->spin + k] * state[seat->spin + k];
    if (seat->spin == CF_NONE && body->drive == CF_FREE && cf_rigid_turns(body))
        twice += body->inertia_kg_m2[0] * cf_vec_dot(pose->w, pose->w);
    energy_J[CF_E_KINETIC] += 0.5 * twice;
    energy_J[CF_E_POTENTIAL] -= body->mass_kg * cf_vec_dot(system->scene->gravity_m_s2, pose->x);
}

static void chain_energies(const struct cf_system *system, const double state[],
                           double energy_J[CF_NENERGY])
{
    const struct cf_scene *scene = system->scene;

    for (size_t i = 0; i < scene->chain.nlink; i++) {
        const struct cf_link *link = &scene->chain.link[i];
        const struct cf_pose *pose = &system->pose[link->body];
        double m = scene->body[link->body].mass_kg, spin = state[system->rate + i];
        energy_J[CF_E_KINETIC] +=
            0.5 * (m * cf_vec_dot(pose->v, pose->v) + link->inertia_kg_m2 * spin * spin);
        energy_J[CF_E_POTENTIAL] -= m * cf_vec_dot(scene->gravity_m_s2, pose->x);
    }
}

void cf_system_energies(const struct cf_system *system, const double state[],
                        double energy_J[CF_NENERGY])
{
    const struct cf_scene *scene = system->scene;

    for (int e = 0; e < CF_NENERGY; e++)
        energy_J[e] = system->account[e] == CF_NONE ? 0 : state[system->account[e]];
    for (size_t b = 0; b < scene->nbody; b++)
        if (scene->body[b].drive == CF_FREE)
            body_energies(system, b, state, energy_J);
    chain_energies(system, state, energy_J);
    for (size_t m = 0; m < scene->nmeeting; m++)
        cf_bond_energies(system, &system->bond[m], state, energy_J);
    for (size_t t = 0; t < scene->ntether; t++) {
        double at[3], v[3];
        cf_tether_ends(system, &scene->tether[t], at, v);
        energy_J[CF_E_TETHER] += 0.5 * scene->tether[t].stiffness_N_m * cf_vec_dot(at, at);
    }
}

double cf_energy_sum(const double energy_J[CF_NENERGY])
{
    double sum = -2 * energy_J[CF_E_WORK];

    for (int e = 0; e < CF_NENERGY; e++)
        sum += energy_J[e];
    return sum;
}
