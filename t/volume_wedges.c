/* A sphere over the edge of a wedge: against numbers of 80 digits
 * (t/reference/make_volume_wedges.py), which cut it in another way, on the edge and beside it, from
 * depths of 1e-9 of the radius to next to all of it, over a right, a blunt and a sharp edge, one
 * next to flat and a blade; wedges that share a sphere; the event; what is refused.
 */

#include <math.h>
#include <string.h>

#include "geometry/vector.h"
#include "lib/volumes.h"
#include "tap.h"
#include "volume/pairs.h"

enum { NINPUT = 16 };

/* Columns. */
enum { RADIUS, NORMAL, CENTRE = 7, FACE = 10, N, INWARD = 14, DEPTH };

static const double PI = 3.14159265358979323846;

/* By edge or face, then thin, deep */
static void compare(const double row[], const double want[NEXPECTED], void *data)
{
    struct worst_volume(*worst)[2] = (struct worst_volume(*)[2]) data;
    struct cf_wedge wedge = {.point_m = {NAN, NAN, NAN}};
    struct cf_wedge_touch touch = {.face = (int) row[FACE], .n = {row[N], row[N + 1], row[N + 2]}};
    struct cf_volume v = {.volume_m3 = NAN};

    memcpy(wedge.normal, row + NORMAL, sizeof wedge.normal);
    touch.inward_m = row[INWARD];
    touch.depth_m = row[DEPTH];
    cf_volume_wedge(&wedge, row[RADIUS], row + CENTRE, &touch, &v, NULL);
    compare_volumes(&v, want, 0.3, &worst[touch.face >= 0][row[DEPTH] > 1e-4 * row[RADIUS]]);
}

static void test_reference(void)
{
    struct worst_volume worst[2][2] = {{{0}}};

    each_volume_row("volume_wedges.csv", NINPUT, compare, worst);
    /* there a normal's rounding of 1e-16 is a 1e-12th of the width, 4e-5 of the radius */
    check_worst(&worst[0][0], 20, "thin slices over edges", 1e-12, 1e-11);
    check_worst(&worst[0][1], 30, "deep ones over edges", 1e-12, 1e-12);
    check_worst(&worst[1][0], 20, "thin slices on faces", 1e-12, 1e-12);
    check_worst(&worst[1][1], 80, "deep ones on faces", 1e-12, 1e-12);
}

/* What a sphere has in a wedge that is where its depth says. */
static void touch_at(const struct cf_wedge *wedge, double radius, const double centre[3],
                     struct cf_volume *out)
{
    struct cf_wedge_touch touch = {.depth_m = NAN};

    out->volume_m3 = NAN;
    cf_wedge_depth(wedge, radius, centre, &touch, NULL);
    cf_volume_wedge(wedge, radius, centre, &touch, out, NULL);
}

/* Two planes make four wedges, which have the whole sphere between them: wherever it is about the
 * edge, and whatever angle they are at; as it moves, what some gain the others lose. */
static void test_shared(void)
{
    double R = 0.3, ball = 4 * PI / 3 * R * R * R, off = 0, moment = 0, drift = 0;

    for (int k = 0; k < 40; k++) {
        double turn = 0.157 * k, q = R * (0.02 + 0.024 * k), angle = 0.07 + 0.075 * k;
        double centre[3] = {0.1 + q * cos(turn), 0.7, q * sin(turn) - 0.2};
        double sum[3] = {0}, V = 0, by[CF_TWIST] = {0};
        for (int part = 0; part < 4; part++) {
            double a = part & 1 ? -1 : 1, b = part & 2 ? -1 : 1;
            struct cf_wedge wedge = {{{a, 0, 0}, {b * cos(angle), 0, b * sin(angle)}},
                                     {0.1, -5, -0.2}};
            struct cf_volume v = {.volume_m3 = NAN};
            struct cf_wedge_touch touch;
            cf_wedge_depth(&wedge, R, centre, &touch, NULL);
            cf_volume_wedge(&wedge, R, centre, &touch, &v, NULL);
            V += v.volume_m3;
            for (int i = 0; i < 3; i++)
                sum[i] += v.volume_m3 * v.centroid_m[i];
            for (int t = 0; t < CF_TWIST; t++)
                by[t] += v.volume_by[t];
        }
        off = keep_worst(off, fabs(V / ball - 1));
        for (int i = 0; i < 3; i++)
            moment = keep_worst(moment, fabs(sum[i] / ball - centre[i]));
        for (int t = 0; t < CF_TWIST; t++)
            drift = keep_worst(drift, fabs(by[t]));
    }
    ok(off < 1e-13, "four wedges share the sphere: V (%.0e)", off);
    ok(moment < 1e-13, "and V p_c (%.0e m)", moment);
    ok(drift < 1e-13, "and some gain what the others lose (%.0e m^2)", drift);
}

