/* Shapes against a search: the nearest point of a surface, which is given by two parameters and
 * searched on ever finer grids, without any formula of distance. Then against their own
 * differences, and turned in space.
 */

#include <math.h>
#include <string.h>

#include "core/random.h"
#include "geometry/shape.h"
#include "geometry/vector.h"
#include "law/tangent.h"
#include "tap.h"

enum { NSOLID = 20, NCENTRE = 10 };

/* A surface, q(u, v) in one or two patches: where a search starts, and where the patch ends. */
struct surface {
    const char *name;
    int npatch;
    double u[2], v[2], least_u, least_v;
    void (*point)(const struct cf_solid *solid, int patch, double u, double v, double q[3]);
    bool (*within)(const struct cf_solid *solid, const double p[3]); /* p: from the solid's point */
};

/* origin + u a + v b */
static void combine(const double origin[3], double u, const double a[3], double v,
                    const double b[3], double q[3])
{
    cf_vec_add_scaled(origin, u, a, q);
    cf_vec_add_scaled(q, v, b, q);
}

static void on_plane(const struct cf_solid *solid, int patch, double u, double v, double q[3])
{
    struct cf_tangent frame;
    double foot[3];

    (void) patch;
    cf_tangent_frame(solid->direction[0], &frame);
    cf_vec_scale(solid->size[0], solid->direction[0], foot);
    combine(foot, u, frame.axis[0], v, frame.axis[1], q);
}

static bool in_plane(const struct cf_solid *solid, const double p[3])
{
    return cf_vec_dot(p, solid->direction[0]) < solid->size[0];
}

static void on_sphere(const struct cf_solid *solid, int patch, double u, double v, double q[3])
{
    const double way[3] = {sin(u) * cos(v), sin(u) * sin(v), cos(u)};

    (void) patch;
    cf_vec_add_scaled(solid->point_m, solid->size[0], way, q);
}

static bool in_sphere(const struct cf_solid *solid, const double p[3])
{
    return hypot(hypot(p[0], p[1]), p[2]) < solid->size[0];
}

/* Down each face from the edge, square to it. */
static void on_edge(const struct cf_solid *solid, int patch, double u, double v, double q[3])
{
    const double *n = solid->direction[patch], *other = solid->direction[1 - patch];
    double along[3], down[3];

    cf_vec_cross(n, other, along);
    cf_vec_scale(1 / cf_vec_norm(along), along, along);
    cf_vec_add_scaled(other, -cf_vec_dot(other, n), n, down);
    cf_vec_scale(-1 / cf_vec_norm(down), down, down);
    combine(solid->point_m, u, along, v, down, q);
}

static bool in_edge(const struct cf_solid *solid, const double p[3])
{
    return cf_vec_dot(p, solid->direction[0]) < 0 && cf_vec_dot(p, solid->direction[1]) < 0;
}

static void on_cylinder(const struct cf_solid *solid, int patch, double u, double v, double q[3])
{
    struct cf_tangent frame;

    (void) patch;
    cf_tangent_frame(solid->direction[0], &frame);
    combine(solid->point_m, solid->size[0] * cos(v), frame.axis[0], solid->size[0] * sin(v),
            frame.axis[1], q);
    cf_vec_add_scaled(q, u, solid->direction[0], q);
}

static bool in_cylinder(const struct cf_solid *solid, const double p[3])
{
    double moment[3];
    cf_vec_cross(p, solid->direction[0], moment);
    return cf_vec_norm(moment) < solid->size[0];
}

static bool in_bore(const struct cf_solid *solid, const double p[3])
{
    return !in_cylinder(solid, p);
}

static void on_cone(const struct cf_solid *solid, int patch, double u, double v, double q[3])
{
    double wide = u * sin(solid->size[0] / 2), down = u * cos(solid->size[0] / 2);
    struct cf_tangent frame;

    (void) patch;
    cf_tangent_frame(solid->direction[0], &frame);
    combine(solid->point_m, wide * cos(v), frame.axis[0], wide * sin(v), frame.axis[1], q);
    cf_vec_add_scaled(q, -down, solid->direction[0], q);
}

