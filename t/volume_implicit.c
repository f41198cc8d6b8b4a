/* Volumes of interference of implicit primitives by the octree, against the exact ones of a
 * half-space, two spheres, a sphere with a tube, a bore and an edge, and two boxes, in one pose
 * after another, oblique to the lattice, from 0.8 of the body deep to 1e-6 of it; the error that it
 * tells; how the error falls with the leaf; holes by subtraction; derivatives by differences; what
 * is refused.
 */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "geometry/vector.h"
#include "lib/poses.h"
#include "lib/volumes.h"
#include "tap.h"
#include "volume/implicit.h"
#include "volume/pairs.h"

enum { MOST = 4, POSES = 24, FEW = 8 };

/* Two bodies and what is known of them. */
struct pair {
    struct cf_implicit i[MOST], j[MOST];
    size_t ni, nj;
    struct cf_volume exact;
};

/* The pair in another frame. */
static void moved(struct pair *pair, unsigned long *seed)
{
    double axis[3][3], origin[3];
    struct cf_volume before = pair->exact;

    next_rotation(seed, axis);
    for (int k = 0; k < 3; k++)
        origin[k] = next_number(seed);
    for (size_t k = 0; k < pair->ni; k++)
        primitive_seen(&pair->i[k], axis, origin);
    for (size_t k = 0; k < pair->nj; k++)
        primitive_seen(&pair->j[k], axis, origin);
    volume_seen(&before, axis, origin, &pair->exact);
}

/* A half-space that a form at the origin is depth_m deep in, its normal at random. */
static struct cf_implicit under(const struct cf_piece *piece, double depth_m, unsigned long *seed,
                                double n[3])
{
    struct cf_implicit p = primitive("half-space", 0, 0, 0);

    next_rotation(seed, p.axis);
    memcpy(n, p.axis[2], sizeof p.axis[2]);
    cf_vec_scale(depth_m - cf_half_space_depth(piece, n, 0, NULL), n, p.origin_m);
    return p;
}

static void form_and_plane(const char *name, double depth, unsigned long *seed, struct pair *pair)
{
    double n[3];
    struct cf_piece piece = {.form = cf_form_find(name), .size_m = {0.37, 0.52, 0.41}};

    *pair = (struct pair){.ni = 1, .nj = 1};
    pair->i[0] = primitive(name, 0.37, 0.52, 0.41);
    pair->j[0] = under(&piece, depth * 0.37, seed, n);
    cf_volume_half_space(&piece, n, depth * 0.37, &pair->exact, NULL);
}

static void sphere_plane(double depth, unsigned long *seed, struct pair *pair)
{
    form_and_plane("sphere", depth, seed, pair);
}

static void box_plane(double depth, unsigned long *seed, struct pair *pair)
{
    form_and_plane("box", depth, seed, pair);
}

static void cylinder_plane(double depth, unsigned long *seed, struct pair *pair)
{
    form_and_plane("cylinder", depth, seed, pair);
}

static void cone_plane(double depth, unsigned long *seed, struct pair *pair)
{
    form_and_plane("cone", depth, seed, pair);
}

/* Of body i half as large, 0.3 m, as body j where that is one. */
static void spheres(double depth, unsigned long *seed, struct pair *pair)
{
    static const double centre[3] = {0.1, -0.2, 0.3}, n[3] = {2. / 7, -3. / 7, 6. / 7};

    (void) seed;
    *pair = (struct pair){.ni = 1, .nj = 1};
    pair->i[0] = primitive("sphere", 0.3, 0, 0);
    pair->j[0] = primitive("sphere", 0.6, 0, 0);
    memcpy(pair->i[0].origin_m, centre, sizeof centre);
    cf_vec_add_scaled(centre, 0.3 * depth - 0.9, n, pair->j[0].origin_m);
    cf_volume_spheres(0.3, 0.6, centre, n, 0.3 * depth, &pair->exact, NULL);
}

