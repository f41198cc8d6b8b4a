/* Bodies in space: what collisions conserve, how spinning bodies turn, and invariance under
 * rotation of the scene. Oracles are conservation laws and closed forms. */

#include <math.h>
#include <string.h>

#include "impact/impact.h"
#include "lib/stage.h"
#include "tap.h"

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void add_moment(double mass, double inertia, const struct cf_body_state *body, double p[3],
                       double l[3])
{
    const double *x = body->position_m, *v = body->velocity_m_s, *w = body->spin_rad_s;

    for (int k = 0; k < 3; k++) {
        int a = (k + 1) % 3, b = (k + 2) % 3;
        p[k] += mass * v[k];
        l[k] += mass * (x[a] * v[b] - x[b] * v[a]) + inertia * w[k];
    }
}

/* Two spheres that fly, spin, and meet off centre, with friction. */
static const char *const pair =
    "gravity: 0 m/s^2\n"
    "duration: 0.2 s\n"
    "bodies:\n"
    "  big: {sphere: {radius: 3 cm}, mass: 0.4 kg, inertia: solid,\n"
    "        position: [0 m, 0 m, 0 m], spin: [5, -40, 20]}\n"
    "  small: {sphere: {radius: 2 cm}, solids: [{sphere: {center: [0 m, "
    "0 m, 0 m],\n"
    "          radius: 2 cm}}],\n"
    "          mass: 0.1 kg, inertia: solid,\n"
    "          position: [10 cm, 2 cm, 1 cm],\n"
    "          velocity: [-1.7 m/s, 0 m/s, 0.1 m/s], spin: [-30, 0, "
    "70]}\n"
    "contacts:\n"
    "  - between: [big, small]\n"
    "    normal: {law: azad-featherstone, k: 1e8, lambda: 2e4}\n"
    "    friction: {law: %s}\n";

static void test_collision(const char *friction, const char *name)
{
    static const double mass[] = {0.4, 0.1}, radius[] = {0.03, 0.02};
    double p[2][3] = {{0}}, l[2][3] = {{0}}, worst_p = 0, worst_l = 0;
    struct cf_curves *curves = cf_curves_alloc();
    struct cf_impact impact;
    struct stage stage;

    stage_write(&stage, "collision", pair, friction);
    for (int i = 0; i < 2 && stage.file; i++) {
        const struct cf_rigid *body = &stage.file->scene.body[i];
        struct cf_body_state first;
        memcpy(first.position_m, body->position_m, sizeof first.position_m);
        memcpy(first.velocity_m_s, body->velocity_m_s, sizeof first.velocity_m_s);
        memcpy(first.spin_rad_s, body->spin_rad_s, sizeof first.spin_rad_s);
        add_moment(mass[i], 0.4 * mass[i] * radius[i] * radius[i], &first, p[0], l[0]);
    }
    ok(stage_run(&stage) && stage.result.events[CF_EVENT_BREAK] == 1, "%s: they meet once", name);
    for (int i = 0; i < 2 && stage.last; i++)
        add_moment(mass[i], 0.4 * mass[i] * radius[i] * radius[i], &stage.last[i], p[1], l[1]);
    for (int k = 0; k < 3; k++) {
        worst_p = fmax(worst_p, fabs(p[1][k] - p[0][k]));
        worst_l = fmax(worst_l, fabs(l[1][k] - l[0][k]));
    }
    ok(worst_p < 1e-14, "%s: momentum kept to %.1e kg m/s", name, worst_p);
    ok(worst_l < 1e-12, "%s: angular momentum kept to %.1e kg m^2/s", name, worst_l);
    ok(stage_off(&stage) < 1e-9, "%s: energy balance off by %.1e", name, stage_off(&stage));
    const struct stage_event *make = stage_find(&stage, CF_EVENT_MAKE, 0);
    const struct stage_event *out = stage_find(&stage, CF_EVENT_BREAK, 0);
    double v = make ? make->contact.rate_m_s : (double) NAN;
    cf_impact(curves, cf_law_find("azad-featherstone"), (double[]){1e8, 2e4}, 0.08, v, &impact,
              NULL);
    /* as they slide past each other while they touch, the normal turns by some mrad */
    is_near(out ? -out->contact.rate_m_s / v / impact.value[CF_IMPACT_RESTITUTION] : (double) NAN,
            1, 1e-2, "%s: e of the curve for 1/m = 1/m1 + 1/m2", name);
    cf_curves_free(curves);
    stage_close(&stage);
}

