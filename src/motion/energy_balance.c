/* The energy balance: terms evaluated from the state, and terms integrated. */

#include <string.h>

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

static double potential(const struct cf_system *system, size_t index)
{
    return -system->scene->body[index].mass_kg *
           cf_vec_dot(system->scene->gravity_m_s2, system->pose[index].x);
}

static void body_energies(const struct cf_system *system, size_t index, const double state[],
                          double account[CF_NACCOUNT])
{
    const struct cf_rigid *body = &system->scene->body[index];
    const struct cf_pose *pose = &system->pose[index];
    const struct cf_state_layout *layout = &system->layout[index];
    double twice = body->mass_kg * cf_vec_dot(pose->v, pose->v);

    for (int k = 0; k < 3 && layout->spin != CF_NONE; k++)
        twice += body->inertia_kg_m2[k] * state[layout->spin + k] * state[layout->spin + k];
    if (layout->spin == CF_NONE && cf_rigid_turns(body))
        twice += body->inertia_kg_m2[0] * cf_vec_dot(pose->w, pose->w);
    account[CF_ACCOUNT_KINETIC] = 0.5 * twice;
    account[CF_ACCOUNT_POTENTIAL] = potential(system, index);
}

static void chain_energies(const struct cf_system *system, const double state[],
                           double account[][CF_NACCOUNT])
{
    const struct cf_scene *scene = system->scene;

    for (size_t i = 0; i < scene->chain.nlink; i++) {
        const struct cf_link *link = &scene->chain.link[i];
        const struct cf_pose *pose = &system->pose[link->body];
        double m = scene->body[link->body].mass_kg, spin = state[system->rate + i];
        account[link->body][CF_ACCOUNT_KINETIC] =
            0.5 * (m * cf_vec_dot(pose->v, pose->v) + link->inertia_kg_m2 * spin * spin);
        account[link->body][CF_ACCOUNT_POTENTIAL] = potential(system, link->body);
    }
}

/* What was integrated: of one body that keeps accounts all of it is on that one. */
static void integrated(const struct cf_system *system, const double state[],
                       const double energy_J[CF_NENERGY], double account[][CF_NACCOUNT])
{
    double lost = 0;

    for (int e = CF_ENERGY_NORMAL_DAMPER; e < CF_ENERGY_WORK; e++)
        lost += energy_J[e];
    for (size_t b = 0; b < system->scene->nbody; b++) {
        const struct cf_state_layout *layout = &system->layout[b];
        if (!layout->keeps)
            continue;
        account[b][CF_ACCOUNT_LOST] = layout->lost == CF_NONE ? lost : state[layout->lost];
        account[b][CF_ACCOUNT_WORK] = layout->lost == CF_NONE
                                          ? energy_J[CF_ENERGY_WORK]
                                          : (layout->work == CF_NONE ? 0 : state[layout->work]);
    }
}

void cf_system_energies(const struct cf_system *system, const double state[],
                        double energy_J[CF_NENERGY], double account[][CF_NACCOUNT])
{
    const struct cf_scene *scene = system->scene;

    for (int e = 0; e < CF_NENERGY; e++)
        energy_J[e] = system->account[e] == CF_NONE ? 0 : state[system->account[e]];
    memset(account, 0, scene->nbody * sizeof *account);
    integrated(system, state, energy_J, account);
    for (size_t b = 0; b < scene->nbody; b++)
        if (scene->body[b].drive == CF_DRIVE_FREE)
            body_energies(system, b, state, account[b]);
    chain_energies(system, state, account);
    for (size_t b = 0; b < scene->nbody; b++) {
        energy_J[CF_ENERGY_KINETIC] += account[b][CF_ACCOUNT_KINETIC];
        energy_J[CF_ENERGY_POTENTIAL] += account[b][CF_ACCOUNT_POTENTIAL];
    }
    for (size_t k = 0; k < system->near.n; k++) { /* those that touch are near */
        const struct cf_contact_state *contact = &system->contact[system->near.pair[k]];
        double normal = 0, friction = 0;
        cf_contact_energies(system, contact, state, &normal, &friction);
        energy_J[CF_ENERGY_NORMAL_SPRING] += normal;
        energy_J[CF_ENERGY_TANGENTIAL_SPRING] += friction;
        account[contact->keeper][CF_ACCOUNT_CONTACTS] += normal + friction;
    }
    for (size_t t = 0; t < scene->ntether; t++) {
        const struct cf_tether *tether = &scene->tether[t];
        double at[3], v[3], held;
        cf_tether_ends(system, tether, at, v);
        held = 0.5 * tether->stiffness_N_m * cf_vec_dot(at, at);
        energy_J[CF_ENERGY_TETHER] += held;
        account[cf_keeper(scene, tether->body)][CF_ACCOUNT_SPRINGS] += held;
    }
}

double cf_energy_sum(const double energy_J[CF_NENERGY])
{
    double sum = -2 * energy_J[CF_ENERGY_WORK];

    for (int e = 0; e < CF_NENERGY; e++)
        sum += energy_J[e];
    return sum;
}
