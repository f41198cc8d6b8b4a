/* Implicit primitives of every kind, holes among them, thrown together along the axes and askew,
 * with surfaces that touch and coincide: V with one error against V with another, the sign of the
 * depth against V, nothing that is no number; and the same bodies in other lengths and far from the
 * origin.
 */

#include <gsl/gsl_math.h>
#include <string.h>

#include "geometry/vector.h"
#include "lib/poses.h"
#include "lib/volumes.h"
#include "tap.h"
#include "volume/implicit.h"
#include "volume/leaf.h"

enum { MOST = 3, PAIRS = 600, FEW = 250 };

static int one_of(unsigned long *seed, int n)
{
    return (int) floor((next_number(seed) + 1) / 2 * n);
}

/* Places and sizes are eighths and quarters of a metre, so that surfaces meet. */
static struct cf_implicit throw(unsigned long *seed)
{
    static const double sizes[3] = {0.25, 0.5, 1};
    double axis[4][3][3] = {{{0, 1, 0}, {0, 0, 1}, {1, 0, 0}},
                            {{-1, 0, 0}, {0, 1, 0}, {0, 0, -1}},
                            {{1, 0, 0}, {0, .6, .8}, {0, -.8, .6}},
                            {{.36, .48, -.8}, {-.8, .6, 0}, {.48, .64, .6}}};
    struct cf_implicit p = {.row = cf_primitives[one_of(seed, 9)]};

    for (size_t k = 0; k < p.row->nsize; k++)
        p.size[k] = strcmp(p.row->name, "endless-cone") == 0 ? 0.5 : sizes[one_of(seed, 3)];
    memcpy(p.axis, axis[one_of(seed, 4)], sizeof p.axis);
    for (int k = 0; k < 3; k++)
        p.origin_m[k] = (one_of(seed, 5) - 2) * 0.125;
    return p;
}

static size_t throw_body(unsigned long *seed, struct cf_implicit body[MOST])
{
    size_t n = 1 + (size_t) one_of(seed, MOST);

    for (size_t k = 0; k < n; k++) {
        body[k] = throw(seed);
        body[k].hole = k > 0 && one_of(seed, 2);
    }
    return n;
}

/* What came of the pairs. */
struct tally {
    int measured, empty, refused, off, sign, no_number;
    double ratio; /* the greatest, of a difference and the errors that were told */
};

static int holes_of(const struct cf_implicit body[], size_t n)
{
    int count = 0;

    for (size_t k = 0; k < n; k++)
        count += body[k].hole;
    return count;
}

static void one_pair(unsigned long *seed, struct tally *tally)
{
    struct cf_octree_options coarse = cf_octree_defaults(), fine = coarse;
    struct cf_implicit i[MOST], j[MOST];
    struct cf_octree_volume a, b;
    struct cf_implicit_touch t;
    struct cf_error err = {""};
    size_t ni = throw_body(seed, i), nj = throw_body(seed, j);
    double V, ratio;

    coarse.error_relative = 1e-2;
    coarse.error_m3 = 1e-6; /* where holes leave next to nothing */
    fine.error_relative = 1e-4;
    fine.error_m3 = 1e-8;
    if (cf_volume_implicit(i, ni, j, nj, &coarse, &a, &err)) {
        tally->refused++;
        tally->off += strcmp(err.text, "the overlap of two bodies has no end") != 0;
        return;
    }
    V = a.volume.volume_m3;
    tally->measured += V > 0;
    tally->empty += V == 0;
    tally->off += cf_volume_implicit(i, ni, j, nj, &fine, &b, NULL) != CF_OK;
    ratio = fabs(V - b.volume.volume_m3) / (a.error_m3 + b.error_m3 + 1e-15);
    tally->ratio = keep_worst(tally->ratio, ratio);
    for (int k = 0; k < CF_TWIST; k++)
        tally->no_number +=
            !isfinite(a.volume.volume_by[k]) || !isfinite(a.volume.inertia_by[0][1][k]);
    if (cf_implicit_depth(i, ni, j, nj, &t, &err))
        tally->off += strstr(err.text, "no end") == NULL && strstr(err.text, "in common") == NULL;
    else
        tally->sign +=
            t.depth_m > 1e-9 && b.volume.volume_m3 == 0 && holes_of(i, ni) + holes_of(j, nj) < 2;
}

/* Of few pairs; of all by CHECK_FULL. */
static void test_pairs(void)
{
    struct tally t = {0};
    unsigned long seed = 21;
    int pairs = is_full_check() ? PAIRS : FEW;

    for (int k = 0; k < pairs; k++)
        one_pair(&seed, &t);
    ok(t.measured > pairs / 3 && t.empty > 0 && t.refused > 0 && t.refused < pairs / 10,
       "%d pairs overlap, %d do not, %d have no end", t.measured, t.empty, t.refused);
    ok(t.off == 0, "none fails otherwise");
    ok(t.ratio < 2, "V is as good as it says, or half as good: %.2f", t.ratio);
    ok(t.sign == 0 && t.no_number == 0,
       "none with one hole is deep without a V, all derivatives are numbers");
}

