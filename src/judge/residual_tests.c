#include "judge/residual_tests.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_math.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/random.h"
#include "judge/permutation.h"
#include "judge/pooled.h"
#include "judge/prior_tests.h"
#include "judge/runs.h"
#include "judge/second_axis.h"

/* Fewer residuals than this show nothing. */
enum { LEAST = 6 };

/* The three tests by random orders. */
enum order_test { LAG1, AXIS_TREND, SECOND_TREND, NORDER_TEST };

/* Where Holm's factor makes the least p that CF_ORDERS tell this much of the level or more, one
 * random order as large as the observed one would decide the verdict: more are drawn. */
static const double least_p_share = 0.65;

/* So many statistics as large as the observed one tell p within a third: fewer leave it open. What
 * is open is drawn until there are so many, or in this multiple of the orders of which one as large
 * would be just at the level; for many residuals the limit law tells. */
enum { OPEN = 10, MORE = 4, LEAST_LIMIT = 50 };

/* But no more moves of a residual into its place than take some seconds. */
static const double most_moves = 1e9;

/* Random streams of tests of which more is drawn, by test: beyond those of fits and self-tests. */
static const uint64_t first_stream = UINT64_C(1) << 40;

/* What is tested, and where the results go. */
struct suite {
    const struct cf_fitted *of;
    struct cf_tests *tests;
    struct cf_orders how;
    struct cf_pools pools;
    const struct cf_observation **observation; /* grouped by channel, */
    size_t *from;                              /* which begins here; problem->nchannel + 1 */
};

/* The residuals of one channel along its axis, and along the protocol's second one. */
struct channel_series {
    size_t n;
    double *abscissa, *r, *second, *work, *rank; /* n each, allocated as one */
    size_t *order;
    double dof;
    bool has_second;
};

static void series_free(struct channel_series *s)
{
    free(s->abscissa);
    free(s->order);
}

static void test_runs(struct suite *suite, size_t channel, const struct channel_series *s)
{
    size_t plus, runs = cf_runs_count(s->r, s->n, &plus);
    bool alike = plus == 0 || plus == s->n;
    double p = alike ? ldexp(1, 1 - (int) s->n) : cf_runs_probability(plus, s->n - plus, runs);
    struct cf_test *t = cf_tests_add(suite->tests, "runs", channel, s->n, (double) runs, p);

    if (t)
        snprintf(t->text, sizeof t->text, "%zu runs of sign in %zu residuals, %zu above 0", runs,
                 s->n, plus);
}

/* What a trend is held against: "speed"; NULL: neighbours. */
static const char *along(const struct suite *suite, size_t channel, enum order_test kind)
{
    const struct cf_problem *q = suite->of->problem;
    const struct cf_protocol *protocol = q->spec->data[q->channel[channel].data].protocol;

    if (kind == LAG1)
        return NULL;
    return kind == AXIS_TREND || protocol->second_axis == CF_NO_CHANNEL
               ? protocol->axis.name
               : protocol->channel[protocol->second_axis].name;
}

/* "trend with speed": what a test is called. */
static void name_test(const struct suite *suite, size_t channel, enum order_test kind, char name[],
                      size_t size)
{
    if (kind == LAG1)
        snprintf(name, size, "lag-1");
    else
        snprintf(name, size, "trend with %s", along(suite, channel, kind));
}

/* Ranks of the residuals and of what they are held against; the correlation of both. */
static double rank_series(struct channel_series *s, enum order_test kind)
{
    cf_ranks(kind == AXIS_TREND ? s->abscissa : s->second, s->n, s->order, s->rank);
    cf_ranks(s->r, s->n, s->order, s->work);
    return cf_rank_correlation(s->rank, s->work, s->n);
}

/* What the channel shows, for the test of all channels of its kind together. */
static void pool(struct suite *suite, size_t channel, const struct channel_series *s,
                 enum order_test kind, double statistic, double z)
{
    const struct cf_problem *q = suite->of->problem;
    const struct cf_channel *c = &q->channel[channel];
    struct cf_pool one = {
        .measured = &q->spec->data[c->data].protocol->channel[c->column],
        .along = along(suite, channel, kind),
        .channel = channel,
        .channels = 1,
        .n = s->n,
        .statistic = statistic,
        .z = z,
    };

    name_test(suite, channel, kind, one.name, sizeof one.name);
    if (isfinite(z))
        cf_pools_add(&suite->pools, &one);
}

static void test_lag1(struct suite *suite, size_t channel, const struct channel_series *s)
{
    double r1 = cf_lag1(s->r, s->n), squares = 0, mean, variance;
    struct cf_test *t = cf_tests_add(suite->tests, "lag-1", channel, s->n, r1,
                                     cf_lag1_p(&suite->how, s->r, s->n, s->work));
    if (t)
        snprintf(t->text, sizeof t->text, "neighbouring residuals correlate by %.2f", r1);
    for (size_t i = 0; i < s->n; i++)
        squares += gsl_pow_2(s->r[i]);
    cf_lag1_moments(s->r, s->n, &mean, &variance);
    pool(suite, channel, s, LAG1, r1, (r1 * squares - mean) / sqrt(variance));
}

