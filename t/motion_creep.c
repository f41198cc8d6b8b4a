/* What creeps is not at rest, and friction as stiff as files may ask for is carried: against closed
 * forms of the motion without inertia. */

#include <math.h>
#include <stdio.h>

#include "lib/stage.h"
#include "tap.h"

/* A ball on a Hertz spring with damping as the width of the patch: without inertia u = z^1.5 goes
 * to m g/k with the time 2 lambda/(3 k); an impact of momentum m v begins it at 1.5 m v/lambda. */
static double creeping_depth(double m, double k, double lambda, double v, double after_s)
{
    double tau = 2 * lambda / (3 * k), left = exp(-after_s / tau);

    return pow(m * 9.81 / k * (1 - left) + 1.5 * m * v / lambda * left, 2.0 / 3);
}

static void gels(void)
{
    static const struct {
        double k, lambda, drop_m, duration_s, within;
    } row[] = {
        {1e4, 1.5e6, 0, 600, 1e-7},   {1e4, 1.5e6, 0, 2000, 1e-6}, {3e4, 1e6, 0, 30, 1e-6},
        {1e8, 1e10, 0.1, 2, 1e-6},    {1e8, 1e12, 0.1, 2, 1e-6},   {1e8, 1e10, 0.1, 500, 1e-6},
        {1e8, 1e11, 0.02, 100, 1e-6},
    };

    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const double m = 0.05, R = 0.02, v = sqrt(2 * 9.81 * row[i].drop_m);
        double fall_s = v / 9.81, want, depth;
        struct stage stage;

        stage_write(
            &stage, "gel",
            "duration: %.17g s\nbodies:\n"
            "  ball: {sphere: {radius: %.17g m}, mass: %.17g kg, position: [0 m, 0 m, %.17g m]}\n"
            "  ground: {plane: {normal: [0, 0, 1], height: 0 m}, fixed: true}\n"
            "contacts:\n  - between: [ball, ground]\n"
            "    normal: {law: azad-featherstone, k: %.17g, lambda: %.17g}\n",
            row[i].duration_s, R, m, R + row[i].drop_m, row[i].k, row[i].lambda);
        stage_run(&stage);
        depth = stage.end.contact.depth_m;
        want = creeping_depth(m, row[i].k, row[i].lambda, v, row[i].duration_s - fall_s);
        ok(stage.status == CF_OK && fabs(depth / want - 1) < row[i].within,
           "lambda %g, after %g s: depth %.9g m, %.9g m without inertia", row[i].lambda,
           row[i].duration_s, depth, want);
        /* at rest only within a millionth of the balance */
        ok(isnan(stage.result.rest_s) ||
               creeping_depth(m, row[i].k, row[i].lambda, v, stage.result.rest_s - fall_s) >
                   (1 - 1e-6) * pow(m * 9.81 / row[i].k, 2.0 / 3),
           "rest is rest: %g s", stage.result.rest_s);
        stage_close(&stage);
    }
}

/* v/v_e at which 3/2 u - 1/2 u^3 is a share of the limit ([G07] 3.32 and 3.33). */
static double slip_of(double share)
{
    double u = share;

    for (int i = 0; i < 60; i++)
        u = (share + 0.5 * u * u * u) / 1.5;
    return u;
}

/* Friction of slip speed alone holds nothing: a body slides for ever where mu cos > a > 0, as fast
 * as its friction is a/g. */
static void slopes(void)
{
    static const struct {
        const char *friction;
        double v_e; /* of the regularised law; 0: f = mu_v N v */
        double mu;
    } row[] = {
        {"law: coulomb, mu: 0.3, v_e: 1e-6", 1e-6, 0.3},
        {"law: coulomb, mu: 0.3, v_e: 1e-8", 1e-8, 0.3},
        {"law: coulomb, mu: 0.5, v_e: 1e-10", 1e-10, 0.5},
        {"law: coulomb, mu: 0.3, v_e: 1e-12", 1e-12, 0.3},
        {"law: viscous-load, mu_v: 1e7", 0, 1e7},
        {"law: viscous-load, mu_v: 100", 0, 100},
    };
    static const double tolerance[] = {1e-6, 1e-10};

    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        for (size_t k = 0; k < 2; k++) {
            double share = 1 / (9.81 * row[i].mu), want;
            struct stage stage;
            /* it begins at rest in balance: z = (m g/k)^(2/3) */
            stage_write(&stage, "slope",
                        "gravity: [1 m/s^2, 0 m/s^2, -9.81 m/s^2]\nduration: 100 s\nbodies:\n"
                        "  ball: {sphere: {radius: 0.1 m}, mass: 1 kg, turns: false,\n"
                        "    position: [0 m, 0 m, %.17g m]}\n"
                        "  ground: {plane: {normal: [0, 0, 1], height: 0 m}, fixed: true}\n"
                        "contacts:\n  - between: [ball, ground]\n"
                        "    normal: {law: hunt-crossley, k: 1e6, a: 1}\n    friction: {%s}\n",
                        0.1 - pow(9.81 / 1e6, 2.0 / 3), row[i].friction);
            stage.options.tolerance = tolerance[k];
            stage_run(&stage);
            want = row[i].v_e > 0 ? 100 * row[i].v_e * slip_of(share) : share * (100 - share / 1);
            ok(stage.status == CF_OK && isnan(stage.result.rest_s) &&
                   fabs(stage.end.body.position_m[0] / want - 1) <
                       (tolerance[k] > 1e-8 ? 1e-4 : 1e-6) &&
                   stage.result.steps < 200000,
               "%s at %g: %.9g m of %.9g m in %zu steps", row[i].friction, tolerance[k],
               stage.end.body.position_m[0], want, stage.result.steps);
            stage_close(&stage);
        }
}

