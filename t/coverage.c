/* Counting: bands of counts against their sums, noise of the stated size, and a small `make study`
 * in which wrong sigmas and wrong fits are noticed. */

#include <gsl/gsl_errno.h>
#include <gsl/gsl_math.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../bench/designs.h"
#include "identify/synthetic.h"
#include "lab.h"
#include "tap.h"

/* P(X <= k) by adding up. */
static double cumulated(size_t n, double p, size_t k)
{
    double sum = 0;
    for (size_t i = 0; i <= k; i++) {
        double term = 1;
        for (size_t j = 0; j < i; j++)
            term *= (double) (n - j) / (double) (i - j) * p;
        sum += term * pow(1 - p, (double) (n - i));
    }
    return sum;
}

static void bands(void)
{
    size_t low, high;
    double from, to;

    cf_binomial_band(1000, 0.95, 0.999, &low, &high);
    ok(low == 926 && high == 971, "of 1000, %zu to %zu", low, high);
    for (size_t n = 5; n <= 45; n += 20) {
        cf_binomial_band(n, 0.9, 0.99, &low, &high);
        ok((low == 0 || cumulated(n, 0.9, low - 1) <= 0.005) && cumulated(n, 0.9, low) > 0.005,
           "%zu: below %zu lies half of what is left", n, low);
        ok(1 - cumulated(n, 0.9, high) <= 0.005 &&
               (high == 0 || 1 - cumulated(n, 0.9, high - 1) > 0.005),
           "%zu: above %zu the other half", n, high);
    }
    cf_binomial_interval(0, 20, 0.95, &from, &to);
    is_near(to, 1 - pow(0.025, 1. / 20), 1e-10, "none of 20: at most");
    ok(from == 0, "none of 20: at least 0");
    cf_binomial_interval(8, 10, 0.95, &from, &to);
    is_near(from, 0.44390453, 1e-6, "8 of 10: at least, as in tables");
    is_near(to, 0.97478927, 1e-6, "8 of 10: at most");
}

/* e = 1 - slope v with an error in the speed: the recorded speed scatters, the value does not
 * follow it. */
static void noise(struct cf_curves *curves)
{
    enum { N = 4000 };
    static const char *const free_names[] = {"slope", NULL};
    const double v[2] = {1, 2}, e[2] = {0.9, 0.8}, sigma_e = 0.01, sigma_v = 0.05;
    double sum[2] = {0}, squares[2] = {0}, both = 0, theta, sigma[1] = {sigma_e};
    struct cf_dataset d, made[1], again[1];
    struct cf_problem q;
    size_t in = 0, out = cf_protocol_channel(cf_protocol_find("impact"), "restitution");

    lab_dataset(&d, "restitution", 2, v, e, sigma_e, lab_pair(0.05, 0.02));
    struct cf_spec spec = lab_spec("e-linear", free_names, &d, 1);
    lab_put(&d, 0, in, v[0], sigma_v);
    lab_put(&d, 1, in, v[1], sigma_v);
    d.use[1] = CF_ROW_HELD_OUT;
    cf_problem_init(&q, &spec, spec.law, curves, CF_ROW_FIT, CF_SCOPE_ALL, NULL);
    theta = cf_unknown_theta(&q.unknown[0], 0.1);
    for (size_t i = 0; i < N; i++) {
        cf_simulate(&q, &theta, sigma, NULL, 7, i, made, NULL);
        double x = (cf_dataset_value(made, 0, in) - 1) / sigma_v,
               y = (cf_dataset_value(made, 0, out) - 0.9) / sigma_e;
        sum[0] += x / N;
        sum[1] += y / N;
        squares[0] += x * x / N;
        squares[1] += y * y / N;
        both += x * y / N;
        cf_dataset_clear(&made[0]);
    }
    /* standard errors 1/sqrt(N) = 0.016, and sqrt(2/N) = 0.022 of a variance: five of them */
    ok(fabs(sum[0]) < 0.08, "the record's mean is the true speed (%.3f sigma off)", sum[0]);
    ok(fabs(sum[1]) < 0.08, "the value's mean is the law's (%.3f sigma off)", sum[1]);
    ok(fabs(squares[0] - 1) < 0.11, "the record has the variance stated (%.3f)", squares[0]);
    ok(fabs(squares[1] - 1) < 0.11, "the value has the variance stated (%.3f)", squares[1]);
    ok(fabs(both) < 0.08, "and no error of the record in it (%.3f)", both);
    cf_simulate(&q, &theta, sigma, NULL, 7, 3, made, NULL);
    cf_simulate(&q, &theta, sigma, NULL, 7, 3, again, NULL);
    ok(cf_dataset_value(made, 0, out) == cf_dataset_value(again, 0, out) &&
           cf_dataset_value(made, 0, in) == cf_dataset_value(again, 0, in),
       "the same stream gives the same data");
    ok(made[0].use[0] == CF_ROW_FIT && made[0].use[1] == CF_ROW_EXCLUDED,
       "what is held out is left out");
    cf_dataset_clear(&made[0]);
    cf_dataset_clear(&again[0]);
    cf_problem_free(&q);
    cf_dataset_clear(&d);
}

