/* Checks of a contact of a scene, and its pair of bodies as a law sees it. */

#include <math.h>

#include "geometry/vector.h"
#include "law/pair.h"
#include "motion/check.h"

bool cf_is_unit(const double v[3])
{
    const double rounding = 1e-9;
    return fabs(cf_vec_dot(v, v) - 1) <= rounding;
}

/* The length that depth is compared with: the smaller of both radii; for a point, which has none,
 * its distance from the mass centre of its body. */
static double size_of(const struct cf_scene *scene, const struct cf_contact_pair *pair)
{
    const struct cf_ball *ball = &scene->body[pair->body[0]].ball[pair->ball];
    const struct cf_solid *solid = &scene->body[pair->body[1]].solid[pair->solid];
    double curvature = fabs(solid->shape->curvature(solid));
    double size =
        ball->radius_m > 0 ? ball->radius_m : sqrt(cf_vec_dot(ball->centre_m, ball->centre_m));

    if (!(size > 0))
        size = (double) INFINITY;
    return curvature > 0 ? fmin(size, 1 / curvature) : size;
}

static int check_start(const struct cf_scene *scene, const struct cf_contact_pair *pair,
                       struct cf_error *err)
{
    const struct cf_rigid *i = &scene->body[pair->body[0]], *j = &scene->body[pair->body[1]];
    const struct cf_ball *ball = &i->ball[pair->ball];
    const struct cf_solid *solid = &j->solid[pair->solid];
    struct cf_touch touch;
    double world[3], centre[3], size = size_of(scene, pair);

    cf_start_point(scene, pair->body[0], ball->centre_m, world);
    cf_start_inside(scene, pair->body[1], world, centre);
    bool has_normal = cf_solid_touch(solid, ball->radius_m, centre, &touch);
    if (!has_normal && touch.depth_m > 0)
        return cf_fail(err, CF_ERANGE,
                       "contact %s: the centre of the sphere of %s lies where the %s of %s has no "
                       "normal: move it away",
                       pair->name, i->name, solid->shape->name, j->name);
    if (!(touch.depth_m <= CF_DEEP * size))
        return cf_fail(err, CF_ERANGE,
                       "contact %s: it starts with %s %.6g m deep in the %s of %s: at most %g of "
                       "the smaller radius, %.6g m",
                       pair->name, i->name, touch.depth_m, solid->shape->name, j->name, CF_DEEP,
                       CF_DEEP * size);
    return CF_OK;
}

static int check_indices(const struct cf_scene *scene, const struct cf_contact_pair *pair,
                         struct cf_error *err)
{
    for (int k = 0; k < 2; k++)
        if (pair->body[k] >= scene->nbody)
            return cf_fail(err, CF_ERANGE, "contact %s: body %zu: there are %zu", pair->name,
                           pair->body[k], scene->nbody);
    const struct cf_rigid *i = &scene->body[pair->body[0]], *j = &scene->body[pair->body[1]];
    if (i == j)
        return cf_fail(err, CF_ERANGE, "contact %s: %s with itself", pair->name, i->name);
    if (i->drive == CF_DRIVE_FIXED && j->drive == CF_DRIVE_FIXED)
        return cf_fail(err, CF_ERANGE, "contact %s: neither %s nor %s ever moves", pair->name,
                       i->name, j->name);
    if (!pair->law)
        return CF_OK;
    if (j->drive == CF_DRIVE_LINK)
        return cf_fail(err, CF_ERANGE, "contact %s: %s is a link, which carries no solid",
                       pair->name, j->name);
    if (pair->cell[0] > i->ncell || pair->cell[1] > j->ncell)
        return cf_fail(err, CF_ERANGE, "contact %s: cells %zu and %zu: %s has %zu, %s %zu",
                       pair->name, pair->cell[0], pair->cell[1], i->name, i->ncell, j->name,
                       j->ncell);
    if ((pair->cell[0] || pair->cell[1]) && !cf_pair_is_patch(pair))
        return cf_fail(err, CF_ERANGE, "contact %s: cells, and %s is a force of a depth",
                       pair->name, pair->law->name);
    if (!pair->cell[0] && pair->ball >= i->nball)
        return cf_fail(err, CF_ERANGE, "contact %s: %s has no sphere or point %zu", pair->name,
                       i->name, pair->ball + 1);
    if (!pair->cell[1] && pair->solid >= j->nsolid)
        return cf_fail(err, CF_ERANGE, "contact %s: %s has no solid %zu", pair->name, j->name,
                       pair->solid + 1);
    return CF_OK;
}

