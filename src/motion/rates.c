/* The equations of motion: forces of contacts and tethers on the bodies, and what follows. */

#include <math.h>
#include <string.h>

#include "geometry/vector.h"
#include "motion/patch.h"

static void push(const struct cf_system *system, size_t body, const double point[3], double sign,
                 const double force[3])
{
    struct cf_pose *pose = &system->pose[body];
    double lever[3], torque[3];

    if (!system->layout[body].pushed)
        return;
    cf_vec_add_scaled(pose->force, sign, force, pose->force);
    if (!system->layout[body].levered)
        return;
    cf_vec_sub(point, pose->x, lever);
    cf_vec_cross(lever, force, torque);
    cf_vec_add_scaled(pose->torque, sign, torque, pose->torque);
}

static void add(double rate[], size_t account, double power)
{
    if (account != CF_NONE)
        rate[account] += power;
}

/* A power that a contact loses, of a kind and on its keeper's account. */
static void lose(const struct cf_system *system, const struct cf_contact_state *contact,
                 enum cf_energy how, double power_W, double rate[])
{
    add(rate, system->account[how], power_W);
    add(rate, system->layout[contact->keeper].lost, power_W);
}

/* Power that is put in on a body's account. */
static void put_in(const struct cf_system *system, size_t keeper, double power_W, double rate[])
{
    add(rate, system->account[CF_ENERGY_WORK], power_W);
    add(rate, system->layout[keeper].work, power_W);
}

/* A torque on a body. */
static void twist(const struct cf_system *system, size_t body, double sign, const double torque[3])
{
    struct cf_pose *pose = &system->pose[body];

    if (system->layout[body].levered)
        cf_vec_add_scaled(pose->torque, sign, torque, pose->torque);
}

/* Power put in by driven bodies while a force acts on them. */
static void drive_work(const struct cf_system *system, const struct cf_contact_state *contact,
                       const struct cf_contact_kinematics *kin, const double on_i[3], double rate[])
{
    for (int side = 0; side < 2 && system->account[CF_ENERGY_WORK] != CF_NONE; side++) {
        size_t body = contact->pair->body[side];
        const struct cf_pose *pose = &system->pose[body];
        double lever[3], v[3];
        if (!cf_rigid_is_driven(&system->scene->body[body]))
            continue;
        cf_vec_sub(kin->point, pose->x, lever);
        cf_vec_cross(pose->w, lever, v);
        cf_vec_add_scaled(v, 1, pose->v, v);
        put_in(system, contact->keeper, (side ? 1 : -1) * cf_vec_dot(on_i, v), rate);
        if (contact->patch)
            put_in(system, contact->keeper,
                   (side ? 1 : -1) * cf_vec_dot(kin->patch.moment, pose->w), rate);
    }
}

/* Carried along: deformations stay perpendicular to the normal as that turns. */
static void bristle_rates(const struct cf_friction_law *law, const double state[],
                          const struct cf_contact_kinematics *kin, double rate[])
{
    for (size_t i = 0; i < law->nvector; i++) {
        const double *in_plane = kin->friction_rate + 2 * i;
        double along = cf_vec_dot(kin->n_rate, state + 3 * i);
        for (int k = 0; k < 3; k++)
            rate[3 * i + k] = in_plane[0] * kin->tangent[0][k] + in_plane[1] * kin->tangent[1][k] -
                              along * kin->n[k];
    }
    for (size_t i = 2 * law->nvector; i < law->nstate; i++)
        rate[cf_bristle_number(law, i)] = kin->friction_rate[i];
}

/* Friction's states and powers; its force is added to on_i. */
static void rub(const struct cf_system *system, const struct cf_contact_state *contact,
                const double state[], const struct cf_contact_kinematics *kin, double on_i[3],
                double rate[])
{
    const struct cf_contact_pair *pair = contact->pair;
    struct cf_patch_power over_area;
    struct cf_friction_power to;

    for (int k = 0; k < 3; k++)
        on_i[k] += kin->friction[0] * kin->tangent[0][k] + kin->friction[1] * kin->tangent[1][k];
    if (contact->patch) {
        const struct cf_patch seen = cf_patch_seen(contact, kin);
        cf_patch_spend(pair->friction, pair->friction_p, &seen, kin->friction, kin->friction_rate,
                       &over_area);
        to = over_area.slide;
        add(rate, contact->stored, over_area.torsion_W);
        lose(system, contact, CF_ENERGY_SPINNING, over_area.spin_W, rate);
    } else {
        cf_friction_spend(pair->friction, pair->friction_p, &kin->slide, kin->friction,
                          kin->friction_rate, &to);
    }
    lose(system, contact, CF_ENERGY_TANGENTIAL_DAMPER, to.damper_W, rate);
    lose(system, contact, CF_ENERGY_SLIDE, to.slide_W, rate);
    lose(system, contact, CF_ENERGY_VISCOUS, to.viscous_W, rate);
    add(rate, contact->stored, to.spring_W);
    if (contact->bristle == CF_NONE)
        return;
    bristle_rates(pair->friction, state + contact->bristle, kin, rate + contact->bristle);
}

