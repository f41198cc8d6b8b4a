/* Forms cut by a half-space: against numbers of 60 digits (t/reference/make_volumes.py), which cut
 * them in other ways, at depths from 1e-9 of their size to beyond it; cut in two, which must add up
 * to the whole; derivatives against differences; and what is refused.
 */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/vector.h"
#include "tap.h"
#include "volume/volume.h"

enum { NNUMBER = 18, NFORM = 5, NPOSE = 6 };

/* Columns of the table behind the name of the form. */
enum { SIZE, N = 3, DEPTH = 6, V, X, BELOW = 11, J };

struct worst {
    int rows;
    double volume, centroid, below, inertia;
};

static double largest(double a[3][3])
{
    double most = 0;

    for (int i = 0; i < 9; i++)
        most = fmax(most, fabs(a[i / 3][i % 3]));
    return most;
}

static double apart(double a[3][3], double b[3][3])
{
    double most = 0;

    for (int i = 0; i < 9; i++) {
        double d = fabs(a[i / 3][i % 3] - b[i / 3][i % 3]);
        most = d <= most ? most : d; /* a NaN stays */
    }
    return most;
}

static void compare(const double row[NNUMBER], const struct cf_piece *piece, struct worst *worst)
{
    double inertia[3][3] = {{row[J], row[J + 5], row[J + 4]},
                            {row[J + 5], row[J + 1], row[J + 3]},
                            {row[J + 4], row[J + 3], row[J + 2]}};
    double off[3], size = fmax(row[0], fmax(row[1], row[2]));
    struct cf_volume got;

    worst->rows++;
    if (cf_piece_check(piece, NULL) ||
        cf_volume_half_space(piece, row + N, row[DEPTH], &got, NULL)) {
        worst->volume = INFINITY;
        return;
    }
    cf_vec_sub(got.centroid_m, row + X, off);
    worst->volume = fmax(worst->volume, fabs(got.volume_m3 / row[V] - 1));
    worst->centroid = fmax(worst->centroid, cf_vec_norm(off) / size);
    worst->below = fmax(worst->below, fabs(got.centroid_depth_m / row[BELOW] - 1));
    worst->inertia = fmax(worst->inertia, apart(got.inertia_m5, inertia) / largest(inertia));
}

static bool read_row(const char *line, struct cf_piece *piece, double row[NNUMBER])
{
    char name[16];
    const char *at = strchr(line, ',');

    if (!at || at - line >= (int) sizeof name)
        return false;
    snprintf(name, sizeof name, "%.*s", (int) (at - line), line);
    *piece = (struct cf_piece){.form = cf_form_find(name)};
    for (int i = 0; i < NNUMBER && piece->form; i++) {
        char *end;
        row[i] = strtod(at + 1, &end);
        if (*end != (i + 1 < NNUMBER ? ',' : '\n'))
            return false;
        at = end;
    }
    memcpy(piece->size_m, row, sizeof piece->size_m);
    return piece->form;
}

static int index_of(const struct cf_form *form)
{
    int i = 0;

    while (cf_forms[i] != form)
        i++;
    return i;
}

static void reference(void)
{
    const char *srcdir = getenv("srcdir");
    char path[1000], line[1000];
    struct worst worst[NFORM][2] = {{{0}}};
    struct cf_piece piece;
    double row[NNUMBER];
    FILE *in;

    snprintf(path, sizeof path, "%s/t/reference/volumes.csv", srcdir ? srcdir : ".");
    in = fopen(path, "r");
    while (in && fgets(line, sizeof line, in))
        if (read_row(line, &piece, row))
            compare(row, &piece, &worst[index_of(piece.form)][row[DEPTH] < 1e-4]);
    if (in)
        fclose(in);
    for (int i = 0; i < 4; i++)
        for (int thin = 0; thin < 2; thin++) {
            const struct worst *w = &worst[i][thin];
            ok(w->rows >= 4 && w->volume < 1e-12 && w->centroid < 1e-14 && w->below < 1e-12 &&
                   w->inertia < 1e-12,
               "%s, %d %s cuts: V to %.0e, p_c %.0e of the size, its depth %.0e, J %.0e",
               cf_forms[i]->name, w->rows, thin ? "thin" : "deep", w->volume, w->centroid, w->below,
               w->inertia);
        }
}

