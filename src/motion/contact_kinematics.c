/* One contact at one time: geometry, normal force, friction. */

#include <math.h>
#include <string.h>

#include "geometry/vector.h"
#include "law/tangent.h"
#include "motion/system.h"

static inline void to_world(const struct cf_pose *pose, const double a[3], double out[3])
{
    if (pose->turned)
        cf_vec_turn(((struct cf_pose *) pose)->r, a, out);
    else
        memcpy(out, a, 3 * sizeof *out);
}

static inline void to_body(const struct cf_pose *pose, const double a[3], double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = pose->turned ? pose->r[0][i] * a[0] + pose->r[1][i] * a[1] + pose->r[2][i] * a[2]
                              : a[i];
}

/* Velocity of the body's material at a point. */
static void velocity_at(const struct cf_pose *pose, const double point[3], double v[3])
{
    double lever[3], turn[3];

    memcpy(v, pose->v, sizeof pose->v);
    if (pose->w[0] == 0 && pose->w[1] == 0 && pose->w[2] == 0)
        return;
    cf_vec_sub(point, pose->x, lever);
    cf_vec_cross(pose->w, lever, turn);
    cf_vec_add_scaled(v, 1, turn, v);
}

/* A load's contact: no geometry, the normal stands. */
static void meet_load(const struct cf_bond *bond, const struct cf_pose *i, const struct cf_pose *j,
                      struct cf_grip *grip)
{
    double on_j[3];

    grip->depth = grip->rate = grip->hollow = 0;
    memset(grip->n_rate, 0, sizeof grip->n_rate);
    memcpy(grip->n, bond->meeting->normal, sizeof grip->n);
    memcpy(grip->point, i->x, sizeof grip->point);
    velocity_at(j, i->x, on_j);
    cf_vec_sub(i->v, on_j, grip->slip);
    cf_vec_add_scaled(grip->slip, -cf_vec_dot(grip->n, grip->slip), grip->n, grip->slip);
}

/* Velocity of the ball's centre against the solid's material there. */
static void approach(const struct cf_pose *i, const struct cf_pose *j, const double centre[3],
                     double u[3])
{
    double on_j[3];

    if (i->turned)
        velocity_at(i, centre, u);
    else
        memcpy(u, i->v, 3 * sizeof *u);
    if (j->known) /* it never moves */
        return;
    velocity_at(j, centre, on_j);
    cf_vec_sub(u, on_j, u);
}

/* n' = R (turn . velocity of the centre in j) + w_j x n */
static void turn_normal(const struct cf_pose *j, double turn[3][3], const double u[3],
                        struct cf_grip *grip)
{
    double inside[3], spun[3];

    to_body(j, u, inside);
    cf_vec_turn(turn, inside, spun);
    to_world(j, spun, grip->n_rate);
    cf_vec_cross(j->w, grip->n, spun);
    cf_vec_add_scaled(grip->n_rate, 1, spun, grip->n_rate);
}

void cf_bond_meet(const struct cf_system *system, const struct cf_bond *bond, struct cf_grip *grip)
{
    const struct cf_pose *i = &system->pose[bond->meeting->body[0]];
    const struct cf_pose *j = &system->pose[bond->meeting->body[1]];
    double centre[3], inside[3], u[3], spin[3], swept[3];
    struct cf_touch touch;

    if (!bond->solid) {
        meet_load(bond, i, j, grip);
        return;
    }
    if (i->turned) {
        to_world(i, bond->ball->centre_m, centre);
        cf_vec_add_scaled(centre, 1, i->x, centre);
    } else {
        cf_vec_add_scaled(i->x, 1, bond->ball->centre_m, centre);
    }
    cf_vec_sub(centre, j->x, u);
    to_body(j, u, inside);
    cf_solid_touch(bond->solid, bond->ball->radius_m, inside, &touch);
    to_world(j, touch.n, grip->n);
    grip->depth = touch.depth_m;
    grip->hollow = -(touch.turn[0][0] + touch.turn[1][1] + touch.turn[2][2]);
    cf_vec_add_scaled(centre, -bond->ball->radius_m, grip->n, grip->point);

    approach(i, j, centre, u);
    grip->rate = -cf_vec_dot(grip->n, u);
    cf_vec_add_scaled(u, grip->rate, grip->n, grip->slip);
    if (!bond->meeting->friction)
        return;
    /* the point of action is -radius n off the centre */
    cf_vec_sub(i->w, j->w, spin);
    cf_vec_cross(grip->n, spin, swept);
    cf_vec_add_scaled(grip->slip, bond->ball->radius_m, swept, grip->slip);
    if (bond->bristle != CF_NONE)
        turn_normal(j, touch.turn, u, grip);
}

static double whole_power(double x, int n)
{
    double product = 1;
    while (n-- > 0)
        product *= x;
    return product;
}

