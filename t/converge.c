/* Scenes without published numbers: a tighter tolerance brings the end nearer to that of a much
 * tighter one, and the energy balance closes at each. */

#include <math.h>

#include "lib/stage.h"
#include "tap.h"

enum { MOST_BODIES = 4, TOLERANCES = 3 };

struct end {
    size_t nbody;
    struct cf_body_state body[MOST_BODIES];
    double lost_J, off;
    bool ran;
};

static void run(const char *scene, const char *duration, double tolerance, struct end *end)
{
    struct stage stage;

    stage_open(&stage, scene, (const char *const[]){"duration", duration, NULL});
    stage.options.tolerance = tolerance;
    stage.options.every_s = 0.01;
    end->ran = stage_run(&stage) && stage.file->scene.nbody <= MOST_BODIES;
    end->off = end->ran ? stage_off(&stage) : (double) NAN;
    end->nbody = end->ran ? stage.file->scene.nbody : 0;
    for (size_t b = 0; b < end->nbody; b++)
        end->body[b] = stage.last[b];
    end->lost_J = 0;
    for (int e = CF_ENERGY_NORMAL_DAMPER; e < CF_ENERGY_WORK; e++)
        end->lost_J += stage.result.energy_J[e];
    stage_close(&stage);
}

/* The largest difference of positions, speeds, spins times a radius [m, m/s], and of losses [J]. */
static double apart(const struct end *a, const struct end *b, double radius_m)
{
    double worst = fabs(a->lost_J - b->lost_J);

    for (size_t i = 0; i < a->nbody; i++)
        for (int k = 0; k < 3; k++) {
            const struct cf_body_state *x = &a->body[i], *y = &b->body[i];
            worst = fmax(worst, fabs(x->position_m[k] - y->position_m[k]));
            worst = fmax(worst, fabs(x->velocity_m_s[k] - y->velocity_m_s[k]));
            worst = fmax(worst, radius_m * fabs(x->spin_rad_s[k] - y->spin_rad_s[k]));
        }
    return worst;
}

static void test_scene(const char *scene, const char *duration, double radius_m, double most)
{
    static const double tolerance[TOLERANCES] = {1e-6, 1e-8, 1e-10};
    struct end end[TOLERANCES], tight;
    double error[TOLERANCES], off = 0;

    run(scene, duration, 1e-12, &tight);
    for (int i = 0; i < TOLERANCES; i++) {
        run(scene, duration, tolerance[i], &end[i]);
        error[i] = end[i].ran ? apart(&end[i], &tight, radius_m) : (double) NAN;
    }
    off = fmax(end[2].off, tight.off);
    ok(error[2] < most, "%s: within %.1e of a tolerance of 1e-12", scene, error[2]);
    ok(error[0] > error[2] && error[1] < 0.5 * error[0] + most,
       "%s: %.1e, %.1e, %.1e for 1e-6, 1e-8, 1e-10", scene, error[0], error[1], error[2]);
    ok(off < 1e-9, "%s: energy balance off by %.1e", scene, off);
}

TEST(converge)
{
    plan(6 * 3);
    test_scene("g07_sphere_on_cone", "0.8 s", 0.1, 1e-7);
    test_scene("g07_spinning_block", "0.35 s", 0.1, 1e-7);
    test_scene("g07_ball_in_cylinder_3d", "1 s", 0.1, 1e-7);
    test_scene("g07_force_accommodation_tangential", "7 s", 0.02, 1e-7);
    test_scene("g07_bowden_leben_0.10", "20 s", 0, 1e-7);
    test_scene("af10_second_landing", "0.7 s", 0.0165, 1e-8);
    return done();
}
