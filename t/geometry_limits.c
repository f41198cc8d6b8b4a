/* Shapes where they meet each other and where they end: a ball rolled over edges and tips, shapes
 * that are planes, and places without a normal. */

#include <math.h>
#include <string.h>

#include "core/random.h"
#include "geometry/shape.h"
#include "geometry/vector.h"
#include "tap.h"

#define LENGTH(table) ((int) (sizeof table / sizeof table[0]))

static const double PI = 3.14159265358979323846;

static struct cf_solid solid_of(const char *name, double x, double y, double z, double size)
{
    struct cf_solid solid = {cf_shape_find(name), {0}, {{x, y, z}}, {size}};
    cf_solid_make(&solid, NULL);
    return solid;
}

/* An edge along y under the origin, with normals at two angles from z, to the left and right. */
static struct cf_solid edge_of(double left, double right)
{
    struct cf_solid solid = {
        cf_shape_find("edge"), {0}, {{-sin(left), 0, cos(left)}, {sin(right), 0, cos(right)}}, {0}};
    cf_solid_make(&solid, NULL);
    return solid;
}

static double apart(const double a[3], const double b[3])
{
    double d[3];
    cf_vec_sub(a, b, d);
    return cf_vec_norm(d);
}

static double largest(double m[3][3])
{
    double most = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            most = fmax(most, fabs(m[i][j]));
    return most;
}

/* A ball of 1 cm moves from left to right 8 mm above the origin and more, in steps of a micrometre:
 * depth is a distance, so it changes by no more than the step, and n turns by no more than step
 * over distance. */
static void roll_over(const char *what, const struct cf_solid *solid, double y, double left,
                      double right, double azimuth)
{
    enum { STEPS = 60000 };
    static const double step = 1e-6, height = 0.008;
    const double first[3] = {-sin(left) * cos(azimuth), sin(left) * sin(azimuth), cos(left)};
    const double last[3] = {sin(right) * cos(azimuth), sin(right) * sin(azimuth), cos(right)};
    double depth = 0, n = 0, from = 0;
    struct cf_touch before = {0}, touch;
    bool all = true;

    for (int i = 0; i <= STEPS; i++) {
        double centre[3] = {(i - STEPS / 2.0) * step, y, height};
        all = cf_solid_touch(solid, 0.01, centre, &touch) && all;
        if (i == 0)
            from = apart(touch.n, first);
        if (i > 0) {
            depth = fmax(depth, fabs(touch.depth_m - before.depth_m) / step);
            n = fmax(n, apart(touch.n, before.n) / (step / height));
        }
        before = touch;
    }
    ok(all && depth < 1 + 1e-9 && n < 1 + 1e-6, "%s: no jump (depth %.6f, n %.6f)", what, depth, n);
    ok(from < 1e-14 && apart(touch.n, last) < 1e-14, "%s: from side to side", what);
}

static void test_roll_over(void)
{
    struct cf_solid cone = solid_of("cone", 0, 0, 1, 1.4), edge = edge_of(0.6, 0.3);
    struct cf_solid sharp = edge_of(1.2, 1.1);
    double side = PI / 2 - 0.7;

    roll_over("edge", &edge, 0, 0.6, 0.3, 0);
    roll_over("edge, far along it", &edge, 5, 0.6, 0.3, 0);
    roll_over("sharp edge", &sharp, 0, 1.2, 1.1, 0);
    roll_over("cone", &cone, 0, side, side, 0);
    roll_over("cone, beside the tip", &cone, 0.01, side, side, atan2(0.01, 0.03));
}

/* Left and right of a knife the planes' other conditions hold, too. */
static void test_sharp(void)
{
    static const double beside[3] = {0.01, 0, -0.02};
    struct cf_solid knife = edge_of(1.4, 1.3);
    struct cf_touch touch;

    cf_solid_touch(&knife, 0.001, beside, &touch);
    is_near(touch.n[0], sin(1.3), 1e-15, "sharp edge: the near side's normal");
    is_near(touch.depth_m, 0.001 - (0.01 * sin(1.3) - 0.02 * cos(1.3)), 1e-15, "and depth");
}

