/* One impact in real units, law by law: against a plain integration of the law's own force, and
 * every derivative against differences. */

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "impact/impact.h"
#include "tap.h"

#define LENGTH(table) ((int) (sizeof table / sizeof table[0]))

static const double MASS = 0.0421, SPEED = 0.317;

static struct cf_curves *curves;

static double worse(double a, double b)
{
    return isnan(a) || a >= b ? a : b;
}

static void typical(const struct cf_law *law, double p[])
{
    for (size_t i = 0; i < law->nparam; i++)
        p[i] = law->param[i].typical;
}

/* State of the plain integration: depth, rate, work done by the force, the law's inner state. */
struct state {
    double z, w, work, inner;
};

static struct state rate_of(const struct cf_law *law, const double p[], struct state s)
{
    struct cf_contact c = {s.z, s.w, SPEED, MASS, 0.0231, &s.inner};
    double force = s.z > 0 || law->p == 0 ? law->force(law, p, &c) : 0, rate = 0;
    if (law->nstate && s.z > 0)
        law->state_rate(p, &c, &rate);
    return (struct state){s.w, -force / MASS, -force * s.w, rate};
}

static struct state along(struct state s, struct state d, double h)
{
    return (struct state){s.z + h * d.z, s.w + h * d.w, s.work + h * d.work, s.inner + h * d.inner};
}

static struct state step(const struct cf_law *law, const double p[], struct state s, double h)
{
    struct state a = rate_of(law, p, s), b = rate_of(law, p, along(s, a, h / 2));
    struct state c = rate_of(law, p, along(s, b, h / 2)), d = rate_of(law, p, along(s, c, h));
    s = along(s, a, h / 6);
    s = along(s, b, h / 3);
    s = along(s, c, h / 3);
    return along(s, d, h / 6);
}

/* Plain RK4 in time: answers to 1e-5, and the state where the force ends. */
static struct state simulate(const struct cf_law *law, const double p[], double h, double value[])
{
    struct state s = {1e-12, SPEED, 0, 0}, before = s;
    struct cf_contact c = {0, 0, SPEED, MASS, 0.0231, &s.inner};
    double t = 0, force = 0;

    value[CF_IMPACT_DEPTH] = value[CF_IMPACT_FORCE] = 0;
    do {
        before = s;
        s = step(law, p, s, h);
        t += h;
        c.depth_m = s.z, c.rate_m_s = s.w;
        force = law->force(law, p, &c);
        value[CF_IMPACT_DEPTH] = fmax(value[CF_IMPACT_DEPTH], s.z);
        value[CF_IMPACT_FORCE] = fmax(value[CF_IMPACT_FORCE], force);
    } while (force > 0);
    value[CF_IMPACT_RESTITUTION] = -before.w / SPEED;
    value[CF_IMPACT_DURATION] = t - h / 2;
    return before;
}

static void plain(const struct cf_law *law)
{
    double p[CF_MAX_PARAM], value[CF_NIMPACT], worst = 0, h, loss, spring;
    struct cf_impact out;
    struct state end;

    typical(law, p);
    cf_impact(curves, law, p, MASS, SPEED, &out, NULL);
    h = out.value[CF_IMPACT_DURATION] / 20000;
    end = simulate(law, p, h, value);
    for (int i = 0; i < CF_NIMPACT; i++)
        worst = worse(worst, fabs(out.value[i] / value[i] - 1));
    ok(worst < 1e-4 && out.known[0] && out.known[1] && out.known[2] && out.known[3],
       "%s: as a plain integration of its force (worst %.1e)", law->name, worst);

    /* m v^2 (1 - e^2)/2 is the energy lost to the force; the spring keeps its part at F = 0 */
    loss = 0.5 * MASS * SPEED * SPEED * (1 - pow(out.value[CF_IMPACT_RESTITUTION], 2));
    is_near(-end.work / loss, 1, 1e-4, "%s: energy balance", law->name);
    if (strcmp(law->name, "azad-featherstone") == 0) {
        /* compression at F = 0 is (lambda/k) times the speed, and the energy left in it */
        struct cf_contact c = {.depth_m = p[1] / p[0] * SPEED * out.value[CF_IMPACT_RESTITUTION]};
        spring = 0.4 * p[0] * pow(c.depth_m, 2.5);
        is_near(end.z / c.depth_m, 1, 1e-3, "%s: compression at the end", law->name);
        is_near(law->energy(law, p, &c) / spring, 1, 1e-14, "%s: energy left in it", law->name);
    }
}

