/* Two convex polytopes: random tetrahedra against numbers of 60 digits made without clipping
 * (t/reference/make_volume_polytopes.py); boxes whose overlap is known, down to 1e-9 of their size,
 * one inside the other, with faces in one plane, touching by a face, an edge or a vertex; their
 * depth and gap by hand, and against the volume: it is what moves them just apart, or just
 * together.
 */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/volumes.h"
#include "tap.h"
#include "volume/pairs.h"

enum { NINPUT = 24 };

static const size_t three[4] = {3, 3, 3, 3}, out_of[12] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3},
                    into[12] = {0, 1, 2, 0, 3, 1, 1, 3, 2, 2, 3, 0};

static double size_of(const double *const v[4])
{
    double a[3], b[3], c[3];

    for (int k = 0; k < 3; k++) {
        a[k] = v[1][k] - v[0][k];
        b[k] = v[2][k] - v[0][k];
        c[k] = v[3][k] - v[0][k];
    }
    return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
           a[2] * (b[0] * c[1] - b[1] * c[0]);
}

/* Of any four points. */
static struct cf_polytope tetrahedron(const double (*v)[3])
{
    const double *of[4] = {v[0], v[1], v[2], v[3]};

    return (struct cf_polytope){4, 4, v, three, size_of(of) > 0 ? out_of : into};
}

static void compare(const double row[], const double want[NEXPECTED], void *data)
{
    struct cf_polytope i = tetrahedron((const double(*)[3]) row),
                       j = tetrahedron((const double(*)[3])(row + 12));
    struct cf_volume v = {.volume_m3 = NAN};

    cf_volume_polytopes(&i, &j, &v, NULL);
    compare_volumes(&v, want, 1, data);
}

static void test_reference(void)
{
    struct worst_volume worst = {0};

    each_volume_row("volume_polytopes.csv", NINPUT, compare, &worst);
    check_worst(&worst, 40, "pairs of tetrahedra", 1e-12, 1e-12);
}

struct box {
    double vertex_m[8][3];
    struct cf_polytope polytope;
};

static const size_t four[6] = {4, 4, 4, 4, 4, 4}, sides[24] = {0, 4, 6, 2, 1, 3, 7, 5, 0, 1, 5, 4,
                                                               2, 6, 7, 3, 0, 2, 3, 1, 4, 5, 7, 6};

/* Half as wide as `half`, about `centre`, turned by `turn` about `axis` (0, 1, 2). */
static void make_box(struct box *box, double x, double y, double z, const double half[3], int axis,
                     double turn)
{
    int a = (axis + 1) % 3, b = (axis + 2) % 3;

    for (int v = 0; v < 8; v++) {
        double from[3], *p = box->vertex_m[v];
        for (int k = 0; k < 3; k++)
            from[k] = (v >> k & 1) ? half[k] : -half[k];
        p[axis] = from[axis];
        p[a] = cos(turn) * from[a] - sin(turn) * from[b];
        p[b] = sin(turn) * from[a] + cos(turn) * from[b];
        p[0] += x;
        p[1] += y;
        p[2] += z;
    }
    box->polytope = (struct cf_polytope){8, 6, (const double(*)[3]) box->vertex_m, four, sides};
}

static const double one[3] = {1, 1, 1}, flat[3] = {0.5, 0.25, 0.125}, wide[3] = {4, 4, 1};

