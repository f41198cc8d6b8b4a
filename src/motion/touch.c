/* A touch begins and ends: what is set for its law, and what the energy balance takes over. */

#include <float.h>
#include <math.h>
#include <string.h>

#include "geometry/vector.h"
#include "motion/patch.h"

/* A touch without speed and weight has the scales of one at this speed. */
static const double LEAST_SPEED_M_S = 1e-6;

/* A surface within this part of the depth at which it was left, or of the peak depth, has
 * recovered. */
static const double BACK = 1e-9;

double cf_contact_first_root(const struct cf_contact_state *contact)
{
    static const double STILL = 1e-6, FAR_BELOW = 1e-12; /* of its scales of speed and depth */

    if (contact->approach_m_s > STILL * contact->speed_scale_m_s)
        return 0;
    return cf_contact_root(contact, FAR_BELOW * contact->depth_scale_m);
}

double cf_contact_rounding(const struct cf_system *system, const struct cf_contact_state *contact)
{
    static const double ROUNDINGS = 16; /* of sums and roots of a few coordinates */
    double size = contact->lever_m;

    for (int side = 0; side < 2; side++)
        for (int k = 0; k < 3; k++)
            size = fmax(size, fabs(system->pose[contact->pair->body[side]].x[k]));
    if (contact->ball)
        size = fmax(size, contact->ball->radius_m);
    return ROUNDINGS * DBL_EPSILON * size;
}