/* Far from the edge a face is a half-space. */
static void test_half_space(void)
{
    struct cf_piece piece = {.form = cf_form_find("sphere"), .size_m = {0.37}};
    struct cf_wedge wedge = {{{0.3, -0.2, 1}, {1, 0, 0}}, {0}};
    static const double centre[3] = {0};
    struct cf_wedge_touch touch = {.face = 0, .depth_m = 0.2};
    double round[1 + CF_TWIST][NMETRIC], flat[1 + CF_TWIST][NMETRIC], off = 0;
    struct cf_volume a, b;

    cf_volume_half_space(&piece, wedge.normal[0], 0.2, &b, NULL);
    volume_metrics(&b, flat);
    for (double away = 0.33; away < 1e12; away *= 10) {
        touch.inward_m = away;
        a.volume_m3 = NAN;
        cf_volume_wedge(&wedge, 0.37, centre, &touch, &a, NULL);
        volume_metrics(&a, round);
        for (int t = 0; t <= CF_TWIST; t++)
            for (int m = 0; m < NMETRIC; m++)
                off = keep_worst(off, fabs(round[t][m] - flat[t][m]));
    }
    ok(off < 1e-15, "beside the edge a face is a half-space (%.0e)", off);
}

/* As the sphere rolls over the edge V, p_c and J go smoothly from a face to the edge and on. */
static void test_continuous(void)
{
    struct cf_wedge wedge = {{{0, 0, 1}, {1, 0, 0}}, {0.2, 0, 0.1}};
    double R = 0.3, jump = 0;
    /* the centre over the begin of a face, over where the edge leaves the sphere, inside midway */
    static const double at[3][2] = {{0, 0.2}, {-0.2236067977499790, 0.2}, {-0.1, -0.1}};
    static const double across[3][2] = {{1, 0}, {1, 0}, {1, -1}};

    for (int k = 0; k < 3; k++) {
        double got[2][1 + CF_TWIST][NMETRIC];
        for (int side = 0; side < 2; side++) {
            double step = side ? 1e-13 : -1e-13;
            double centre[3] = {0.2 + at[k][0] + step * across[k][0], 0,
                                0.1 + at[k][1] + step * across[k][1]};
            struct cf_volume v;
            touch_at(&wedge, R, centre, &v);
            volume_metrics(&v, got[side]);
        }
        for (int t = 0; t <= CF_TWIST; t++)
            for (int m = 0; m < NMETRIC; m++)
                jump = keep_worst(jump, fabs(got[1][t][m] - got[0][t][m]));
    }
    ok(jump < 1e-11, "from a face to the edge, to the other face nothing jumps (%.0e)", jump);
}

/* From blades to what is next to flat, from a breath of contact to all of it: quadratures settle,
 * and V is no more than the cap of one face. */
