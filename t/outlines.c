/* What pictures of bodies are made of: lines where a field is 0, hulls of points, the parts of a
 * body; and curves with many axes, thinned. Expected places follow from geometry by hand.
 */

#define _XOPEN_SOURCE 700
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/vector.h"
#include "report/body_outline.h"
#include "report/contour.h"
#include "report/points_hull.h"
#include "report/thin.h"
#include "scene/scene_file.h"
#include "tap.h"

static double circle(const void *of, double x, double y)
{
    (void) of;
    return 1 - hypot(x - 0.3, y + 0.2);
}

static double half_plane(const void *of, double x, double y)
{
    (void) of;
    return 0.37 - x - 0.5 * y;
}

static double two_discs(const void *of, double x, double y)
{
    (void) of;
    return fmax(0.5 - hypot(x - 1, y), 0.25 - hypot(x + 1, y));
}

/* The product of two lines, which cross in the middle of a cell. */
static double saddle(const void *of, double x, double y)
{
    (void) of;
    return (x - 0.05) * (y - 0.05);
}

static struct cf_contour find(double (*value)(const void *, double, double), size_t nx, size_t ny)
{
    const struct cf_field field = {value, NULL, {-2, 2}, {-2, 2}, nx, ny};
    struct cf_contour contour;
    struct cf_error err = {""};

    ok(cf_contour_find(&field, &contour, &err) == CF_OK, "%s", *err.text ? err.text : "found");
    return contour;
}

static size_t lines_of(const struct cf_contour *c)
{
    size_t n = 0;
    for (size_t i = 0; i < c->n; i++)
        n += !isfinite(c->place[i].x);
    return n;
}

static void check_contours(void)
{
    struct cf_contour c = find(circle, 80, 60);
    double worst = 0, way = 0;

    ok(lines_of(&c) == 1, "a circle is one line");
    ok(c.n > 3 && c.place[0].x == c.place[c.n - 2].x && c.place[0].y == c.place[c.n - 2].y,
       "which closes");
    for (size_t i = 0; i + 1 < c.n; i++) {
        worst = fmax(worst, fabs(circle(NULL, c.place[i].x, c.place[i].y)));
        if (i > 0)
            way += hypot(c.place[i].x - c.place[i - 1].x, c.place[i].y - c.place[i - 1].y);
    }
    ok(worst < 1e-3, "on the circle: off by %g", worst);
    is_near(way, 2 * M_PI, 2e-3, "once round");
    cf_contour_free(&c);

    c = find(half_plane, 7, 11);
    ok(lines_of(&c) == 1 && c.n > 2, "an edge is one line");
    double first = fmax(fabs(c.place[0].x), fabs(c.place[0].y)),
           last = fmax(fabs(c.place[c.n - 2].x), fabs(c.place[c.n - 2].y));
    ok(first == 2 && last == 2, "from border to border");
    worst = 0;
    for (size_t i = 0; i + 1 < c.n; i++)
        worst = fmax(worst, fabs(half_plane(NULL, c.place[i].x, c.place[i].y)));
    ok(worst < 1e-14, "exact, where the field is linear: %g", worst);
    cf_contour_free(&c);

    c = find(two_discs, 100, 100);
    ok(lines_of(&c) == 2, "two discs are two lines");
    cf_contour_free(&c);

    /* cells of 0.4 from -2 on: the lines cross in the cell from -0.0.. whose corners have signs by
     * turns; wherever they part there, none is lost */
    c = find(saddle, 10, 10);
    ok(lines_of(&c) == 2, "where two lines cross, both are followed");
    worst = 0;
    for (size_t i = 0; i < c.n; i++)
        if (isfinite(c.place[i].x))
            worst = fmax(worst, fmin(fabs(c.place[i].x - 0.05), fabs(c.place[i].y - 0.05)));
    ok(worst < 1e-12, "along both: %g", worst);
    /* in the middle of that cell the product is above 0: places where it is are not parted there */
    for (size_t i = 0, from = 0; i < c.n; i++) {
        if (isfinite(c.place[i].x))
            continue;
        double across = (c.place[from].x + c.place[i - 1].x) - (c.place[from].y + c.place[i - 1].y);
        double along = (c.place[from].x + c.place[i - 1].x) + (c.place[from].y + c.place[i - 1].y);
        ok(fabs(fabs(across) - 4) < 0.2 && fabs(along) < 0.3, "a line turns where it should");
        from = i + 1;
    }
    cf_contour_free(&c);
}

