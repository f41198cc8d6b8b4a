/* Cells of bodies: a box that is cut into cells has the volume, the centroid and, for a flat
 * contact, the damping and rolling of the whole; derivatives by the pose against differences, with
 * a half-space and with each other; a box and the polytope of its faces are the same; cells that
 * are far apart are told by spheres around them; what is refused.
 */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/vector.h"
#include "tap.h"
#include "volume/cell.h"

static void rotation(const double axis[3], double angle, double out[3][3])
{
    double c = cos(angle), s = sin(angle), n[3];

    cf_vec_scale(1 / cf_vec_norm(axis), axis, n);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            out[i][j] = (i == j) * c + (1 - c) * n[i] * n[j];
    out[0][1] -= s * n[2], out[1][0] += s * n[2];
    out[0][2] += s * n[1], out[2][0] -= s * n[1];
    out[1][2] -= s * n[0], out[2][1] += s * n[0];
}

static struct cf_placing placing_of(double x, double y, double z, double angle)
{
    static const double axis[3] = {0.3, -0.5, 0.2};
    struct cf_placing out = {{x, y, z}, {{0}}};

    rotation(axis, angle, out.turn);
    return out;
}

static struct cf_cell box_of(double x, double y, double z, const double at[3])
{
    struct cf_cell cell = {.piece = {.form = cf_form_find("box"), .size_m = {x, y, z}}};

    memcpy(cell.at.origin_m, at, sizeof cell.at.origin_m);
    for (int i = 0; i < 3; i++)
        cell.at.turn[i][i] = 1;
    cf_cell_make(&cell, NULL);
    return cell;
}

static const double none[3] = {0, 0, 0};

/* V, V p_c and J_v about the origin, with their signs summed. */
static void add_moments(const struct cf_volume *v, double sum[13])
{
    double r2 = cf_vec_dot(v->centroid_m, v->centroid_m);

    sum[0] += v->volume_m3;
    for (int i = 0; i < 3; i++) {
        sum[1 + i] += v->volume_m3 * v->centroid_m[i];
        for (int j = 0; j < 3; j++)
            sum[4 + 3 * i + j] +=
                v->inertia_m5[i][j] +
                v->volume_m3 * ((i == j) * r2 - v->centroid_m[i] * v->centroid_m[j]);
    }
}

/* Whole and cut into n^3, at a depth under a plane; flat or at an angle. */
static void test_cut(double angle, const char *what)
{
    enum { N = 5 };
    const double n[3] = {0.6, 0, 0.8}, size[3] = {0.3, 0.2, 0.4}, height = 0.1;
    struct cf_placing placing = {{0}, {{0}}};
    struct cf_cell whole = box_of(size[0], size[1], size[2], none);
    struct cf_volume v;
    double sum[2][13] = {{0}}, point[3], worst = 0, tilt[3][3], up[3][3];
    const double y[3] = {0, 1, 0}, z[3] = {0.2, 0.4, 1};

    rotation(y, atan2(0.6, 0.8), up); /* z along n */
    rotation(z, angle, tilt);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            placing.turn[i][j] =
                up[i][0] * tilt[0][j] + up[i][1] * tilt[1][j] + up[i][2] * tilt[2][j];
    /* lowered to a depth of 7 mm */
    double depth = cf_cell_depth(&whole, &placing, n, height, point);
    cf_vec_add_scaled(placing.origin_m, depth - 0.007, n, placing.origin_m);
    depth = cf_cell_depth(&whole, &placing, n, height, point);
    cf_cell_volume(&whole, &placing, n, depth, &v, NULL);
    add_moments(&v, sum[0]);
    for (int k = 0; k < N * N * N; k++) {
        int at[3] = {k % N, k / N % N, k / N / N};
        double centre[3];
        for (int a = 0; a < 3; a++)
            centre[a] = ((at[a] + 0.5) / N - 0.5) * size[a];
        struct cf_cell part = box_of(size[0] / N, size[1] / N, size[2] / N, centre);
        depth = cf_cell_depth(&part, &placing, n, height, point);
        cf_cell_volume(&part, &placing, n, depth, &v, NULL);
        add_moments(&v, sum[1]);
        cf_cell_free(&part);
    }
    for (int i = 0; i < 13; i++) {
        double most = i == 0 ? sum[0][0] : i < 4 ? sum[0][0] * 0.3 : fabs(sum[0][4]);
        worst = fmax(worst, fabs(sum[1][i] - sum[0][i]) / most);
    }
    ok(fabs(depth) < 1 && worst < 1e-12, "cut into 125: V, p_c and J_v of the whole, %s (%.0e)",
       what, worst);
    cf_cell_free(&whole);
}