/* Inside an edge the nearer face counts; where both are as near, either does. */
static void test_inside_edge(void)
{
    struct cf_solid edge = edge_of(0.5, 0.5), swapped = edge;
    double centre[3] = {-1e-6, 3, -0.02};
    struct cf_touch left, right, other;

    memcpy(swapped.direction[0], edge.direction[1], sizeof swapped.direction[0]);
    memcpy(swapped.direction[1], edge.direction[0], sizeof swapped.direction[1]);
    cf_solid_touch(&edge, 0.03, centre, &left);
    cf_solid_touch(&swapped, 0.03, centre, &other);
    ok(left.n[0] < 0 && apart(left.n, other.n) == 0 && left.depth_m == other.depth_m,
       "edge: the order of its planes does not matter");
    centre[0] = 1e-6;
    cf_solid_touch(&edge, 0.03, centre, &right);
    ok(right.n[0] > 0 && fabs(right.depth_m - left.depth_m) < 1e-15,
       "edge: from below it is the nearer face");
}

/* On the line itself: the normal between, the depth of a plane through it. */
static void test_on_edge(void)
{
    struct cf_solid edge = edge_of(0.6, 0.2);
    const double between[3] = {-sin(0.2), 0, cos(0.2)};
    const double near[3] = {0, 7, 5e-10}, off[3] = {0, 7, 2e-9};
    struct cf_touch touch;

    cf_solid_touch(&edge, 0.01, near, &touch);
    ok(apart(touch.n, between) < 1e-15 && largest(touch.turn) == 0 &&
           fabs(touch.depth_m - 0.01) < 1e-9,
       "edge: on the line n is n_e");
    cf_solid_touch(&edge, 0.01, off, &touch);
    ok(fabs(touch.n[0]) < 1e-6 && fabs(touch.turn[0][0] * 2e-9 - 1) < 1e-6,
       "edge: two nm off it n is w");
}

/* A.20: under the apex depth is scaled by sin(alpha). The distance of a point from a line. */
static void test_cone_axis(void)
{
    static const double alphas[] = {0.2, 0.7, 1.2, 1.5};
    double worst = 0, jump = 0, over = 0;
    bool along = true;

    for (int i = 0; i < LENGTH(alphas); i++) {
        struct cf_solid cone = solid_of("cone", 0, 0, 3, 2 * alphas[i]);
        const double down[3] = {sin(alphas[i]), 0, -cos(alphas[i])};
        const double deep[3] = {0, 0, -0.03}, high[3] = {0, 0, 0.004};
        const double aside[3] = {0, 2e-9, -0.03};
        double arm[3];
        struct cf_touch on, off;

        cf_vec_cross(deep, down, arm);
        along = cf_solid_touch(&cone, 0.01, deep, &on) && on.n[2] == 1 && along;
        cf_solid_touch(&cone, 0.01, aside, &off);
        worst = fmax(worst, fabs(on.depth_m - 0.01 - cf_vec_norm(arm)));
        jump = fmax(jump, fabs(off.depth_m - on.depth_m));
        along = cf_solid_touch(&cone, 0.01, high, &on) && on.n[2] == 1 && along;
        over = fmax(over, fabs(on.depth_m - 0.006));
    }
    ok(along && over < 1e-17, "cone: on the axis n is the axis (%.1e m)", over);
    ok(worst < 1e-16, "cone: in it depth is to the side (%.1e m)", worst);
    ok(jump < 2e-9, "cone: depth does not jump there (%.1e m)", jump);
}

/* Worst difference between a solid and the plane z = 0, over a ball's centres. */
static void against_plane(const struct cf_solid *solid, double worst[3])
{
    struct cf_solid plane = solid_of("plane", 0, 0, 2, 0);
    gsl_rng *rng = cf_random_stream(11, 1);

    memset(worst, 0, 3 * sizeof worst[0]);
    for (int i = 0; i < 1000; i++) {
        double centre[3] = {0, 0, 0.02 * gsl_rng_uniform(rng) - 0.005};
        struct cf_touch a, b;

        for (int j = 0; j < 2 && i % 10; j++) /* each tenth above the apex */
            centre[j] = 0.1 * gsl_rng_uniform(rng) - 0.05;
        cf_solid_touch(solid, 0.01, centre, &a);
        cf_solid_touch(&plane, 0.01, centre, &b);
        worst[0] = fmax(worst[0], fabs(a.depth_m - b.depth_m));
        worst[1] = fmax(worst[1], apart(a.n, b.n));
        worst[2] = fmax(worst[2], largest(a.turn));
    }
    gsl_rng_free(rng);
}