/* Friction that is far stiffer than the shipped scenes': they run all the same, and the books
 * close. */
static void stiff(void)
{
    static const struct {
        const char *scene, *path, *value;
        size_t most_steps;
    } row[] = {
        {"g07_ball_on_incline", "contacts.1.friction.sigma_1", "1e8 s/m", 10000},
        {"g07_ball_on_incline", "contacts.1.friction.v_s", "1e-7 m/s", 10000},
        {"g07_ball_in_cylinder_3d", "contacts.1.friction.v_s", "1e-7 m/s", 40000},
        {"g07_bowden_leben_0.10", "contacts.1.friction.sigma_1", "1e8 s/m", 100000},
        {"g07_bowden_leben_0.10", "contacts.1.friction.v_s", "1e-7 m/s", 20000},
        {"g07_double_pendulum", "contacts.1.friction.sigma_1", "3 s/m", 40000},
    };

    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct stage stage;
        stage_open(&stage, row[i].scene, (const char *const[]){row[i].path, row[i].value, NULL});
        stage_run(&stage);
        ok(stage.status == CF_OK && stage.result.steps < row[i].most_steps &&
               stage_off(&stage) < 2e-9,
           "%s, %s = %s: %zu steps, energy to %.1g", row[i].scene, row[i].path, row[i].value,
           stage.result.steps, stage_off(&stage));
        stage_close(&stage);
    }
}

/* A tap of a body that is pressed on a plate, so light that its bristles are a linear oscillator:
 * x'' + sigma_1 g' x' + sigma_0 g' x = 0 with g' = N/m, whatever its size. */
static void taps(void)
{
    static const double speed[] = {1e-6, 1e-8, 1e-10};

    for (size_t i = 0; i < sizeof speed / sizeof *speed; i++) {
        const double load = 10, m = 0.01, sigma_0 = 1e5, sigma_1 = 0.5, t = 3.7e-4;
        double a = 0.5 * sigma_1 * load / m, w = sqrt(sigma_0 * load / m - a * a);
        double want = speed[i] * exp(-a * t) * sin(w * t) / w;
        struct stage stage;

        stage_write(
            &stage, "tap",
            "duration: %.17g s\nbodies:\n"
            "  block: {point: {}, mass: %.17g kg, turns: false, velocity: [%.17g m/s, 0, 0]}\n"
            "  plate: {plane: {normal: [0, 0, 1], height: 0 m}, fixed: true}\n"
            "contacts:\n  - between: [block, plate]\n"
            "    normal: {load: %.17g N, direction: [0, 0, 1]}\n"
            "    friction: {law: bristle, mu_s: 0.4, mu_c: 0.4, sigma_0: %.17g 1/m,\n"
            "      sigma_1: %.17g s/m, sigma_2: 0 s/m, v_s: 1 m/s, tau_dw: 0 s}\n"
            "    stuck: true\n",
            t, m, speed[i], load, sigma_0, sigma_1);
        stage_run(&stage);
        ok(stage.status == CF_OK &&
               fabs(stage.end.body.position_m[0] - want) < 1e-8 * speed[i] / w &&
               stage_off(&stage) < 2e-9,
           "a tap of %g m/s: %.12g m of %.12g m, energy to %.1g", speed[i],
           stage.end.body.position_m[0], want, stage_off(&stage));
        stage_close(&stage);
    }
}

TEST(motion_creep)
{
    plan(2 * 7 + 12 + 6 + 3);
    taps();
    gels();
    slopes();
    stiff();
    return done();
}