static void test_boxes(void)
{
    struct box a, b;
    struct cf_volume v;

    make_box(&a, 1.5, 1.25, 1, one, 0, 0);
    make_box(&b, 0, 0, 0, one, 0, 0);
    ok(!cf_polytope_check(&a.polytope, NULL), "a box is a polytope");
    /* 0.5 x 0.75 x 1 about (0.75, 0.625, 0.5) */
    cf_volume_polytopes(&a.polytope, &b.polytope, &v, NULL);
    ok(fabs(v.volume_m3 - 0.375) < 1e-15, "corners of boxes: V");
    ok(fabs(v.centroid_m[0] - 0.75) + fabs(v.centroid_m[1] - 0.625) + fabs(v.centroid_m[2] - 0.5) <
           1e-15,
       "p_c");
    ok(fabs(v.inertia_m5[0][0] - 0.375 * (0.5625 + 1) / 12) < 1e-15 &&
           fabs(v.inertia_m5[0][1]) < 1e-16,
       "J_v");
    ok(fabs(v.volume_by[0] + 0.75) + fabs(v.volume_by[1] + 0.5) + fabs(v.volume_by[2] + 0.375) <
           1e-15,
       "V shrinks by its sections as the box moves off");
    ok(fabs(v.centroid_by[0][0] - 0.5) + fabs(v.centroid_by[1][0]) < 1e-15, "p_c goes half as far");
    ok(isnan(v.centroid_depth_m), "and is below no plane");
}

static void test_inside(void)
{
    struct box a, b;
    struct cf_volume v;

    make_box(&a, 0.25, 0.125, -0.25, flat, 2, 0.3);
    make_box(&b, 0, 0, 0, one, 0, 0);
    cf_volume_polytopes(&a.polytope, &b.polytope, &v, NULL);
    ok(fabs(v.volume_m3 - 0.125) < 1e-15 && v.volume_by[1] == 0, "wholly inside: V is its own");
    ok(fabs(v.centroid_by[1][1] - 1) + fabs(v.centroid_by[1][5] - 0.25) < 1e-14, "p_c goes along");
    cf_volume_polytopes(&b.polytope, &a.polytope, &v, NULL);
    ok(fabs(v.volume_m3 - 0.125) < 1e-15 && fabs(v.volume_by[0]) < 1e-15 &&
           fabs(v.centroid_by[1][5]) < 1e-14,
       "around it: V of the one that rests");
    cf_volume_polytopes(&a.polytope, &a.polytope, &v, NULL);
    ok(fabs(v.volume_m3 - 0.125) < 1e-15, "the same twice");
}

/* A cube in a slab by `depth`, its faces along the slab's or turned: V = 4 depth. */
static void test_thin(void)
{
    struct box a, b;
    struct cf_volume v;
    double worst = 0;

    for (double depth = 1; depth > 1e-9; depth /= 8)
        for (int turned = 0; turned < 2; turned++) {
            make_box(&a, 0.3, -0.2, 2 - depth, one, 2, 0.4 * turned);
            make_box(&b, 0, 0, 0, wide, 0, 0);
            cf_volume_polytopes(&a.polytope, &b.polytope, &v, NULL);
            worst = keep_worst(worst, fabs(v.volume_m3 / (4 * depth) - 1) * depth);
            worst = keep_worst(worst, fabs(v.volume_by[2] / 4 + 1) * depth);
            worst = keep_worst(worst, fabs(v.centroid_m[0] - 0.3) * depth);
            worst = keep_worst(worst, fabs(v.inertia_m5[2][2] / (8 * depth / 3) - 1) * depth);
        }
    ok(worst < 4e-15, "thin slices of a cube, to rounding in its vertices (%.0e m)", worst);
}

static void touches(double x, double y, double z, double gap, const double n[3], const char *name)
{
    struct box a, b;
    struct cf_volume v;
    double got[3], at[3], depth;

    make_box(&a, x, y, z, one, 0, 0);
    make_box(&b, 0, 0, 0, one, 0, 0);
    cf_volume_polytopes(&a.polytope, &b.polytope, &v, NULL);
    depth = cf_polytopes_depth(&a.polytope, &b.polytope, got, at, NULL);
    ok(v.volume_m3 == 0 && v.volume_by[0] == 0 && v.inertia_by[1][1][4] == 0, "%s: V is 0", name);
    ok(fabs(depth + gap) < 1e-15 && !memcmp(at, v.centroid_m, sizeof at), "gap, and p_c there");
    ok(!n || fabs(got[0] - n[0]) + fabs(got[1] - n[1]) + fabs(got[2] - n[2]) < 1e-15, "normal");
}

