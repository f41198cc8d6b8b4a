/* Chains of links and bodies on springs, against closed forms: the physical pendulum by its
 * elliptic integrals, small swings of three links by their frequencies, the response to a push by
 * the equations of each link and the joint forces, oscillators. */

#include <gsl/gsl_linalg.h>
#include <gsl/gsl_sf_ellint.h>
#include <gsl/gsl_sf_elljac.h>
#include <math.h>

#include "lib/stage.h"
#include "motion/system.h"
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
    stage.options.every_s = 0.01; /* the motion is recorded there */
    ok(stage_run(&stage), "pendulum from %g deg: runs", start_deg);
    gsl_sf_elljac_e(w * t, k * k, &sn, &cn, &dn);
    is_near(stage.end.angle_rad[0], 2 * asin(k * cn / dn), 1e-8, "pendulum from %g deg: angle",
            start_deg);
    double energy = m * G * c * (cos(stage.end.angle_rad[0]) - cos(start_deg / 180 * PI));
    is_within(0.5 * (J + m * c * c) * pow(stage.end.rate_rad_s[0], 2), energy, 1e-9,
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
    is_within(stage.end.rate_rad_s[0], 0, 1e-8, "and at rest");
    is_near(stage.end.body.position_m[1], 0.4 * sin(1.2), 1e-8, "in the plane of down and side");
    stage_close(&stage);
}

/* Three links, large motions: the energy is conserved. Three point masses on equal strings, small
 * swings: the lowest mode of the hanging chain is a Laguerre root, w^2 = 0.4157745567834790833 g/l,
 * in the shape
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
    ok(stage.result.balance[CF_SPAN_RUN][CF_CONSERVED_ENERGY].most > 1,
       "three links, wild: they move");
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

/* The equations of a chain at rest without weight: m a = f and J alpha = torque of each link, and
 * joints that hold together. Unknowns of link i begin at 5 i: the acceleration of its centre along
 * down and side, that of its angle, and the force on it in its upper joint. */
static void balance(const struct cf_scene *scene, const double angle[], gsl_matrix *M)
{
    const struct cf_chain *chain = &scene->chain;

    gsl_matrix_set_zero(M);
    for (size_t i = 0; i < chain->nlink; i++) {
        const struct cf_link *link = &chain->link[i];
        double mass = scene->body[link->body].mass_kg, rest = link->length_m - link->centre_m;
        double u[2] = {cos(angle[i]), sin(angle[i])}, across[2] = {-u[1], u[0]};
        size_t at = 5 * i, next = at + 5;
        bool last = i + 1 == chain->nlink;
        gsl_matrix_set(M, at + 2, at + 2, link->inertia_kg_m2);
        for (size_t k = 0; k < 2; k++) {
            gsl_matrix_set(M, at + k, at + k, mass);
            gsl_matrix_set(M, at + k, at + 3 + k, -1);
            gsl_matrix_set(M, at + 2, at + 3 + k, link->centre_m * across[k]);
            gsl_matrix_set(M, at + 3 + k, at + k,
                           1); /* the upper joint coincides with the link before */
            gsl_matrix_set(M, at + 3 + k, at + 2, -link->centre_m * across[k]);
            if (last)
                continue;
            gsl_matrix_set(M, at + k, next + 3 + k, 1);
            gsl_matrix_set(M, at + 2, next + 3 + k, rest * across[k]);
            gsl_matrix_set(M, next + 3 + k, at + k, -1);
            gsl_matrix_set(M, next + 3 + k, at + 2, -rest * across[k]);
        }
    }
}

/* How a unit force at a point of link i, beside its centre by `lever`, accelerates that point along
 * itself; both by down and side. */
static double given_way(const struct cf_scene *scene, const double angle[], size_t i,
                        const double lever[2], const double n[2])
{
    size_t size = 5 * scene->chain.nlink;
    gsl_matrix *M = gsl_matrix_alloc(size, size);
    gsl_vector *f = gsl_vector_calloc(size), *x = gsl_vector_alloc(size);
    gsl_permutation *order = gsl_permutation_alloc(size);
    double moment = lever[0] * n[1] - lever[1] * n[0], sum;
    int sign;

    balance(scene, angle, M);
    gsl_vector_set(f, 5 * i, n[0]);
    gsl_vector_set(f, 5 * i + 1, n[1]);
    gsl_vector_set(f, 5 * i + 2, moment);
    gsl_linalg_LU_decomp(M, order, &sign);
    gsl_linalg_LU_solve(M, order, f, x);
    sum = n[0] * gsl_vector_get(x, 5 * i) + n[1] * gsl_vector_get(x, 5 * i + 1) +
          moment * gsl_vector_get(x, 5 * i + 2);
    gsl_matrix_free(M);
    gsl_vector_free(f);
    gsl_vector_free(x);
    gsl_permutation_free(order);
    return sum;
}