static double mobility(const struct cf_system *system, const double state[], size_t body,
                       const double point[3], const double n[3])
{
    const struct cf_rigid *rigid = &system->scene->body[body];
    const struct cf_pose *pose = &system->pose[body];
    double lever[3], moment[3], sum = 0;

    if (rigid->drive == CF_DRIVE_LINK)
        return cf_chain_mobility(system, state, body, point, n);
    if (rigid->drive != CF_DRIVE_FREE)
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

double cf_contact_mass(const struct cf_system *system, const struct cf_contact_state *contact,
                       const double state[], const struct cf_contact_kinematics *kin)
{
    const size_t *body = contact->pair->body;

    return 1 / (mobility(system, state, body[0], kin->point, kin->n) +
                mobility(system, state, body[1], kin->point, kin->n));
}

/* What the spring holds at a depth. */
static double energy_at(const struct cf_contact_state *contact,
                        const struct cf_contact_kinematics *kin, struct cf_contact *c)
{
    const struct cf_law *law = contact->pair->law;

    return contact->patch ? cf_patch_energy_to(contact, kin, c->depth_m)
                          : law->energy(law, contact->p, c);
}

/* The depth at which the spring holds the energy. */
static double depth_of_energy(const struct cf_contact_state *contact,
                              const struct cf_contact_kinematics *kin, double energy_J)
{
    const double none[CF_MAX_STATE] = {0};
    struct cf_contact c = {.mass_kg = contact->mass_kg,
                           .radius_m = contact->radius_m,
                           .approach_m_s = contact->approach_m_s,
                           .state = none};
    double low = 1e-15, high = 1e3; /* metres: no contact is outside */

    while (high > 1.5 * low) {
        c.depth_m = sqrt(low * high);
        *(energy_at(contact, kin, &c) < energy_J ? &low : &high) = c.depth_m;
    }
    return low;
}

/* Scales of a touch from its energy and the weight on it. */
static void set_scales(const struct cf_system *system, struct cf_contact_state *contact,
                       const struct cf_contact_kinematics *kin)
{
    const struct cf_law *law = contact->pair->law;
    double g = cf_vec_norm(system->scene->gravity_m_s2), m = contact->mass_kg;
    double v = fmax(contact->approach_m_s, LEAST_SPEED_M_S), energy, z;

    if (!law) {
        contact->force_scale_N = fmax(contact->pair->load_N, 1e-12);
        contact->speed_scale_m_s = 1;
        return;
    }
    if (!isfinite(m)) /* both bodies are driven */
        m = 1;
    energy = 0.5 * m * v * v;
    z = depth_of_energy(contact, kin, energy);
    if (m * g * z > energy) { /* the weight presses it deeper: m g z = spring's energy there */
        for (int i = 0; i < 8; i++)
            z = depth_of_energy(contact, kin, m * g * z);
        energy = m * g * z;
    }
    contact->depth_scale_m = z;
    contact->force_scale_N = energy / z;
    contact->speed_scale_m_s = sqrt(2 * energy / m);
}

/* A law that is driven by a wanted e takes it from another law, at the speed of this touch. */
static void aim(struct cf_contact_state *contact)
{
    const struct cf_contact_pair *pair = contact->pair;
    struct cf_restitution target;
    size_t e;

    if (!pair->restitution)
        return;
    pair->restitution->restitution(pair->e_param, contact->approach_m_s, &target);
    e = cf_param_find(pair->law->param, pair->law->nparam, "e");
    contact->p[e] = fmin(fmax(target.e, 0), 1);
}

/* Energy that the spring of a contact's law holds. */
static double held_by_law(const struct cf_contact_state *contact, const double state[],
                          const struct cf_contact_kinematics *kin)
{
    const struct cf_law *law = contact->pair->law;
    struct cf_contact c = cf_contact_seen(contact, state, kin);

    if (contact->pressed != CF_NONE)
        return state[contact->pressed];
    return law ? law->energy(law, contact->p, &c) : 0;
}

/* And that of its friction. */
static double held_by_friction(const struct cf_contact_state *contact, const double state[],
                               const struct cf_contact_kinematics *kin)
{
    const struct cf_contact_pair *pair = contact->pair;

    if (contact->stored != CF_NONE)
        return state[contact->stored];
    return contact->bristle == CF_NONE
               ? 0
               : cf_friction_energy(pair->friction, pair->friction_p, &kin->slide);
}

/* Counts an energy as lost, at once; < 0: as not lost after all. */
static void lose(const struct cf_system *system, const struct cf_contact_state *contact,
                 enum cf_energy how, double energy_J, double state[])
{
    size_t lost = system->layout[contact->keeper].lost;

    state[system->account[how]] += energy_J;
    if (lost != CF_NONE)
        state[lost] += energy_J;
}

void cf_contact_touch(struct cf_system *system, struct cf_contact_state *contact, double time_s,
                      double state[], const struct cf_contact_kinematics *kin)
{
    const struct cf_contact_pair *pair = contact->pair;
    const struct cf_law *law = pair->law;
    struct cf_damping damping;
    bool clamped = contact->mode == CF_MODE_CLAMPED;

    contact->opened = contact->mode == CF_MODE_OPEN || kin->depth <= BACK * contact->left_m;
    contact->mode = CF_MODE_TOUCHING;
    contact->touched_s = time_s;
    contact->approach_m_s = fmax(kin->rate, 0);
    contact->knows_normal = false;
    contact->mass_kg = cf_contact_mass(system, contact, state, kin);
    aim(contact);
    set_scales(system, contact, kin);
    if (law && (contact->whole || contact->patch)) {
        contact->k = contact->p[contact->patch ? 0 : cf_law_k(law)];
        law->damping(contact->p, contact->mass_kg, contact->approach_m_s, &damping);
        contact->ratio = damping.ratio;
    }
    if (law && contact->whole) {
        contact->spring = (int) lround(contact->q * law->n);
        contact->damper = (int) lround(contact->q * law->p);
    }
    if (contact->state != CF_NONE) {
        struct cf_surface met = {0}; /* a new one is at rest */
        if (!contact->opened && law->recovery)
            met = cf_contact_surface(contact, time_s);
        memcpy(state + contact->state, met.state, law->nstate * sizeof *state);
    }
    if (contact->bristle != CF_NONE)
        memset(state + contact->bristle, 0, cf_bristle_count(pair->friction) * sizeof *state);
    if (clamped && law) /* counted as lost when the force ended, and still in the spring */
        lose(system, contact, CF_ENERGY_NORMAL_DAMPER, -held_by_law(contact, state, kin), state);
}

void cf_contact_leave(struct cf_system *system, struct cf_contact_state *contact, double time_s,
                      double state[], const struct cf_contact_kinematics *kin)
{
    struct cf_contact_kinematics place;

    lose(system, contact, contact->pressed != CF_NONE ? CF_ENERGY_LOOP : CF_ENERGY_NORMAL_DAMPER,
         held_by_law(contact, state, kin), state);
    if (contact->bristle != CF_NONE)
        lose(system, contact, CF_ENERGY_TANGENTIAL_DAMPER, held_by_friction(contact, state, kin),
             state);
    if (contact->stored != CF_NONE)
        state[contact->stored] = 0;
    if (contact->pressed != CF_NONE)
        state[contact->pressed] = 0;
    contact->left_m = fmax(kin->depth, 0);
    contact->left_s = time_s;
    if (contact->state != CF_NONE)
        memcpy(contact->left, state + contact->state,
               contact->pair->law->nstate * sizeof *contact->left);
    /* y and the position agree to the tolerance only: open if either says so */
    cf_contact_geometry(system, contact, &place);
    contact->mode = contact->left_m > BACK * contact->depth_scale_m && place.depth > 0
                        ? CF_MODE_CLAMPED
                        : CF_MODE_OPEN;
}

void cf_contact_energies(const struct cf_system *system, const struct cf_contact_state *contact,
                         const double state[], double *normal_J, double *friction_J)
{
    struct cf_contact_kinematics kin;

    *normal_J = *friction_J = 0;
    if (contact->mode != CF_MODE_TOUCHING)
        return;
    cf_contact_geometry(system, contact, &kin);
    cf_contact_forces(system, contact, state, &kin);
    *normal_J = held_by_law(contact, state, &kin);
    *friction_J = held_by_friction(contact, state, &kin);
}
