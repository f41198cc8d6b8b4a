/* The equations of motion along a column. */

#include <math.h>
#include <string.h>

#include "geometry/vector.h"
#include "motion/along.h"
#include "motion/frame.h"

static void push(const struct cf_along *along, size_t body, const double point[3],
                 const double dpoint[3], double sign, const double force[3], const double dforce[3])
{
    const struct cf_pose *pose = &along->system->pose[body];
    struct cf_pose_by *by = &along->pose[body];
    double lever[3], torque[3];

    if (!along->system->layout[body].pushed)
        return;
    cf_vec_add_scaled(by->force, sign, dforce, by->force);
    if (!along->system->layout[body].levered)
        return;
    cf_vec_sub(point, pose->x, lever);
    cf_vec_cross(lever, dforce, torque);
    cf_vec_add_scaled(by->torque, sign, torque, by->torque);
    cf_vec_sub(dpoint, by->x, lever);
    cf_vec_cross(lever, force, torque);
    cf_vec_add_scaled(by->torque, sign, torque, by->torque);
}

/* The law's inner states. */
static void law_states(const struct cf_along *along, const struct cf_contact_state *contact,
                       const struct cf_contact_kinematics *kin, const struct cf_contact_by *by,
                       double out[])
{
    const struct cf_law *law = contact->pair->law;
    const struct cf_contact_state_by *fixed = cf_along_fixed(along, contact);
    struct cf_contact seen = cf_contact_seen(contact, along->state, kin);
    struct cf_force_slope slope[CF_MAX_STATE];

    law->state_slope(contact->p, &seen, slope);
    for (size_t i = 0; i < law->nstate; i++) {
        double *sum = &out[contact->state + i];
        *sum = slope[i].by_rate * by->rate;
        if (by->pressed != 0)
            *sum += slope[i].by_depth * by->pressed;
        for (size_t j = 0; j < law->nstate; j++)
            *sum += slope[i].by_state[j] * along->s[contact->state + j];
        for (size_t j = 0; fixed && j < law->nparam; j++)
            *sum += slope[i].by_param[j] * fixed->p[j];
    }
}

static void touch_along(const struct cf_along *along, const struct cf_contact_state *contact,
                        const struct cf_contact_kinematics *kin, const struct cf_contact_by *by,
                        double out[])
{
    const struct cf_contact_pair *pair = contact->pair;
    double on_i[3] = {0}, more[3] = {0};

    if (pair->law) {
        cf_vec_scale(kin->normal_N, kin->n, on_i);
        cf_vec_scale(by->normal_N, kin->n, more);
        cf_vec_add_scaled(more, kin->normal_N, by->n, more);
        if (contact->relaxed != CF_NONE)
            out[contact->relaxed] = -along->s[contact->relaxed] / pair->relaxation_s;
        if (pair->law->nstate > 0)
            law_states(along, contact, kin, by, out);
    }
    if (pair->friction)
        for (int i = 0; i < 3; i++) {
            on_i[i] +=
                kin->friction[0] * kin->tangent[0][i] + kin->friction[1] * kin->tangent[1][i];
            more[i] += by->friction[i];
        }
    push(along, pair->body[0], kin->point, by->point, 1, on_i, more);
    push(along, pair->body[1], kin->point, by->point, -1, on_i, more);
    for (int side = 0; side < 2 && contact->patch; side++)
        if (along->system->layout[pair->body[side]].levered)
            cf_vec_add_scaled(along->pose[pair->body[side]].torque, side ? -1 : 1, by->patch.moment,
                              along->pose[pair->body[side]].torque);
    if (contact->bristle == CF_NONE)
        return;
    memcpy(out + contact->bristle, by->bristle_rate,
           cf_bristle_count(pair->friction) * sizeof *by->bristle_rate);
}

