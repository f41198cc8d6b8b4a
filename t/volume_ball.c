/* A sphere in each solid that it has a volume with: the same volume as by the pair's own function,
 * in the frame of the solid; derivatives of V, p_c and J_v against differences, which turn and move
 * the sphere about the origin of that frame; depths below 0. And the normal of a volume: axes that
 * are known, the nearest of them, what does not tell, how it turns; over a box that is tilted, the
 * bisector of its face and the plane (REFERENCE: an approximation of Gonthier's).
 */

#include <math.h>
#include <string.h>

#include "geometry/vector.h"
#include "tap.h"
#include "volume/ball.h"
#include "volume/normal.h"

static const double R = 0.05;

/* Solids, and where the centre of the sphere is over a point of their surface, along n. */
static const struct {
    const char *shape;
    double point[3], direction[2][3], size;
    double under[3]; /* a point on the surface */
    double n[3];
} rows[] = {
    {"plane", {0}, {{0.6, 0, 0.8}}, 0.2, {0.12, 0.3, 0.16}, {0.6, 0, 0.8}},
    {"sphere", {0.1, 0.2, 0.3}, {{0}}, 0.15, {0.1 + 0.09, 0.2, 0.3 + 0.12}, {0.6, 0, 0.8}},
    {"cylinder", {0.1, 0.2, 0.3}, {{0, 1, 0}}, 0.15, {0.19, 0.5, 0.42}, {0.6, 0, 0.8}},
    {"bore", {0.1, 0.2, 0.3}, {{0, 1, 0}}, 0.25, {0.25, 0.5, 0.5}, {-0.6, 0, -0.8}},
    {"edge", {0.1, 0.2, 0.3}, {{0, 0, 1}, {1, 0, 0}}, 0, {0.1, 0.5, 0.3}, {0.8, 0, 0.6}},
    {"edge", {0.1, 0.2, 0.3}, {{0, 0, 1}, {1, 0, 0}}, 0, {0.088, 0.5, 0.3}, {0, 0, 1}},
};
enum { NROW = sizeof rows / sizeof *rows };

static struct cf_solid solid_of(int i)
{
    struct cf_solid solid = {.shape = cf_shape_find(rows[i].shape), .size = {rows[i].size}};

    memcpy(solid.point_m, rows[i].point, sizeof solid.point_m);
    memcpy(solid.direction, rows[i].direction, sizeof solid.direction);
    cf_solid_make(&solid, NULL);
    return solid;
}

static int volume_at(const struct cf_solid *solid, const double centre[3], struct cf_volume *out)
{
    struct cf_touch touch;

    cf_solid_touch(solid, R, centre, &touch);
    return cf_ball_volume(solid, R, centre, &touch, out, NULL);
}

static void numbers(const struct cf_volume *v, double out[13])
{
    out[0] = v->volume_m3;
    memcpy(out + 1, v->centroid_m, sizeof v->centroid_m);
    memcpy(out + 4, v->inertia_m5, sizeof v->inertia_m5);
}

static double slope_of(const struct cf_volume *v, int i, int t)
{
    if (i == 0)
        return v->volume_by[t];
    return i < 4 ? v->centroid_by[i - 1][t] : v->inertia_by[(i - 4) / 3][(i - 4) % 3][t];
}

/* The centre after the twist's component t by h. */
static void moved(const double centre[3], int t, double h, double out[3])
{
    int a = (t + 1) % 3, b = (t + 2) % 3;

    memcpy(out, centre, 3 * sizeof *out);
    if (t < 3) {
        out[t] += h;
        return;
    }
    out[a] = cos(h) * centre[a] - sin(h) * centre[b];
    out[b] = sin(h) * centre[a] + cos(h) * centre[b];
}

