/* An impact in fixed steps: the result of a law in a simulator that takes them. */

#include <math.h>
#include <stddef.h>

#include "impact/fixed.h"
#include "law/exact.h"
#include "tap.h"

static const double MASS = 0.0421, SPEED = 0.317;

/* The exponential spring is smooth from touch on, and its e is known exactly. */
static const double P[] = {2.37e5, 2e-4, 0.9};

static double error_of(const char *scheme, double dt)
{
    const struct cf_law *law = cf_law_find("exponential");
    struct cf_fixed_step how = {cf_ode_scheme_find(scheme), dt, 0, 0};
    struct cf_fixed_impact out;

    if (cf_impact_fixed(law, P, MASS, SPEED, &how, &out, NULL))
        return (double) NAN;
    return fabs(out.value[CF_IMPACT_RESTITUTION] -
                cf_hunt_crossley_restitution(P[2] * SPEED, NULL));
}

/* Euler's order is 1. The others are soon limited by the end of contact, which is noticed at the
 * end of a step only: the clamp cuts a force of the order of dt within a part of dt, an error of e
 * of order 2. */
static void orders(void)
{
    static const struct {
        const char *scheme;
        double least, most; /* of the observed order */
    } rows[] = {{"euler", 0.9, 1.1}, {"rk3", 1.9, 3.3}, {"rk4", 1.5, 4.3}, {"rk5", 1.5, 5.3}};
    struct cf_impact exact;

    cf_impact(NULL, cf_law_find("exponential"), P, MASS, SPEED, &exact, NULL);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        double coarse = exact.value[CF_IMPACT_DURATION] / 50, worst[2] = {0}, order;
        for (int k = 0; k < 8; k++) { /* worst over the position of the contact's end in its step */
            double dt = coarse * (1 + 0.021 * k);
            worst[0] = fmax(worst[0], error_of(rows[i].scheme, dt));
            worst[1] = fmax(worst[1], error_of(rows[i].scheme, dt / 16));
        }
        order = log(worst[0] / worst[1]) / log(16);
        ok(order > rows[i].least && order < rows[i].most && worst[1] < worst[0],
           "%s: e converges with order %.2f (%.1e, %.1e)", rows[i].scheme, order, worst[0],
           worst[1]);
    }
    ok(error_of("rk4", exact.value[CF_IMPACT_DURATION] / 2000) < 1e-6, "to the exact e");
}

/* The other answers, with Azad and Featherstone's law: duration to a step, peaks to dt^2. */
static void answers(void)
{
    const struct cf_law *law = cf_law_find("azad-featherstone-two-body");
    double p[] = {1e8, 1e4, 2e8, 4e4};
    struct cf_impact exact;
    struct cf_fixed_impact out;
    struct cf_fixed_step how = {.scheme = cf_ode_scheme_find("rk4")};

    cf_impact(NULL, law, p, MASS, SPEED, &exact, NULL);
    how.dt_s = exact.value[CF_IMPACT_DURATION] / 1000.3;
    cf_impact_fixed(law, p, MASS, SPEED, &how, &out, NULL);
    ok(fabs(out.value[CF_IMPACT_DURATION] - exact.value[CF_IMPACT_DURATION]) <= 2 * how.dt_s &&
           fabs(out.value[CF_IMPACT_RESTITUTION] / exact.value[CF_IMPACT_RESTITUTION] - 1) < 1e-4 &&
           fabs(out.value[CF_IMPACT_DEPTH] / exact.value[CF_IMPACT_DEPTH] - 1) < 1e-4 &&
           fabs(out.value[CF_IMPACT_FORCE] / exact.value[CF_IMPACT_FORCE] - 1) < 1e-4,
       "a law with an inner state: e, duration, depth and force");
}

/* Contact is found at a depth of up to v dt: without relaxation the force jumps to that depth's. */
static void relaxation(void)
{
    const struct cf_law *law = cf_law_find("exponential");
    double dt = 2e-6, found = 0.7 * SPEED * dt;
    struct cf_fixed_step how = {cf_ode_scheme_find("rk4"), dt, 10 * SPEED * dt - found, 0};
    struct cf_contact c = {.depth_m = found, .rate_m_s = SPEED};
    struct cf_fixed_impact bare, relaxed;

    cf_impact_fixed(law, P, MASS, SPEED, &how, &bare, NULL);
    how.relaxation_s = 1;
    cf_impact_fixed(law, P, MASS, SPEED, &how, &relaxed, NULL);
    is_near(bare.first_force_N / law->force(law, P, &c), 1, 1e-9, "the force jumps at touch");
    ok(relaxed.first_force_N == 0, "with relaxation it does not");
    ok(fabs(relaxed.value[CF_IMPACT_DEPTH] - bare.value[CF_IMPACT_DEPTH] - found) < 0.1 * found,
       "the penetration that was found stays, for the relaxation is slow");
    double e = cf_hunt_crossley_restitution(P[2] * SPEED, NULL);
    double with = fabs(relaxed.value[CF_IMPACT_RESTITUTION] - e);
    double without = fabs(bare.value[CF_IMPACT_RESTITUTION] - e);
    ok(without > 1e-7 && without < 1e-3 && with < 1e-3,
       "e is off by %.1e without it, by %.1e with it", without, with);
}

static void errors(void)
{
    struct cf_fixed_step how = {cf_ode_scheme_find("rk4"), 1e-6, 0, 0};
    struct cf_fixed_impact out;
    struct cf_error err;

    cf_impact_fixed(cf_law_find("e-log"), (double[]){0.7, 0.1}, 1, 1, &how, &out, &err);
    is_str(err.text, "e-log has no force to integrate", "an e-law has no steps");
    how.dt_s = 0;
    cf_impact_fixed(cf_law_find("tsuji"), (double[]){1e8, 0.1}, 1, 1, &how, &out, &err);
    is_str(err.text, "step = 0 s: must be above 0", "nor is there a step of 0");
    how.dt_s = 1e-12;
    cf_impact_fixed(cf_law_find("tsuji"), (double[]){1e2, 0.1}, 1, 0.01, &how, &out, &err);
    is_str(err.text, "tsuji: the contact is not through after 1000000 steps of 1e-12 s",
           "steps far too short are reported");
}

TEST(fixed_impact)
{
    plan(5 + 1 + 4 + 3);
    orders();
    answers();
    relaxation();
    errors();
    return done();
}
