/* A sphere in a cylinder or in the wall of a bore: against numbers of 90 digits
 * (t/reference/make_volume_tubes.py), which cut it in another way, from depths of 1e-9 of the
 * deepest to nearly that; the limit of a half-space; cylinder and bore, which share the sphere;
 * the event; what is refused.
 */

#include <math.h>

#include "geometry/vector.h"
#include "lib/volumes.h"
#include "tap.h"
#include "volume/pairs.h"

enum { NINPUT = 13 };

/* Columns. */
enum { HOLLOW, RADIUS, TUBE, AXIS, CENTRE = 6, N = 9, DEPTH = 12 };

/* By hollow, then thin, deep */
static void compare(const double row[], const double want[NEXPECTED], void *data)
{
    struct worst_volume(*worst)[2] = (struct worst_volume(*)[2]) data;
    struct cf_tube tube = {
        .radius_m = row[TUBE], .axis = {row[AXIS], row[AXIS + 1], row[AXIS + 2]}, .hollow = row[0]};
    struct cf_volume v = {.volume_m3 = NAN};

    cf_volume_tube(&tube, row[RADIUS], row + CENTRE, row + N, row[DEPTH], &v, NULL);
    compare_volumes(&v, want, 0.3, &worst[tube.hollow][row[DEPTH] > 1e-4 * row[RADIUS]]);
}

static void test_reference(void)
{
    struct worst_volume worst[2][2] = {{{0}}};

    each_volume_row("volume_tubes.csv", NINPUT, compare, worst);
    check_worst(&worst[0][0], 8, "thin slices in cylinders", 1e-12, 1e-12);
    check_worst(&worst[0][1], 16, "deep ones in cylinders", 1e-12, 1e-12);
    check_worst(&worst[1][0], 8, "thin slices in walls of bores", 1e-12, 1e-12);
    check_worst(&worst[1][1], 16, "deep ones in walls of bores", 1e-12, 1e-12);
}

/* A surface of 1e9 m is a plane, but for the sphere's size over that. */
static void test_half_space(void)
{
    static const double centre[3] = {0}, n[3] = {0.3, -0.2, 1};
    struct cf_piece piece = {.form = cf_form_find("sphere"), .size_m = {0.37}};
    double round[1 + CF_TWIST][NMETRIC], flat[1 + CF_TWIST][NMETRIC];
    struct cf_volume a, b;

    cf_volume_half_space(&piece, n, 0.2, &b, NULL);
    volume_metrics(&b, flat);
    for (int hollow = 0; hollow < 2; hollow++) {
        struct cf_tube tube = {.radius_m = 1e9, .axis = {0, 1, 0.2}, .hollow = hollow};
        double off = 0;
        cf_volume_tube(&tube, 0.37, centre, n, 0.2, &a, NULL);
        volume_metrics(&a, round);
        for (int t = 0; t <= CF_TWIST; t++)
            for (int m = 0; m < NMETRIC; m++)
                off = keep_worst(off, fabs(round[t][m] - flat[t][m]));
        ok(off < 1e-9, "a %s of 1e9 m is a half-space (%.0e)", hollow ? "bore" : "cylinder", off);
    }
}

/* The cylinder and the bore around one axis have the whole sphere between them; as it moves, what
 * one gains the other loses. */
static void test_shared(void)
{
    static const double centre[3] = {0.1, -0.2, 0.05}, n[3] = {0, 1, 0}, back[3] = {0, -1, 0};
    double R = 0.3, r = 0.4, ball = 4 * acos(-1.0) / 3 * R * R * R, off = 0, moment = 0, drift = 0;

    for (double e = 0.11; e < 0.7; e += 0.0531) { /* from r - R to r + R */
        struct cf_tube cylinder = {.radius_m = r, .axis = {1, 0, 0}}, bore = cylinder;
        struct cf_volume a, b;
        bore.hollow = true;
        cf_volume_tube(&cylinder, R, centre, n, R + r - e, &a, NULL);
        cf_volume_tube(&bore, R, centre, back, R - r + e, &b, NULL);
        off = keep_worst(off, fabs((a.volume_m3 + b.volume_m3) / ball - 1));
        for (int i = 0; i < 3; i++) {
            double sum = a.volume_m3 * a.centroid_m[i] + b.volume_m3 * b.centroid_m[i];
            moment = keep_worst(moment, fabs(sum / ball - centre[i]));
        }
        for (int t = 0; t < CF_TWIST; t++)
            drift = keep_worst(drift, fabs(a.volume_by[t] + b.volume_by[t]));
    }
    ok(off < 1e-13, "cylinder and bore share the sphere: V (%.0e)", off);
    ok(moment < 1e-14, "and V p_c (%.0e m)", moment);
    ok(drift < 1e-14, "and one gains what the other loses (%.0e m^2)", drift);
}

/* From wires to surfaces that are all but flat, from a breath of contact to all but engulfed: the
 * quadratures settle, and V is no more than the cap of the sphere or all of it. */