static void test_row(int i)
{
    struct cf_solid solid = solid_of(i);
    struct cf_volume v, none;
    double depth = 0.2 * R, centre[3], away[3], size[3] = {0, 1, 0}, worst = 0, h = 1e-6;

    cf_vec_add_scaled(rows[i].under, R - depth, rows[i].n, centre);
    int status = volume_at(&solid, centre, &v);
    size[0] = v.volume_m3;
    size[2] = v.inertia_m5[0][0] + v.inertia_m5[1][1] + v.inertia_m5[2][2];
    for (int t = 0; t < CF_TWIST; t++) {
        struct cf_volume at[2];
        double x[2][13];
        for (int k = 0; k < 2; k++) {
            double to[3];
            moved(centre, t, k ? h : -h, to);
            status = status ? status : volume_at(&solid, to, &at[k]);
            numbers(&at[k], x[k]);
        }
        for (int k = 0; k < 13; k++) {
            double want = (x[1][k] - x[0][k]) / (2 * h);
            double per = k == 0 ? size[0] / depth : k < 4 ? 1 : size[2] / depth;
            worst = fmax(worst, fabs(slope_of(&v, k, t) - want) / per);
        }
    }
    ok(!status && worst < 1e-7, "%s %d: derivatives by the pose (%.0e)", rows[i].shape, i, worst);
    cf_vec_add_scaled(rows[i].under, R + depth, rows[i].n, away);
    status = volume_at(&solid, away, &none);
    ok(!status && none.volume_m3 == 0, "out of touch there is none");
    /* the centroid is within the cap */
    double from[3];
    cf_vec_sub(v.centroid_m, rows[i].under, from);
    double down = -cf_vec_dot(from, rows[i].n);
    ok(down > 0 && down < depth, "the centroid is between the surface and the deepest point");
}

/* A cap of a plane in the plane's own terms. */
static void test_cap(void)
{
    struct cf_solid solid = solid_of(0);
    struct cf_volume v;
    double d = 0.01, pi = acos(-1.), centre[3], from[3];
    double V = pi * d * d * (R - d / 3), up = 0.75 * (2 * R - d) * (2 * R - d) / (3 * R - d);

    cf_vec_add_scaled(rows[0].under, R - d, rows[0].n, centre);
    volume_at(&solid, centre, &v);
    cf_vec_sub(v.centroid_m, centre, from);
    ok(fabs(v.volume_m3 / V - 1) < 1e-13, "V of a cap");
    ok(fabs(-cf_vec_dot(from, rows[0].n) / up - 1) < 1e-13, "its centroid, from the sphere's");
    ok(cf_ball_volume_is_even(solid.shape) && !cf_ball_volume_is_even(cf_shape_find("edge")),
       "an edge cuts it off on one side");
}

static void test_unknown(void)
{
    struct cf_error err = {""};

    ok(cf_ball_volume_known(cf_shape_find("funnel"), &err) == CF_EINPUT, "no volume with a funnel");
    is_str(err.text,
           "no volume of interference of a sphere and a funnel is known: there are those with "
           "plane, sphere, edge, cylinder, bore",
           "which there are");
}

/* J of three moments along axes. */
static void inertia(double axes[3][3], const double moment[3], double out[3][3])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            out[i][j] = 0;
            for (int k = 0; k < 3; k++)
                out[i][j] += moment[k] * axes[k][i] * axes[k][j];
        }
}

static void axes_of(double a, double b, double out[3][3])
{
    const double u[3][3] = {{cos(a), sin(a), 0},
                            {-sin(a) * cos(b), cos(a) * cos(b), sin(b)},
                            {sin(a) * sin(b), -cos(a) * sin(b), cos(b)}};

    memcpy(out, u, sizeof u);
}

