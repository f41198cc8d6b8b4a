/* Poses of the bodies at a time: from the states, or from their drives. */

#include <string.h>

#include "geometry/vector.h"
#include "motion/recorded.h"
#include "motion/system.h"

double cf_system_time(const struct cf_system *system, double s, const double state[])
{
    return system->fresh == CF_NONE ? s : state[system->time];
}

/* Spin without states of its own is constant. */
static void spun(const struct cf_rigid *body, const struct cf_state_layout *layout, double time_s,
                 struct cf_pose *pose)
{
    bool spins = cf_vec_norm(body->spin_rad_s) > 0;
    double q[4];

    memcpy(pose->w, body->spin_rad_s, sizeof pose->w);
    pose->turned = layout->oriented && (spins || body->attitude[0] != 1);
    pose->settled = !spins || !pose->turned;
    if (!pose->turned)
        return;
    cf_attitude_spun(body->attitude, body->spin_rad_s, time_s, q);
    cf_attitude_matrix(q, pose->r);
}

static void turning(const struct cf_rigid *body, const struct cf_state_layout *layout,
                    const double state[], struct cf_pose *pose)
{
    bool round = cf_rigid_round(body);

    pose->turned = layout->oriented || !round;
    if (pose->turned)
        cf_attitude_matrix(state + layout->attitude, pose->r);
    if (round)
        memcpy(pose->w, state + layout->spin, sizeof pose->w);
    else
        cf_vec_turn(pose->r, state + layout->spin, pose->w);
}

static void place(const struct cf_system *system, size_t index, double time_s, const double state[])
{
    const struct cf_rigid *body = &system->scene->body[index];
    const struct cf_state_layout *layout = &system->layout[index];
    struct cf_pose *pose = &system->pose[index];

    if (pose->known)
        return;
    pose->known = body->drive == CF_DRIVE_FIXED;
    if (layout->place != CF_NONE) {
        memcpy(pose->from, system->reference[index], sizeof pose->from);
        memcpy(pose->moved, state + layout->place, sizeof pose->moved);
        memcpy(pose->v, state + layout->velocity, sizeof pose->v);
    } else if (body->drive == CF_DRIVE_RECORDED) { /* from = 0 */
        cf_trace_at(body->trace, time_s - body->delay_s, pose->moved, pose->v);
    } else {
        memcpy(pose->from, body->position_m, sizeof pose->from);
        if (body->drive == CF_DRIVE_STEADY)
            memcpy(pose->v, body->velocity_m_s, sizeof pose->v);
        cf_vec_scale(time_s, pose->v, pose->moved);
    }
    cf_vec_add_scaled(pose->from, 1, pose->moved, pose->x);
    if (layout->attitude != CF_NONE)
        turning(body, layout, state, pose);
    else if (!pose->settled)
        spun(body, layout, time_s, pose);
}

void cf_system_poses(const struct cf_system *system, double time_s, const double state[])
{
    *system->now_s = time_s;
    for (size_t b = 0; b < system->scene->nbody; b++)
        if (system->scene->body[b].drive != CF_DRIVE_LINK)
            place(system, b, time_s, state);
    if (system->scene->chain.nlink > 0)
        cf_chain_poses(system, state);
}

void cf_contact_poses(const struct cf_system *system, const struct cf_contact_state *contact,
                      double time_s, const double state[])
{
    if (system->scene->chain.nlink > 0) {
        cf_system_poses(system, time_s, state);
        return;
    }
    *system->now_s = time_s;
    for (int side = 0; side < 2; side++)
        place(system, contact->pair->body[side], time_s, state);
}

void cf_system_rebase(struct cf_system *system, double state[])
{
    for (size_t b = 0; b < system->scene->nbody; b++) {
        size_t at = system->layout[b].place;
        if (at == CF_NONE)
            continue;
        cf_vec_add_scaled(system->reference[b], 1, state + at, system->reference[b]);
        memset(state + at, 0, 3 * sizeof *state);
    }
}
