/* The double pendulum of Gonthier 2007, section 5.1.3: its first impacts and the energy that one
 * takes, against SciPy with its own equations (t/reference/make_pendulum.py), and against Poisson's
 * rigid law. */

#include <math.h>
#include <stdio.h>

#include "lib/stage.h"
#include "tap.h"

/* columns of pendulum.csv and of pendulum_loss.csv behind the case */
enum { TOUCH, APPROACH, SLIP, END, PHI_1, PHI_2, NIMPACT };
enum { E, MU, LAW, POISSON, NLOSS };
enum { FIRST = 10, MOST = 16 };

static void test_impacts(void)
{
    double cell[MOST * NIMPACT], touch = 0, end = 0, speed = 0, angle = 0;
    int n = stage_table("pendulum.csv", "", NIMPACT, MOST, cell);
    struct stage stage;

    stage_open(&stage, "g07_double_pendulum", NULL);
    ok(stage_run(&stage) && n >= FIRST, "runs");
    for (int i = 0; i < FIRST && i < n; i++) {
        const double *row = cell + i * NIMPACT;
        const struct stage_event *make = stage_find(&stage, CF_EVENT_MAKE, (size_t) i);
        const struct stage_event *out = stage_find(&stage, CF_EVENT_BREAK, (size_t) i);
        if (!make || !out) {
            touch = end = speed = angle = (double) NAN;
            break;
        }
        touch = fmax(touch, fabs(make->time_s - row[TOUCH]));
        end = fmax(end, fabs(out->time_s - row[END]));
        speed = fmax(speed, fabs(make->contact.rate_m_s - row[APPROACH]));
        speed = fmax(speed, fabs(make->contact.slip_m_s[0] - row[SLIP]));
        angle = fmax(angle, fabs(make->angle_rad[0] - row[PHI_1]));
        angle = fmax(angle, fabs(make->angle_rad[1] - row[PHI_2]));
    }
    ok(touch < 1e-6, "first ten impacts: times within %.1e s", touch);
    ok(end < 1e-6, "first ten impacts: their ends within %.1e s", end);
    ok(speed < 1e-5, "first ten impacts: speeds within %.1e m/s", speed);
    ok(angle < 1e-5, "first ten impacts: angles within %.1e rad", angle);
    ok(stage_off(&stage) < 1e-9, "energy balance off by %.1e of what moved in %zu impacts",
       stage_off(&stage), stage.result.events[CF_EVENT_MAKE]);
    stage_close(&stage);
}

/* Percent of the kinetic energy at the start. */
static double loss(const char *scene, double e, double mu, double *off)
{
    char e_text[32], mu_text[32];
    struct stage stage;

    snprintf(e_text, sizeof e_text, "%g", e);
    snprintf(mu_text, sizeof mu_text, "%g", mu);
    stage_open(&stage, scene,
               (const char *const[]){"contacts.1.normal.e", e_text, "contacts.1.friction.mu_s",
                                     mu_text, "contacts.1.friction.mu_c", mu_text, NULL});
    stage_run(&stage);
    const struct stage_event *make = stage_find(&stage, CF_EVENT_MAKE, 0);
    const struct stage_event *out = stage_find(&stage, CF_EVENT_BREAK, 0);
    double lost = (double) NAN;
    if (make && out && !stage_find(&stage, CF_EVENT_MAKE, 1)) {
        const double *before = make->energy_J, *after = out->energy_J;
        lost = 100 *
               (before[CF_ENERGY_KINETIC] + before[CF_ENERGY_POTENTIAL] - after[CF_ENERGY_KINETIC] -
                after[CF_ENERGY_POTENTIAL]) /
               before[CF_ENERGY_KINETIC];
    }
    *off = fmax(*off, stage_off(&stage));
    stage_close(&stage);
    return lost;
}

/* Figs. 5.20-5.21, each case over restitution and friction. */
static void test_losses(const char *name)
{
    char begins[8], scene[64];
    double cell[MOST * NLOSS], worst = 0, off = 0;
    int n;

    snprintf(begins, sizeof begins, "%s,", name);
    snprintf(scene, sizeof scene, "g07_pendulum_benchmark_%s", name);
    n = stage_table("pendulum_loss.csv", begins, NLOSS, MOST, cell);
    for (int i = 0; i < n; i++) {
        const double *row = cell + i * NLOSS, got = loss(scene, row[E], row[MU], &off);
        worst = fmax(worst, isnan(got) ? (double) INFINITY : fabs(got - row[LAW]));
    }
    ok(n == 12 && worst < 1e-3, "case (%s): loss within %.1e points, e 0.5 and 1, mu 0.02 to 1",
       name, worst);
    ok(off < 1e-9, "case (%s): energy balance off by %.1e of what moved", name, off);
}

/* The law against Poisson's, which it approaches where the slip neither stops nor reverses. */
static void test_poisson(void)
{
    double off = 0, a = loss("g07_pendulum_benchmark_a", 1, 0.5, &off);
    double cell[MOST * NLOSS];
    int n;

    is_near(a, 30.4, 0.05 / 30, "case (a), e = 1, mu = 0.5: 30.4 %% by this law");
    n = stage_table("pendulum_loss.csv", "a,1,", NLOSS - 1, MOST, cell);
    is_near(n == 6 ? cell[3 * (NLOSS - 1) + POISSON - 1] : (double) NAN, 36.5, 0.05 / 36,
            "and 36.5 %% by Poisson's, where the slip has turned");
    n = stage_table("pendulum_loss.csv", "b,", NLOSS, MOST, cell);
    for (int i = 0; i < n; i++) {
        const double *row = cell + i * NLOSS;
        if (row[MU] != 0.5)
            continue;
        double got = loss("g07_pendulum_benchmark_b", row[E], row[MU], &off);
        ok(fabs(got - row[POISSON]) < 0.11, "case (b), e = %g, mu = 0.5: %.3f %%, rigid %.3f %%",
           row[E], got, row[POISSON]);
    }
}

TEST(pendulum)
{
    plan(6 + 2 * 2 + 4);
    test_impacts();
    test_losses("a");
    test_losses("b");
    test_poisson();
    return done();
}