static void test_touching(void)
{
    static const double up[3] = {0, 0, 1}, edge[3] = {0, 0.6, 0.8},
                        corner[3] = {2. / 3, 1. / 3, 2. / 3};

    touches(0.5, 0, 2, 0, up, "faces touch");
    touches(0, 2, 2, 0, NULL, "edges touch");
    touches(2, 2, 2, 0, NULL, "vertices touch");
    touches(0.5, 0.25, 2.5, 0.5, up, "a gap between faces");
    touches(0.5, 2.75, 3, 1.25, edge, "a gap between edges");
    touches(4, 3, 4, 3, corner, "a gap between vertices");
}

static void meets(const struct box *a, const struct box *b, double x, double y, double z,
                  const char *name)
{
    double n[3], at[3];

    cf_polytopes_depth(&a->polytope, &b->polytope, n, at, NULL);
    ok(fabs(at[0] - x) + fabs(at[1] - y) + fabs(at[2] - z) < 1e-14, "%s: (%g, %g, %g)", name, at[0],
       at[1], at[2]);
}

/* Where faces or edges are parallel: the middle of what they share, on body i's. */
static void test_middle(void)
{
    const double quarter = atan(1.), root = sqrt(2.);
    struct box a, b;

    make_box(&b, 0, 0, 0, one, 0, 0);
    make_box(&a, 0.5, 0.25, 1.9, one, 0, 0);
    meets(&a, &b, 0.25, 0.125, 0.9, "cubes on each other by 0.1 m, one over an edge");
    make_box(&a, 0.5, 0.25, 2.5, one, 0, 0);
    meets(&a, &b, 0.25, 0.125, 1.5, "apart");
    make_box(&a, 0.2, -0.1, 1.6, flat, 0, 0);
    make_box(&b, 0, 0, 0, one, 0, 0);
    meets(&b, &a, 0.2, -0.1, 1, "a small one over the middle of a face");
    make_box(&a, 0, 0, 1.5, one, 2, quarter);
    meets(&a, &b, 0, 0, 0.5, "turned by 45 deg: the corners of an octagon");
    make_box(&a, 0.5, 0.25, 1 + root, one, 0, quarter);
    meets(&a, &b, 0.25, 0.25, 1, "an edge on a face, of which it juts out");
    make_box(&a, 0.5, 2.75, 3, one, 0, 0);
    meets(&a, &b, 0.25, 1.75, 2, "parallel edges apart");
    make_box(&b, 0, 0, 0, one, 0, quarter);
    make_box(&a, 0.5, 0, 1.9 + root, one, 0, 0);
    meets(&a, &b, 0.25, 0, 0.9 + root, "a face on an edge");
}

/* Two cubes on edge, one across the other: edge on edge, sqrt 2 from either centre. */
static void test_crossed(void)
{
    static const double shift[2] = {-0.1, 0.25};
    const double quarter = atan(1.);

    for (int k = 0; k < 2; k++) {
        struct box a, b;
        double n[3], at[3], by[CF_TWIST], depth;
        make_box(&a, 0.3, 0.1, 2 * sqrt(2.) + shift[k], one, 0, quarter);
        make_box(&b, 0, 0, 0, one, 1, quarter);
        depth = cf_polytopes_depth(&a.polytope, &b.polytope, n, at, by);
        ok(fabs(depth + shift[k]) < 1e-14 && fabs(n[2] - 1) < 1e-14, "crossed edges: depth %g",
           -shift[k]);
        ok(fabs(at[0]) + fabs(at[1] - 0.1) + fabs(at[2] - sqrt(2.) - shift[k]) < 1e-14,
           "at the crossing");
        ok(fabs(by[2] + 1) + fabs(by[3] + 0.1) + fabs(by[4]) < 1e-14, "derivatives");
    }
}