/* Pieces of every form; the polytope is a roof: a box of 2 x 1 x 0.5 under a ridge along x. */
static const double roof_vertex[][3] = {{0, 0, 0},       {2, 0, 0},      {2, 1, 0},   {0, 1, 0},
                                        {0, 0, 0.5},     {2, 0, 0.5},    {2, 1, 0.5}, {0, 1, 0.5},
                                        {0.3, 0.5, 0.9}, {1.7, 0.5, 0.9}};
static const size_t roof_ncorner[] = {4, 4, 4, 4, 4, 4, 3, 4, 3};
static const size_t roof_corner[] = {0, 3, 2, 1, 0, 1, 5, 4, 1, 2, 6, 5, 2, 3, 7, 6, 3,
                                     0, 4, 7, 4, 5, 9, 8, 5, 6, 9, 6, 7, 8, 9, 7, 4, 8};
static const struct cf_polytope roof = {.nvertex = 10,
                                        .nface = 9,
                                        .vertex_m = roof_vertex,
                                        .ncorner = roof_ncorner,
                                        .corner = roof_corner};

static struct cf_piece piece_of(int i)
{
    static const double size[NFORM][3] = {{0.37}, {0.7, 0.4, 0.9}, {0.31, 0.8}, {0.4, 0.9}, {0}};
    struct cf_piece piece = {.form = cf_forms[i]};

    memcpy(piece.size_m, size[i], sizeof size[i]);
    piece.polytope = i == NFORM - 1 ? &roof : NULL;
    return piece;
}

static const double attitude[NPOSE][3] = {{0.3, -0.2, 1},   {-0.5, 0.4, -0.7}, {1, 0.6, 0.05},
                                          {0.02, 0.01, -1}, {0.7, -0.6, 0.4},  {-0.3, -1, -0.5}};

static void unit(const double a[3], double out[3])
{
    cf_vec_scale(1 / cf_vec_norm(a), a, out);
}

/* J about another point than the centroid. */
static void inertia_about(const struct cf_volume *v, const double point[3], double out[3][3])
{
    double r[3];

    cf_vec_sub(v->centroid_m, point, r);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            out[i][j] = v->inertia_m5[i][j] +
                        v->volume_m3 * ((i == j ? cf_vec_dot(r, r) : 0) - r[i] * r[j]);
}

/* Cut from both sides, the parts add up to the whole. */
static void add_up(const struct cf_piece *piece, const double n[3], double share, double off[3])
{
    double up[3], down[3], top[3], bottom[3], tall, part[2][3][3], whole_about[3][3];
    struct cf_volume a, b, whole;

    unit(n, up);
    cf_vec_scale(-1, up, down);
    piece->form->lowest(piece, up, bottom);
    piece->form->lowest(piece, down, top);
    tall = cf_vec_dot(up, top) - cf_vec_dot(up, bottom);
    cf_volume_half_space(piece, up, share * tall, &a, NULL);
    cf_volume_half_space(piece, down, (1 - share) * tall, &b, NULL);
    cf_volume_half_space(piece, up, 2 * tall, &whole, NULL);
    inertia_about(&a, whole.centroid_m, part[0]);
    inertia_about(&b, whole.centroid_m, part[1]);
    inertia_about(&whole, whole.centroid_m, whole_about);
    off[0] = fmax(off[0], fabs((a.volume_m3 + b.volume_m3) / whole.volume_m3 - 1));
    for (int i = 0; i < 3; i++) {
        double moment = a.volume_m3 * a.centroid_m[i] + b.volume_m3 * b.centroid_m[i];
        off[1] = fmax(off[1], fabs(moment / whole.volume_m3 - whole.centroid_m[i]));
        for (int j = 0; j < 3; j++)
            part[0][i][j] += part[1][i][j];
    }
    off[2] = fmax(off[2], apart(part[0], whole_about) / largest(whole_about));
}

