/* Surfaces of solids as pictures of scenes show them, against the shapes' own equations. */

#include "report/scene_solids.h"

#include <math.h>

#include "tap.h"

static const double world[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
static const double turned[3][3] = {{0, 1, 0}, {-1, 0, 0}, {0, 0, 1}};

/* A scene of one solid, on a body that does not move and stands where it is put. */
struct one {
    struct cf_rigid body;
    struct cf_solid solid;
    struct cf_scene scene;
};

static void make(struct one *one, const char *shape, const double direction[3], double size)
{
    struct cf_error err = {""};

    *one = (struct one){.body = {.drive = CF_DRIVE_FIXED, .attitude = {1, 0, 0, 0}, .nsolid = 1},
                        .solid = {.shape = cf_shape_find(shape), .size = {size}}};
    for (int i = 0; i < 3; i++)
        one->solid.direction[0][i] = direction[i];
    ok(one->solid.shape && cf_solid_make(&one->solid, &err) == CF_OK, "%s: %s", shape, err.text);
    one->body.solid = &one->solid;
    one->scene = (struct cf_scene){.nbody = 1, .body = &one->body};
}

TEST(surfaces)
{
    const struct cf_range z = {-3, 0.5};
    const double up[3] = {0, 0, 1}, along[3] = {0, 1, 0}, tilted[3] = {3, 0, 4};
    struct one one;

    plan(4 + 12 + 1 + 2);
    make(&one, "bore", along, 1);
    is_near(cf_scene_surface(&one.scene, world, 0.6, 7, z), -0.8, 1e-8, "the floor of a bore");
    ok(isnan(cf_scene_surface(&one.scene, world, 1.5, 0, z)), "beyond which all is solid");
    is_near(cf_scene_surface(&one.scene, turned, 7, 0.6, z), -0.8, 1e-8,
            "in axes of a figure that are turned");
    one.body.position_m[2] = -1;
    is_near(cf_scene_surface(&one.scene, world, 0.6, 7, z), -1.8, 1e-8, "of a body further down");
    make(&one, "cone", up, acos(-1.0) * 2 / 3);
    is_near(cf_scene_surface(&one.scene, world, 0.3, 0.4, z), -0.5 / sqrt(3), 1e-8,
            "the flank of a cone of 120 degrees");
    one.body.attitude[0] = 0;
    one.body.attitude[1] = 1; /* tip down */
    ok(isnan(cf_scene_surface(&one.scene, world, 0.3, 0.4, (struct cf_range){-1, 0})),
       "nothing below one that stands on its tip");
    make(&one, "plane", tilted, 0);
    is_near(cf_scene_surface(&one.scene, world, 1, 9, z), -0.75, 1e-8, "a plane");
    one.body.attitude[0] = sqrt(0.5);
    one.body.attitude[3] = sqrt(0.5); /* a quarter turn about z */
    is_near(cf_scene_surface(&one.scene, world, 9, 1, z), -0.75, 1e-8, "on a body that is turned");
    one.body.drive = CF_DRIVE_FREE;
    ok(isnan(cf_scene_surface(&one.scene, world, 9, 1, z)), "one that moves has none");
    make(&one, "plane", up, 0);
    struct cf_chart chart;
    struct cf_error err = {""};
    struct cf_range range[3] = {{0, 1}, {0, 2}, {0.1, 0.5}};
    struct cf_ball ball = {.radius_m = 0.1};
    one.body.ball = &ball;
    one.body.nball = 1;
    struct cf_scene_figure figure = {.frame = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    cf_chart_init(&chart, 1, 1);
    struct cf_panel *panel = cf_chart_add_panel(&chart);
    ok(cf_scene_solids_add(&one.scene, &figure, range, panel, &err) == CF_OK, "a mesh %s",
       err.text);
    const struct cf_chart_series *mesh = panel->series[0];
    ok(panel->nseries == 1 && mesh->n == 10 * 3 && isnan(mesh->datum[2].z) &&
           fabs(mesh->datum[28].z) < 1e-8,
       "of five straight lines each way, parted: %zu", mesh->n);
    is_within(range[2].low, 0, 1e-8, "for which the box reaches down to the plane");
    cf_chart_free(&chart);

    /* two spheres with nothing between them: lines over both are parted there */
    make(&one, "sphere", up, 0.3);
    struct cf_rigid two[2] = {one.body, one.body};
    two[0].position_m[0] = 0.3;
    two[1].position_m[0] = 1.7;
    one.scene = (struct cf_scene){.nbody = 2, .body = two};
    range[0] = (struct cf_range){0, 2};
    range[1] = (struct cf_range){-0.3, 0.3};
    range[2] = (struct cf_range){-0.3, 0.5};
    cf_chart_init(&chart, 1, 1);
    panel = cf_chart_add_panel(&chart);
    ok(cf_scene_solids_add(&one.scene, &figure, range, panel, &err) == CF_OK, "two spheres");
    bool joined = false;
    for (size_t i = 0; i + 1 < panel->series[0]->n; i++) {
        double x = panel->series[0]->datum[i].x, next = panel->series[0]->datum[i + 1].x;
        joined = joined || (x < 1 && next > 1) || (x > 1 && next < 1);
    }
    ok(panel->series[0]->n > 12 && !joined, "no line leads from one to the other: %zu",
       panel->series[0]->n);
    cf_chart_free(&chart);
    return done();
}