static void test_extremes(void)
{
    static const double centre[3] = {0.1, -0.2, 0.05}, n[3] = {0, 1, 0};
    static const double share[] = {1e-12, 1e-9, 1e-3, 0.5, 0.999, 1, 1.001, 1.5, 2 - 1e-9};
    int settled = 0, wrong = 0;

    for (double r = 1e-6; r < 2e6; r *= 10)
        for (size_t k = 0; k < sizeof share / sizeof share[0]; k++)
            for (int hollow = 0; hollow <= (r >= 1); hollow++) {
                struct cf_tube tube = {.radius_m = r, .axis = {1, 0, 0}, .hollow = hollow};
                double most = hollow ? 2 : fmin(2, 1 + r), d = share[k] * most / 2;
                double cap = acos(-1.0) * d * d * (1 - d / 3);
                struct cf_volume v = {.volume_m3 = NAN};
                settled += !cf_volume_tube(&tube, 1, centre, n, d, &v, NULL);
                wrong +=
                    !(v.volume_m3 > 0) || !isfinite(v.inertia_by[1][1][3]) ||
                    !(hollow ? v.volume_m3 > cap * (1 - 1e-13) : v.volume_m3 < cap * (1 + 1e-13));
            }
    ok(settled == 13 * 9 + 7 * 9 && !wrong, "%d extremes settle, %d are out of bounds", settled,
       wrong);
}

static void test_event(void)
{
    static const double centre[3] = {1.3, 2, 0.4}, zero[3] = {0};
    struct cf_tube tube = {.radius_m = 0.7, .point_m = {1, 5, 0}, .axis = {0, 1, 0}};
    struct cf_volume v;
    double n[3], by[CF_TWIST];
    bool none = true;

    ok(fabs(cf_tube_depth(&tube, 0.1, centre, n, by) - 0.3) < 1e-15, "depth in a cylinder");
    ok(fabs(n[0] - 0.6) + fabs(n[1]) + fabs(n[2] - 0.8) < 1e-15, "its normal is away from it");
    /* c x n = (2*0.8, 0.4*0.6 - 1.3*0.8, -2*0.6) */
    ok(fabs(by[0] + 0.6) + fabs(by[2] + 0.8) < 1e-15 &&
           fabs(by[3] + 1.6) + fabs(by[4] - 0.8) + fabs(by[5] - 1.2) < 1e-14,
       "moved and turned about the origin");
    tube.hollow = true;
    ok(fabs(cf_tube_depth(&tube, 0.1, centre, n, by) + 0.1) < 1e-15, "the gap in a bore");
    ok(fabs(n[0] + 0.6) + fabs(n[2] + 0.8) < 1e-15 && fabs(by[0] - 0.6) < 1e-15,
       "its normal is towards the axis");
    ok(isnan(cf_tube_depth(&tube, 0.1, tube.point_m, n, by)) && isnan(n[0]) && isnan(by[4]),
       "on the axis there is no direction");
    for (double d = 0; d >= -1; d -= 0.5)
        for (int hollow = 0; hollow < 2; hollow++) {
            tube.hollow = hollow;
            none = none && !cf_volume_tube(&tube, 0.1, zero, centre, d, &v, NULL);
            none = none && v.volume_m3 == 0 && v.volume_by[2] == 0 && v.inertia_m5[1][1] == 0;
        }
    ok(none, "tangent or apart, nothing interferes");
}

static void refused(struct cf_tube tube, double radius, const double n[3], double depth,
                    const char *want)
{
    static const double centre[3] = {0.1, 0.2, 0.3};
    struct cf_error err = {""};
    struct cf_volume v;

    ok(cf_volume_tube(&tube, radius, centre, n, depth, &v, &err) == CF_ERANGE, "refused: %s", want);
    is_str(err.text, want, "in these words");
}

static void test_refused(void)
{
    static const double up[3] = {0, 0, 1}, along[3] = {0, 2, 0};
    struct cf_tube cylinder = {.radius_m = 0.2, .axis = {0, 1, 0}}, bore = cylinder, bare = {0.2};

    bore.hollow = true;
    refused(bare, 0.1, up, 0.05,
            "axis of a cylinder = (0, 0, 0): a direction must be finite and not 0");
    refused(bore, 0.1, along, 0.05,
            "normal of a sphere = (0, 2, 0): must not be along the axis of a bore");
    refused(bore, 0.3, up, 0.05,
            "radius of a sphere = 0.3 m: must be at most that of its bore, 0.2 m");
    refused(bore, 0.1, up, 0.2,
            "depth = 0.2 m of a sphere: must be below 0.2 m, where it is wholly in the wall of the "
            "bore");
    refused(cylinder, 0.1, up, 0.3,
            "depth = 0.3 m of a sphere: must be below 0.2 m, where it is wholly in the cylinder");
    refused(cylinder, 0.5, up, 0.7,
            "depth = 0.7 m of a sphere: must be below 0.7 m, where its centre is on the axis of "
            "the cylinder");
    refused(cylinder, -1, up, 0.05, "radius of a sphere = -1 m: must be finite and above 0");
    refused(cylinder, 0.1, up, NAN, "depth = nan m of a sphere: must be finite");
    cylinder.radius_m = bore.radius_m = 0;
    refused(cylinder, 0.1, up, 0.05, "radius of a cylinder = 0 m: must be finite and above 0");
    refused(bore, 0.1, up, 0.05, "radius of a bore = 0 m: must be finite and above 0");
}

TEST(volume_tubes)
{
    plan(8 + 2 + 3 + 1 + 7 + 20);
    test_reference();
    test_half_space();
    test_shared();
    test_extremes();
    test_event();
    test_refused();
    return done();
}
