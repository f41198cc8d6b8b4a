/* Flights in closed form: parabolas, steady spins, and the time of the next touch.
 *
 * The gap of a ball that flies on a parabola past a solid that does not turn is bounded from below
 * by a parabola in time. For a convex solid it is that of the tangent plane under the ball, whose
 * curvature is n . a, exact for a plane. For a bore the ball's own way over the wall bends the gap
 * by at most v^2/(distance from the axis), taken twice while that distance changes by less than
 * half. Going from root to root of such bounds comes to the first touch from above, and never past
 * it, with the order of Newton's method.
 */

#include <float.h>
#include <math.h>
#include <string.h>

#include "geometry/vector.h"
#include "motion/system.h"

enum { MAX_ROUNDS = 400 };

/* One contact pair along a flight. */
struct view {
    const struct cf_system *system;
    const struct cf_contact_state *contact;
    const double *state;
    double time_s;
    double *spare; /* the states; those of its two bodies at the latest look */
};

void cf_flight_move_body(const struct cf_system *system, size_t b, const double state[],
                         double after_s, double out[])
{
    const struct cf_state_layout *layout = &system->layout[b];
    const double *g = system->scene->gravity_m_s2;

    if (system->scene->body[b].drive != CF_DRIVE_FREE)
        return;
    for (int k = 0; k < 3; k++) {
        double v = state[layout->velocity + k];
        out[layout->place + k] = state[layout->place + k] + (v + 0.5 * g[k] * after_s) * after_s;
        out[layout->velocity + k] = v + g[k] * after_s;
    }
    if (layout->attitude != CF_NONE)
        cf_attitude_spun(state + layout->attitude, state + layout->spin, after_s,
                         out + layout->attitude);
}

/* At its two bodies alone: a scene has as many contacts as pairs of bodies. */
static void look(const struct view *view, double after_s, struct cf_contact_kinematics *kin)
{
    for (int side = 0; side < 2; side++)
        cf_flight_move_body(view->system, view->contact->pair->body[side], view->state, after_s,
                            view->spare);
    cf_contact_poses(view->system, view->contact, view->time_s + after_s, view->spare);
    cf_contact_geometry(view->system, view->contact, kin);
}

static bool spins(const struct cf_system *system, size_t body)
{
    const struct cf_pose *pose = &system->pose[body];
    return cf_vec_norm(pose->w) > 0;
}

bool cf_flight_possible(const struct cf_system *system)
{
    const struct cf_scene *scene = system->scene;

    if (scene->chain.nlink > 0 || scene->ntether > 0 || scene->nforce > 0)
        return false;
    for (size_t b = 0; b < scene->nbody; b++) {
        const struct cf_rigid *body = &scene->body[b];
        if (body->drive == CF_DRIVE_RECORDED || body->drive == CF_DRIVE_COMMANDED)
            return false;
        if (body->drive == CF_DRIVE_FREE && system->layout[b].attitude != CF_NONE &&
            !cf_rigid_round(body))
            return false;
    }
    for (size_t k = 0; k < system->near.n; k++)
        if (system->contact[system->near.pair[k]].mode == CF_MODE_TOUCHING)
            return false;
    for (size_t m = 0; m < scene->npair; m++) {
        const struct cf_contact_state *contact = &system->contact[m];
        if (spins(system, contact->pair->body[1]) ||
            (spins(system, contact->pair->body[0]) &&
             (contact->cell[0] || cf_vec_norm(contact->ball->centre_m) > 0)))
            return false;
    }
    return true;
}

void cf_flight_move(const struct cf_system *system, const double state[], double after_s,
                    double out[])
{
    memcpy(out, state, system->n * sizeof *out);
    for (size_t b = 0; b < system->scene->nbody; b++)
        cf_flight_move_body(system, b, state, after_s, out);
}

/* Acceleration of body i's ball against body j's solid. */
static void acceleration(const struct view *view, double a[3])
{
    const struct cf_scene *scene = view->system->scene;
    const size_t *body = view->contact->pair->body;
    double share = (scene->body[body[0]].drive == CF_DRIVE_FREE) -
                   (scene->body[body[1]].drive == CF_DRIVE_FREE);

    cf_vec_scale(share, scene->gravity_m_s2, a);
}

