#include "judge/residual_tests.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_math.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_sf_gamma.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/random.h"

/* Fewer residuals than this show nothing. */
enum { LEAST = 6, ORDERS = 9999 };

/* What is tested, and where the results go. */
struct suite {
    const struct cf_fitted *of;
    struct cf_test *test;
    size_t n;
    size_t enough_orders; /* as large as the observed one, after which it cannot reject */
};

/* The residuals of one channel along its axis, and along the protocol's second one. */
struct channel_series {
    size_t n;
    double *abscissa, *r, *second, *work; /* n each, allocated as one */
    double dof;
};

double cf_runs_probability(size_t n_plus, size_t n_minus, size_t runs)
{
    double total = gsl_sf_lnchoose((unsigned) (n_plus + n_minus), (unsigned) n_plus), sum = 0;

    for (size_t r = 2; r <= runs; r++) {
        unsigned k = (unsigned) (r / 2), a = (unsigned) n_plus, b = (unsigned) n_minus;
        if (r % 2 == 0) {
            if (k <= a && k <= b)
                sum +=
                    2 * exp(gsl_sf_lnchoose(a - 1, k - 1) + gsl_sf_lnchoose(b - 1, k - 1) - total);
            continue;
        }
        if (k <= a - 1 && k <= b)
            sum += exp(gsl_sf_lnchoose(a - 1, k) + gsl_sf_lnchoose(b - 1, k - 1) - total);
        if (k <= a && k <= b - 1)
            sum += exp(gsl_sf_lnchoose(a - 1, k - 1) + gsl_sf_lnchoose(b - 1, k) - total);
    }
    return fmin(sum, 1);
}

struct cf_test *cf_tests_add(struct cf_test test[], size_t *ntest, const char *name, size_t channel,
                             size_t n, double statistic, double p)
{
    struct cf_test *t = &test[*ntest];

    if (*ntest == CF_MAX_TEST || !isfinite(p))
        return NULL;
    *t = (struct cf_test){.channel = channel, .n = n, .statistic = statistic, .p = p};
    snprintf(t->name, sizeof t->name, "%s", name);
    (*ntest)++;
    return t;
}

static struct cf_test *add(struct suite *suite, const char *name, size_t channel, size_t n,
                           double statistic, double p)
{
    return cf_tests_add(suite->test, &suite->n, name, channel, n, statistic, p);
}

static void test_runs(struct suite *suite, size_t channel, const struct channel_series *s)
{
    size_t plus = 0, runs = 1;
    double p;
    struct cf_test *t;

    for (size_t i = 0; i < s->n; i++) {
        plus += s->r[i] > 0;
        runs += i > 0 && (s->r[i] > 0) != (s->r[i - 1] > 0);
    }
    if (plus == 0 || plus == s->n)
        p = ldexp(1, 1 - (int) s->n);
    else
        p = cf_runs_probability(plus, s->n - plus, runs);
    t = add(suite, "runs", channel, s->n, (double) runs, p);
    if (t)
        snprintf(t->text, sizeof t->text, "%zu runs of sign in %zu residuals, %zu above 0", runs,
                 s->n, plus);
}

static double lag1(const double r[], size_t n)
{
    double above = 0, below = 0;
    for (size_t i = 0; i < n; i++) {
        above += i ? r[i] * r[i - 1] : 0;
        below += r[i] * r[i];
    }
    return above / below;
}

/* Average ranks, 1…n, of x[n], where ties share. */
static void ranks(const double x[], size_t n, double rank[])
{
    for (size_t i = 0; i < n; i++) {
        double below = 0, same = 0;
        for (size_t j = 0; j < n; j++) {
            below += x[j] < x[i];
            same += x[j] == x[i];
        }
        rank[i] = below + (same + 1) / 2;
    }
}

static double correlation(const double a[], const double b[], size_t n)
{
    double mean = ((double) n + 1) / 2, ab = 0, aa = 0, bb = 0;
    for (size_t i = 0; i < n; i++) {
        ab += (a[i] - mean) * (b[i] - mean);
        aa += gsl_pow_2(a[i] - mean);
        bb += gsl_pow_2(b[i] - mean);
    }
    return aa > 0 && bb > 0 ? ab / sqrt(aa * bb) : 0;
}

