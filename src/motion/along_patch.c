/* A contact over a volume of interference along a column. All that the touch of two bodies is
 * follows from how body 0 moves against the solid: V, p_c and J_v by their derivatives by the pose,
 * speeds by the product rule. What is known of n is how the touch has it: volumes whose normal is
 * an axis of their inertia are not carried (cf_wrt_check()).
 */

#include <math.h>
#include <string.h>

#include "geometry/vector.h"
#include "motion/along.h"
#include "motion/frame.h"
#include "motion/patch.h"

/* By what a number of the scene moves the solid in the frame of its body, as a twist about the
 * origin. */
static void solid_along(const struct cf_along *along, const struct cf_contact_state *contact,
                        double twist[CF_TWIST])
{
    double axis[3] = {0}, moved[3];

    memset(twist, 0, CF_TWIST * sizeof *twist);
    if (cf_along_of_solid(along, CF_WRT_SOLID_PLACE, contact->pair))
        twist[along->wrt->part] = 1;
    if (!cf_along_of_solid(along, CF_WRT_SOLID_TILT, contact->pair))
        return;
    axis[along->wrt->part] = 1;
    cf_vec_cross(contact->solid->point_m, axis, moved);
    memcpy(twist, moved, sizeof moved);
    memcpy(twist + 3, axis, sizeof axis);
}

/* How body 0 moves in the frame of body 1, about the origin there, and how that motion's speed
 * does. */
static void twists_along(const struct cf_along *along, const struct cf_contact_state *contact,
                         double moved[CF_TWIST], double dtwist[CF_TWIST])
{
    const size_t *body = contact->pair->body;
    const struct cf_pose *i = &along->system->pose[body[0]], *j = &along->system->pose[body[1]];
    const struct cf_pose_by *i_by = &along->pose[body[0]], *j_by = &along->pose[body[1]];
    double turn_i[3], turn_j[3], lever[3], dlever[3], part[3], shift[3], v[3], dv[3], w[3], dw[3];

    cf_pose_spun(i, i_by, turn_i);
    cf_pose_spun(j, j_by, turn_j);
    cf_vec_sub(j->x, i->x, lever);
    cf_vec_sub(j_by->x, i_by->x, dlever);
    cf_vec_cross(turn_i, lever, shift);
    cf_vec_sub(shift, dlever, shift);
    cf_into_body(j, shift, moved);
    cf_vec_sub(turn_i, turn_j, part);
    cf_into_body(j, part, moved + 3);

    cf_vec_cross(i->w, lever, part);
    cf_vec_sub(i->v, j->v, v);
    cf_vec_add_scaled(v, 1, part, v);
    cf_vec_sub(i_by->v, j_by->v, dv);
    cf_vec_cross(i_by->w, lever, part);
    cf_vec_add_scaled(dv, 1, part, dv);
    cf_vec_cross(i->w, dlever, part);
    cf_vec_add_scaled(dv, 1, part, dv);
    cf_vec_sub(i->w, j->w, w);
    cf_vec_sub(i_by->w, j_by->w, dw);
    cf_into_body_along(j, j_by, v, dv, dtwist);
    cf_into_body_along(j, j_by, w, dw, dtwist + 3);
}

void cf_patch_meet_along(const struct cf_along *along, const struct cf_contact_state *contact,
                         const struct cf_contact_kinematics *kin, struct cf_contact_by *out)
{
    const size_t body = contact->pair->body[1];
    const struct cf_pose *j = &along->system->pose[body];
    const struct cf_pose_by *j_by = &along->pose[body];
    const double *n = kin->touch.n, *twist = kin->patch.twist;
    double moved[CF_TWIST], dtwist[CF_TWIST], solid[CF_TWIST], apart[3], point[3], dpoint[3];
    double dn[3], v[3], dv[3], part[3], lift[3], spun[3];

    twists_along(along, contact, moved, dtwist);
    solid_along(along, contact, solid);
    cf_vec_sub(kin->deepest, j->x, apart);
    cf_into_body(j, apart, point);
    /* the deepest point goes with body 0; the solid may move under it */
    cf_vec_cross(moved + 3, point, dpoint);
    cf_vec_add_scaled(dpoint, 1, moved, dpoint);
    cf_vec_cross(solid + 3, point, lift);
    cf_vec_add_scaled(lift, 1, solid, lift);
    cf_vec_sub(dpoint, lift, part);
    out->depth = out->pressed = -cf_vec_dot(n, part);
    cf_vec_cross(solid + 3, n, dn);

    cf_vec_cross(twist + 3, point, v);
    cf_vec_add_scaled(v, 1, twist, v);
    cf_vec_cross(dtwist + 3, point, dv);
    cf_vec_add_scaled(dv, 1, dtwist, dv);
    cf_vec_cross(twist + 3, dpoint, part);
    cf_vec_add_scaled(dv, 1, part, dv);
    out->rate = -cf_vec_dot(dn, v) - cf_vec_dot(n, dv);
    cf_out_of_body_along(j, j_by, n, dn, out->n);
    cf_out_of_body_along(j, j_by, point, dpoint, out->point);
    cf_vec_add_scaled(out->point, 1, j_by->x, out->point);
    cf_vec_cross(j_by->w, kin->n, out->n_rate);
    cf_vec_cross(j->w, out->n, spun);
    cf_vec_add_scaled(out->n_rate, 1, spun, out->n_rate);
}

