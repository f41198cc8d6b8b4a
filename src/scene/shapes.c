/* What a body is made of: spheres and points that touch, solids that are touched. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "scene/keys.h"
#include "scene/parts.h"

enum { MAX_PARTS = 256 }; /* balls or solids of a body; each may touch the others' */

size_t cf_scene_shape_keys(const char *known[CF_SCENE_SHAPE_KEYS])
{
    size_t n = 0;

    for (; n < CF_SCENE_OWN_SHAPES; n++)
        known[n] = cf_scene_body_schema.key[n].name;
    for (size_t i = 0; cf_shapes[i] && n < CF_SCENE_SHAPE_KEYS; i++)
        if (strcmp(cf_shapes[i]->name, "sphere") != 0)
            known[n++] = cf_shapes[i]->name;
    return n;
}

struct cf_ball *cf_scene_add_ball(struct cf_rigid *body)
{
    struct cf_ball *ball = realloc(body->ball, (body->nball + 1) * sizeof *ball);

    if (!ball)
        return NULL;
    body->ball = ball;
    ball[body->nball] = (struct cf_ball){{0, 0, 0}, 0};
    return &ball[body->nball++];
}

static int no_memory(struct cf_error *err)
{
    return cf_fail(err, CF_ENOMEM, "no memory for shapes");
}

static int add_solid(struct cf_rigid *body, const struct cf_solid *made, struct cf_error *err)
{
    struct cf_solid *solid = realloc(body->solid, (body->nsolid + 1) * sizeof *solid);

    if (!solid)
        return no_memory(err);
    body->solid = solid;
    solid[body->nsolid++] = *made;
    return CF_OK;
}

/* {radius: or diameter:, center:} */
static int read_sphere(const struct cf_yaml *node, struct cf_rigid *body, struct cf_error *err)
{
    const struct cf_yaml *radius, *diameter, *center;
    struct cf_ball *ball;
    int status = cf_schema_check(node, &cf_scene_sphere_schema, err);

    if (status)
        return status;
    radius = cf_yaml_get(node, "radius");
    diameter = cf_yaml_get(node, "diameter");
    center = cf_yaml_get(node, "center");
    if (!radius == !diameter)
        return cf_yaml_fail(node, err, "sphere: %s: one of radius and diameter is needed",
                            radius ? "both radius and diameter" : "no size");
    ball = cf_scene_add_ball(body);
    if (!ball)
        return no_memory(err);
    status = cf_yaml_positive(radius ? radius : diameter, "m", &ball->radius_m, err);
    if (diameter)
        ball->radius_m /= 2;
    if (status == CF_OK && center)
        status = cf_scene_vector(center, "m", 3, ball->centre_m, err);
    return status;
}

static int read_spheres(const struct cf_yaml *list, struct cf_rigid *body, struct cf_error *err)
{
    int status = cf_yaml_list(list, err);

    for (size_t i = 0; i < list->n && status == CF_OK; i++)
        status = read_sphere(&list->item[i], body, err);
    return status;
}

static int read_point(const struct cf_yaml *node, struct cf_rigid *body, struct cf_error *err)
{
    const struct cf_yaml *center;
    struct cf_ball *ball;
    int status = cf_schema_check(node, &cf_scene_point_schema, err);

    if (status)
        return status;
    center = cf_yaml_get(node, "center");
    ball = cf_scene_add_ball(body);
    if (!ball)
        return no_memory(err);
    return center ? cf_scene_vector(center, "m", 3, ball->centre_m, err) : CF_OK;
}

static int read_points(const struct cf_yaml *list, struct cf_rigid *body, struct cf_error *err)
{
    int status = cf_yaml_list(list, err);

    for (size_t i = 0; i < list->n && status == CF_OK; i++) {
        struct cf_ball *ball = cf_scene_add_ball(body);
        if (!ball)
            return no_memory(err);
        status = cf_scene_vector(&list->item[i], "m", 3, ball->centre_m, err);
    }
    return status;
}

/* A box touches with its eight corners. */
static int read_box(const struct cf_yaml *node, struct cf_rigid *body, struct cf_scene_shape *shape,
                    struct cf_error *err)
{
    const struct cf_yaml *size;
    int status = cf_schema_check(node, &cf_scene_box_schema, err);

    if (status == CF_OK)
        status = cf_yaml_need(node, "size", &size, err);
    if (status == CF_OK)
        status = cf_scene_vector(size, "m", 3, shape->side_m, err);
    for (int i = 0; i < 3 && status == CF_OK; i++)
        if (!(shape->side_m[i] > 0))
            status =
                cf_yaml_fail(&size->item[i], err, "size: %s: must be above 0", size->item[i].text);
    shape->box = true;
    for (int corner = 0; corner < 8 && status == CF_OK; corner++) {
        struct cf_ball *ball = cf_scene_add_ball(body);
        if (!ball)
            return no_memory(err);
        for (int i = 0; i < 3; i++)
            ball->centre_m[i] = (corner >> i & 1 ? 0.5 : -0.5) * shape->side_m[i];
    }
    return status;
}

/* The keys of a shape's row, all of them. */
static int read_solid(const struct cf_yaml *node, const struct cf_shape *shape,
                      struct cf_rigid *body, struct cf_error *err)
{
    const char *keys[1 + CF_SHAPE_DIRECTIONS + CF_SHAPE_SIZES];
    struct cf_solid solid = {.shape = shape};
    struct cf_error why = {""};
    size_t n = 0;
    int status;