struct drawn {
    double i[4][3], j[4][3];
};

/* Turned about two axes, so that nothing is along those of the call. */
static void turn(size_t n, double (*vertex_m)[3], double by)
{
    for (size_t v = 0; v < n; v++)
        for (int axis = 0; axis < 2; axis++) {
            double *a = &vertex_m[v][(axis + 1) % 3], *b = &vertex_m[v][(axis + 2) % 3];
            double was = *a;
            *a = cos(by) * was - sin(by) * *b;
            *b = sin(by) * was + cos(by) * *b;
        }
}

/* Cubes of one attitude, whose faces coincide but for rounding: what they have in common is a box
 * of 0, 1 or 2 by each axis. */
static void test_coincident(void)
{
    double worst[2] = {0, 0};

    for (int place = 0; place < 125; place++)
        for (int attitude = 1; attitude < 20; attitude++) {
            int x = place % 5 - 2, y = place / 5 % 5 - 2, z = place / 25 - 2;
            double lx = 2 - abs(x), ly = 2 - abs(y), lz = 2 - abs(z), V = lx * ly * lz;
            struct cf_volume v;
            struct box a, b;
            make_box(&a, x, y, z, one, 0, 0);
            make_box(&b, 0, 0, 0, one, 0, 0);
            turn(8, a.vertex_m, 0.37 * attitude);
            turn(8, b.vertex_m, 0.37 * attitude);
            cf_volume_polytopes(&a.polytope, &b.polytope, &v, NULL);
            worst[0] = keep_worst(worst[0], fabs(v.volume_m3 - V));
            worst[1] = keep_worst(worst[1],
                                  fabs(v.inertia_m5[0][0] + v.inertia_m5[1][1] +
                                       v.inertia_m5[2][2] - V * (lx * lx + ly * ly + lz * lz) / 6));
        }
    ok(worst[0] < 2e-14, "V of cubes whose faces coincide (%.0e)", worst[0]);
    ok(worst[1] < 6e-14, "and the trace of J_v (%.0e)", worst[1]);
}

/* Ridges of tetrahedra one over the other, which cross at an angle down to 1e-14. */
static void test_nearly_parallel(void)
{
    double worst = 0;

    for (double gap = 0.1; gap > 1e-7; gap *= 1e-3)
        for (double angle = 0.1; angle > 1e-14; angle /= 10) {
            double c = cos(angle), s = sin(angle), n[3], at[3];
            double i[4][3] = {{-1, 0, gap}, {1.3, 0, gap}, {0.1, 1, 1}, {0.2, -1, 1.2}};
            double j[4][3] = {
                {-0.9 * c, -0.9 * s, 0}, {1.1 * c, 1.1 * s, 0}, {0, -1, -1}, {0.1, 1, -1}};
            struct cf_polytope of_i, of_j;
            turn(4, i, 0.7);
            turn(4, j, 0.7);
            of_i = tetrahedron(i);
            of_j = tetrahedron(j);
            worst = keep_worst(worst, fabs(cf_polytopes_depth(&of_i, &of_j, n, at, NULL) + gap));
        }
    ok(worst < 2e-15, "gaps of edges that are nearly parallel (%.0e m)", worst);
}

static double uniform(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state / 2147483648. - 1;
}

static void draw(struct drawn *pair, unsigned *state)
{
    for (int v = 0; v < 4; v++)
        for (int k = 0; k < 3; k++) {
            pair->i[v][k] = uniform(state) + (k == 0 ? 0.9 : 0);
            pair->j[v][k] = uniform(state);
        }
}

static struct drawn moved(const struct drawn *pair, const double by[3], double way)
{
    struct drawn out = *pair;

