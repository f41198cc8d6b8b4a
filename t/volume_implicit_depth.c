/* How deep implicit primitives are in each other: against the exact depths of a half-space, of
 * spheres, of a sphere in a cylinder, apart and together; its sign against that of boxes, and
 * against V; its derivatives by differences; a ball in a bore, where a hole hides the deepest
 * point; what is refused.
 */

#include <math.h>
#include <string.h>

#include "geometry/vector.h"
#include "lib/poses.h"
#include "lib/volumes.h"
#include "tap.h"
#include "volume/implicit.h"
#include "volume/pairs.h"

enum { POSES = 40 };

static struct cf_implicit_touch touch(const struct cf_implicit *i, size_t ni,
                                      const struct cf_implicit *j, size_t nj)
{
    struct cf_octree_options options = cf_octree_defaults();
    struct cf_implicit_touch t = {.depth_m = NAN};
    struct cf_error err = {""};

    options.error_relative = 1e-3;
    if (cf_implicit_depth(i, ni, j, nj, &t, &err))
        is_str(err.text, "", "a depth");
    return t;
}

static double apart(const double a[], const double b[], int n)
{
    double most = 0;

    for (int k = 0; k < n; k++)
        most = keep_worst(most, fabs(a[k] - b[k]));
    return most;
}

/* In the frame of the form, from deep in to far away. */
static void test_half_space(void)
{
    static const char *const names[] = {"sphere", "box", "cylinder", "cone"};

    for (int k = 0; k < 4; k++) {
        struct cf_piece piece = {.form = cf_form_find(names[k]), .size_m = {0.37, 0.52, 0.41}};
        struct cf_implicit form = primitive(names[k], 0.37, 0.52, 0.41),
                           plane = primitive("half-space", 0, 0, 0);
        double off = 0, off_n = 0, off_by = 0;
        unsigned long seed = 3;
        for (int pose = 0; pose < POSES; pose++) {
            double height = (pose % 4 == 0 ? 10 : 1) * next_number(&seed), by[CF_TWIST], depth;
            struct cf_implicit_touch t;
            next_rotation(&seed, plane.axis);
            cf_vec_scale(height, plane.axis[2], plane.origin_m);
            depth = cf_half_space_depth(&piece, plane.axis[2], height, by);
            t = touch(&form, 1, &plane, 1);
            off = keep_worst(off, fabs(t.depth_m - depth) / fmax(1, fabs(depth)));
            off_n = keep_worst(off_n, apart(t.n, plane.axis[2], 3));
            off_by = keep_worst(off_by, apart(t.by, by, CF_TWIST));
        }
        ok(off < 1e-11 && off_n < 1e-11 && off_by < 1e-8,
           "%s and half-space: depth to %.0e, n to %.0e, derivatives to %.0e", names[k], off, off_n,
           off_by);
    }
}

static void test_round(void)
{
    struct cf_implicit ball = primitive("sphere", 0.3, 0, 0),
                       other = primitive("sphere", 0.5, 0, 0),
                       rod = primitive("endless-cylinder", 0.5, 0, 0);
    double off[2] = {0}, off_by[2] = {0};
    unsigned long seed = 4;

    for (int pose = 0; pose < POSES; pose++) {
        struct cf_tube tube = {.radius_m = 0.5};
        double n[3], by[CF_TWIST], depth;
        struct cf_implicit_touch t;
        next_rotation(&seed, rod.axis);
        for (int k = 0; k < 3; k++)
            ball.origin_m[k] = 2 * next_number(&seed);
        memcpy(tube.axis, rod.axis[2], sizeof tube.axis);
        t = touch(&ball, 1, &other, 1);
        depth = cf_spheres_depth(0.3, ball.origin_m, 0.5, other.origin_m, n, by);
        if (depth < 0.3) { /* no more than the centre is in */
            off[0] = keep_worst(off[0], fabs(t.depth_m - depth));
            off_by[0] = keep_worst(off_by[0], apart(t.by, by, CF_TWIST));
        }
        t = touch(&ball, 1, &rod, 1);
        depth = cf_tube_depth(&tube, 0.3, ball.origin_m, n, by);
        if (depth < 0.3) {
            off[1] = keep_worst(off[1], fabs(t.depth_m - depth));
            off_by[1] = keep_worst(off_by[1], apart(t.by, by, CF_TWIST));
        }
    }
    ok(off[0] < 1e-11 && off_by[0] < 1e-8, "two spheres: depth to %.0e, derivatives to %.0e",
       off[0], off_by[0]);
    ok(off[1] < 1e-11 && off_by[1] < 1e-8,
       "sphere and cylinder: depth to %.0e, derivatives to %.0e", off[1], off_by[1]);
}