static void test_adding_up(void)
{
    for (int i = 0; i < NFORM; i++) {
        struct cf_piece piece = piece_of(i);
        double off[3] = {0};

        for (int k = 0; k < NPOSE; k++)
            for (double share = 0.03; share < 1; share += 0.19)
                add_up(&piece, attitude[k], share, off);
        ok(off[0] < 1e-13 && off[1] < 1e-13 && off[2] < 1e-13,
           "%s: two parts add up to the whole in V (%.0e), V p_c (%.0e), J (%.0e)",
           piece.form->name, off[0], off[1], off[2]);
    }
}

/* exp(w x), Rodrigues. */
static void rotation(const double w[3], double out[3][3])
{
    double angle = cf_vec_norm(w);
    double a = angle > 0 ? sin(angle) / angle : 1, b = 2 * pow(sin(angle / 2), 2);

    b = angle > 0 ? b / (angle * angle) : 0.5;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double cross = j == (i + 2) % 3   ? w[(i + 1) % 3]
                           : j == (i + 1) % 3 ? -w[(i + 2) % 3]
                                              : 0;
            double square = w[i] * w[j] - (i == j ? angle * angle : 0);
            out[i][j] = (i == j) + a * cross + b * square;
        }
}

enum { NMETRIC = 14 };

/* The numbers of a volume, after the piece has moved by a twist: in the frame at rest. */
static void moved(const struct cf_piece *piece, const double n[3], double height,
                  const double twist[CF_TWIST], double out[NMETRIC])
{
    double R[3][3], back[3][3], up[3], depth;
    struct cf_volume v;

    rotation(twist + 3, R);
    for (int i = 0; i < 9; i++)
        back[i % 3][i / 3] = R[i / 3][i % 3];
    cf_vec_turn(back, n, up);
    depth = cf_half_space_depth(piece, up, height - cf_vec_dot(n, twist), NULL);
    cf_volume_half_space(piece, up, depth, &v, NULL);
    out[0] = depth;
    out[1] = v.volume_m3;
    cf_vec_turn(R, v.centroid_m, out + 2);
    cf_vec_add_scaled(out + 2, 1, twist, out + 2);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double turned[3];
            cf_vec_turn(v.inertia_m5, R[j], turned);
            out[5 + 3 * i + j] = cf_vec_dot(R[i], turned);
        }
}

/* Richardson's differences from steps h and h/2; what is left is of the fourth order. */
static void difference(const struct cf_piece *piece, const double n[3], double height, int t,
                       double out[NMETRIC])
{
    static const double h = 5e-4;
    double f[4][NMETRIC];

    for (int k = 0; k < 4; k++) {
        double twist[CF_TWIST] = {0};
        twist[t] = (k % 2 ? -1 : 1) * (k < 2 ? h : h / 2);
        moved(piece, n, height, twist, f[k]);
    }
    for (int m = 0; m < NMETRIC; m++) {
        double wide = (f[0][m] - f[1][m]) / (2 * h), close = (f[2][m] - f[3][m]) / h;
        out[m] = (4 * close - wide) / 3;
    }
}

