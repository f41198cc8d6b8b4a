/* Sigmas and the likelihood. */

#include <gsl/gsl_math.h>
#include <math.h>
#include <stdlib.h>

#include "estimate/rank.h"
#include "estimate/shared_error.h"
#include "estimate/solve.h"

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
        o->robust = 1;
        o->shared = 0;
    }
}

/* The sigma of the imposed quantity, carried over to an observation. */
static double carried_sigma(const struct cf_problem *q, const struct cf_observation *o,
                            double by_imposed)
{
    const struct cf_dataset *d = &q->spec->data[o->data];
    return by_imposed * cf_dataset_sigma(d, o->row, d->protocol->imposed(d, o->row));
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
        sum[o->channel] += o->weight * cf_loss_spread(&q->loss, (o->value - y[i]) / o->sigma) *
                           gsl_pow_2(o->value - y[i]);
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
        /* a channel that the parameters can fit exactly gives no information on its scatter */
        if (c->estimated)
            c->sigma = fmax(c->floor, sqrt(sum[i] / fmax(c->dof, 0.5)));
    }
    for (size_t i = 0; i < q->nobservation; i++) {
        struct cf_observation *o = &q->observation[i];
        const struct cf_channel *c = &q->channel[o->channel];
        double carried = c->estimated ? 0 : carried_sigma(q, o, by_imposed[i]);
        double sigma = c->estimated ? c->sigma : hypot(o->sigma0, carried);
        /* a robust loss takes its observations one by one */
        double shared = q->loss.kind == CF_LOSS_SQUARES ? carried / sigma : 0;
        *change = fmax(*change, fabs(sigma / o->sigma - 1));
        o->sigma = sigma;
        o->shared = shared;
    }
}

/* The weights of the loss at the current sigmas. */
static void put_weights(struct cf_problem *q, const double y[], double *change)
{
    double full = cf_loss_weight(&q->loss, 0);

    for (size_t i = 0; i < q->nobservation; i++) {
        struct cf_observation *o = &q->observation[i];
        double weight = cf_loss_weight(&q->loss, (o->value - y[i]) / o->sigma);
        *change = fmax(*change, fabs(weight - o->robust) / full);
        o->robust = weight;
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
    if (!status && problem->loss.kind != CF_LOSS_SQUARES)
        put_weights(problem, y, change);
    free(work);
    return status;
}

/* -2 ln L of the observations; raw[n] are measured - predicted; z[n] is spare. */
static double likelihood_cost(const struct cf_problem *q, const double raw[], double z[],
                              double sum[], double count[])
{
    double total = cf_shared_log_det(q);

    for (size_t i = 0; i < q->nobservation; i++)
        z[i] = raw[i] / q->observation[i].sigma;
    cf_shared_whiten(q, z, 1);
    for (size_t i = 0; i < q->nobservation; i++) {
        const struct cf_observation *o = &q->observation[i];
        count[o->channel] += o->weight;
        if (q->channel[o->channel].estimated)
            sum[o->channel] += o->weight * gsl_pow_2(raw[i]);
        else
            total +=
                o->weight * (cf_loss_rho(&q->loss, z[i]) + q->loss.constant + 2 * log(o->sigma));
    }
    for (size_t i = 0; i < q->nchannel; i++) {
        const struct cf_channel *c = &q->channel[i];
        double nc = count[i], least = nc * c->floor * c->floor;
        if (c->estimated && nc > 0 && q->loss.kind == CF_LOSS_SQUARES)
            total += nc * (log(2 * M_PI * fmax(sum[i], least) / nc) + 1);
    }
    return total;
}

/* The share of one estimated channel under a robust loss; r and count are spare, n each. */
static double robust_channel_cost(const struct cf_problem *q, size_t channel, const double raw[],
                                  double r[], double count[])
{
    double sigma, total = 0;
    size_t n = 0;

    for (size_t i = 0; i < q->nobservation; i++)
        if (q->observation[i].channel == channel && q->observation[i].weight > 0) {
            r[n] = raw[i];
            count[n++] = q->observation[i].weight;
        }
    sigma = cf_loss_sigma(&q->loss, r, count, n, q->channel[channel].floor);
    for (size_t i = 0; i < n; i++)
        total +=
            count[i] * (cf_loss_rho(&q->loss, r[i] / sigma) + q->loss.constant + 2 * log(sigma));
    return total;
}

int cf_cost(const struct cf_problem *problem, const double theta[], double *cost,
            struct cf_error *err)
{
    size_t n = problem->nobservation, nchannel = problem->nchannel;
    double *work = calloc(3 * n + 2 * nchannel + 1, sizeof *work), total = 0;
    double *raw = work, *spare = raw + n, *sum = spare + 2 * n;
    int status = work ? cf_problem_predict(problem, theta, raw, NULL, NULL, err)
                      : cf_fail(err, CF_ENOMEM, "no memory for %zu residuals", n);

    for (size_t i = 0; i < n && !status; i++)
        raw[i] = problem->observation[i].value - raw[i];
    if (!status)
        total = likelihood_cost(problem, raw, spare, sum, sum + nchannel);
    for (size_t i = 0; i < nchannel && !status && problem->loss.kind != CF_LOSS_SQUARES; i++)
        if (problem->channel[i].estimated)
            total += robust_channel_cost(problem, i, raw, spare, spare + n);
    for (size_t j = 0; j < problem->nfree && !status; j++) {
        const struct cf_unknown *w = &problem->unknown[j];
        if (w->has_prior)
            total += gsl_pow_2((w->prior - theta[j]) / w->prior_sigma);
    }
    free(work);
    *cost = status ? (double) NAN : total;
    return status;
}
