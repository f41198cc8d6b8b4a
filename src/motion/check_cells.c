/* Checks of contacts over a volume of interference. */

#include <math.h>

#include "geometry/vector.h"
#include "motion/check.h"
#include "volume/ball.h"
#include "volume/normal.h"
#include "volume/pairs.h"

/* A start may overlap by no more than this share of the smaller volume. */
static const double MOST_SHARE = 0.1;

static const char *form_of(const struct cf_cell *cell)
{
    return cell->piece.form->name;
}

/* The exact volumes of cells: with a half-space, and of faces with faces. */
static int check_forms(const struct cf_rigid *i, const struct cf_rigid *j,
                       const struct cf_contact_pair *pair, struct cf_error *err)
{
    const struct cf_cell *cell = &i->cell[pair->cell[0] - 1];

    if (!pair->cell[1] && j->solid[pair->solid].shape != cf_shape_find("plane"))
        return cf_fail(err, CF_ERANGE,
                       "contact %s: no exact volume of a cell and a %s: a cell of %s touches a "
                       "plane, or cells",
                       pair->name, j->solid[pair->solid].shape->name, i->name);
    if (pair->cell[1] && !cf_cells_have_faces(cell, &j->cell[pair->cell[1] - 1]))
        return cf_fail(
            err, CF_ERANGE,
            "contact %s: no exact volume of a %s and a %s: both need faces, as a box and "
            "a polytope have them",
            pair->name, form_of(cell), form_of(&j->cell[pair->cell[1] - 1]));
    return CF_OK;
}

static int check_ball(const struct cf_rigid *i, const struct cf_rigid *j,
                      const struct cf_contact_pair *pair, struct cf_error *err)
{
    struct cf_error why = {""};

    if (pair->cell[1])
        return cf_fail(err, CF_ERANGE,
                       "contact %s: no exact volume of a sphere and a cell of %s: give %s a solid",
                       pair->name, j->name, j->name);
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
    int status = pair->cell[0] ? check_forms(i, j, pair, err) : check_ball(i, j, pair, err);

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

static double size_of(const struct cf_cell *cell)
{
    static const double above[3] = {0, 0, 1};
    struct cf_volume all;

    if (cf_volume_half_space(&cell->piece, above, 4 * cell->radius_m, &all, NULL))
        return (double) INFINITY;
    return all.volume_m3;
}

int cf_check_cell_start(const struct cf_scene *scene, const struct cf_contact_pair *pair,
                        struct cf_error *err)
{
    const struct cf_rigid *i = &scene->body[pair->body[0]], *j = &scene->body[pair->body[1]];
    const struct cf_cell *cell = &i->cell[pair->cell[0] - 1];
    const struct cf_cell *other = pair->cell[1] ? &j->cell[pair->cell[1] - 1] : NULL;
    const struct cf_solid *solid = other ? NULL : &j->solid[pair->solid];
    struct cf_placing placing;
    struct cf_volume v;
    double n[3], point[3], least = size_of(cell), depth, found[3];
    int status;

    place_at_start(scene, pair, &placing);
    depth = other ? cf_cells_depth(cell, &placing, other, n, point)
                  : cf_cell_depth(cell, &placing, solid->direction[0], solid->size[0], point);
    if (!(depth > 0))
        return CF_OK;
    status = other ? cf_cells_volume(cell, &placing, other, &v, err)
                   : cf_cell_volume(cell, &placing, solid->direction[0], depth, &v, err);
    if (status)
        return status;
    if (other)
        least = fmin(least, size_of(other));
    if (v.volume_m3 >= least * (1 - MOST_SHARE * MOST_SHARE))
        return cf_fail(err, CF_ERANGE,
                       "contact %s: it starts with one of the bodies wholly inside the other",
                       pair->name);
    if (v.volume_m3 > MOST_SHARE * least)
        return cf_fail(err, CF_ERANGE,
                       "contact %s: it starts with an overlap of %.6g m^3: at most %g of the "
                       "smaller volume, %.6g m^3",
                       pair->name, v.volume_m3, MOST_SHARE, MOST_SHARE * least);
    if (other && v.volume_m3 > 0 &&
        cf_volume_normal(v.inertia_m5, n, NULL, &cf_normal_defaults, found, NULL))
        return cf_fail(err, CF_ERANGE,
                       "contact %s: it starts with an overlap of %.6g m^3 whose inertia tells no "
                       "normal: two of its moments are one",
                       pair->name, v.volume_m3);
    return CF_OK;
}

/* Parts of one body that overlap would press twice. */
int cf_check_cells(const struct cf_rigid *body, struct cf_error *err)
{
    static const double ROUNDING = 1e-9; /* of the smaller one */
    static const struct cf_placing same = {{0, 0, 0}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

    for (size_t a = 0; a < body->ncell; a++)
        for (size_t b = 0; b < a; b++) {
            const struct cf_cell *i = &body->cell[a], *j = &body->cell[b];
            struct cf_volume v;
            double n[3], point[3];
            if (!cf_cells_have_faces(i, j) || !(cf_cells_depth(i, &same, j, n, point) > 0))
                continue;
            int status = cf_cells_volume(i, &same, j, &v, err);
            if (status)
                return status;
            if (v.volume_m3 > ROUNDING * fmin(size_of(i), size_of(j)))
                return cf_fail(err, CF_ERANGE,
                               "body %s: cells %zu and %zu overlap by %.6g m^3: what they have in "
                               "common would press twice",
                               body->name, b + 1, a + 1, v.volume_m3);
        }
    return CF_OK;
}
