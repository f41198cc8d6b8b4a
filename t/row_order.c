/* Residuals in the order of the rows: what drifts in a session is seen, independent rows pass, and
 * rows that stand along the axis are tested once. */

#include <gsl/gsl_errno.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/random.h"
#include "judge/verdict_tests.h"
#include "lab.h"
#include "tap.h"

enum { MOST = 60 };
static const double sigma = 0.004;

/* Speeds from 0.3 to 5 m/s by equal factors, in an order drawn or as they come. */
static void put_speeds(gsl_rng *rng, size_t n, bool shuffled, double v[])
{
    for (size_t i = 0; i < n; i++)
        v[i] = 0.3 * pow(5 / 0.3, (double) i / (double) (n - 1));
    if (shuffled)
        gsl_ran_shuffle(rng, v, n, sizeof *v);
}

/* What a fit refers to. */
struct study {
    struct cf_dataset d;
    struct cf_spec spec;
};

/* A fit of e = a - b ln v whose errors follow each other in the order of the rows: AR(1). */
static struct cf_fit *drifting(struct cf_curves *curves, gsl_rng *rng, size_t n, double rho,
                               bool shuffled, double given, struct study *study)
{
    static const char *const free_names[] = {"e_at_1", "b", NULL};
    double v[MOST], e[MOST], error = gsl_ran_gaussian(rng, sigma);

    put_speeds(rng, n, shuffled, v);
    for (size_t i = 0; i < n; i++) {
        e[i] = 0.82 - 0.03 * log(v[i]) + error;
        error = rho * error + gsl_ran_gaussian(rng, sigma * sqrt(1 - rho * rho));
    }
    lab_dataset(&study->d, "restitution", n, v, e, given, lab_pair(0.1, 0.02));
    study->spec = lab_spec("e-log", free_names, &study->d, 1);
    study->spec.options.starts = 3;
    study->spec.options.screen = 32;
    study->spec.options.rough_tests = true;
    return lab_fit(&study->spec, curves);
}

static void forget(struct cf_fit *fit, struct study *study)
{
    cf_fit_free(fit);
    cf_dataset_clear(&study->d);
}

static const struct cf_test *find(const struct cf_fit *fit, const char *name)
{
    for (size_t i = 0; i < fit->tests.n; i++)
        if (strcmp(fit->tests.item[i].name, name) == 0)
            return &fit->tests.item[i];
    return NULL;
}

/* What the tests of this fit accuse, by their names. */
static void accuses_what_it_should(const struct cf_fit *fit)
{
    static const struct {
        const char *name;
        enum cf_accused accuses;
    } of[] = {{"runs", CF_ACCUSES_LAW},
              {"lag-1", CF_ACCUSES_INDEPENDENCE},
              {"departure with speed", CF_ACCUSES_LAW},
              {"runs by row", CF_ACCUSES_ORDER},
              {"lag-1 by row", CF_ACCUSES_ORDER},
              {"departure by row", CF_ACCUSES_ORDER},
              {"chi-square", CF_ACCUSES_SIGMAS}};

    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        const struct cf_test *t = find(fit, of[i].name);
        ok(t && t->accuses == of[i].accuses, "%s accuses %d", of[i].name, of[i].accuses);
    }
}

/* Of 100 fits so many may be `good`. Independent rows: misfits are cried in 1 %, by the level of
 * the tests. Drift: at 60 rows 1 in 100 may pass; at 30 rows a seventh was seen to. */
static void rates(struct cf_curves *curves, size_t n, double rho, double given, size_t least_good,
                  size_t most_good)
{
    enum { MANY = 100 };
    gsl_rng *rng = cf_random_stream(11, n);
    size_t good = 0;

    for (int i = 0; i < MANY; i++) {
        struct study study;
        struct cf_fit *fit = drifting(curves, rng, n, rho, true, given, &study);
        good += fit && fit->status == CF_VERDICT_GOOD;
        forget(fit, &study);
    }
    gsl_rng_free(rng);
    ok(good >= least_good && good <= most_good,
       "%zu rows, AR(1) of %g, sigma %s: %zu of %d are good, %zu to %zu wanted", n, rho,
       given > 0 ? "given" : "estimated", good, MANY, least_good, most_good);
}

/* Errors of +, +, -, - in the order of the rows, at speeds that make them +, -, +, - along the
 * axis: by hand, the statistic of neighbours and the runs of either order. */
static void by_hand(struct cf_curves *curves)
{
    static const char *const free_names[] = {"e", NULL};
    enum { N = 32 };
    double v[N], e[N], r1 = 0, squares = 0, mean = 0;
    struct cf_dataset d;

    for (size_t i = 0; i < N; i++) {
        v[i] = 1 + 0.1 * (double) (i * 13 % N);
        e[i] = 0.8 + (i % 16 < 8 ? 0.002 : -0.002) + 0.0001 * (double) (i * i % 5);
        mean += e[i] / N;
    }
    for (size_t i = 0; i < N; i++) {
        squares += pow(e[i] - mean, 2);
        r1 += i ? (e[i] - mean) * (e[i - 1] - mean) : 0;
    }
    lab_dataset(&d, "restitution", N, v, e, 0.002, lab_pair(0.1, 0.02));
    struct cf_spec spec = lab_spec("e-constant", free_names, &d, 1);
    struct cf_fit *fit = lab_fit(&spec, curves);
    if (fit) {
        accuses_what_it_should(fit);
        const struct cf_test *lag = find(fit, "lag-1 by row"), *runs = find(fit, "runs by row");
        ok(lag && runs && find(fit, "lag-1"), "both orders are looked at");
        is_near(lag ? lag->statistic : (double) NAN, r1 / squares, 1e-6, "neighbours by hand");
        ok(runs && runs->statistic == 4 && find(fit, "runs")->statistic > 4,
           "four runs by row, more along the axis");
        /* 16 above and 16 below in at most 4 runs: 2 + 2 15 + 2 15^2 of 601080390 orders */
        is_within(runs ? runs->p : (double) NAN, 482.0 / 601080390, 1e-18, "their probability");
        ok(cf_follow_rows(fit) && fit->status == CF_VERDICT_MISFIT &&
               strstr(fit->summary, "follow the order of the rows"),
           "the order of the rows is named: %s", fit->summary);
        ok(fit->advice.n && strstr(fit->advice.text[0], "find out what changed from row to row"),
           "with an advice");
    }
    cf_fit_free(fit);
    cf_dataset_clear(&d);
}

static void along_the_axis(struct cf_curves *curves)
{
    gsl_rng *rng = cf_random_stream(3, 0);
    struct study study;
    struct cf_fit *fit = drifting(curves, rng, 20, 0, false, sigma, &study);
    ok(fit && find(fit, "lag-1") && !find(fit, "lag-1 by row") && !find(fit, "runs by row"),
       "rows along the axis are tested once");
    forget(fit, &study);
    gsl_rng_free(rng);
}

TEST(row_order)
{
    struct cf_curves *curves = cf_curves_alloc();

    gsl_set_error_handler_off();
    plan(20);
    by_hand(curves);
    along_the_axis(curves);
    rates(curves, 30, 0, sigma, 94, 100);
    rates(curves, 60, 0, sigma, 94, 100);
    rates(curves, 60, 0, 0, 94, 100);
    rates(curves, 30, 0.8, sigma, 0, 27);
    rates(curves, 60, 0.8, sigma, 0, 4);
    rates(curves, 60, 0.8, 0, 0, 4);
    cf_curves_free(curves);
    return done();
}