static void rod(double depth, unsigned long *seed, struct pair *pair)
{
    static const double centre[3] = {0.1, -0.2, 0.3}, n[3] = {0.6, 0.8, 0};
    struct cf_tube tube = {.radius_m = 0.5, .axis = {0, 0, 1}};

    (void) seed;
    *pair = (struct pair){.ni = 1, .nj = 1};
    pair->i[0] = primitive("sphere", 0.3, 0, 0);
    pair->j[0] = primitive("endless-cylinder", 0.5, 0, 0);
    memcpy(pair->i[0].origin_m, centre, sizeof centre);
    cf_vec_add_scaled(centre, 0.3 * depth - 0.8, n, pair->j[0].origin_m);
    cf_volume_tube(&tube, 0.3, centre, n, 0.3 * depth, &pair->exact, NULL);
}

/* A bore in a box that ends far from the sphere. */
static void bore(double depth, unsigned long *seed, struct pair *pair)
{
    static const double centre[3] = {0.1, -0.2, 0.3}, n[3] = {0.6, 0.8, 0};
    struct cf_tube tube = {.radius_m = 0.5, .axis = {0, 0, 1}, .hollow = true};

    (void) seed;
    *pair = (struct pair){.ni = 1, .nj = 2};
    pair->i[0] = primitive("sphere", 0.3, 0, 0);
    pair->j[0] = primitive("box", 3, 3, 3);
    pair->j[1] = primitive("endless-cylinder", 0.5, 0, 0);
    pair->j[1].hole = true;
    memcpy(pair->i[0].origin_m, centre, sizeof centre);
    cf_vec_add_scaled(centre, 0.2 + 0.3 * depth, n, pair->j[1].origin_m);
    cf_volume_tube(&tube, 0.3, centre, n, 0.3 * depth, &pair->exact, NULL);
}

/* An edge of 1.1 rad between two planes. */
static void edge(double depth, unsigned long *seed, struct pair *pair)
{
    static const double at[2] = {0.3, 2.3};
    double centre[3] = {0, 0, 0};
    struct cf_wedge wedge = {.point_m = {0, 0, 0}};
    struct cf_wedge_touch touch;

    (void) seed;
    *pair = (struct pair){.ni = 1, .nj = 2};
    pair->i[0] = primitive("sphere", 0.3, 0, 0);
    for (int k = 0; k < 2; k++) {
        double c = cos(at[k]), s = sin(at[k]);
        double axis[3][3] = {{-s, c, 0}, {0, 0, 1}, {c, s, 0}};
        pair->j[k] = primitive("half-space", 0, 0, 0);
        memcpy(pair->j[k].axis, axis, sizeof axis);
        memcpy(wedge.normal[k], axis[2], sizeof axis[2]);
    }
    centre[0] = (0.3 - 0.3 * depth) * cos(1.2);
    centre[1] = (0.3 - 0.3 * depth) * sin(1.2);
    memcpy(pair->i[0].origin_m, centre, sizeof centre);
    cf_wedge_depth(&wedge, 0.3, centre, &touch, NULL);
    cf_volume_wedge(&wedge, 0.3, centre, &touch, &pair->exact, NULL);
}

static void corners_of(const struct cf_implicit *box, double vertex[8][3])
{
    for (int v = 0; v < 8; v++) {
        memcpy(vertex[v], box->origin_m, sizeof vertex[v]);
        for (int k = 0; k < 3; k++)
            cf_vec_add_scaled(vertex[v], ((v >> k & 1) - 0.5) * box->size[k], box->axis[k],
                              vertex[v]);
    }
}

static void boxes(double depth, unsigned long *seed, struct pair *pair)
{
    static const size_t four[6] = {4, 4, 4, 4, 4, 4},
                        loops[24] = {1, 3, 7, 5, 0, 4, 6, 2, 2, 6, 7, 3,
                                     0, 1, 5, 4, 4, 5, 7, 6, 0, 2, 3, 1};
    double vertex[2][8][3], n[3], at[3], apart;
    struct cf_polytope body[2];

    *pair = (struct pair){.ni = 1, .nj = 1};
    pair->i[0] = primitive("box", 0.37, 0.52, 0.41);
    pair->j[0] = primitive("box", 0.6, 0.3, 0.5);
    next_rotation(seed, pair->i[0].axis);
    pair->i[0].origin_m[0] = 1;
    for (int k = 0; k < 2; k++)
        body[k] = (struct cf_polytope){8, 6, (const double(*)[3]) vertex[k], four, loops};
    corners_of(&pair->j[0], vertex[1]);
    corners_of(&pair->i[0], vertex[0]);
    apart = cf_polytopes_depth(&body[0], &body[1], n, at, NULL);
    cf_vec_add_scaled(pair->i[0].origin_m, apart - 0.37 * depth, n, pair->i[0].origin_m);
    corners_of(&pair->i[0], vertex[0]);
    cf_volume_polytopes(&body[0], &body[1], &pair->exact, NULL);
}

