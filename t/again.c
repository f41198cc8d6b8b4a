/* Bounces on ground that recovers slowly, against plain steps in time and against the one-body law
 * where recovery is complete. */

#include <math.h>

#include "impact/impact.h"
#include "impact/rebounds.h"
#include "tap.h"

static const double MASS = 0.154, GRAVITY = 9.81;

/* Plain steps in time of the second landing: flight, contact pair with the surface, contact. RK4.
 */
struct body {
    double z, w;
};

static struct body rate_of(const double p[], struct body b)
{
    double f = b.z > 0 ? p[0] * b.z * sqrt(b.z) + p[1] * sqrt(b.z) * b.w : 0;
    return (struct body){b.w, GRAVITY - fmax(0, f) / MASS};
}

static struct body step(const double p[], struct body b, double h)
{
    struct body k1 = rate_of(p, b), x2 = {b.z + h / 2 * k1.z, b.w + h / 2 * k1.w};
    struct body k2 = rate_of(p, x2), x3 = {b.z + h / 2 * k2.z, b.w + h / 2 * k2.w};
    struct body k3 = rate_of(p, x3), x4 = {b.z + h * k3.z, b.w + h * k3.w};
    struct body k4 = rate_of(p, x4);
    return (struct body){b.z + h / 6 * (k1.z + 2 * k2.z + 2 * k3.z + k4.z),
                         b.w + h / 6 * (k1.w + 2 * k2.w + 2 * k3.w + k4.w)};
}

static double force(const double p[], struct body b)
{
    return fmax(0, p[0] * b.z * sqrt(b.z) + p[1] * sqrt(b.z) * b.w);
}

/* From touch to F = 0. */
static struct body press(const double p[], struct body b, double h, double *time)
{
    struct body before = b;
    *time = 0;
    do {
        before = b;
        b = step(p, b, h);
        *time += h;
    } while (force(p, b) > 0);
    return before;
}

/* From touch to the peak of depth; returns the largest force. */
static double sink(const double p[], struct body b, double h, double *depth)
{
    double most = 0;
    for (; b.w > 0; b = step(p, b, h))
        most = fmax(most, force(p, b));
    *depth = b.z;
    return most;
}

static void plain(const double p[], double speed, double h, struct cf_landing *second)
{
    double stay, t = 0, dt = 1e-7;
    struct body start = press(p, (struct body){1e-13, speed}, h, &stay), b = start;

    do { /* the body's parabola and the surface, which at first is only slightly behind */
        t += dt;
        b.z = start.z + start.w * t + GRAVITY / 2 * t * t;
    } while (t < -0.5 * start.w / GRAVITY || b.z < start.z * exp(-p[0] / p[1] * t));
    b.w = start.w + GRAVITY * t;
    second->time_s = stay + t;
    second->surface_m = b.z;
    second->approach_m_s = b.w;
    second->force_N = sink(p, b, h, &second->depth_m);
}

/* Slow recovery: lambda/k = 5 ms, a flight of 15 to 20 ms. On earth a body that finds its ground
 * still deep is too slow to leave it again. */
static void quick(void)
{
    const double p[] = {2e6, 1e4}, speed = 1.114;
    struct cf_landing at[3], want, rested[2];
    size_t n, m;
    int status = cf_impact_rebound(cf_law_find("azad-featherstone-recovering"), p, MASS, speed,
                                   GRAVITY, 3, at, &n, NULL);

    plain(p, speed, at[0].duration_s / 20000, &want);
    cf_impact_rebound(cf_law_find("azad-featherstone"), p, MASS, speed, GRAVITY, 2, rested, &m,
                      NULL);
    ok(!status && n == 2 && at[0].surface_m == 0 && at[1].surface_m > 0 && at[1].rebound_m_s == 0,
       "the second landing finds the ground %.3g of %.3g m deep, and stays", at[1].surface_m,
       at[0].left_m);
    is_near(at[1].time_s / want.time_s, 1, 1e-4, "its time, by plain steps");
    is_near(at[1].surface_m / want.surface_m, 1, 2e-3, "how deep the ground stood");
    is_near(at[1].approach_m_s / want.approach_m_s, 1, 1e-3, "the speed of landing");
    is_near(at[1].depth_m / want.depth_m, 1, 1e-3, "the peak of depth");
    is_near(at[1].force_N / want.force_N, 1, 1e-3, "the peak of force, a jump at touch");
    ok(m == 2 && fabs(at[1].force_N / rested[1].force_N - 1) > 0.05,
       "on ground that is back at once it comes at %.5g s and presses with %.4g N, not %.5g, %.4g",
       rested[1].time_s, rested[1].force_N, at[1].time_s, at[1].force_N);
}

