/* What cannot be run is refused before it runs; and what a pair of bodies is to a law. */

#include <math.h>
#include <stdint.h>

#include "law/pair.h"
#include "motion/scene.h"
#include "motion/trace.h"

/* Directions and quaternions are unit, products of them orthogonal, within what reading and
 * normalising round. */
static const double rounding = 1e-9;

static bool finite3(const double v[3])
{
    return isfinite(v[0]) && isfinite(v[1]) && isfinite(v[2]);
}

static double dot3(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static bool unit3(const double v[3])
{
    return fabs(dot3(v, v) - 1) <= rounding;
}

static bool turns(const struct cf_rigid *body)
{
    return !(isinf(body->inertia_kg_m2[0]) && isinf(body->inertia_kg_m2[1]) &&
             isinf(body->inertia_kg_m2[2]));
}

static int check_inertia(const struct cf_rigid *body, struct cf_error *err)
{
    static const char *const axis[] = {"Ixx", "Iyy", "Izz"};
    const double *I = body->inertia_kg_m2;

    if (!turns(body)) {
        if (dot3(body->spin_rad_s, body->spin_rad_s) != 0)
            return cf_fail(err, CF_ERANGE, "body %s: it never turns, but has a spin", body->name);
        return CF_OK;
    }
    for (int i = 0; i < 3; i++)
        if (!(I[i] > 0 && isfinite(I[i])))
            return cf_fail(err, CF_ERANGE, "body %s: %s = %.6g kg m^2: must be above 0 and finite",
                           body->name, axis[i], I[i]);
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        if (!(I[i] <= (I[j] + I[k]) * (1 + rounding)))
            return cf_fail(err, CF_ERANGE,
                           "body %s: %s = %.6g kg m^2 is more than %s + %s = %.6g kg m^2: no body "
                           "is so",
                           body->name, axis[i], I[i], axis[j], axis[k], I[j] + I[k]);
    }
    return CF_OK;
}

static int check_accommodation(const struct cf_rigid *body, struct cf_error *err)
{
    const struct cf_accommodation *a = &body->accommodation;

    if (!(a->lag_s > 0 && isfinite(a->lag_s)))
        return cf_fail(err, CF_ERANGE, "body %s: a lag of %g s: must be above 0", body->name,
                       a->lag_s);
    if (!(a->yield_m_s_N >= 0 && isfinite(a->yield_m_s_N)))
        return cf_fail(err, CF_ERANGE, "body %s: a yield of %g m/(s N): must be at least 0",
                       body->name, a->yield_m_s_N);
    if (!(a->dead_band_N >= 0 && isfinite(a->dead_band_N)))
        return cf_fail(err, CF_ERANGE, "body %s: a dead band of %g N: must be at least 0",
                       body->name, a->dead_band_N);
    for (size_t i = 0; i < a->nleg; i++)
        if (!isfinite(a->leg[i].from_s) || !finite3(a->leg[i].velocity_m_s) ||
            !(i == 0 || a->leg[i].from_s > a->leg[i - 1].from_s))
            return cf_fail(err, CF_ERANGE,
                           "body %s: leg %zu of its command begins at %g s: times must grow",
                           body->name, i + 1, a->leg[i].from_s);
    return CF_OK;
}

static int check_shape(const struct cf_rigid *body, struct cf_error *err)
{
    for (size_t i = 0; i < body->nball; i++)
        if (!(body->ball[i].radius_m >= 0 && isfinite(body->ball[i].radius_m)) ||
            !finite3(body->ball[i].centre_m))
            return cf_fail(err, CF_ERANGE,
                           "body %s: sphere %zu: a radius of at least 0 and a finite centre are "
                           "wanted",
                           body->name, i + 1);
    for (size_t i = 0; i < body->nsolid; i++)
        if (!body->solid[i].shape)
            return cf_fail(err, CF_ERANGE, "body %s: solid %zu has no shape", body->name, i + 1);
    return CF_OK;
}