/* Share of random orders whose lag-1 correlation is as large, the observed one counted in. */
static double order_p_lag1(gsl_rng *rng, const struct channel_series *s, double observed,
                           size_t enough)
{
    size_t as_large = 1, orders = 1;
    for (size_t i = 0; i < s->n; i++)
        s->work[i] = s->r[i];
    for (; orders <= ORDERS && as_large < enough; orders++) {
        gsl_ran_shuffle(rng, s->work, s->n, sizeof *s->work);
        as_large += lag1(s->work, s->n) >= observed;
    }
    return (double) as_large / (double) orders;
}

static double order_p_trend(gsl_rng *rng, const double a[], double b[], size_t n, double observed,
                            size_t enough)
{
    size_t as_large = 1, orders = 1;
    for (; orders <= ORDERS && as_large < enough; orders++) {
        gsl_ran_shuffle(rng, b, n, sizeof *b);
        as_large += fabs(correlation(a, b, n)) >= fabs(observed) * (1 - 1e-12);
    }
    return (double) as_large / (double) orders;
}

static void test_lag1(struct suite *suite, gsl_rng *rng, size_t channel,
                      const struct channel_series *s)
{
    double r1 = lag1(s->r, s->n);
    double p = order_p_lag1(rng, s, r1, suite->enough_orders);
    struct cf_test *t = add(suite, "lag-1", channel, s->n, r1, p);
    if (t)
        snprintf(t->text, sizeof t->text, "neighbouring residuals correlate by %.2f", r1);
}

static int test_trend(struct suite *suite, gsl_rng *rng, size_t channel,
                      const struct channel_series *s, const double along[], const char *what,
                      struct cf_error *err)
{
    char name[sizeof((struct cf_test *) NULL)->name];
    double *a = calloc(2 * s->n, sizeof *a), *b = a + s->n, rho;
    struct cf_test *t;

