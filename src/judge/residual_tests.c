#include "judge/residual_tests.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_math.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/random.h"
#include "estimate/clusters.h"
#include "estimate/serial.h"
#include "judge/cluster_tests.h"
#include "judge/groups.h"
#include "judge/patterns.h"
#include "judge/permutation.h"
#include "judge/prior_tests.h"
#include "judge/residual_series.h"
#include "judge/runs.h"
#include "judge/scatter_tests.h"

/* Fewer residuals than this show nothing. */
enum { LEAST = 6 };

/* The tests by random orders. */
enum order_test { LAG1, ROW_LAG1, NORDER_TEST };

static const char *const order_name[] = {"lag-1", "lag-1 by row"};
static const enum cf_accused order_accuses[] = {CF_ACCUSES_INDEPENDENCE, CF_ACCUSES_ORDER};

/* Where Holm's factor makes the least p that CF_ORDERS resolve this much of the level or more, one
 * random order as large as the observed one would decide the verdict: more are drawn. */
static const double least_p_share = 0.65;

/* So many statistics as large as the observed one determine p within a third: fewer leave it open.
 * What is open is drawn until there are so many, or in this multiple of the orders of which one as
 * large would be just at the level; for many residuals the limit law gives p. */
enum { OPEN = 10, MORE = 4, LEAST_LIMIT = 50 };

/* But no more moves of a residual into its place than take some seconds. */
static const double most_moves = 1e9;

/* Random streams of tests of which more is drawn, by test: beyond those of fits and self-tests. */
static const uint64_t first_stream = UINT64_C(1) << 40;

/* And of the tests by row. */
static const uint64_t row_stream = UINT64_C(1) << 41;

/* What is tested, and where the results go. */
struct suite {
    const struct cf_fitted *of;
    struct cf_tests *tests;
    struct cf_orders how, by_row; /* of their own random orders */
    const double **at;            /* into of->place, grouped by quantity, */
    size_t *from;  /* which begins here, at its first channel; problem->nchannel + 1 */
    size_t *first; /* nchannel: the first channel of its quantity */
};

/* The test of a quantity, of whose channels this is the first; NULL: it is no test. */
static struct cf_test *add_test(struct suite *suite, const char *name, enum cf_accused accuses,
                                size_t channel, size_t n, double statistic, double p)
{
    struct cf_test *t = cf_tests_add(suite->tests, name, accuses, channel, n, statistic, p);

    if (t)
        t->channels = cf_tested_sets(suite->of->problem, channel);
    return t;
}

static void test_runs(struct suite *suite, size_t channel, const struct cf_residual_series *s,
                      bool by_row)
{
    size_t plus, runs = cf_runs_count(by_row ? s->by_row : s->r, s->n, &plus);
    bool alike = plus == 0 || plus == s->n;
    double p = alike ? ldexp(1, 1 - (int) s->n) : cf_runs_probability(plus, s->n - plus, runs);
    struct cf_test *t =
        add_test(suite, by_row ? "runs by row" : "runs", by_row ? CF_ACCUSES_ORDER : CF_ACCUSES_LAW,
                 channel, s->n, (double) runs, p);

    if (t)
        snprintf(t->text, sizeof t->text, "%zu runs of sign in %zu residuals%s, %zu above 0", runs,
                 s->n, by_row ? " in the order of the rows" : "", plus);
}

/* Residuals in the order in which neighbours are looked at. */
static const double *neighbours(const struct cf_residual_series *s, enum order_test kind)
{
    return kind == ROW_LAG1 ? s->by_row : s->by_set;
}

static void test_lag1(struct suite *suite, size_t channel, const struct cf_residual_series *s,
                      enum order_test kind)
{
    const double *r = neighbours(s, kind);
    double r1 = cf_lag1(r, s->n);
    struct cf_orders *how = kind == ROW_LAG1 ? &suite->by_row : &suite->how;
    struct cf_test *t = add_test(suite, order_name[kind], order_accuses[kind], channel, s->n, r1,
                                 cf_lag1_p(how, r, s->n, s->work));

    if (t)
        snprintf(t->text, sizeof t->text, "the correlation of neighbouring %s is %.2f",
                 kind == ROW_LAG1 ? "rows' residuals" : "residuals", r1);
}

static int compare_place(const void *a, const void *b)
{
    const double *const *s = a, *const *t = b;
    if (**s != **t)
        return **s < **t ? -1 : 1;
    return (*s > *t) - (*s < *t); /* rows in their order */
}