/* With slower speeds the surface comes up to a body that still rises. */
static void overtaken(void)
{
    const double p[] = {2e6, 1e4};
    struct cf_landing at[2];
    size_t n;
    int status = cf_impact_rebound(cf_law_find("azad-featherstone-recovering"), p, MASS, 0.6591,
                                   GRAVITY, 2, at, &n, NULL);

    ok(!status && n == 2 && at[1].approach_m_s < 0 && at[1].depth_m >= at[1].surface_m &&
           at[1].rebound_m_s == 0,
       "the surface reaches a body that still rises, and keeps it");
}

/* The 154 g sphere of Azad & Featherstone 2010, dropped from 10 cm: its ground recovers in a
 * microsecond, flights take milliseconds, so that both laws bounce alike; and its first impact is
 * that of cf_impact() except for the weight. */
static void complete(void)
{
    const double p[] = {2e9, 2e3}, speed = 1.4;
    struct cf_landing slow[6], back[6];
    struct cf_curves *curves = cf_curves_alloc();
    struct cf_impact first;
    size_t n, m;
    double worst = 0;

    cf_impact_rebound(cf_law_find("azad-featherstone-recovering"), p, MASS, speed, GRAVITY, 6, slow,
                      &n, NULL);
    cf_impact_rebound(cf_law_find("azad-featherstone"), p, MASS, speed, GRAVITY, 6, back, &m, NULL);
    for (size_t i = 0; i < n && i < m; i++)
        worst = fmax(worst, fmax(fabs(slow[i].time_s - back[i].time_s) / (back[i].time_s + 1),
                                 fabs(slow[i].rebound_m_s / back[i].rebound_m_s - 1)));
    cf_impact(curves, cf_law_find("azad-featherstone"), p, MASS, speed, &first, NULL);
    ok(n == 6 && m == 6 && worst < 1e-9, "complete recovery is the one-body law (worst %.1e)",
       worst);
    cf_impact_rebound(cf_law_find("azad-featherstone-recovering"), p, MASS, speed, 0, 2, slow, &n,
                      NULL);
    ok(n == 1 &&
           fabs(slow[0].rebound_m_s / speed / first.value[CF_IMPACT_RESTITUTION] - 1) < 1e-10 &&
           fabs(slow[0].duration_s / first.value[CF_IMPACT_DURATION] - 1) < 1e-9 &&
           fabs(slow[0].depth_m / first.value[CF_IMPACT_DEPTH] - 1) < 1e-10 &&
           fabs(slow[0].force_N / first.value[CF_IMPACT_FORCE] - 1) < 1e-10,
       "without gravity the first impact is the isolated one, and there is no second");
    cf_curves_free(curves);
}

/* At F = 0 the surface, left alone, has the velocity of the body. */
static void parting(void)
{
    const struct cf_law *law = cf_law_find("azad-featherstone-recovering");
    const double p[] = {2e6, 1e4};
    struct cf_landing at;
    struct cf_surface surface;
    size_t n;

    cf_impact_rebound(law, p, MASS, 1.114, GRAVITY, 1, &at, &n, NULL);
    law->recovery(p, at.left_m, NULL, 0, &surface);
    is_near(-surface.rate_m_s / at.rebound_m_s, 1, 1e-10,
            "body and surface part with one velocity");
}

static void errors(void)
{
    struct cf_landing at;
    struct cf_error err;
    size_t n;

    cf_impact_rebound(cf_law_find("tsuji"), (double[]){1e8, 0.1}, 1, 1, 1, 1, &at, &n, &err);
    is_str(err.text,
           "tsuji: bounces on ground that recovers are those of azad-featherstone-recovering or "
           "azad-featherstone",
           "another law has no such ground");
    cf_impact_rebound(cf_law_find("azad-featherstone"), (double[]){1e8, 1}, 1, 1, -1, 1, &at, &n,
                      &err);
    is_str(err.text, "gravity = -1 m/s^2: must not be below 0", "gravity pulls");
}

TEST(again)
{
    plan(7 + 1 + 2 + 1 + 2);
    quick();
    overtaken();
    complete();
    parting();
    errors();
    return done();
}
