/* A touch begins and ends: what is set for its law, and what the books take over. */

#include <math.h>
#include <string.h>

#include "geometry/vector.h"
#include "motion/system.h"

/* A touch without speed and without a weight on it has the scales of one at this speed. */
static const double LEAST_SPEED_M_S = 1e-6;

/* A surface that stands this part of where it was left, or of how deep it was pressed, is back. */
static const double BACK = 1e-9;

double cf_bond_first_root(const struct cf_bond *bond)
{
    static const double STILL = 1e-6, FAR_BELOW = 1e-12; /* of its scales of speed and depth */

    if (bond->approach_m_s > STILL * bond->speed_scale_m_s)
        return 0;
    return cf_bond_root(bond, FAR_BELOW * bond->depth_scale_m);
}

static double mobility(const struct cf_system *system, const double state[], size_t body,
                       const double point[3], const double n[3])
{
    const struct cf_rigid *rigid = &system->scene->body[body];
    const struct cf_pose *pose = &system->pose[body];
    double lever[3], moment[3], sum = 0;

    if (rigid->drive == CF_LINK)
        return cf_chain_mobility(system, state, body, point, n);
    if (rigid->drive != CF_FREE)
        return 0;
    cf_vec_sub(point, pose->x, lever);
    cf_vec_cross(lever, n, moment);
    for (int k = 0; k < 3 && cf_rigid_turns(rigid); k++) {
        double along = pose->turned ? pose->r[0][k] * moment[0] + pose->r[1][k] * moment[1] +
                                          pose->r[2][k] * moment[2]
                                    : moment[k];
        sum += along * along / rigid->inertia_kg_m2[k];
    }
    return 1 / rigid->mass_kg + sum;
}

double cf_bond_mass(const struct cf_system *system, const struct cf_bond *bond,
                    const double state[], const struct cf_grip *grip)
{
    const size_t *body = bond->meeting->body;

    return 1 / (mobility(system, state, body[0], grip->point, grip->n) +
                mobility(system, state, body[1], grip->point, grip->n));
}

/* The depth at which the spring holds the energy. */
static double depth_of_energy(const struct cf_bond *bond, double energy_J)
{
    const struct cf_law *law = bond->meeting->law;
    const double none[CF_MAX_STATE] = {0};
    struct cf_contact c = {.mass_kg = bond->mass_kg,
                           .radius_m = bond->radius_m,
                           .approach_m_s = bond->approach_m_s,
                           .state = none};
    double low = 1e-15, high = 1e3; /* metres: beyond either no contact is */

    while (high > 1.5 * low) {
        c.depth_m = sqrt(low * high);
        *(law->energy(law, bond->p, &c) < energy_J ? &low : &high) = c.depth_m;
    }
    return low;
}

/* What a touch makes of its energy and of the weight on it. */
static void set_scales(const struct cf_system *system, struct cf_bond *bond)
{
    const struct cf_law *law = bond->meeting->law;
    double g = cf_vec_norm(system->scene->gravity_m_s2), m = bond->mass_kg;
    double v = fmax(bond->approach_m_s, LEAST_SPEED_M_S), energy, z;

    if (!law) {
        bond->force_scale_N = fmax(bond->meeting->load_N, 1e-12);
        bond->speed_scale_m_s = 1;
        return;
    }
    if (!isfinite(m)) /* both bodies are driven */
        m = 1;
    energy = 0.5 * m * v * v;
    z = depth_of_energy(bond, energy);
    if (m * g * z > energy) { /* the weight presses it deeper: m g z = spring's energy there */
        for (int i = 0; i < 8; i++)
            z = depth_of_energy(bond, m * g * z);
        energy = m * g * z;
    }
    bond->depth_scale_m = z;
    bond->force_scale_N = energy / z;
    bond->speed_scale_m_s = sqrt(2 * energy / m);
}

/* A law that is driven by a wanted e takes it from another law, at the speed of this touch. */
static void aim(struct cf_bond *bond)
{
    const struct cf_meeting *meeting = bond->meeting;
    struct cf_restitution told;
    size_t e;

    if (!meeting->restitution)
        return;
    meeting->restitution->restitution(meeting->e_param, bond->approach_m_s, &told);
    e = cf_param_find(meeting->law->param, meeting->law->nparam, "e");
    bond->p[e] = fmin(fmax(told.e, 0), 1);
}

