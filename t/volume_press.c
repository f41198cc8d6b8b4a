/* Volume over depth of a straight press: polytopes on a vertex, an edge, a face; a ring, a bored
 * ball, a ball with a flat, a pot whose hole ends inside by formulas that are written out here; a
 * tilted cylinder against the exact function of volume.h. What is no table, and no body.
 */

#include <math.h>
#include <string.h>

#include "tap.h"
#include "volume/press.h"

static const double pi = 3.14159265358979323846, R = 5e-3, r = 2e-3, L = 20e-3;
static const double up[3] = {0, 0, 1}, askew[3] = {0.6, 0, 0.8};

struct mine {
    double m3, m2;
};

/* The greatest errors of V and dV/dz, relative, at depths that grow by a seventh from a share of
 * the length to all of it. */
static void compare(const struct cf_press *press, struct mine (*want)(double z), double least,
                    double error, const char *what)
{
    double extent = press ? cf_press_extent(press) : 0, worst = press ? 0 : NAN, slope = worst;

    for (double z = least * extent; z < extent; z *= 8. / 7) {
        struct mine w = want(z);
        double m3, m2;
        cf_press_at(press, z, &m3, &m2);
        worst = fmax(worst, fabs(m3 / w.m3 - 1));
        slope = fmax(slope, fabs(m2 / w.m2 - 1));
    }
    ok(worst < error && slope < 10 * error, "%s: V to %.0e, dV/dz to %.0e of itself", what, worst,
       slope);
}

/* ---- polytopes */

static const double tip[4][3] = {{0, 0, 0}, {1e-3, 0, 3e-3}, {0, 2e-3, 3e-3}, {-1e-3, -1e-3, 3e-3}};
static const size_t threes[4] = {3, 3, 3, 3}, sides[12] = {1, 2, 3, 0, 2, 1, 0, 3, 2, 0, 1, 3};
static const struct cf_polytope tetrahedron = {4, 4, tip, threes, sides};

/* A third of the base of 2.5 mm^2 times the height, at the tip by the cube of the depth. */
static struct mine on_tip(double z)
{
    double whole = 2.5e-6 * 3e-3 / 3, t = z / 3e-3;
    return (struct mine){whole * t * t * t, 3 * whole / 3e-3 * t * t};
}

/* By its base. */
static struct mine on_base(double z)
{
    double whole = 2.5e-6 * 3e-3 / 3, t = 1 - z / 3e-3;
    return (struct mine){whole * (1 - t * t * t), 2.5e-6 * t * t};
}

enum { CORNERS = 24 };
static const double cube[8][3] = {{0, 0, 0},       {1e-2, 0, 0},      {0, 1e-2, 0},
                                  {1e-2, 1e-2, 0}, {0, 0, 1e-2},      {1e-2, 0, 1e-2},
                                  {0, 1e-2, 1e-2}, {1e-2, 1e-2, 1e-2}};
static const size_t fours[6] = {4, 4, 4, 4, 4, 4},
                    faces[CORNERS] = {0, 4, 6, 2, 1, 3, 7, 5, 0, 1, 5, 4,
                                      2, 6, 7, 3, 0, 2, 3, 1, 4, 5, 7, 6};
static const struct cf_polytope box = {8, 6, cube, fours, faces};

/* Of a cube of side 1 cm along (1, 2, 3)/sqrt(14), by the corners that are in: sum of (-1)^k of the
 * corners' cubes of depth over 6 n_x n_y n_z. */
static struct mine on_corner(double z)
{
    const double n[3] = {1 / sqrt(14), 2 / sqrt(14), 3 / sqrt(14)};
    struct mine sum = {0, 0};

    for (int corner = 0; corner < 8; corner++) {
        double left = z, sign = 1;
        for (int k = 0; k < 3; k++)
            if (corner >> k & 1) {
                left -= 1e-2 * n[k];
                sign = -sign;
            }
        if (left > 0) {
            sum.m3 += sign * left * left * left / (6 * n[0] * n[1] * n[2]);
            sum.m2 += sign * left * left / (2 * n[0] * n[1] * n[2]);
        }
    }
    return sum;
}

static struct mine on_face(double z)
{
    return (struct mine){1e-4 * z, 1e-4};
}

/* On an edge, at 45 deg. */
static struct mine on_edge(double z)
{
    double half = 1e-2 / sqrt(2), far = 2 * half - z;
    return z < half ? (struct mine){1e-2 * z * z, 2e-2 * z}
                    : (struct mine){1e-2 * (2 * half * half - far * far), 2e-2 * far};
}

static void press_polytope(const struct cf_polytope *polytope, double x, double y, double z,
                           struct mine (*want)(double z), double extent, const char *what)
{
    const double length = sqrt(x * x + y * y + z * z), n[3] = {x / length, y / length, z / length};
    struct cf_press *press = NULL;
    struct cf_error err = {""};
    int status = cf_press_polytope(polytope, n, &press, &err);

