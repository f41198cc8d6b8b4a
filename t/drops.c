/* The two dropped spheres of Azad & Featherstone, impact by impact, against Taylor series with 50
 * digits (t/reference/make_drops.py) and their published numbers. */

#include <math.h>
#include <stdio.h>

#include "lib/stage.h"
#include "tap.h"

/* columns of drops.csv */
enum {
    TOUCH,
    APPROACH,
    DEPTH,
    DEEPEST,
    FORCE,
    STRONGEST,
    END,
    END_DEPTH,
    END_SPEED,
    APEX,
    NCOLUMN
};
enum { MOST = 64 };

struct drop {
    const char *scene, *begins;
    int impacts;
    double radius_m;
};

static const struct drop steel = {"af14_steel_66g", "66g,", 38, 12.7e-3};
static const struct drop heavy = {"af10_bouncing_154g", "154g,", 10, 16.5e-3};

/* The worst errors of a run: times of touch and end [s], apexes (relative), speeds at both
 * (relative); NAN where something is missing. */
struct off {
    double touch_s, end_s, apex, speed;
};

static struct off compare(const struct stage *stage, const struct drop *drop, int n,
                          const double cell[])
{
    struct off off = {0, 0, 0, 0};

    for (int i = 0; i < n; i++) {
        const double *row = cell + i * NCOLUMN;
        const struct stage_event *make = stage_find(stage, CF_EVENT_MAKE, (size_t) i);
        const struct stage_event *out = stage_find(stage, CF_EVENT_BREAK, (size_t) i);
        const struct stage_event *top = stage_find(stage, CF_EVENT_APEX, (size_t) i);
        if (!make || (!out || !top) != (i == n - 1))
            return (struct off){NAN, NAN, NAN, NAN};
        off.touch_s = fmax(off.touch_s, fabs(make->time_s - row[TOUCH]));
        off.speed = fmax(off.speed, fabs(make->contact.rate_m_s / row[APPROACH] - 1));
        if (i == n - 1)
            continue;
        off.end_s = fmax(off.end_s, fabs(out->time_s - row[END]));
        off.speed = fmax(off.speed, fabs(out->contact.rate_m_s / row[END_SPEED] + 1));
        off.apex = fmax(off.apex, fabs((top->body.position_m[2] - drop->radius_m) / row[APEX] - 1));
    }
    return off;
}

/* At the default tolerance, with the required bounds. */
static void test_impacts(const struct drop *drop)
{
    double cell[MOST * NCOLUMN];
    int n = stage_table("drops.csv", drop->begins, NCOLUMN, MOST, cell);
    struct stage stage;

    stage_open(&stage, drop->scene, NULL);
    ok(stage_run(&stage) && n == drop->impacts, "%s: runs", drop->scene);
    const struct cf_motion_result *r = &stage.result;
    ok(r->events[CF_EVENT_MAKE] == (size_t) drop->impacts &&
           r->events[CF_EVENT_BREAK] == (size_t) drop->impacts - 1 && isfinite(r->rest_s) &&
           r->rest_s > cell[(n - 1) * NCOLUMN],
       "%s: %d impacts, and rest at %.4f s", drop->scene, drop->impacts, r->rest_s);
    struct off off = compare(&stage, drop, n, cell);
    ok(off.touch_s < 1e-9, "%s: times of impact within %.1e s", drop->scene, off.touch_s);
    ok(off.end_s < 1e-9, "%s: ends of the force within %.1e s", drop->scene, off.end_s);
    ok(off.apex < 1e-8, "%s: apexes within %.1e of themselves", drop->scene, off.apex);
    ok(off.speed < 1e-8, "%s: speeds at both within %.1e", drop->scene, off.speed);
    ok(stage_off(&stage) < 1e-9, "%s: energy balance off by %.1e of what moved", drop->scene,
       stage_off(&stage));
    ok(r->steps + r->rejected < 2100, "%s: in %zu steps, %zu of them rejected", drop->scene,
       r->steps + r->rejected, r->rejected);
    is_near(r->time_s, stage.file->scene.duration_s, 0, "%s: to the end", drop->scene);
    stage_close(&stage);
}

/* Published numbers of the 66 g sphere, and where it comes to rest: k z^1.5 = m g. */
static void test_steel(void)
{
    struct stage stage;
    size_t low = 0, lifts;

    stage_open(&stage, steel.scene, NULL);
    stage_run(&stage);
    const struct stage_event *first = stage_find(&stage, CF_EVENT_MAKE, 0);
    is_near(first ? first->time_s : (double) NAN, 0.4472135955, 1e-10, "66 g: first impact");
    while (low < 37 && stage_find(&stage, CF_EVENT_APEX, low) &&
           stage_find(&stage, CF_EVENT_APEX, low)->body.position_m[2] - steel.radius_m >= 1e-3)
        low++;
    const struct stage_event *small = stage_find(&stage, CF_EVENT_MAKE, low);
    ok(low == 11 && small, "66 g: the apex falls below 1 mm with bounce %zu", low + 1);
    is_near(small ? small->time_s : (double) NAN, 2.39167340643, 1e-10, "66 g: whose impact it is");
    lifts = stage.result.events[CF_EVENT_BREAK] - low;
    ok(lifts == 26, "66 g: 26 lift-offs from there on (%zu)", lifts);
    const struct stage_event *last = stage_find(&stage, CF_EVENT_MAKE, 37);
    is_near(last ? last->time_s : (double) NAN, 2.52986759277, 1e-10, "66 g: permanent contact");
    is_near((steel.radius_m - stage.end.body.position_m[2]) / pow(0.66 / 1e10, 2.0 / 3), 1, 1e-6,
            "66 g: rests as deep as its weight presses it");
    stage_close(&stage);
}