static int check_body(const struct cf_rigid *body, struct cf_error *err)
{
    double norm2 = 0;

    for (int i = 0; i < 4; i++)
        norm2 += body->attitude[i] * body->attitude[i];
    if (!(fabs(norm2 - 1) <= rounding))
        return cf_fail(err, CF_ERANGE, "body %s: its attitude is no unit quaternion", body->name);
    if (!finite3(body->position_m) || !finite3(body->velocity_m_s) || !finite3(body->spin_rad_s))
        return cf_fail(err, CF_ERANGE, "body %s: its place or motion is not finite", body->name);
    if (body->drive == CF_FREE && !(body->mass_kg > 0 && isfinite(body->mass_kg)))
        return cf_fail(err, CF_ERANGE, "body %s: a mass of %g kg: must be above 0 and finite",
                       body->name, body->mass_kg);
    if (body->drive == CF_RECORDED && !body->trace)
        return cf_fail(err, CF_ERANGE, "body %s: no trace to move by", body->name);
    int status = check_shape(body, err);
    if (status == CF_OK && body->drive == CF_FREE)
        status = check_inertia(body, err);
    if (status == CF_OK && body->drive == CF_COMMANDED)
        status = check_accommodation(body, err);
    return status;
}

static int check_chain(const struct cf_scene *scene, struct cf_error *err)
{
    const struct cf_chain *chain = &scene->chain;

    if (chain->nlink == 0)
        return CF_OK;
    if (chain->nlink > CF_MAX_LINK)
        return cf_fail(err, CF_ERANGE, "a chain of %zu links: at most %d", chain->nlink,
                       CF_MAX_LINK);
    if (!finite3(chain->joint_m) || !unit3(chain->down) || !unit3(chain->side) ||
        !(fabs(dot3(chain->down, chain->side)) <= rounding))
        return cf_fail(err, CF_ERANGE,
                       "chain: down and side must be unit vectors, one across the other");
    for (size_t i = 0; i < chain->nlink; i++) {
        const struct cf_link *link = &chain->link[i];
        if (link->body >= scene->nbody || scene->body[link->body].drive != CF_LINK)
            return cf_fail(err, CF_ERANGE, "chain: link %zu has no body", i + 1);
        const struct cf_rigid *body = &scene->body[link->body];
        if (!(body->mass_kg > 0 && isfinite(body->mass_kg)))
            return cf_fail(err, CF_ERANGE, "link %s: a mass of %g kg: must be above 0 and finite",
                           body->name, body->mass_kg);
        if (!(link->length_m > 0 && isfinite(link->length_m)) || !isfinite(link->centre_m))
            return cf_fail(err, CF_ERANGE, "link %s: a length of %g m: must be above 0", body->name,
                           link->length_m);
        if (!(link->inertia_kg_m2 >= 0 && isfinite(link->inertia_kg_m2)) ||
            (link->inertia_kg_m2 == 0 && link->centre_m == 0))
            return cf_fail(err, CF_ERANGE,
                           "link %s: an inertia of %g kg m^2: must be above 0, or 0 of a mass that "
                           "is away from the joint",
                           body->name, link->inertia_kg_m2);
        if (!isfinite(link->angle_rad) || !isfinite(link->rate_rad_s))
            return cf_fail(err, CF_ERANGE, "link %s: its angle is not finite", body->name);
    }
    return CF_OK;
}

/* v of the body, in the world. */
static void turned(const double q[4], const double v[3], double out[3])
{
    double w = q[0], x = q[1], y = q[2], z = q[3];
    double t[3] = {2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])};

    out[0] = v[0] + w * t[0] + y * t[2] - z * t[1];
    out[1] = v[1] + w * t[1] + z * t[0] - x * t[2];
    out[2] = v[2] + w * t[2] + x * t[1] - y * t[0];
}