static int group(struct suite *suite, struct cf_error *err)
{
    const struct cf_problem *q = suite->of->problem;
    size_t *next = calloc(q->nchannel + 1, sizeof *next), n = q->nobservation;

    suite->at = calloc(n + 1, sizeof *suite->at);
    suite->from = calloc(q->nchannel + 1, sizeof *suite->from);
    suite->first = calloc(q->nchannel + 1, sizeof *suite->first);
    if (!next || !suite->at || !suite->from || !suite->first) {
        free(next);
        return cf_fail(err, CF_ENOMEM, "no memory for %zu residuals", n);
    }
    for (size_t c = 0; c < q->nchannel; c++)
        suite->first[c] = cf_tested_with(q, c);
    for (size_t i = 0; i < n; i++)
        suite->from[suite->first[q->observation[i].channel] + 1]++;
    for (size_t c = 0; c < q->nchannel; c++) {
        suite->from[c + 1] += suite->from[c];
        next[c] = suite->from[c];
    }
    for (size_t i = 0; i < n; i++)
        suite->at[next[suite->first[q->observation[i].channel]]++] = &suite->of->place[i];
    free(next);
    for (size_t c = 0; c < q->nchannel; c++)
        qsort(&suite->at[suite->from[c]], suite->from[c + 1] - suite->from[c], sizeof *suite->at,
              compare_place);
    return CF_OK;
}

static int series_of(const struct suite *suite, size_t channel, struct cf_residual_series *s,
                     struct cf_error *err)
{
    size_t from = suite->from[channel], n = suite->from[channel + 1] - from;
    return cf_residual_series_make(s, suite->of, &suite->at[from], n, err);
}

static int test_quantity(struct suite *suite, size_t channel, struct cf_error *err)
{
    struct cf_residual_series s;
    int status = series_of(suite, channel, &s, err);

    if (!status && s.n >= LEAST && !cf_residuals_are_exact(suite->of, channel)) {
        test_runs(suite, channel, &s, false);
        test_lag1(suite, channel, &s, LAG1);
        if (!cf_channel_shares(suite->of->problem, channel))
            cf_test_lack_of_fit(suite->of->problem, suite->tests, channel, &s);
        if (s.has_rows) {
            test_runs(suite, channel, &s, true);
            test_lag1(suite, channel, &s, ROW_LAG1);
        }
    }
    cf_residual_series_clear(&s);
    return status;
}

/* Did CF_ORDERS leave its p open? */
static bool is_open(const struct suite *suite, const struct cf_test *t, enum order_test *kind)
{
    for (*kind = LAG1; *kind < NORDER_TEST; (*kind)++)
        if (strcmp(t->name, order_name[*kind]) == 0)
            break;
    return *kind < NORDER_TEST && t->n <= CF_MOST_ORDERED && t->p * (CF_ORDERS + 1) < OPEN;
}

static int settle(struct suite *suite, size_t i, enum order_test kind, double orders,
                  struct cf_error *err)
{
    struct cf_test *t = &suite->tests->item[i];
    struct cf_orders more = {
        .rng = cf_random_stream(suite->of->problem->spec->options.seed, first_stream + i),
        .orders = (size_t) fmin(orders, most_moves / (double) t->n),
        .enough = OPEN};
    struct cf_residual_series s;
    int status = series_of(suite, t->channel, &s, err);

    if (!status && !more.rng)
        status = cf_fail(err, CF_ENOMEM, "no memory for a random stream");
    if (!status) {
        const double *r = neighbours(&s, kind);
        double p = s.n < LEAST_LIMIT ? (double) NAN : cf_lag1_limit(r, s.n);
        t->p = isnan(p) ? cf_lag1_drawn(&more, r, s.n, s.work) : p;
    }
    if (more.rng)
        gsl_rng_free(more.rng);
    cf_residual_series_clear(&s);
    return status;
}

/* Of very many tests: those whose p the orders leave open. */
static int settle_all(struct suite *suite, struct cf_error *err)
{
    double level = suite->of->problem->spec->options.p_reject, n = (double) suite->tests->n;
    int status = CF_OK;

    if (!(n > least_p_share * level * (CF_ORDERS + 1)))
        return CF_OK;
    for (size_t i = 0; i < suite->tests->n && !status; i++) {
        enum order_test kind;
        if (is_open(suite, &suite->tests->item[i], &kind))
            status = settle(suite, i, kind, ceil(MORE * n / level), err);
    }
    return status;
}

