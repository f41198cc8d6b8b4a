/* Tests of residuals against explicit enumeration, and intervals that cover the true parameters. */

#include "judge/runs.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <string.h>

#include "core/random.h"
#include "identify/fit.h"
#include "lab.h"
#include "tap.h"

/* P(runs <= most) by listing every order of n signs, of which `plus` are +. */
static double enumerated(unsigned n, unsigned plus, unsigned most)
{
    unsigned long few = 0, all = 0;

    for (unsigned long word = 0; word < 1ul << n; word++) {
        unsigned ones = 0, runs = 1;
        for (unsigned i = 0; i < n; i++) {
            ones += word >> i & 1;
            runs += i > 0 && (word >> i & 1) != (word >> (i - 1) & 1);
        }
        all += ones == plus;
        few += ones == plus && runs <= most;
    }
    return (double) few / (double) all;
}

static void runs(void)
{
    static const struct {
        unsigned n, plus, runs;
    } row[] = {{10, 5, 2}, {10, 5, 3}, {12, 4, 5}, {13, 9, 4}, {8, 1, 2},
               {15, 7, 8}, {9, 8, 3},  {12, 6, 6}, {14, 4, 7}};

    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++)
        is_near(cf_runs_probability(row[i].plus, row[i].n - row[i].plus, row[i].runs),
                enumerated(row[i].n, row[i].plus, row[i].runs), 1e-12,
                "at most %u runs in %u signs, %u of them +", row[i].runs, row[i].n, row[i].plus);
}

/* Two rows at each of three speeds and e that falls from row to row: the repeats scatter by
 * 0.05^2/2 a pair; the means miss their mean by 0.2, 0, -0.2. */
static void by_hand(struct cf_curves *curves)
{
    static const char *const free_names[] = {"e", NULL};
    static const double speed[6] = {1, 1, 2, 2, 3, 3};
    static const double e[6] = {0.725, 0.675, 0.525, 0.475, 0.325, 0.275};
    struct cf_dataset d;
    struct cf_fit *fit = NULL;
    const struct cf_test *lack = NULL;

    lab_dataset(&d, "restitution", 6, speed, e, 0.1, lab_pair(0.1, 0.02));
    struct cf_spec spec = lab_spec("e-constant", free_names, &d, 1);
    cf_fit_run(&spec, NULL, 0, curves, NULL, &fit, NULL);
    for (size_t i = 0; fit && i < fit->tests.n; i++)
        lack = strcmp(fit->tests.item[i].name, "lack of fit") == 0 ? &fit->tests.item[i] : lack;
    /* (2 * (0.2^2 + 0.2^2)/2) / (3 * 0.05^2/2 / 3), on 2 and 3 degrees of freedom */
    is_near(lack ? lack->statistic : (double) NAN, 64, 1e-9, "a variance ratio of repeats");
    is_near(lack ? lack->p : (double) NAN, pow(1 + 2 * 64 / 3., -1.5), 1e-9,
            "its probability: F with 2 degrees above has a closed form");
    cf_fit_free(fit);
    cf_dataset_clear(&d);
}

enum { N = 8, STUDIES = 120, SEED = 20 };

/* One synthetic study of e(v) and contact times; counts what happened. */
static void one_study(struct cf_curves *curves, unsigned index, bool estimate, unsigned covered[2],
                      unsigned *rejected)
{
    static const char *const free_names[] = {"k", "lambda", NULL};
    const struct cf_law *law = cf_law_find("azad-featherstone");
    const double p[2] = {3.1e7, 4.7e3}, m = 0.31, sigma_e = 0.004, sigma_t = 1e-5;
    double speed[N], e[N], t[N];
    struct cf_dataset d[2];
    struct cf_fit *fit = NULL;
    gsl_rng *rng = cf_random_stream(SEED, index);

    for (size_t i = 0; i < N; i++) {
        struct cf_impact impact;
        speed[i] = 0.1 * pow(60, (double) i / (N - 1));
        cf_impact(curves, law, p, m, speed[i], &impact, NULL);
        e[i] = impact.value[CF_IMPACT_RESTITUTION] + gsl_ran_gaussian(rng, sigma_e);
        t[i] = impact.value[CF_IMPACT_DURATION] + gsl_ran_gaussian(rng, sigma_t);
    }
    lab_dataset(&d[0], "restitution", N, speed, e, estimate ? 0 : sigma_e, lab_pair(m, 0.05));
    lab_dataset(&d[1], "duration", N, speed, t, estimate ? 0 : sigma_t, lab_pair(m, 0.05));
    struct cf_spec spec = lab_spec("azad-featherstone", free_names, d, 2);
    spec.options.screen = 64;
    spec.options.starts = 3;
    spec.options.rough_tests = true; /* the same verdicts */
    if (!cf_fit_run(&spec, NULL, 0, curves, NULL, &fit, NULL)) {
        for (size_t j = 0; j < 2; j++)
            covered[j] +=
                fit->estimate[j].likelihood.low < p[j] && p[j] < fit->estimate[j].likelihood.high;
        *rejected += fit->status != CF_VERDICT_GOOD;
    }
    cf_fit_free(fit);
    cf_dataset_clear(&d[0]);
    cf_dataset_clear(&d[1]);
    gsl_rng_free(rng);
}

/* 95 % intervals: 106 to 120 of 120 lie in the exact binomial 99.9 % band. */
static void coverage(struct cf_curves *curves, bool estimate)
{
    unsigned covered[2] = {0}, rejected = 0;

    for (unsigned i = 0; i < STUDIES; i++)
        one_study(curves, i, estimate, covered, &rejected);
    for (size_t j = 0; j < 2; j++)
        ok(covered[j] >= 106, "sigma %s: %u of %d intervals of %s cover the truth",
           estimate ? "estimated" : "given", covered[j], STUDIES, j ? "lambda" : "k");
    ok(rejected <= 5, "sigma %s: %u of %d true laws were not called good",
       estimate ? "estimated" : "given", rejected, STUDIES);
}

TEST(adequacy)
{
    struct cf_curves *curves = cf_curves_alloc();

    gsl_set_error_handler_off();
    plan(9 + 2 + 6);
    runs();
    by_hand(curves);
    coverage(curves, false);
    coverage(curves, true);
    cf_curves_free(curves);
    return done();
}
