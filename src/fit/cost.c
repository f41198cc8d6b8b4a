/* Sigmas and the likelihood. */

#include <gsl/gsl_math.h>
#include <math.h>
#include <stdlib.h>

#include "fit/rank.h"
#include "fit/solve.h"

void cf_sigma_reset(struct cf_problem *problem)
{
    for (size_t i = 0; i < problem->nchannel; i++) {
        struct cf_channel *c = &problem->channel[i];
        if (c->estimated)
            c->sigma = 0;
        c->dof = (double) c->n;
    }
    for (size_t i = 0; i < problem->nobservation; i++) {
        struct cf_channel *c = &problem->channel[problem->observation[i].channel];
        if (c->estimated)
            c->sigma = fmax(c->sigma, 0.1 * fabs(problem->observation[i].value));
    }
    for (size_t i = 0; i < problem->nobservation; i++) {
        struct cf_observation *o = &problem->observation[i];
        const struct cf_channel *c = &problem->channel[o->channel];
        o->sigma = c->estimated ? fmax(c->sigma, c->floor) : o->sigma0;
    }
}

static double effective_sigma(const struct cf_problem *q, const struct cf_observation *o,
                              double by_imposed)
{
    const struct cf_dataset *d = &q->spec->data[o->data];
    size_t imposed = d->protocol->imposed(d, o->row);
    return hypot(o->sigma0, by_imposed * cf_dataset_sigma(d, o->row, imposed));
}

/* Sum of squares of each estimated channel [SI^2], and its degrees of freedom. */
static int channel_sums(struct cf_problem *q, const double y[], const double J[], double sum[],
                        struct cf_error *err)
{
    double *hat = calloc(q->nresidual, sizeof *hat);
    struct cf_rank rank;
    int status = hat ? cf_rank_analyse(J, q->nresidual, q->nfree, cf_rank_noise, &rank, hat, err)
                     : cf_fail(err, CF_ENOMEM, "no memory for %zu leverages", q->nresidual);

    for (size_t i = 0; i < q->nchannel && !status; i++) {
        q->channel[i].dof = 0;
        sum[i] = 0;
    }
    for (size_t i = 0; i < q->nobservation && !status; i++) {
        const struct cf_observation *o = &q->observation[i];
        q->channel[o->channel].dof += o->weight - hat[i];
        sum[o->channel] += o->weight * gsl_pow_2(o->value - y[i]);
    }
    free(hat);
    return status;
}

static void put_sigmas(struct cf_problem *q, const double by_imposed[], const double sum[],
                       double *change)
{
    *change = 0;
    for (size_t i = 0; i < q->nchannel; i++) {
        struct cf_channel *c = &q->channel[i];
        /* a channel that the parameters can follow wholly tells nothing about its scatter */
        if (c->estimated)
            c->sigma = fmax(c->floor, sqrt(sum[i] / fmax(c->dof, 0.5)));
    }
    for (size_t i = 0; i < q->nobservation; i++) {
        struct cf_observation *o = &q->observation[i];
        const struct cf_channel *c = &q->channel[o->channel];
        double sigma = c->estimated ? c->sigma : effective_sigma(q, o, by_imposed[i]);
        *change = fmax(*change, fabs(sigma / o->sigma - 1));
        o->sigma = sigma;
    }
}

int cf_sigma_update(struct cf_problem *problem, const double theta[], double *change,
                    struct cf_error *err)
{
    size_t n = problem->nobservation, p = problem->nfree, m = problem->nresidual;
    double *work = calloc(2 * n + m + m * p + problem->nchannel + 1, sizeof *work);
    double *y = work, *by_imposed = y + n, *r = by_imposed + n, *J = r + m, *sum = J + m * p;
    int status;

    if (!work)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu residuals", m);
    status = cf_problem_predict(problem, theta, y, J, by_imposed, err);
    if (!status)
        status = cf_problem_residuals(problem, theta, r, J, err);
    if (!status)
        status = channel_sums(problem, y, J, sum, err);
    if (!status)
        put_sigmas(problem, by_imposed, sum, change);
    free(work);
    return status;
}

int cf_cost(const struct cf_problem *problem, const double theta[], double *cost,
            struct cf_error *err)
{
    size_t n = problem->nobservation;
    double *work = calloc(problem->nresidual + 2 * problem->nchannel + 1, sizeof *work);
    double *r = work, *sum = r + problem->nresidual, *count = sum + problem->nchannel, total = 0;
    int status = work ? cf_problem_residuals(problem, theta, r, NULL, err)
                      : cf_fail(err, CF_ENOMEM, "no memory for %zu residuals", n);

    for (size_t i = 0; i < n && !status; i++) {
        const struct cf_observation *o = &problem->observation[i];
        count[o->channel] += o->weight;
        if (problem->channel[o->channel].estimated)
            sum[o->channel] += gsl_pow_2(r[i] * o->sigma);
        else
            total += r[i] * r[i] + o->weight * log(2 * M_PI * o->sigma * o->sigma);
    }
    for (size_t i = 0; i < problem->nchannel && !status; i++) {
        const struct cf_channel *c = &problem->channel[i];
        double nc = count[i], least = nc * c->floor * c->floor;
        if (c->estimated && nc > 0)
            total += nc * (log(2 * M_PI * fmax(sum[i], least) / nc) + 1);
    }
    for (size_t i = n; i < problem->nresidual && !status; i++)
        total += r[i] * r[i];
    free(work);
    *cost = status ? (double) NAN : total;
    return status;
}