    if (shape->point)
        keys[n++] = shape->point;
    for (int i = 0; i < CF_SHAPE_DIRECTIONS; i++)
        if (shape->direction[i])
            keys[n++] = shape->direction[i];
    for (size_t i = 0; i < shape->nsize; i++)
        keys[n++] = shape->size[i].name;
    status = cf_yaml_keys(node, keys, n, err);
    for (size_t i = 0; i < n && status == CF_OK; i++)
        if (!cf_yaml_get(node, keys[i]))
            status =
                cf_yaml_fail(node, err, "%s: no key %s here: it is needed", shape->name, keys[i]);
    if (status == CF_OK && shape->point)
        status = cf_scene_vector(cf_yaml_get(node, shape->point), "m", 3, solid.point_m, err);
    for (int i = 0; i < CF_SHAPE_DIRECTIONS && status == CF_OK; i++)
        if (shape->direction[i])
            status =
                cf_scene_direction(cf_yaml_get(node, shape->direction[i]), solid.direction[i], err);
    for (size_t i = 0; i < shape->nsize && status == CF_OK; i++)
        status = cf_yaml_quantity(cf_yaml_get(node, shape->size[i].name), shape->size[i].unit,
                                  &solid.size[i], err);
    if (status == CF_OK && cf_solid_make(&solid, &why))
        status = cf_yaml_fail(node, err, "%s: %s", shape->name, why.text);
    return status == CF_OK ? add_solid(body, &solid, err) : status;
}

/* [{plane: {...}}, {cylinder: {...}}] */
static int read_solids(const struct cf_yaml *list, struct cf_rigid *body, struct cf_error *err)
{
    const char *known[CF_SCENE_SHAPE_KEYS];
    size_t n = 0;
    int status = cf_yaml_list(list, err);

    for (; cf_shapes[n] && n < CF_SCENE_SHAPE_KEYS; n++)
        known[n] = cf_shapes[n]->name;
    for (size_t i = 0; i < list->n && status == CF_OK; i++) {
        const struct cf_yaml *at = &list->item[i];
        status = cf_yaml_map(at, err);
        if (status == CF_OK && at->n != 1)
            status = cf_yaml_fail(at, err, "solids: %zu shapes in one entry: one is wanted", at->n);
        if (status)
            return status;
        const struct cf_shape *shape = cf_shape_find(at->item[0].key);
        status = shape ? read_solid(&at->item[0], shape, body, err)
                       : cf_yaml_unknown(&at->item[0], "shape", at->item[0].key, known, n, err);
    }
    return status;
}

/* A ball can be touched, too, where a body has nothing else: another sphere may touch it. */
static int add_spheres(struct cf_rigid *body, struct cf_error *err)
{
    int status = CF_OK;

    for (size_t i = 0; i < body->nball && status == CF_OK; i++) {
        struct cf_solid solid = {.shape = cf_shape_find("sphere")};
        if (!(body->ball[i].radius_m > 0))
            continue;
        memcpy(solid.point_m, body->ball[i].centre_m, sizeof solid.point_m);
        solid.size[0] = body->ball[i].radius_m;
        status = cf_solid_make(&solid, err);
        if (status == CF_OK)
            status = add_solid(body, &solid, err);
    }
    return status;
}

static int read_key(const struct cf_yaml *at, struct cf_rigid *body, struct cf_scene_shape *shape,
                    struct cf_error *err)
{
    const struct cf_shape *row;

    if (strcmp(at->key, "sphere") == 0)
        return read_sphere(at, body, err);
    if (strcmp(at->key, "spheres") == 0)
        return read_spheres(at, body, err);
    if (strcmp(at->key, "point") == 0)
        return read_point(at, body, err);
    if (strcmp(at->key, "points") == 0)
        return read_points(at, body, err);
    if (strcmp(at->key, "box") == 0)
        return read_box(at, body, shape, err);
    if (strcmp(at->key, "solids") == 0)
        return read_solids(at, body, err);
    if (strcmp(at->key, "cells") == 0)
        return cf_scene_cells(at, body, shape, err);
    if (strcmp(at->key, "clearance") == 0)
        return cf_yaml_positive(at, "m", &body->clearance_m, err);
    row = cf_shape_find(at->key);
    return row ? read_solid(at, row, body, err) : CF_OK;
}

int cf_scene_shapes(const struct cf_yaml *node, struct cf_rigid *body, struct cf_scene_shape *shape,
                    struct cf_error *err)
{
    int status = CF_OK;

    *shape = (struct cf_scene_shape){.radius_m = 0};
    for (size_t i = 0; i < node->n && status == CF_OK; i++)
        status = read_key(&node->item[i], body, shape, err);
    if (status == CF_OK && (body->nball > MAX_PARTS || body->nsolid > MAX_PARTS))
        status = cf_yaml_fail_key(node, err, "body %s: more than %d spheres, points or solids",
                                  body->name, MAX_PARTS);
    if (status == CF_OK && body->clearance_m > 0 && body->ncell == 0)
        status =
            cf_yaml_fail_key(cf_yaml_get(node, "clearance"), err,
                             "clearance: body %s has no cells that could leave gaps", body->name);
    if (status == CF_OK && body->nsolid == 0 && body->ncell == 0)
        status = add_spheres(body, err);
    if (shape->centred && body->nball == 0) /* a cell */
        return status;
    shape->centred = body->nball == 1 && body->ball[0].radius_m > 0;
    for (int i = 0; i < 3 && shape->centred; i++)
        shape->centred = body->ball[0].centre_m[i] == 0;
    shape->radius_m = shape->centred ? body->ball[0].radius_m : 0;
    return status;
}