/* A box that is said to be out of a surface, or in it, is so at all of a lattice of its points. */
static void test_boxes(void)
{
    unsigned long seed = 5;
    int wrong = 0, said[3] = {0};

    for (int k = 0; k < 20000; k++) {
        struct cf_octree tree = {.nsurface = 1, .leaf = CF_LEAF_CURVED};
        struct cf_octree_box box = {.cut = 1};
        struct cf_implicit p = throw(&seed);
        struct cf_conic conic[CF_MAX_SURFACES];
        double half = 0.3 * (1 + next_number(&seed));
        enum cf_content content;
        p.row->surfaces(p.size, conic);
        tree.surface[0] =
            (struct cf_octree_surface){.quadric = cf_conic_quadric(&conic[0]), .hole = -1};
        for (int i = 0; i < 3; i++)
            box.centre[i] = next_number(&seed);
        content = cf_octree_look(&tree, &box, half);
        said[content]++;
        for (int c = 0; c < 125 && content != CF_BOX_CUT; c++) {
            const int at[3] = {c % 5, c / 5 % 5, c / 25};
            double x[3], q;
            for (int i = 0; i < 3; i++)
                x[i] = box.centre[i] + (at[i] - 2) * half / 2;
            q = cf_quadric_value(&tree.surface[0].quadric, x);
            wrong += content == CF_BOX_OUT ? q < -1e-12 : q > 1e-12;
        }
    }
    ok(wrong == 0, "boxes are where they are said to be");
    ok(said[CF_BOX_OUT] > 5000 && said[CF_BOX_IN] > 2000,
       "%d out of, %d in, %d perhaps cut by their surface", said[CF_BOX_OUT], said[CF_BOX_IN],
       said[CF_BOX_CUT]);
}

/* In micrometres, in kilometres, and a thousand lengths away: V/L^3, depth/L and their slopes. */
static void test_lengths(void)
{
    struct cf_octree_options options = cf_octree_defaults();
    struct cf_octree_volume v, first;
    struct cf_implicit_touch t, at_first = {.depth_m = NAN};
    double off = 0, deep = 0;
    bool same = true;

    for (int k = 0; k < 10; k++) {
        double L = pow(10, k / 2 * 3 - 6), away = k % 2 ? 1000 * L : 0;
        struct cf_implicit i = primitive("cylinder", 0.3 * L, 0.5 * L, 0),
                           j = primitive("cone", 0.4 * L, 0.6 * L, 0);
        const double axis[3][3] = {{0, 0, 1}, {0.6, 0.8, 0}, {-0.8, 0.6, 0}};
        memcpy(i.axis, axis, sizeof i.axis);
        i.origin_m[0] = away;
        j.origin_m[0] = away + 0.2 * L;
        cf_volume_implicit(&i, 1, &j, 1, &options, &v, NULL);
        cf_implicit_depth(&i, 1, &j, 1, &t, NULL);
        if (k == 0) {
            first = v;
            at_first = t;
        }
        off = keep_worst(
            off, fabs(v.volume.volume_m3 / (L * L * L) / (first.volume.volume_m3 * 1e18) - 1));
        off = keep_worst(
            off, fabs(v.volume.volume_by[0] / (L * L) / (first.volume.volume_by[0] * 1e12) - 1));
        deep = keep_worst(deep, fabs(t.depth_m / L - at_first.depth_m * 1e6));
        same = same && v.ncell == first.ncell;
    }
    ok(off < 1e-9 && same, "V and its derivatives go with the lengths, by the same tree: %.0e",
       off);
    ok(deep < 1e-11, "and the depth: %.0e", deep);
}