/* Answers at a shifted argument: parameter i, or speed (nparam), or mass (nparam + 1). */
static void shifted(const struct cf_law *law, const double p[], double speed, size_t i,
                    double factor, double value[])
{
    double q[CF_MAX_PARAM], m = MASS;
    struct cf_impact out;

    memcpy(q, p, law->nparam * sizeof *q);
    if (i < law->nparam)
        q[i] *= factor;
    else if (i == law->nparam)
        speed *= factor;
    else
        m *= factor;
    cf_impact(curves, law, q, m, speed, &out, NULL);
    memcpy(value, out.value, sizeof out.value);
}

/* All derivatives by x, as x times them, against fourth-order differences. */
static double slopes(const struct cf_law *law, const double p[], double speed)
{
    struct cf_impact out;
    double worst = 0, h = 1e-3;

    cf_impact(curves, law, p, MASS, speed, &out, NULL);
    for (size_t i = 0; i < law->nparam + 2; i++) {
        double a[CF_NIMPACT], b[CF_NIMPACT], c[CF_NIMPACT], d[CF_NIMPACT];
        shifted(law, p, speed, i, 1 - 2 * h, a);
        shifted(law, p, speed, i, 1 - h, b);
        shifted(law, p, speed, i, 1 + h, c);
        shifted(law, p, speed, i, 1 + 2 * h, d);
        for (int j = 0; j < CF_NIMPACT; j++) {
            double want = (a[j] - 8 * b[j] + 8 * c[j] - d[j]) / (12 * h);
            double got = i < law->nparam    ? out.by_param[j][i] * p[i]
                         : i == law->nparam ? out.by_speed[j] * speed
                                            : out.by_mass[j] * MASS;
            if (out.known[j])
                worst = worse(worst, fabs(got - want) / out.value[j]);
        }
    }
    return worst;
}

static bool is_driven(const struct cf_law *law)
{
    return law->nparam > 2 && strcmp(law->param[2].name, "v_small") == 0;
}

static void derivatives(const struct cf_law *law)
{
    /* differences of runs whose steps adapt carry the runs' own error */
    double p[CF_MAX_PARAM], worst = 0, limit = law->regular ? 3e-8 : 1e-9;

    typical(law, p);
    for (int i = 0; i < 3; i++) {
        worst = worse(worst, slopes(law, p, SPEED));
        if (law->family == CF_FAMILY_NORMAL && strcmp(law->param[1].name, "e") != 0)
            p[1] *= 0.15; /* less damping each time */
    }
    ok(worst < limit, "%s: derivatives by parameters, speed, mass (worst %.1e)", law->name, worst);
    if (is_driven(law)) { /* slower than v_small */
        worst = slopes(law, p, 0.4 * p[2]);
        ok(worst < 1e-9, "%s: and below v_small (worst %.1e)", law->name, worst);
    }
}

/* By dimensional analysis: what e can depend on, as powers of k and m beside the damping. */
static void groups(void)
{
    static const struct {
        const char *law;
        double k, m;
    } rows[] = {
        {"azad-featherstone", -0.6, -0.4},
        {"lee-wang", -0.8, -0.2},
        {"linear", -0.5, -0.5},
        {"hunt-crossley", 0, 0},
        {"tsuji", 0, 0},
        {"gonthier", 0, 0},
        {"e-log", 0, 0},
    };

    for (int i = 0; i < LENGTH(rows); i++) {
        double k, m;
        cf_impact_group(cf_law_find(rows[i].law), &k, &m);
        ok(fabs(k - rows[i].k) < 1e-15 && fabs(m - rows[i].m) < 1e-15,
           "%s: e identifies damping k^%g m^%g", rows[i].law, rows[i].k, rows[i].m);
    }
}

