/* Checks of contacts over a volume of interference. */

#include <math.h>

#include "geometry/vector.h"
#include "motion/check.h"
#include "volume/ball.h"
#include "volume/cell_pair.h"
#include "volume/normal.h"
#include "volume/pairs.h"

/* A start may overlap by no more than this share of the smaller volume. */
static const double MOST_SHARE = 0.1;

struct cf_octree_options cf_scene_octree(const struct cf_scene *scene)
{
    return scene->octree.max_cells ? scene->octree : cf_octree_defaults();
}

bool cf_pair_by_octree(const struct cf_scene *scene, const struct cf_contact_pair *pair)
{
    const struct cf_rigid *i = &scene->body[pair->body[0]], *j = &scene->body[pair->body[1]];

    return pair->cell[0] && !cf_cells_are_exact(&i->cell[pair->cell[0] - 1],
                                                pair->cell[1] ? &j->cell[pair->cell[1] - 1] : NULL);
}

/* By an octree two polytopes of many faces are too much, which have an exact volume; with others
 * one of them may be. */
static int check_parts(const struct cf_cell *cell, const struct cf_contact_pair *pair,
                       struct cf_error *err)
{
    if (cell->npart > 0)
        return CF_OK;
    return cf_fail(err, CF_ERANGE,
                   "contact %s: a polytope of %zu faces: an octree takes %d at most; planes, boxes "
                   "and polytopes may touch more",
                   pair->name, cell->faces.nface, (int) CF_MAX_SURFACES);
}

/* Which cells may touch what. */
static int check_forms(const struct cf_scene *scene, const struct cf_contact_pair *pair,
                       struct cf_error *err)
{
    const struct cf_rigid *i = &scene->body[pair->body[0]], *j = &scene->body[pair->body[1]];
    const struct cf_cell *cell = &i->cell[pair->cell[0] - 1];

    if (!pair->cell[1] && j->solid[pair->solid].shape != cf_shape_find("plane"))
        return cf_fail(err, CF_ERANGE,
                       "contact %s: no exact volume of a cell and a %s: a cell of %s touches a "
                       "plane, or cells",
                       pair->name, j->solid[pair->solid].shape->name, i->name);
    if (!cf_pair_by_octree(scene, pair))
        return CF_OK;
    if (isinf(cell->radius_m) && (!pair->cell[1] || isinf(j->cell[pair->cell[1] - 1].radius_m)))
        return cf_fail(err, CF_ERANGE,
                       "contact %s: both have no end: one needs a primitive with one", pair->name);
    int status = check_parts(cell, pair, err);
    return status || !pair->cell[1] ? status : check_parts(&j->cell[pair->cell[1] - 1], pair, err);
}

static int check_ball(const struct cf_rigid *i, const struct cf_rigid *j,
                      const struct cf_contact_pair *pair, struct cf_error *err)
{
    struct cf_error why = {""};

    if (pair->cell[1])
        return cf_fail(err, CF_ERANGE,
                       "contact %s: no volume of a sphere and a cell of %s: give %s a solid, or %s "
                       "cells: [{sphere: {radius: ...}}]",
                       pair->name, j->name, j->name, i->name);
    if (!(i->ball[pair->ball].radius_m > 0))
        return cf_fail(err, CF_ERANGE,
                       "contact %s: a point of %s has no volume: a foundation wants a sphere or "
                       "cells",
                       pair->name, i->name);
    if (cf_ball_volume_known(j->solid[pair->solid].shape, &why))
        return cf_fail(err, CF_ERANGE, "contact %s: %.900s", pair->name, why.text);
    return CF_OK;
}

int cf_check_volume(const struct cf_scene *scene, const struct cf_contact_pair *pair,
                    struct cf_error *err)
{
    const struct cf_rigid *i = &scene->body[pair->body[0]], *j = &scene->body[pair->body[1]];
    int status = pair->cell[0] ? check_forms(scene, pair, err) : check_ball(i, j, pair, err);

    if (status)
        return status;
    if (!isnan(pair->pressure_power) && !(pair->pressure_power >= 0))
        return cf_fail(err, CF_ERANGE, "contact %s: a pressure of power %g: must be at least 0",
                       pair->name, pair->pressure_power);
    if (pair->friction && !(pair->spin_factor > 0 && isfinite(pair->spin_factor)))
        return cf_fail(err, CF_ERANGE, "contact %s: a factor of the spin of %g: must be above 0",
                       pair->name, pair->spin_factor);
    return CF_OK;
}

/* The frame of body i in that of body j at the start, by where three axes come to. */
static void place_at_start(const struct cf_scene *scene, const struct cf_contact_pair *pair,
                           struct cf_placing *out)
{
    double origin[3] = {0}, world[3];

    cf_start_point(scene, pair->body[0], origin, world);
    cf_start_inside(scene, pair->body[1], world, out->origin_m);
    for (int k = 0; k < 3; k++) {
        double axis[3] = {k == 0, k == 1, k == 2}, inside[3];
        cf_start_point(scene, pair->body[0], axis, world);
        cf_start_inside(scene, pair->body[1], world, inside);
        for (int a = 0; a < 3; a++)
            out->turn[a][k] = inside[a] - out->origin_m[a];
    }
}

