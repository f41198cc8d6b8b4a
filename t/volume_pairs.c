/* Two spheres: their lens and its derivatives against numbers of 90 digits
 * (t/reference/make_volume_pairs.py) from depths of 1e-9 of the smaller radius to where it is all
 * but inside the other; the limit of a half-space; equal spheres; the event; what is refused.
 */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/vector.h"
#include "tap.h"
#include "volume/pairs.h"

enum { NINPUT = 9, NMETRIC = 10, NNUMBER = NINPUT + NMETRIC * (1 + CF_TWIST) };

/* Columns. */
enum { RADIUS_I, RADIUS_J, CENTRE, N = 5, DEPTH = 8 };

struct worst {
    int rows;
    double of[3], by[3]; /* V, p_c, J */
};

static double keep(double most, double d)
{
    return d <= most ? most : d; /* a NaN stays */
}

static int kind(int metric)
{
    return metric == 0 ? 0 : metric < 4 ? 1 : 2;
}

static const int entry[6][2] = {{0, 0}, {1, 1}, {2, 2}, {1, 2}, {2, 0}, {0, 1}};

static void metrics_of(const struct cf_volume *v, double out[1 + CF_TWIST][NMETRIC])
{
    out[0][0] = v->volume_m3;
    memcpy(out[0] + 1, v->centroid_m, sizeof v->centroid_m);
    for (int e = 0; e < 6; e++)
        out[0][4 + e] = v->inertia_m5[entry[e][0]][entry[e][1]];
    for (int t = 0; t < CF_TWIST; t++) {
        out[1 + t][0] = v->volume_by[t];
        for (int i = 0; i < 3; i++)
            out[1 + t][1 + i] = v->centroid_by[i][t];
        for (int e = 0; e < 6; e++)
            out[1 + t][4 + e] = v->inertia_by[entry[e][0]][entry[e][1]][t];
    }
}

/* V and J relative to their largest, p_c to the frame's 0.3 m; derivatives to the largest. */
static void compare(const double row[NNUMBER], struct worst *worst)
{
    double got[1 + CF_TWIST][NMETRIC], size[2][3] = {{0, 0.3, 0}, {0}}, off[2][3] = {{0}};
    const double *want = row + NINPUT;
    struct cf_volume v;

    worst->rows++;
    if (cf_volume_spheres(row[RADIUS_I], row[RADIUS_J], row + CENTRE, row + N, row[DEPTH], &v,
                          NULL)) {
        worst->of[0] = INFINITY;
        return;
    }
    metrics_of(&v, got);
    for (int t = 0; t <= CF_TWIST; t++)
        for (int m = 0; m < NMETRIC; m++) {
            size[t > 0][kind(m)] = fmax(size[t > 0][kind(m)], fabs(want[t * NMETRIC + m]));
            off[t > 0][kind(m)] =
                keep(off[t > 0][kind(m)], fabs(got[t][m] - want[t * NMETRIC + m]));
        }
    for (int k = 0; k < 3; k++) {
        worst->of[k] = keep(worst->of[k], off[0][k] / size[0][k]);
        worst->by[k] = keep(worst->by[k], off[1][k] / size[1][k]);
    }
}

static bool read_row(const char *line, double row[NNUMBER])
{
    for (int i = 0; i < NNUMBER; i++) {
        char *end;
        row[i] = strtod(line, &end);
        if (end == line || *end != (i + 1 < NNUMBER ? ',' : '\n'))
            return false;
        line = end + 1;
    }
    return true;
}

static void test_reference(void)
{
    const char *srcdir = getenv("srcdir");
    char path[1000], line[4000];
    struct worst worst[2] = {{0}};
    double row[NNUMBER];
    FILE *in;

    snprintf(path, sizeof path, "%s/t/reference/volume_pairs.csv", srcdir ? srcdir : ".");
    in = fopen(path, "r");
    while (in && fgets(line, sizeof line, in))
        if (read_row(line, row))
            compare(row, &worst[row[DEPTH] < 1e-4 * fmin(row[RADIUS_I], row[RADIUS_J])]);
    if (in)
        fclose(in);
    for (int thin = 0; thin < 2; thin++) {
        const struct worst *w = &worst[thin];
        const char *name = thin ? "thin" : "deep";
        ok(w->rows == (thin ? 24 : 48) && w->of[0] < 1e-13 && w->of[1] < 1e-13 && w->of[2] < 1e-13,
           "%d %s lenses: V to %.0e, p_c to %.0e, J to %.0e", w->rows, name, w->of[0], w->of[1],
           w->of[2]);
        ok(w->rows && w->by[0] < 1e-12 && w->by[1] < 1e-12 && w->by[2] < 1e-12,
           "%s: derivatives of V to %.0e, of p_c to %.0e, of J to %.0e", name, w->by[0], w->by[1],
           w->by[2]);
    }
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
    metrics_of(&a, lens);
    metrics_of(&b, slice);
    for (int t = 0; t <= CF_TWIST; t++)
        for (int m = 0; m < NMETRIC; m++)
            off = keep(off, fabs(lens[t][m] - slice[t][m]));
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

int main(void)
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
