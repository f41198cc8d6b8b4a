/* Sigmas and the likelihood. */

#include <gsl/gsl_math.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/carried.h"
#include "estimate/effects.h"
#include "estimate/leverage.h"
#include "estimate/own_settle.h"
#include "estimate/own_values.h"
#include "estimate/records.h"
#include "estimate/reml.h"
#include "estimate/shared_error.h"
#include "estimate/solve.h"

void cf_channel_begin(struct cf_problem *problem, size_t channel)
{
    struct cf_channel *c = &problem->channel[channel];
    double squares = 0, n = 0;

    if (!c->estimated || cf_channel_is_plain(c))
        return;
    for (size_t i = 0; i < problem->nobservation; i++)
        if (problem->observation[i].channel == channel) {
            squares += cf_channel_growth(c, problem->observation[i].abscissa);
            n++;
        }
    c->base2 = c->model == CF_SIGMA_BOTH       ? gsl_pow_2(c->sigma) / 2
               : c->model == CF_SIGMA_CONSTANT ? gsl_pow_2(c->sigma)
                                               : 0;
    c->slope2 = c->model == CF_SIGMA_CONSTANT ? 0 : (gsl_pow_2(c->sigma) - c->base2) * n / squares;
    for (size_t i = 0; i < problem->nobservation; i++) {
        struct cf_observation *o = &problem->observation[i];
        o->sigma = o->channel == channel ? cf_channel_sigma(c, o) : o->sigma;
    }
}

void cf_sigma_reset(struct cf_problem *problem)
{
    for (size_t i = 0; i < problem->neffect; i++) {
        problem->effect[i].variance = 0;
        problem->effect[i].loaded = false;
    }
    cf_own_forget(problem);
    for (size_t i = 0; i < problem->nrecord; i++)
        problem->record[i].variance = 0;
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
        o->carried = 0;
        o->shared = 0;
    }
    for (size_t i = 0; i < problem->nchannel; i++) {
        problem->channel[i].covariance = 0;
        cf_channel_begin(problem, i);
    }
}

/* Is an error of an imposed quantity carried over to this observation? A plain estimate holds it.
 */
static bool carries(const struct cf_problem *q, const struct cf_observation *o)
{
    const struct cf_channel *c = &q->channel[o->channel];
    return !c->estimated || c->carries;
}

static bool any_carried(const struct cf_problem *q)
{
    for (size_t i = 0; i < q->nobservation; i++)
        if (carries(q, &q->observation[i]) && cf_carried_sigma(q, &q->observation[i], 1) != 0)
            return true;
    return false;
}

/* Degrees of freedom of the channels. */
static int put_dof(struct cf_problem *q, const struct cf_fold *fold, const struct cf_rank *rank,
                   struct cf_error *err)
{
    double *share = calloc(q->nchannel + 1, sizeof *share);
    int status = share ? cf_channel_leverages(q, fold, rank, share, err)
                       : cf_fail(err, CF_ENOMEM, "no memory for %zu leverages", q->nchannel);

    for (size_t c = 0; c < q->nchannel && !status; c++)
        q->channel[c].dof = -share[c];
    for (size_t i = 0; i < q->nobservation && !status; i++)
        q->channel[q->observation[i].channel].dof += q->observation[i].weight;
    free(share);
    return status;
}

/* Sum of squares of each estimated channel [SI^2]; y[] predicted. */
static void channel_sums(const struct cf_problem *q, const double y[], double sum[])
{
    for (size_t i = 0; i < q->nobservation; i++) {
        const struct cf_observation *o = &q->observation[i];
        sum[o->channel] += o->weight * cf_loss_spread(&q->loss, (o->value - y[i]) / o->sigma) *
                           gsl_pow_2(o->value - y[i]);
    }
}

