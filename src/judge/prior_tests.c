#include "judge/prior_tests.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_math.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/decimal.h"
#include "estimate/clusters.h"

/* Of what is known of a parameter its prior may be all but this share, and the data still something
 * to hold against it. */
static const double least_share = 1e-4;

/* A probability that doubles round to 0 is none. */
static const double least_p = 1e-300;

/* Freedom that the data leave, over all channels; at least one, for a t that has tails. */
static double dof_of_data(const struct cf_optimum *o)
{
    double chi2, dof;
    cf_chi2_of_data(o, &chi2, &dof);
    return fmax(dof, 1);
}

static double two_sided(const struct cf_optimum *o, double z, double h)
{
    if (o->sigma_known)
        return 2 * gsl_cdf_ugaussian_Q(fabs(z));
    /* variances in units of the prior's: its own 1, known, and that of the data h/(1 - h) */
    double data = h / (1 - h), dof = gsl_pow_2((1 + data) / data) * dof_of_data(o);
    return 2 * gsl_cdf_tdist_Q(fabs(z), dof);
}

/* By the scatter of clusters: theta = (1 - h) data + h prior, whose variance is known. */
static void test_clusters(const struct cf_optimum *o, size_t j, double h, struct cf_prior_test *t)
{
    double prior = gsl_pow_2(o->problem.unknown[j].prior_sigma);
    double all = cf_rank_variance(cf_optimum_spread(o), j);
    double data = fmax(all - h * h * prior, 0) / gsl_pow_2(1 - h);

    t->z *= sqrt(prior / (1 - h) / (data + prior));
    t->p = 2 * gsl_cdf_tdist_Q(fabs(t->z), (double) o->ncluster - 1);
}

static void test(const struct cf_optimum *o, size_t j, struct cf_prior_test *t)
{
    const struct cf_unknown *w = &o->problem.unknown[j];
    double h = cf_rank_variance(&o->rank, j) / gsl_pow_2(w->prior_sigma);
    double off = (w->prior - o->theta[j]) / w->prior_sigma;

    *t =
        (struct cf_prior_test){.unknown = j, .by_data = NAN, .z = NAN, .p = NAN, .p_adjusted = NAN};
    if (o->by_prior[j] || !(1 - h > least_share))
        return;
    t->tested = true;
    t->by_data = cf_unknown_value(w, w->prior - off * w->prior_sigma / (1 - h));
    t->z = off / sqrt(1 - h);
    t->p = two_sided(o, t->z, h);
    if (o->ncluster)
        test_clusters(o, j, h, t);
}

static int by_p(const void *a, const void *b)
{
    const struct cf_prior_test *s = a, *t = b;
    if (s->tested != t->tested)
        return s->tested ? -1 : 1;
    return (s->p > t->p) - (s->p < t->p);
}

int cf_prior_tests(struct cf_fit *fit, struct cf_error *err)
{
    const struct cf_problem *q = &fit->optimum.problem;
    size_t n = 0, tested = 0;
    double p = 0;

    if (q->nprior == 0)
        return CF_OK;
    fit->prior_test = calloc(q->nprior, sizeof *fit->prior_test);
    if (!fit->prior_test)
        return cf_fail(err, CF_ENOMEM, "no memory for the tests of %zu priors", q->nprior);
    for (size_t j = 0; j < q->nfree; j++)
        if (q->unknown[j].has_prior) {
            test(&fit->optimum, j, &fit->prior_test[n]);
            tested += fit->prior_test[n++].tested;
        }
    fit->nprior_test = n;
    qsort(fit->prior_test, n, sizeof *fit->prior_test, by_p);
    for (size_t i = 0; i < tested; i++) {
        struct cf_prior_test *t = &fit->prior_test[i];
        p = t->p_adjusted = cf_holm(p, tested - i, t->p);
        t->contradicts = p < q->spec->options.p_reject;
    }
    return CF_OK;
}

bool cf_prior_contradicts(const struct cf_fit *fit)
{
    for (size_t i = 0; i < fit->nprior_test; i++)
        if (fit->prior_test[i].contradicts)
            return true;
    return false;
}

bool cf_chi2_of_data(const struct cf_optimum *optimum, double *chi2, double *dof)
{
    const struct cf_problem *q = &optimum->problem;
    size_t n = q->nfree;
    bool apart = q->nprior > 0 && q->loss.kind == CF_LOSS_SQUARES;

    *chi2 = optimum->chi2;
    *dof = optimum->dof;
    for (size_t j = 0; j < n; j++) /* else the data alone have no single optimum */
        apart = apart && !optimum->by_prior[j];
    if (!apart)
        return false;
    /* what no change of theta takes from the data's residuals */
    *chi2 = gsl_pow_2(optimum->fold.data[n * (n + 1) + n]);
    *dof = optimum->dof - (double) q->nprior;
    return true;
}

void cf_prior_text(const struct cf_unknown *w, char text[], size_t size)
{
    double value = cf_unknown_value(w, w->prior);
    bool bare = strcmp(w->unit, "1") == 0;
    char both[2 * CF_DECIMAL];

    if (w->scale == CF_SCALE_LOG)
        snprintf(text, size, "%.4g%s%s +- %.3g %%", value, bare ? "" : " ", bare ? "" : w->unit,
                 100 * w->prior_sigma);
    else
        snprintf(text, size, "%s%s%s",
                 cf_decimal_plus_minus(value, w->prior_sigma, both, sizeof both), bare ? "" : " ",
                 bare ? "" : w->unit);
}

void cf_prior_outcome(const struct cf_prior_test *test, const struct cf_unknown *unknown,
                      char text[], size_t size)
{
    bool bare = strcmp(unknown->unit, "1") == 0;

    if (test->tested)
        snprintf(text, size, "the data alone give %.4g%s%s: %.1f standard errors apart",
                 test->by_data, bare ? "" : " ", bare ? "" : unknown->unit, fabs(test->z));
    else
        snprintf(text, size, "not tested: the data alone do not identify it");
}

void cf_judge_priors(struct cf_fit *fit)
{
    for (size_t i = 0; i < fit->nprior_test; i++) {
        const struct cf_prior_test *t = &fit->prior_test[i];
        const struct cf_unknown *w = &fit->optimum.problem.unknown[t->unknown];
        char prior[CF_PRIOR_TEXT], outcome[CF_PRIOR_TEXT];
        if (!t->contradicts)
            continue;
        cf_prior_text(w, prior, sizeof prior);
        cf_prior_outcome(t, w, outcome, sizeof outcome);
        struct cf_finding *f = cf_add_finding(
            &fit->findings, CF_RULE_PRIOR,
            "the prior of %s, %s, contradicts the data: %s (p %s %.2g)", w->name, prior, outcome,
            t->p_adjusted < least_p ? "<" : "=", fmax(t->p_adjusted, least_p));
        f->parameter = w->name;
        f->p = t->p_adjusted;
        f->level = fit->optimum.problem.spec->options.p_reject;
        f->size = fabs(t->z);
        f->unit = "standard errors";
        cf_say(&fit->advice,
               "find out which is wrong: the prior of %s, or what all rows share, as a mass, a "
               "radius or a calibration",
               w->name);
    }
}