/* A shell on a half-space: the difference of two caps. */
static void shell(double depth, unsigned long *seed, struct pair *pair)
{
    double n[3], inner = 0.37 * (1 - 0.4 * depth);
    struct cf_piece piece = {.form = cf_form_find("sphere"), .size_m = {0.37}},
                    hollow = {.form = piece.form, .size_m = {inner}};
    struct cf_volume cap[2];

    *pair = (struct pair){.ni = 2, .nj = 1};
    pair->i[0] = primitive("sphere", 0.37, 0, 0);
    pair->i[1] = primitive("sphere", inner, 0, 0);
    pair->i[1].hole = true;
    pair->j[0] = under(&piece, depth * 0.37, seed, n);
    cf_volume_half_space(&piece, n, depth * 0.37, &cap[0], NULL);
    cf_volume_half_space(&hollow, n, depth * 0.37 - (0.37 - inner), &cap[1], NULL);
    volume_sum(&cap[0], -1, &cap[1], &pair->exact);
}

/* A box with a round hole that does not go through. */
static void drilled(double depth, unsigned long *seed, struct pair *pair)
{
    double n[3];
    struct cf_piece box = {.form = cf_form_find("box"), .size_m = {0.37, 0.52, 0.41}},
                    hole = {.form = cf_form_find("cylinder"), .size_m = {0.17, 0.38}};
    struct cf_volume part[2];

    *pair = (struct pair){.ni = 2, .nj = 1};
    pair->i[0] = primitive("box", 0.37, 0.52, 0.41);
    pair->i[1] = primitive("cylinder", 0.17, 0.38, 0);
    pair->i[1].hole = true;
    pair->j[0] = under(&box, depth * 0.37, seed, n);
    cf_volume_half_space(&box, n, depth * 0.37, &part[0], NULL);
    cf_volume_half_space(&hole, n,
                         cf_half_space_depth(&hole, n, cf_vec_dot(n, pair->j[0].origin_m), NULL),
                         &part[1], NULL);
    volume_sum(&part[0], -1, &part[1], &pair->exact);
}

static const struct {
    const char *name;
    void (*make)(double depth, unsigned long *seed, struct pair *pair);
    bool thick; /* what the hole takes away the root does not know: very thin takes long */
} cases[] = {
    {"sphere on a plane", sphere_plane},
    {"box on a plane", box_plane},
    {"cylinder on a plane", cylinder_plane},
    {"cone on a plane", cone_plane},
    {"two spheres", spheres},
    {"sphere on a cylinder", rod},
    {"sphere in a bore", bore, true},
    {"sphere on an edge", edge},
    {"two boxes", boxes},
    {"hollow sphere on a plane", shell},
    {"drilled box on a plane", drilled},
};

enum { NCASE = sizeof cases / sizeof cases[0], NDEPTH = 3 };

/* The deepest, thin and thinner; how well bodies that are given in doubles tell V there. */
static const double depths[NDEPTH] = {0.8, 1e-3, 1e-6}, told[NDEPTH] = {1e-13, 1e-11, 1e-8};

/* How far V, p_c and J are off; and their derivatives, of the largest. */
static void compare(const struct cf_volume *got, const struct cf_volume *want, double off[6])
{
    double a[1 + CF_TWIST][NMETRIC], b[1 + CF_TWIST][NMETRIC], size[6] = {0};

    memset(off, 0, 6 * sizeof *off);
    volume_metrics(got, a);
    volume_metrics(want, b);
    for (int t = 0; t <= CF_TWIST; t++)
        for (int m = 0; m < NMETRIC; m++) {
            int k = (m == 0 ? 0 : m < 4 ? 1 : 2) + (t > 0 ? 3 : 0);
            off[k] = keep_worst(off[k], fabs(a[t][m] - b[t][m]));
            size[k] = fmax(size[k], fabs(b[t][m]));
        }
    /* lengths: the radius of gyration, and what of it V changes by */
    size[1] = sqrt(want->inertia_m5[0][0] + want->inertia_m5[1][1] + want->inertia_m5[2][2]) /
              sqrt(2 * want->volume_m3);
    size[4] = size[1] * size[3] / want->volume_m3;
    for (int k = 0; k < 6; k++)
        off[k] /= size[k];
}

