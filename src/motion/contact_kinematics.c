/* One contact at one time: geometry, normal force, friction. */

#include <math.h>
#include <string.h>

#include "geometry/vector.h"
#include "law/tangent.h"
#include "motion/frame.h"
#include "motion/patch.h"

/* Velocity of the body's material at a lever from its mass centre. */
static void velocity_at(const struct cf_pose *pose, const double lever[3], double v[3])
{
    double turn[3];

    memcpy(v, pose->v, sizeof pose->v);
    if (pose->w[0] == 0 && pose->w[1] == 0 && pose->w[2] == 0)
        return;
    cf_vec_cross(pose->w, lever, turn);
    cf_vec_add_scaled(v, 1, turn, v);
}

/* A load's contact: no geometry, the normal is fixed. */
static void meet_load(const struct cf_contact_state *contact, const struct cf_pose *i,
                      const struct cf_pose *j, struct cf_contact_kinematics *kin)
{
    double lever[3], on_j[3];

    kin->depth = kin->rate = kin->hollow = 0;
    memset(kin->n_rate, 0, sizeof kin->n_rate);
    memcpy(kin->n, contact->pair->normal, sizeof kin->n);
    memcpy(kin->point, i->x, sizeof kin->point);
    cf_apart(i, j, lever);
    velocity_at(j, lever, on_j);
    cf_vec_sub(i->v, on_j, kin->slip);
    cf_vec_add_scaled(kin->slip, -cf_vec_dot(kin->n, kin->slip), kin->n, kin->slip);
}

/* Velocity of the ball's centre against the solid's material there, by its levers on both. */
static void approach(const struct cf_pose *i, const struct cf_pose *j, const double lever_i[3],
                     const double lever_j[3], double u[3])
{
    double on_j[3];

    if (i->turned)
        velocity_at(i, lever_i, u);
    else
        memcpy(u, i->v, 3 * sizeof *u);
    if (j->known) /* it never moves */
        return;
    velocity_at(j, lever_j, on_j);
    cf_vec_sub(u, on_j, u);
}

/* n' = R (turn . velocity of the centre in j) + w_j x n */
static void turn_normal(const struct cf_pose *j, double turn[3][3], const double u[3],
                        struct cf_contact_kinematics *kin)
{
    double inside[3], spun[3];

    cf_into_body(j, u, inside);
    cf_vec_turn(turn, inside, spun);
    cf_out_of_body(j, spun, kin->n_rate);
    cf_vec_cross(j->w, kin->n, spun);
    cf_vec_add_scaled(kin->n_rate, 1, spun, kin->n_rate);
}

void cf_contact_geometry(const struct cf_system *system, const struct cf_contact_state *contact,
                         struct cf_contact_kinematics *kin)
{
    const struct cf_pose *i = &system->pose[contact->pair->body[0]];
    const struct cf_pose *j = &system->pose[contact->pair->body[1]];
    struct cf_touch *touch = &kin->touch;
    double out[3], centre[3], apart[3], u[3], inside[3], spin[3], swept[3], arm_m;

    if (contact->cell[0]) {
        cf_patch_meet(system, contact, kin);
        return;
    }
    if (!contact->solid) {
        meet_load(contact, i, j, kin);
        return;
    }
    cf_out_of_body(i, contact->ball->centre_m, out);
    cf_vec_add_scaled(i->x, 1, out, centre);
    cf_apart(i, j, apart);
    cf_vec_add_scaled(apart, 1, out, apart);
    cf_into_body(j, apart, inside);
    cf_solid_touch(contact->solid, contact->ball->radius_m, inside, touch);
    cf_out_of_body(j, touch->n, kin->n);
    kin->depth = touch->depth_m;
    kin->hollow = -(touch->turn[0][0] + touch->turn[1][1] + touch->turn[2][2]);
    arm_m = cf_contact_arm_m(contact, touch->depth_m);
    cf_vec_add_scaled(centre, -arm_m, kin->n, kin->point);

    approach(i, j, out, apart, u);
    kin->rate = -cf_vec_dot(kin->n, u);
    cf_vec_add_scaled(u, kin->rate, kin->n, kin->slip);
    if (system->keeps || contact->patch) { /* what derivatives and volumes ask for */
        memcpy(kin->centre, centre, sizeof centre);
        memcpy(kin->inside, inside, sizeof inside);
        memcpy(kin->velocity_m_s, u, sizeof u);
    }
    if (!contact->pair->friction)
        return;
    /* the place of action is -arm n off the centre */
    cf_vec_sub(i->w, j->w, spin);
    cf_vec_cross(kin->n, spin, swept);
    cf_vec_add_scaled(kin->slip, arm_m, swept, kin->slip);
    if (contact->bristle != CF_NONE)
        turn_normal(j, touch->turn, u, kin);
}

double cf_contact_root(const struct cf_contact_state *contact, double depth_m)
{
    double y = fmax(depth_m, 0);

    if (contact->q == 1)
        return y;
    for (int q = contact->q; q > 1; q /= 2) /* 2, 4 or 8 */
        y = sqrt(y);
    return y;
}

/* y of the contact, negative behind z = 0 if it is integrated in y. */
static double root_of(const struct cf_system *system, const struct cf_contact_state *contact,
                      const double state[], const struct cf_contact_kinematics *kin)
{
    return cf_contact_in_y(system, contact) ? state[system->y]
                                            : cf_contact_root(contact, kin->depth);
}