/* First positive root of gap + speed h - bend h^2/2, gap >= 0 up to rounding; INFINITY: none. */
static double bound_root(double gap, double speed, double bend)
{
    double square = speed * speed + 2 * bend * gap;

    if (speed > 0)
        return bend > 0 && square > 0 ? (speed + sqrt(square)) / bend : (double) INFINITY;
    return square >= 0 && (speed < 0 || bend > 0) ? fmax(2 * gap / (sqrt(square) - speed), 0)
                                                  : (double) INFINITY;
}

/* The time for which nothing can touch; in a hole, in which the gap gives no bound for the time, at
 * least that of a step. */
static double safe_time(const struct cf_contact_kinematics *kin, const double a[3], double size_v,
                        double step_m)
{
    double gap = -kin->depth, size_a = cf_vec_norm(a), bend = -cf_vec_dot(kin->n, a), h, most;

    if (!(kin->hollow > 0) && cf_vec_norm(kin->n) > 0)
        return bound_root(gap, -kin->rate, bend);
    /* by speed alone */
    h = bound_root(gap, -size_v, size_a);
    if (!(kin->hollow > 0))
        return h;
    if (isinf(kin->hollow)) /* along the wall of a hole that would be no way */
        return fmax(h, bound_root(step_m, -size_v, size_a));
    most = bound_root(0.5 / kin->hollow, -size_v, size_a);
    double fastest = size_v + size_a * most;
    bend = size_a + 2 * kin->hollow * fastest * fastest; /* the normal turns on the way */
    return fmax(h, fmin(most, bound_root(gap, -kin->rate, bend)));
}

/* The time between two at which a quantity of the contact changes its sign, to rounding. */
static double halve(const struct view *view, double (*of)(const struct view *, double), double low,
                    double high)
{
    bool above = of(view, high) > 0;

    for (int i = 0; i < MAX_ROUNDS; i++) {
        double t = 0.5 * (low + high);
        if (!(t > low && t < high))
            break;
        *((of(view, t) > 0) == above ? &high : &low) = t;
    }
    return high;
}

static double depth_at(const struct view *view, double after_s)
{
    struct cf_contact_kinematics kin;

    look(view, after_s, &kin);
    return kin.depth;
}

static double next_touch(const struct view *view, double limit_s)
{
    const size_t *body = view->contact->pair->body;
    static const double STEP = 0.01; /* of a cell in a hole: shorter touches can be missed */
    double a[3], t = 0, before = 0;
    struct cf_contact_kinematics kin = {.hollow = 0};

    acceleration(view, a);
    for (int i = 0; i < MAX_ROUNDS && t < limit_s; i += !isinf(kin.hollow)) {
        double v[3], h;
        look(view, t, &kin);
        if (isnan(kin.depth)) /* the step that begins here says why */
            return t;
        if (t > 0 && kin.depth >= 0 && kin.rate > 0) /* over the rim of a hole it may be past it */
            return view->contact->octree ? halve(view, depth_at, before, t) : t;
        /* of the centre: nothing off it turns, and the solid does not turn */
        cf_vec_sub(view->system->pose[body[0]].v, view->system->pose[body[1]].v, v);
        h = safe_time(&kin, a, cf_vec_norm(v), STEP * view->contact->lever_m);
        if (h <= 2 * DBL_EPSILON * t)
            return t;
        before = t;
        t += h;
    }
    if (t >= limit_s && limit_s > 0 && isinf(kin.hollow) && depth_at(view, limit_s) > 0)
        return halve(view, depth_at, before, limit_s); /* in the last step */
    return t < limit_s ? t : (double) INFINITY;
}

static double force_at(const struct view *view, double after_s)
{
    struct cf_contact_kinematics kin;

    look(view, after_s, &kin);
    return cf_contact_end(view->system, view->contact, view->spare, &kin);
}

/* Depth of the ball in the surface at its present position. */
static double over_surface(const struct view *view, double after_s)
{
    return depth_at(view, after_s) -
           cf_contact_surface(view->contact, view->time_s + after_s).depth_m;
}

/* A clamped contact during separation: it lifts off at depth 0, or, if the velocity reverses
 * before, the force comes back, since at the reversal the spring alone pushes. */
static struct cf_flight_end next_of_clamped(const struct view *view, double limit_s)
{
    struct cf_flight_end end = {INFINITY, CF_SIGN_DEPTH, CF_NONE, CF_MODE_OPEN};
    struct cf_contact_kinematics kin;
    double a[3], toward, turn;