static void test_normal(void)
{
    static const double moments[4][3] = {
        {1, 2, 3}, {3, 2, 1}, {1e-9, 1e-9, 2e-9}, {1, 1 + 1e-3, 1 - 1e-3}};
    double worst = 0, apart;
    int told = 0;

    for (int m = 0; m < 4; m++)
        for (int k = 0; k < 3; k++) {
            double axes[3][3], J[3][3], geometric[3], n[3], cross[3];
            if (m == 2 && k < 2)
                continue; /* any direction across the third */
            axes_of(0.3 + k, 0.7 - m, axes);
            inertia(axes, moments[m], J);
            /* 20 degrees off the k-th */
            cf_vec_scale(cos(0.35), axes[k], geometric);
            cf_vec_add_scaled(geometric, sin(0.35), axes[(k + 1) % 3], geometric);
            told += cf_volume_normal(J, geometric, NULL, &cf_normal_defaults, n, NULL) == CF_OK;
            cf_vec_cross(n, axes[k], cross);
            apart = cf_vec_norm(cross);
            worst = fmax(worst, cf_vec_dot(n, geometric) > 0 ? apart : 1);
        }
    ok(told == 10 && worst < 1e-12, "the axis next to the estimate (%.0e)", worst);
}

static void test_untold(void)
{
    double axes[3][3], J[3][3], n[3], geometric[3] = {0.6, 0, 0.8}, previous[3] = {0, 0, 1};
    double moment[3] = {2, 2, 2};
    struct cf_error err = {""};

    axes_of(0.4, 0.2, axes);
    inertia(axes, moment, J);
    ok(cf_volume_normal(J, geometric, NULL, &cf_normal_defaults, n, &err) == CF_ESOLVE &&
           memcmp(n, geometric, sizeof n) == 0,
       "a cube that is sunk in does not tell: the estimate");
    is_str(err.text, "the inertia of the volume determines no normal: two of its moments are equal",
           "as it says");
    /* what was before decides between two axes that are as near */
    moment[0] = 1, moment[1] = 2, moment[2] = 3;
    double unit[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, between[3] = {sqrt(0.5), 0, sqrt(0.5)};
    inertia(unit, moment, J);
    ok(!cf_volume_normal(J, between, previous, &cf_normal_defaults, n, NULL) &&
           fabs(n[2] - 1) < 1e-12,
       "the normal before has its share in the guess");
}

static void test_turn(void)
{
    double axes[3][3], J[3][3],
        change[3][3] = {{0.1, 0.3, -0.2}, {0.3, 0.2, 0.4}, {-0.2, 0.4, 0.1}};
    double n[2][3], at[3], dn[3], moment[3] = {1, 2, 3}, h = 1e-5, worst = 0;

    axes_of(0.4, 0.2, axes);
    inertia(axes, moment, J);
    cf_volume_normal(J, axes[2], NULL, &cf_normal_defaults, at, NULL);
    int status = cf_volume_normal_turn(J, at, change, dn, NULL);
    for (int k = 0; k < 2; k++) {
        double moved_J[3][3];
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                moved_J[i][j] = J[i][j] + (k ? h : -h) * change[i][j];
        cf_volume_normal(moved_J, axes[2], NULL, &cf_normal_defaults, n[k], NULL);
    }
    for (int i = 0; i < 3; i++)
        worst = fmax(worst, fabs(dn[i] - (n[1][i] - n[0][i]) / (2 * h)));
    ok(!status && worst < 1e-9, "how the normal turns (%.0e)", worst);
}

/* A long box on its edge, its face 4 degrees off the plane. */
static void test_tilted(void)
{
    double tilt = 4 * acos(-1.) / 180, n[3] = {sin(tilt), 0, cos(tilt)}, found[3];
    struct cf_piece box = {.form = cf_form_find("box"), .size_m = {1, 3, 1}};
    struct cf_volume v;

    cf_volume_half_space(&box, n, 0.02, &v,
                         NULL); /* the corner sinks by less than the face is wide */
    int status = cf_volume_normal(v.inertia_m5, n, NULL, &cf_normal_defaults, found, NULL);
    double off = acos(cf_vec_dot(found, n));
    ok(!status && fabs(off / (tilt / 2) - 1) < 0.1,
       "over a tilted box it is the bisector: %.2f of the tilt off the plane's", off / tilt);
}

TEST(volume_ball)
{
    plan(3 * NROW + 3 + 2 + 1 + 3 + 1 + 1);
    for (int i = 0; i < NROW; i++)
        test_row(i);
    test_cap();
    test_unknown();
    test_normal();
    test_untold();
    test_turn();
    test_tilted();
    return done();
}