static void test_planes(void)
{
    static const struct {
        const char *what, *name;
        double x, y, size, depth, n, turn; /* tolerances */
    } row[] = {
        {"a cone of 180 degrees", "cone", 0, 0, PI, 1e-17, 1e-16, 0},
        {"a cone of nearly as much", "cone", 0, 0, PI - 2e-9, 1e-9, 1.5e-9, INFINITY},
        {"a sphere of 100 km", "sphere", 0, 0, 1e5, 1e-7, 1e-6, 1.1e-5},
        {"a cylinder of 100 km", "cylinder", 1, 0.5, 1e5, 1e-7, 1e-6, 1.1e-5},
        {"a bore of 100 km", "bore", 1, 0.5, 1e5, 1e-7, 1e-6, 1.1e-5},
    };
    struct cf_solid edge = edge_of(0, 0);
    double worst[3];

    for (int i = 0; i < LENGTH(row); i++) {
        bool round = row[i].size > PI;
        struct cf_solid solid = solid_of(row[i].name, row[i].x, row[i].y, !round, row[i].size);

        if (round)
            solid.point_m[2] = row[i].name[0] == 'b' ? row[i].size : -row[i].size;
        against_plane(&solid, worst);
        ok(worst[0] <= row[i].depth && worst[1] <= row[i].n && worst[2] <= row[i].turn,
           "%s is a plane (%.1e m, %.1e, %.1e)", row[i].what, worst[0], worst[1], worst[2]);
    }
    against_plane(&edge, worst);
    ok(worst[0] < 1e-17 && worst[1] == 0 && worst[2] == 0, "an edge of equal normals is a plane");
    edge = edge_of(3e-7, 3e-7);
    against_plane(&edge, worst);
    ok(worst[0] < 1e-15 && worst[1] < 1e-15 && worst[2] == 0,
       "an edge that is hardly one, as well (%.1e m, %.1e)", worst[0], worst[1]);
    edge = edge_of(3e-6, 3e-6);
    against_plane(&edge, worst);
    ok(worst[0] > 1e-8 && worst[0] < 3e-7 && worst[1] > 2.9e-6 && worst[1] < 3.1e-6,
       "beyond that both faces are seen (%.1e m, %.1e)", worst[0], worst[1]);
}

static void test_no_normal(void)
{
    static const struct {
        const char *name;
        double size, depth;
    } row[] = {{"cylinder", 0.05, 0.07}, {"bore", 0.05, -0.03}, {"sphere", 0.05, 0.07}};
    static const double centre[3] = {0, 0, 5e-10};

    for (int i = 0; i < LENGTH(row); i++) {
        struct cf_solid solid = solid_of(row[i].name, 1, 2, 0, row[i].size);
        struct cf_touch touch = {.n = {9, 9, 9}, .turn = {{9}}};
        bool has = cf_solid_touch(&solid, 0.02, centre, &touch);

        ok(!has && fabs(touch.depth_m - row[i].depth) < 1e-9, "%s: no normal at its middle",
           row[i].name);
        ok(cf_vec_norm(touch.n) == 0 && largest(touch.turn) == 0, "%s: none is given", row[i].name);
    }
}

/* How fast n turns for a point that creeps along the surface is the surface's curvature. */
static void test_curvature(void)
{
    static const struct {
        const char *name;
        double size, curvature;
    } row[] = {
        {"plane", 0.04, 0}, {"sphere", 0.04, 25}, {"cylinder", 0.04, 25}, {"bore", 0.04, -25}};
    static const double centre[3] = {0, 0, 0.04}, creep[3] = {1, 0, 0};

    for (int i = 0; i < LENGTH(row); i++) {
        bool lies = row[i].name[0] == 'c' || row[i].name[0] == 'b';
        struct cf_solid solid = solid_of(row[i].name, 0, lies, !lies, row[i].size);
        struct cf_touch touch;
        double turn[3];

        cf_solid_touch(&solid, 0, centre, &touch);
        cf_vec_turn(touch.turn, creep, turn);
        is_near(turn[0], row[i].curvature, 1e-14, "%s: n turns by the curvature", row[i].name);
        is_near(solid.shape->curvature(&solid), row[i].curvature, 1e-14, "%s: which is given",
                row[i].name);
    }
    for (int i = 0; i < 2; i++) {
        struct cf_solid solid = i ? edge_of(0.3, 0.4) : solid_of("cone", 0, 0, 1, 2);
        ok(solid.shape->curvature(&solid) == 0, "%s: no curvature is its own", solid.shape->name);
    }
}

TEST(geometry_limits)
{
    plan(10 + 2 + 2 + 2 + 3 + 8 + 6 + 10);
    test_roll_over();
    test_sharp();
    test_inside_edge();
    test_on_edge();
    test_cone_axis();
    test_planes();
    test_no_normal();
    test_curvature();
    return done();
}