static double touch_rates(const struct cf_system *system, const struct cf_contact_state *contact,
                          const double state[], double rate[])
{
    const struct cf_contact_pair *pair = contact->pair;
    struct cf_contact_kinematics kin;
    double on_i[3] = {0};

    cf_contact_geometry(system, contact, &kin);
    cf_contact_forces(system, contact, state, &kin);
    if (pair->law) {
        cf_vec_scale(kin.normal_N, kin.n, on_i);
        lose(system, contact, CF_ENERGY_NORMAL_DAMPER, kin.loss_W, rate);
        if (contact->relaxed != CF_NONE) /* [G07] 3.45 */
            rate[contact->relaxed] = -state[contact->relaxed] / pair->relaxation_s;
        if (pair->law->nstate > 0) {
            struct cf_contact c = cf_contact_seen(contact, state, &kin);
            pair->law->state_rate(contact->p, &c, rate + contact->state);
        }
    }
    if (pair->friction)
        rub(system, contact, state, &kin, on_i, rate);
    push(system, pair->body[0], kin.point, 1, on_i);
    push(system, pair->body[1], kin.point, -1, on_i);
    if (contact->patch) {
        twist(system, pair->body[0], 1, kin.patch.moment);
        twist(system, pair->body[1], -1, kin.patch.moment);
        lose(system, contact, CF_ENERGY_ROLLING, kin.patch.rolling_W, rate);
        add(rate, contact->pressed, kin.patch.spring_W);
    }
    drive_work(system, contact, &kin, on_i, rate);
    if (system->keeps) {
        struct cf_contact_kinematics *kept = &system->kin[contact - system->contact];
        *kept = kin;
        kept->slide.state = kept->bristle; /* its own */
    }
    return kin.rate;
}

void cf_tether_ends(const struct cf_system *system, const struct cf_tether *tether, double apart[3],
                    double v[3])
{
    const struct cf_pose *pose = &system->pose[tether->body];
    double lever[3], turn[3];

    if (pose->turned)
        cf_vec_turn(((struct cf_pose *) pose)->r, tether->at_m, lever);
    else
        memcpy(lever, tether->at_m, sizeof lever);
    cf_vec_cross(pose->w, lever, turn);
    cf_vec_add_scaled(pose->v, 1, turn, v);
    cf_vec_add_scaled(pose->x, 1, lever, apart);
    cf_vec_sub(apart, tether->anchor_m, apart);
}

static void pull(const struct cf_system *system, const struct cf_tether *tether, double rate[])
{
    double apart[3], v[3], point[3], force[3], lost_W;

    cf_tether_ends(system, tether, apart, v);
    lost_W = tether->damping_N_s_m * cf_vec_dot(v, v);
    cf_vec_add_scaled(apart, 1, tether->anchor_m, point);
    cf_vec_scale(-tether->stiffness_N_m, apart, force);
    cf_vec_add_scaled(force, -tether->damping_N_s_m, v, force);
    push(system, tether->body, point, 1, force);
    add(rate, system->account[CF_ENERGY_TETHER_DAMPER], lost_W);
    add(rate, system->layout[cf_keeper(system->scene, tether->body)].lost, lost_W);
}

static void apply(const struct cf_system *system, const struct cf_applied_force *force,
                  double time_s, double rate[])
{
    struct cf_pose *pose = &system->pose[force->body];
    double size = cf_course_at(&force->force, system->began_s, time_s);

    cf_vec_add_scaled(pose->force, size, force->direction, pose->force);
    put_in(system, force->body, size * cf_vec_dot(force->direction, pose->v), rate);
}

/* For a body that a load presses on another: the guide takes the force along the normal. */
static void guide(const struct cf_system *system, size_t body, double acceleration[3])
{
    for (size_t m = 0; m < system->scene->npair; m++) {
        const struct cf_contact_pair *pair = &system->scene->pair[m];
        if (!pair->law && pair->body[0] == body)
            cf_vec_add_scaled(acceleration, -cf_vec_dot(acceleration, pair->normal), pair->normal,
                              acceleration);
    }
}

/* Euler's equations: with one moment of inertia in the world, else in the body. */
static void turn_rates(const struct cf_rigid *body, const struct cf_state_layout *layout,
                       const struct cf_pose *pose, const double state[], double rate[])
{
    const double *I = body->inertia_kg_m2, *w = state + layout->spin;
    bool round = cf_rigid_round(body);

    cf_attitude_rate(state + layout->attitude, w, round, rate + layout->attitude);
    for (int k = 0; k < 3; k++) {
        int a = (k + 1) % 3, b = (k + 2) % 3;
        double torque = round ? pose->torque[k]
                              : pose->r[0][k] * pose->torque[0] + pose->r[1][k] * pose->torque[1] +
                                    pose->r[2][k] * pose->torque[2];
        rate[layout->spin + k] = (torque + (I[a] - I[b]) * w[a] * w[b]) / I[k];
    }
}