    if (!a)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu ranks", s->n);
    snprintf(name, sizeof name, "trend with %s", what);
    ranks(along, s->n, a);
    ranks(s->r, s->n, b);
    rho = correlation(a, b, s->n);
    t = add(suite, name, channel, s->n, rho,
            order_p_trend(rng, a, b, s->n, rho, suite->enough_orders));
    if (t)
        snprintf(t->text, sizeof t->text, "residuals %s with %s (rank correlation %.2f)",
                 rho < 0 ? "fall" : "rise", what, rho);
    free(a);
    return CF_OK;
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
    t = add(suite, "lack of fit", channel, s->n, F, gsl_cdf_fdist_Q(F, dof_lack, dof_pure));
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

/* The protocol's second axis at an observation, as it is predicted: false where the protocol has
 * none or the law predicts none. */
static bool second_of(const struct cf_fitted *of, const struct cf_observation *o, double *second)
{
    const struct cf_problem *q = of->problem;
    const struct cf_dataset *d = &q->spec->data[o->data];
    size_t channel = d->protocol->second_axis;
    double p[CF_MAX_PARAM];
    struct cf_prediction row;

    if (channel == CF_NO_CHANNEL || cf_problem_params(q, o->data, of->theta, p, NULL, NULL) ||
        cf_predict_row(q->curves, q->law, p, d, o->row, 0, &row, NULL))
        return false;
    *second = row.value[channel];
    return row.known >> channel & 1u;
}

static bool same_order(const double a[], const double b[], size_t n)
{
    for (size_t i = 1; i < n; i++)
        if ((a[i] > a[i - 1]) != (b[i] > b[i - 1]))
            return false;
    return true;
}

static int series_of(const struct cf_fitted *of, size_t channel, struct channel_series *s,
                     bool *has_second, struct cf_error *err)
{
    const struct cf_problem *q = of->problem;
    size_t n = q->channel[channel].n;
    const struct cf_observation **o = calloc(n, sizeof *o);

    *s = (struct channel_series){.abscissa = calloc(4 * n, sizeof *s->abscissa),
                                 .dof = q->channel[channel].dof};
    if (!o || !s->abscissa) {
        free(o);
        return cf_fail(err, CF_ENOMEM, "no memory for %zu residuals", n);
    }
    s->r = s->abscissa + n;
    s->second = s->r + n;
    s->work = s->second + n;
    for (size_t i = 0; i < q->nobservation; i++)
        if (q->observation[i].channel == channel)
            o[s->n++] = &q->observation[i];
    qsort(o, n, sizeof *o, compare_place);
    *has_second = true;
    for (size_t i = 0; i < n; i++) {
        s->abscissa[i] = o[i]->abscissa;
        s->r[i] = (o[i]->value - of->y[o[i] - q->observation]) / o[i]->sigma;
        *has_second = *has_second && second_of(of, o[i], &s->second[i]);
    }
    free(o);
    return CF_OK;
}

static int test_channel(struct suite *suite, gsl_rng *rng, size_t channel, struct cf_error *err)
{
    const struct cf_problem *q = suite->of->problem;
    const struct cf_protocol *protocol = q->spec->data[q->channel[channel].data].protocol;
    struct channel_series s;
    bool has_second;
    int status = series_of(suite->of, channel, &s, &has_second, err);

    if (!status && s.n >= LEAST) {
        test_runs(suite, channel, &s);
        test_lag1(suite, rng, channel, &s);
        test_lack_of_fit(suite, channel, &s);
        if (s.abscissa[0] < s.abscissa[s.n - 1])
            status = test_trend(suite, rng, channel, &s, s.abscissa, protocol->axis.name, err);
        if (!status && has_second && !same_order(s.abscissa, s.second, s.n))
            status = test_trend(suite, rng, channel, &s, s.second,
                                protocol->channel[protocol->second_axis].name, err);
    }
    free(s.abscissa);
    return status;
}

static int compare_p(const void *a, const void *b)
{
    const struct cf_test *const *s = a, *const *t = b;
    return ((*s)->p > (*t)->p) - ((*s)->p < (*t)->p);
}

double cf_holm(double before, size_t left, double p)
{
    return fmax(before, fmin(1, (double) left * p));
}

void cf_tests_adjust(struct cf_test test[], size_t n, double p_reject)
{
    struct cf_test *order[CF_MAX_TEST];
    double p = 0;

    for (size_t i = 0; i < n; i++)
        order[i] = &test[i];
    qsort(order, n, sizeof *order, compare_p);
    for (size_t i = 0; i < n; i++) {
        p = cf_holm(p, n - i, order[i]->p);
        order[i]->p_adjusted = p;
        order[i]->rejects = p < p_reject;
    }
}

/* Holm's adjustment only makes a p larger, so that a p above the level may stay rough. */
static size_t enough_orders(const struct cf_fit_options *options)
{
    return options->rough_tests ? (size_t) ceil(options->p_reject * (ORDERS + 1)) : ORDERS + 1;
}

int cf_residual_tests_of(const struct cf_fitted *of, struct cf_test test[], size_t *ntest,
                         struct cf_error *err)
{
    const struct cf_problem *q = of->problem;
    struct suite suite = {of, test, 0, enough_orders(&q->spec->options)};
    gsl_rng *rng = cf_random_stream(q->spec->options.seed, 1);
    int status = rng ? CF_OK : cf_fail(err, CF_ENOMEM, "no memory for a random stream");
    bool sigma_known = true;

    for (size_t i = 0; i < q->nchannel && !status; i++) {
        sigma_known = sigma_known && !q->channel[i].estimated;
        status = test_channel(&suite, rng, i, err);
    }
    if (!status && sigma_known && of->dof > 0) {
        struct cf_test *t = add(&suite, "chi-square", 0, q->nobservation, of->chi2,
                                gsl_cdf_chisq_Q(of->chi2, of->dof));
        if (t)
            snprintf(t->text, sizeof t->text, "chi^2 %.4g on %g degrees of freedom", of->chi2,
                     of->dof);
    }
    cf_tests_adjust(test, suite.n, q->spec->options.p_reject);
    *ntest = suite.n;
    if (rng)
        gsl_rng_free(rng);
    return status;
}

int cf_residual_tests(struct cf_fit *fit, struct cf_error *err)
{
    size_t n = fit->optimum.problem.nobservation;
    double *y = calloc(n + 1, sizeof *y);
    struct cf_fitted of = {&fit->optimum.problem, fit->optimum.theta, y, fit->optimum.chi2,
                           fit->optimum.dof};
    int status;

    if (!y)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu predictions", n);
    for (size_t i = 0; i < n; i++)
        y[i] = fit->predicted[i].value;
    status = cf_residual_tests_of(&of, fit->test, &fit->ntest, err);
    free(y);
    return status;
}