size_t cf_check_course(const struct cf_course *course)
{
    for (size_t i = 0; i < course->n; i++)
        if (!isfinite(course->time_s[i]) || !isfinite(course->value[i]) ||
            (i > 0 && !(course->time_s[i] > course->time_s[i - 1])))
            return i + 1;
    return 0;
}

static int check_load(const struct cf_contact_pair *pair, struct cf_error *err)
{
    size_t wrong = cf_check_course(&pair->load);

    if (wrong > 0)
        return cf_fail(
            err, CF_ERANGE,
            "contact %s: point %zu of its load, %g N at %g s: times must grow from point "
            "to point",
            pair->name, wrong, pair->load.value[wrong - 1], pair->load.time_s[wrong - 1]);
    for (size_t i = 0; i < pair->load.n; i++)
        if (!(pair->load.value[i] >= 0 && pair->load.value[i] <= pair->load_N))
            return cf_fail(
                err, CF_ERANGE,
                "contact %s: a load of %g N at %g s: at least 0 and at most the largest, "
                "%g N, is wanted",
                pair->name, pair->load.value[i], pair->load.time_s[i], pair->load_N);
    return CF_OK;
}

/* The laws and their parameters. */
static int check_laws(const struct cf_contact_pair *pair, struct cf_error *err)
{
    const struct cf_law *law = pair->law, *target = pair->restitution;
    const struct cf_friction_law *friction = pair->friction;
    struct cf_error why = {""};
    int status = CF_OK;

    if (!law && (status = check_load(pair, err)))
        return status;
    if (!law && !(pair->load_N > 0 && isfinite(pair->load_N) && cf_is_unit(pair->normal)))
        return cf_fail(err, CF_ERANGE,
                       "contact %s: a load of %g N: one above 0 along a unit vector is wanted",
                       pair->name, pair->load_N);
    if (law && law->family != CF_FAMILY_NORMAL && law->family != CF_FAMILY_FOUNDATION)
        return cf_fail(err, CF_ERANGE, "contact %s: %s gives no force", pair->name, law->name);
    if (friction && !friction->patch == cf_pair_is_patch(pair))
        return cf_fail(err, CF_ERANGE, "contact %s: friction %s is not the one %s", pair->name,
                       friction->name, cf_pair_is_patch(pair) ? "over a volume" : "of a point");
    if (friction && !law && cf_friction_check_load(friction, "load", &why))
        return cf_fail(err, CF_ERANGE, "contact %s: %.900s", pair->name, why.text);
    if (target && (!law || cf_param_find(law->param, law->nparam, "e") == law->nparam))
        return cf_fail(err, CF_ERANGE, "contact %s: nothing in it is driven by a restitution",
                       pair->name);
    if (target && target->family != CF_FAMILY_RESTITUTION)
        return cf_fail(err, CF_ERANGE, "contact %s: %s is no law of restitution", pair->name,
                       target->name);
    if (!(pair->relaxation_s >= 0 && isfinite(pair->relaxation_s)))
        return cf_fail(err, CF_ERANGE, "contact %s: a relaxation of %g s: must be at least 0",
                       pair->name, pair->relaxation_s);
    if (law)
        status = cf_param_check(law->param, law->nparam, pair->p, &why);
    if (status == CF_OK && target)
        status = cf_param_check(target->param, target->nparam, pair->e_param, &why);
    if (status == CF_OK && friction)
        status = cf_param_check(friction->param, friction->nparam, pair->friction_p, &why);
    return status ? cf_fail(err, status, "contact %s: %.900s", pair->name, why.text) : CF_OK;
}

static bool moves_by_forces(const struct cf_scene *scene, size_t body)
{
    enum cf_drive drive = scene->body[body].drive;

    return drive == CF_DRIVE_FREE || drive == CF_DRIVE_LINK;
}

/* A law whose damping follows from the mass has none between two driven bodies. */
static int check_mass(const struct cf_scene *scene, const struct cf_contact_pair *pair,
                      struct cf_error *err)
{
    static const double SPEED_M_S = 1; /* any */
    const struct cf_law *law = pair->law;
    struct cf_damping damping;

