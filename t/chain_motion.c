/* Chains of links and bodies on springs, against closed forms: the physical pendulum by its
 * elliptic integrals, small swings of three links by their frequencies, oscillators. */

#include <gsl/gsl_sf_ellint.h>
#include <gsl/gsl_sf_elljac.h>
#include <math.h>

#include "lib/stage.h"
#include "tap.h"

static const double PI = 3.14159265358979323846, G = 9.81;

/* One link: angle(t) = 2 asin(k cd(w t, k)) from rest at the angle 2 asin k, w^2 = m g c/(J + m
 * c^2). */
static void test_pendulum(double start_deg)
{
    double m = 1.7, c = 0.31, J = 0.023, w = sqrt(m * G * c / (J + m * c * c)), t = 4.3;
    double k = sin(start_deg / 360 * PI), sn, cn, dn;
    struct stage stage;

    stage_write(&stage, "physical",
                "duration: %g s\n"
                "bodies:\n"
                "  floor: {plane: {normal: [0, 0, 1], height: -5 m}, fixed: true}\n"
                "chain:\n"
                "  joint: [0, 0, 0]\n"
                "  down: [0, 0, -1]\n"
                "  side: [1, 0, 0]\n"
                "  links:\n"
                "    - {name: rod, length: 0.5 m, center: %g m, mass: %g kg, inertia: %g,\n"
                "       angle: %g deg, rate: 0}\n",
                t, c, m, J, start_deg);
    stage.options.every_s = 0.01; /* what moved is taken there */
    ok(stage_run(&stage), "pendulum from %g deg: runs", start_deg);
    gsl_sf_elljac_e(w * t, k * k, &sn, &cn, &dn);
    is_near(stage.end.angle_rad[0], 2 * asin(k * cn / dn), 1e-8, "pendulum from %g deg: angle",
            start_deg);
    double energy = m * G * c * (cos(stage.end.angle_rad[0]) - cos(start_deg / 180 * PI));
    is_near(0.5 * (J + m * c * c) * pow(stage.end.rate_rad_s[0], 2), energy, 1e-9,
            "pendulum from %g deg: rate", start_deg);
    ok(stage_off(&stage) < 1e-9, "pendulum from %g deg: energy balance off by %.1e", start_deg,
       stage_off(&stage));
    stage_close(&stage);
}

/* Its period: the next time at rest where it began, from the quarter 4 K(k)/w. */
static void test_period(void)
{
    double w = sqrt(G / 0.4), k = sin(0.6), period = 4 / w * gsl_sf_ellint_Kcomp(k, 0);
    struct stage stage;

    stage_write(&stage, "period",
                "duration: %.17g s\n"
                "bodies:\n"
                "  floor: {plane: {normal: [0, 0, 1], height: -5 m}, fixed: true}\n"
                "chain:\n"
                "  joint: [0, 0, 0]\n"
                "  down: [0, 0, -1]\n"
                "  side: [0, 1, 0]\n"
                "  links: [{name: bob, length: 0.4 m, center: 0.4 m, mass: 1 kg, inertia: 0,\n"
                "           angle: 1.2 rad, rate: 0}]\n",
                period);
    stage_run(&stage);
    is_near(stage.end.angle_rad[0], 1.2, 1e-8, "after a period it is back");
    is_near(stage.end.rate_rad_s[0], 0, 1e-8, "and at rest");
    is_near(stage.end.body.position_m[1], 0.4 * sin(1.2), 1e-8, "in the plane of down and side");
    stage_close(&stage);
}

/* Three links, wildly: the energy stays. Three point masses on equal strings, gently: the lowest
 * mode of the hanging chain is a Laguerre root, w^2 = 0.4157745567834790833 g/l, in the shape
 * (1, 1 + x, ...) that the equations of rest give. */
static const char *const three =
    "duration: %.17g s\n"
    "bodies:\n"
    "  floor: {plane: {normal: [0, 0, 1], height: -5 m}, fixed: true}\n"
    "chain:\n"
    "  joint: [0, 0, 0]\n"
    "  down: [0, 0, -1]\n"
    "  side: [1, 0, 0]\n"
    "  links:\n"
    "    - {name: a, length: 0.3 m, center: %g m, mass: 1 kg, inertia: %g, angle: %.17g, rate: "
    "%g}\n"
    "    - {name: b, length: 0.3 m, center: %g m, mass: 1 kg, inertia: %g, angle: %.17g, rate: "
    "%g}\n"
    "    - {name: c, length: 0.3 m, center: %g m, mass: 1 kg, inertia: %g, angle: %.17g, rate: "
    "%g}\n";