static void test_extremes(void)
{
    static const double centre[3] = {0.1, -0.2, 0.05};
    static const double share[] = {1e-12, 1e-9, 1e-3, 0.5, 0.999, 1, 1.001, 1.5, 2 - 1e-9};
    static const double angle[] = {1e-9, 1e-3, 0.3, 1.5, 3, PI - 1e-4, PI - 1e-9};
    static const double inward[] = {0, 1e-12, 1e-6, 1e-3, 0.5, 0.999999, 1.000001, 2, 1e6};
    int settled = 0, asked = 0, wrong = 0;

    for (size_t i = 0; i < sizeof angle / sizeof angle[0]; i++)
        for (size_t k = 0; k < sizeof share / sizeof share[0]; k++)
            for (size_t j = 0; j < sizeof inward / sizeof inward[0]; j++) {
                double a = angle[i], d = share[k], cap = PI * d * d * (1 - d / 3);
                struct cf_wedge wedge = {{{0, 0, 1}, {sin(a), 0, -cos(a)}}, {0}};
                struct cf_wedge_touch touch = {.face = 0, .depth_m = d};
                struct cf_volume v = {.volume_m3 = NAN};
                touch.inward_m = inward[j] * sqrt(d * (2 - d));
                asked++;
                settled += !cf_volume_wedge(&wedge, 1, centre, &touch, &v, NULL);
                wrong += !(v.volume_m3 > 0) || !isfinite(v.inertia_by[1][1][3]) ||
                         !(v.volume_m3 < cap * (1 + 1e-13));
            }
    ok(settled == asked && !wrong, "%d of %d extremes settle, %d are out of bounds", settled, asked,
       wrong);
}

static double coordinate(double step, int t, const double c[3], int i)
{
    static const int next[3] = {1, 2, 0};

    if (t < 3)
        return c[i] + (i == t ? step : 0);
    /* turned about the origin */
    return i == t - 3         ? c[i]
           : i == next[t - 3] ? c[i] - step * c[next[next[t - 3]]]
                              : c[i] + step * c[next[t - 3]];
}

/* The derivatives of the depth against differences, and the depth against the closest of many
 * points of the wedge. */
static void test_event(void)
{
    static const double place[5][3] = {
        {0.1, 0.4, 0.5}, {0.4, 1, 0.3}, {0.5, 3, -0.6}, {-0.1, 0, -0.25}, {0.15, 2, -0.2}};
    static const int face[5] = {0, CF_WEDGE_EDGE, 1, 0, 1};
    struct cf_wedge wedge = {{{0, 0, 2}, {0.8, 0, 0.6}}, {0.2, 7, 0}};
    double off = 0, beside = 0;
    int same = 0;

    for (int k = 0; k < 5; k++) {
        struct cf_wedge_touch touch, up, down;
        double foot[3], R = 0.3;
        same += !cf_wedge_depth(&wedge, R, place[k], &touch, NULL) && touch.face == face[k];
        cf_vec_add_scaled(place[k], touch.depth_m - R, touch.n, foot);
        cf_vec_sub(foot, wedge.point_m, foot);
        foot[1] = 0;
        beside = keep_worst(beside, fabs(cf_vec_norm(foot) - touch.inward_m));
        for (int t = 0; t < CF_TWIST; t++) {
            double a[3], b[3];
            for (int i = 0; i < 3; i++) {
                a[i] = coordinate(1e-5, t, place[k], i);
                b[i] = coordinate(-1e-5, t, place[k], i);
            }
            cf_wedge_depth(&wedge, R, a, &up, NULL);
            cf_wedge_depth(&wedge, R, b, &down, NULL);
            off = keep_worst(off, fabs((up.depth_m - down.depth_m) / 2e-5 - touch.by[t]));
        }
    }
    ok(same == 5, "over the faces, the edge and inside: %d are closest where they should", same);
    ok(beside < 1e-15, "the closest place is on the face, as far from the edge (%.0e m)", beside);
    ok(off < 1e-9, "derivatives of the depth (%.0e)", off);
}