    if (!law || !law->damping || moves_by_forces(scene, pair->body[0]) ||
        moves_by_forces(scene, pair->body[1]))
        return CF_OK;
    law->damping(pair->p, (double) INFINITY, SPEED_M_S, &damping);
    if (isfinite(damping.ratio))
        return CF_OK;
    return cf_fail(err, CF_ERANGE,
                   "contact %s: the damping of %s follows from the mass, and neither body moves by "
                   "forces: take a law whose damping is given",
                   pair->name, law->name);
}

/* What a load presses together stays together: no geometry separates it. */
static int check_pressed(const struct cf_scene *scene, const struct cf_contact_pair *pair,
                         struct cf_error *err)
{
    static const double ROUNDING = 1e-9; /* of reading and normalising */
    const struct cf_rigid *i = &scene->body[pair->body[0]], *j = &scene->body[pair->body[1]];
    double along, size;

    if (i->drive == CF_DRIVE_RECORDED || j->drive == CF_DRIVE_RECORDED)
        return CF_OK;
    along = cf_vec_dot(i->velocity_m_s, pair->normal) - cf_vec_dot(j->velocity_m_s, pair->normal);
    size = cf_vec_norm(i->velocity_m_s) + cf_vec_norm(j->velocity_m_s);
    if (fabs(along) <= ROUNDING * size)
        return CF_OK;
    return cf_fail(err, CF_ERANGE,
                   "contact %s: %s moves along its load at %g m/s: what a load presses together "
                   "moves across it only",
                   pair->name, i->name, along);
}

/* A ball has to be narrower than its bore. */
static int check_fits(const struct cf_scene *scene, const struct cf_contact_pair *pair,
                      struct cf_error *err)
{
    const struct cf_rigid *i = &scene->body[pair->body[0]], *j = &scene->body[pair->body[1]];
    const struct cf_solid *solid = &j->solid[pair->solid];

    if (cf_contact_pair_radius(scene, pair) > 0)
        return CF_OK;
    return cf_fail(err, CF_ERANGE,
                   "contact %s: %s (radius %.6g m) does not fit into the %s of %s (radius %.6g m)",
                   pair->name, i->name, i->ball[pair->ball].radius_m, solid->shape->name, j->name,
                   -1 / solid->shape->curvature(solid));
}

int cf_check_pair(const struct cf_scene *scene, const struct cf_contact_pair *pair,
                  struct cf_error *err)
{
    int status = check_indices(scene, pair, err);

    if (status == CF_OK)
        status = check_laws(pair, err);
    if (status == CF_OK)
        status = check_mass(scene, pair, err);
    if (status == CF_OK && !pair->law)
        status = check_pressed(scene, pair, err);
    if (status || !pair->law)
        return status;
    if (!pair->cell[0] && !pair->cell[1])
        status = check_fits(scene, pair, err);
    if (status == CF_OK && cf_pair_is_patch(pair))
        status = cf_check_volume(scene, pair, err);
    if (status)
        return status;
    return pair->cell[0] ? cf_check_cell_start(scene, pair, err) : check_start(scene, pair, err);
}

bool cf_contact_pair_is_curved(const struct cf_scene *scene, const struct cf_contact_pair *pair)
{
    const struct cf_rigid *i = &scene->body[pair->body[0]], *j = &scene->body[pair->body[1]];

    if (!pair->law || cf_pair_is_patch(pair))
        return false;
    const struct cf_solid *solid = &j->solid[pair->solid];
    return i->ball[pair->ball].radius_m > 0 && solid->shape->curvature(solid) != 0;
}

double cf_contact_pair_radius(const struct cf_scene *scene, const struct cf_contact_pair *pair)
{
    const struct cf_rigid *i = &scene->body[pair->body[0]], *j = &scene->body[pair->body[1]];

    if (!pair->law || pair->cell[0] || pair->cell[1] || pair->ball >= i->nball ||
        pair->solid >= j->nsolid || !(i->ball[pair->ball].radius_m > 0))
        return (double) INFINITY;
    const struct cf_solid *solid = &j->solid[pair->solid];
    return 1 / (1 / i->ball[pair->ball].radius_m + solid->shape->curvature(solid));
}

double cf_contact_pair_mass(const struct cf_scene *scene, const struct cf_contact_pair *pair)
{
    double mass[2];

    for (int k = 0; k < 2; k++) {
        const struct cf_rigid *body = &scene->body[pair->body[k]];
        bool gives_way = body->drive == CF_DRIVE_FREE || body->drive == CF_DRIVE_LINK;
        mass[k] = gives_way ? body->mass_kg : (double) INFINITY;
    }
    return cf_series(mass[0], mass[1]);
}