/* In few poses; in all of them by CHECK_FULL. */
static void test_exact(void)
{
    int poses = is_full_check() ? POSES : FEW;

    for (int c = 0; c < NCASE; c++)
        for (int d = 0; d < NDEPTH; d++) {
            struct cf_octree_options options = cf_octree_defaults();
            unsigned long seed = 17;
            double depth = cases[c].thick ? sqrt(depths[d]) : depths[d];
            double worst[6] = {0}, error = 0, off[6];
            bool kept = true;
            options.error_relative = 1e-4;
            for (int pose = 0; pose < poses; pose++) {
                struct pair p;
                struct cf_octree_volume v = {.error_m3 = NAN};
                struct cf_error err = {""};
                cases[c].make(depth, &seed, &p);
                moved(&p, &seed);
                if (cf_volume_implicit(p.i, p.ni, p.j, p.nj, &options, &v, &err))
                    printf("# %s\n", err.text);
                compare(&v.volume, &p.exact, off);
                for (int k = 0; k < 6; k++)
                    worst[k] = keep_worst(worst[k], off[k]);
                error = keep_worst(error, v.error_m3 / v.volume.volume_m3);
                kept = kept && fabs(v.volume.volume_m3 - p.exact.volume_m3) <=
                                   v.error_m3 + told[d] * p.exact.volume_m3;
            }
            ok(kept && error <= 1e-4, "%s, %g deep: V as well as it says, %.0e", cases[c].name,
               depth, error);
            ok(worst[0] < 1e-4 && worst[1] < 1e-3 && worst[2] < 1e-3,
               "V to %.0e, p_c to %.0e, J to %.0e", worst[0], worst[1], worst[2]);
            ok(worst[3] < 1e-2 && worst[4] < 1e-2 && worst[5] < 1e-2,
               "derivatives of V to %.0e, of p_c to %.0e, of J to %.0e", worst[3], worst[4],
               worst[5]);
        }
}

/* Root mean square over the poses, of V, p_c, J and their derivatives, with leaves of root/2^level.
 */
static void leaf_errors(void (*make)(double, unsigned long *, struct pair *), enum cf_leaf leaf,
                        int level, double rms[6])
{
    unsigned long seed = 5;

    memset(rms, 0, 6 * sizeof *rms);
    for (int pose = 0; pose < POSES; pose++) {
        struct cf_octree_options options = cf_octree_defaults();
        struct cf_octree_volume v = {.error_m3 = 0};
        double off[6];
        struct pair p;
        make(0.8, &seed, &p);
        moved(&p, &seed);
        options.error_relative = 1;
        cf_volume_implicit(p.i, p.ni, p.j, p.nj, &options, &v, NULL);
        options.leaf = leaf;
        options.leaf_m = ldexp(v.root_m, -level);
        cf_volume_implicit(p.i, p.ni, p.j, p.nj, &options, &v, NULL);
        compare(&v.volume, &p.exact, off);
        for (int k = 0; k < 6; k++)
            rms[k] += off[k] * off[k] / POSES;
    }
    for (int k = 0; k < 6; k++)
        rms[k] = sqrt(rms[k]);
}

/* From leaves of an eighth to those of a 64th. */
static void test_order(void)
{
    static const int which[4] = {0, 2, 3, 4};

    for (int c = 0; c < 4; c++)
        for (int leaf = 0; leaf < 2; leaf++) {
            double coarse[6], fine[6], order[3], slopes;
            leaf_errors(cases[which[c]].make, leaf ? CF_LEAF_FLAT : CF_LEAF_CURVED, 3, coarse);
            leaf_errors(cases[which[c]].make, leaf ? CF_LEAF_FLAT : CF_LEAF_CURVED, 5, fine);
            for (int k = 0; k < 3; k++)
                order[k] = log2(coarse[k] / fine[k]) / 2;
            for (int k = 0; k < 3; k++)
                ok(leaf ? fabs(order[k] - 2) < 0.15 : order[k] > 3.4,
                   "%s, %s leaves: %s falls with the leaf's length to the %.2f",
                   cases[which[c]].name, leaf ? "flat" : "curved",
                   k == 0   ? "V"
                   : k == 1 ? "p_c"
                            : "J",
                   order[k]);
            ok(fine[0] < (leaf ? 2e-3 : 4e-6), "to %.0e of V with a 32nd", fine[0]);
            slopes = fmax(fine[3], fmax(fine[4], fine[5]));
            ok(slopes < (leaf    ? 4e-3
                         : c < 3 ? 5e-6
                                 : 6e-5),
               "and to %.1e of the derivatives", slopes);
        }
}

