#include "judge/interval.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_math.h>
#include <math.h>
#include <stdlib.h>

#include "estimate/clusters.h"
#include "estimate/leverage.h"

/* From here on the quantile of Student's t follows from the normal one: G. A. Fisher and E. A.
 * Cornish, Technometrics 2 (1960) 209, to 1/dof^3; the next term is below 1e-12 of it. */
static const double large_dof = 1000;

static double expanded_quantile(double z, double dof)
{
    double z2 = z * z, a = (z2 + 1) / 4, b = ((5 * z2 + 16) * z2 + 3) / 96;
    double c = (((3 * z2 + 19) * z2 + 17) * z2 - 15) / 384;
    return z * (1 + (a + (b + c / dof) / dof) / dof);
}

double cf_t_quantile(double level, double dof)
{
    double p = (1 + level) / 2;

    if (dof < large_dof)
        return gsl_cdf_tdist_Pinv(p, dof);
    return isinf(dof) ? gsl_cdf_ugaussian_Pinv(p)
                      : expanded_quantile(gsl_cdf_ugaussian_Pinv(p), dof);
}

double cf_satterthwaite(const struct cf_channel channel[], size_t n, const double share[],
                        double rest)
{
    double total = rest, denominator = 0;

    for (size_t c = 0; c < n; c++) {
        total += share[c];
        if (channel[c].estimated)
            denominator += share[c] * share[c] / fmax(channel[c].dof, 0.5);
    }
    return denominator > 0 ? total * total / denominator : (double) INFINITY;
}

double cf_effective_dof(const struct cf_optimum *optimum, const double g[])
{
    const struct cf_problem *q = &optimum->problem;
    double *share, prior, dof = 0;

    if (q->loss.kind != CF_LOSS_SQUARES)
        return fmax(optimum->dof, 0.5); /* the sandwich is made from the residuals */
    if (optimum->ncluster)
        return (double) optimum->ncluster - 1;
    if (optimum->sigma_known)
        return (double) INFINITY;
    if (optimum->variances.n)
        return cf_variances_dof(&optimum->variances, &optimum->rank, g);
    share = malloc((q->nchannel + 1) * sizeof *share);
    if (share && !cf_variance_shares(q, &optimum->fold, &optimum->rank, g, share, &prior, NULL))
        dof = cf_satterthwaite(q->channel, q->nchannel, share, prior);
    free(share);
    return dof;
}

double cf_half_width_of(const struct cf_optimum *optimum, double dof, double variance)
{
    return cf_t_quantile(optimum->problem.spec->options.level, dof) * sqrt(variance);
}

double cf_half_width(const struct cf_optimum *optimum, const double g[], double variance)
{
    return cf_half_width_of(optimum, cf_effective_dof(optimum, g),
                            cf_linear_variance(cf_optimum_spread(optimum), g) +
                                cf_variances_more(&optimum->variances, g) + variance);
}

/* A nuisance near 0 is not known to a part of itself: it is enough that the data leave this part of
 * the range where it was looked for. */
static const double NARROWED = 0.05;

bool cf_interval_is_wide(const struct cf_problem *problem, const struct cf_unknown *unknown,
                         double value, const struct cf_interval *interval)
{
    double factor = problem->spec->options.weak_factor, wide;

    if (!interval->known || interval->open_low || interval->open_high)
        return true;
    if (unknown->scale == CF_SCALE_LOG)
        return !(interval->high <= factor * interval->low);
    wide = (factor - 1) * fabs(value);
    if (unknown->kind != CF_UNKNOWN_LAW)
        wide = fmax(wide, NARROWED * (unknown->upper - unknown->lower));
    return !(interval->high - interval->low <= wide);
}

/* Of one parameter; room[nfree] holds zeros and is left so. */
static void wald_of(struct cf_fit *fit, size_t i, double room[])
{
    const struct cf_unknown *w = &fit->optimum.problem.unknown[i];
    struct cf_estimate *e = &fit->estimate[i];
    double half;

    room[i] = 1;
    e->standard_error = sqrt(cf_rank_variance(cf_optimum_spread(&fit->optimum), i) +
                             cf_variances_more(&fit->optimum.variances, room));
    e->dof = cf_effective_dof(&fit->optimum, room);
    half = cf_half_width_of(&fit->optimum, e->dof, gsl_pow_2(e->standard_error));
    room[i] = 0;
    e->wald = (struct cf_interval){
        .known = e->dof > 0,
        .low = cf_unknown_value(w, fit->optimum.theta[i] - half),
        .high = cf_unknown_value(w, fit->optimum.theta[i] + half),
    };
}

int cf_wald(struct cf_fit *fit, struct cf_error *err)
{
    size_t n = fit->optimum.problem.nfree;
    double *room = calloc(n + 1, sizeof *room);
    bool short_of = !room;

    for (size_t i = 0; i < n && room; i++) {
        if (!cf_rank_identifies(&fit->optimum.rank, i))
            continue;
        wald_of(fit, i, room);
        short_of = short_of || !(fit->estimate[i].dof > 0);
    }
    free(room);
    return short_of ? cf_fail(err, CF_ENOMEM, "no memory for the intervals of %zu parameters", n)
                    : CF_OK;
}