/* A point of a link in the world, at the start: along it x, across it y. */
static void link_point(const struct cf_scene *scene, size_t link, const double at[3], double out[3])
{
    const struct cf_chain *chain = &scene->chain;
    double angle = 0, joint[3];

    for (int i = 0; i < 3; i++)
        joint[i] = chain->joint_m[i];
    for (size_t l = 0;; l++) {
        const double *down = chain->down, *side = chain->side;
        angle += chain->link[l].angle_rad;
        double normal[3] = {down[1] * side[2] - down[2] * side[1],
                            down[2] * side[0] - down[0] * side[2],
                            down[0] * side[1] - down[1] * side[0]};
        double along = l == link ? chain->link[l].centre_m + at[0] : chain->link[l].length_m;
        double across = l == link ? at[1] : 0, beside = l == link ? at[2] : 0;
        for (int i = 0; i < 3; i++)
            out[i] = joint[i] + along * (cos(angle) * down[i] + sin(angle) * side[i]) +
                     across * (cos(angle) * side[i] - sin(angle) * down[i]) + beside * normal[i];
        if (l == link)
            return;
        for (int i = 0; i < 3; i++)
            joint[i] = out[i];
    }
}

/* A point of a body in the world, at the start. */
static void world_point(const struct cf_scene *scene, size_t index, const double at[3],
                        double out[3])
{
    const struct cf_rigid *body = &scene->body[index];
    double origin[3], still[3];

    for (size_t l = 0; l < scene->chain.nlink; l++)
        if (scene->chain.link[l].body == index) {
            link_point(scene, l, at, out);
            return;
        }
    for (int i = 0; i < 3; i++)
        origin[i] = body->position_m[i];
    if (body->drive == CF_RECORDED)
        cf_trace_at(body->trace, 0, origin, still);
    turned(body->attitude, at, out);
    for (int i = 0; i < 3; i++)
        out[i] += origin[i];
}

/* A point of the world in the frame of a body, which is no link. */
static void into_body(const struct cf_scene *scene, size_t index, const double at[3], double out[3])
{
    static const double zero[3] = {0, 0, 0};
    const double *q = scene->body[index].attitude;
    double back[4] = {q[0], -q[1], -q[2], -q[3]}, origin[3], away[3];

    world_point(scene, index, zero, origin);
    for (int i = 0; i < 3; i++)
        away[i] = at[i] - origin[i];
    turned(back, away, out);
}

/* What depth is measured by: the smaller of both radii; of a point, which has none, its distance
 * from the mass centre of its body. */
static double size_of(const struct cf_scene *scene, const struct cf_meeting *meeting)
{
    const struct cf_ball *ball = &scene->body[meeting->body[0]].ball[meeting->ball];
    const struct cf_solid *solid = &scene->body[meeting->body[1]].solid[meeting->solid];
    double curvature = fabs(solid->shape->curvature(solid));
    double size = ball->radius_m > 0 ? ball->radius_m : sqrt(dot3(ball->centre_m, ball->centre_m));

    if (!(size > 0))
        size = (double) INFINITY;
    return curvature > 0 ? fmin(size, 1 / curvature) : size;
}

static int check_start(const struct cf_scene *scene, const struct cf_meeting *meeting,
                       struct cf_error *err)
{
    const struct cf_rigid *i = &scene->body[meeting->body[0]], *j = &scene->body[meeting->body[1]];
    const struct cf_ball *ball = &i->ball[meeting->ball];
    const struct cf_solid *solid = &j->solid[meeting->solid];
    struct cf_touch touch;
    double world[3], centre[3], size = size_of(scene, meeting);

    world_point(scene, meeting->body[0], ball->centre_m, world);
    into_body(scene, meeting->body[1], world, centre);
    bool has_normal = cf_solid_touch(solid, ball->radius_m, centre, &touch);
    if (!has_normal && touch.depth_m > 0)
        return cf_fail(err, CF_ERANGE,
                       "contact %s: the centre of the sphere of %s lies where the %s of %s has no "
                       "normal: move it away",
                       meeting->name, i->name, solid->shape->name, j->name);
    if (!(touch.depth_m <= CF_DEEP * size))
        return cf_fail(err, CF_ERANGE,
                       "contact %s: it starts with %s %.6g m deep in the %s of %s: at most %g of "
                       "the smaller radius, %.6g m",
                       meeting->name, i->name, touch.depth_m, solid->shape->name, j->name, CF_DEEP,
                       CF_DEEP * size);
    return CF_OK;
}

