/* Work of closed loops over an edge. A sphere and a cube, without damping and friction, are led
 * against a block beside its edge, across the edge, up beyond it and back: what they took, against
 * the integral of F.dx along their path, where F of the sphere is summed here from slices of the
 * volume and an axis of its second moments, and that of the cube is a foundation under what is left
 * of its face. Led the other way round the sphere gives as much as it took.
 */

#include <math.h>
#include <string.h>

#include "lib/stage.h"
#include "tap.h"

static const double R = 0.1, KV = 1e7, LAG = 1e-3, GAP = 0.002, SPEED[2] = {0.1, 0.012};

static const char *const scene =
    "gravity: 0 m/s^2\n"
    "duration: 6 s\n"
    "bodies:\n"
    "  led:\n"
    "    %s\n"
    "    position: [0 m, %.17g m, %.17g m]\n"
    "    command:\n"
    "      yield: 0 m/(s N)\n"
    "      dead-band: 0 N\n"
    "      lag: 1 ms\n"
    "      legs:\n"
    "        - {from: 0 s, velocity: [0 m/s, %.17g m/s, %.17g m/s]}\n"
    "        - {from: %.17g s, velocity: [0 m/s, %.17g m/s, %.17g m/s]}\n"
    "        - {from: %.17g s, velocity: [0 m/s, %.17g m/s, %.17g m/s]}\n"
    "        - {from: %.17g s, velocity: [0 m/s, %.17g m/s, %.17g m/s]}\n"
    "        - {from: 5 s, velocity: [0 m/s, 0 m/s, 0 m/s]}\n"
    "  block: {%s, fixed: true}\n"
    "contacts:\n"
    "  - between: [led, block]\n"
    "    foundation: {law: winkler, kv: 1e7 N/m^3, a: 0 s/m}\n";

/* Down, across, up, and back. */
static const struct loop {
    double from_s[4], v[4][2];
} there = {{0, 1, 2.5, 3.5}, {{0, -1}, {1, 0}, {0, 1}, {-1, 0}}},
  back = {{0, 1, 2.5, 3.5}, {{0, -1}, {-1, 0}, {0, 1}, {1, 0}}};

static void led(struct stage *stage, const struct loop *loop, const char *name, const char *body,
                double y, double z, const char *block)
{
    double v[4][2];

    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 2; k++)
            v[i][k] = SPEED[k] * loop->v[i][k];
    stage_write(stage, name, scene, body, y, z, v[0][0], v[0][1], loop->from_s[1], v[1][0], v[1][1],
                loop->from_s[2], v[2][0], v[2][1], loop->from_s[3], v[3][0], v[3][1], block);
    stage_run(stage);
}

/* Where it has come to from its start, and its velocity: v follows the command with a lag. */
static void follow(const struct loop *loop, double t, double x[2], double v[2])
{
    for (int k = 0; k < 2; k++) {
        double now = 0, at = 0;
        for (int i = 0; i <= 4; i++) {
            double from = i < 4 ? loop->from_s[i] : 5, to = i < 3 ? loop->from_s[i + 1] : 5;
            double want = i < 4 ? SPEED[k] * loop->v[i][k] : 0, left;
            if (t <= from)
                break;
            to = i < 4 ? fmin(t, to) : t;
            left = exp(-(to - from) / LAG);
            at += want * (to - from) + (now - want) * LAG * (1 - left);
            now = want + (now - want) * left;
        }
        x[k] = at;
        v[k] = now;
    }
}

/* Of the slice of a disc of radius h at eta <= top: its area, and first and second moments. */
static void slice(double h, double top, double out[3])
{
    double e = fmax(-h, fmin(h, top)), s = sqrt(h * h - e * e), angle = asin(e / h) + acos(0.);

    out[0] = e * s + h * h * angle;
    out[1] = -2. / 3 * s * s * s;
    out[2] = e * s * (2 * e * e - h * h) / 4 + h * h * h * h * angle / 4;
}

/* Adds the part between two heights over the centre: V, then moments by y, z, yy, yz, zz. */
static void add_layers(double y, double low, double high, double sum[6])
{
    enum { N = 60 };

    for (int i = 0; i < N && high > low; i++) {
        /* midpoints of a variable whose weight falls off at both ends with all derivatives */
        double u = -3 + 6 * (i + 0.5) / N, a = acos(0.) * sinh(u), at = 0.5 * (1 + tanh(a));
        double weight = 6. / N * 0.5 * acos(0.) * cosh(u) / (cosh(a) * cosh(a)) * (high - low);
        double zeta = low + (high - low) * at, m[3];
        slice(sqrt(fmax(R * R - zeta * zeta, 1e-300)), -y, m);
        sum[0] += weight * m[0];
        sum[1] += weight * m[1];
        sum[2] += weight * m[0] * zeta;
        sum[3] += weight * m[2];
        sum[4] += weight * m[1] * zeta;
        sum[5] += weight * m[0] * zeta * zeta;
    }
}

/* V, and n along y and z: the axis of its second moments that is nearest to the direction from the
 * block to the centre. */