/* What cancels has a derivative of exactly 0, and is not needed for e. */
static void cancelled(void)
{
    static const char *const names[] = {"hunt-crossley", "tsuji", "gonthier", "hunt-crossley-e",
                                        "hu-guo"};

    for (int i = 0; i < LENGTH(names); i++) {
        const struct cf_law *law = cf_law_find(names[i]);
        double p[CF_MAX_PARAM];
        struct cf_impact out, without;
        int status;

        typical(law, p);
        cf_impact(curves, law, p, MASS, SPEED, &out, NULL);
        p[0] = (double) NAN;
        status = cf_impact(curves, law, p, MASS, SPEED, &without, NULL);
        ok(out.by_param[CF_IMPACT_RESTITUTION][0] == 0 && out.by_mass[CF_IMPACT_RESTITUTION] == 0,
           "%s: e does not depend on k and mass", names[i]);
        ok((out.by_speed[CF_IMPACT_RESTITUTION] == 0) == (i != 0), "%s: e depends on speed: %s",
           names[i], i == 0 ? "yes" : "no");
        ok(status == CF_OK && without.known[CF_IMPACT_RESTITUTION] &&
               !without.known[CF_IMPACT_DURATION] && !without.known[CF_IMPACT_DEPTH] &&
               !without.known[CF_IMPACT_FORCE] &&
               fabs(without.value[CF_IMPACT_RESTITUTION] / out.value[CF_IMPACT_RESTITUTION] - 1) <
                   1e-13,
           "%s: without k it gives e and nothing else", names[i]);
    }
}

/* The exact damping gives the target e, at any speed above v_small. */
static void asked_for(void)
{
    double worst = 0;
    struct cf_impact out;

    for (double e = 0.01; e < 0.9995; e += 0.011) {
        cf_impact(curves, cf_law_find("gonthier"), (double[]){2.37e7, e, 1e-3}, MASS, 0.5 + e, &out,
                  NULL);
        worst = worse(worst, fabs(out.value[CF_IMPACT_RESTITUTION] / e - 1));
    }
    ok(worst < 2e-15, "gonthier gives the e that is asked for (worst %.1e)", worst);
}

static const struct {
    const char *law;
    double p[3], mass, speed;
    const char *text;
} bad[] = {
    {"tsuji", {1e8, 0.1, 0}, 0, 0.3, "mass = 0 kg: must be above 0"},
    {"tsuji", {1e8, 0.1, 0}, 0.1, -0.3, "speed = -0.3 m/s: must be above 0"},
    {"tsuji", {1e8, -0.1, 0}, 0.1, 0.3, "alpha = -0.1: must be in [0, 10000]"},
    {"azad-featherstone",
     {(double) NAN, 1e4, 0},
     0.1,
     0.3,
     "k is not a number: a value in [1, 1e+15] N/m^1.5 is wanted"},
    {"e-constant", {1.1, 0, 0}, 0.1, 0.3, "e = 1.1: must be in [0, 1]"},
};

static void errors(void)
{
    struct cf_impact out;
    double value[CF_NIMPACT];
    struct cf_error err;

    for (int i = 0; i < LENGTH(bad); i++) {
        int status = cf_impact(curves, cf_law_find(bad[i].law), bad[i].p, bad[i].mass, bad[i].speed,
                               &out, &err);
        is_str(err.text, bad[i].text, "message: %s", bad[i].text);
        ok(status == CF_ERANGE, "and its status");
    }
    ok(cf_impact_integrate(cf_law_find("e-log"), (double[]){0.7, 0.1}, MASS, SPEED, 1e-9, value,
                           &err) == CF_ESOLVE,
       "an e-law cannot be integrated");
    is_str(err.text, "e-log has no force to integrate", "and says so");
    cf_impact_integrate(cf_law_find("tsuji"), bad[0].p, MASS, SPEED, 0, value, &err);
    is_str(err.text, "tolerance = 0: must be between 0 and 1", "a tolerance of 0 is refused");
}

TEST(answers)
{
    int normal = 0, driven = 0, all = 0;

    for (const struct cf_law *const *law = cf_laws; *law; law++) {
        all += !(*law)->curve;
        normal += (*law)->family == CF_FAMILY_NORMAL;
        driven += is_driven(*law);
    }
    curves = cf_curves_alloc();
    plan(2 * normal + 2 + all + driven + 7 + 15 + 1 + 2 * LENGTH(bad) + 3);
    for (const struct cf_law *const *law = cf_laws; *law; law++) {
        if ((*law)->family == CF_FAMILY_NORMAL)
            plain(*law);
        if (!(*law)->curve)
            derivatives(*law);
    }
    groups();
    cancelled();
    asked_for();
    errors();
    cf_curves_free(curves);
    return done();
}