    ok(status == CF_OK, "%s: %s", what, err.text);
    compare(press, want, 1e-4, 1e-11, what);
    is_near(press ? cf_press_extent(press) / extent : NAN, 1, 1e-14, "its length");
    cf_press_release(press);
}

static void test_polytopes(void)
{
    press_polytope(&tetrahedron, 0, 0, 1, on_tip, 3e-3, "tetrahedron on its vertex");
    press_polytope(&tetrahedron, 0, 0, -1, on_base, 3e-3, "tetrahedron on its base");
    press_polytope(&box, 0, 0, 1, on_face, 1e-2, "cube on a face");
    press_polytope(&box, 0, 1, 1, on_edge, sqrt(2) * 1e-2, "cube on an edge");
    press_polytope(&box, 1, 2, 3, on_corner, 6e-2 / sqrt(14), "cube on a corner");
}

/* ---- primitives */

static struct cf_implicit primitive(const char *name, double a, double b, double z, bool hole)
{
    return (struct cf_implicit){.row = cf_primitive_find(name),
                                .size = {a, b},
                                .origin_m = {0, 0, z},
                                .axis = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                                .hole = hole};
}

static struct mine ring(double z)
{
    return (struct mine){pi * (R * R - r * r) * z, pi * (R * R - r * r)};
}

/* From where the bore leaves the ball. */
static struct mine bored(double z)
{
    double h = sqrt(R * R - r * r);
    return (struct mine){pi * (h * z * z - z * z * z / 3), pi * (h * h - (h - z) * (h - z))};
}

/* A ball whose flat is 4 mm from its middle. */
static struct mine flat_ball(double z)
{
    double c = 4e-3, t = c - z;
    return (struct mine){pi * (R * R * z - (c * c * c - t * t * t) / 3), pi * (R * R - t * t)};
}

/* A hole of 3 mm into the end. */
static struct mine pot(double z)
{
    double in = fmin(z, 3e-3);
    return (struct mine){pi * (R * R * z - r * r * in), pi * (z < 3e-3 ? R * R - r * r : R * R)};
}

/* By the exact function. */
static struct mine tilted(double z)
{
    const struct cf_piece piece = {.form = cf_form_find("cylinder"), .size_m = {R, L}};
    struct cf_volume v;

    cf_volume_half_space(&piece, askew, z, &v, NULL);
    return (struct mine){v.volume_m3, -0.6 * v.volume_by[0] - 0.8 * v.volume_by[2]};
}

static void press_implicit(const struct cf_implicit body[], size_t n, const double along[3],
                           double error, struct mine (*want)(double z), double extent,
                           const char *what)
{
    struct cf_press *press = NULL;
    struct cf_error err = {""};
    int status = cf_press_implicit(body, n, along, error, 130, &press, &err);

    ok(status == CF_OK, "%s: %zu volumes %s", what, press ? press->nvolume : 0, err.text);
    compare(press, want, 1e-4, error, what);
    is_near(press ? cf_press_extent(press) / extent : NAN, 1, 1e-7, "its length");
    cf_press_release(press);
}

static void test_implicit(void)
{
    const struct cf_implicit rings[] = {primitive("cylinder", R, L, 0, false),
                                        primitive("endless-cylinder", r, 0, 0, true)};
    const struct cf_implicit beads[] = {primitive("sphere", R, 0, 0, false),
                                        primitive("endless-cylinder", r, 0, 0, true)};
    const struct cf_implicit pots[] = {primitive("cylinder", R, L, 0, false),
                                       primitive("cylinder", r, 6e-3, -L / 2, true)};
    struct cf_implicit flats[] = {primitive("sphere", R, 0, 0, false),
                                  primitive("half-space", 0, 0, -4e-3, true)};

    press_implicit(rings, 2, up, 1e-4, ring, L, "ring");
    press_implicit(beads, 2, up, 1e-4, bored, 2 * sqrt(R * R - r * r), "bored ball");
    press_implicit(pots, 2, up, 1e-4, pot, L, "pot");
    press_implicit(flats, 2, up, 1e-4, flat_ball, R + 4e-3, "ball, its flat by a hole");
    flats[1] = (struct cf_implicit){.row = cf_primitive_find("half-space"),
                                    .origin_m = {0, 0, -4e-3},
                                    .axis = {{1, 0, 0}, {0, -1, 0}, {0, 0, -1}}};
    press_implicit(flats, 2, up, 1e-5, flat_ball, R + 4e-3, "ball, its flat by a half-space");
    struct cf_implicit washers[] = {rings[0], rings[1]};
    washers[0].size[1] = 1e-4;
    press_implicit(washers, 2, up, 1e-4, ring, 1e-4, "washer, 0.1 mm thick");
    press_implicit(rings, 1, askew, 1e-4, tilted, 2 * R * 0.6 + L * 0.8, "tilted cylinder");
}

/* ---- what a table is */

