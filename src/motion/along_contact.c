/* A contact along a column: geometry, normal force, friction. */

#include <math.h>
#include <string.h>

#include "geometry/vector.h"
#include "motion/along.h"
#include "motion/frame.h"

/* The velocity of the body's material at a point. */
static void material(const struct cf_pose *pose, const struct cf_pose_by *by, const double point[3],
                     const double dpoint[3], double out[3])
{
    double lever[3], moved[3], turn[3];

    cf_vec_sub(point, pose->x, lever);
    cf_vec_sub(dpoint, by->x, moved);
    cf_vec_cross(by->w, lever, turn);
    cf_vec_add_scaled(by->v, 1, turn, out);
    cf_vec_cross(pose->w, moved, turn);
    cf_vec_add_scaled(out, 1, turn, out);
}

/* A load's contact. */
static void load_along(const struct cf_along *along, const struct cf_contact_pair *pair,
                       const struct cf_contact_kinematics *kin, struct cf_contact_by *out)
{
    const struct cf_pose *j = &along->system->pose[pair->body[1]];
    const struct cf_pose_by *i_by = &along->pose[pair->body[0]];
    double on_j[3];

    memcpy(out->point, i_by->x, sizeof out->point);
    material(j, &along->pose[pair->body[1]], kin->point, out->point, on_j);
    cf_vec_sub(i_by->v, on_j, out->slip);
    cf_vec_add_scaled(out->slip, -cf_vec_dot(kin->n, out->slip), kin->n, out->slip);
}

/* In the frame of body 1, in which the ball's centre moves by d: the depth, n and turn. */
static double touch_along(const struct cf_along *along, const struct cf_contact_state *contact,
                          const struct cf_contact_kinematics *kin, double d[3], double dn[3],
                          double dturn[3][3])
{
    const struct cf_touch *touch = &kin->touch;
    double axis[3] = {0}, apart[3], turned[3];

    if (cf_along_of_solid(along, CF_WRT_SOLID_PLACE, contact->pair))
        d[along->wrt->part] -= 1;
    if (cf_along_of_solid(along, CF_WRT_SOLID_TILT, contact->pair)) {
        axis[along->wrt->part] = 1;
        cf_vec_sub(kin->inside, contact->solid->point_m, apart);
        cf_vec_cross(axis, apart, turned);
        cf_vec_sub(d, turned, d);
    }
    for (int i = 0; i < 3; i++)
        dn[i] = cf_vec_dot(touch->turn[i], d);
    cf_touch_bend(touch, d, dturn);
    if (cf_vec_dot(axis, axis) > 0) {
        cf_vec_cross(axis, touch->n, turned);
        cf_vec_add_scaled(dn, 1, turned, dn);
        for (int j = 0; j < 3; j++) { /* turn is symmetric: its rows are its columns */
            cf_vec_cross(axis, touch->turn[j], turned);
            for (int i = 0; i < 3; i++) {
                dturn[i][j] += turned[i];
                dturn[j][i] += turned[i];
            }
        }
    }
    return -cf_vec_dot(touch->n, d);
}

/* n' = R (turn . R^T u) + w x n */
static void turn_normal_along(const struct cf_along *along, size_t body,
                              const struct cf_contact_kinematics *kin, const double du[3],
                              double dturn[3][3], struct cf_contact_by *out)
{
    const struct cf_pose *j = &along->system->pose[body];
    const struct cf_pose_by *by = &along->pose[body];
    double inside[3], moved[3], spun[3], more[3], part[3];

    cf_into_body(j, kin->velocity_m_s, inside);
    cf_into_body_along(j, by, kin->velocity_m_s, du, moved);
    for (int i = 0; i < 3; i++) {
        spun[i] = cf_vec_dot(kin->touch.turn[i], inside);
        more[i] = cf_vec_dot(kin->touch.turn[i], moved) + cf_vec_dot(dturn[i], inside);
    }
    cf_out_of_body_along(j, by, spun, more, out->n_rate);
    cf_vec_cross(by->w, kin->n, part);
    cf_vec_add_scaled(out->n_rate, 1, part, out->n_rate);
    cf_vec_cross(j->w, out->n, part);
    cf_vec_add_scaled(out->n_rate, 1, part, out->n_rate);
}