/* Energy that the spring of a contact's law holds. */
static double held_by_law(const struct cf_bond *bond, const double state[],
                          const struct cf_grip *grip)
{
    const struct cf_law *law = bond->meeting->law;
    struct cf_contact c = {.depth_m = grip->depth,
                           .mass_kg = bond->mass_kg,
                           .radius_m = bond->radius_m,
                           .approach_m_s = bond->approach_m_s,
                           .state = bond->state == CF_NONE ? NULL : state + bond->state};
    return law ? law->energy(law, bond->p, &c) : 0;
}

/* And what its friction holds. */
static double held_by_friction(const struct cf_bond *bond, const double state[],
                               const struct cf_grip *grip)
{
    const struct cf_meeting *meeting = bond->meeting;

    if (bond->stored != CF_NONE)
        return state[bond->stored];
    return bond->bristle == CF_NONE
               ? 0
               : cf_friction_energy(meeting->friction, meeting->friction_p, &grip->slide);
}

void cf_bond_touch(struct cf_system *system, struct cf_bond *bond, double time_s, double state[],
                   const struct cf_grip *grip)
{
    const struct cf_meeting *meeting = bond->meeting;
    const struct cf_law *law = meeting->law;
    struct cf_damping damping;
    bool clamped = bond->mode == CF_CLAMPED;

    bond->opened = bond->mode == CF_OPEN || grip->depth <= BACK * bond->left_m;
    bond->mode = CF_TOUCHING;
    bond->touched_s = time_s;
    bond->approach_m_s = fmax(grip->rate, 0);
    bond->mass_kg = cf_bond_mass(system, bond, state, grip);
    aim(bond);
    set_scales(system, bond);
    if (law && bond->whole) {
        bond->k = bond->p[cf_law_k(law)];
        law->damping(bond->p, bond->mass_kg, bond->approach_m_s, &damping);
        bond->ratio = damping.ratio;
        bond->spring = (int) lround(bond->q * law->n);
        bond->damper = (int) lround(bond->q * law->p);
    }
    if (bond->state != CF_NONE)
        memset(state + bond->state, 0, law->nstate * sizeof *state);
    if (bond->bristle != CF_NONE)
        memset(state + bond->bristle, 0, (meeting->friction->nstate + 1) * sizeof *state);
    if (clamped && law) /* what was taken for lost when the force ended, and is in the spring yet */
        state[system->account[CF_E_NORMAL_DAMPER]] -= held_by_law(bond, state, grip);
}

void cf_bond_leave(struct cf_system *system, struct cf_bond *bond, double time_s, double state[],
                   const struct cf_grip *grip)
{
    struct cf_grip place;

    state[system->account[CF_E_NORMAL_DAMPER]] += held_by_law(bond, state, grip);
    if (bond->bristle != CF_NONE)
        state[system->account[CF_E_TANGENTIAL_DAMPER]] += held_by_friction(bond, state, grip);
    if (bond->stored != CF_NONE)
        state[bond->stored] = 0;
    bond->left_m = fmax(grip->depth, 0);
    bond->left_s = time_s;
    /* y and the place agree to the tolerance only: what is out by either is open */
    cf_bond_meet(system, bond, &place);
    bond->mode =
        bond->left_m > BACK * bond->depth_scale_m && place.depth > 0 ? CF_CLAMPED : CF_OPEN;
}

void cf_bond_energies(const struct cf_system *system, const struct cf_bond *bond,
                      const double state[], double energy_J[CF_NENERGY])
{
    struct cf_grip grip;

    if (bond->mode != CF_TOUCHING)
        return;
    cf_bond_meet(system, bond, &grip);
    cf_bond_press(system, bond, state, &grip);
    energy_J[CF_E_NORMAL_SPRING] += held_by_law(bond, state, &grip);
    energy_J[CF_E_TANGENTIAL_SPRING] += held_by_friction(bond, state, &grip);
}
