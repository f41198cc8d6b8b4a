/* Several contacts at once, and ground that has not recovered, against one equivalent contact: in a
 * groove of two planes a ball feels k' = 2 k cos^2.5, on four corners a box 4 k. */

#include <math.h>
#include <stdio.h>

#include "impact/rebounds.h"
#include "lib/stage.h"
#include "tap.h"

enum { MOST = 8 };

struct bounce {
    size_t n;
    double make_s[MOST], out_m_s[MOST]; /* of first touches and last partings */
    double off;
};

/* Simultaneous makes count as one. */
static void bounces(struct stage *stage, struct bounce *bounce)
{
    bounce->n = 0;
    bool ran = stage_run(stage);
    for (size_t i = 0; i < stage->n && ran; i++) {
        const struct stage_event *e = &stage->event[i];
        if (e->what == CF_EVENT_MAKE && bounce->n < MOST &&
            (bounce->n == 0 || e->time_s > bounce->make_s[bounce->n - 1] + 1e-6))
            bounce->make_s[bounce->n++] = e->time_s;
        if (e->what == CF_EVENT_BREAK && bounce->n > 0)
            bounce->out_m_s[bounce->n - 1] = e->body.velocity_m_s[2];
    }
    bounce->off = ran ? stage_off(stage) : (double) NAN;
    stage_close(stage);
}

static void same(const struct bounce *got, const struct bounce *want, size_t n, const char *what)
{
    double time = 0, speed = 0;

    for (size_t i = 0; i < n; i++) {
        time = fmax(time, fabs(got->make_s[i] - want->make_s[i]));
        if (i + 1 < n)
            speed = fmax(speed, fabs(got->out_m_s[i] / want->out_m_s[i] - 1));
    }
    ok(got->n >= n && want->n >= n && time < 1e-9, "%s: %zu touches, within %.1e s", what, n, time);
    ok(speed < 1e-7, "%s: speeds out within %.1e", what, speed);
    ok(got->off < 1e-9, "%s: energy balance off by %.1e", what, got->off);
}

/* One ball on one plane. */
static void plain(double drop_m, const char *law, double k, double damping, struct bounce *bounce)
{
    struct stage stage;

    stage_write(&stage, "one",
                "duration: 0.5 s\n"
                "bodies:\n"
                "  ball: {sphere: {radius: 1 cm}, mass: 0.1 kg, position: [0, 0, %.17g]}\n"
                "  floor: {plane: {normal: [0, 0, 1], height: 0}, fixed: true}\n"
                "contacts: [{between: [ball, floor], normal: {law: %s: %.17g}}]\n",
                0.01 + drop_m, law, damping);
    if (stage.file)
        stage.file->scene.pair[0].p[0] = k;
    bounces(&stage, bounce);
}

/* Planes whose normals lean by `lean` from upright. For a law in z alone; damping depends on z and
 * zdot, both cos(lean) times the downward motion. */
static void test_groove(const char *law, double damping, double power, double lean)
{
    double c = cos(lean), s = sin(lean), k = 1e6;
    struct bounce groove, one;
    struct stage stage;
    char what[96];

    stage_write(&stage, "groove",
                "duration: 0.5 s\n"
                "bodies:\n"
                "  ball: {sphere: {radius: 1 cm}, mass: 0.1 kg, position: [0, 0, %.17g]}\n"
                "  left: {plane: {normal: [%.17g, 0, %.17g], height: 0}, fixed: true}\n"
                "  right: {plane: {normal: [%.17g, 0, %.17g], height: 0}, fixed: true}\n"
                "contacts:\n"
                "  - {between: [ball, left], normal: {law: %s: %.17g}}\n"
                "  - {between: [ball, right], normal: {law: %s: %.17g}}\n",
                0.01 / c + 0.04, s, c, -s, c, law, damping, law, damping);
    for (size_t m = 0; stage.file && m < 2; m++)
        stage.file->scene.pair[m].p[0] = k;
    bounces(&stage, &groove);
    plain(0.04, law, 2 * k * pow(c, 2.5), damping * power, &one);
    snprintf(what, sizeof what, "groove, %.9s", law);
    same(&groove, &one, 3, what);
}