static int check_indices(const struct cf_scene *scene, const struct cf_meeting *meeting,
                         struct cf_error *err)
{
    for (int k = 0; k < 2; k++)
        if (meeting->body[k] >= scene->nbody)
            return cf_fail(err, CF_ERANGE, "contact %s: body %zu: there are %zu", meeting->name,
                           meeting->body[k], scene->nbody);
    const struct cf_rigid *i = &scene->body[meeting->body[0]], *j = &scene->body[meeting->body[1]];
    if (i == j)
        return cf_fail(err, CF_ERANGE, "contact %s: %s with itself", meeting->name, i->name);
    if (i->drive != CF_FREE && i->drive != CF_LINK && i->drive != CF_COMMANDED &&
        j->drive != CF_FREE && j->drive != CF_LINK && j->drive != CF_COMMANDED)
        return cf_fail(err, CF_ERANGE, "contact %s: neither %s nor %s gives way to a force",
                       meeting->name, i->name, j->name);
    if (!meeting->law)
        return CF_OK;
    if (j->drive == CF_LINK)
        return cf_fail(err, CF_ERANGE, "contact %s: %s is a link, which carries no solid",
                       meeting->name, j->name);
    if (meeting->ball >= i->nball)
        return cf_fail(err, CF_ERANGE, "contact %s: %s has no sphere or point %zu", meeting->name,
                       i->name, meeting->ball + 1);
    if (meeting->solid >= j->nsolid)
        return cf_fail(err, CF_ERANGE, "contact %s: %s has no solid %zu", meeting->name, j->name,
                       meeting->solid + 1);
    return CF_OK;
}

/* The laws and their parameters. */
static int check_laws(const struct cf_meeting *meeting, struct cf_error *err)
{
    const struct cf_law *law = meeting->law, *target = meeting->restitution;
    const struct cf_friction_law *friction = meeting->friction;
    struct cf_error why = {""};
    int status = CF_OK;

    if (!law && !(meeting->load_N > 0 && isfinite(meeting->load_N) && unit3(meeting->normal)))
        return cf_fail(err, CF_ERANGE,
                       "contact %s: a load of %g N: one above 0 along a unit vector is wanted",
                       meeting->name, meeting->load_N);
    if (law && law->family != CF_NORMAL)
        return cf_fail(err, CF_ERANGE, "contact %s: %s gives no force", meeting->name, law->name);
    if (target && (!law || cf_param_find(law->param, law->nparam, "e") == law->nparam))
        return cf_fail(err, CF_ERANGE, "contact %s: nothing in it is driven by a restitution",
                       meeting->name);
    if (target && target->family != CF_RESTITUTION)
        return cf_fail(err, CF_ERANGE, "contact %s: %s is no law of restitution", meeting->name,
                       target->name);
    if (!(meeting->relaxation_s >= 0 && isfinite(meeting->relaxation_s)))
        return cf_fail(err, CF_ERANGE, "contact %s: a relaxation of %g s: must be at least 0",
                       meeting->name, meeting->relaxation_s);
    if (law)
        status = cf_param_check(law->param, law->nparam, meeting->p, &why);
    if (status == CF_OK && target)
        status = cf_param_check(target->param, target->nparam, meeting->e_param, &why);
    if (status == CF_OK && friction)
        status = cf_param_check(friction->param, friction->nparam, meeting->friction_p, &why);
    return status ? cf_fail(err, status, "contact %s: %.900s", meeting->name, why.text) : CF_OK;
}