/* The smaller of the volumes of two cells, of those that have an end. */
static int least_size(const struct cf_cell_pair *pair, double *least_m3, struct cf_error *err)
{
    const struct cf_cell *cell[] = {pair->i, pair->j};

    *least_m3 = INFINITY;
    for (int side = 0; side < 2; side++) {
        double size;
        int status;
        if (!cell[side] || isinf(cell[side]->radius_m))
            continue;
        status = cf_cell_size(cell[side], pair->octree, &size, err);
        if (status)
            return status;
        *least_m3 = fmin(*least_m3, size);
    }
    return CF_OK;
}

/* CF_ERANGE or another reason, at the contact. */
static int fail_pair(const struct cf_contact_pair *pair, const struct cf_error *why, int status,
                     struct cf_error *err)
{
    return cf_fail(err, status, "contact %s: %.900s", pair->name, why->text);
}

int cf_check_cell_start(const struct cf_scene *scene, const struct cf_contact_pair *pair,
                        struct cf_error *err)
{
    const struct cf_rigid *i = &scene->body[pair->body[0]], *j = &scene->body[pair->body[1]];
    const struct cf_octree_options octree = cf_scene_octree(scene);
    struct cf_cell_pair cells = {.i = &i->cell[pair->cell[0] - 1], .octree = &octree};
    struct cf_cell_meeting meeting;
    struct cf_placing placing;
    struct cf_error why = {""};
    struct cf_volume v;
    double least, found[3];
    int status;

    if (pair->cell[1]) {
        cells.j = &j->cell[pair->cell[1] - 1];
    } else {
        cells.n = j->solid[pair->solid].direction[0];
        cells.height_m = j->solid[pair->solid].size[0];
    }
    place_at_start(scene, pair, &placing);
    status = cf_cell_pair_depth(&cells, &placing, &meeting, &why);
    if (status == CF_OK && !(meeting.depth_m > 0))
        return CF_OK;
    if (status == CF_OK)
        status = cf_cell_pair_volume(&cells, &placing, &v, &why);
    if (status == CF_OK)
        status = least_size(&cells, &least, &why);
    if (status)
        return fail_pair(pair, &why, status, err);
    if (v.volume_m3 >= least * (1 - MOST_SHARE * MOST_SHARE))
        return cf_fail(err, CF_ERANGE,
                       "contact %s: it starts with one of the bodies wholly inside the other",
                       pair->name);
    if (v.volume_m3 > MOST_SHARE * least)
        return cf_fail(err, CF_ERANGE,
                       "contact %s: it starts with an overlap of %.6g m^3: at most %g of the "
                       "smaller volume, %.6g m^3",
                       pair->name, v.volume_m3, MOST_SHARE, MOST_SHARE * least);
    if (cells.j && v.volume_m3 > 0 &&
        cf_volume_normal(v.inertia_m5, meeting.n, NULL, &cf_normal_defaults, found, NULL))
        return cf_fail(err, CF_ERANGE,
                       "contact %s: it starts with an overlap of %.6g m^3 whose inertia determines "
                       "no normal: two of its moments are equal",
                       pair->name, v.volume_m3);
    return CF_OK;
}

static int check_overlap(const struct cf_rigid *body, size_t a, size_t b,
                         const struct cf_octree_options *octree, struct cf_error *err)
{
    static const double ROUNDING = 1e-9; /* of the smaller one */
    static const struct cf_placing same = {{0, 0, 0}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    const struct cf_cell_pair cells = {.i = &body->cell[a], .j = &body->cell[b], .octree = octree};
    struct cf_cell_meeting meeting;
    struct cf_volume v;
    double least;
    int status;

    if (!cf_cells_are_exact(cells.i, cells.j) && (cells.i->npart == 0 || cells.j->npart == 0))
        return CF_OK; /* nothing measures them */
    status = cf_cell_pair_depth(&cells, &same, &meeting, err);
    if (status == CF_OK && !(meeting.depth_m > 0))
        return CF_OK;
    if (status == CF_OK)
        status = cf_cell_pair_volume(&cells, &same, &v, err);
    if (status == CF_OK)
        status = least_size(&cells, &least, err);
    if (status)
        return status;
    if (v.volume_m3 > ROUNDING * least)
        return cf_fail(err, CF_ERANGE,
                       "body %s: cells %zu and %zu overlap by %.6g m^3: what they have in common "
                       "would press twice",
                       body->name, b + 1, a + 1, v.volume_m3);
    return CF_OK;
}

/* Parts of one body that overlap would press twice; and one that moves has an end. */
int cf_check_cells(const struct cf_scene *scene, const struct cf_rigid *body, struct cf_error *err)
{
    const struct cf_octree_options octree = cf_scene_octree(scene);

    for (size_t a = 0; a < body->ncell; a++) {
        if (isinf(body->cell[a].radius_m) && body->drive != CF_DRIVE_FIXED)
            return cf_fail(err, CF_ERANGE,
                           "body %s: cell %zu has no end, as only a fixed body may: give it a "
                           "primitive that is bounded, as box or sphere",
                           body->name, a + 1);
        for (size_t b = 0; b < a; b++) {
            int status = check_overlap(body, a, b, &octree, err);
            if (status)
                return status;
        }
    }
    return CF_OK;
}