/* Head on nothing turns: e to the run's accuracy. */
static void test_head_on(void)
{
    struct cf_curves *curves = cf_curves_alloc();
    struct cf_impact impact;
    struct stage stage;

    stage_write(&stage, "head_on",
                "gravity: 0 m/s^2\n"
                "duration: 0.1 s\n"
                "bodies:\n"
                "  a: {sphere: {radius: 3 cm}, mass: 0.4 kg, velocity: [0.6 m/s, 0 m/s, 0.8 m/s]}\n"
                "  b: {solids: [{sphere: {center: [0 m, 0 m, 0 m], radius: 2 cm}}], mass: 0.1 kg,\n"
                "      turns: false, position: [6 cm, 0 m, 8 cm], velocity: [-0.3 m/s, 0 m/s, "
                "-0.4 m/s]}\n"
                "contacts:\n"
                "  - {between: [a, b], normal: {law: azad-featherstone, k: 1e8, lambda: 2e4}}\n");
    stage_run(&stage);
    const struct stage_event *make = stage_find(&stage, CF_EVENT_MAKE, 0);
    is_near(make ? make->time_s : (double) NAN, 0.05 / 1.5, 1e-13, "head on: meet in time");
    cf_impact(curves, cf_law_find("azad-featherstone"), (double[]){1e8, 2e4}, 0.08, 1.5, &impact,
              NULL);
    double e = impact.value[CF_IMPACT_RESTITUTION], both = (0.4 * 1 - 0.1 * 0.5) / 0.5;
    const double *v = stage.last ? stage.last[0].velocity_m_s : impact.value;
    is_near(v[0] / 0.6, both - 0.1 / 0.5 * e * 1.5, 1e-9, "head on: velocity after it");
    is_near(v[2] / 0.8, v[0] / 0.6, 1e-13, "head on: along the line");
    cf_curves_free(curves);
    stage_close(&stage);
}

/* Free, about no axis of symmetry: energy and angular momentum. */
struct spin {
    double I[3], l0[3], e0, worst_l, worst_e;
    bool begun;
};

static void turn(const double q[4], const double a[3], double out[3])
{
    double w = q[0], u[3] = {q[1], q[2], q[3]}, s = dot(u, a), n = w * w - dot(u, u);

    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        out[k] = 2 * s * u[k] + n * a[k] + 2 * w * (u[i] * a[j] - u[j] * a[i]);
    }
}

static void watch_spin(void *observer, const struct cf_snapshot *at)
{
    struct spin *spin = observer;
    const struct cf_body_state *body = at->body;
    double back[4] = {body->attitude[0], -body->attitude[1], -body->attitude[2],
                      -body->attitude[3]};
    double w[3], l[3], world[3], e = 0;

    turn(back, body->spin_rad_s, w);
    for (int k = 0; k < 3; k++) {
        l[k] = spin->I[k] * w[k];
        e += 0.5 * l[k] * w[k];
    }
    turn(body->attitude, l, world);
    if (!spin->begun) {
        memcpy(spin->l0, world, sizeof world);
        spin->e0 = e;
        spin->begun = true;
    }
    for (int k = 0; k < 3; k++)
        spin->worst_l = fmax(spin->worst_l, fabs(world[k] - spin->l0[k]));
    spin->worst_e = fmax(spin->worst_e, fabs(e / spin->e0 - 1));
}

static void test_asymmetric(void)
{
    struct spin spin = {.I = {2e-3, 3e-3, 4e-3}};
    struct stage stage;

    /* about the middle axis, nearly: it turns over and over */
    stage_write(
        &stage, "asymmetric",
        "duration: 5 s\n"
        "bodies:\n"
        "  brick: {point: {}, mass: 1 kg, inertia: [2e-3, 3e-3, 4e-3], position: [0, 0, 0],\n"
        "          attitude: {axis: [1, 2, -1], angle: 40 deg},\n"
        "          velocity: [1, 0, 3], spin: [3, 20, 0.1]}\n");
    stage.options.every_s = 0.01;
    stage.sample = watch_spin;
    stage.observer = &spin;
    ok(stage_run(&stage), "asymmetric: runs");
    double size = sqrt(dot(spin.l0, spin.l0));
    ok(spin.worst_l < 1e-8 * size, "asymmetric: angular momentum kept to %.1e of it",
       spin.worst_l / size);
    ok(spin.worst_e < 1e-8, "asymmetric: energy of turning kept to %.1e", spin.worst_e);
    is_near(stage.end.body.position_m[2], 15 - 9.81 / 2 * 25, 1e-12, "asymmetric: it falls");
    stage_close(&stage);
}