static int check_meeting(const struct cf_scene *scene, const struct cf_meeting *meeting,
                         struct cf_error *err)
{
    int status = check_indices(scene, meeting, err);

    if (status == CF_OK)
        status = check_laws(meeting, err);
    if (status || !meeting->law)
        return status;
    const struct cf_rigid *i = &scene->body[meeting->body[0]], *j = &scene->body[meeting->body[1]];
    const struct cf_solid *solid = &j->solid[meeting->solid];
    double radius = cf_meeting_radius(scene, meeting);
    if (!(radius > 0))
        return cf_fail(err, CF_ERANGE,
                       "contact %s: %s (radius %.6g m) does not fit into the %s of %s (radius %.6g "
                       "m)",
                       meeting->name, i->name, i->ball[meeting->ball].radius_m, solid->shape->name,
                       j->name, -1 / solid->shape->curvature(solid));
    return check_start(scene, meeting, err);
}

static int check_tether(const struct cf_scene *scene, const struct cf_tether *tether,
                        struct cf_error *err)
{
    if (tether->body >= scene->nbody)
        return cf_fail(err, CF_ERANGE, "spring %s: body %zu: there are %zu", tether->name,
                       tether->body, scene->nbody);
    if (!finite3(tether->at_m) || !finite3(tether->anchor_m) ||
        !(tether->stiffness_N_m >= 0 && isfinite(tether->stiffness_N_m)) ||
        !(tether->damping_N_s_m >= 0 && isfinite(tether->damping_N_s_m)))
        return cf_fail(err, CF_ERANGE,
                       "spring %s: stiffness %g N/m, damping %g N s/m: must be at least 0",
                       tether->name, tether->stiffness_N_m, tether->damping_N_s_m);
    return CF_OK;
}

int cf_scene_check(const struct cf_scene *scene, size_t *body, size_t *meeting,
                   struct cf_error *err)
{
    size_t nowhere, *at_body = body ? body : &nowhere, *at_meeting = meeting ? meeting : &nowhere;
    int status;

    *at_body = *at_meeting = SIZE_MAX;
    if (!(scene->duration_s > 0 && isfinite(scene->duration_s)))
        return cf_fail(err, CF_ERANGE, "a duration of %g s: must be above 0", scene->duration_s);
    if (!finite3(scene->gravity_m_s2))
        return cf_fail(err, CF_ERANGE, "gravity is not finite");
    for (size_t i = 0; i < scene->nbody; i++)
        if ((status = check_body(&scene->body[i], err))) {
            *at_body = i;
            return status;
        }
    if ((status = check_chain(scene, err)))
        return status;
    for (size_t i = 0; i < scene->nmeeting; i++)
        if ((status = check_meeting(scene, &scene->meeting[i], err))) {
            *at_meeting = i;
            return status;
        }
    for (size_t i = 0; i < scene->ntether; i++)
        if ((status = check_tether(scene, &scene->tether[i], err)))
            return status;
    return CF_OK;
}

double cf_meeting_radius(const struct cf_scene *scene, const struct cf_meeting *meeting)
{
    const struct cf_rigid *i = &scene->body[meeting->body[0]], *j = &scene->body[meeting->body[1]];

    if (!meeting->law || meeting->ball >= i->nball || meeting->solid >= j->nsolid ||
        !(i->ball[meeting->ball].radius_m > 0))
        return (double) INFINITY;
    const struct cf_solid *solid = &j->solid[meeting->solid];
    return 1 / (1 / i->ball[meeting->ball].radius_m + solid->shape->curvature(solid));
}

double cf_meeting_mass(const struct cf_scene *scene, const struct cf_meeting *meeting)
{
    double mass[2];

    for (int k = 0; k < 2; k++) {
        const struct cf_rigid *body = &scene->body[meeting->body[k]];
        bool gives_way = body->drive == CF_FREE || body->drive == CF_LINK;
        mass[k] = gives_way ? body->mass_kg : (double) INFINITY;
    }
    return cf_series(mass[0], mass[1]);
}