/* A pendulum's compliance is (lever of the force about the joint)^2 / (J + m c^2); that of any link
 * of a longer chain follows from its equations. */
static void test_push(void)
{
    const double lever[2] = {0.07, -0.04}, way[2] = {0.6, -0.8};
    struct cf_system system;
    struct stage stage;

    stage_write(&stage, "push", three, 1.0, 0.15, 0.01, 2.5, 0.0, 0.1, 0.02, 0.7, 0.0, 0.2, 0.005,
                -1.0, 0.0);
    struct cf_scene *scene = &stage.file->scene;
    const struct cf_chain *chain = &scene->chain;
    for (size_t nlink = 1; nlink <= 3; nlink++) {
        double state[100], worst = 0, least = INFINITY;
        scene->chain.nlink = nlink;
        ok(cf_system_make(&system, scene, &stage.options, NULL) == CF_OK && system.n <= 100,
           "%zu links: a system", nlink);
        cf_system_start(&system, state);
        cf_system_poses(&system, 0, state);
        const double *angle = state + system.angle;
        for (size_t i = 0; i < nlink; i++) {
            size_t body = chain->link[i].body;
            double point[3], n[3], got, want = given_way(scene, angle, i, lever, way);
            for (int k = 0; k < 3; k++) {
                point[k] =
                    system.pose[body].x[k] + lever[0] * chain->down[k] + lever[1] * chain->side[k];
                n[k] = way[0] * chain->down[k] + way[1] * chain->side[k];
            }
            got = cf_chain_mobility(&system, state, body, point, n);
            worst = fmax(worst, fabs(got / want - 1));
            least = fmin(least, got);
            if (nlink == 1) {
                double arm[2] = {0.15 * cos(2.5) + lever[0], 0.15 * sin(2.5) + lever[1]};
                is_near(got * (0.01 + 0.15 * 0.15) / pow(arm[0] * way[1] - arm[1] * way[0], 2), 1,
                        1e-12, "a pendulum gives way by its inertia about the joint");
            }
        }
        ok(worst < 1e-11 && least > 0, "%zu links: each has the compliance of its equations (%.1e)",
           nlink, worst);
        cf_system_free(&system);
    }
    stage_close(&stage);
}

/* On a spring: r(t) from rest at d beside the anchor, damped, and gravity's sag. */
static void test_spring(double damping)
{
    double m = 0.7, k = 90, t = 1.9, a = damping / (2 * m), w = sqrt(k / m - a * a);
    double sag = m * G / k, d[2] = {0.2, 0.1 + sag}; /* from its rest position */
    struct stage stage;

    stage_write(&stage, "oscillator",
                "duration: %g s\n"
                "bodies: {bob: {point: {}, mass: %g kg, turns: false, position: [0.2, 0, 0.1]}}\n"
                "springs: [{body: bob, anchor: [0, 0, 0], stiffness: %g N/m, damping: %g N s/m}]\n",
                t, m, k, damping);
    stage_run(&stage);
    double f = exp(-a * t) * (cos(w * t) + a / w * sin(w * t));
    is_within(stage.end.body.position_m[0], d[0] * f, 1e-9, "spring, damped %g: aside", damping);
    is_near(stage.end.body.position_m[2], d[1] * f - sag, 1e-9, "spring, damped %g: down", damping);
    ok(stage_off(&stage) < 1e-9, "spring, damped %g: energy balance off by %.1e", damping,
       stage_off(&stage));
    stage_close(&stage);
}

/* A rod on a spring at its end, that turns too: in free space the angular momentum about the anchor
 is conserved. */
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
       stage_off(&stage));
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

TEST(chain_motion)
{
    plan(2 * 4 + 3 + 4 + 3 * 2 + 1 + 2 * 3 + 4);
    test_pendulum(50);
    test_pendulum(170);
    test_period();
    test_three();
    test_push();
    test_spring(0);
    test_spring(3);
    test_lever();
    return done();
}