/* A duration whose noise is a million times its size. */
static void impossible(struct cf_curves *curves)
{
    static const char *const free_names[] = {"k", "lambda", NULL};
    const double v[2] = {1, 2}, t[2] = {2e-3, 1.7e-3};
    double theta[CF_MAX_PARAM];
    struct cf_dataset d, made[1];
    struct cf_error err = {""};
    struct cf_problem q;

    lab_dataset(&d, "duration", 2, v, t, 1e9, lab_pair(0.31, 0.05));
    struct cf_spec spec = lab_spec("azad-featherstone", free_names, &d, 1);
    cf_problem_init(&q, &spec, spec.law, curves, CF_ROW_FIT, CF_SCOPE_ALL, NULL);
    theta[0] = log(3.1e7);
    theta[1] = log(4.7e3);
    ok(cf_simulate(&q, theta, NULL, NULL, 1, 0, made, &err) == CF_ERANGE,
       "noise beyond all bounds");
    ok(strcmp(err.text, "noise of sigma 1e+09 s leaves no plausible duration about "
                        "0.00194244 s") == 0,
       "says so: %s", err.text);
    cf_dataset_clear(&made[0]);
    cf_problem_free(&q);
    cf_dataset_clear(&d);
}

enum { STUDIES = 60, FEW = 12 };

static const struct design *design_of(const struct design list[], size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(list[i].name, name) == 0)
            return &list[i];
    return NULL;
}

/* Count a design; `noisier` multiplies the noise of stated sigmas behind the fit's back, `held`
 * what is held. */
static void count(const struct design *design, struct cf_curves *curves, size_t replicates,
                  size_t jobs, double noisier, double held, struct cf_selftest *out)
{
    struct cf_workers workers = {.jobs = jobs};
    struct cf_error err = {""};
    struct design_case c;
    struct cf_selftest_plan plan = {.truth = &c.problem,
                                    .theta = c.theta,
                                    .sigma = c.sigma,
                                    .fitted = &c.fitted,
                                    .replicates = replicates,
                                    .seed = design->seed};

    cf_selftest_clear(out);
    if (!design_prepare(design, curves, &c, &err)) {
        for (size_t i = 0; i < c.problem.nobservation; i++)
            c.problem.observation[i].sigma0 *= noisier;
        for (size_t i = 0; i < c.fitted.ngiven; i++)
            c.fitted.given[i].value *= held;
        cf_selftest(&plan, &workers, out, &err);
    }
    ok(!err.text[0], "%s is counted %s", design->name, err.text);
    design_case_clear(&c);
}

static bool same(const struct cf_selftest *a, const struct cf_selftest *b)
{
    for (size_t i = 0; i < a->nfree; i++) {
        const struct cf_recovery *r = &a->parameter[i], *s = &b->parameter[i];
        if (r->covered != s->covered || r->bias != s->bias || r->bias_error != s->bias_error ||
            r->low != s->low || r->high != s->high)
            return false;
    }
    return memcmp(a->verdict, b->verdict, sizeof a->verdict) == 0;
}

/* Of 60 intervals of 95 %, 50 to 60 are covering ones with 99.98 %. */
static void small_study(const struct design list[], size_t n, struct cf_curves *curves)
{
    static const char *const name[] = {"af-heights", "lw-8-estimated", "e-power-given"};
    struct cf_selftest t = {0};

    for (size_t i = 0; i < sizeof name / sizeof name[0]; i++) {
        count(design_of(list, n, name[i]), curves, STUDIES, 2, 1, 1, &t);
        ok(t.verdict[CF_VERDICT_GOOD] >= STUDIES - 5, "%s: %zu of %d are good", name[i],
           t.verdict[CF_VERDICT_GOOD], STUDIES);
        ok(t.false_success == 0, "%s: and none wrongly", name[i]);
        for (size_t j = 0; j < t.nfree; j++) {
            const struct cf_recovery *r = &t.parameter[j];
            ok(r->worth[CF_WORTH_FINE] == STUDIES && r->covered >= 50,
               "%s: %zu of %zu intervals of %s cover the truth", name[i], r->covered,
               r->worth[CF_WORTH_FINE], r->name);
            ok(fabs(r->bias) < 5 / sqrt(STUDIES), "%s: %s has bias %.2f", name[i], r->name,
               r->bias);
            ok(r->low < r->truth && r->truth < r->high, "%s: a typical interval of %s holds it",
               name[i], r->name);
        }
    }
    cf_selftest_clear(&t);
}