static void put_sigmas(struct cf_problem *q, const double by_imposed[], const double sum[],
                       double *change)
{
    *change = 0;
    for (size_t i = 0; i < q->nchannel; i++) {
        struct cf_channel *c = &q->channel[i];
        /* a channel that the parameters can fit exactly gives no information on its scatter */
        if (c->estimated && !cf_uses_reml(q))
            c->sigma = fmax(c->floor, sqrt(sum[i] / fmax(c->dof, 0.5)));
    }
    for (size_t i = 0; i < q->nobservation; i++) {
        struct cf_observation *o = &q->observation[i];
        const struct cf_channel *c = &q->channel[o->channel];
        double sigma = o->sigma, before = o->carried;
        o->carried = carries(q, o) ? cf_carried_sigma(q, o, by_imposed[i]) : 0;
        if (c->estimated && cf_uses_reml(q)) { /* the rest is done where variances are put */
            *change = fmax(*change, fabs(o->carried - before) / o->sigma);
            continue;
        }
        o->sigma = c->estimated ? c->sigma : hypot(o->sigma0, o->carried);
        *change = fmax(*change, fabs(o->sigma / sigma - 1));
        /* a robust loss takes its observations one by one */
        o->shared = q->loss.kind == CF_LOSS_SQUARES ? o->carried / o->sigma : 0;
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

int cf_sigma_update_folded(struct cf_problem *problem, const double theta[],
                           const struct cf_fold *fold, double *change, struct cf_error *err)
{
    size_t n = problem->nobservation;
    double *work = calloc(2 * n + problem->nchannel + 1, sizeof *work);
    double *y = work, *by_imposed = y + n, *sum = by_imposed + n;
    struct cf_problem at = *problem;
    struct cf_rank rank = {0};
    double moved;
    int status;

    if (!work)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu residuals", n);
    at.local = fold->local;
    status = cf_problem_predict(&at, theta, y,
                                problem->nrecord || any_carried(problem) ? by_imposed : NULL, err);
    if (!status)
        status = cf_rank_within_bounds(problem, theta, fold, &rank, err);
    if (!status)
        status = put_dof(problem, fold, &rank, err);
    if (!status) {
        channel_sums(problem, y, sum);
        put_sigmas(problem, by_imposed, sum, change);
        cf_records_link(problem, y, by_imposed);
        status = cf_own_begin(problem, theta, change, err);
    }
    if (!status && cf_uses_reml(problem)) {
        status = cf_reml_update(problem, theta, &rank, &moved, err);
        *change = fmax(*change, moved);
    }
    if (!status)
        status = cf_own_settle(problem, theta, change, err);
    if (!status && problem->loss.kind != CF_LOSS_SQUARES)
        put_weights(problem, y, change);
    cf_rank_clear(&rank);
    free(work);
    return status;
}

int cf_sigma_update(struct cf_problem *problem, const double theta[], double *change,
                    struct cf_error *err)
{
    struct cf_fold fold;
    int status = cf_fold_alloc(&fold, problem, err);

    if (!status)
        status = cf_problem_fold(problem, theta, &fold, err);
    if (!status) {
        memcpy(problem->local, fold.local, problem->nlocal * sizeof *fold.local);
        status = cf_sigma_update_folded(problem, theta, &fold, change, err);
    }
    cf_fold_clear(&fold);
    return status;
}

/* -2 ln L of the observations; raw[n] are measured - predicted; z[n] is spare. */
static double likelihood_cost(const struct cf_problem *q, const double raw[], double z[],
                              double sum[], double count[])
{
    double total = cf_shared_log_det(q);

    for (size_t i = 0; i < q->nobservation; i++)
        z[i] = raw[i] / q->observation[i].sigma;
    cf_shared_whiten(q->observation, q->nobservation, z);
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

/* What the priors of the unknowns and of the locals add. */
static double prior_cost(const struct cf_problem *q, const double theta[], const double local[])
{
    double total = 0;

    for (size_t j = 0; j < q->nfree; j++)
        if (q->unknown[j].has_prior)
            total += gsl_pow_2((q->unknown[j].prior - theta[j]) / q->unknown[j].prior_sigma);
    for (size_t p = 0; p < q->npart && q->nlocal; p++) {
        const struct cf_set *set = &q->set[q->part[p].data];
        for (size_t j = 0; j < set->nlocal; j++)
            if (set->local[j].has_prior)
                total += gsl_pow_2((set->local[j].prior - local[q->part[p].local + j]) /
                                   set->local[j].prior_sigma);
    }
    return total;
}

/* The locals' best at theta, in local[nlocal]. */
static int settle(const struct cf_problem *q, const double theta[], double local[],
                  struct cf_error *err)
{
    struct cf_fold fold;
    int status = cf_fold_alloc(&fold, q, err);

    if (!status)
        status = cf_problem_fold(q, theta, &fold, err);
    if (!status)
        memcpy(local, fold.local, q->nlocal * sizeof *local);
    cf_fold_clear(&fold);
    return status;
}

int cf_cost(const struct cf_problem *problem, const double theta[], double *cost,
            struct cf_error *err)
{
    size_t n = problem->nobservation, nchannel = problem->nchannel;
    double *work = calloc(3 * n + 2 * nchannel + problem->nlocal + 1, sizeof *work), total = 0;
    double *raw = work, *spare = raw + n, *sum = spare + 2 * n;
    struct cf_problem at = *problem;
    int status = work ? CF_OK : cf_fail(err, CF_ENOMEM, "no memory for %zu residuals", n);

    at.local = work ? sum + 2 * nchannel : NULL;
    if (!status && problem->nlocal)
        status = settle(problem, theta, at.local, err);
    if (!status)
        status = cf_problem_predict(&at, theta, raw, NULL, err);
    for (size_t i = 0; i < n && !status; i++)
        raw[i] = problem->observation[i].value - raw[i];
    if (!status && cf_uses_reml(problem))
        status = cf_ml_cost(problem, raw, &total, err);
    else if (!status)
        total = likelihood_cost(problem, raw, spare, sum, sum + nchannel);
    for (size_t i = 0; i < nchannel && !status && problem->loss.kind != CF_LOSS_SQUARES; i++)
        if (problem->channel[i].estimated)
            total += robust_channel_cost(problem, i, raw, spare, spare + n);
    if (!status)
        total += prior_cost(problem, theta, at.local);
    free(work);
    *cost = status ? (double) NAN : total;
    return status;
}