/* Holm's adjustment only makes a p larger, so that a p above the level may stay rough. */
static size_t enough_orders(const struct cf_fit_options *options)
{
    return options->rough_tests ? (size_t) ceil(options->p_reject * (CF_ORDERS + 1))
                                : CF_ORDERS + 1;
}

static int test_all(struct suite *suite, struct cf_error *err)
{
    const struct cf_fitted *of = suite->of;
    const struct cf_problem *q = of->problem;
    bool sigma_known = true, *followed = calloc(q->nchannel + 1, sizeof *followed);
    int status = followed ? group(suite, err)
                          : cf_fail(err, CF_ENOMEM, "no memory for %zu quantities", q->nchannel);

    for (size_t i = 0; i < q->nchannel && !status; i++) {
        sigma_known = sigma_known && cf_channel_is_known(&q->channel[i]);
        status = test_quantity(suite, i, err);
    }
    if (!status && sigma_known)
        status = cf_test_scatter(of, suite->tests, err);
    if (!status)
        status = cf_test_patterns(of, suite->tests, followed, err);
    if (!status)
        status = cf_test_departures(of, followed, suite->tests, err);
    if (!status)
        status = settle_all(suite, err);
    free(followed);
    return status ? status : cf_tests_adjust(suite->tests, q->spec->options.p_reject, err);
}

/* Do rows or groups share errors, or neighbours resemble each other? */
static bool any_shared(const struct cf_problem *q)
{
    bool any = q->neffect > 0 || cf_serial_any(q);

    for (size_t i = 0; i < q->nobservation && !any; i++)
        any = q->observation[i].shared != 0;
    return any;
}

int cf_residual_tests_of(const struct cf_fitted *of, struct cf_tests *tests, struct cf_error *err)
{
    const struct cf_fit_options *options = &of->problem->spec->options;
    struct suite suite = {.of = of,
                          .tests = tests,
                          .how = {.rng = cf_random_stream(options->seed, 1),
                                  .orders = CF_ORDERS,
                                  .enough = enough_orders(options)}};
    struct cf_fitted apart = *of;
    double *independent = NULL, *place;
    int status = CF_OK;

    if (cf_is_clustered(of->problem)) {
        gsl_rng_free(suite.how.rng);
        return cf_cluster_tests(of, tests, err);
    }
    place = calloc(of->problem->nobservation + 1, sizeof *place);
    if (place)
        cf_find_places(of, place);
    else
        status = cf_fail(err, CF_ENOMEM, "no memory for %zu places", of->problem->nobservation);
    apart.place = place;
    if (!status && any_shared(of->problem)) {
        independent = calloc(of->problem->nresidual + 1, sizeof *independent);
        status = independent ? cf_problem_residuals(of->problem, of->theta, independent, NULL, err)
                             : cf_fail(err, CF_ENOMEM, "no memory for %zu residuals",
                                       of->problem->nresidual);
        apart.independent = independent;
    }
    suite.of = &apart;
    suite.by_row = suite.how;
    suite.by_row.rng = cf_random_stream(options->seed, row_stream);
    if (!status)
        status = suite.how.rng && suite.by_row.rng
                     ? test_all(&suite, err)
                     : cf_fail(err, CF_ENOMEM, "no memory for a random stream");
    free(independent);
    free(place);
    free(suite.at);
    free(suite.from);
    free(suite.first);
    if (suite.how.rng)
        gsl_rng_free(suite.how.rng);
    if (suite.by_row.rng)
        gsl_rng_free(suite.by_row.rng);
    return status;
}

int cf_residual_tests(struct cf_fit *fit, struct cf_error *err)
{
    size_t n = fit->optimum.problem.nobservation;
    double *y = calloc(n + 1, sizeof *y);
    struct cf_fitted of = {.problem = &fit->optimum.problem, .theta = fit->optimum.theta, .y = y};
    int status;

    if (!y)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu predictions", n);
    for (size_t i = 0; i < n; i++)
        y[i] = fit->predicted[i].value;
    cf_chi2_of_data(&fit->optimum, &of.chi2, &of.dof);
    status = cf_residual_tests_of(&of, &fit->tests, err);
    free(y);
    return status;
}