/* The sign is that of the exact distance, and V is there where it is > 0. */
static void test_sign(void)
{
    struct cf_octree_options options = cf_octree_defaults();
    struct cf_implicit body[2] = {primitive("box", 0.3, 0.4, 0.5), primitive("cone", 0.2, 0.5, 0)};
    unsigned long seed = 6;
    int wrong = 0, in = 0;

    for (int pose = 0; pose < 4 * POSES; pose++) {
        struct cf_octree_volume v;
        struct cf_implicit_touch t, back;
        next_rotation(&seed, body[1].axis);
        for (int k = 0; k < 3; k++)
            body[1].origin_m[k] = 0.5 * next_number(&seed);
        cf_volume_implicit(body, 1, body + 1, 1, &options, &v, NULL);
        t = touch(body, 1, body + 1, 1);
        back = touch(body + 1, 1, body, 1);
        wrong += (t.depth_m > 0) != (v.volume.volume_m3 > 0);
        wrong += (back.depth_m > 0) != (v.volume.volume_m3 > 0);
        in += t.depth_m > 0;
    }
    ok(wrong == 0 && in > POSES && in < 3 * POSES, "depth > 0 where V is, either way: %d of %d", in,
       4 * POSES);
}

static void test_differences(void)
{
    static const double h = 1e-5;
    struct cf_implicit i[2] = {primitive("ellipsoid", 0.3, 0.2, 0.4),
                               primitive("box", 0.3, 0.4, 0.3)},
                       j = primitive("cone", 0.4, 0.3, 0);
    double worst = 0;
    unsigned long seed = 2;

    for (int pose = 0; pose < POSES; pose++) {
        struct cf_implicit_touch at;
        double axis[3][3], origin[3];
        next_rotation(&seed, axis);
        for (int k = 0; k < 3; k++)
            origin[k] = 0.6 * next_number(&seed);
        i[0] = primitive("ellipsoid", 0.3, 0.2, 0.4);
        i[1] = primitive("box", 0.3, 0.4, 0.3);
        primitive_seen(&i[0], axis, origin);
        primitive_seen(&i[1], axis, origin);
        at = touch(i, 2, &j, 1);
        for (int t = 0; t < CF_TWIST; t++) {
            struct cf_implicit_touch side[2];
            for (int s = 0; s < 2; s++) {
                struct cf_implicit moved[2] = {i[0], i[1]};
                double angle = t < 3 ? 0 : s ? h : -h, turn[3][3] = {{0}}, shift[3] = {0};
                int x = (t + 1) % 3, y = (t + 2) % 3;
                turn[t % 3][t % 3] = 1;
                turn[x][x] = turn[y][y] = cos(angle);
                turn[x][y] = sin(angle);
                turn[y][x] = -sin(angle);
                if (t < 3)
                    shift[t] = s ? h : -h;
                primitive_seen(&moved[0], turn, shift);
                primitive_seen(&moved[1], turn, shift);
                side[s] = touch(moved, 2, &j, 1);
            }
            worst =
                keep_worst(worst, fabs((side[1].depth_m - side[0].depth_m) / (2 * h) - at.by[t]));
        }
    }
    ok(worst < 1e-5,
       "an ellipsoid's part in a box, and a cone: derivatives as differences, to %.0e", worst);
}