static bool in_cone(const struct cf_solid *solid, const double p[3])
{
    return acos(-cf_vec_dot(p, solid->direction[0]) / cf_vec_norm(p)) < solid->size[0] / 2;
}

static void on_funnel(const struct cf_solid *solid, int patch, double u, double v, double q[3])
{
    on_cone(solid, patch, u, v, q);
    cf_vec_add_scaled(q, 2 * u * cos(solid->size[0] / 2), solid->direction[0], q);
}

static bool in_funnel(const struct cf_solid *solid, const double p[3])
{
    return acos(cf_vec_dot(p, solid->direction[0]) / cf_vec_norm(p)) > solid->size[0] / 2;
}

/* The search starts off the apex, where v has no effect. */
static const struct surface surfaces[] = {
    {"plane", 1, {-0.3, 0.3}, {-0.3, 0.3}, -1, -1, on_plane, in_plane},
    {"sphere", 1, {0, 3.2}, {0, 6.3}, -9, -9, on_sphere, in_sphere},
    {"edge", 2, {-0.3, 0.3}, {0, 0.3}, -1, 0, on_edge, in_edge},
    {"cylinder", 1, {-0.3, 0.3}, {0, 6.3}, -1, -9, on_cylinder, in_cylinder},
    {"bore", 1, {-0.3, 0.3}, {0, 6.3}, -1, -9, on_cylinder, in_bore},
    {"cone", 1, {1e-4, 0.3}, {0, 6.3}, 0, -9, on_cone, in_cone},
    {"funnel", 1, {1e-4, 0.3}, {0, 6.3}, 0, -9, on_funnel, in_funnel},
};

/* The nearest point among `grid` x `grid` around u[0], u[1], each by steps; moves there. */
static double nearest_of(const struct surface *s, const struct cf_solid *solid, int patch, int grid,
                         const double step[2], const double centre[3], double at[2], double q[3])
{
    double middle[2] = {at[0], at[1]}, least = INFINITY;

    for (int i = 0; i < grid; i++)
        for (int j = 0; j < grid; j++) {
            double u = fmax(s->least_u, middle[0] + step[0] * (i - (grid - 1) / 2.0));
            double v = fmax(s->least_v, middle[1] + step[1] * (j - (grid - 1) / 2.0));
            double to[3], there[3], d;

            s->point(solid, patch, u, v, there);
            cf_vec_sub(centre, there, to);
            d = cf_vec_norm(to);
            if (d < least) {
                least = d, at[0] = u, at[1] = v;
                memcpy(q, there, sizeof there);
            }
        }
    return least;
}

/* Depth and normal as the search finds them. */
static void search(const struct surface *s, const struct cf_solid *solid, double radius,
                   const double centre[3], struct cf_touch *out)
{
    enum { COARSE = 25, FINE = 5, ROUNDS = 45 };
    double least = INFINITY, p[3], sign;

    for (int patch = 0; patch < s->npatch; patch++) {
        double at[2] = {(s->u[0] + s->u[1]) / 2, (s->v[0] + s->v[1]) / 2};
        double step[2] = {(s->u[1] - s->u[0]) / (COARSE - 1), (s->v[1] - s->v[0]) / (COARSE - 1)};
        double q[3], d;

        d = nearest_of(s, solid, patch, COARSE, step, centre, at, q);
        for (int i = 0; i < ROUNDS; i++) {
            step[0] *= 0.55, step[1] *= 0.55;
            d = nearest_of(s, solid, patch, FINE, step, centre, at, q);
        }
        if (d < least) {
            least = d;
            cf_vec_sub(centre, q, out->n);
        }
    }
    cf_vec_sub(centre, solid->point_m, p);
    sign = s->within(solid, p) ? -1 : 1;
    out->depth_m = radius - sign * least;
    cf_vec_scale(sign / least, out->n, out->n);
}

