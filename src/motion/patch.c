/* A contact over a volume of interference ([G07] ch. 4): the force kv V (1 + a v_app) along n at
 * the centroid, and the torques of rolling, -kv a J_v w_t, and spinning.
 *
 * Everything is seen in the frame of body 1, in which the solid is at rest. V_r = V - V_o of fixed
 * steps ([G07] 3.44) stands for V in the forces, and scales J_v with it.
 *
 * Where the damping would pull, 1 + a v_app < 0, there is no force. The source does not say what
 * becomes of the resistance to rolling, which does not go to 0 with the force: here it does in the
 * last tenth of it, so that a contact at the border does not jump to and fro.
 */

#include <math.h>
#include <string.h>

#include "geometry/vector.h"
#include "motion/frame.h"
#include "motion/patch.h"
#include "volume/normal.h"

/* Of the force of the spring, below which rolling has less resistance. */
static const double LAST = 0.1;

double cf_patch_fade(double grown, double *change)
{
    if (change)
        *change = grown < LAST ? *change / LAST : 0;
    return fmin(grown / LAST, 1);
}

/* n where it does not follow from symmetry, and how it turns. */
static void find_normal(const struct cf_contact_state *contact, const struct cf_pose *j,
                        struct cf_contact_kinematics *kin)
{
    struct cf_patch_kinematics *patch = &kin->patch;
    double change[3][3] = {{0}}, turned[3], spun[3];

    memcpy(patch->normal, kin->touch.n, sizeof patch->normal);
    if (cf_patch_normal_is_given(contact))
        return;
    /* where the volume does not determine it, the geometric estimate stays ([G07] A.3.3) */
    if (cf_volume_normal(patch->volume.inertia_m5, kin->touch.n,
                         contact->knows_normal ? contact->normal : NULL, &cf_normal_defaults,
                         patch->normal, NULL))
        return;
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            for (int t = 0; t < CF_TWIST; t++)
                change[a][b] += patch->volume.inertia_by[a][b][t] * patch->twist[t];
    if (cf_volume_normal_turn(patch->volume.inertia_m5, patch->normal, change, turned, NULL))
        return;
    cf_out_of_body(j, patch->normal, kin->n);
    cf_out_of_body(j, turned, kin->n_rate);
    cf_vec_cross(j->w, kin->n, spun);
    cf_vec_add_scaled(kin->n_rate, 1, spun, kin->n_rate);
}

/* Velocities at the centroid, and what n parts them into. */
static void find_speeds(struct cf_contact_kinematics *kin, const struct cf_pose *j)
{
    struct cf_patch_kinematics *patch = &kin->patch;
    const double *w = patch->twist + 3;
    double v[3], turned[3], slip[3], lean[3];

    cf_vec_cross(w, patch->volume.centroid_m, turned);
    cf_vec_add_scaled(patch->twist, 1, turned, v);
    kin->rate = -cf_vec_dot(patch->normal, v);
    cf_vec_add_scaled(v, kin->rate, patch->normal, slip);
    cf_out_of_body(j, slip, kin->slip);
    patch->spin_rad_s = cf_vec_dot(patch->normal, w);
    cf_vec_add_scaled(w, -patch->spin_rad_s, patch->normal, lean);
    cf_out_of_body(j, lean, patch->roll);
    cf_vec_turn(patch->volume.inertia_m5, patch->normal, turned);
    patch->gyration_m = sqrt(cf_vec_dot(patch->normal, turned) / patch->volume.volume_m3);
}

/* Nothing presses: the centroid is where it would be. */
static void let_go(struct cf_contact_kinematics *kin)
{
    struct cf_patch_kinematics *patch = &kin->patch;

    kin->normal_N = kin->loss_W = 0;
    patch->pressed_m3 = patch->spin_rad_s = patch->gyration_m = 0;
    memset(patch->roll, 0, sizeof patch->roll);
    patch->rolling_W = patch->spring_W = 0;
}

void cf_patch_press(const struct cf_system *system, const struct cf_contact_state *contact,
                    const double state[], struct cf_contact_kinematics *kin)
{
    const struct cf_pose *i = &system->pose[contact->pair->body[0]];
    const struct cf_pose *j = &system->pose[contact->pair->body[1]];
    struct cf_patch_kinematics *patch = &kin->patch;
    struct cf_error why = {""};
    double pressed, spring;

    if (cf_patch_volume(contact, kin, 0, contact->octree, &patch->volume, &why)) {
        cf_patch_failed(system, contact, &why);
        let_go(kin);
        kin->normal_N = (double) NAN; /* the step is refused */
        return;
    }
    system->why->text[0] = '\0';
    pressed = patch->volume.volume_m3 - (contact->relaxed == CF_NONE ? 0 : state[contact->relaxed]);
    if (!(pressed > 0)) {
        let_go(kin);
        return;
    }
    cf_patch_twist(i, j, patch->twist);
    find_normal(contact, j, kin);
    cf_out_of_body(j, patch->volume.centroid_m, kin->point);
    cf_vec_add_scaled(kin->point, 1, j->x, kin->point);
    find_speeds(kin, j);
    patch->pressed_m3 = pressed;
    spring = contact->k * pressed;
    patch->grown = fmax(0, 1 + contact->ratio * kin->rate);
    kin->normal_N = spring * patch->grown;
    patch->spring_W = spring * kin->rate;
    kin->loss_W = kin->normal_N * kin->rate - patch->spring_W;
}

struct cf_patch cf_patch_seen(const struct cf_contact_state *contact,
                              const struct cf_contact_kinematics *kin)
{
    return (struct cf_patch){.slide = kin->slide,
                             .spin_rad_s = kin->patch.spin_rad_s,
                             .gyration_m = kin->patch.gyration_m,
                             .power = contact->pair->pressure_power,
                             .spin_factor = contact->pair->spin_factor};
}

void cf_patch_turn(const struct cf_system *system, const struct cf_contact_state *contact,
                   struct cf_contact_kinematics *kin)
{
    const struct cf_pose *j = &system->pose[contact->pair->body[1]];
    struct cf_patch_kinematics *patch = &kin->patch;
    double rolled[3], lean[3], torque[3], fade;

    memset(patch->moment, 0, sizeof patch->moment);
    patch->rolling_W = 0;
    if (!(kin->normal_N > 0))
        return;
    cf_into_body(j, patch->roll, lean);
    cf_vec_turn(patch->volume.inertia_m5, lean, rolled);
    /* pressures along n have no torque about it; J_v w_t has none where n is an axis of J_v */
    cf_vec_add_scaled(rolled, -cf_vec_dot(patch->normal, rolled), patch->normal, rolled);
    cf_out_of_body(j, rolled, torque);
    fade = cf_patch_fade(patch->grown, NULL);
    cf_vec_scale(-contact->k * contact->ratio * fade * patch->pressed_m3 / patch->volume.volume_m3,
                 torque, patch->moment);
    patch->rolling_W = -cf_vec_dot(patch->moment, patch->roll);
    if (contact->pair->friction)
        cf_vec_add_scaled(patch->moment, kin->friction[CF_PATCH_TORQUE], kin->n, patch->moment);
}