static void test_box(void)
{
    struct bounce box, one;
    struct stage stage;

    stage_write(&stage, "four",
                "duration: 0.5 s\n"
                "bodies:\n"
                "  box: {box: {size: [4 cm, 6 cm, 2 cm]}, mass: 0.1 kg, position: [0, 0, 0.05]}\n"
                "  floor: {plane: {normal: [0, 0, 1], height: 0}, fixed: true}\n"
                "contacts:\n"
                "  - between: [box, floor]\n"
                "    normal: {law: azad-featherstone, k: 1e6, lambda: 2e3}\n");
    bounces(&stage, &box);
    plain(0.04, "azad-featherstone, k: 1e6, lambda", 4e6, 8e3, &one);
    same(&box, &one, 3, "a box flat on its corners");
}

/* Ground that recovers in 5 ms, and a ball that returns before: against cf_rebounds() of
 * src/impact, which computes the same with its own equations. */
static void test_recovering(void)
{
    static const double p[] = {2e6, 1e4}, MASS = 0.154, G = 9.81, SPEED = 1.114;
    struct cf_landing at[3];
    struct stage stage;
    size_t n = 0;

    cf_impact_rebound(cf_law_find("azad-featherstone-recovering"), p, MASS, SPEED, G, 3, at, &n,
                      NULL);
    stage_write(&stage, "recovering",
                "duration: 0.2 s\n"
                "bodies:\n"
                "  ball: {sphere: {radius: 1 cm}, mass: %g kg, position: [0, 0, %.17g]}\n"
                "  floor: {plane: {normal: [0, 0, 1], height: 0}, fixed: true}\n"
                "contacts:\n"
                "  - between: [ball, floor]\n"
                "    normal: {law: azad-featherstone-recovering, k: 2e6, lambda: 1e4}\n",
                MASS, 0.01 + SPEED * SPEED / (2 * G));
    ok(stage_run(&stage) && n == 2 && stage.result.events[CF_EVENT_MAKE] == 2,
       "recovering ground: two landings");
    const struct stage_event *first = stage_find(&stage, CF_EVENT_MAKE, 0);
    const struct stage_event *out = stage_find(&stage, CF_EVENT_BREAK, 0);
    const struct stage_event *again = stage_find(&stage, CF_EVENT_MAKE, 1);
    double t0 = first ? first->time_s : (double) NAN;
    is_near(out ? -out->contact.rate_m_s / at[0].rebound_m_s : (double) NAN, 1, 1e-8,
            "recovering ground: speed out");
    is_near(out ? out->contact.depth_m / at[0].left_m : (double) NAN, 1, 1e-8,
            "recovering ground: how deep the surface is left");
    is_near(again ? (again->time_s - t0) / at[1].time_s : (double) NAN, 1, 1e-8,
            "recovering ground: when it lands again");
    is_near(again ? again->contact.depth_m / at[1].surface_m : (double) NAN, 1, 1e-6,
            "recovering ground: where its surface stands then");
    is_near(again ? again->contact.rate_m_s / at[1].approach_m_s : (double) NAN, 1, 1e-8,
            "recovering ground: how fast");
    double off = stage_off(&stage);
    ok(off < 1e-9, "recovering ground: energy balance off by %.1e", off);
    stage_close(&stage);
}

TEST(many)
{
    plan(2 * 3 + 3 + 7);
    test_groove("azad-featherstone, k: 1e6, lambda", 2e3, 2 * pow(cos(0.6), 2.5), 0.6);
    test_groove("hunt-crossley, k: 1e6, a", 0.3, cos(0.6), 0.6);
    test_box();
    test_recovering();
    return done();
}
