/* Scales of the error test: from the touching contacts under their loads, and from how fast the
 * bodies are. */

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "geometry/vector.h"
#include "motion/system.h"

/* Without a contact that gives them. */
static const double LENGTH_M = 1e-3, SPEED_M_S = 1, FORCE_N = 1;

/* A bristle's scale is its deflection under a tenth of the normal force. */
static const double SHARE = 0.1;

/* Rounding of a speed, in parts of that at which the contact swings. */
static const double ROUNDING = 1e-14;

/* Loads carry no rounding; but a speed of this part of what they make is none. */
static const double LEAST = 1e-20;

/* An error of this part of the speed at which friction turns round is not felt. */
static const double FELT = 1e-5;

/* The parts of friction under the contact's load, at rest. */
static struct cf_friction_parts parts_of(const struct cf_contact_state *contact)
{
    const double none[CF_FRICTION_STATES] = {0};
    struct cf_slide slide = {
        .depth_m = contact->depth_scale_m, .normal_N = contact->force_scale_N, .state = none};
    struct cf_friction_parts parts;

    contact->pair->friction->parts(contact->pair->friction_p, &slide, &parts);
    return parts;
}

static void contact_scales(const struct cf_contact_state *contact, double share, double scale[])
{
    struct cf_friction_parts parts;

    if (contact->state != CF_NONE)
        scale[contact->state] =
            contact->depth_scale_m > 0 ? pow(contact->depth_scale_m, 1.25) : LENGTH_M;
    if (contact->bristle == CF_NONE || contact->mode != CF_MODE_TOUCHING)
        return;
    parts = parts_of(contact);
    for (size_t i = 0; i < contact->pair->friction->nvector; i++) {
        double length = share * SHARE * contact->force_scale_N / parts.stiffness_N_m[i];
        for (size_t k = 0; k < 3; k++)
            scale[contact->bristle + 3 * i + k] =
                length > 0 && isfinite(length) ? length : LENGTH_M;
        if (contact->patch && contact->pair->friction->patch->torsion) {
            size_t torsion =
                cf_bristle_number(contact->pair->friction, contact->pair->friction->patch->torsion);
            scale[contact->bristle + torsion] =
                scale[contact->bristle] / contact->lever_m; /* no lever is longer */
        }
    }
}

/* The least speed at which friction changes its ways: of the law, and where its damper alone takes
 * a tenth of the normal force. */
static double friction_speed(const struct cf_contact_state *contact)
{
    const struct cf_contact_pair *pair = contact->pair;
    double least = INFINITY, damping;

    if (pair->friction)
        least = cf_friction_least_speed(pair->friction, pair->friction_p);
    damping = contact->bristle == CF_NONE ? 0 : parts_of(contact).damping_N_s_m;
    if (damping > 0 && contact->force_scale_N > 0)
        least = fmin(least, SHARE * contact->force_scale_N / damping);
    return least;
}

/* The largest distance from a body's mass centre to where it may touch with a ball or a cell; 0:
 * none. */
static double reach(const struct cf_rigid *body)
{
    double most = 0;

    for (size_t i = 0; i < body->nball; i++)
        most = fmax(most, cf_vec_norm(body->ball[i].centre_m) + body->ball[i].radius_m);
    for (size_t i = 0; i < body->ncell; i++)
        most = fmax(most, cf_vec_norm(body->cell[i].middle_m) + body->cell[i].radius_m);
    return isfinite(most) ? most : 0;
}

void cf_system_most(const struct cf_system *system, double most[])
{
    const struct cf_scene *scene = system->scene;

    for (size_t i = 0; i < system->n; i++)
        most[i] = INFINITY;
    for (size_t n = 0; n < system->near.n; n++) {
        const struct cf_contact_state *contact = &system->contact[system->near.pair[n]];
        const size_t *body = contact->pair->body;
        double speed =
            contact->mode == CF_MODE_TOUCHING ? FELT * friction_speed(contact) : (double) INFINITY;
        for (int side = 0; side < 2 && isfinite(speed); side++) {
            const struct cf_state_layout *layout = &system->layout[body[side]];
            double lever = reach(&scene->body[body[side]]);
            for (int k = 0; k < 3 && layout->velocity != CF_NONE; k++)
                most[layout->velocity + k] = fmin(most[layout->velocity + k], speed);
            for (int k = 0; k < 3 && layout->spin != CF_NONE && lever > 0; k++)
                most[layout->spin + k] = fmin(most[layout->spin + k], speed / lever);
        }
    }
}

/* An error of a body's speed must not carry its friction from one limit to the other; but no error
 * is asked for that lies below the rounding of the speed at which the contact swings. */
static void friction_scales(const struct cf_system *system, const struct cf_contact_state *contact,
                            double swing, double tolerance, double scale[])
{
    double speed = fmax(friction_speed(contact), ROUNDING / tolerance * swing);

    for (int side = 0; side < 2; side++) {
        const struct cf_state_layout *layout = &system->layout[contact->pair->body[side]];
        for (int k = 0; k < 3 && layout->velocity != CF_NONE; k++)
            scale[layout->velocity + k] = fmin(scale[layout->velocity + k], speed);
    }
}