static void free_rates(const struct cf_system *system, size_t index, const double state[],
                       double rate[])
{
    const struct cf_rigid *body = &system->scene->body[index];
    const struct cf_pose *pose = &system->pose[index];
    const struct cf_state_layout *layout = &system->layout[index];

    memcpy(rate + layout->place, state + layout->velocity, 3 * sizeof *rate);
    cf_vec_add_scaled(system->scene->gravity_m_s2, 1 / body->mass_kg, pose->force,
                      rate + layout->velocity);
    if (layout->guided)
        guide(system, index, rate + layout->velocity);
    if (layout->attitude != CF_NONE)
        turn_rates(body, layout, pose, state, rate);
}

const double *cf_command_at(const struct cf_accommodation *a, double began_s)
{
    static const double stand[3] = {0};
    const double *command = stand;

    for (size_t i = 0; i < a->nleg && a->leg[i].from_s <= began_s; i++)
        command = a->leg[i].velocity_m_s;
    return command;
}

double cf_yielded(const struct cf_accommodation *a, double force_N)
{
    return copysign(a->yield_m_s_N * fmax(fabs(force_N) - a->dead_band_N, 0), force_N);
}

static void command_rates(const struct cf_system *system, size_t index, const double state[],
                          double rate[])
{
    const struct cf_accommodation *a = &system->scene->body[index].accommodation;
    const struct cf_state_layout *layout = &system->layout[index];
    const double *command = cf_command_at(a, system->began_s);

    for (int k = 0; k < 3; k++) {
        double wanted = command[k] + cf_yielded(a, system->pose[index].force[k]);
        rate[layout->place + k] = state[layout->velocity + k];
        rate[layout->velocity + k] = (wanted - state[layout->velocity + k]) / a->lag_s;
    }
}

double cf_system_time_rates(const struct cf_system *system, double time_s, const double state[],
                            double rate[])
{
    const struct cf_scene *scene = system->scene;
    double fresh_rate = 0;

    memset(rate, 0, system->n * sizeof *rate);
    cf_system_poses(system, time_s, state);
    for (size_t b = 0; b < scene->nbody; b++)
        for (int k = 0; k < 3 && system->layout[b].pushed; k++)
            system->pose[b].force[k] = system->pose[b].torque[k] = 0;
    for (size_t k = 0; k < system->near.n; k++) {
        size_t m = system->near.pair[k];
        if (system->contact[m].mode == CF_MODE_TOUCHING) {
            double depth_rate = touch_rates(system, &system->contact[m], state, rate);
            if (m == system->fresh)
                fresh_rate = depth_rate;
        }
    }
    for (size_t t = 0; t < scene->ntether; t++)
        pull(system, &scene->tether[t], rate);
    for (size_t i = 0; i < scene->nforce; i++)
        apply(system, &scene->force[i], time_s, rate);
    for (size_t b = 0; b < scene->nbody; b++)
        if (scene->body[b].drive == CF_DRIVE_FREE)
            free_rates(system, b, state, rate);
        else if (scene->body[b].drive == CF_DRIVE_COMMANDED)
            command_rates(system, b, state, rate);
    if (scene->chain.nlink > 0)
        cf_chain_rates(system, state, rate);
    return fresh_rate;
}

void cf_system_fill_rates(const struct cf_system *system, const double state[], double rate[])
{
    const struct cf_contact_state *contact;

    if (system->fresh == CF_NONE)
        return;
    contact = &system->contact[system->fresh];
    rate[system->y] = system->kin[system->fresh].rate /
                      (contact->q * cf_whole_power(state[system->y], contact->q - 1));
    rate[system->time] = 1;
}

#if defined(__GNUC__) && !defined(__clang__)
#    define ONE_BY_ONE __attribute__((__optimize__("no-tree-vectorize")))
#else
#    define ONE_BY_ONE
#endif

/* One by one, as they have just been stored: a load of two would wait for both stores. */
static ONE_BY_ONE void scale(size_t n, double per_s, double rate[])
{
    for (size_t i = 0; i < n; i++)
        rate[i] *= per_s;
}

void cf_system_rates(const void *context, double s, const double state[], double rate[])
{
    const struct cf_system *system = context;
    double per_s, fresh_rate;
    int q;

    fresh_rate = cf_system_time_rates(system, cf_system_time(system, s, state), state, rate);
    if (system->fresh == CF_NONE)
        return;

    /* dt = y^(q-1) ds, dy/dt = zdot y^(1-q)/q */
    q = system->contact[system->fresh].q;
    per_s = cf_whole_power(state[system->y], q - 1);
    scale(system->n, per_s, rate);
    rate[system->y] = fresh_rate / q;
    rate[system->time] = per_s;
}