static void test_table(void)
{
    const struct cf_implicit pots[] = {primitive("cylinder", R, L, 0, false),
                                       primitive("cylinder", r, 6e-3, -L / 2, true)};
    struct cf_press *press, *same;
    struct cf_error err = {""};
    double before = 0, fallen = 0, off = 0, m3, m2;

    if (cf_press_implicit(pots, 2, askew, 1e-3, 1000, &press, &err))
        return;
    for (double z = 0; z < 1.1 * cf_press_extent(press); z += 1e-3 * cf_press_extent(press)) {
        cf_press_at(press, z, &m3, &m2);
        fallen = fmax(fallen, before - m3);
        before = m3;
    }
    ok(fallen <= 0, "V grows with the depth");
    for (size_t i = 0; i < press->npiece; i++) {
        double end = press->piece[i].to_m, h = 1e-6 * (end - press->piece[i].from_m), low, high;
        cf_press_at(press, end - 3 * h, &low, &m2);
        cf_press_at(press, end - h, &high, &m2);
        cf_press_at(press, end - 2 * h, &m3, &m2);
        off = fmax(off, fabs(m2 - (high - low) / (2 * h)) / (pi * R * R));
    }
    ok(off < 1e-5, "dV/dz is its slope, to %.0e", off);
    cf_press_at(press, -1e-3, &m3, &m2);
    ok(m3 == 0 && m2 == 0, "0 before touch");
    cf_press_at(press, 1, &m3, &m2);
    is_near(1e9 * m3, 1e9 * pi * (R * R * L - r * r * 3e-3), 1e-3, "all of it where it is in");
    ok(m2 == 0, "and no more");
    ok(!cf_press_make(press->npiece, press->piece, &same, &err), "made again of its pieces");
    double again;
    cf_press_at(press, 2e-3, &m3, &m2);
    cf_press_at(same, 2e-3, &again, &m2);
    ok(m3 == again, "it is the same");
    cf_press_release(same);
    same = cf_press_share(press);
    cf_press_release(press);
    ok(cf_press_extent(same) > 0, "held once more");
    cf_press_release(same);
    ok(!cf_press_share(NULL), "of nothing, nothing");
    cf_press_release(NULL);
}

static void refused(int status, const struct cf_error *err, int want, const char *text)
{
    ok(status == want && strncmp(err->text, text, strlen(text)) == 0, "refused: %s", err->text);
}

static void test_refused(void)
{
    const struct cf_implicit full[] = {primitive("sphere", r, 0, 0, false),
                                       primitive("sphere", R, 0, 0, true)};
    const struct cf_implicit rod[] = {primitive("endless-cylinder", r, 0, 0, false)};
    const struct cf_implicit rings[] = {primitive("cylinder", R, L, 0, false),
                                        primitive("endless-cylinder", r, 0, 0, true)};
    const struct cf_press_piece gap[] = {{0, 1, 0, 1, 1, 1}, {2, 3, 1, 2, 1, 1}};
    const struct cf_press_piece falls[] = {{0, 1, 0, -1, 1, 1}};
    const struct cf_polytope open = {4, 3, tip, threes, sides};
    const double twice[3] = {0, 0, 2};
    struct cf_press *press;
    struct cf_error err = {""};

    refused(cf_press_implicit(full, 2, up, 1e-4, 1000, &press, &err), &err, CF_ERANGE,
            "body: its holes leave nothing of it");
    refused(cf_press_implicit(rod, 1, up, 1e-4, 1000, &press, &err), &err, CF_ERANGE,
            "the body has no end along the press: bound it, as by a half-space");
    refused(cf_press_implicit(rings, 2, twice, 1e-4, 1000, &press, &err), &err, CF_ERANGE,
            "direction of the press: must be a unit vector");
    refused(cf_press_implicit(rings, 2, up, 0.5, 1000, &press, &err), &err, CF_ERANGE,
            "error of a volume: must be in [1e-08, 0.1], not 0.5");
    refused(cf_press_implicit(rings, 2, up, 1e-4, 40, &press, &err), &err, CF_ESOLVE,
            "volume over depth: not to 0.0001 of itself with 40 volumes");
    refused(cf_press_polytope(&open, up, &press, &err), &err, CF_ERANGE, "");
    refused(cf_press_polytope(&box, twice, &press, &err), &err, CF_ERANGE,
            "direction of the press: must be a unit vector");
    refused(cf_press_make(2, gap, &press, &err), &err, CF_ERANGE, "piece 2 of a table of volumes");
    refused(cf_press_make(1, falls, &press, &err), &err, CF_ERANGE,
            "piece 1 of a table of volumes");
    refused(cf_press_make(0, gap, &press, &err), &err, CF_ERANGE, "a table of volumes: must have");
    ok(!press, "nothing is made");
}

TEST(volume_press)
{
    plan(15 + 21 + 9 + 11);
    test_polytopes();
    test_implicit();
    test_table();
    test_refused();
    return done();
}