static void pull(const struct cf_along *along, size_t index)
{
    enum { STIFFNESS, DAMPING, ANCHOR };
    const struct cf_tether *tether = &along->system->scene->tether[index];
    const struct cf_pose *pose = &along->system->pose[tether->body];
    const struct cf_pose_by *by = &along->pose[tether->body];
    double apart[3], v[3], lever[3], dlever[3], turn[3], moved[3], dv[3], point[3], force[3],
        more[3];

    cf_tether_ends(along->system, tether, apart, v);
    cf_out_of_body(pose, tether->at_m, lever);
    cf_turned_along(by, tether->at_m, dlever);
    cf_vec_add_scaled(by->x, 1, dlever, moved); /* of the point */
    cf_vec_cross(by->w, lever, turn);
    cf_vec_add_scaled(by->v, 1, turn, dv);
    cf_vec_cross(pose->w, dlever, turn);
    cf_vec_add_scaled(dv, 1, turn, dv);
    cf_vec_add_scaled(apart, 1, tether->anchor_m, point);
    for (int i = 0; i < 3; i++) {
        force[i] = -tether->stiffness_N_m * apart[i] - tether->damping_N_s_m * v[i];
        more[i] = -tether->stiffness_N_m * moved[i] - tether->damping_N_s_m * dv[i];
    }
    if (cf_along_is(along, CF_WRT_SPRING, index)) {
        size_t part = along->wrt->part;
        if (part == STIFFNESS)
            cf_vec_sub(more, apart, more);
        else if (part == DAMPING)
            cf_vec_sub(more, v, more);
        else
            more[part - ANCHOR] += tether->stiffness_N_m;
    }
    push(along, tether->body, point, moved, 1, force, more);
}

/* An applied force, by its own points and as time goes on. */
static void apply(const struct cf_along *along, size_t index)
{
    const struct cf_applied_force *force = &along->system->scene->force[index];
    struct cf_pose_by *by = &along->pose[force->body];
    double sum = along->time * cf_course_slope(&force->force, along->system->began_s);

    if (cf_along_is(along, CF_WRT_FORCE, index) || cf_along_is(along, CF_WRT_FORCE_TIME, index)) {
        double value, time;
        cf_course_by(&force->force, along->wrt->part, along->system->began_s, along->time_s, &value,
                     &time);
        sum += along->wrt->kind == CF_WRT_FORCE ? value : time;
    }
    cf_vec_add_scaled(by->force, sum, force->direction, by->force);
}

static void turn_along(const struct cf_along *along, size_t index, double out[])
{
    const struct cf_rigid *body = &along->system->scene->body[index];
    const struct cf_state_layout *layout = &along->system->layout[index];
    const struct cf_pose *pose = &along->system->pose[index];
    const struct cf_pose_by *by = &along->pose[index];
    const double *I = body->inertia_kg_m2, *w = along->state + layout->spin;
    const double *dw = along->s + layout->spin;
    double part[4];
    bool round = cf_rigid_round(body), heavier = cf_along_is(along, CF_WRT_MASS, index);

    cf_attitude_rate(along->s + layout->attitude, w, round, out + layout->attitude);
    cf_attitude_rate(along->state + layout->attitude, dw, round, part);
    for (int k = 0; k < 4; k++)
        out[layout->attitude + k] += part[k];
    for (int k = 0; k < 3; k++) {
        int a = (k + 1) % 3, b = (k + 2) % 3;
        double torque = pose->torque[k], more = by->torque[k];
        if (!round) {
            torque = more = 0;
            for (int i = 0; i < 3; i++) {
                torque += pose->r[i][k] * pose->torque[i];
                more += by->r[i][k] * pose->torque[i] + pose->r[i][k] * by->torque[i];
            }
        }
        /* the moments grow with the mass, all alike */
        if (heavier)
            more -= torque / body->mass_kg;
        out[layout->spin + k] = (more + (I[a] - I[b]) * (dw[a] * w[b] + w[a] * dw[b])) / I[k];
    }
}