static void account_scales(const struct cf_system *system, double energy_J, double scale[])
{
    for (int e = 0; e < CF_NENERGY; e++)
        if (system->account[e] != CF_NONE)
            scale[system->account[e]] = energy_J;
    for (size_t b = 0; b < system->scene->nbody; b++) {
        const struct cf_state_layout *layout = &system->layout[b];
        if (layout->lost != CF_NONE)
            scale[layout->lost] = energy_J;
        if (layout->work != CF_NONE)
            scale[layout->work] = energy_J;
    }
    for (size_t n = 0; n < system->near.n; n++) {
        size_t stored = system->contact[system->near.pair[n]].stored;
        if (stored != CF_NONE)
            scale[stored] = energy_J;
    }
}

/* The largest speed of a body, and what its acceleration makes of it in a time. */
static double liveliest(const struct cf_system *system, const double rate[], double time_s)
{
    const struct cf_scene *scene = system->scene;
    double most = 0;

    for (size_t b = 0; b < scene->nbody; b++) {
        const struct cf_state_layout *layout = &system->layout[b];
        double v = cf_vec_norm(system->pose[b].v);
        if (system->layout[b].oriented || layout->spin != CF_NONE)
            v += cf_vec_norm(system->pose[b].w) * reach(&scene->body[b]);
        if (layout->velocity != CF_NONE)
            v += cf_vec_norm(rate + layout->velocity) * time_s;
        most = fmax(most, v);
    }
    return most;
}

/* Is it known from the present speeds and accelerations how the bodies will move? Not where a
 * motion is recorded or commanded, or a force applied; impacts and pendulums have scales of their
 * own. */
static bool is_foreseen(const struct cf_system *system)
{
    const struct cf_scene *scene = system->scene;

    for (size_t b = 0; b < scene->nbody; b++)
        if (scene->body[b].drive == CF_DRIVE_RECORDED || scene->body[b].drive == CF_DRIVE_COMMANDED)
            return false;
    return system->fresh == CF_NONE && scene->chain.nlink == 0 && scene->nforce == 0;
}

/* The part of the scales that contacts under their loads would give: a tap of 1e-8 m/s is to be as
 * exact as one of 1 m/s, down to the rounding of what springs carry. */
static double share_of(const struct cf_system *system, double tolerance, double v, double z,
                       const double state[], double rate[])
{
    double least = LEAST / tolerance;
    bool touches = false;

    for (size_t n = 0; n < system->near.n; n++) {
        const struct cf_contact_state *contact = &system->contact[system->near.pair[n]];
        touches = touches || contact->mode == CF_MODE_TOUCHING;
        if (contact->pair->law)
            least = DBL_EPSILON / tolerance;
    }
    if (!touches || !is_foreseen(system))
        return 1;
    cf_system_rates(system, system->began_s, state, rate);
    return fmin(1, fmax(liveliest(system, rate, z / v) / v, least));
}

/* A body whose far parts touch is known as well there as at its mass centre. */
static void turning_scales(const struct cf_system *system, size_t index, double z, double v,
                           double scale[])
{
    const struct cf_state_layout *layout = &system->layout[index];
    double lever = reach(&system->scene->body[index]);

    if (layout->attitude == CF_NONE || system->scene->body[index].ncell == 0)
        return;
    for (int k = 0; k < 4; k++)
        scale[layout->attitude + k] = fmin(1, z / lever);
    for (int k = 0; k < 3; k++)
        scale[layout->spin + k] = fmin(1, v / lever);
}

void cf_system_scales(const struct cf_system *system, double tolerance, const double state[],
                      double rate[], double scale[])
{
    double z = INFINITY, f = 0, v = 0, share;

    for (size_t n = 0; n < system->near.n; n++) {
        const struct cf_contact_state *contact = &system->contact[system->near.pair[n]];
        if (contact->mode != CF_MODE_TOUCHING)
            continue;
        f = fmax(f, contact->force_scale_N);
        v = fmax(v, contact->speed_scale_m_s);
        if (contact->pair->law)
            z = fmin(z, contact->depth_scale_m);
    }
    z = isfinite(z) ? z : LENGTH_M;
    v = v > 0 ? v : SPEED_M_S;
    f = f > 0 ? f : FORCE_N;
    share = share_of(system, tolerance, v, z, state, rate);
    z *= share;
    v *= share;
    f *= share;
    for (size_t i = 0; i < system->n; i++)
        scale[i] = 1;
    for (size_t b = 0; b < system->scene->nbody; b++) {
        for (int k = 0; k < 3 && system->layout[b].place != CF_NONE; k++) {
            scale[system->layout[b].place + k] = z;
            scale[system->layout[b].velocity + k] = v;
        }
        turning_scales(system, b, z, v, scale);
    }
    for (size_t n = 0; n < system->near.n; n++) {
        const struct cf_contact_state *contact = &system->contact[system->near.pair[n]];
        if (contact->mode == CF_MODE_TOUCHING)
            friction_scales(system, contact, v / share, tolerance, scale);
    }
    account_scales(system, f * z, scale);
    for (size_t n = 0; n < system->near.n; n++)
        contact_scales(&system->contact[system->near.pair[n]], share, scale);
    if (system->fresh != CF_NONE) {
        const struct cf_contact_state *contact = &system->contact[system->fresh];
        scale[system->y] = cf_contact_root(contact, contact->depth_scale_m);
        scale[system->time] = contact->depth_scale_m / contact->speed_scale_m_s;
    }
}
