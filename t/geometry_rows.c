/* The table of shapes: its contents, and solids made from it or refused. */

#include <math.h>
#include <string.h>

#include "geometry/shape.h"
#include "tap.h"

#define LENGTH(table) ((int) (sizeof table / sizeof table[0]))

static void test_refused(void)
{
    static const struct {
        const char *name;
        struct cf_solid solid;
        const char *text;
    } row[] = {
        {"plane", {.direction = {{0, -0.0, 0}}}, "normal = (0, 0, 0): a direction must not be 0"},
        {"cone",
         {.direction = {{1, INFINITY, 0}}, .size = {1}},
         "axis = (1, inf, 0): a direction must be finite"},
        {"cone",
         {.direction = {{0, NAN, 0}}, .size = {1}},
         "axis = (0, nan, 0): a direction must be finite"},
        {"plane",
         {.direction = {{0, 0, 1}}, .size = {2e6}},
         "height = 2000000 m: must be in [-1e+06, 1e+06]"},
        {"plane",
         {.direction = {{0, 0, 1}}, .size = {NAN}},
         "height is not a number: a value in [-1e+06, 1e+06] m is wanted"},
        {"sphere",
         {.point_m = {0, 1, NAN}, .size = {1}},
         "center = (0, 1, nan) m: a point must be finite"},
        {"sphere", {.size = {-0.1}}, "radius = -0.1 m: must be in [1e-09, 1e+06]"},
        {"cylinder",
         {.direction = {{0, 0, 1}}, .size = {-0.1}},
         "radius = -0.1 m: must be in [1e-09, 1e+06]"},
        {"bore",
         {.direction = {{0, 0, 1}}, .size = {0}},
         "radius = 0 m: must be in [1e-09, 1e+06]"},
        {"cone",
         {.direction = {{0, 0, 1}}, .size = {3.2}},
         "angle = 3.2 rad: must be in [0.001, 3.14159]"},
        {"edge", {.direction = {{0, 0, 1}}}, "normal_2 = (0, 0, 0): a direction must not be 0"},
        {"edge",
         {.direction = {{0, 0, 3}, {0, 0, -2}}},
         "normal_1 = (0, 0, 1) and normal_2 = (0, 0, -1) are opposite: no solid is under both "
         "planes"},
    };

    for (int i = 0; i < LENGTH(row); i++) {
        struct cf_solid solid = row[i].solid, before;
        struct cf_error err = {""};
        int status;

        solid.shape = cf_shape_find(row[i].name);
        before = solid;
        status = cf_solid_make(&solid, &err);
        is_str(err.text, row[i].text, "%s is refused", row[i].name);
        ok(status == CF_ERANGE && memcmp(&solid, &before, sizeof solid) == 0,
           "and stays as it came");
    }
}

/* Any length makes a direction. */
static void test_lengths(void)
{
    static const double lengths[] = {1e-300, 5e-324, 1, 1e300};

    for (int i = 0; i < LENGTH(lengths); i++) {
        struct cf_solid solid = {
            cf_shape_find("plane"), {0}, {{lengths[i], -lengths[i], 0}}, {0.1}};
        int status = cf_solid_make(&solid, NULL);
        ok(status == CF_OK && fabs(solid.direction[0][0] - sqrt(0.5)) < 1e-15 &&
               fabs(solid.direction[0][1] + sqrt(0.5)) < 1e-15,
           "a normal of length %g", lengths[i]);
    }
}

static void test_names(void)
{
    const struct cf_shape *shape;
    struct cf_error err;
    bool sound = true;

    for (int i = 0; cf_shapes[i]; i++) {
        shape = cf_shapes[i];
        sound = sound && cf_shape_find(shape->name) == shape && shape->cite && shape->what &&
                shape->curvature && shape->touch && shape->nsize <= CF_SHAPE_SIZES;
        for (size_t j = 0; j < shape->nsize; j++)
            sound = sound && cf_param_check(&shape->size[j], 1, &shape->size[j].typical, NULL) == 0;
    }
    ok(sound, "every row is whole");
    ok(cf_shape_get("cone", &shape, &err) == CF_OK && shape == cf_shape_find("cone"), "cone");
    ok(cf_shape_get("spere", &shape, &err) == CF_EINPUT && !shape, "no spere");
    is_str(err.text, "unknown shape spere: did you mean sphere?", "but a sphere");
    ok(cf_shape_get("torus", &shape, &err) == CF_EINPUT && !shape, "no torus");
    is_str(err.text,
           "unknown shape torus: must be one of plane, sphere, edge, cylinder, bore, cone, funnel",
           "nor anything near");
}

TEST(geometry_rows)
{
    plan(24 + 4 + 6);
    test_refused();
    test_lengths();
    test_names();
    return done();
}
