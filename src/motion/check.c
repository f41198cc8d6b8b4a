/* Refuses scenes that cannot be run: bodies, chain, springs. */

#include <math.h>
#include <stdint.h>

#include "geometry/vector.h"
#include "motion/check.h"

/* Sums of moments of inertia are compared within the rounding of reading and adding them. */
static const double rounding = 1e-9;

static bool finite3(const double v[3])
{
    return isfinite(v[0]) && isfinite(v[1]) && isfinite(v[2]);
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
        if (cf_vec_dot(body->spin_rad_s, body->spin_rad_s) != 0)
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

static int check_body(const struct cf_scene *scene, const struct cf_rigid *body,
                      struct cf_error *err)
{
    double norm2 = 0;

    for (int i = 0; i < 4; i++)
        norm2 += body->attitude[i] * body->attitude[i];
    if (!(fabs(norm2 - 1) <= rounding))
        return cf_fail(err, CF_ERANGE, "body %s: its attitude is no unit quaternion", body->name);
    if (!finite3(body->position_m) || !finite3(body->velocity_m_s) || !finite3(body->spin_rad_s))
        return cf_fail(err, CF_ERANGE, "body %s: its place or motion is not finite", body->name);
    if (body->drive == CF_DRIVE_FREE && !(body->mass_kg > 0 && isfinite(body->mass_kg)))
        return cf_fail(err, CF_ERANGE, "body %s: a mass of %g kg: must be above 0 and finite",
                       body->name, body->mass_kg);
    if (body->drive == CF_DRIVE_RECORDED && !body->trace)
        return cf_fail(err, CF_ERANGE, "body %s: no trace to move by", body->name);
    int status = check_shape(body, err);
    if (status == CF_OK)
        status = cf_check_cells(scene, body, err);
    if (status == CF_OK)
        status = cf_check_gaps(body, err);
    if (status == CF_OK && body->drive == CF_DRIVE_FREE)
        status = check_inertia(body, err);
    if (status == CF_OK && body->drive == CF_DRIVE_COMMANDED)
        status = check_accommodation(body, err);
    return status;
}

static int check_link(const struct cf_scene *scene, size_t index, struct cf_error *err)
{
    const struct cf_link *link = &scene->chain.link[index];

    if (link->body >= scene->nbody || scene->body[link->body].drive != CF_DRIVE_LINK)
        return cf_fail(err, CF_ERANGE, "chain: link %zu has no body", index + 1);
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
                       "link %s: an inertia of %g kg m^2: must be above 0, or 0 of a mass that is "
                       "away from the joint",
                       body->name, link->inertia_kg_m2);
    if (!isfinite(link->angle_rad) || !isfinite(link->rate_rad_s))
        return cf_fail(err, CF_ERANGE, "link %s: its angle or rate is not finite", body->name);
    return CF_OK;
}

static int check_chain(const struct cf_scene *scene, size_t *at_body, struct cf_error *err)
{
    const struct cf_chain *chain = &scene->chain;

    if (chain->nlink == 0)
        return CF_OK;
    if (chain->nlink > CF_MAX_LINK)
        return cf_fail(err, CF_ERANGE, "a chain of %zu links: at most %d", chain->nlink,
                       CF_MAX_LINK);
    if (!finite3(chain->joint_m) || !cf_is_unit(chain->down) || !cf_is_unit(chain->side) ||
        !(fabs(cf_vec_dot(chain->down, chain->side)) <= rounding))
        return cf_fail(err, CF_ERANGE,
                       "chain: down and side must be unit vectors, one across the other");
    for (size_t i = 0; i < chain->nlink; i++) {
        int status = check_link(scene, i, err);
        if (status) {
            *at_body = chain->link[i].body;
            return status;
        }
    }
    return CF_OK;
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

static int check_force(const struct cf_scene *scene, const struct cf_applied_force *force,
                       struct cf_error *err)
{
    size_t i;

    if (force->body >= scene->nbody)
        return cf_fail(err, CF_ERANGE, "force on body %zu: there are %zu", force->body,
                       scene->nbody);
    if (scene->body[force->body].drive != CF_DRIVE_FREE)
        return cf_fail(err, CF_ERANGE, "force on %s: only a body that is free to move takes one",
                       scene->body[force->body].name);
    if (force->force.n == 0 || !finite3(force->direction))
        return cf_fail(err, CF_ERANGE,
                       "force on %s: at least one point in time and a direction "
                       "are needed",
                       scene->body[force->body].name);
    if ((i = cf_check_course(&force->force)) > 0)
        return cf_fail(err, CF_ERANGE,
                       "force on %s: point %zu, %g N at %g s: times must grow from point to point",
                       scene->body[force->body].name, i, force->force.value[i - 1],
                       force->force.time_s[i - 1]);
    return CF_OK;
}

int cf_scene_check(const struct cf_scene *scene, size_t *body, size_t *pair, struct cf_error *err)
{
    size_t nowhere, *at_body = body ? body : &nowhere, *at_pair = pair ? pair : &nowhere;
    int status;

    *at_body = *at_pair = SIZE_MAX;
    if (!(scene->duration_s > 0 && isfinite(scene->duration_s)))
        return cf_fail(err, CF_ERANGE, "a duration of %g s: must be above 0", scene->duration_s);
    if (!finite3(scene->gravity_m_s2))
        return cf_fail(err, CF_ERANGE, "gravity is not finite");
    for (size_t i = 0; i < scene->nbody; i++)
        if ((status = check_body(scene, &scene->body[i], err))) {
            *at_body = i;
            return status;
        }
    if ((status = check_chain(scene, at_body, err)))
        return status;
    for (size_t i = 0; i < scene->npair; i++)
        if ((status = cf_check_pair(scene, &scene->pair[i], err))) {
            *at_pair = i;
            return status;
        }
    for (size_t i = 0; i < scene->ntether; i++)
        if ((status = check_tether(scene, &scene->tether[i], err)))
            return status;
    for (size_t i = 0; i < scene->nforce; i++)
        if ((status = check_force(scene, &scene->force[i], err)))
            return status;
    return CF_OK;
}
