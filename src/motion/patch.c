/* A contact over a volume of interference ([G07] ch. 4): the force kv V (1 + a v_app) along n at
 * the centroid, and the torques of rolling, -kv a J_v w_t, and spinning.
 *
 * Everything is seen in the frame of body 1, in which the solid is at rest. V_r = V - V_o of fixed
 * steps ([G07] 3.44) stands for V in the forces, and scales J_v with it.
 */

#include <math.h>
#include <string.h>

#include "geometry/vector.h"
#include "motion/system.h"
#include "volume/ball.h"
#include "volume/normal.h"

bool cf_patch_has_potential(const struct cf_contact_pair *pair, const struct cf_scene *scene)
{
    const struct cf_solid *solid = &scene->body[pair->body[1]].solid[pair->solid];

    return solid->shape == cf_shape_find("plane");
}

static int volume_at(const struct cf_contact_state *contact,
                     const struct cf_contact_kinematics *kin, double depth_m, struct cf_volume *out)
{
    struct cf_touch touch = kin->touch;

    touch.depth_m = depth_m;
    return cf_ball_volume(contact->solid, contact->ball->radius_m, kin->inside, &touch, out, NULL);
}

/* Under a sphere V grows with the square of the depth, and its energy is a third of kv V z. */
double cf_patch_energy_to(const struct cf_contact_state *contact,
                          const struct cf_contact_kinematics *kin, double depth_m)
{
    struct cf_contact_kinematics at = *kin;
    struct cf_volume v;

    /* moved along n to the depth */
    cf_vec_add_scaled(at.inside, kin->touch.depth_m - depth_m, kin->touch.n, at.inside);
    if (!(depth_m < contact->ball->radius_m) || volume_at(contact, &at, depth_m, &v))
        return (double) INFINITY;
    return contact->p[0] * v.volume_m3 * depth_m / 3;
}

static void into_body(const struct cf_pose *pose, const double a[3], double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = pose->turned ? pose->r[0][i] * a[0] + pose->r[1][i] * a[1] + pose->r[2][i] * a[2]
                              : a[i];
}

static void out_of_body(const struct cf_pose *pose, const double a[3], double out[3])
{
    if (pose->turned)
        cf_vec_turn(((struct cf_pose *) pose)->r, a, out);
    else
        memcpy(out, a, 3 * sizeof *out);
}

/* Of body 0 against body 1, about the origin of body 1 and along its axes. */
static void find_twist(const struct cf_pose *i, const struct cf_pose *j, double twist[CF_TWIST])
{
    double lever[3], v[3], w[3], turned[3];

    cf_vec_sub(j->x, i->x, lever);
    cf_vec_cross(i->w, lever, turned);
    cf_vec_sub(i->v, j->v, v);
    cf_vec_add_scaled(v, 1, turned, v);
    cf_vec_sub(i->w, j->w, w);
    into_body(j, v, twist);
    into_body(j, w, twist + 3);
}

/* n where symmetry does not tell it, and how it turns. */
static void find_normal(const struct cf_contact_state *contact, const struct cf_pose *j,
                        struct cf_contact_kinematics *kin)
{
    struct cf_patch_kinematics *patch = &kin->patch;
    double change[3][3] = {{0}}, turned[3], spun[3];

    memcpy(patch->normal, kin->touch.n, sizeof patch->normal);
    if (cf_ball_volume_is_even(contact->solid->shape))
        return;
    /* where the volume does not tell, the geometric estimate stays ([G07] A.3.3) */
    if (cf_volume_normal(patch->volume.inertia_m5, kin->touch.n, NULL, &cf_normal_defaults,
                         patch->normal, NULL))
        return;
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            for (int t = 0; t < CF_TWIST; t++)
                change[a][b] += patch->volume.inertia_by[a][b][t] * patch->twist[t];
    if (cf_volume_normal_turn(patch->volume.inertia_m5, patch->normal, change, turned, NULL))
        return;
    out_of_body(j, patch->normal, kin->n);
    out_of_body(j, turned, kin->n_rate);
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
    out_of_body(j, slip, kin->slip);
    patch->spin_rad_s = cf_vec_dot(patch->normal, w);
    cf_vec_add_scaled(w, -patch->spin_rad_s, patch->normal, lean);
    out_of_body(j, lean, patch->roll);
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
    double pressed, spring, grown;

    if (volume_at(contact, kin, kin->depth, &patch->volume)) {
        let_go(kin);
        kin->normal_N = (double) NAN; /* the step is refused */
        return;
    }
    pressed = patch->volume.volume_m3 - (contact->relaxed == CF_NONE ? 0 : state[contact->relaxed]);
    if (!(pressed > 0)) {
        let_go(kin);
        return;
    }
    find_twist(i, j, patch->twist);
    find_normal(contact, j, kin);
    out_of_body(j, patch->volume.centroid_m, kin->point);
    cf_vec_add_scaled(kin->point, 1, j->x, kin->point);
    find_speeds(kin, j);
    patch->pressed_m3 = pressed;
    spring = contact->k * pressed;
    grown = fmax(0, 1 + contact->ratio * kin->rate);
    kin->normal_N = spring * grown;
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
    double rolled[3], lean[3], torque[3];

    memset(patch->moment, 0, sizeof patch->moment);
    patch->rolling_W = 0;
    if (!(kin->normal_N > 0))
        return;
    into_body(j, patch->roll, lean);
    cf_vec_turn(patch->volume.inertia_m5, lean, rolled);
    out_of_body(j, rolled, torque);
    cf_vec_scale(-contact->k * contact->ratio * patch->pressed_m3 / patch->volume.volume_m3, torque,
                 patch->moment);
    patch->rolling_W = -cf_vec_dot(patch->moment, patch->roll);
    if (contact->pair->friction)
        cf_vec_add_scaled(patch->moment, kin->friction[CF_PATCH_TORQUE], kin->n, patch->moment);
}