/* How the arm grows, cf_contact_arm_m(). */
static double arm_along(const struct cf_along *along, const struct cf_contact_state *contact,
                        double depth_m, double ddepth)
{
    const struct cf_contact_state_by *by = cf_along_fixed(along, contact);
    double dshare = 0;

    for (size_t i = 0; by && i < contact->pair->law->nparam; i++)
        dshare += contact->share_by[i] * by->p[i];
    return -contact->share * ddepth - dshare * depth_m;
}

void cf_geometry_along(const struct cf_along *along, const struct cf_contact_state *contact,
                       const struct cf_contact_kinematics *kin, struct cf_contact_by *out)
{
    const size_t *body = contact->pair->body;
    const struct cf_pose *i = &along->system->pose[body[0]], *j = &along->system->pose[body[1]];
    const struct cf_pose_by *i_by = &along->pose[body[0]], *j_by = &along->pose[body[1]];
    double apart[3], moved[3], dinside[3], dn[3], dturn[3][3], dcentre[3], du[3], on_j[3];
    double spin[3], more[3], swept[3], arm_m, darm;

    memset(out, 0, sizeof *out);
    if (contact->cell[0]) {
        cf_patch_meet_along(along, contact, kin, out);
        return;
    }
    if (!contact->solid) {
        load_along(along, contact->pair, kin, out);
        return;
    }
    cf_turned_along(i_by, contact->ball->centre_m, dcentre);
    cf_vec_add_scaled(dcentre, 1, i_by->x, dcentre);
    cf_vec_sub(kin->centre, j->x, apart);
    cf_vec_sub(dcentre, j_by->x, moved);
    cf_into_body_along(j, j_by, apart, moved, dinside);
    out->depth = touch_along(along, contact, kin, dinside, dn, dturn);
    memcpy(out->inside, dinside, sizeof out->inside);
    cf_out_of_body_along(j, j_by, kin->touch.n, dn, out->n);
    arm_m = cf_contact_arm_m(contact, kin->touch.depth_m);
    darm = arm_along(along, contact, kin->touch.depth_m, out->depth);
    cf_vec_add_scaled(dcentre, -arm_m, out->n, out->point);
    cf_vec_add_scaled(out->point, -darm, kin->n, out->point);

    material(i, i_by, kin->centre, dcentre, du);
    material(j, j_by, kin->centre, dcentre, on_j);
    cf_vec_sub(du, on_j, du);
    out->rate = -cf_vec_dot(out->n, kin->velocity_m_s) - cf_vec_dot(kin->n, du);
    cf_vec_add_scaled(du, out->rate, kin->n, out->slip);
    cf_vec_add_scaled(out->slip, kin->rate, out->n, out->slip);
    out->pressed = out->depth;
    if (!contact->pair->friction)
        return;
    cf_vec_sub(i->w, j->w, spin);
    cf_vec_sub(i_by->w, j_by->w, more);
    cf_vec_cross(out->n, spin, swept);
    cf_vec_add_scaled(out->slip, arm_m, swept, out->slip);
    cf_vec_cross(kin->n, more, swept);
    cf_vec_add_scaled(out->slip, arm_m, swept, out->slip);
    cf_vec_cross(kin->n, spin, swept);
    cf_vec_add_scaled(out->slip, darm, swept, out->slip);
    if (contact->bristle != CF_NONE)
        turn_normal_along(along, body[1], kin, du, dturn, out);
}

/* Of k z^n + lambda z^p zdot by whole powers of y, which grows by dy. */
static double press_whole(const struct cf_contact_state *contact,
                          const struct cf_contact_state_by *by, double y, double dy, double rate,
                          double drate)
{
    double spring = cf_whole_power(y, contact->spring);
    double damper = cf_whole_power(y, contact->damper);
    double k = contact->k, lambda = k * contact->ratio, dk = 0, dlambda = 0;
    double by_y = k * contact->spring * cf_whole_power(y, contact->spring - 1);

    if (by) {
        dk = by->k;
        dlambda = by->k * contact->ratio + k * by->ratio;
    }
    if (contact->damper > 0)
        by_y += lambda * contact->damper * cf_whole_power(y, contact->damper - 1) * rate;
    return by_y * dy + dk * spring + damper * (dlambda * rate + lambda * drate);
}