static void noticed(const struct design list[], size_t n, struct cf_curves *curves)
{
    struct cf_selftest one = {0}, three = {0};

    count(design_of(list, n, "af-e-only"), curves, FEW, 1, 1, 1, &one);
    ok(one.verdict[CF_VERDICT_UNDETERMINED] == FEW && one.parameter[0].worth[CF_WORTH_FLAT] == FEW,
       "restitution alone is never enough");
    ok(cf_recovery_holds(&one.parameter[0], 0.95, NULL, NULL), "and of nothing nothing is counted");
    count(design_of(list, n, "e-log-by-af"), curves, FEW, 1, 1, 1, &one);
    ok(!one.same_law && one.verdict[CF_VERDICT_MISFIT] == FEW && isnan(one.parameter[0].truth),
       "another law's data are a misfit");
    count(design_of(list, n, "e-power-given"), curves, 4 * STUDIES, 2, 2, 1, &one);
    ok(!cf_recovery_holds(&one.parameter[0], 0.95, NULL, NULL) && one.parameter[0].covered < 190,
       "sigmas stated at half their size: only %zu of 240 intervals cover",
       one.parameter[0].covered);
    ok(one.verdict[CF_VERDICT_MISFIT] > 200, "chi^2 notices them %zu times",
       one.verdict[CF_VERDICT_MISFIT]);
    count(design_of(list, n, "af-lambda-alone"), curves, FEW, 1, 1, 1.2, &one);
    ok(one.false_success >= FEW - 1, "k held 20 %% off: %zu of %d fits are good and wrong",
       one.false_success, FEW);
    ok(one.parameter[0].above == FEW && one.parameter[0].below == 0,
       "all intervals of lambda lie above the truth");
    count(design_of(list, n, "linear-estimated"), curves, STUDIES, 2, 1, 1, &one);
    ok(one.parameter[1].wald_covered >= 50 &&
           one.parameter[1].wald_covered != one.parameter[1].covered,
       "Wald's intervals are counted by themselves: %zu of %d, %zu by the profile",
       one.parameter[1].wald_covered, STUDIES, one.parameter[1].covered);
    count(design_of(list, n, "hc-given"), curves, FEW, 1, 1, 1, &one);
    count(design_of(list, n, "hc-given"), curves, FEW, 3, 1, 1, &three);
    ok(same(&one, &three), "three workers count the same bits as one");
    cf_selftest_clear(&one);
    cf_selftest_clear(&three);
}

/* Records that begin at the edge of sliding, where few starts of a fit agree: more are tried. A fit
 * takes a second: three, six by CHECK_FULL. */
static void ramps(const struct design list[], size_t n, struct cf_curves *curves)
{
    size_t replicates = is_full_check() ? 6 : 3;
    struct cf_selftest t = {0};

    count(design_of(list, n, "ramp-white"), curves, replicates, 2, 1, 1, &t);
    ok(t.verdict[CF_VERDICT_GOOD] == replicates, "ramps: %zu of %zu are good, %zu failed",
       t.verdict[CF_VERDICT_GOOD], replicates, t.verdict[CF_VERDICT_FAILED]);
    cf_selftest_clear(&t);
}

/* A foundation under a probe that the study states by its vertices. */
static void probes(const struct design list[], size_t n, struct cf_curves *curves)
{
    struct cf_selftest t = {0};

    count(design_of(list, n, "indent-winkler-tip"), curves, FEW / 2, 2, 1, 1, &t);
    ok(t.verdict[CF_VERDICT_GOOD] == FEW / 2, "indentations by a vertex: %zu of %d are good",
       t.verdict[CF_VERDICT_GOOD], FEW / 2);
    ok(t.parameter[0].covered >= FEW / 2 - 1, "%zu intervals hold kv", t.parameter[0].covered);
    cf_selftest_clear(&t);
}

TEST(coverage)
{
    struct cf_curves *curves = cf_curves_alloc();
    struct cf_error err = {""};
    struct design *list;
    const char *srcdir = getenv("srcdir");
    char path[600];
    size_t n;

    gsl_set_error_handler_off();
    plan(11 + 7 + 2 + 2 + 3 * (3 + 2 * 3) + 8 + 6 + 2 + 2 + 3);
    bands();
    noise(curves);
    impossible(curves);
    snprintf(path, sizeof path, "%s/bench/studies.txt", srcdir ? srcdir : ".");
    ok(!design_read(path, &list, &n, &err), "the table of designs is read %s", err.text);
    ok(n >= 25, "it has %zu designs", n);
    small_study(list, n, curves);
    noticed(list, n, curves);
    ramps(list, n, curves);
    probes(list, n, curves);
    free(list);
    cf_curves_free(curves);
    return done();
}