/* Moved or turned about the origin of the frame. */
static struct cf_placing moved(const struct cf_placing *p, int t, double h)
{
    struct cf_placing out = *p;
    double axis[3] = {t % 3 == 0, t % 3 == 1, t % 3 == 2}, r[3][3];

    if (t < 3) {
        out.origin_m[t] += h;
        return out;
    }
    rotation(axis, h, r);
    cf_vec_turn(r, p->origin_m, out.origin_m);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            out.turn[i][j] =
                r[i][0] * p->turn[0][j] + r[i][1] * p->turn[1][j] + r[i][2] * p->turn[2][j];
    return out;
}

static double number(const struct cf_volume *v, int i)
{
    if (i == 0)
        return v->volume_m3;
    return i < 4 ? v->centroid_m[i - 1] : v->inertia_m5[(i - 4) / 3][(i - 4) % 3];
}

static double slope(const struct cf_volume *v, int i, int t)
{
    if (i == 0)
        return v->volume_by[t];
    return i < 4 ? v->centroid_by[i - 1][t] : v->inertia_by[(i - 4) / 3][(i - 4) % 3][t];
}

typedef int volume_of(const struct cf_cell *cell, const struct cf_placing *p, struct cf_volume *v);

static int with_plane(const struct cf_cell *cell, const struct cf_placing *p, struct cf_volume *v)
{
    const double n[3] = {0.6, 0, 0.8};
    double point[3];

    return cf_cell_volume(&cell[0], p, n, cf_cell_depth(&cell[0], p, n, 0.1, point), v, NULL);
}

static int with_cell(const struct cf_cell *cell, const struct cf_placing *p, struct cf_volume *v)
{
    return cf_cells_volume(&cell[0], p, &cell[1], v, NULL);
}

static void test_slopes(volume_of *of, const struct cf_cell *cell, const struct cf_placing *p,
                        const char *what)
{
    double worst = 0, h = 1e-6, per[3];
    struct cf_volume v;
    int status = of(cell, p, &v);

    per[0] = v.volume_m3;
    per[1] = 1;
    per[2] = v.inertia_m5[0][0] + v.inertia_m5[1][1] + v.inertia_m5[2][2];
    for (int t = 0; t < CF_TWIST; t++) {
        struct cf_volume at[2];
        for (int k = 0; k < 2; k++) {
            struct cf_placing to = moved(p, t, k ? h : -h);
            status = status ? status : of(cell, &to, &at[k]);
        }
        for (int i = 0; i < 13; i++) {
            double want = (number(&at[1], i) - number(&at[0], i)) / (2 * h);
            double size = per[i == 0 ? 0 : i < 4 ? 1 : 2] / (i >= 1 && i < 4 ? 1 : 0.02);
            worst = fmax(worst, fabs(slope(&v, i, t) - want) / size);
        }
    }
    ok(!status && v.volume_m3 > 0 && worst < 1e-6, "%s: derivatives by the pose (%.0e)", what,
       worst);
}

static void test_forms(void)
{
    static const struct {
        const char *form;
        double size[3];
    } forms[] = {{"box", {0.3, 0.2, 0.4}}, {"cylinder", {0.1, 0.3}}, {"cone", {0.15, 0.3}}};

    for (int i = 0; i < 3; i++) {
        struct cf_cell cell[2] = {{.piece = {.form = cf_form_find(forms[i].form)}}, {{0}}};
        const double n[3] = {0.6, 0, 0.8};
        struct cf_placing p = placing_of(0.05, -0.1, 0.2, 0.7);
        double point[3];
        memcpy(cell[0].piece.size_m, forms[i].size, sizeof forms[i].size);
        cell[0].at = placing_of(0.02, 0.03, -0.01, -1.1);
        cf_cell_make(&cell[0], NULL);
        double depth = cf_cell_depth(&cell[0], &p, n, 0.1, point);
        cf_vec_add_scaled(p.origin_m, depth - 0.02, n, p.origin_m);
        test_slopes(with_plane, cell, &p, forms[i].form);
        cf_cell_free(&cell[0]);
    }
}

