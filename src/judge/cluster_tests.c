#include "judge/cluster_tests.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "estimate/clusters.h"
#include "estimate/records.h"
#include "judge/prior_tests.h"

enum { LEAST_CLUSTERS = 3 };

/* Of the clusters of one channel. */
struct clusters {
    size_t n, nrow;        /* clusters; their rows */
    double *mean, *slope;  /* n each */
    double middle, spread; /* of the axis over all its rows: the mean and the sd */
};

static bool is_of(const struct cf_problem *q, size_t i, size_t channel)
{
    return q->observation[i].channel == channel && q->observation[i].weight > 0;
}

static void find_axis(const struct cf_problem *q, size_t channel, struct clusters *c)
{
    double sum = 0, squares = 0;

    for (size_t i = 0; i < q->nobservation; i++)
        if (is_of(q, i, channel)) {
            sum += q->observation[i].abscissa;
            squares += q->observation[i].abscissa * q->observation[i].abscissa;
            c->nrow++;
        }
    c->middle = sum / (double) c->nrow;
    c->spread = sqrt(fmax(squares / (double) c->nrow - c->middle * c->middle, 0));
}

static void gather(const struct cf_fitted *of, size_t channel, struct clusters *c)
{
    const struct cf_problem *q = of->problem;
    double sum = 0, along = 0, n = 0;

    find_axis(q, channel, c);
    for (size_t i = 0; i < q->nobservation; i++) {
        const struct cf_observation *o = &q->observation[i];
        if (is_of(q, i, channel)) {
            double r = (o->value - of->y[i]) / o->sigma;
            n++;
            sum += r;
            along += r * (o->abscissa - c->middle) / c->spread;
        }
        if (i + 1 < q->nobservation && cf_cluster_links(q, i + 1))
            continue;
        if (n > 0) { /* the slope over what it is over all rows where the axis is spread alike */
            c->mean[c->n] = sum / n;
            c->slope[c->n++] = along / n;
        }
        sum = along = n = 0;
    }
}

static void test(const struct cf_problem *q, size_t channel, const struct clusters *c,
                 const double x[], const char *name, const char *words, struct cf_tests *tests)
{
    const struct cf_protocol *protocol = q->spec->data[q->channel[channel].data].protocol;
    double mean = gsl_stats_mean(x, 1, c->n), sd = gsl_stats_sd(x, 1, c->n);
    double t = mean / (sd / sqrt((double) c->n));
    double p = 2 * gsl_cdf_tdist_Q(fabs(t), (double) c->n - 1);
    struct cf_test *one = cf_tests_add(tests, name, CF_ACCUSES_LAW, channel, c->n, t, p);

    if (one)
        snprintf(one->text, sizeof one->text,
                 "%s %.2g sigma, and scatter by %.2g over the %zu values of %s (t = %.1f)", words,
                 mean, sd, c->n, protocol->channel[protocol->cluster].name, t);
}

static void test_channel(const struct cf_fitted *of, size_t channel, struct clusters *c,
                         struct cf_tests *tests)
{
    gather(of, channel, c);
    if (c->n < LEAST_CLUSTERS)
        return;
    test(of->problem, channel, c, c->mean, "offset of clusters", "residuals are off by", tests);
    if (c->spread > 0)
        test(of->problem, channel, c, c->slope, "trend of clusters",
             "over one standard deviation of the axis, residuals grow by", tests);
}

int cf_cluster_tests(const struct cf_fitted *of, struct cf_tests *tests, struct cf_error *err)
{
    const struct cf_problem *q = of->problem;
    double *room = malloc((2 * q->nobservation + 1) * sizeof *room);

    if (!room)
        return cf_fail(err, CF_ENOMEM, "no memory for the clusters of %zu rows", q->nobservation);
    for (size_t channel = 0; channel < q->nchannel; channel++) {
        struct clusters c = {.mean = room, .slope = room + q->nobservation};
        if (q->spec->data[q->channel[channel].data].protocol->cluster)
            test_channel(of, channel, &c, tests);
    }
    free(room);
    return cf_tests_adjust(tests, q->spec->options.p_reject, err);
}

/* The channel that numbers the clusters, of the first data set that has them; NULL: none has. */
static const struct cf_channel_row *cluster_channel(const struct cf_problem *q)
{
    for (size_t d = 0; d < q->spec->ndata; d++) {
        const struct cf_protocol *protocol = q->spec->data[d].protocol;
        if (protocol->cluster && q->set[d].nchannel)
            return &protocol->channel[protocol->cluster];
    }
    return NULL;
}

/* A stated sigma is that of one reading, and rows of a run are off by what its start was, too: how
 * far they are is said, and accuses no law. */
static void judge_sigmas(struct cf_fit *fit, const struct cf_channel_row *cluster)
{
    double chi2, dof, p, level = fit->optimum.problem.spec->options.p_reject;

    cf_chi2_of_data(&fit->optimum, &chi2, &dof);
    p = fit->optimum.sigma_known && dof > 0 ? gsl_cdf_chisq_Q(chi2, dof) : 1;
    if (!(p < level))
        return;
    struct cf_finding *f = cf_add_finding(
        &fit->findings, CF_RULE_RUN_SIGMAS,
        "rows are off by %.2g times their stated sigmas (chi^2 %.4g on %g degrees of freedom): "
        "those "
        "of a %s carry on what its start was off by, which the sigma of one reading leaves out",
        sqrt(chi2 / dof), chi2, dof, cluster->name);
    f->p = p;
    f->level = level;
    f->size = sqrt(chi2 / dof);
    f->unit = "1";
    cf_say(&fit->advice, "let the sigmas be estimated (sigma: estimate), as those of a row in all");
}

void cf_judge_clusters(struct cf_fit *fit)
{
    const struct cf_problem *q = &fit->optimum.problem;
    const struct cf_channel_row *c = cluster_channel(q);

    if (c && cf_is_clustered(q))
        judge_sigmas(fit, c);
    /* groups and dense noise say what rows share; of what is not identified there is no interval */
    if (!c || fit->optimum.ncluster || cf_shares_errors(q) || fit->optimum.rank.rank < q->nfree)
        return;
    if (!cf_is_clustered(q))
        cf_add_finding(
            &fit->findings, CF_RULE_UNCLUSTERED,
            "the loss %s takes rows as independent, but the residuals of one %s are correlated: "
            "the intervals are too narrow",
            cf_loss_name[q->loss.kind], c->name);
    else
        cf_add_finding(
            &fit->findings, CF_RULE_UNCLUSTERED,
            "the residuals of one %s are correlated, and there are too few of these groups to "
            "take the intervals from their scatter: more than the %zu unknowns are needed, and "
            "none of these may be identified by one group alone; as they stand, for independent "
            "rows, the intervals are too narrow",
            c->name, q->nfree);
    for (size_t i = 0; i < q->nfree; i++) /* none is known as well as its interval says */
        if (fit->estimate[i].worth == CF_WORTH_FINE)
            fit->estimate[i].worth = CF_WORTH_WEAK;
}