static void free_along(const struct cf_along *along, size_t index, double out[])
{
    const struct cf_system *system = along->system;
    const struct cf_rigid *body = &system->scene->body[index];
    const struct cf_state_layout *layout = &system->layout[index];
    double *a = out + layout->velocity;

    memcpy(out + layout->place, along->s + layout->velocity, 3 * sizeof *out);
    cf_vec_scale(1 / body->mass_kg, along->pose[index].force, a);
    if (cf_along_is(along, CF_WRT_MASS, index))
        cf_vec_add_scaled(a, -1 / (body->mass_kg * body->mass_kg), system->pose[index].force, a);
    if (along->wrt && along->wrt->kind == CF_WRT_GRAVITY)
        a[along->wrt->part] += 1;
    for (size_t m = 0; m < system->scene->npair && layout->guided; m++) {
        const struct cf_contact_pair *pair = &system->scene->pair[m];
        if (!pair->law && pair->body[0] == index)
            cf_vec_add_scaled(a, -cf_vec_dot(a, pair->normal), pair->normal, a);
    }
    if (layout->attitude != CF_NONE)
        turn_along(along, index, out);
}

static void command_along(const struct cf_along *along, size_t index, double out[])
{
    enum { YIELD, DEAD_BAND, LAG };
    const struct cf_system *system = along->system;
    const struct cf_accommodation *a = &system->scene->body[index].accommodation;
    const struct cf_state_layout *layout = &system->layout[index];
    const double *v = along->state + layout->velocity, *dv = along->s + layout->velocity;
    const double *command = cf_command_at(a, system->began_s);
    bool own = cf_along_is(along, CF_WRT_ACCOMMODATION, index);

    memcpy(out + layout->place, dv, 3 * sizeof *out);
    for (size_t k = 0; k < 3; k++) {
        double f = system->pose[index].force[k], beyond = fabs(f) - a->dead_band_N, more = 0;
        if (beyond > 0)
            more = a->yield_m_s_N * along->pose[index].force[k];
        if (own && beyond > 0 && along->wrt->part == YIELD)
            more += copysign(beyond, f);
        if (own && beyond > 0 && along->wrt->part == DEAD_BAND)
            more -= copysign(a->yield_m_s_N, f);
        if (cf_along_is(along, CF_WRT_COMMAND, index) && along->wrt->part % 3 == k && a->nleg > 0 &&
            command == a->leg[along->wrt->part / 3].velocity_m_s)
            more += 1;
        more -= dv[k];
        if (own && along->wrt->part == LAG)
            more -= (command[k] + cf_yielded(a, f) - v[k]) / a->lag_s;
        out[layout->velocity + k] = more / a->lag_s;
    }
}

void cf_rates_along(const struct cf_along *along, const struct cf_contact_by contact[],
                    const double rate[], double out[])
{
    const struct cf_system *system = along->system;
    const struct cf_scene *scene = system->scene;
    double y, dy, per_s, more;
    int q;

    memset(out, 0, system->nread * sizeof *out);
    for (size_t b = 0; b < scene->nbody; b++)
        for (int k = 0; k < 3 && system->layout[b].pushed; k++)
            along->pose[b].force[k] = along->pose[b].torque[k] = 0;
    for (size_t m = 0; m < scene->npair; m++)
        if (system->contact[m].mode == CF_MODE_TOUCHING)
            touch_along(along, &system->contact[m], &system->kin[m], &contact[m], out);
    for (size_t t = 0; t < scene->ntether; t++)
        pull(along, t);
    for (size_t f = 0; f < scene->nforce; f++)
        apply(along, f);
    for (size_t b = 0; b < scene->nbody; b++)
        if (scene->body[b].drive == CF_DRIVE_FREE)
            free_along(along, b, out);
        else if (scene->body[b].drive == CF_DRIVE_COMMANDED)
            command_along(along, b, out);
    if (scene->chain.nlink > 0)
        cf_chain_rates_along(along, rate, out);
    if (system->fresh == CF_NONE)
        return;

    /* as in cf_system_rates(): dt = y^(q-1) ds */
    q = system->contact[system->fresh].q;
    y = along->state[system->y];
    dy = along->s[system->y];
    per_s = cf_whole_power(y, q - 1);
    more = q > 1 ? (q - 1) * cf_whole_power(y, q - 2) * dy : 0;
    for (size_t i = 0; i < system->nread; i++)
        out[i] = per_s * out[i] + more * rate[i];
    out[system->y] = contact[system->fresh].rate / q;
    out[system->time] = more;
}