static double between(gsl_rng *rng, double low, double high)
{
    return low + (high - low) * gsl_rng_uniform(rng);
}

static void draw_vector(gsl_rng *rng, double most, double a[3])
{
    for (int i = 0; i < 3; i++)
        a[i] = between(rng, -most, most);
}

static bool draw_solid(gsl_rng *rng, const char *name, struct cf_solid *solid)
{
    *solid = (struct cf_solid){.shape = cf_shape_find(name)};
    if (solid->shape->point)
        draw_vector(rng, 0.05, solid->point_m);
    for (int i = 0; i < CF_SHAPE_DIRECTIONS && solid->shape->direction[i]; i++)
        draw_vector(rng, 7, solid->direction[i]);
    if (strcmp(name, "plane") == 0)
        solid->size[0] = between(rng, -0.05, 0.05);
    else
        solid->size[0] = strcmp(name, "cone") == 0 || strcmp(name, "funnel") == 0
                             ? between(rng, 0.3, 3.0)
                             : between(rng, 0.005, 0.05);
    return cf_solid_make(solid, NULL) == CF_OK;
}

static double apart(const double a[3], const double b[3])
{
    double d[3];
    cf_vec_sub(a, b, d);
    return cf_vec_norm(d);
}

/* Central differences of depth and n against -n and turn, and of turn against its bend, the latter
 * two relative. */
static void differ(const struct cf_solid *solid, double radius, const double centre[3],
                   const struct cf_touch *touch, double worst[3])
{
    static const double h = 1e-6;
    double most = 1, off = 0, bent = 0, most_bent = 1;

    for (int j = 0; j < 3; j++) {
        double there[3] = {centre[0], centre[1], centre[2]};
        struct cf_touch up, down;

        there[j] = centre[j] + h;
        cf_solid_touch(solid, radius, there, &up);
        there[j] = centre[j] - h;
        cf_solid_touch(solid, radius, there, &down);
        worst[0] = fmax(worst[0], fabs((up.depth_m - down.depth_m) / (2 * h) + touch->n[j]));
        for (int i = 0; i < 3; i++) {
            most = fmax(most, fabs(touch->turn[i][j]));
            off = fmax(off, fabs((up.n[i] - down.n[i]) / (2 * h) - touch->turn[i][j]));
        }
        double d[3] = {j == 0, j == 1, j == 2}, bend[3][3];
        cf_touch_bend(touch, d, bend);
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++) {
                double want = (up.turn[i][k] - down.turn[i][k]) / (2 * h);
                most_bent = fmax(most_bent, fabs(want));
                bent = fmax(bent, fabs(bend[i][k] - want));
            }
    }
    worst[1] = fmax(worst[1], off / most);
    worst[2] = fmax(worst[2], bent / most_bent);
}

static void test_surface(const struct surface *s, gsl_rng *rng)
{
    double depth = 0, n = 0, unit = 0, smooth[3] = {0};
    bool all = true;

    for (int i = 0; i < NSOLID; i++) {
        struct cf_solid solid;
        all = draw_solid(rng, s->name, &solid) && all;
        for (int j = 0; j < NCENTRE; j++) {
            double centre[3], radius = j ? between(rng, 0, 0.02) : 0;
            struct cf_touch got, want;

            draw_vector(rng, 0.06, centre);
            cf_vec_add_scaled(centre, 1, solid.point_m, centre);
            all = cf_solid_touch(&solid, radius, centre, &got) && all;
            search(s, &solid, radius, centre, &want);
            depth = fmax(depth, fabs(got.depth_m - want.depth_m));
            n = fmax(n, apart(got.n, want.n));
            unit = fmax(unit, fabs(cf_vec_norm(got.n) - 1));
            differ(&solid, radius, centre, &got, smooth);
        }
    }
    ok(all, "%s: is made, has a normal", s->name);
    ok(depth < 1e-14, "%s: depth as a search finds it (%.1e m)", s->name, depth);
    ok(n < 1e-6 && unit < 1e-15, "%s: n, too (%.1e), a unit vector (%.1e)", s->name, n, unit);
    ok(smooth[0] < 1e-6, "%s: d(depth) = -n d(centre) (%.1e)", s->name, smooth[0]);
    ok(smooth[1] < 1e-5, "%s: n' = turn centre' (%.1e)", s->name, smooth[1]);
    ok(smooth[2] < 1e-4, "%s: and turn' (%.1e)", s->name, smooth[2]);
}