static double pressed(double y, double z, double n[2])
{
    double sum[6] = {0}, side = sqrt(fmax(R * R - y * y, 0)), top = fmin(-z, R), c[2];
    double guess[2] = {fmax(y, 0), z}, yy, yz, zz, angle, along[2], across[2];

    if (z >= R || y >= R)
        return 0;
    if (y < 0)
        add_layers(y, -R, fmin(-side, top), sum);
    add_layers(y, -side, fmin(side, top), sum);
    if (!(sum[0] > 0))
        return 0;
    c[0] = sum[1] / sum[0];
    c[1] = sum[2] / sum[0];
    yy = sum[3] - c[0] * sum[1];
    yz = sum[4] - c[0] * sum[2];
    zz = sum[5] - c[1] * sum[2];
    angle = 0.5 * atan2(2 * yz, yy - zz);
    along[0] = cos(angle), along[1] = sin(angle);
    across[0] = -along[1], across[1] = along[0];
    double a = along[0] * guess[0] + along[1] * guess[1];
    double b = across[0] * guess[0] + across[1] * guess[1];
    const double *axis = fabs(a) > fabs(b) ? along : across;
    double sign = (fabs(a) > fabs(b) ? a : b) < 0 ? -1 : 1;
    n[0] = sign * axis[0];
    n[1] = sign * axis[1];
    return sum[0];
}

/* Against the force, by Simpson's rule. */
static double work(const struct loop *loop, double y, double z)
{
    enum { N = 300 };
    double sum = 0;

    for (int i = 0; i < 4; i++) {
        double from = loop->from_s[i], end = i < 3 ? loop->from_s[i + 1] : 5;
        double span[3] = {from, from + 30 * LAG, end};
        for (int part = 0; part < 2; part++)
            for (int k = 0; k <= N; k++) {
                double t = span[part] + (span[part + 1] - span[part]) * k / N, x[2], v[2], n[2];
                double weight = k == 0 || k == N ? 1 : k % 2 ? 4 : 2;
                follow(loop, t, x, v);
                double V = pressed(y + x[0], z + x[1], n);
                if (V > 0)
                    sum -= weight * (span[part + 1] - span[part]) / (3 * N) * KV * V *
                           (n[0] * v[0] + n[1] * v[1]);
            }
    }
    return sum;
}

static const char *const ball = "sphere: {radius: 0.1 m}",
                         *const edge = "edge: {point: [0, 0, 0], normal_1: [0, 0, 1], normal_2: "
                                       "[0, 1, 0]}";

static void test_sphere(void)
{
    double y = -0.05, z = R + GAP, want = work(&there, y, z);
    struct stage stage;

    led(&stage, &there, "loop_there", ball, y, z, edge);
    double took = stage.result.energy_J[CF_ENERGY_LOOP], most = stage.result.pressed_J;
    is_near(took, want, 2e-6 * want, "a sphere: work of the loop over the edge");
    ok(stage_off(&stage) < 1e-9 && fabs(stage.result.energy_J[CF_ENERGY_WORK] - took) < 1e-9 * took,
       "and all of it is what led the sphere put in");
    /* under a plane: the energy of a cap, the integral of kv pi d^2 (R - d/3) */
    double d = SPEED[1] - GAP, cap = KV * acos(-1.) * d * d * d * (R / 3 - d / 12);
    is_near(most, cap, 1e-6 * cap, "the most that was held is what pressed it");
    is_near(took / most, 0.5, 1e-3, "half of it does not come back");
    ok(stage.result.energy_J[CF_ENERGY_NORMAL_SPRING] == 0 &&
           fabs(stage.result.energy_J[CF_ENERGY_NORMAL_DAMPER]) < 1e-12,
       "springs are relieved, and dampers took nothing");
    stage_close(&stage);
}

static void test_back(void)
{
    double y = -0.05 + SPEED[0] * 1.5, z = R + GAP, want = work(&back, y, z);
    struct stage stage;

    led(&stage, &back, "loop_back", ball, y, z, edge);
    double took = stage.result.energy_J[CF_ENERGY_LOOP];
    is_near(took, want, 2e-6 * fabs(want), "led the other way round it gives");
    ok(took < 0, "more than it took");
    stage_close(&stage);
}

/* Under a face that is over the block by a width w the force is kv w b d, along z: pressed beside
 * the edge and lifted with `left` of its width over the block. */
static void cube(double out_m, const char *name)
{
    const double side = 0.1;
    struct loop loop = there;
    struct stage stage;

    double y = out_m - SPEED[0] * 1.5 - 0.05, z = 0.05 + GAP;
    double d = SPEED[1] - GAP;
    double before = fmin(side, side / 2 - y), after = fmax(0, -out_m + side);
    led(&stage, &loop, name, "cells: [{box: {size: [0.1 m, 0.1 m, 0.1 m]}}]", y, z,
        "cells: [{box: {size: [0.4 m, 0.6 m, 0.4 m], center: [0 m, -0.3 m, -0.2 m]}}]");
    double want = 0.5 * KV * side * d * d * (before - after);
    is_near(stage.result.energy_J[CF_ENERGY_LOOP], want, 1e-5 * want,
            "a cube whose face is lifted %.2g over: what pressed the rest of it", after / side);
    ok(stage_off(&stage) < 1e-9, "and the balance closes");
    stage_close(&stage);
}

TEST(volume_loop)
{
    plan(5 + 2 + 4);
    test_sphere();
    test_back();
    cube(0.13, "loop_cube");
    cube(0.06, "loop_part");
    return done();
}
