#include "estimate/noise_model.h"

#include <float.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>

#include "estimate/evaluate.h"
#include "estimate/leverage.h"
#include "estimate/row_pairs.h"
#include "estimate/serial.h"

/* Fewer rows show neither. */
enum { LEAST_ROWS = 10 };

/* And what rises and falls with the axis is no noise at this level. */
static const double least_runs = 0.01;

/* Nor is it what lies off over a quarter of the range by so many sigmas of its mean: of four
 * quarters one does in 4 % of all studies. */
enum { QUARTERS = 4 };
static const double most_off = 2.6;

/* So many shares of a growing part are looked at. */
enum { SHARES = 63 };

/* And so many of the largest residuals may be bad rows. */
enum { LARGEST = 2 };
static const double without_largest = 0.05; /* the level that is left to pass */

/* Residuals r[n] of what is looked at, and what they are held against. */
struct look {
    size_t n;
    double *r, *x;
};

/* What is rounded away shows neither. Readings of records have a power of their own
 * (noise_power.c), and a dense trace a model of how its errors follow each other (serial_choose.h).
 */
static bool is_open(const struct cf_problem *q, size_t channel)
{
    const struct cf_channel *c = &q->channel[channel];
    return c->estimated && c->sigma > c->floor && !q->spec->data[c->data].protocol->recording &&
           !q->spec->data[c->data].series[c->column].dense && c->model == CF_SIGMA_CONSTANT &&
           !c->floored && q->spec->data[c->data].series[c->column].model == CF_SIGMA_CHOSEN;
}

/* Has it a sigma of several data sets, which is not rounded away? */
static bool may_part(const struct cf_problem *q, size_t channel)
{
    const struct cf_channel *c = &q->channel[channel];
    return c->estimated && c->sigma > c->floor && cf_channel_sets(q, channel) > 1;
}

/* r of a channel, and where on the axis. */
static void take_channel(const struct cf_problem *q, const double r[], size_t channel,
                         struct look *l)
{
    l->n = 0;
    for (size_t i = 0; i < q->nobservation; i++)
        if (q->observation[i].channel == channel) {
            l->r[l->n] = r[i];
            l->x[l->n++] = q->observation[i].abscissa;
        }
}

/* ln L of residuals with variances in proportion to 1 - share + share x^2/mean(x^2), at the best
 * size of them. */
static double likelihood(const struct look *l, double mean_square, double share)
{
    double squares = 0, logs = 0, n = (double) l->n;

    for (size_t i = 0; i < l->n; i++) {
        double w = 1 - share + share * l->x[i] * l->x[i] / mean_square;
        squares += l->r[i] * l->r[i] / w;
        logs += log(w);
    }
    return -(n * log(squares / n) + logs) / 2;
}

/* Is it likelier that the variance has a part that grows with x^2? Its share is at the end of its
 * range where there is none: half of the ratios are 0, the others chi^2 on 1 degree of freedom. */
static bool has_growth(const struct look *l, double level)
{
    double mean_square = 0, best = -INFINITY, ratio;

    for (size_t i = 0; i < l->n; i++)
        mean_square += l->x[i] * l->x[i] / (double) l->n;
    for (int i = 1; i <= SHARES; i++)
        best = fmax(best, likelihood(l, mean_square, (double) i / (SHARES + 1)));
    ratio = 2 * (best - likelihood(l, mean_square, 0));
    return ratio > 0 && gsl_cdf_chisq_Q(ratio, 1) / 2 < level;
}

/* One or two bad rows at the end of the range are no scatter that grows: it must be there without
 * the largest residuals, too. */
static bool grows(struct look *l, double level)
{
    if (l->n < LEAST_ROWS || !has_growth(l, level))
        return false;
    for (int k = 0; k < LARGEST; k++) {
        size_t largest = 0;
        for (size_t i = 1; i < l->n; i++)
            largest = fabs(l->r[i]) > fabs(l->r[largest]) ? i : largest;
        l->n--;
        l->r[largest] = l->r[l->n];
        l->x[largest] = l->x[l->n];
    }
    return has_growth(l, without_largest);
}

/* Does no quarter of the range lie off as a whole? Sorted along the axis, in sigmas. */
static bool quarters_balance(const struct look *l)
{
    for (size_t k = 0; k < QUARTERS; k++) {
        size_t from = k * l->n / QUARTERS, to = (k + 1) * l->n / QUARTERS;
        double sum = 0;
        for (size_t i = from; i < to; i++)
            sum += l->r[i];
        if (fabs(sum) > most_off * sqrt((double) (to - from)))
            return false;
    }
    return true;
}