/* A bore in a box. */
static void test_bore(void)
{
    struct cf_implicit ball = primitive("sphere", 0.3, 0, 0),
                       block[2] = {primitive("box", 3, 3, 3),
                                   primitive("endless-cylinder", 0.5, 0, 0)};
    struct cf_implicit_touch t;
    double worst = 0;

    block[1].hole = true;
    for (int k = 0; k < 6; k++) { /* its centre off the axis by less than the clearance and more */
        double e = 0.05 + 0.05 * k, angle = 1 + k;
        ball.origin_m[0] = e * cos(angle);
        ball.origin_m[1] = e * sin(angle);
        ball.origin_m[2] = 0.1 * k;
        t = touch(&ball, 1, block, 2);
        worst = keep_worst(worst, fabs(t.depth_m - (e - 0.2)));
        worst = keep_worst(worst, fabs(t.n[0] + cos(angle)) + fabs(t.n[1] + sin(angle)));
        worst = keep_worst(worst, fabs(t.by[0] - cos(angle)) + !t.in_hole);
    }
    ok(worst < 1e-9, "a ball in a bore: as from a bore's solid, to %.0e", worst);
    ball.size[0] = 0.4999; /* near the bore's own width, and hardly off its axis */
    ball.origin_m[0] = 1e-6 * cos(0.7);
    ball.origin_m[1] = 1e-6 * sin(0.7);
    t = touch(&ball, 1, block, 2);
    ok(fabs(t.depth_m - (1e-6 - 1e-4)) < 1e-10 && t.n[0] * cos(0.7) + t.n[1] * sin(0.7) < -0.99,
       "a ball that all but fills its bore");
    ball.size[0] = 0.3;
    ball.origin_m[0] = 0.1;
    ball.origin_m[1] = 0;
    ball.origin_m[2] = 1.8; /* its lowest point in the plane of the mouth, and at its rim */
    t = touch(&ball, 1, block, 2);
    ok(t.in_hole && t.depth_m < -0.3, "over the mouth of the bore it touches nothing");
    ball.origin_m[0] = 0.6;
    t = touch(&ball, 1, block, 2);
    ok(!t.in_hole && fabs(t.depth_m) < 1e-11, "beside it the block");
    ball.origin_m[0] = ball.origin_m[1] = 0;
    ball.origin_m[2] = 1.5 + 0.1; /* its centre over the rim: 0.5 wide where it is 0.283 */
    ball.size[0] = 0.5;
    t = touch(&ball, 1, block, 2);
    ok(t.in_hole && fabs(t.depth_m - (sqrt(0.25 - 0.01) - 0.5)) < 1e-10, "a ball over its rim");
    ball.size[0] = 0.3;
    ball.origin_m[2] = 0;
    ball.origin_m[0] = 1.7;
    t = touch(&ball, 1, block, 2);
    ok(!t.in_hole && fabs(t.depth_m - 0.1) < 1e-11, "in the block's outer side there is no hole");
    ball.origin_m[0] = 2;
    t = touch(&ball, 1, block, 2);
    ok(!t.in_hole && fabs(t.depth_m + 0.2) < 1e-11, "nor outside of it");
}

/* A ring about a pin: the hole is body i's. */
static void test_ring(void)
{
    struct cf_implicit ring[2] = {primitive("cylinder", 1, 0.5, 0),
                                  primitive("endless-cylinder", 0.4, 0, 0)},
                       pin = primitive("cylinder", 0.3, 4, 0),
                       ground = primitive("half-space", 0, 0, 0);
    struct cf_implicit_touch t;
    double worst = 0;

    ring[1].hole = true;
    for (int k = 0; k < 5; k++) {
        double e = 0.04 + 0.03 * k, angle = 2 + k;
        for (int p = 0; p < 2; p++) {
            ring[p].origin_m[0] = e * cos(angle);
            ring[p].origin_m[1] = e * sin(angle);
        }
        t = touch(ring, 2, &pin, 1);
        worst = keep_worst(worst, fabs(t.depth_m - (e - 0.1)));
        worst = keep_worst(worst, fabs(t.n[0] + cos(angle)) + fabs(t.n[1] + sin(angle)));
        worst = keep_worst(worst, fabs(t.by[1] - sin(angle)) + !t.in_hole);
    }
    ok(worst < 1e-9, "a ring about a pin: its play, and the way to the pin, to %.0e", worst);
    for (int p = 0; p < 2; p++) {
        ring[p].origin_m[0] = ring[p].origin_m[1] = 0;
        ring[p].origin_m[2] = 0.25;
    }
    t = touch(ring, 2, &ground, 1);
    ok(!t.in_hole && fabs(t.depth_m) < 1e-11, "a ring that lies on a plane touches it");
}

static void test_refused(void)
{
    struct cf_octree_options options = cf_octree_defaults();
    struct cf_implicit p[3] = {primitive("half-space", 0, 0, 0), primitive("sphere", 0.1, 0, 0),
                               primitive("sphere", 0.1, 0, 0)};
    struct cf_implicit_touch t;
    struct cf_error err = {""};

    ok(cf_implicit_depth(p, 1, p, 1, &t, &err) == CF_ERANGE, "half-spaces are refused");
    is_str(err.text, "the way into a body has no end", "in these words");
    p[2].origin_m[0] = 1;
    ok(cf_implicit_depth(p + 1, 2, p, 1, &t, &err) == CF_ERANGE, "no body");
    is_str(err.text, "body i: its primitives have nothing in common", "in these words");
    p[0].hole = true;
    ok(cf_implicit_depth(p + 1, 1, p, 1, &t, &err) == CF_ERANGE, "but a hole");
    is_str(err.text, "body j: must have a primitive that is not a hole", "in these words");
}

TEST(volume_implicit_depth)
{
    plan(4 + 2 + 1 + 1 + 7 + 2 + 6);
    test_half_space();
    test_round();
    test_sign();
    test_differences();
    test_bore();
    test_ring();
    test_refused();
    return done();
}
