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

/* The share of a channel, by its information; without, by all of its observations. */
static double channel_share(const struct cf_problem *q, const double J[],
                            const double information[], const double gc[], size_t channel)
{
    size_t n = q->nfree;
    double share = 0;

    for (size_t a = 0; a < n && information; a++)
        for (size_t b = 0; b < n; b++)
            share += gc[a] * information[(channel * n + a) * n + b] * gc[b];
    for (size_t i = 0; i < q->nobservation && !information; i++)
        if (q->observation[i].channel == channel)
            share += share_of(J, gc, n, i);
    return fmax(share, 0);
}

static double satterthwaite(const struct cf_problem *q, const struct cf_rank *rank,
                            const double J[], const double information[], const double g[])
{
    size_t n = q->nfree;
    double total = 0, denominator = 0, gc[CF_MAX_PARAM] = {0};

    if (!estimates(q))
        return (double) INFINITY;
    for (size_t a = 0; a < n; a++)
        for (size_t b = 0; b < n; b++)
            gc[a] += g[b] * rank->covariance[b][a];
    for (size_t c = 0; c < q->nchannel; c++) {
        double share = channel_share(q, J, information, gc, c);
        total += share;
        if (q->channel[c].estimated)
            denominator += share * share / fmax(q->channel[c].dof, 0.5);
    }
    for (size_t i = q->nobservation; i < q->nresidual; i++)
        for (size_t a = 0; a < n; a++)
            total += gsl_pow_2(gc[a] * J[i * n + a]);
    return denominator > 0 ? total * total / denominator : (double) INFINITY;
}

double cf_satterthwaite(const struct cf_problem *problem, const struct cf_rank *rank,
                        const double J[], const double g[])
{
    return satterthwaite(problem, rank, J, NULL, g);
}

int cf_interval_prepare(struct cf_fit *fit, struct cf_error *err)
{
    const struct cf_problem *q = &fit->optimum.problem;
    const double *J = fit->optimum.jacobian;
    size_t n = q->nfree;

    fit->information = calloc(q->nchannel * n * n + 1, sizeof *fit->information);
    if (!fit->information)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu channels", q->nchannel);
    for (size_t i = 0; i < q->nobservation; i++)
        for (size_t a = 0; a < n; a++)
            for (size_t b = 0; b < n; b++)
                fit->information[(q->observation[i].channel * n + a) * n + b] +=
                    J[i * n + a] * J[i * n + b];
    return CF_OK;
}

double cf_effective_dof(const struct cf_fit *fit, const double g[])
{
    const struct cf_optimum *optimum = &fit->optimum;
    if (optimum->problem.loss.kind != CF_LOSS_SQUARES)
        return fmax(optimum->dof, 0.5); /* the sandwich is made from the residuals */
    return satterthwaite(&optimum->problem, &optimum->rank, optimum->jacobian, fit->information, g);
}

double cf_half_width(const struct cf_fit *fit, const double g[], double variance)
{
    return cf_t_quantile(fit->optimum.problem.spec->options.level, cf_effective_dof(fit, g)) *
           sqrt(cf_linear_variance(&fit->optimum.rank, g) + variance);
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
        e->dof = cf_effective_dof(fit, g);
        half = cf_half_width(fit, g, 0);
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
        double half = cf_half_width(fit, c->power, 0);
        fit->combination[i] = (struct cf_interval){
            .known = true,
            .low = c->product ? c->value * exp(-half) : c->value - half,
            .high = c->product ? c->value * exp(half) : c->value + half,
        };
    }
}