/* Relative to the largest derivative of V, of p_c, of J. */
static void derivatives_of(const struct cf_piece *piece, const double n[3], double depth,
                           double off[4])
{
    double up[3], q[3], height, by[CF_TWIST], size[4] = {1, 0, 0, 0}, worst[4] = {0};
    struct cf_volume v;

    unit(n, up);
    piece->form->lowest(piece, up, q);
    height = depth + cf_vec_dot(up, q);
    cf_half_space_depth(piece, up, height, by);
    cf_volume_half_space(piece, up, depth, &v, NULL);
    for (int t = 0; t < CF_TWIST; t++) {
        double want[NMETRIC];
        difference(piece, up, height, t, want);
        for (int m = 0; m < NMETRIC; m++) {
            int of = m == 0 ? 0 : m == 1 ? 1 : m < 5 ? 2 : 3;
            double got = m == 0   ? by[t]
                         : m == 1 ? v.volume_by[t]
                         : m < 5  ? v.centroid_by[m - 2][t]
                                  : v.inertia_by[(m - 5) / 3][(m - 5) % 3][t];
            size[of] = fmax(size[of], fabs(want[m]));
            worst[of] = fmax(worst[of], fabs(got - want[m]));
        }
    }
    for (int k = 0; k < 4; k++)
        off[k] = fmax(off[k], worst[k] / size[k]);
}

static void test_derivatives(void)
{
    /* away from depths at which a corner or an end comes to the plane */
    static const double depth[] = {0.09, 0.13, 0.31};

    for (int i = 0; i < NFORM; i++) {
        struct cf_piece piece = piece_of(i);
        double off[4] = {0};

        for (int k = 0; k < NPOSE; k++)
            for (size_t d = 0; d < sizeof depth / sizeof depth[0]; d++)
                derivatives_of(&piece, attitude[k], depth[d], off);
        ok(off[0] < 1e-7 && off[1] < 1e-6 && off[2] < 1e-6 && off[3] < 1e-6,
           "%s: derivatives of depth (%.0e), V (%.0e), p_c (%.0e), J (%.0e) as by differences",
           piece.form->name, off[0], off[1], off[2], off[3]);
    }
}

/* A box as a polytope, turned: the same V, depth of the centroid and J in its own frame. */
static void test_turned(void)
{
    static const double turn[3] = {0.7, -1.1, 0.4}, half[3] = {0.35, 0.2, 0.45};
    static const size_t ncorner[] = {4, 4, 4, 4, 4, 4};
    static const size_t corner[] = {1, 3, 7, 5, 0, 4, 6, 2, 2, 6, 7, 3,
                                    0, 1, 5, 4, 4, 5, 7, 6, 0, 2, 3, 1};
    double vertex[8][3], R[3][3], off[3] = {0};
    const struct cf_polytope polytope = {8, 6, (const double(*)[3]) vertex, ncorner, corner};
    struct cf_piece box = piece_of(1), other = {cf_form_find("polytope"), {0}, &polytope};

    rotation(turn, R);
    for (int v = 0; v < 8; v++) {
        double at[3];
        for (int k = 0; k < 3; k++)
            at[k] = (v >> k & 1 ? 1 : -1) * half[k];
        cf_vec_turn(R, at, vertex[v]);
    }
    ok(cf_piece_check(&other, NULL) == CF_OK, "a turned box is a polytope");
    for (int k = 0; k < NPOSE; k++) {
        struct cf_volume a, b;
        double n[3], up[3], there[3];
        unit(attitude[k], up);
        cf_vec_turn(R, up, n);
        cf_volume_half_space(&box, up, 0.21, &a, NULL);
        cf_volume_half_space(&other, n, 0.21, &b, NULL);
        cf_vec_turn(R, a.centroid_m, there);
        cf_vec_sub(there, b.centroid_m, there);
        off[0] = fmax(off[0], fabs(b.volume_m3 / a.volume_m3 - 1));
        off[1] = fmax(off[1], cf_vec_norm(there));
        for (int t = 0; t < 3; t++) /* traces do not turn */
            off[2] =
                fmax(off[2], fabs(a.inertia_m5[0][0] + a.inertia_m5[1][1] + a.inertia_m5[2][2] -
                                  b.inertia_m5[0][0] - b.inertia_m5[1][1] - b.inertia_m5[2][2]));
    }
    ok(off[0] < 1e-13 && off[1] < 1e-14 && off[2] < 1e-15,
       "and is cut as one: V (%.0e), p_c (%.0e m), J (%.0e m^5)", off[0], off[1], off[2]);
}