/* A rotation: two frames, one after the other. */
static void draw_rotation(gsl_rng *rng, double q[3][3])
{
    double m[2][3][3];

    for (int k = 0; k < 2; k++) {
        struct cf_tangent frame;
        draw_vector(rng, 1, m[k][2]);
        cf_vec_scale(1 / cf_vec_norm(m[k][2]), m[k][2], m[k][2]);
        cf_tangent_frame(m[k][2], &frame);
        memcpy(m[k][0], frame.axis[0], sizeof m[k][0]);
        memcpy(m[k][1], frame.axis[1], sizeof m[k][1]);
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            q[i][j] = m[0][i][0] * m[1][j][0] + m[0][i][1] * m[1][j][1] + m[0][i][2] * m[1][j][2];
}

/* Q T Q^T */
static void turned(double q[3][3], double t[3][3], double out[3][3])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double along[3];
            cf_vec_turn(t, q[j], along);
            out[i][j] = cf_vec_dot(q[i], along);
        }
}

/* The solid turned by q and moved by `shift`. */
static void carry(const struct cf_solid *from, double q[3][3], const double shift[3],
                  struct cf_solid *to)
{
    *to = *from;
    cf_vec_turn(q, from->point_m, to->point_m);
    cf_vec_add_scaled(to->point_m, 1, shift, to->point_m);
    for (int i = 0; i < CF_SHAPE_DIRECTIONS; i++)
        cf_vec_turn(q, from->direction[i], to->direction[i]);
    if (!from->shape->point) /* a plane has its height above the origin */
        to->size[0] += cf_vec_dot(to->direction[0], shift);
}

static void test_isotropy(const char *name, gsl_rng *rng)
{
    double depth = 0, n = 0, turn = 0;

    for (int k = 0; k < 200; k++) {
        struct cf_solid here, there;
        struct cf_touch a, b;
        double q[3][3], shift[3], centre[3], moved[3], want[3], want_turn[3][3];

        draw_solid(rng, name, &here);
        draw_rotation(rng, q);
        draw_vector(rng, 0.1, shift);
        draw_vector(rng, 0.1, centre);
        carry(&here, q, shift, &there);
        cf_vec_turn(q, centre, moved);
        cf_vec_add_scaled(moved, 1, shift, moved);
        cf_solid_touch(&here, 0.01, centre, &a);
        cf_solid_touch(&there, 0.01, moved, &b);
        cf_vec_turn(q, a.n, want);
        turned(q, a.turn, want_turn);
        depth = fmax(depth, fabs(b.depth_m - a.depth_m));
        n = fmax(n, apart(b.n, want));
        for (int i = 0; i < 3; i++)
            turn = fmax(turn, apart(b.turn[i], want_turn[i]) / fmax(1, cf_vec_norm(a.turn[i])));
    }
    ok(depth < 1e-15 && n < 1e-12 && turn < 1e-9,
       "%s: turned and moved it gives the turned answer (%.1e m, %.1e, %.1e)", name, depth, n,
       turn);
}

TEST(geometry)
{
    enum { NSURFACE = sizeof surfaces / sizeof surfaces[0] };
    gsl_rng *rng = cf_random_stream(7, 5);
    size_t n = 0;

    plan(7 * NSURFACE + 1);
    while (cf_shapes[n])
        n++;
    ok(rng && n == NSURFACE, "every shape is searched");
    for (int i = 0; i < NSURFACE; i++) {
        test_surface(&surfaces[i], rng);
        test_isotropy(surfaces[i].name, rng);
    }
    gsl_rng_free(rng);
    return done();
}