/* A run that ends at a time within the first contact: the state there. */
static void run_to(struct stage *stage, const char *scene, double end_s)
{
    char duration[64];

    snprintf(duration, sizeof duration, "%.17g s", end_s);
    stage_open(stage, scene, (const char *const[]){"duration", duration, NULL});
    stage_run(stage);
}

/* The peak of force of the first impact, where the table has it. */
static void test_peak(const struct drop *drop, double force_N)
{
    double cell[MOST * NCOLUMN] = {0};
    struct stage stage;

    stage_table("drops.csv", drop->begins, NCOLUMN, MOST, cell);
    run_to(&stage, drop->scene, cell[STRONGEST]);
    is_near(stage.end.contact.normal_N / force_N, 1, 1e-10, "%s: peak of force", drop->scene);
    is_near(stage.end.contact.normal_N / cell[FORCE], 1, 1e-10, "%s: the table's", drop->scene);
    stage_close(&stage);
    run_to(&stage, drop->scene, cell[DEEPEST]);
    is_near(stage.end.contact.depth_m / cell[DEPTH], 1, 1e-10, "%s: peak of depth", drop->scene);
    stage_close(&stage);
}

/* Energies of the 154 g sphere at its first peak of compression, where a scene ends, and at F = 0:
 * [AF10]'s account. */
static void test_energies(double deepest_s)
{
    static const double deep_mJ[] = {93.79054, 58.71388, -1.43041};
    static const double apart_mJ[] = {5.60969, 91.40578, 54.05853};
    static const double lost_mJ[] = {97.0155, 33.0888, 12.3047};
    static const double apex_mm[] = {35.7828177, 13.8804120, 5.73556452};
    struct stage stage;

    run_to(&stage, heavy.scene, deepest_s);
    const double *e = stage.end.energy_J, ground = 0.154 * 9.81 * heavy.radius_m;
    is_near(1e3 * e[CF_ENERGY_NORMAL_SPRING], deep_mJ[0], 1e-7, "154 g, deepest: spring");
    is_near(1e3 * e[CF_ENERGY_NORMAL_DAMPER], deep_mJ[1], 1e-7, "154 g, deepest: damper");
    is_near(1e3 * (e[CF_ENERGY_KINETIC] + e[CF_ENERGY_POTENTIAL] - ground), deep_mJ[2], 1e-5,
            "154 g, deepest: body");
    stage_close(&stage);

    stage_open(&stage, heavy.scene, NULL);
    stage_run(&stage);
    const struct stage_event *out = stage_find(&stage, CF_EVENT_BREAK, 0);
    e = out ? out->energy_J : stage.end.energy_J;
    is_near(1e3 * e[CF_ENERGY_NORMAL_SPRING], apart_mJ[0], 1e-6, "154 g, F = 0: spring");
    is_near(1e3 * e[CF_ENERGY_NORMAL_DAMPER], apart_mJ[1], 1e-7, "154 g, F = 0: damper");
    is_near(1e3 * (e[CF_ENERGY_KINETIC] + e[CF_ENERGY_POTENTIAL] - ground), apart_mJ[2], 1e-7,
            "154 g, F = 0: body");
    double before = 0;
    for (size_t i = 0; i < 3; i++) {
        const struct stage_event *top = stage_find(&stage, CF_EVENT_APEX, i);
        double lost = top ? 1e3 * top->energy_J[CF_ENERGY_NORMAL_DAMPER] : (double) NAN;
        is_near(lost - before, lost_mJ[i], 1e-5, "154 g, bounce %zu: lost", i + 1);
        is_near(top ? 1e3 * (top->body.position_m[2] - heavy.radius_m) : (double) NAN, apex_mm[i],
                1e-8, "154 g, bounce %zu: apex", i + 1);
        before = lost;
    }
    stage_close(&stage);
}

/* A tighter tolerance is always better, and the error is near the tolerance. */
static void test_tolerance(const struct drop *drop)
{
    static const double tolerance[] = {1e-7, 1e-9, 1e-11};
    double cell[MOST * NCOLUMN], before = INFINITY;
    int n = stage_table("drops.csv", drop->begins, NCOLUMN, MOST, cell);

    for (int i = 0; i < 3; i++) {
        struct stage stage;
        stage_open(&stage, drop->scene, NULL);
        stage.options.tolerance = tolerance[i];
        stage_run(&stage);
        struct off off = compare(&stage, drop, n, cell);
        ok(off.touch_s < 100 * tolerance[i] && off.touch_s < before / 5,
           "%s at %g: times of impact within %.1e s", drop->scene, tolerance[i], off.touch_s);
        before = off.touch_s;
        stage_close(&stage);
    }
}

TEST(drops)
{
    double cell[MOST * NCOLUMN];

    plan(2 * 9 + 6 + 2 * 3 + 12 + 6);
    test_impacts(&steel);
    test_impacts(&heavy);
    test_steel();
    test_peak(&steel, 11116.7988903);
    test_peak(&heavy, 266.616912964);
    stage_table("drops.csv", heavy.begins, NCOLUMN, MOST, cell);
    test_energies(cell[DEEPEST]);
    test_tolerance(&steel);
    test_tolerance(&heavy);
    return done();
}