static void test_trend(struct suite *suite, size_t channel, struct channel_series *s,
                       enum order_test kind)
{
    char name[sizeof((struct cf_test *) NULL)->name];
    double rho = rank_series(s, kind);
    struct cf_test *t;

    name_test(suite, channel, kind, name, sizeof name);
    t = cf_tests_add(suite->tests, name, channel, s->n, rho,
                     cf_trend_p(&suite->how, s->rank, s->work, s->n));
    if (t)
        snprintf(t->text, sizeof t->text, "residuals %s with %s (rank correlation %.2f)",
                 rho < 0 ? "fall" : "rise", along(suite, channel, kind), rho);
    pool(suite, channel, s, kind, rho, rho * sqrt((double) s->n - 1));
}

/* Repeats at the same place have a scatter of their own, which no law can explain. */
static void test_lack_of_fit(struct suite *suite, size_t channel, const struct channel_series *s)
{
    double pure = 0, lack = 0, groups = 0;
    struct cf_test *t;

    for (size_t i = 0; i < s->n;) {
        size_t j = i;
        double mean = 0;
        while (j < s->n && s->abscissa[j] == s->abscissa[i])
            mean += s->r[j++];
        mean /= (double) (j - i);
        for (size_t k = i; k < j; k++)
            pure += gsl_pow_2(s->r[k] - mean);
        lack += (double) (j - i) * mean * mean;
        groups++;
        i = j;
    }
    double dof_pure = (double) s->n - groups, dof_lack = s->dof - dof_pure;
    if (dof_pure < 3 || dof_lack < 0.5 || !(pure > 0))
        return;
    double F = lack / dof_lack / (pure / dof_pure);
    t = cf_tests_add(suite->tests, "lack of fit", channel, s->n, F,
                     gsl_cdf_fdist_Q(F, dof_lack, dof_pure));
    if (t)
        snprintf(t->text, sizeof t->text,
                 "the means of repeats miss the curve %.1f times more than their scatter explains "
                 "(variance ratio)",
                 F);
}

static int compare_place(const void *a, const void *b)
{
    const struct cf_observation *const *s = a, *const *t = b;
    if ((*s)->abscissa != (*t)->abscissa)
        return (*s)->abscissa < (*t)->abscissa ? -1 : 1;
    return (*s > *t) - (*s < *t); /* rows in their order */
}

static bool same_order(const double a[], const double b[], size_t n)
{
    for (size_t i = 1; i < n; i++)
        if ((a[i] > a[i - 1]) != (b[i] > b[i - 1]))
            return false;
    return true;
}

static int group(struct suite *suite, struct cf_error *err)
{
    const struct cf_problem *q = suite->of->problem;
    size_t *next = calloc(q->nchannel + 1, sizeof *next), n = q->nobservation;

    suite->observation = calloc(n + 1, sizeof *suite->observation);
    suite->from = calloc(q->nchannel + 1, sizeof *suite->from);
    if (!next || !suite->observation || !suite->from) {
        free(next);
        return cf_fail(err, CF_ENOMEM, "no memory for %zu residuals", n);
    }
    for (size_t i = 0; i < n; i++)
        suite->from[q->observation[i].channel + 1]++;
    for (size_t c = 0; c < q->nchannel; c++) {
        suite->from[c + 1] += suite->from[c];
        next[c] = suite->from[c];
    }
    for (size_t i = 0; i < n; i++)
        suite->observation[next[q->observation[i].channel]++] = &q->observation[i];
    free(next);
    for (size_t c = 0; c < q->nchannel; c++)
        qsort(&suite->observation[suite->from[c]], suite->from[c + 1] - suite->from[c],
              sizeof *suite->observation, compare_place);
    return CF_OK;
}

static int series_of(const struct suite *suite, size_t channel, struct channel_series *s,
                     struct cf_error *err)
{
    const struct cf_fitted *of = suite->of;
    const struct cf_observation *const *o = &suite->observation[suite->from[channel]];
    size_t n = suite->from[channel + 1] - suite->from[channel];

    *s = (struct channel_series){.n = n,
                                 .abscissa = calloc(5 * n + 1, sizeof *s->abscissa),
                                 .order = calloc(n + 1, sizeof *s->order),
                                 .dof = of->problem->channel[channel].dof};
    if (!s->abscissa || !s->order)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu residuals", n);
    s->r = s->abscissa + n;
    s->second = s->r + n;
    s->work = s->second + n;
    s->rank = s->work + n;
    for (size_t i = 0; i < n; i++) {
        s->abscissa[i] = o[i]->abscissa;
        s->r[i] = (o[i]->value - of->y[o[i] - of->problem->observation]) / o[i]->sigma;
    }
    return n ? cf_second_axis(of, o, n, s->second, &s->has_second, err) : CF_OK;
}