struct cf_contact cf_contact_seen(const struct cf_contact_state *contact, const double state[],
                                  const struct cf_contact_kinematics *kin)
{
    return (struct cf_contact){.depth_m = kin->depth,
                               .rate_m_s = kin->rate,
                               .approach_m_s = contact->approach_m_s,
                               .mass_kg = contact->mass_kg,
                               .radius_m = contact->radius_m,
                               .volume_m3 = contact->patch ? kin->patch.pressed_m3 : 0,
                               .centroid_depth_m =
                                   contact->patch ? kin->patch.volume.centroid_depth_m : 0,
                               .state = contact->state == CF_NONE ? NULL : state + contact->state};
}

/* k z^n + lambda z^p zdot in integer powers of y: beyond its end it goes on smoothly. */
static void press_whole(const struct cf_system *system, const struct cf_contact_state *contact,
                        double y, struct cf_contact_kinematics *kin)
{
    double spring = contact->k * cf_whole_power(y, contact->spring);
    double damper = contact->k * contact->ratio * cf_whole_power(y, contact->damper) * kin->rate;

    kin->normal_N = spring + damper;
    if (!cf_contact_in_y(system, contact)) /* in depth, with the clamp as it is */
        kin->normal_N = y > 0 ? fmax(kin->normal_N, 0) : 0;
    kin->loss_W = (kin->normal_N - spring) * kin->rate;
}

static void press_law(const struct cf_contact_state *contact, const double state[],
                      struct cf_contact_kinematics *kin)
{
    const struct cf_law *law = contact->pair->law;
    struct cf_contact seen = cf_contact_seen(contact, state, kin), still = seen;

    still.rate_m_s = 0;
    kin->normal_N = law->force(law, contact->p, &seen);
    kin->loss_W = 0;
    if (!(seen.depth_m > 0))
        return;
    kin->loss_W = law->loss ? law->loss(contact->p, &seen)
                            : (kin->normal_N - law->force(law, contact->p, &still)) * kin->rate;
}

/* Friction's states, as its law has them. */
static void bristles(const struct cf_friction_law *law, const struct cf_tangent *frame,
                     const double state[], double out[])
{
    for (size_t i = 0; i < law->nvector; i++)
        cf_tangent_of(frame, state + 3 * i, out + 2 * i);
    for (size_t i = 2 * law->nvector; i < law->nstate; i++)
        out[i] = state[cf_bristle_number(law, i)];
}

/* Friction in the plane of contact. */
static void rub(const struct cf_contact_state *contact, const double state[],
                struct cf_contact_kinematics *kin)
{
    const struct cf_contact_pair *pair = contact->pair;
    struct cf_tangent frame;

    cf_tangent_frame(kin->n, &frame);
    memcpy(kin->tangent, frame.axis, sizeof kin->tangent);
    kin->slide = (struct cf_slide){.depth_m = kin->depth, .normal_N = fmax(kin->normal_N, 0)};
    cf_tangent_of(&frame, kin->slip, kin->slide.velocity_m_s);
    if (contact->bristle != CF_NONE)
        bristles(pair->friction, &frame, state + contact->bristle, kin->bristle);
    kin->slide.state = kin->bristle;
    if (contact->patch) {
        const struct cf_patch seen = cf_patch_seen(contact, kin);
        cf_patch_force(pair->friction, pair->friction_p, &seen, kin->friction, kin->friction_rate);
    } else {
        pair->friction->force(pair->friction_p, &kin->slide, kin->friction, kin->friction_rate);
    }
}

void cf_contact_forces(const struct cf_system *system, const struct cf_contact_state *contact,
                       const double state[], struct cf_contact_kinematics *kin)
{
    if (!contact->pair->law) {
        const struct cf_course *load = &contact->pair->load;
        kin->normal_N = load->n > 0 ? cf_course_at(load, system->began_s, *system->now_s)
                                    : contact->pair->load_N;
    } else if (contact->patch) {
        cf_patch_press(system, contact, state, kin);
    } else {
        double y = root_of(system, contact, state, kin);
        if (cf_contact_in_y(system, contact))
            kin->depth = cf_whole_power(fabs(y), contact->q);
        else if (contact->relaxed != CF_NONE)
            y = cf_contact_root(contact, kin->depth -= state[contact->relaxed]);
        if (contact->whole)
            press_whole(system, contact, y, kin);
        else
            press_law(contact, state, kin);
    }
    if (contact->pair->friction)
        rub(contact, state, kin);
    if (contact->patch)
        cf_patch_turn(system, contact, kin);
}

/* In y |y| it stays negative behind its zero however small the damping. Where n = p, the force ends
 * with the depth; so do all laws that are integrated in depth, where it is below 0. */
double cf_contact_end(const struct cf_system *system, const struct cf_contact_state *contact,
                      const double state[], const struct cf_contact_kinematics *kin)
{
    const struct cf_law *law = contact->pair->law;
    double y = root_of(system, contact, state, kin);
    struct cf_contact seen;

    if (cf_contact_ends_with_depth(contact) || (!contact->whole && !(y > 0)))
        return cf_contact_in_y(system, contact) ? y : kin->depth;
    if (!contact->whole) {
        seen = cf_contact_seen(contact, state, kin);
        seen.depth_m = cf_whole_power(y, contact->q);
        return law->end(contact->p, &seen);
    }
    return copysign(cf_whole_power(fabs(y), contact->spring - contact->damper), y) +
           contact->ratio * kin->rate;
}