/* Residuals that follow each other in sign along the axis are no scatter but a law that fails, or
 * an onset, which a sigma that grows would hide: too few runs of sign, by the normal limit of A.
 * Wald and J. Wolfowitz. Sorts them along the axis. */
static bool is_scatter(struct look *l)
{
    double plus = 0, runs = 1, n = (double) l->n, mean, variance;

    gsl_sort2(l->x, 1, l->r, 1, l->n);
    for (size_t i = 0; i < l->n; i++) {
        plus += l->r[i] > 0;
        runs += i > 0 && (l->r[i] > 0) != (l->r[i - 1] > 0);
    }
    mean = 2 * plus * (n - plus) / n + 1;
    variance = (mean - 1) * (mean - 2) / (n - 1);
    if (n < LEAST_ROWS)
        return true;
    return variance > 0 && gsl_cdf_ugaussian_P((runs - mean) / sqrt(variance)) > least_runs &&
           quarters_balance(l);
}

/* The other measured channel of data sets that have two, both with an open sigma, where it stands
 * behind this one; CF_NO_CHANNEL. What is imposed, where its error is known, is all that a row's
 * columns share. */
static size_t other_of(const struct cf_problem *q, size_t channel)
{
    size_t other = CF_NO_CHANNEL, n = 0;

    for (size_t i = 0; i < q->nchannel; i++)
        if (i != channel && cf_channels_meet(q, i, channel)) {
            other = i > channel ? i : other;
            n++;
        }
    return n == 1 && other != CF_NO_CHANNEL && is_open(q, channel) && is_open(q, other) &&
                   !q->channel[channel].carries && !q->channel[other].carries
               ? other
               : CF_NO_CHANNEL;
}

static void choose(struct cf_problem *q, const double r[], struct look *l, bool grown[],
                   bool *changed)
{
    double looks = 0, level, rho, p;

    for (size_t c = 0; c < q->nchannel; c++)
        looks += (double) is_open(q, c) + (other_of(q, c) != CF_NO_CHANNEL);
    level = q->spec->options.p_reject / fmax(looks, 1);
    for (size_t c = 0; c < q->nchannel; c++) {
        if (!is_open(q, c))
            continue;
        take_channel(q, r, c, l);
        grown[c] = grows(l, level);
    }
    for (size_t c = 0; c < q->nchannel; c++) {
        size_t other = other_of(q, c);
        if (other == CF_NO_CHANNEL || grown[c] || grown[other])
            continue;
        l->n = cf_row_pairs(q, r, c, other, l->r, l->x);
        if (l->n >= LEAST_ROWS && cf_pair_correlation(l->r, l->x, l->n, &rho, &p) && p < level) {
            q->channel[c].partner = other;
            *changed = true;
        }
    }
    for (size_t c = 0; c < q->nchannel; c++)
        if (grown[c]) {
            q->channel[c].model = CF_SIGMA_BOTH;
            *changed = true;
        }
}

/* p of M. S. Bartlett's test (Proc. R. Soc. A 160, 1937, 268-282) that the data sets of a channel
 * scatter alike: each about a fit of its own, so that sets which disagree about a parameter are not
 * taken for such that scatter. 1: fewer than two can tell. */
static int compare_scatter(const struct cf_problem *q, const struct cf_fold *fold, size_t channel,
                           double *p, struct cf_error *err)
{
    double sum = 0, all = 0, logs = 0, inverses = 0, k = 0;
    int status = CF_OK;

    *p = 1;
    for (size_t d = 0; d < q->spec->ndata && !status; d++) {
        size_t rank, n = 0;
        double chi2;
        if (cf_channel_of(q, d, q->channel[channel].column) != channel)
            continue;
        for (size_t i = 0; i < q->nobservation; i++)
            n += q->observation[i].data == d && q->observation[i].channel == channel;
        status = cf_channel_alone(q, fold, channel, d, &rank, &chi2, err);
        if (status || n <= rank || !(chi2 > 0))
            continue;
        double dof = (double) (n - rank);
        sum += chi2;
        all += dof;
        logs += dof * log(chi2 / dof);
        inverses += 1 / dof;
        k++;
    }
    if (k < 2)
        return status;
    double M = all * log(sum / all) - logs, by = 1 + (inverses - 1 / all) / (3 * (k - 1));
    *p = gsl_cdf_chisq_Q(M / by, k - 1);
    return status;
}