/* Tips and tops by closed forms: d deep in the half-space under z = 0. */
static void test_tops(void)
{
    static const double d = 0.1, turned[3][3] = {{1, 0, 0}, {0, -1, 0}, {0, 0, -1}};
    const double pi = acos(-1.);
    const struct {
        struct cf_implicit top; /* up along z */
        double high;            /* its top over its origin */
        double volume, centroid;
    } row[] = {
        {primitive("paraboloid", 0.3, 0, 0), 0, pi * 0.3 * d * d, 2 * d / 3},
        {primitive("endless-cone", 0.4, 0, 0), 0, pi / 3 * d * d * d * pow(tan(0.4), 2), 3 * d / 4},
        {primitive("ellipsoid", 0.2, 0.3, 0.5), 0.5, pi * 0.2 * 0.3 * 0.5 * 0.04 * (1 - 0.2 / 3),
         0.5 * 0.2 * (2. / 3 - 0.05) / (1 - 0.2 / 3)},
        {primitive("endless-cylinder", 0.2, 0, 0), NAN, 0, 0},
    };

    for (int k = 0; k < 4; k++) {
        struct cf_octree_options options = cf_octree_defaults();
        struct cf_implicit body = row[k].top, plane = primitive("half-space", 0, 0, 0);
        struct cf_octree_volume v;
        struct cf_implicit_touch t;
        int status;
        if (isnan(row[k].high)) {
            ok(cf_volume_implicit(&body, 1, &plane, 1, &options, &v, NULL) == CF_ERANGE,
               "an endless cylinder has none");
            continue;
        }
        memcpy(body.axis, turned, sizeof body.axis);
        body.origin_m[2] = row[k].high - d;
        options.error_relative = 1e-6;
        status = cf_volume_implicit(&body, 1, &plane, 1, &options, &v, NULL);
        ok(!status && fabs(v.volume.volume_m3 / row[k].volume - 1) < 2e-6 &&
               fabs(v.volume.centroid_m[2] + d - row[k].centroid) < 1e-6,
           "%s: V to %.0e, p_c %.6f m over the top", body.row->name,
           v.volume.volume_m3 / row[k].volume - 1, v.volume.centroid_m[2] + d);
        ok(!cf_implicit_depth(&body, 1, &plane, 1, &t, NULL) && fabs(t.depth_m - d) < 1e-11 &&
               !t.in_hole,
           "and its depth");
    }
}

/* Flat slices of a ring that lies as it will, thin down to rounding: V = pi (R^2 - r^2) d. */
static void test_thin(void)
{
    const double turned[3][3] = {{.6, 0, -.8}, {0, 1, 0}, {.8, 0, .6}};
    struct cf_octree_options options = cf_octree_defaults();
    double worst = 0, d;

    for (int k = 2; k <= 21; k++) {
        struct cf_implicit ring[2] = {primitive("cylinder", 1, 1, 0),
                                      primitive("endless-cylinder", 0.6, 0, 0)},
                           plane = primitive("half-space", 0, 0, 0);
        struct cf_octree_volume v = {.error_m3 = NAN};
        d = pow(10, -0.5 * k);
        ring[1].hole = true;
        memcpy(ring[0].axis, turned, sizeof turned);
        memcpy(ring[1].axis, turned, sizeof turned);
        memcpy(plane.axis, turned, sizeof turned);
        cf_vec_scale(d - 0.5, turned[2], plane.origin_m);
        if (cf_volume_implicit(ring, 2, &plane, 1, &options, &v, NULL))
            worst = NAN;
        worst = keep_worst(worst, fabs(v.volume.volume_m3 / (M_PI * 0.64 * d) - 1));
    }
    ok(worst < 2e-5, "a ring's slices down to %.0e of its radius: V to %.0e", d, worst);
}

/* Without an end; and with a hole that ends where the body does, in the middle of its face. */
static void test_odd(void)
{
    struct cf_octree_options options = cf_octree_defaults();
    struct cf_implicit bowl[2] = {primitive("half-space", 0, 0, 0),
                                  primitive("paraboloid", 0.25, 0, 0)},
                       block[2] = {primitive("box", 1, 1, 1), primitive("box", 0.4, 0.4, 0.2)},
                       plane = primitive("half-space", 0, 0, 0);
    const double across[3][3] = {{0, 1, 0}, {0, 0, 1}, {1, 0, 0}};
    struct cf_implicit_touch t;
    int status;

    memcpy(bowl[0].axis, across, sizeof across);
    bowl[1].origin_m[2] = 0.1;
    status = cf_implicit_depth(bowl, 2, block, 1, &t, NULL);
    ok(!status && t.depth_m > 0.4 && t.depth_m < 0.51,
       "half a paraboloid without an end in a box: %.3f m", t.depth_m);
    block[1].hole = true;
    block[1].origin_m[2] = -0.4;
    plane.origin_m[2] = -0.45;
    ok(!cf_implicit_depth(block, 2, &plane, 1, &t, NULL) && !t.in_hole &&
           fabs(t.depth_m - 0.05) < 1e-11,
       "a hole in the middle of the face that is deepest: its depth");
}

/* A hole that is all that its primitive is, or all but a skin. */
static void test_skin(void)
{
    struct cf_implicit body[2] = {primitive("sphere", 0.3, 0, 0), primitive("sphere", 0.3, 0, 0)};
    struct cf_error err = {""};

    body[1].hole = true;
    ok(cf_implicit_check(body, 2, true, &err) == CF_ERANGE, "a hole as large as its sphere");
    is_str(err.text, "body: its holes leave nothing of it", "in these words");
    body[1].size[0] = 0.3 * (1 - 1e-3);
    ok(!cf_implicit_check(body, 2, true, &err), "a skin of a thousandth of the radius is left");
}

TEST(volume_implicit_mixed)
{
    plan(4 + 2 + 2 + 7 + 1 + 2 + 3);
    test_pairs();
    test_boxes();
    test_lengths();
    test_thin();
    test_tops();
    test_odd();
    test_skin();
    return done();
}