static void test_depth(void)
{
    struct cf_wedge wedge = {{{0, 0, 2}, {3, 0, 0}}, {1, 5, 2}};
    static const double off[3] = {1.3, -4, 2.4}, on[3] = {1, 6, 2}, zero[3] = {0};
    struct cf_wedge_touch t;
    struct cf_volume v;
    double most = 0;

    cf_wedge_depth(&wedge, 0.7, off, &t, NULL);
    ok(fabs(t.depth_m - 0.2) + fabs(t.n[0] - 0.6) + fabs(t.n[2] - 0.8) < 2e-15,
       "depth and normal over the edge");
    cf_wedge_depth(&wedge, 0.1, off, &t, NULL);
    ok(fabs(t.depth_m + 0.4) < 1e-15, "the gap");
    cf_volume_wedge(&wedge, 0.1, off, &t, &v, NULL);
    for (int i = 0; i < 3; i++)
        most = fmax(most, fabs(v.centroid_m[i] - off[i] + 0.1 * t.n[i]));
    ok(v.volume_m3 == 0 && v.volume_by[0] == 0 && most < 1e-15,
       "nothing interferes, and p_c is the sphere's closest point");
    cf_wedge_depth(&wedge, 0.7, on, &t, NULL);
    cf_volume_wedge(&wedge, 0.7, on, &t, &v, NULL);
    ok(t.depth_m == 0.7 && fabs(t.n[0] - t.n[2]) < 1e-15 &&
           fabs(v.volume_m3 / (PI / 3 * 0.343) - 1) < 1e-14,
       "centred on the edge of a right angle: a quarter of the sphere");
    t = (struct cf_wedge_touch){.depth_m = 0, .n = {1, 0, 1}, .face = CF_WEDGE_EDGE};
    ok(!cf_volume_wedge(&wedge, 0.7, zero, &t, &v, NULL) && v.volume_m3 == 0, "tangent: nothing");
}

static void refused(struct cf_wedge wedge, double radius, struct cf_wedge_touch touch,
                    const char *want)
{
    static const double centre[3] = {0.1, 0.2, 0.3};
    struct cf_error err = {""};
    struct cf_volume v;

    ok(cf_volume_wedge(&wedge, radius, centre, &touch, &v, &err) == CF_ERANGE, "refused: %s", want);
    is_str(err.text, want, "in these words");
}

static void test_refused(void)
{
    struct cf_wedge wedge = {{{0, 0, 1}, {1, 0, 0}}, {0}}, bare = {{{0, 0, 1}, {0}}, {0}};
    struct cf_wedge flat = {{{0, 0, 1}, {0, 1e-13, 2}}, {0}},
                    blade = {{{0, 0, 1}, {0, 0, -2}}, {0}};
    struct cf_wedge_touch face = {.face = 0, .depth_m = 0.1, .inward_m = 0.02};
    struct cf_wedge_touch edge = {.face = CF_WEDGE_EDGE, .depth_m = 0.1, .n = {1, 0, 2}};
    struct cf_error err = {""};

    refused(bare, 0.1, face, "normal of a wedge = (0, 0, 0): a direction must be finite and not 0");
    refused(flat, 0.1, face,
            "normals of a wedge = (0, 0, 1) and (0, 1e-13, 2): must not be parallel, which is a "
            "half-space");
    refused(blade, 0.1, face,
            "normals of a wedge = (0, 0, 1) and (0, 0, -2): must not be opposite");
    refused(wedge, 0, face, "radius of a sphere = 0 m: must be finite and above 0");
    refused(wedge, 0.05, face,
            "depth = 0.1 m of a sphere: must be below 0.1 m, where it is wholly in the wedge");
    refused(wedge, 0.05, edge,
            "depth = 0.1 m of a sphere: must be at most 0.05 m, where its centre is on the edge");
    edge.n[0] = -1;
    refused(wedge, 0.2, edge,
            "normal of a sphere over an edge = (-1, 0, 2): must be between those of the faces");
    face.inward_m = -1;
    refused(wedge, 0.2, face,
            "distance from the edge of a wedge = -1 m: must be finite and 0 or more");
    face.depth_m = NAN;
    refused(wedge, 0.2, face, "depth = nan m of a sphere: must be finite");
    wedge.point_m[1] = INFINITY;
    ok(cf_wedge_depth(&wedge, 0.2, wedge.normal[0], &face, &err) == CF_ERANGE, "no such edge");
    is_str(err.text, "edge of a wedge = (0, inf, 0) m: a point must be finite", "in these words");
}

TEST(volume_wedges)
{
    plan(8 + 3 + 1 + 1 + 1 + 3 + 5 + 20);
    test_reference();
    test_shared();
    test_half_space();
    test_continuous();
    test_extremes();
    test_event();
    test_depth();
    test_refused();
    return done();
}
