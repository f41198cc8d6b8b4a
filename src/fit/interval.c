#include "fit/interval.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_math.h>
#include <math.h>
#include <stdlib.h>

double cf_t_quantile(double level, double dof)
{
    double p = (1 + level) / 2;
    return isinf(dof) ? gsl_cdf_ugaussian_Pinv(p) : gsl_cdf_tdist_Pinv(p, dof);
}

double cf_linear_variance(const struct cf_rank *rank, const double g[])
{
    double sum = 0;
    for (size_t a = 0; a < rank->n; a++)
        for (size_t b = 0; b < rank->n; b++)
            sum += g[a] * rank->covariance[a][b] * g[b];
    return sum;
}

/* With residuals of unit variance theta = C J^T r, so an observation's share in the variance of
 * g.theta is (g C J_i)^2. */
double cf_effective_dof(const struct cf_problem *problem, const struct cf_rank *rank,
                        const double J[], const double g[])
{
    size_t n = problem->nfree;
    double total = 0, denominator = 0, gc[CF_MAX_PARAM] = {0};

    for (size_t a = 0; a < n; a++)
        for (size_t b = 0; b < n; b++)
            gc[a] += g[b] * rank->covariance[b][a];
    for (size_t c = 0; c < problem->nchannel; c++) {
        double share = 0;
        for (size_t i = 0; i < problem->nobservation; i++) {
            double sum = 0;
            for (size_t a = 0; a < n && problem->observation[i].channel == c; a++)
                sum += gc[a] * J[i * n + a];
            share += sum * sum;
        }
        total += share;
        if (problem->channel[c].estimated)
            denominator += share * share / fmax(problem->channel[c].dof, 0.5);
    }
    for (size_t i = problem->nobservation; i < problem->nresidual; i++)
        for (size_t a = 0; a < n; a++)
            total += gsl_pow_2(gc[a] * J[i * n + a]);
    return denominator > 0 ? total * total / denominator : (double) INFINITY;
}

static void wald_one(struct cf_fit *fit, const double J[], size_t i)
{
    const struct cf_walk *w = &fit->problem.walk[i];
    struct cf_estimate *e = &fit->estimate[i];
    double g[CF_MAX_PARAM] = {0}, half;

    g[i] = 1;
    e->standard_error = sqrt(cf_linear_variance(&fit->rank, g));
    e->dof = cf_effective_dof(&fit->problem, &fit->rank, J, g);
    half = cf_t_quantile(fit->problem.spec->options.level, e->dof) * e->standard_error;
    e->wald = (struct cf_interval){
        .known = true,
        .low = cf_walk_value(w, fit->theta[i] - half),
        .high = cf_walk_value(w, fit->theta[i] + half),
    };
}

int cf_wald(struct cf_fit *fit, struct cf_error *err)
{
    const struct cf_problem *q = &fit->problem;
    double *r = calloc(q->nresidual * (q->nfree + 1), sizeof *r), *J = r + q->nresidual;
    int status = r ? cf_problem_residuals(q, fit->theta, r, J, err)
                   : cf_fail(err, CF_ENOMEM, "no memory for %zu residuals", q->nresidual);

    for (size_t i = 0; i < q->nfree && !status; i++)
        if (!fit->rank.dead[i] && !fit->rank.flat[i])
            wald_one(fit, J, i);
    free(r);
    return status;
}