static int test_channel(struct suite *suite, size_t channel, struct cf_error *err)
{
    struct channel_series s;
    int status = series_of(suite, channel, &s, err);

    if (!status && s.n >= LEAST) {
        test_runs(suite, channel, &s);
        test_lag1(suite, channel, &s);
        test_lack_of_fit(suite, channel, &s);
        if (s.abscissa[0] < s.abscissa[s.n - 1])
            test_trend(suite, channel, &s, AXIS_TREND);
        if (s.has_second && !same_order(s.abscissa, s.second, s.n))
            test_trend(suite, channel, &s, SECOND_TREND);
    }
    series_free(&s);
    return status;
}

/* Did CF_ORDERS leave its p open? */
static bool is_open(const struct suite *suite, const struct cf_test *t, enum order_test *kind)
{
    char name[sizeof t->name];

    for (*kind = LAG1; *kind < NORDER_TEST; (*kind)++) {
        name_test(suite, t->channel, *kind, name, sizeof name);
        if (strcmp(t->name, name) == 0)
            break;
    }
    return *kind < NORDER_TEST && !t->channels && t->n <= CF_MOST_ORDERED &&
           t->p * (CF_ORDERS + 1) < OPEN;
}

static int settle(struct suite *suite, size_t i, enum order_test kind, double orders,
                  struct cf_error *err)
{
    struct cf_test *t = &suite->tests->item[i];
    struct cf_orders more = {
        .rng = cf_random_stream(suite->of->problem->spec->options.seed, first_stream + i),
        .orders = (size_t) fmin(orders, most_moves / (double) t->n),
        .enough = OPEN};
    struct channel_series s;
    int status = series_of(suite, t->channel, &s, err);

    if (!status && !more.rng)
        status = cf_fail(err, CF_ENOMEM, "no memory for a random stream");
    if (!status && kind != LAG1)
        rank_series(&s, kind);
    if (!status) {
        double p = s.n < LEAST_LIMIT ? (double) NAN
                   : kind == LAG1    ? cf_lag1_limit(s.r, s.n)
                                     : cf_trend_limit(s.rank, s.work, s.n);
        if (isnan(p))
            p = kind == LAG1 ? cf_lag1_drawn(&more, s.r, s.n, s.work)
                             : cf_trend_drawn(&more, s.rank, s.work, s.n);
        t->p = p;
    }
    if (more.rng)
        gsl_rng_free(more.rng);
    series_free(&s);
    return status;
}

/* Of very many tests: those of all channels of a quantity together, and those whose p the orders
 * leave open. */
static int settle_all(struct suite *suite, struct cf_error *err)
{
    double level = suite->of->problem->spec->options.p_reject, n = (double) suite->tests->n;
    int status;

    if (!(n > least_p_share * level * (CF_ORDERS + 1)))
        return CF_OK;
    status = cf_pools_test(&suite->pools, suite->tests, err);
    n = (double) suite->tests->n;
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
    bool sigma_known = true;
    int status = group(suite, err);

    for (size_t i = 0; i < q->nchannel && !status; i++) {
        sigma_known = sigma_known && !q->channel[i].estimated;
        status = test_channel(suite, i, err);
    }
    if (!status && sigma_known && of->dof > 0) {
        struct cf_test *t = cf_tests_add(suite->tests, "chi-square", 0, q->nobservation, of->chi2,
                                         gsl_cdf_chisq_Q(of->chi2, of->dof));
        if (t)
            snprintf(t->text, sizeof t->text, "chi^2 %.4g on %g degrees of freedom", of->chi2,
                     of->dof);
    }
    if (!status)
        status = settle_all(suite, err);
    return status ? status : cf_tests_adjust(suite->tests, q->spec->options.p_reject, err);
}

int cf_residual_tests_of(const struct cf_fitted *of, struct cf_tests *tests, struct cf_error *err)
{
    const struct cf_fit_options *options = &of->problem->spec->options;
    struct suite suite = {.of = of,
                          .tests = tests,
                          .how = {.rng = cf_random_stream(options->seed, 1),
                                  .orders = CF_ORDERS,
                                  .enough = enough_orders(options)}};
    int status = suite.how.rng ? test_all(&suite, err)
                               : cf_fail(err, CF_ENOMEM, "no memory for a random stream");

    free(suite.observation);
    free(suite.from);
    free(suite.pools.item);
    if (suite.how.rng)
        gsl_rng_free(suite.how.rng);
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