/* V, p_c and J_v, and n, in the frame of body 1. */
static void volume_along(const struct cf_along *along, const struct cf_contact_state *contact,
                         const struct cf_contact_kinematics *kin, const double moved[CF_TWIST],
                         struct cf_patch_by *out)
{
    const struct cf_volume *v = &kin->patch.volume;
    double solid[CF_TWIST], against[CF_TWIST], part[3];

    solid_along(along, contact, solid);
    for (int t = 0; t < CF_TWIST; t++)
        against[t] = moved[t] - solid[t];
    out->volume_m3 = 0;
    memset(out->centroid_m, 0, sizeof out->centroid_m);
    memset(out->inertia_m5, 0, sizeof out->inertia_m5);
    for (int t = 0; t < CF_TWIST; t++) {
        out->volume_m3 += v->volume_by[t] * against[t];
        for (int a = 0; a < 3; a++) {
            out->centroid_m[a] += v->centroid_by[a][t] * against[t];
            for (int b = 0; b < 3; b++)
                out->inertia_m5[a][b] += v->inertia_by[a][b][t] * against[t];
        }
    }
    /* and all of it goes with the solid */
    cf_vec_cross(solid + 3, v->centroid_m, part);
    cf_vec_add_scaled(out->centroid_m, 1, part, out->centroid_m);
    cf_vec_add_scaled(out->centroid_m, 1, solid, out->centroid_m);
    for (int b = 0; b < 3; b++) { /* J is symmetric: its rows are its columns */
        cf_vec_cross(solid + 3, v->inertia_m5[b], part);
        for (int a = 0; a < 3; a++) {
            out->inertia_m5[a][b] += part[a];
            out->inertia_m5[b][a] += part[a];
        }
    }
}

/* Of the speeds at the centroid: see find_speeds() of patch.c. */
static void speeds_along(const struct cf_contact_kinematics *kin, const double dtwist[CF_TWIST],
                         const double dn[3], struct cf_patch_by *to, struct cf_contact_by *out,
                         double slip[3], double dslip[3])
{
    const struct cf_patch_kinematics *patch = &kin->patch;
    const double *n = patch->normal, *w = patch->twist + 3, *p = patch->volume.centroid_m;
    double v[3], dv[3], part[3], turned[3], changed[3], V = patch->volume.volume_m3;

    cf_vec_cross(w, p, v);
    cf_vec_add_scaled(v, 1, patch->twist, v);
    cf_vec_cross(dtwist + 3, p, dv);
    cf_vec_cross(w, to->centroid_m, part);
    cf_vec_add_scaled(dv, 1, part, dv);
    cf_vec_add_scaled(dv, 1, dtwist, dv);
    out->rate = -cf_vec_dot(dn, v) - cf_vec_dot(n, dv);
    cf_vec_add_scaled(v, kin->rate, n, slip);
    cf_vec_add_scaled(dv, out->rate, n, dslip);
    cf_vec_add_scaled(dslip, kin->rate, dn, dslip);
    to->spin_rad_s = cf_vec_dot(dn, w) + cf_vec_dot(n, dtwist + 3);
    for (int k = 0; k < 3; k++) {
        to->roll_inside[k] = w[k] - patch->spin_rad_s * n[k];
        to->roll[k] = dtwist[3 + k] - to->spin_rad_s * n[k] - patch->spin_rad_s * dn[k];
    }
    cf_vec_turn(((struct cf_patch_kinematics *) patch)->volume.inertia_m5, n, turned);
    cf_vec_turn(to->inertia_m5, n, changed);
    to->gyration_m =
        (2 * cf_vec_dot(dn, turned) + cf_vec_dot(n, changed)) / (2 * V * patch->gyration_m) -
        patch->gyration_m * to->volume_m3 / (2 * V);
}