/* Two bodies whose surfaces are all curved and have no exact volume: derivatives by differences.
 * Their octrees are smaller but for CHECK_FULL: that is all the time it takes. */
static void test_differences(void)
{
    static const double h = 1e-3;
    struct cf_octree_options options = cf_octree_defaults();
    struct cf_octree_volume at, side[2];
    struct pair p = {.ni = 3, .nj = 1};
    unsigned long seed = 3;
    double worst[3] = {0}, size[3] = {0};

    p.i[0] = primitive("ellipsoid", 0.3, 0.4, 0.5);
    p.i[1] = primitive("paraboloid", 0.2, 0, 0);
    p.i[2] = primitive("cylinder", 0.1, 0.5, 0);
    p.i[2].hole = true;
    p.i[1].origin_m[2] = 0.2;
    p.j[0] = primitive("endless-cone", 0.6, 0, 0);
    p.j[0].origin_m[2] = 0.15;
    p.j[0].origin_m[0] = 0.1;
    moved(&p, &seed);
    options.error_relative = is_full_check() ? 1e-7 : 1e-6;
    cf_volume_implicit(p.i, p.ni, p.j, p.nj, &options, &at, NULL);
    for (int t = 0; t < CF_TWIST; t++) {
        double a[2][1 + CF_TWIST][NMETRIC], by[1 + CF_TWIST][NMETRIC];
        for (int s = 0; s < 2; s++) {
            struct pair q = p;
            double angle = t < 3 ? 0 : s ? h : -h, c = cos(angle), o = sin(angle);
            int x = (t + 1) % 3, y = (t + 2) % 3;
            double axis[3][3] = {{0}}, origin[3] = {0};
            axis[t % 3][t % 3] = 1;
            axis[x][x] = axis[y][y] = c;
            axis[x][y] = o;
            axis[y][x] = -o;
            if (t < 3)
                origin[t] = s ? h : -h;
            for (size_t k = 0; k < q.ni; k++)
                primitive_seen(&q.i[k], axis, origin);
            cf_volume_implicit(q.i, q.ni, q.j, q.nj, &options, &side[s], NULL);
            volume_metrics(&side[s].volume, a[s]);
        }
        volume_metrics(&at.volume, by);
        for (int m = 0; m < NMETRIC; m++) {
            int k = m == 0 ? 0 : m < 4 ? 1 : 2;
            size[k] = fmax(size[k], fabs(by[1 + t][m]));
            worst[k] =
                keep_worst(worst[k], fabs((a[1][0][m] - a[0][0][m]) / (2 * h) - by[1 + t][m]));
        }
    }
    for (int k = 0; k < 3; k++)
        ok(worst[k] < 2e-4 * size[k],
           "ellipsoid under a paraboloid, drilled, with a cone: derivatives "
           "of %s as differences are, to %.0e",
           k == 0   ? "V"
           : k == 1 ? "p_c"
                    : "J",
           worst[k] / size[k]);
}