static void test_none(void)
{
    for (int i = 0; i < NFORM; i++) {
        struct cf_piece piece = piece_of(i);
        struct cf_volume v;
        bool zero = true;

        for (double depth = 0; depth >= -1; depth -= 0.5) {
            zero = zero && !cf_volume_half_space(&piece, attitude[i], depth, &v, NULL);
            zero = zero && v.volume_m3 == 0 && v.volume_by[2] == 0 && largest(v.inertia_m5) == 0 &&
                   v.centroid_depth_m == depth;
        }
        ok(zero, "%s: tangent or apart, nothing interferes", piece.form->name);
    }
}

/* Wholly below the plane, flat faces along it: V stays and the centroid goes along. */
static void test_under(void)
{
    for (int i = 0; i < NFORM; i++) {
        struct cf_piece piece = piece_of(i);
        bool along = true;

        for (int side = -1; side <= 1; side += 2) {
            double n[3] = {0, 0, side};
            struct cf_volume v;
            along = along && !cf_volume_half_space(&piece, n, 3, &v, NULL);
            for (int t = 0; t < 3; t++) {
                along = along && v.volume_by[t] == 0 && v.volume_by[3 + t] == 0;
                for (int k = 0; k < 3; k++)
                    along = along && fabs(v.centroid_by[k][t] - (k == t)) < 1e-15;
            }
        }
        ok(along, "%s: under the plane, V stays and p_c goes along", piece.form->name);
    }
}

static void refused(const struct cf_piece *piece, const double n[3], double depth, const char *want)
{
    struct cf_error err = {""};
    struct cf_volume v;
    int status = cf_piece_check(piece, &err);

    if (!status)
        status = cf_volume_half_space(piece, n, depth, &v, &err);
    ok(status == CF_ERANGE, "refused: %s", want);
    is_str(err.text, want, "in these words");
}

static void test_refused(void)
{
    static const double up[3] = {0, 0, 1}, none[3] = {0}, nan_[3] = {0, NAN, 1};
    struct cf_piece box = piece_of(1), cone = piece_of(3), bare = piece_of(NFORM - 1);
    const struct cf_form *form;
    struct cf_error err = {""};

    bare.polytope = NULL;
    refused(&box, none, 0.1,
            "normal of a half-space = (0, 0, 0): a direction must be finite and not 0");
    refused(&box, nan_, 0.1,
            "normal of a half-space = (0, nan, 1): a direction must be finite and not 0");
    refused(&box, up, NAN, "depth = nan m of a box: must be finite");
    refused(&bare, up, 0.1, "polytope: has no vertices");
    cone.size_m[1] = 0;
    refused(&cone, up, 0.1, "height = 0 m: must be in [1e-09, 1e+06]");
    cone.size_m[1] = NAN;
    refused(&cone, up, 0.1, "height is not a number: a value in [1e-09, 1e+06] m is wanted");
    ok(cf_form_get("boxx", &form, &err) == CF_EINPUT && !form, "an unknown form");
    is_str(err.text, "unknown form boxx: did you mean box?", "and the nearest");
    cf_form_get("qqqqqqqq", &form, &err);
    is_str(err.text, "unknown form qqqqqqqq: must be one of sphere, box, cylinder, cone, polytope",
           "or all of them");
}

TEST(volume_half_space)
{
    plan(8 + NFORM + NFORM + 2 + 2 * NFORM + 12 + 3);
    reference();
    test_adding_up();
    test_derivatives();
    test_turned();
    test_none();
    test_under();
    test_refused();
    return done();
}
