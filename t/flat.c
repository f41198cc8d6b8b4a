/* Forces and restitutions over arrays: each number is that of the law's own row, or of an impact
 * integrated by itself; and what is refused. */

#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "impact/flat.h"
#include "impact/impact.h"
#include "law/flat.h"
#include "tap.h"

enum { N = 400 };

static void typical(const struct cf_param table[], size_t n, double p[])
{
    for (size_t i = 0; i < n; i++)
        p[i] = table[i].typical;
}

static void normal_forces(void)
{
    double depth[N], rate[N], force[N], p[CF_MAX_PARAM], state[CF_MAX_STATE] = {1e-5};
    const struct cf_contact pair = {
        .approach_m_s = 1.5, .mass_kg = 0.066, .radius_m = 0.01, .state = state};
    struct cf_error err;

    for (size_t i = 0; i < N; i++) {
        depth[i] = 2e-4 * ((double) i / N - 0.1);
        rate[i] = 3 * cos((double) i);
    }
    for (const struct cf_law *const *law = cf_laws; *law; law++) {
        double worst = 0;
        if (!(*law)->force || (*law)->family == CF_FAMILY_FOUNDATION)
            continue;
        typical((*law)->param, (*law)->nparam, p);
        int status =
            cf_law_force((*law)->name, (*law)->nparam, p, &pair, N, depth, rate, force, &err);
        for (size_t i = 0; i < N; i++) {
            struct cf_contact at = pair;
            at.depth_m = depth[i];
            at.rate_m_s = rate[i];
            double want = (*law)->force(*law, p, &at);
            worst = fmax(worst, fabs(force[i] - want) / (fabs(want) + 1e-9));
        }
        ok(!status && worst < 1e-14, "%s: forces of its own row, %g", (*law)->name, worst);
    }
    /* (k z + lambda zdot) sqrt(z), by hand: (1e6 + 5e4) 1e-2 */
    ok(!cf_law_force("azad-featherstone", 2, (double[]){1e10, 1e5}, NULL, 1, (double[]){1e-4},
                     (double[]){0.5}, force, &err) &&
           fabs(force[0] - 10500) < 1e-9,
       "10500 N, and no pair is wanted");
    depth[0] = NAN;
    depth[1] = -1;
    ok(!cf_law_force("linear", 2, (double[]){1e5, 10}, NULL, 2, depth, rate, force, &err) &&
           isnan(force[0]) && force[1] == 0,
       "no depth, no force; out of touch there is none");
}

static void normal_refusals(void)
{
    double p[CF_MAX_PARAM] = {1e5, 10}, x = 1e-4, f;
    struct cf_error err;

    ok(cf_law_force("linaer", 2, p, NULL, 1, &x, &x, &f, &err) == CF_EUSAGE, "no such law");
    ok(strstr(err.text, "linear") != NULL, "the nearest: %s", err.text);
    ok(cf_law_force("linear", 3, p, NULL, 1, &x, &x, &f, &err) == CF_EUSAGE, "too many numbers");
    is_str(err.text, "linear has 2 parameters, not 3", "how many it has");
    ok(cf_law_force("e-log", 2, p, NULL, 1, &x, &x, &f, &err) == CF_EUSAGE, "an e-law");
    is_str(err.text, "e-log has no force: it is e(v)", "has no force");
    ok(cf_law_force("azad-featherstone-two-body", 4, (double[]){1, 1, 1, 1}, NULL, 1, &x, &x, &f,
                    &err) == CF_EUSAGE,
       "a law with states: %s", err.text);
    p[0] = -1;
    ok(cf_law_force("linear", 2, p, NULL, 1, &x, &x, &f, &err) == CF_ERANGE, "k below 0: %s",
       err.text);
}