/* Holes that overlap: their moments by inclusion and exclusion of bodies without holes. */
static void test_holes(void)
{
    struct cf_octree_options options = cf_octree_defaults();
    struct cf_octree_volume whole, one, two, both, none;
    struct pair p = {.ni = 3, .nj = 1};
    struct cf_implicit part[4];
    unsigned long seed = 8;
    double V, off = 0;

    p.i[0] = primitive("box", 0.5, 0.4, 0.3);
    p.i[1] = primitive("endless-cylinder", 0.1, 0, 0);
    p.i[2] = primitive("sphere", 0.15, 0, 0);
    p.i[2].origin_m[0] = 0.08;
    p.j[0] = primitive("half-space", 0, 0, 0);
    p.j[0].origin_m[2] = 0.05;
    moved(&p, &seed);
    options.error_relative = 1e-6;
    cf_volume_implicit(p.i, 1, p.j, 1, &options, &whole, NULL);
    cf_volume_implicit(p.i, 2, p.j, 1, &options, &one, NULL);
    part[0] = p.i[0];
    part[1] = p.i[2];
    cf_volume_implicit(part, 2, p.j, 1, &options, &two, NULL);
    cf_volume_implicit(p.i, 3, p.j, 1, &options, &both, NULL);
    p.i[1].hole = p.i[2].hole = true;
    cf_volume_implicit(p.i, 3, p.j, 1, &options, &none, NULL);
    V = whole.volume.volume_m3 - one.volume.volume_m3 - two.volume.volume_m3 +
        both.volume.volume_m3;
    ok(fabs(none.volume.volume_m3 / V - 1) < 1e-6 && V < 0.9 * whole.volume.volume_m3,
       "a box with a round hole through a hollow: %.0e", none.volume.volume_m3 / V - 1);
    /* the same hole once more changes nothing; the other way round neither */
    memcpy(part, p.i, 3 * sizeof *part);
    part[3] = p.i[2];
    cf_volume_implicit(part, 4, p.j, 1, &options, &both, NULL);
    ok(fabs(both.volume.volume_m3 / none.volume.volume_m3 - 1) < 1e-6, "a hole that is told twice");
    part[0] = p.j[0];
    cf_volume_implicit(p.i, 1, part, 3, &options, &both, NULL);
    ok(fabs(both.volume.volume_m3 / none.volume.volume_m3 - 1) < 1e-6,
       "holes of the other body take the same");
    for (int t = 0; t < 3; t++)
        off += fabs(both.volume.volume_by[t] - none.volume.volume_by[t]);
    ok(off > 0.01, "but do not move with the first one");
}

/* Apart, touching, one in the other. */
static void test_ends(void)
{
    struct cf_octree_options options = cf_octree_defaults();
    struct cf_octree_volume v;
    struct cf_implicit a = primitive("sphere", 0.3, 0, 0), b = primitive("box", 1, 1, 1);

    a.origin_m[2] = 0.9;
    ok(!cf_volume_implicit(&a, 1, &b, 1, &options, &v, NULL) && v.volume.volume_m3 == 0 &&
           v.volume.volume_by[2] == 0 && fabs(v.volume.centroid_m[2] - 0.55) < 1e-6,
       "apart: V is 0, and p_c between them");
    a.origin_m[2] = 0.8;
    ok(!cf_volume_implicit(&a, 1, &b, 1, &options, &v, NULL) && v.volume.volume_m3 < 1e-20 &&
           fabs(v.volume.centroid_m[2] - 0.5) < 1e-6,
       "touching");
    a.origin_m[2] = 0;
    ok(!cf_volume_implicit(&a, 1, &b, 1, &options, &v, NULL) &&
           fabs(v.volume.volume_m3 - 4 * acos(-1.) / 3 * 0.027) < v.error_m3 &&
           fabs(v.volume.volume_by[0]) < 1e-12,
       "one in the other: V is its own and does not change");
    ok(v.root_m > 0.5 && v.leaf_m < v.root_m && v.ncell > 8 && v.memory_B > 1000, "what it took");
}

static void refused(const struct cf_implicit body[], size_t n, const char *what, const char *want)
{
    struct cf_error err = {""};

    ok(cf_implicit_check(body, n, true, &err) == CF_ERANGE, "refused: %s", what);
    is_str(err.text, want, "in these words");
}