    for (int v = 0; v < 4; v++)
        for (int k = 0; k < 3; k++)
            out.i[v][k] += way * by[k];
    return out;
}

static double depth_of(const struct drawn *pair, double n[3], double at[3], double by[CF_TWIST])
{
    struct cf_polytope i = tetrahedron(pair->i), j = tetrahedron(pair->j);

    return cf_polytopes_depth(&i, &j, n, at, by);
}

static bool overlap(struct drawn pair)
{
    struct cf_polytope i = tetrahedron(pair.i), j = tetrahedron(pair.j);
    struct cf_volume v;

    cf_volume_polytopes(&i, &j, &v, NULL);
    return v.volume_m3 > 0;
}

static double difference(const struct drawn *pair, int t)
{
    double value[2], n[3], at[3];

    for (int s = 0; s < 2; s++) {
        struct drawn other = *pair;
        double h = s ? 1e-6 : -1e-6;
        int a = (t + 1) % 3, b = (t + 2) % 3;
        for (int v = 0; v < 4; v++) {
            const double *p = pair->i[v];
            if (t < 3) {
                other.i[v][t] += h;
                continue;
            }
            other.i[v][a] = cos(h) * p[a] - sin(h) * p[b];
            other.i[v][b] = sin(h) * p[a] + cos(h) * p[b];
        }
        value[s] = depth_of(&other, n, at, NULL);
    }
    return (value[1] - value[0]) / 2e-6;
}

/* By its barycentric coordinates. */
static bool holds(double v[4][3], const double point[3])
{
    const double *of[4] = {v[0], v[1], v[2], v[3]};
    double whole = size_of(of);
    bool in = true;

    for (int k = 0; k < 4; k++) {
        of[k] = point;
        in = in && size_of(of) / whole > -1e-11;
        of[k] = v[k];
    }
    return in;
}

/* Of 40 ways none is shorter. */
static bool is_least(const struct drawn *pair, double depth, unsigned *state)
{
    bool least = true;

    for (int k = 0; k < 40; k++) {
        double way[3] = {uniform(state), uniform(state), uniform(state)};
        double length = sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]);
        least = least && overlap(moved(pair, way, 0.999 * fabs(depth) / length)) == (depth > 0);
    }
    return least;
}

static void test_random(void)
{
    bool apart = true, together = true, touch = true, least = true;
    unsigned state = 7;
    double off = 0;
    int deep = 0;

    for (int k = 0; k < 300; k++) {
        struct drawn pair;
        double n[3], at[3], under[3], by[CF_TWIST], depth;
        draw(&pair, &state);
        depth = depth_of(&pair, n, at, by);
        deep += depth > 0;
        apart = apart && !overlap(moved(&pair, n, depth + 1e-6));
        together = together && (depth < 0 || overlap(moved(&pair, n, depth - 1e-4)));
        for (int x = 0; x < 3; x++)
            under[x] = at[x] + depth * n[x];
        touch = touch && holds(pair.i, at) && holds(pair.j, under);
        least = least && is_least(&pair, depth, &state);
        for (int t = 0; t < CF_TWIST; t++)
            off = keep_worst(off, fabs(difference(&pair, t) - by[t]));
    }
    ok(deep > 60 && deep < 240, "%d of 300 random pairs overlap", deep);
    ok(apart, "moved by their depth they are apart");
    ok(together, "by less they overlap");
    ok(touch, "the deepest points are of the bodies, and as far apart");
    ok(least, "and no other way is shorter");
    ok(off < 1e-6, "derivatives of depth and gap against differences (%.0e)", off);
}

TEST(volume_polytopes)
{
    plan(2 + 7 + 4 + 1 + 18 + 7 + 6 + 3 + 6);
    test_reference();
    test_boxes();
    test_inside();
    test_thin();
    test_touching();
    test_middle();
    test_crossed();
    test_coincident();
    test_nearly_parallel();
    test_random();
    return done();
}