/* Sum of the areas of the faces, and of the volumes under them. */
static void measure(const struct cf_body_outline *o, double *area, double *volume)
{
    *area = *volume = 0;
    for (size_t f = 0; f < o->nline; f++) {
        double twice[3] = {0, 0, 0};
        const double *a = o->line[f].at_m[0];
        for (size_t i = 1; i + 1 < o->line[f].n; i++) {
            double u[3], v[3], w[3];
            cf_vec_sub(o->line[f].at_m[i], a, u);
            cf_vec_sub(o->line[f].at_m[i + 1], a, v);
            cf_vec_cross(u, v, w);
            cf_vec_add_scaled(twice, 1, w, twice);
        }
        *area += cf_vec_norm(twice) / 2;
        *volume += cf_vec_dot(a, twice) / 6;
    }
}

static void check_hulls(void)
{
    struct cf_ball points[40];
    struct cf_body_outline o = {0};
    double area, volume;
    size_t n = 0;

    /* all places of a grid of 3 x 3 x 3: of the faces, middles of edges and of faces lie on them */
    for (int i = 0; i < 27; i++)
        points[n++] = (struct cf_ball){{i % 3, i / 3 % 3, 2.0 * (i / 9)}, 0};
    cf_points_hull(points, n, &o);
    ok(!o.failed && o.nline == 6, "a grid of points has six faces, %zu", o.nline);
    bool corners = true;
    for (size_t f = 0; f < o.nline; f++)
        corners = corners && o.line[f].n == 4;
    ok(corners, "of four corners");
    measure(&o, &area, &volume);
    is_near(area, 2 * (2 * 2 + 2 * 4 + 2 * 4), 1e-12, "their area");
    is_near(volume, 2 * 2 * 4, 1e-12, "and what they enclose, outwards");
    cf_body_outline_free(&o);

    /* an icosahedron, in a cyclic order of its coordinates */
    const double phi = (1 + sqrt(5)) / 2;
    n = 0;
    for (int k = 0; k < 3; k++)
        for (int s = 0; s < 4; s++) {
            struct cf_ball *p = &points[n++];
            *p = (struct cf_ball){{0, 0, 0}, 0};
            p->centre_m[(k + 1) % 3] = s & 1 ? 1 : -1;
            p->centre_m[(k + 2) % 3] = s & 2 ? phi : -phi;
        }
    cf_points_hull(points, n, &o);
    measure(&o, &area, &volume);
    ok(o.nline == 20, "an icosahedron has 20 faces, %zu", o.nline);
    is_near(area, 5 * sqrt(3) * 4, 1e-12, "its area");
    is_near(volume, 5.0 / 12 * (3 + sqrt(5)) * 8, 1e-12, "its volume");
    cf_body_outline_free(&o);

    for (int i = 0; i < 4; i++)
        points[i] = (struct cf_ball){{i & 1, i >> 1, 0.5}, 0};
    cf_points_hull(points, 4, &o);
    ok(o.nline == 2 && o.line[0].n == 4, "a flat body is a face from both sides");
    cf_body_outline_free(&o);
    for (int i = 0; i < 4; i++)
        points[i] = (struct cf_ball){{i, 2.0 * i, 0}, 0};
    cf_points_hull(points, 4, &o);
    ok(o.nline == 0 && !o.failed, "points on a line have no face");
    cf_body_outline_free(&o);
}

static const char scene[] =
    "contactfit: scene/1\ntitle: forms\ngravity: 9.81 m/s^2\nduration: 1 s\nbodies:\n"
    "  rod:\n    cells: [{cylinder: {radius: 3 cm, length: 10 cm}}]\n    mass: 1 kg\n"
    "    inertia: [1 kg m^2, 1 kg m^2, 1 kg m^2]\n    position: [0 m, 0 m, 1 m]\n"
    "  ball:\n    cells: [{sphere: {radius: 2 cm, center: [1 cm, 0 m, 0 m]}}]\n    mass: 1 kg\n"
    "    inertia: [1 kg m^2, 1 kg m^2, 1 kg m^2]\n    position: [1 m, 0 m, 1 m]\n"
    "  brick:\n    cells: [{box: {size: [1 cm, 2 cm, 3 cm]}}]\n    mass: 1 kg\n"
    "    inertia: [1 kg m^2, 1 kg m^2, 1 kg m^2]\n    position: [2 m, 0 m, 1 m]\n"
    "  bowl:\n    cells: [{intersection: [{sphere: {radius: 3 cm}}, {half-space: {}}, {sphere: "
    "{radius: 2 cm, hole: true}}]}]\n    mass: 1 kg\n"
    "    inertia: [1 kg m^2, 1 kg m^2, 1 kg m^2]\n    position: [3 m, 0 m, 1 m]\n"
    "  floor: {plane: {normal: [0, 0, 1], height: 0 m}, fixed: true}\n"
    "contacts:\n"
    "  - {between: [ball, floor], foundation: {law: gonthier-volumetric, kv: 1e9 N/m^3, e: 0.5,\n"
    "     v_small: 1e-4 m/s}}\n";

static struct cf_body_outline outline_of(const struct cf_scene *of, const char *name)
{
    struct cf_body_outline o = {0};
    struct cf_error err = {""};
    size_t b = 0;