static void test_bodies(void)
{
    struct cf_implicit p[2] = {primitive("cone", 0.1, 0.2, 0), primitive("sphere", 0.4, 0, 0)};
    const struct cf_primitive *row;
    struct cf_error err = {""};

    ok(!cf_implicit_check(p, 2, true, NULL), "a cone in a sphere is a body");
    p[1].hole = true;
    refused(p, 2, "hollow", "body: its holes leave nothing of it");
    refused(p + 1, 1, "hole", "body: must have a primitive that is not a hole");
    p[1] = primitive("sphere", 0.1, 0, 0);
    p[1].origin_m[0] = 1;
    refused(p, 2, "empty", "body: its primitives have nothing in common");
    p[1].axis[0][0] = -1;
    refused(p, 2, "left", "axes of primitive 2 of body (sphere): must be right-handed");
    p[1].axis[0][0] = 1.1;
    refused(p, 2, "long",
            "axes of primitive 2 of body (sphere): must be unit vectors across each other to 1e-9, "
            "and are off by 0.21");
    p[0].size[1] = 0;
    refused(p, 1, "flat cone",
            "primitive 1 of body (cone): height = 0 m: must be in [1e-09, 1e+06]");
    p[0] = primitive("endless-cone", acos(0), 0, 0);
    refused(
        p, 1, "cone of 90 deg",
        "primitive 1 of body (endless-cone): half_angle = 1.5707963267949 rad: must be in [1e-06, "
        "1.5708]");
    p[0].size[0] = 0.5;
    refused(p, 1, "open", "body: must be bounded, and none of its primitives is, as endless-cone");
    ok(!cf_implicit_check(p, 1, false, NULL), "but not where it need not be bounded");
    ok(cf_primitive_get("cilinder", &row, &err) == CF_EINPUT, "an unknown primitive");
    is_str(err.text, "unknown primitive cilinder: did you mean cylinder?", "and what was meant");
}

/* The message begins and ends so; numbers between them are the machine's. */
static void failed(const struct cf_octree_options *options, int status, const char *begin,
                   const char *end)
{
    struct cf_implicit a = primitive("sphere", 0.3, 0, 0), b = primitive("sphere", 0.3, 0, 0);
    struct cf_octree_volume v;
    struct cf_error err = {""};
    size_t length;

    b.origin_m[0] = 0.4;
    ok(cf_volume_implicit(&a, 1, &b, 1, options, &v, &err) == status, "refused: %s%s", begin, end);
    length = strlen(err.text);
    ok(strncmp(err.text, begin, strlen(begin)) == 0 && length >= strlen(end) &&
           strcmp(err.text + length - strlen(end), end) == 0,
       "in these words: %s", err.text);
}

static void test_limits(void)
{
    struct cf_octree_options good = cf_octree_defaults(), o = good;
    struct cf_implicit rods[2] = {primitive("endless-cylinder", 0.3, 0, 0),
                                  primitive("half-space", 0, 0, 0)};
    struct cf_octree_volume v;
    struct cf_error err = {""};

    o.leaf_m = 3;
    failed(&o, CF_ERANGE, "leaf of an octree = 3 m: must be below the length of the contact, 0.4",
           "m");
    o = good;
    o.max_cells = 100;
    failed(&o, CF_ESOLVE, "octree: its error is 0.0",
           " m3 after 73 boxes, of 100 that it may take, and should be 1.67e-06 m3");
    o = good;
    o.max_memory_B = 1000;
    failed(&o, CF_ENOMEM, "octree: needs 0.0", " MB to begin with, of 0.001 MB that it may take");
    o.max_memory_B = 100000;
    o.error_relative = 1e-9;
    failed(&o, CF_ENOMEM, "octree: more boxes need 0.1", " MB, of 0.1 MB that it may take");
    o = good;
    o.error_relative = NAN;
    failed(&o, CF_ERANGE, "relative error of an octree = nan: must be finite and not below 0", "");
    o.error_relative = 0;
    failed(&o, CF_ERANGE, "an octree: must have an error or a leaf above 0", "");
    o = good;
    o.leaf = CF_LEAF_COUNTED;
    failed(&o, CF_ERANGE,
           "an octree whose leaves are counted: must have a leaf above 0 m, as it does not "
           "estimate its error",
           "");
    memcpy(rods[1].axis, (const double[3][3]){{0, 0, 1}, {0, 1, 0}, {-1, 0, 0}},
           sizeof rods[1].axis);
    ok(cf_volume_implicit(rods, 1, rods + 1, 1, &good, &v, &err) == CF_ERANGE,
       "an overlap without end");
    is_str(err.text, "the overlap of two bodies has no end", "in these words");
}

TEST(volume_implicit)
{
    plan(NCASE * NDEPTH * 3 + 4 * 2 * 5 + 3 + 4 + 4 + 2 * 8 + 4 + 2 * 8);
    test_exact();
    test_order();
    test_differences();
    test_holes();
    test_ends();
    test_bodies();
    test_limits();
    return done();
}