/* The resistance to rolling in the frame of body 1, and along: see cf_patch_turn(). */
static void roll_along(const struct cf_contact_state *contact,
                       const struct cf_contact_state_by *fixed,
                       const struct cf_contact_kinematics *kin, const double dn[3], double dgrown,
                       const struct cf_patch_by *to, double torque[3], double dtorque[3])
{
    const struct cf_patch_kinematics *patch = &kin->patch;
    const double *n = patch->normal;
    double fade = cf_patch_fade(patch->grown, &dgrown), size, dsize, along_n, dalong_n, part[3];

    size = -contact->k * contact->ratio * fade;
    dsize = -contact->k * contact->ratio * dgrown;
    if (fixed)
        dsize -= (fixed->k * contact->ratio + contact->k * fixed->ratio) * fade;
    cf_vec_turn(((struct cf_patch_kinematics *) patch)->volume.inertia_m5, to->roll_inside, torque);
    cf_vec_turn(((struct cf_patch_kinematics *) patch)->volume.inertia_m5, to->roll, dtorque);
    cf_vec_turn(((struct cf_patch_by *) to)->inertia_m5, to->roll_inside, part);
    cf_vec_add_scaled(dtorque, 1, part, dtorque);
    along_n = cf_vec_dot(n, torque);
    dalong_n = cf_vec_dot(dn, torque) + cf_vec_dot(n, dtorque);
    cf_vec_add_scaled(torque, -along_n, n, torque);
    cf_vec_add_scaled(dtorque, -dalong_n, n, dtorque);
    cf_vec_add_scaled(dtorque, -along_n, dn, dtorque);
    for (int k = 0; k < 3; k++) {
        dtorque[k] = size * dtorque[k] + dsize * torque[k];
        torque[k] *= size;
    }
}

void cf_patch_press_along(const struct cf_along *along, const struct cf_contact_state *contact,
                          const struct cf_contact_kinematics *kin, struct cf_contact_by *out)
{
    const size_t *body = contact->pair->body;
    const struct cf_pose *j = &along->system->pose[body[1]];
    const struct cf_pose_by *j_by = &along->pose[body[1]];
    const struct cf_contact_state_by *fixed = cf_along_fixed(along, contact);
    const struct cf_patch_kinematics *patch = &kin->patch;
    struct cf_patch_by *to = &out->patch;
    double moved[CF_TWIST], dtwist[CF_TWIST], dn[3], slip[3], dslip[3], torque[3], dtorque[3];
    double dgrown, V = patch->volume.volume_m3;

    memset(to, 0, sizeof *to);
    if (!(patch->pressed_m3 > 0))
        return;
    twists_along(along, contact, moved, dtwist);
    volume_along(along, contact, kin, moved, to);
    cf_into_body_along(j, j_by, kin->n, out->n, dn);
    speeds_along(kin, dtwist, dn, to, out, slip, dslip);
    cf_out_of_body_along(j, j_by, slip, dslip, out->slip);
    cf_out_of_body_along(j, j_by, patch->volume.centroid_m, to->centroid_m, out->point);
    cf_vec_add_scaled(out->point, 1, j_by->x, out->point);

    dgrown = contact->ratio * out->rate + (fixed ? fixed->ratio * kin->rate : 0);
    if (!(patch->grown > 0)) /* the clamp holds */
        return;
    out->normal_N = contact->k * (to->volume_m3 * patch->grown + V * dgrown) +
                    (fixed ? fixed->k * V * patch->grown : 0);
    roll_along(contact, fixed, kin, dn, dgrown, to, torque, dtorque);
    cf_out_of_body_along(j, j_by, torque, dtorque, to->moment);
}

void cf_patch_rub_along(const struct cf_contact_state *contact,
                        const struct cf_contact_kinematics *kin, const double slide[],
                        struct cf_contact_by *out, double df[2], double drate[])
{
    const struct cf_contact_pair *pair = contact->pair;
    const struct cf_patch seen = cf_patch_seen(contact, kin);
    double d[CF_PATCH_COLUMNS] = {0}, dforce[CF_PATCH_FORCES];

    memcpy(d, slide, CF_FRICTION_COLUMNS * sizeof *d);
    d[CF_BY_SPIN] = out->patch.spin_rad_s;
    d[CF_BY_GYRATION] = out->patch.gyration_m;
    cf_patch_vary(pair->friction, pair->friction_p, &seen, d, dforce, drate);
    df[0] = dforce[0];
    df[1] = dforce[1];
    cf_vec_add_scaled(out->patch.moment, dforce[CF_PATCH_TORQUE], kin->n, out->patch.moment);
    cf_vec_add_scaled(out->patch.moment, kin->friction[CF_PATCH_TORQUE], out->n, out->patch.moment);
}