    while (b < of->nbody && strcmp(of->body[b].name, name) != 0)
        b++;
    ok(b < of->nbody && cf_body_outline_find(of, b, &o, &err) == CF_OK, "%s has an outline", name);
    return o;
}

static void check_bodies(void)
{
    char path[] = "/tmp/outlines-XXXXXX";
    struct cf_error err = {""};
    int file = mkstemp(path);
    FILE *out = file < 0 ? NULL : fdopen(file, "w");

    if (!out)
        exit(99);
    fputs(scene, out);
    fclose(out);
    struct cf_scene_file *read = cf_scene_read(path, NULL, 0, &err);
    remove(path);
    ok(read != NULL, "a scene of forms%s%s", *err.text ? ": " : "", err.text);
    if (!read)
        exit(done());

    struct cf_body_outline o = outline_of(&read->scene, "rod");
    ok(o.ndisc == 0 && o.nline == 3 && !o.line[0].face, "a cylinder has three sections");
    double reach = 0, flat = 0, low = 0, high = 0;
    for (size_t i = 0; o.nline == 3 && i < 3; i++)
        for (size_t k = 0; k < o.line[i].n; k++) {
            const double *at = o.line[i].at_m[k];
            reach = fmax(reach, hypot(at[0], at[1]));
            low = fmin(low, at[2]);
            high = fmax(high, at[2]);
            flat = i == 2 ? fmax(flat, fabs(hypot(at[0], at[1]) - 0.03)) : flat;
        }
    is_near(reach, 0.03, 1e-12, "as wide as it is");
    is_near(high - low, 0.10, 1e-12, "as long as it is");
    ok(flat < 1e-12, "round about its axis: %g", flat);
    cf_body_outline_free(&o);

    o = outline_of(&read->scene, "ball");
    ok(o.nline == 0 && o.ndisc == 1 && o.disc[0].radius_m == 0.02 && o.disc[0].centre_m[0] == 0.01,
       "a sphere is a disc in its place");
    cf_body_outline_free(&o);

    double area, volume;
    o = outline_of(&read->scene, "brick");
    measure(&o, &area, &volume);
    ok(o.nline == 6, "a box has six faces");
    is_near(volume, 6e-6, 1e-12, "and its volume");
    cf_body_outline_free(&o);

    o = outline_of(&read->scene, "bowl");
    ok(o.nline == 3 && o.ndisc == 0, "what primitives have in common has three sections");
    low = high = reach = 0;
    for (size_t i = 0; i < o.nline; i++)
        for (size_t k = 0; k < o.line[i].n; k++) {
            low = fmin(low, o.line[i].at_m[k][2]);
            high = fmax(high, o.line[i].at_m[k][2]);
            reach = fmax(reach, cf_vec_norm(o.line[i].at_m[k]));
        }
    is_near(low, -0.03, 1e-6, "down to its bottom");
    ok(high < 1e-6, "up to its rim: %g", high);
    is_near(reach, 0.03, 1e-6, "out to its outside");
    const double wall[3] = {0, 0, -0.025}, hollow[3] = {0, 0, -0.01};
    for (size_t b = 0; b < read->scene.nbody; b++)
        if (strcmp(read->scene.body[b].name, "bowl") == 0) {
            is_near(cf_cell_part_depth(read->scene.body[b].cell, wall), 0.005, 1e-9,
                    "the middle of its wall is half of it deep");
            is_near(cf_cell_part_depth(read->scene.body[b].cell, hollow), -0.01, 1e-9,
                    "and its hollow is outside");
        }
    cf_body_outline_free(&o);

    o = outline_of(&read->scene, "floor");
    ok(o.nline == 0 && o.ndisc == 0, "a plane has no end");
    cf_body_outline_free(&o);
    cf_scene_file_free(read);
}

/* Nine axes, of which one has a corner that no other has. */
static void check_many_axes(void)
{
    enum { AXES = 9, N = 101 };
    static double x[AXES][N];
    const double *axis[AXES];
    double scale[AXES];
    bool keep[N];
    struct cf_error err = {""};
    size_t n = 0;

    for (int a = 0; a < AXES; a++) {
        axis[a] = x[a];
        scale[a] = 1;
        for (int i = 0; i < N; i++)
            x[a][i] = a == 8 ? fabs(i - 37.0) / 100 : i / 100.0;
    }
    ok(cf_thin(AXES, axis, scale, N, 1e-9, keep, &err) == CF_OK, "nine axes are thinned");
    for (int i = 0; i < N; i++)
        n += keep[i];
    ok(n == 3 && keep[0] && keep[37] && keep[N - 1], "to the ends and the corner, %zu", n);
}

TEST(outlines)
{
    plan(15 + 10 + 20 + 2);
    check_contours();
    check_hulls();
    check_bodies();
    check_many_axes();
    return done();
}