static void test_three(void)
{
    struct stage stage;

    stage_write(&stage, "three", three, 5.0, 0.15, 0.01, 2.5, -3.0, 0.1, 0.02, 0.7, 8.0, 0.2, 0.005,
                -1.0, 2.0);
    ok(stage_run(&stage) && stage_off(&stage) < 1e-9, "three links, wild: energy kept");
    ok(stage.result.moved_J > 1, "three links, wild: they move");
    stage_close(&stage);

    /* displacements u_i of equal masses on equal strings: u_j = L_j(x) - with links counted from
     * the free end -, x = w^2 l/g */
    double x = 0.41577455678347908, w = sqrt(x * G / 0.3), period = 2 * PI / w, small = 3e-4;
    double u[4] = {1, 1 - x, 1 - 2 * x + x * x / 2, 0}; /* from the lowest mass up to the joint */
    double angle[3] = {u[2] * small, (u[1] - u[2]) * small, (u[0] - u[1]) * small};
    stage_write(&stage, "three_mode", three, period / 2, 0.3, 0.0, angle[0], 0.0, 0.3, 0.0,
                angle[1] - angle[0], 0.0, 0.3, 0.0, angle[2] - angle[1], 0.0);
    stage_run(&stage);
    is_near(stage.end.angle_rad[0] / angle[0], -1, 1e-6, "three links: the lowest mode, mirrored");
    is_near(stage.end.angle_rad[1] / (angle[1] - angle[0]), -1, 1e-6, "three links: the second");
    stage_close(&stage);
}

/* On a spring: r(t) from rest at d beside the anchor, damped, and gravity's sag. */
static void test_spring(double damping)
{
    double m = 0.7, k = 90, t = 1.9, a = damping / (2 * m), w = sqrt(k / m - a * a);
    double sag = m * G / k, d[2] = {0.2, 0.1 + sag}; /* from where it would rest */
    struct stage stage;

    stage_write(&stage, "oscillator",
                "duration: %g s\n"
                "bodies: {bob: {point: {}, mass: %g kg, turns: false, position: [0.2, 0, 0.1]}}\n"
                "springs: [{body: bob, anchor: [0, 0, 0], stiffness: %g N/m, damping: %g N s/m}]\n",
                t, m, k, damping);
    stage_run(&stage);
    double f = exp(-a * t) * (cos(w * t) + a / w * sin(w * t));
    is_near(stage.end.body.position_m[0], d[0] * f, 1e-9, "spring, damped %g: aside", damping);
    is_near(stage.end.body.position_m[2], d[1] * f - sag, 1e-9, "spring, damped %g: down", damping);
    ok(stage_off(&stage) < 1e-9, "spring, damped %g: energy balance off by %.1e", damping,
       stage_off(&stage));
    stage_close(&stage);
}

/* A rod on a spring at its end, that turns too: in free space the momentum about the anchor stays.
 */
static void test_lever(void)
{
    struct stage stage;
    const double *x, *v, *w;

    stage_write(&stage, "lever",
                "gravity: 0 m/s^2\n"
                "duration: 3 s\n"
                "bodies:\n"
                "  rod: {point: {}, mass: 0.5 kg, inertia: [4e-3, 4e-3, 1e-4],\n"
                "        position: [0.1, 0, 0.3], velocity: [0.2, 0.4, 0], spin: [1, -2, 5]}\n"
                "springs:\n"
                "  - {body: rod, anchor: [0, 0, 0], at: [0, 0, -0.2 m], stiffness: 20 N/m}\n");
    ok(stage_run(&stage) && stage_off(&stage) < 1e-9, "lever: energy balance off by %.1e",
       stage.result.moved_J > 0 ? stage_off(&stage) : (double) NAN);
    x = stage.end.body.position_m, v = stage.end.body.velocity_m_s, w = stage.end.body.spin_rad_s;
    /* spin in the world, inertia along the axes of the body: I w = I1 w + (I3 - I1) (w . z) z */
    const double *q = stage.end.body.attitude;
    double z[3] = {2 * (q[1] * q[3] + q[0] * q[2]), 2 * (q[2] * q[3] - q[0] * q[1]),
                   1 - 2 * (q[1] * q[1] + q[2] * q[2])};
    double along = w[0] * z[0] + w[1] * z[1] + w[2] * z[2];
    /* at the start r x m v + I w */
    double want[3] = {0.5 * (0 * 0 - 0.3 * 0.4) + 4e-3 * 1, 0.5 * (0.3 * 0.2) - 4e-3 * 2,
                      0.5 * (0.1 * 0.4) + 1e-4 * 5};
    for (int i = 0; i < 3; i++) {
        int a = (i + 1) % 3, b = (i + 2) % 3;
        double l = 0.5 * (x[a] * v[b] - x[b] * v[a]) + 4e-3 * w[i] + (1e-4 - 4e-3) * along * z[i];
        is_near(l, want[i], 1e-9, "lever: moment about the anchor, %c", "xyz"[i]);
    }
    stage_close(&stage);
}

int main(void)
{
    plan(2 * 4 + 3 + 4 + 2 * 3 + 4);
    test_pendulum(50);
    test_pendulum(170);
    test_period();
    test_three();
    test_spring(0);
    test_spring(3);
    test_lever();
    return done();
}