void cf_robust_intervals(struct cf_fit *fit)
{
    for (size_t i = 0; i < fit->optimum.problem.nfree; i++) {
        const struct cf_unknown *w = &fit->optimum.problem.unknown[i];
        struct cf_estimate *e = &fit->estimate[i];
        struct cf_interval *at = &e->likelihood;
        double lower = cf_unknown_value(w, w->lower), upper = cf_unknown_value(w, w->upper);
        *at = e->wald;
        at->open_low = at->known && !(at->low > lower);
        at->open_high = at->known && !(at->high < upper);
        at->low = at->open_low ? lower : at->low;
        at->high = at->open_high ? upper : at->high;
    }
}

int cf_combination_intervals(struct cf_fit *fit, struct cf_error *err)
{
    for (size_t i = 0; i < fit->optimum.ncombination; i++) {
        const struct cf_combination *c = &fit->optimum.combination[i];
        double half = cf_half_width(&fit->optimum, c->slope, 0);
        if (isnan(half))
            return cf_fail(err, CF_ENOMEM, "no memory for the interval of %s", c->name);
        fit->combination[i] = (struct cf_interval){
            .known = true,
            .low = c->product ? c->value * exp(-half) : c->value - half,
            .high = c->product ? c->value * exp(half) : c->value + half,
        };
    }
    return CF_OK;
}

/* Variance of a part's local k, the unknowns' uncertainty included; column[ncolumn], x[nfree] are
 * spare. */
static double local_variance(const struct cf_optimum *optimum, size_t part, size_t k, double x[],
                             double column[])
{
    const struct cf_part_fold *p = &optimum->fold.part[part];
    const struct cf_rank *rank = &optimum->rank;
    double variance = 0;

    for (size_t j = 0; j < p->nlocal; j++) {
        cf_part_local_root(p, j, column);
        variance += gsl_pow_2(column[k]);
    }
    for (size_t j = 0; j < rank->rank; j++) {
        for (size_t i = 0; i < rank->n; i++)
            x[i] = rank->root[i * rank->rank + j];
        cf_part_follow(&optimum->problem, &optimum->fold, part, x, column);
        variance += gsl_pow_2(column[k]);
    }
    return variance;
}

/* Is the local distinguishable from the other columns of its part? */
static bool is_identified(const struct cf_part_fold *p, size_t k)
{
    size_t n = p->ncolumn + 1;
    double length = 0;

    for (size_t i = 0; i <= k; i++)
        length = hypot(length, p->R[i * n + k]);
    return fabs(p->R[k * n + k]) > cf_rank_noise * length;
}

/* A local is as free as an unknown that it follows: it is not identified where a step of 1 in a
 * direction that nothing measures moves it by this share of its standard deviation. */
static const double null_share = 0.01;

static bool follows_null(const struct cf_optimum *optimum, size_t part, size_t k, double deviation,
                         double column[])
{
    const struct cf_rank *rank = &optimum->rank;

    for (size_t j = 0; j < rank->nnull; j++) {
        cf_part_follow(&optimum->problem, &optimum->fold, part, &rank->direction[j * rank->n],
                       column);
        if (fabs(column[k]) > null_share * deviation)
            return true;
    }
    return false;
}

int cf_local_intervals(struct cf_fit *fit, struct cf_error *err)
{
    const struct cf_optimum *optimum = &fit->optimum;
    const struct cf_problem *q = &optimum->problem;
    size_t widest = 0;
    double *x;

    for (size_t p = 0; p < q->npart; p++)
        widest = optimum->fold.part[p].ncolumn > widest ? optimum->fold.part[p].ncolumn : widest;
    fit->local = calloc(q->nlocal + 1, sizeof *fit->local);
    x = malloc((q->nfree + widest + 1) * sizeof *x);
    if (!fit->local || !x) {
        free(x);
        return cf_fail(err, CF_ENOMEM, "no memory for %zu locals", q->nlocal);
    }
    for (size_t p = 0; p < q->npart; p++)
        for (size_t k = 0; k < optimum->fold.part[p].nlocal; k++) {
            size_t i = q->part[p].local + k;
            const struct cf_unknown *w = &q->set[q->part[p].data].local[k];
            double half, variance, dof = (double) INFINITY;
            fit->local[i] = (struct cf_local_estimate){
                .part = p, .unknown = w, .value = cf_unknown_value(w, q->local[i])};
            variance = local_variance(optimum, p, k, x, x + q->nfree);
            if (!is_identified(&optimum->fold.part[p], k) ||
                follows_null(optimum, p, k, sqrt(variance), x + q->nfree))
                continue;
            for (size_t c = 0; c < q->set[q->part[p].data].nchannel; c++) {
                const struct cf_channel *ch = &q->channel[q->set[q->part[p].data].fitted[c]];
                if (ch->estimated)
                    dof = fmin(dof, fmax(ch->dof, 0.5));
            }
            half = cf_half_width_of(optimum, dof, variance);
            fit->local[i].interval =
                (struct cf_interval){.known = true,
                                     .low = cf_unknown_value(w, q->local[i] - half),
                                     .high = cf_unknown_value(w, q->local[i] + half)};
        }
    free(x);
    return CF_OK;
}