static double press_law(const struct cf_along *along, const struct cf_contact_state *contact,
                        const struct cf_contact_kinematics *kin, const struct cf_contact_by *out)
{
    const struct cf_law *law = contact->pair->law;
    const struct cf_contact_state_by *by = cf_along_fixed(along, contact);
    const struct cf_contact seen = cf_contact_seen(contact, along->state, kin);
    struct cf_force_slope slope;
    double sum;

    law->slope(law, contact->p, &seen, &slope);
    sum = slope.by_rate * out->rate;
    if (out->pressed != 0) /* its slope may be infinite where the depth is 0 */
        sum += slope.by_depth * out->pressed;
    for (size_t i = 0; i < law->nstate; i++)
        sum += slope.by_state[i] * along->s[contact->state + i];
    if (!by)
        return sum;
    sum += slope.by_approach * by->approach_m_s;
    if (by->mass_kg != 0)
        sum += slope.by_mass * by->mass_kg;
    for (size_t i = 0; i < law->nparam; i++)
        if (by->p[i] != 0)
            sum += slope.by_param[i] * by->p[i];
    return sum;
}

static double load_along_N(const struct cf_along *along, const struct cf_contact_state *contact)
{
    const struct cf_course *load = &contact->pair->load;
    size_t index = (size_t) (contact - along->system->contact);
    double began_s = along->system->began_s, value, time;

    if (load->n == 0)
        return cf_along_is(along, CF_WRT_LOAD, index);
    if (cf_along_is(along, CF_WRT_LOAD, index) || cf_along_is(along, CF_WRT_LOAD_TIME, index)) {
        cf_course_by(load, along->wrt->part, began_s, along->time_s, &value, &time);
        value = along->wrt->kind == CF_WRT_LOAD ? value : time;
    } else {
        value = 0;
    }
    return value + along->time * cf_course_slope(load, began_s);
}

double cf_depth_in_y_along(const struct cf_along *along, const struct cf_contact_state *contact)
{
    double y = along->state[along->system->y], dy = along->s[along->system->y];

    return contact->q * cf_whole_power(fabs(y), contact->q - 1) * (y < 0 ? -dy : dy);
}

void cf_press_along(const struct cf_along *along, const struct cf_contact_state *contact,
                    const struct cf_contact_kinematics *kin, struct cf_contact_by *out)
{
    const struct cf_system *system = along->system;
    const struct cf_contact_state_by *by = cf_along_fixed(along, contact);
    double y = 0, dy = 0;
    bool in_y = cf_contact_in_y(system, contact);

    if (!contact->pair->law) {
        out->normal_N = load_along_N(along, contact);
        return;
    }
    if (contact->patch) {
        cf_patch_press_along(along, contact, kin, out);
        return;
    }
    if (in_y) {
        y = along->state[system->y];
        dy = along->s[system->y];
        out->pressed = cf_depth_in_y_along(along, contact);
    } else if (contact->relaxed != CF_NONE) {
        out->pressed -= along->s[contact->relaxed];
    }
    if (!contact->whole) {
        out->normal_N = press_law(along, contact, kin, out);
        return;
    }
    if (!in_y && !(kin->normal_N > 0)) /* the clamp holds */
        return;
    if (!in_y) {
        y = cf_contact_root(contact, kin->depth);
        dy = out->pressed * y / (contact->q * kin->depth);
    }
    out->normal_N = press_whole(contact, by, y, dy, kin->rate, out->rate);
}

void cf_bristle_along(const struct cf_along *along, const struct cf_contact_state *contact,
                      const struct cf_contact_kinematics *kin, const struct cf_contact_by *by,
                      double d[])
{
    const struct cf_friction_law *law = contact->pair->friction;
    const double *b = along->state + contact->bristle, *db = along->s + contact->bristle;

    for (size_t i = 0; i < law->nvector; i++) {
        double off = cf_vec_dot(kin->n, b + 3 * i);
        for (int k = 0; k < 2; k++)
            d[2 * i + k] =
                cf_vec_dot(kin->tangent[k], db + 3 * i) - cf_vec_dot(by->n, kin->tangent[k]) * off;
    }
    for (size_t i = 2 * law->nvector; i < law->nstate; i++)
        d[i] = db[cf_bristle_number(law, i)];
}

