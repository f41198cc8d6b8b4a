#include "judge/interval.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_math.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

double cf_t_quantile(double level, double dof)
{
    double p = (1 + level) / 2;
    return isinf(dof) ? gsl_cdf_ugaussian_Pinv(p) : gsl_cdf_tdist_Pinv(p, dof);
}

static bool estimates(const struct cf_problem *q)
{
    for (size_t c = 0; c < q->nchannel; c++)
        if (q->channel[c].estimated)
            return true;
    return false;
}

/* Share of observation i in the variance of g.theta, gc = g C: with residuals of unit variance
 * theta is C J^T r. */
static double share_of(const double J[], const double gc[], size_t n, size_t i)
{
    double sum = 0;
    for (size_t a = 0; a < n; a++)
        sum += gc[a] * J[i * n + a];
    return sum * sum;
}

/* The shares of the channels. Without memory they are summed one by one, which takes as many times
 * longer as there are channels. */
static double channel_share(const struct cf_problem *q, const double J[], const double gc[],
                            const double shares[], size_t channel)
{
    double share = 0;

    if (shares)
        return shares[channel];
    for (size_t i = 0; i < q->nobservation; i++)
        if (q->observation[i].channel == channel)
            share += share_of(J, gc, q->nfree, i);
    return share;
}

double cf_satterthwaite(const struct cf_problem *q, const struct cf_rank *rank, const double J[],
                        const double g[])
{
    size_t n = q->nfree;
    double total = 0, denominator = 0, gc[CF_MAX_PARAM] = {0}, *shares;

    if (!estimates(q))
        return (double) INFINITY;
    for (size_t a = 0; a < n; a++)
        for (size_t b = 0; b < n; b++)
            gc[a] += g[b] * rank->covariance[b][a];
    shares = calloc(q->nchannel + 1, sizeof *shares);
    for (size_t i = 0; shares && i < q->nobservation; i++)
        if (q->observation[i].channel < q->nchannel)
            shares[q->observation[i].channel] += share_of(J, gc, n, i);
    for (size_t c = 0; c < q->nchannel; c++) {
        double share = channel_share(q, J, gc, shares, c);
        total += share;
        if (q->channel[c].estimated)
            denominator += share * share / fmax(q->channel[c].dof, 0.5);
    }
    for (size_t i = q->nobservation; i < q->nresidual; i++)
        for (size_t a = 0; a < n; a++)
            total += gsl_pow_2(gc[a] * J[i * n + a]);
    free(shares);
    return denominator > 0 ? total * total / denominator : (double) INFINITY;
}

double cf_effective_dof(const struct cf_optimum *optimum, const double g[])
{
    if (optimum->problem.loss.kind != CF_LOSS_SQUARES)
        return fmax(optimum->dof, 0.5); /* the sandwich is made from the residuals */
    return cf_satterthwaite(&optimum->problem, &optimum->rank, optimum->jacobian, g);
}

double cf_half_width(const struct cf_optimum *optimum, const double g[], double variance)
{
    return cf_t_quantile(optimum->problem.spec->options.level, cf_effective_dof(optimum, g)) *
           sqrt(cf_linear_variance(&optimum->rank, g) + variance);
}

void cf_wald(struct cf_fit *fit)
{
    for (size_t i = 0; i < fit->optimum.problem.nfree; i++) {
        const struct cf_unknown *w = &fit->optimum.problem.unknown[i];
        struct cf_estimate *e = &fit->estimate[i];
        double g[CF_MAX_PARAM] = {0}, half;
        if (fit->optimum.rank.dead[i] || fit->optimum.rank.flat[i])
            continue;
        g[i] = 1;
        e->standard_error = sqrt(cf_linear_variance(&fit->optimum.rank, g));
        e->dof = cf_effective_dof(&fit->optimum, g);
        half = cf_half_width(&fit->optimum, g, 0);
        e->wald = (struct cf_interval){
            .known = true,
            .low = cf_unknown_value(w, fit->optimum.theta[i] - half),
            .high = cf_unknown_value(w, fit->optimum.theta[i] + half),
        };
    }
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

void cf_combination_intervals(struct cf_fit *fit)
{
    for (size_t i = 0; i < fit->optimum.ncombination; i++) {
        const struct cf_combination *c = &fit->optimum.combination[i];
        double half = cf_half_width(&fit->optimum, c->power, 0);
        fit->combination[i] = (struct cf_interval){
            .known = true,
            .low = c->product ? c->value * exp(-half) : c->value - half,
            .high = c->product ? c->value * exp(half) : c->value + half,
        };
    }
}
