/* A sphere that lands and is spun up, under the clutch: the first contact of the rolling sphere of
 * Azad & Featherstone 2010, section 4, with their normal law.
 *
 *   zdd = g - F/m,   contact point: v' = (1 + m r^2/I) f/m = 3.5 f/m
 */

#include <math.h>

#include "law/friction.h"
#include "law/law.h"
#include "ode/ode.h"
#include "tap.h"

enum { Z, ZDOT, V, U = V + 2, SPRING = U + 2, LOSS, N };
enum { MAX_SEEN = 8 };

static const double MASS = 0.154, G = 9.81;
static const double normal[] = {8.5e6, 3.1e3}, tangential[] = {0.2, 12.75e6, 3.1e3, 0.1};

struct ball {
    const struct cf_law *law;
    const struct cf_friction_law *clutch;
    double change[MAX_SEEN]; /* times of stick and slip */
    size_t nchange;
};

static struct cf_slide slide_of(const struct ball *ball, const double y[])
{
    struct cf_contact c = {.depth_m = y[Z], .rate_m_s = y[ZDOT], .mass_kg = MASS};
    return (struct cf_slide){
        y[Z], ball->law->force(ball->law, normal, &c), {y[V], y[V + 1]}, y + U};
}

static void rates(const void *context, double t, const double y[], double dydt[])
{
    const struct ball *ball = context;
    struct cf_slide c = slide_of(ball, y);
    struct cf_friction_power to;
    double f[2];

    (void) t;
    ball->clutch->force(tangential, &c, f, dydt + U);
    cf_friction_power(ball->clutch, tangential, &c, &to);
    dydt[Z] = y[ZDOT];
    dydt[ZDOT] = G - c.normal_N / MASS;
    for (int i = 0; i < 2; i++)
        dydt[V + i] = 3.5 * f[i] / MASS;
    dydt[SPRING] = to.spring_W;
    dydt[LOSS] = to.damper_W + to.slide_W + to.viscous_W;
}

static double slip(const void *context, double t, const double y[])
{
    const struct ball *ball = context;
    struct cf_slide c = slide_of(ball, y);

    (void) t;
    return ball->clutch->slip(tangential, &c);
}

/* F = 0 before z = 0 on the way out; z + (lambda/k) zdot falls through 0 there. */
static double end(const void *context, double t, const double y[])
{
    (void) context, (void) t;
    return y[ZDOT] > 0 ? 1 : y[Z] + normal[1] / normal[0] * y[ZDOT];
}

static void seen(void *observer, size_t event, double t, const double y[], const double s[],
                 const double dtau[])
{
    struct ball *ball = observer;

    (void) y, (void) s, (void) dtau;
    if (event == 0 && ball->nchange < MAX_SEEN)
        ball->change[ball->nchange++] = t;
}

TEST(roll)
{
    static const double scale[N] = {1e-4, 1, 1, 1, 1e-5, 1e-5, 1e-2, 1e-2};
    static const struct cf_ode_event event[] = {
        {.name = "slip", .g = slip},
        {.name = "end", .g = end, .direction = -1, .terminal = true},
    };
    struct ball ball = {.law = cf_law_find("azad-featherstone"),
                        .clutch = cf_friction_find("clutch")};
    struct cf_ode_system system = {.n = N, .rates = rates, .nevent = 2, .event = event};
    struct cf_ode_options options = {
        .tolerance = 1e-11, .scale = scale, .max_steps = 100000, .seen = seen, .observer = &ball};
    /* its centre falls from 10 cm to its radius, 1.65 cm */
    double y[N] = {[ZDOT] = sqrt(2 * G * 0.0835), [V] = 0.5, [V + 1] = 0.5}, t = 0;
    double before = 0.5 * MASS / 3.5 * 0.5, after;
    struct cf_ode *ode = cf_ode_alloc(N, 0);
    struct cf_ode_result result;

    plan(6);
    ok(ode &&
           cf_ode_run(ode, &system, &ball, &options, &t, y, NULL, 0.02, &result, NULL) == CF_OK &&
           result.reason == CF_ODE_EVENT,
       "lands and leaves");
    cf_ode_free(ode);
    ok(ball.nchange == 2, "it slips, sticks, and slips again");
    is_near(ball.change[0] * 1e3, 0.934, 5e-4, "sticks from 0.934 ms");
    is_near(ball.change[1] * 1e3, 1.794, 5e-4, "to 1.794 ms");
    is_near(y[V] - y[V + 1], 0, 1e-15, "along its way");
    after = 0.5 * MASS / 3.5 * (y[V] * y[V] + y[V + 1] * y[V + 1]);
    is_within((before - after - y[SPRING] - y[LOSS]) / before, 0, 1e-10, "energy balance");
    return done();
}