/* Friction's own variables along a column. */
static void slide_along(const struct cf_along *along, const struct cf_contact_state *contact,
                        const struct cf_contact_kinematics *kin, const struct cf_contact_by *by,
                        double d[])
{
    memset(d, 0, CF_FRICTION_COLUMNS * sizeof *d);
    for (int k = 0; k < 2; k++)
        d[CF_BY_VELOCITY + k] = cf_vec_dot(kin->tangent[k], by->slip);
    if (contact->bristle != CF_NONE)
        cf_bristle_along(along, contact, kin, by, d + CF_BY_STATE);
    d[CF_BY_NORMAL] = kin->normal_N > 0 ? by->normal_N : 0;
    d[CF_BY_DEPTH] = by->pressed;
    if (cf_along_is(along, CF_WRT_FRICTION, (size_t) (contact - along->system->contact)))
        d[CF_BY_PARAM + along->wrt->part] = 1;
}

static void bristle_rates_along(const struct cf_along *along,
                                const struct cf_contact_state *contact,
                                const struct cf_contact_kinematics *kin, const double turned[2],
                                const double drate[], struct cf_contact_by *out)
{
    const struct cf_friction_law *law = contact->pair->friction;

    for (size_t j = 0; j < law->nvector; j++) {
        const double *b = along->state + contact->bristle + 3 * j;
        const double *db = along->s + contact->bristle + 3 * j;
        const double *in_plane = kin->friction_rate + 2 * j, *more_in_plane = drate + 2 * j;
        double follow = cf_vec_dot(kin->n_rate, b), *to = out->bristle_rate + 3 * j;
        double more = cf_vec_dot(out->n_rate, b) + cf_vec_dot(kin->n_rate, db);
        for (int i = 0; i < 3; i++) {
            to[i] = -more * kin->n[i] - follow * out->n[i];
            for (int k = 0; k < 2; k++)
                to[i] +=
                    more_in_plane[k] * kin->tangent[k][i] - in_plane[k] * turned[k] * kin->n[i];
        }
    }
    for (size_t i = 2 * law->nvector; i < law->nstate; i++)
        out->bristle_rate[cf_bristle_number(law, i)] = drate[i];
}

/* From coordinates in the plane of contact to vectors of space. */
static void friction_along(const struct cf_along *along, const struct cf_contact_state *contact,
                           const struct cf_contact_kinematics *kin, const double df[],
                           const double drate[], struct cf_contact_by *out)
{
    double turned[2];

    for (int k = 0; k < 2; k++) {
        turned[k] = cf_vec_dot(out->n, kin->tangent[k]);
        for (int i = 0; i < 3; i++)
            out->friction[i] +=
                df[k] * kin->tangent[k][i] - kin->friction[k] * turned[k] * kin->n[i];
    }
    if (contact->bristle != CF_NONE)
        bristle_rates_along(along, contact, kin, turned, drate, out);
}

/* Vectors of space, whose coordinates are taken in the frame of `kin` as it goes along with the
 * normal: no law prefers a direction. */
void cf_rub_along(size_t n, const struct cf_along along[], const struct cf_contact_state *contact,
                  const struct cf_contact_kinematics *kin, struct cf_contact_by out[],
                  size_t stride, double work[])
{
    const struct cf_contact_pair *pair = contact->pair;
    double *d = work, *df = d + n * CF_FRICTION_COLUMNS, *drate = df + 2 * n;

    for (size_t i = 0; i < n; i++)
        slide_along(&along[i], contact, kin, &out[i * stride], d + i * CF_FRICTION_COLUMNS);
    if (!contact->patch)
        cf_friction_vary(pair->friction, pair->friction_p, &kin->slide, n, d, df, drate);
    for (size_t i = 0; i < n && contact->patch; i++)
        cf_patch_rub_along(contact, kin, d + i * CF_FRICTION_COLUMNS, &out[i * stride], df + 2 * i,
                           drate + i * CF_FRICTION_STATES);
    for (size_t i = 0; i < n; i++)
        friction_along(&along[i], contact, kin, df + 2 * i, drate + i * CF_FRICTION_STATES,
                       &out[i * stride]);
}

void cf_forces_along(const struct cf_along *along, const struct cf_contact_state *contact,
                     const struct cf_contact_kinematics *kin, struct cf_contact_by *out)
{
    double work[CF_ALONG_WORK];

    cf_press_along(along, contact, kin, out);
    if (contact->pair->friction)
        cf_rub_along(1, along, contact, kin, out, 1, work);
}