static void test_pair(void)
{
    const double at[3] = {0.02, -0.01, 0.03};
    struct cf_cell cell[2] = {box_of(0.3, 0.2, 0.4, at), box_of(0.5, 0.5, 0.2, none)};
    struct cf_placing p = placing_of(0.1, 0.05, 0.33, 0.4);
    double n[3], point[3], depth = cf_cells_depth(&cell[0], &p, &cell[1], n, point);

    cf_vec_add_scaled(p.origin_m, depth - 0.02, n, p.origin_m);
    depth = cf_cells_depth(&cell[0], &p, &cell[1], n, point);
    double beyond = 0;
    for (size_t v = 0; v < cell[0].faces.nvertex; v++) {
        cf_vec_sub(cell[0].faces.vertex_m[v], cell[0].middle_m, point);
        beyond = fmax(beyond, fabs(cf_vec_norm(point) - cell[0].radius_m));
    }
    ok(beyond < 1e-15, "the corners of a box off the middle are on the sphere around it");
    ok(fabs(depth - 0.02) < 1e-12 && fabs(cf_vec_norm(n) - 1) < 1e-12, "moved along n to a depth");
    test_slopes(with_cell, cell, &p, "two boxes");
    p.origin_m[0] = 3;
    depth = cf_cells_depth(&cell[0], &p, &cell[1], n, point);
    ok(depth < -2 && depth > -3 && n[0] > 0.99, "far apart: the gap of spheres around them");
    cf_cell_free(&cell[0]);
    cf_cell_free(&cell[1]);
}

/* The polytope of the box's faces, owned by the cell. */
static void test_polytope(void)
{
    struct cf_cell box = box_of(0.3, 0.2, 0.4, none),
                   same = {.piece = {.form = cf_form_find("polytope")}};
    const struct cf_polytope *faces = &box.faces;
    struct cf_polytope *own = calloc(1, sizeof *own);
    double(*vertex)[3] = calloc(8, sizeof *vertex);
    size_t *count = calloc(6, sizeof *count), *corner = calloc(24, sizeof *corner);
    struct cf_placing p = placing_of(0.05, -0.1, 0.1, 0.7);
    struct cf_volume v[2];
    double worst = 0;

    memcpy(vertex, faces->vertex_m, 8 * sizeof *vertex);
    memcpy(count, faces->ncorner, 6 * sizeof *count);
    memcpy(corner, faces->corner, 24 * sizeof *corner);
    *own = (struct cf_polytope){8, 6, (const double(*)[3]) vertex, count, corner};
    same.piece.polytope = own;
    memcpy(&same.at, &box.at, sizeof same.at);
    ok(!cf_cell_make(&same, NULL) && fabs(same.radius_m - box.radius_m) < 1e-15 &&
           fabs(box.radius_m - sqrt(0.3 * 0.3 + 0.2 * 0.2 + 0.4 * 0.4) / 2) < 1e-15,
       "a sphere around both");
    with_plane(&box, &p, &v[0]);
    with_plane(&same, &p, &v[1]);
    for (int i = 0; i < 13; i++)
        worst = fmax(worst, fabs(number(&v[0], i) - number(&v[1], i)));
    ok(v[0].volume_m3 > 0 && worst < 1e-15, "a box and its polytope (%.0e)", worst);
    cf_cell_free(&box);
    cf_cell_free(&same);
}

static void test_refused(void)
{
    struct cf_cell cell = {.piece = {.form = cf_form_find("box"), .size_m = {0.3, 0, 0.4}}};
    struct cf_error err = {""};

    ok(cf_cell_make(&cell, &err) == CF_ERANGE, "a box without a side: %s", err.text);
    cell.piece.size_m[1] = 1;
    ok(cf_cell_make(&cell, &err) == CF_ERANGE, "a frame that is none: %s", err.text);
    cf_cell_free(&cell);
}

TEST(volume_cells)
{
    plan(3 + 3 + 4 + 2 + 2);
    test_cut(0, "flat");
    test_cut(0.02, "on an edge");
    test_cut(0.8, "on a corner");
    test_forms();
    test_pair();
    test_polytope();
    test_refused();
    return done();
}
