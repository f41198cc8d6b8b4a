/* Two spheres: their lens and its derivatives against numbers of 90 digits
 * (t/reference/make_volume_pairs.py) from depths of 1e-9 of the smaller radius to where it is all
 * but inside the other; the limit of a half-space; equal spheres; the event; what is refused.
 */

#include <math.h>

#include "lib/volumes.h"
#include "tap.h"
#include "volume/pairs.h"

enum { NINPUT = 9 };

/* Columns. */
enum { RADIUS_I, RADIUS_J, CENTRE, N = 5, DEPTH = 8 };

/* thin, deep */
static void compare(const double row[], const double want[NEXPECTED], void *data)
{
    struct worst_volume *worst = (struct worst_volume *) data;
    struct cf_volume v = {.volume_m3 = NAN};

    cf_volume_spheres(row[RADIUS_I], row[RADIUS_J], row + CENTRE, row + N, row[DEPTH], &v, NULL);
    compare_volumes(&v, want, 0.3, &worst[row[DEPTH] > 1e-4 * fmin(row[RADIUS_I], row[RADIUS_J])]);
}

static void test_reference(void)
{
    struct worst_volume worst[2] = {{0}};

    each_volume_row("volume_pairs.csv", NINPUT, compare, worst);
    check_worst(&worst[0], 24, "thin lenses", 1e-13, 1e-12);
    check_worst(&worst[1], 48, "deep lenses", 1e-13, 1e-12);
}

/* A sphere of 1e9 m is a half-space, but for depth/R. */
static void test_half_space(void)
{
    static const double centre[3] = {0}, n[3] = {0.3, -0.2, 1};
    struct cf_piece piece = {.form = cf_form_find("sphere"), .size_m = {0.37}};
    double lens[1 + CF_TWIST][NMETRIC], slice[1 + CF_TWIST][NMETRIC], off = 0;
    struct cf_volume a, b;

    cf_volume_spheres(0.37, 1e9, centre, n, 0.2, &a, NULL);
    cf_volume_half_space(&piece, n, 0.2, &b, NULL);
    volume_metrics(&a, lens);
    volume_metrics(&b, slice);
    for (int t = 0; t <= CF_TWIST; t++)
        for (int m = 0; m < NMETRIC; m++)
            off = keep_worst(off, fabs(lens[t][m] - slice[t][m]));
    ok(off < 1e-9, "a sphere of 1e9 m is a half-space (%.0e)", off);
}

/* By symmetry the lens of equal spheres lies about the middle; V is two caps of depth/2. */
static void test_equal(void)
{
    static const double centre[3] = {0, 0, 0.4}, up[3] = {0, 0, 1};
    struct cf_volume v;
    double V = 2 * acos(-1.0) * 0.01 * (0.5 - 0.1 / 3);

    cf_volume_spheres(0.5, 0.5, centre, up, 0.2, &v, NULL);
    ok(fabs(v.volume_m3 / V - 1) < 1e-15, "equal spheres: V");
    ok(fabs(v.centroid_m[2]) < 1e-16 && fabs(v.centroid_by[2][2] - 0.5) < 1e-15,
       "the centroid is in the middle and follows by half");
    ok(isnan(v.centroid_depth_m), "and is below no plane");
}

/* The deepest that there is: the smaller sphere is the lens, all but the last bit of its depth. */
static void test_deepest(void)
{
    static const double centre[3] = {0.1, 0.2, 0.3}, up[3] = {0, 0, 1};
    double ball = 4 * acos(-1.0) / 3 * 0.001, J = ball * 0.4 * 0.01;

    for (double other = 0.1; other < 1e3; other *= 10) {
        struct cf_volume v;
        int status = cf_volume_spheres(0.1, other, centre, up, nextafter(0.2, 0), &v, NULL);
        ok(!status && fabs(v.volume_m3 / ball - 1) < 1e-14 && fabs(v.centroid_m[2] - 0.3) < 1e-14,
           "a ball all but inside another of %g m is the lens", other);
        ok(fabs(v.inertia_m5[0][0] / J - 1) < 1e-13 && fabs(v.inertia_m5[2][2] / J - 1) < 1e-13,
           "and has its inertia");
    }
}

static void test_event(void)
{
    static const double i[3] = {0.3, -0.1, 0.6}, j[3] = {0.1, 0.2, 0};
    double n[3], by[CF_TWIST], depth = cf_spheres_depth(0.4, i, 0.5, j, n, by);
    struct cf_volume v;
    bool zero = true;

    ok(fabs(depth - 0.2) < 1e-15, "depth of spheres whose centres are 0.7 m apart");
    ok(fabs(n[0] - 2. / 7) + fabs(n[1] + 3. / 7) + fabs(n[2] - 6. / 7) < 1e-15, "and normal");
    ok(fabs(by[0] + 2. / 7) + fabs(by[1] - 3. / 7) + fabs(by[2] + 6. / 7) < 1e-15, "moved");
    /* c_i x n = (j x i)/0.7 */
    ok(fabs(by[3] + 0.12 / 0.7) + fabs(by[4] - 0.06 / 0.7) + fabs(by[5] - 0.07 / 0.7) < 1e-15,
       "turned about the origin");
    ok(fabs(cf_spheres_depth(0.1, i, 0.2, j, n, NULL) + 0.4) < 1e-15, "apart: the gap");
    ok(isnan(cf_spheres_depth(0.1, i, 0.2, i, n, by)) && isnan(n[0]) && isnan(by[5]),
       "one centre: no direction");
    for (double d = 0; d >= -1; d -= 0.5) {
        zero = zero && !cf_volume_spheres(0.4, 0.5, i, j, d, &v, NULL);
        zero = zero && v.volume_m3 == 0 && v.volume_by[2] == 0 && v.inertia_m5[1][1] == 0;
    }
    ok(zero, "tangent or apart, nothing interferes");
}

static void refused(double a, double b, const double c[3], const double n[3], double depth,
                    const char *want)
{
    struct cf_error err = {""};
    struct cf_volume v;

    ok(cf_volume_spheres(a, b, c, n, depth, &v, &err) == CF_ERANGE, "refused: %s", want);
    is_str(err.text, want, "in these words");
}

static void test_refused(void)
{
    static const double c[3] = {0.1, 0.2, 0.3}, up[3] = {0, 0, 1}, none[3] = {0},
                        far[3] = {0, INFINITY, 0};

    refused(0.1, 0.2, c, none, 0.05,
            "normal of two spheres = (0, 0, 0): a direction must be finite and not 0");
    refused(0, 0.2, c, up, 0.05, "radius of a sphere = 0 m: must be finite and above 0");
    refused(0.1, NAN, c, up, 0.05, "radius of a sphere = nan m: must be finite and above 0");
    refused(0.1, 0.2, far, up, 0.05, "centre of a sphere = (0, inf, 0) m: a point must be finite");
    refused(0.1, 0.2, c, up, NAN, "depth = nan m of a sphere: must be finite");
    refused(0.1, 0.2, c, up, 0.2,
            "depth = 0.2 m of a sphere: must be below 0.2 m, where one sphere is wholly inside the "
            "other");
}

TEST(volume_pairs)
{
    plan(4 + 1 + 3 + 8 + 7 + 12);
    test_reference();
    test_half_space();
    test_equal();
    test_deepest();
    test_event();
    test_refused();
    return done();
}