/* Symmetric about z: the spin goes round the axis of the body at (1 - I3/I1) w3, seen from it. */
static void test_precession(void)
{
    struct stage stage;
    double I1 = 2e-3, I3 = 3.2e-3, w1 = 4, w3 = 11, t = 3;

    stage_write(&stage, "precession",
                "gravity: 0 m/s^2\n"
                "duration: %g s\n"
                "bodies:\n"
                "  top: {point: {}, mass: 1 kg, inertia: [%g, %g, %g], spin: [%g, 0, %g]}\n",
                t, I1, I1, I3, w1, w3);
    stage_run(&stage);
    /* in the world the axis goes round the angular momentum at L/I1 */
    double l[3] = {I1 * w1, 0, I3 * w3}, size = sqrt(dot(l, l)), angle = size / I1 * t;
    double axis[3], z[3] = {0, 0, 1}, want[3], u[3] = {l[0] / size, 0, l[2] / size};
    double along = u[2], cross[3] = {0 * 1 - u[2] * 0, u[2] * 0 - u[0] * 1, 0};
    for (int k = 0; k < 3; k++)
        want[k] = u[k] * along * (1 - cos(angle)) + z[k] * cos(angle) + cross[k] * sin(angle);
    turn(stage.end.body.attitude, z, axis);
    for (int k = 0; k < 3; k++)
        is_near(axis[k], want[k], 1e-8, "precession: axis, %c", "xyz"[k]);
    is_near(dot(stage.end.body.spin_rad_s, axis), w3, 1e-8, "precession: spin about it stays");
    stage_close(&stage);
}

/* A rigid limit: the stiffer, the nearer to the speeds of an instantaneous collision. */
static void test_rigid(void)
{
    double before = INFINITY;

    for (double k = 1e6; k < 1e13; k *= 1e3) {
        struct stage stage;
        /* e of hunt-crossley depends on a v alone; gravity pulls during the impact only */
        stage_write(&stage, "stiff",
                    "duration: 0.3 s\n"
                    "bodies:\n"
                    "  ball: {sphere: {radius: 1 cm}, mass: 10 g, position: [0 m, 0 m, 0.2 m]}\n"
                    "  floor: {plane: {normal: [0, 0, 1], height: 0 m}, fixed: true}\n"
                    "contacts:\n"
                    "  - {between: [ball, floor], normal: {law: hunt-crossley, k: %g, a: 0.5}}\n",
                    k);
        stage_run(&stage);
        const struct stage_event *make = stage_find(&stage, CF_EVENT_MAKE, 0);
        const struct stage_event *out = stage_find(&stage, CF_EVENT_BREAK, 0);
        double v = make ? make->contact.rate_m_s : (double) NAN;
        double o = out ? -out->contact.rate_m_s : (double) NAN;
        /* a (v + o) = ln((1 + a v)/(1 - a o)) */
        double off = fabs(0.5 * (v + o) - log((1 + 0.5 * v) / (1 - 0.5 * o)));
        /* by the weight times the duration, which goes with k^-0.4 */
        is_near(isinf(before) ? 0.063 : off / before, 0.063, 0.005, "k = %g: %.1e off the rigid e",
                k, off);
        before = off;
        stage_close(&stage);
    }
    ok(before < 2e-5, "and it goes to 0");
}

TEST(rigid)
{
    plan(2 * 5 + 3 + 4 + 4 + 4);
    test_collision("clutch, mu: 0.3, k_t: 1.5e8, d_t: 2e4, c_v: 0", "clutch");
    test_collision("bristle, mu_s: 0.3, mu_c: 0.2, sigma_0: 1e5, sigma_1: 300, sigma_2: 0, "
                   "v_s: 0.1, tau_dw: 0.1",
                   "bristle");
    test_head_on();
    test_asymmetric();
    test_precession();
    test_rigid();
    return done();
}