static void friction_forces(void)
{
    double velocity[2 * N], normal[N], depth[N], state[N * CF_FRICTION_STATES];
    double force[2 * N], rate[N * CF_FRICTION_STATES], p[CF_MAX_PARAM], f;
    struct cf_slides at = {N, velocity, normal, depth, state};
    struct cf_error err;

    for (size_t i = 0; i < N; i++) {
        velocity[2 * i] = 0.01 * sin((double) i);
        velocity[2 * i + 1] = 0.01 * cos(3.0 * (double) i);
        normal[i] = 1 + (double) i;
        depth[i] = 1e-6 * (double) i;
    }
    for (size_t i = 0; i < N * CF_FRICTION_STATES; i++)
        state[i] = 1e-6 * sin((double) i);
    for (const struct cf_friction_law *const *law = cf_friction_laws; *law; law++) {
        bool same = true;
        typical((*law)->param, (*law)->nparam, p);
        int status = cf_friction_force((*law)->name, (*law)->nparam, p, &at, force, rate, &err);
        for (size_t i = 0; i < N; i++) {
            const struct cf_slide one = {depth[i],
                                         normal[i],
                                         {velocity[2 * i], velocity[2 * i + 1]},
                                         (*law)->nstate ? &state[(*law)->nstate * i] : NULL};
            double want[2], wanted[CF_FRICTION_STATES] = {0};
            (*law)->force(p, &one, want, wanted);
            same = same && memcmp(want, &force[2 * i], sizeof want) == 0 &&
                   memcmp(wanted, &rate[(*law)->nstate * i], (*law)->nstate * sizeof *wanted) == 0;
        }
        ok(!status && same, "%s: forces and rates of its own row", (*law)->name);
    }
    at.n = 1;
    at.state = NULL;
    typical(cf_friction_find("dahl")->param, cf_friction_find("dahl")->nparam, p);
    ok(cf_friction_force("dahl", cf_friction_find("dahl")->nparam, p, &at, &f, NULL, &err) ==
           CF_EUSAGE,
       "states are wanted: %s", err.text);
    ok(cf_friction_force("columb", 2, p, &at, &f, NULL, &err) == CF_EUSAGE &&
           strstr(err.text, "coulomb"),
       "no such law: %s", err.text);
}

/* e at N speeds over three decades against that of each speed by itself. */
static void restitutions(void)
{
    double speed[N], e[N], p[CF_MAX_PARAM];
    struct cf_error err;

    for (size_t i = 0; i < N; i++)
        speed[(i * 7) % N] = 0.01 * pow(10, 3.0 * (double) i / N);
    for (const struct cf_law *const *law = cf_laws; *law; law++) {
        double worst = 0, fine = (*law)->regular ? 3e-9 : 1e-11;
        if ((*law)->curve || (*law)->family == CF_FAMILY_FOUNDATION) /* no impact is asked of it */
            continue;
        struct cf_curves *curves = cf_curves_alloc();
        struct cf_impact one;
        typical((*law)->param, (*law)->nparam, p);
        int status = cf_restitution((*law)->name, (*law)->nparam, p, 0.066, N, speed, e, &err);
        for (size_t i = 0; i < N && !status; i += (*law)->regular ? 37 : 1) {
            status = cf_impact(curves, *law, p, 0.066, speed[i], &one, &err);
            worst = fmax(worst, fabs(e[i] - one.value[CF_IMPACT_RESTITUTION]));
        }
        cf_curves_free(curves);
        ok(!status && worst < fine, "%s: e of each impact, %g", (*law)->name, worst);
    }
    /* the reference table: beta = 1, e = 0.39393060322987319 */
    ok(!cf_restitution("azad-featherstone", 2, (double[]){1e8, 1e8}, 1e8, 1, (double[]){1}, e,
                       &err) &&
           fabs(e[0] - 0.39393060322987319) < 1e-11,
       "beta = 1 of the reference");
    ok(!cf_restitution("linear", 2, (double[]){1e5, 10}, 1, 0, NULL, e, &err), "no speed at all");
    ok(cf_restitution("linear", 2, (double[]){1e5, 10}, 1, 1, (double[]){0}, e, &err) == CF_ERANGE,
       "speed 0: %s", err.text);
    speed[3] = NAN;
    ok(cf_restitution("exponential", 3, (double[]){1e5, 1e-3, 0.1}, 1, N, speed, e, &err) != CF_OK,
       "a speed that is none among many: %s", err.text);
    ok(cf_restitution("linear", 2, (double[]){1e5, 10}, -1, 1, (double[]){1}, e, &err) == CF_ERANGE,
       "mass below 0: %s", err.text);
}

static int called;

static void count(const char *reason, const char *file, int line, int code)
{
    (void) reason;
    (void) file;
    (void) line;
    (void) code;
    called++;
}

static void handler(void)
{
    double e;
    struct cf_error err;

    gsl_error_handler_t *before = gsl_set_error_handler(count);
    cf_restitution("linear", 2, (double[]){1e5, 10}, 1, 1, (double[]){1}, &e, &err);
    ok(gsl_set_error_handler(before) == count && called == 0, "GSL's handler is put back");
}

TEST(flat)
{
    plan(70);
    normal_forces();
    normal_refusals();
    friction_forces();
    restitutions();
    handler();
    return done();
}