double cf_bond_root(const struct cf_bond *bond, double depth_m)
{
    double y = fmax(depth_m, 0);

    if (bond->q == 1)
        return y;
    for (int q = bond->q; q > 1; q /= 2) /* 2, 4 or 8 */
        y = sqrt(y);
    return y;
}

static bool in_y(const struct cf_system *system, const struct cf_bond *bond)
{
    return system->fresh != CF_NONE && bond == &system->bond[system->fresh];
}

/* y of the contact, negative behind z = 0 if it is integrated in y. */
static double root_of(const struct cf_system *system, const struct cf_bond *bond,
                      const double state[], const struct cf_grip *grip)
{
    return in_y(system, bond) ? state[system->y] : cf_bond_root(bond, grip->depth);
}

static struct cf_contact contact_of(const struct cf_bond *bond, const double state[],
                                    const struct cf_grip *grip)
{
    return (struct cf_contact){.depth_m = grip->depth,
                               .rate_m_s = grip->rate,
                               .approach_m_s = bond->approach_m_s,
                               .mass_kg = bond->mass_kg,
                               .radius_m = bond->radius_m,
                               .state = bond->state == CF_NONE ? NULL : state + bond->state};
}

/* k z^n + lambda z^p zdot in whole powers of y: beyond its end it goes on smoothly. */
static void press_whole(const struct cf_system *system, const struct cf_bond *bond, double y,
                        struct cf_grip *grip)
{
    double spring = bond->k * whole_power(y, bond->spring);
    double damper = bond->k * bond->ratio * whole_power(y, bond->damper) * grip->rate;

    grip->normal_N = spring + damper;
    if (!in_y(system, bond)) /* in depth, where the clamp stands as it is written */
        grip->normal_N = y > 0 ? fmax(grip->normal_N, 0) : 0;
    grip->loss_W = (grip->normal_N - spring) * grip->rate;
}

static void press_law(const struct cf_bond *bond, const double state[], struct cf_grip *grip)
{
    const struct cf_law *law = bond->meeting->law;
    struct cf_contact contact = contact_of(bond, state, grip), still = contact;

    still.rate_m_s = 0;
    grip->normal_N = law->force(law, bond->p, &contact);
    grip->loss_W = 0;
    if (!(contact.depth_m > 0))
        return;
    grip->loss_W = law->loss ? law->loss(bond->p, &contact)
                             : (grip->normal_N - law->force(law, bond->p, &still)) * grip->rate;
}

/* Friction in the plane of contact. */
static void rub(const struct cf_bond *bond, const double state[], struct cf_grip *grip)
{
    const struct cf_meeting *meeting = bond->meeting;
    struct cf_tangent frame;

    cf_tangent_frame(grip->n, &frame);
    memcpy(grip->tangent, frame.axis, sizeof grip->tangent);
    grip->slide = (struct cf_slide){.depth_m = grip->depth, .normal_N = fmax(grip->normal_N, 0)};
    cf_tangent_of(&frame, grip->slip, grip->slide.velocity_m_s);
    if (bond->bristle != CF_NONE) {
        cf_tangent_of(&frame, state + bond->bristle, grip->bristle);
        if (meeting->friction->nstate > 2)
            grip->bristle[2] = state[bond->bristle + 3];
    }
    grip->slide.state = grip->bristle;
    meeting->friction->force(meeting->friction_p, &grip->slide, grip->friction,
                             grip->friction_rate);
}

void cf_bond_press(const struct cf_system *system, const struct cf_bond *bond, const double state[],
                   struct cf_grip *grip)
{
    if (!bond->meeting->law) {
        grip->normal_N = bond->meeting->load_N;
    } else {
        double y = root_of(system, bond, state, grip);
        if (in_y(system, bond))
            grip->depth = whole_power(fabs(y), bond->q);
        else if (bond->relaxed != CF_NONE)
            y = cf_bond_root(bond, grip->depth -= state[bond->relaxed]);
        if (bond->whole)
            press_whole(system, bond, y, grip);
        else
            press_law(bond, state, grip);
    }
    if (bond->meeting->friction)
        rub(bond, state, grip);
}

/* In y |y| it stays negative behind its zero however small the damping. Where n = p, the force ends
 * with the depth; so do all that are integrated in it, where that is below 0. */
double cf_bond_end(const struct cf_system *system, const struct cf_bond *bond, const double state[],
                   const struct cf_grip *grip)
{
    const struct cf_law *law = bond->meeting->law;
    bool depth_ends = bond->whole ? bond->spring == bond->damper || bond->ratio == 0 : !law->end;
    double y = root_of(system, bond, state, grip);
    struct cf_contact contact;

    if (depth_ends || (!bond->whole && !(y > 0)))
        return in_y(system, bond) ? y : grip->depth;
    if (!bond->whole) {
        contact = contact_of(bond, state, grip);
        contact.depth_m = whole_power(y, bond->q);
        return law->end(bond->p, &contact);
    }
    return copysign(whole_power(fabs(y), bond->spring - bond->damper), y) +
           bond->ratio * grip->rate;
}