int cf_noise_part(struct cf_problem *problem, const double theta[], bool *changed,
                  struct cf_error *err)
{
    const struct cf_problem *q = problem;
    size_t n = q->nchannel, looks = 0;
    struct cf_fold fold = {0};
    int status = CF_OK;

    *changed = false;
    for (size_t c = 0; c < n; c++)
        looks += may_part(q, c);
    if (!looks || q->loss.kind != CF_LOSS_SQUARES)
        return CF_OK;
    status = cf_fold_alloc(&fold, q, err);
    if (!status)
        status = cf_problem_fold(q, theta, &fold, err);
    for (size_t c = 0; c < n && !status; c++) {
        double p = 1;
        if (may_part(q, c))
            status = compare_scatter(q, &fold, c, &p, err);
        if (status || !(p < q->spec->options.p_reject / (double) looks))
            continue;
        cf_channel_part(problem, c, fmax(p, DBL_MIN));
        *changed = true;
    }
    cf_fold_clear(&fold);
    return status;
}

int cf_noise_choose(struct cf_problem *problem, const double theta[], bool *changed,
                    struct cf_error *err)
{
    const struct cf_problem *q = problem;
    size_t n = q->nobservation;
    double *r = NULL;
    bool *grown = NULL;
    int status = CF_OK;

    *changed = false;
    if (q->loss.kind != CF_LOSS_SQUARES || q->nlocal)
        return CF_OK;
    r = calloc(3 * n + q->nprior + 1, sizeof *r);
    grown = calloc(q->nchannel + 1, sizeof *grown);
    if (!r || !grown)
        status = cf_fail(err, CF_ENOMEM, "no memory for %zu residuals", n);
    if (!status)
        status = cf_problem_residuals(q, theta, r, NULL, err);
    if (!status) {
        struct look l = {.r = r + n + q->nprior};
        l.x = l.r + n;
        choose(problem, r, &l, grown, changed);
    }
    free(r);
    free(grown);
    return status;
}

void cf_noise_take(struct cf_problem *problem, const struct cf_problem *from, bool *changed)
{
    cf_serial_take(problem, from, changed);
    for (size_t i = 0; i < from->nchannel; i++) {
        const struct cf_channel *c = &from->channel[i];
        size_t to = cf_channel_of(problem, c->data, c->column), partner = CF_NO_CHANNEL;

        if (to == CF_NO_CHANNEL)
            continue;
        if (c->unequal > 0 && !(problem->channel[to].unequal > 0)) {
            cf_channel_part(problem, to, c->unequal);
            *changed = true;
        }
        if (c->partner != CF_NO_CHANNEL)
            partner = cf_channel_of(problem, c->data, from->channel[c->partner].column);
        *changed = *changed || problem->channel[to].model != c->model ||
                   problem->channel[to].exponent != c->exponent ||
                   problem->channel[to].partner != partner;
        problem->channel[to].model = c->model;
        problem->channel[to].exponent = c->exponent;
        problem->channel[to].partner = partner;
    }
}

int cf_noise_refit(struct cf_solver *solver, struct cf_problem *problem, struct cf_solution *best,
                   struct cf_error *err)
{
    const double fine_sigma = 1e-9; /* as the search for the best of all starts ends */
    int status;

    for (size_t i = 0; i < problem->nchannel; i++)
        cf_channel_begin(problem, i);
    status = cf_polish(solver, problem, NULL, fine_sigma, best, err);
    best->excess = 0;
    return status;
}

int cf_noise_is_scatter(const struct cf_problem *problem, const double theta[], bool *is,
                        struct cf_error *err)
{
    const struct cf_problem *q = problem;
    size_t n = q->nobservation;
    double *r = calloc(3 * n + q->nprior + 1, sizeof *r);
    int status = r ? cf_problem_residuals(q, theta, r, NULL, err)
                   : cf_fail(err, CF_ENOMEM, "no memory for %zu residuals", n);

    *is = true;
    for (size_t c = 0; c < q->nchannel && !status; c++) {
        struct look l = {.r = r + n + q->nprior, .x = r + 2 * n + q->nprior};
        if (q->channel[c].model == CF_SIGMA_CONSTANT && q->channel[c].partner == CF_NO_CHANNEL)
            continue;
        take_channel(q, r, c, &l);
        *is = *is && is_scatter(&l);
    }
    free(r);
    return status;
}