    acceleration(view, a);
    look(view, 0, &kin);
    toward = -cf_vec_dot(kin.n, a);
    turn = toward > 0 ? fmax(-kin.rate, 0) / toward : limit_s;
    turn = fmin(turn, limit_s);
    if (depth_at(view, turn) <= 0) {
        end.after_s = halve(view, depth_at, 0, turn);
    } else if (force_at(view, turn) > 0) {
        end.after_s = halve(view, force_at, 0, turn);
        end.mode = CF_MODE_TOUCHING;
        end.sign = CF_SIGN_FORCE;
    }
    return end;
}

/* The surface recovers exponentially, and the ball meets it once: at once where the weight keeps
 * them together. */
static struct cf_flight_end next_on_recovering(const struct view *view, double limit_s)
{
    static const double FIRST = 1e-3; /* of the time that the surface takes */
    const struct cf_surface surface = cf_contact_surface(view->contact, view->time_s);
    struct cf_flight_end end = {INFINITY, CF_SIGN_SURFACE, CF_NONE, CF_MODE_TOUCHING};
    double low = 0, high;

    if (!(surface.depth_m > 0 && surface.rate_m_s < 0)) { /* it is back */
        end.after_s = next_touch(view, limit_s);
        end.sign = CF_SIGN_DEPTH;
        return end;
    }
    high = fmin(-FIRST * surface.depth_m / surface.rate_m_s, limit_s);
    if (over_surface(view, high) > 0) {
        end.after_s = 0;
        return end;
    }
    while (over_surface(view, high) <= 0) {
        if (high >= limit_s)
            return end;
        low = high;
        high = fmin(2 * high, limit_s);
    }
    end.after_s = halve(view, over_surface, low, high);
    return end;
}

double cf_flight_look(const struct cf_system *system, size_t contact, enum cf_flight_sign sign,
                      double time_s, const double state[], double after_s, double spare[])
{
    static double (*const of[])(const struct view *, double) = {
        [CF_SIGN_DEPTH] = depth_at, [CF_SIGN_FORCE] = force_at, [CF_SIGN_SURFACE] = over_surface};

    cf_flight_move(system, state, after_s, spare);
    if (sign == CF_SIGN_APEX) /* the number is a body's */
        return cf_vec_dot(system->scene->gravity_m_s2, spare + system->layout[contact].velocity);
    return of[sign](&(struct view){system, &system->contact[contact], state, time_s, spare},
                    after_s);
}

/* Are two cells so far apart that they cannot touch before? By the spheres around them. */
static bool touches_later(const struct view *view, double after_s)
{
    const struct cf_contact_state *contact = view->contact;
    const size_t *body = contact->pair->body;
    const struct cf_pose *pose = view->system->pose;
    double a[3], v[3], gap;

    if (!contact->cell[0] || !contact->cell[1])
        return false;
    cf_contact_poses(view->system, contact, view->time_s, view->state);
    acceleration(view, a);
    cf_vec_sub(pose[body[0]].v, pose[body[1]].v, v);
    gap = cf_near_gap(view->system, contact);
    return gap > 0 && bound_root(gap, -cf_vec_norm(v), cf_vec_norm(a)) >= after_s;
}

struct cf_flight_end cf_flight_next(const struct cf_system *system, double time_s,
                                    const double state[], double limit_s, double spare[])
{
    struct cf_flight_end first = {limit_s, CF_SIGN_DEPTH, CF_NONE, CF_MODE_OPEN};

    memcpy(spare, state, system->n * sizeof *spare);
    for (size_t m = 0; m < system->scene->npair; m++) {
        const struct cf_contact_state *contact = &system->contact[m];
        const struct view view = {system, contact, state, time_s, spare};
        struct cf_flight_end next = {INFINITY, CF_SIGN_DEPTH, CF_NONE, CF_MODE_TOUCHING};

        if (contact->mode == CF_MODE_OPEN && touches_later(&view, first.after_s))
            continue;
        if (contact->mode == CF_MODE_OPEN)
            next.after_s = next_touch(&view, limit_s);
        else if (contact->pair->law->recovery)
            next = next_on_recovering(&view, limit_s);
        else
            next = next_of_clamped(&view, limit_s);
        if (next.after_s < first.after_s) {
            first = next;
            first.contact = m;
        }
    }
    return first;
}
