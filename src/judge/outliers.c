#include "judge/outliers.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_math.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/leave_one_out.h"
#include "judge/residual_tests.h"
#include "judge/verdict.h"

const double cf_outlier_level = 0.01;

/* The residuals without a row must pass for scatter at this level: see outliers.h. */
static const double scatter_level = 0.05;

/* A row of this leverage determines a parameter alone: it cannot be tested. */
static const double all_its_own = 1 - 1e-9;

/* Statistics of the rows, nobservation each. */
struct rows {
    size_t n;
    double *hat, *t, *p, *cook; /* allocated as one */
    size_t *order;              /* by p */
};

static void rows_free(struct rows *r)
{
    free(r->hat);
    free(r->order);
}

static int rows_make(const struct cf_fit *fit, struct rows *r, struct cf_error *err)
{
    const struct cf_problem *q = &fit->optimum.problem;
    size_t n = q->nobservation;
    struct cf_rank rank;

    *r = (struct rows){.n = n,
                       .hat = calloc(4 * n + q->nresidual + 1, sizeof *r->hat),
                       .order = calloc(n + 1, sizeof *r->order)};
    if (!r->hat || !r->order)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu leverages", n);
    r->t = r->hat + q->nresidual;
    r->p = r->t + n;
    r->cook = r->p + n;
    return cf_rank_analyse(fit->optimum.jacobian, q->nresidual, q->nfree, cf_rank_noise, &rank,
                           r->hat, err);
}

/* The prediction error of a row that the fit did not see, and of one that it saw. */
static double missed(const struct cf_fit *fit, size_t i, double hat)
{
    const struct cf_observation *o = &fit->optimum.problem.observation[i];
    double seen = o->value - fit->predicted[i].value;
    return isnan(fit->left_out[i]) ? seen / (1 - hat) : o->value - fit->left_out[i];
}

/* Weighted sum of squares of a channel in sigmas. */
static double channel_chi2(const struct cf_fit *fit, size_t channel)
{
    double sum = 0;
    for (size_t i = 0; i < fit->optimum.problem.nobservation; i++) {
        const struct cf_observation *o = &fit->optimum.problem.observation[i];
        if (o->channel == channel)
            sum += o->weight * gsl_pow_2((o->value - fit->predicted[i].value) / o->sigma);
    }
    return sum;
}

static double two_sided(double t, double dof)
{
    return 2 * (isinf(dof) ? gsl_cdf_ugaussian_Q(fabs(t)) : gsl_cdf_tdist_Q(fabs(t), dof));
}

/* t and p of row i; p is 1 where too few rows are left to test. */
static void studentise(const struct cf_fit *fit, const double chi2[], size_t i, struct rows *r)
{
    const struct cf_problem *q = &fit->optimum.problem;
    const struct cf_observation *o = &q->observation[i];
    const struct cf_channel *c = &q->channel[o->channel];
    bool robust = q->loss.kind != CF_LOSS_SQUARES;

    r->p[i] = 1;
    if (!(r->hat[i] < all_its_own) || !(o->weight > 0))
        return;
    double miss = missed(fit, i, r->hat[i]) / o->sigma;
    double seen = (o->value - fit->predicted[i].value) / o->sigma;
    double z = miss * sqrt(1 - r->hat[i]), dof = c->dof - 1;
    double rest = fmax(chi2[o->channel] - seen * miss, 0), t = z * sqrt(dof / rest);

    r->t[i] = z;
    r->p[i] = c->estimated && !robust ? 1 : two_sided(z, robust ? fmax(dof, 1) : (double) INFINITY);
    r->cook[i] = gsl_pow_2(seen / (1 - r->hat[i])) * r->hat[i] / (double) fit->optimum.rank.rank /
                 fmax(1, chi2[o->channel] / fmax(c->dof, 0.5));
    if (robust || !(dof >= 1) || (rest == 0 && seen == 0))
        return;
    if (c->estimated || two_sided(t, dof) > r->p[i]) {
        r->t[i] = t;
        r->p[i] = two_sided(t, dof);
    }
}

/* Are the residuals systematic, apart from their size? */
static bool systematic(const struct cf_fit *fit)
{
    for (size_t i = 0; i < fit->ntest; i++)
        if (fit->test[i].rejects && strcmp(fit->test[i].name, "chi-square") != 0)
            return true;
    return cf_left_behind(fit) != NULL;
}

/* Do residuals r[n] at speed[n] pass for scatter? Both are sorted by speed here. */
static bool passes(double speed[], double r[], size_t n, double work[])
{
    size_t plus = 0, runs = 1;
    double rho, t;

    if (n < 4)
        return true;
    gsl_sort2(speed, 1, r, 1, n);
    for (size_t i = 0; i < n; i++) {
        plus += r[i] > 0;
        runs += i > 0 && (r[i] > 0) != (r[i - 1] > 0);
    }
    if (plus == 0 || plus == n || cf_runs_probability(plus, n - plus, runs) < scatter_level)
        return false;
    rho = gsl_stats_spearman(speed, 1, r, 1, n, work);
    if (!isfinite(rho))
        return true; /* one speed only */
    t = rho * sqrt((double) (n - 2) / (1 - rho * rho));
    return two_sided(t, (double) (n - 2)) >= scatter_level;
}

/* Is row i's channel mere scatter once the law is fitted without that row? */
static int clean_without(const struct cf_fit *fit, size_t i, bool *clean, struct cf_error *err)
{
    const struct cf_problem *q = &fit->optimum.problem;
    size_t n = q->nobservation, m = 0;
    double theta[CF_MAX_PARAM], left, *y = calloc(5 * n + 1, sizeof *y);
    double *speed = y + n, *r = speed + n, *work = r + n;
    int status = y ? CF_OK : cf_fail(err, CF_ENOMEM, "no memory for %zu residuals", n);

    memcpy(theta, fit->optimum.theta, sizeof theta);
    if (!status)
        status = cf_leave_one(q, i, theta, &left, err);
    if (!status)
        status = cf_problem_predict(q, theta, y, NULL, NULL, err);
    for (size_t k = 0; k < n && !status; k++)
        if (k != i && q->observation[k].channel == q->observation[i].channel) {
            speed[m] = q->observation[k].abscissa;
            r[m++] = (q->observation[k].value - y[k]) / q->observation[k].sigma;
        }
    *clean = !status && passes(speed, r, m, work);
    free(y);
    return status;
}

static void describe(const struct cf_fit *fit, struct cf_outlier *x)
{
    const struct cf_observation *o = &fit->optimum.problem.observation[x->observation];
    const struct cf_dataset *d = &fit->optimum.problem.spec->data[o->data];
    const struct cf_channel_row *c = &d->protocol->channel[o->column];
    bool bare = strcmp(c->unit, "1") == 0;
    char row[180];

    snprintf(row, sizeof row, "%s, line %zu: %s %.4g%s%s at %.4g %s", d->name, d->line[o->row],
             c->name, o->value, bare ? "" : " ", bare ? "" : c->unit, o->abscissa,
             d->protocol->axis.unit);
    if (x->outlier)
        snprintf(x->text, sizeof x->text, "%s lies %.1f sigma off (p = %.1g)", row,
                 fabs(x->studentized), x->p_adjusted);
    else
        snprintf(x->text, sizeof x->text,
                 "%s decides the result: without it the parameters move beyond the middle of "
                 "their confidence region (Cook's distance %.2g)",
                 row, x->cook);
}

static void name(struct cf_fit *fit, const struct rows *r, size_t i, bool outlier, double p)
{
    struct cf_outlier *x = &fit->outlier[fit->noutlier];

    if (fit->noutlier == CF_MAX_OUTLIER)
        return;
    *x = (struct cf_outlier){.observation = i,
                             .outlier = outlier,
                             .studentized = r->t[i],
                             .p_adjusted = p,
                             .cook = r->cook[i]};
    describe(fit, x);
    fit->noutlier++;
}

/* Holm over all rows, and then the influential ones among the rest. */
static int name_rows(struct cf_fit *fit, const struct rows *r, struct cf_error *err)
{
    bool doubtful = systematic(fit);
    double least = 0, left = (double) r->n - (double) fit->optimum.rank.rank;
    double middle = left > 0 && fit->optimum.rank.rank
                        ? gsl_cdf_fdist_Pinv(0.5, (double) fit->optimum.rank.rank, left)
                        : (double) INFINITY;
    size_t noutlier = 0;

    gsl_sort_index(r->order, r->p, 1, r->n);
    for (size_t k = 0; k < r->n; k++) {
        size_t i = r->order[k];
        bool clean = true;
        least = cf_holm(least, r->n - k, r->p[i]);
        if (!(least < cf_outlier_level))
            break;
        int status = doubtful ? clean_without(fit, i, &clean, err) : CF_OK;
        if (status)
            return status;
        if (clean) {
            name(fit, r, i, true, least);
            noutlier++;
        }
    }
    for (size_t i = 0; i < r->n; i++) {
        bool named = false;
        for (size_t k = 0; k < noutlier && k < fit->noutlier; k++)
            named = named || fit->outlier[k].observation == i;
        if (!named && r->cook[i] > middle)
            name(fit, r, i, false, fmin(1, (double) r->n * r->p[i]));
    }
    return CF_OK;
}

static int leave_out(struct cf_fit *fit, struct cf_error *err)
{
    const struct cf_problem *q = &fit->optimum.problem;
    double sum = 0;
    int status;

    fit->left_out = calloc(q->nobservation + 1, sizeof *fit->left_out);
    if (!fit->left_out)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu refits", q->nobservation);
    status = cf_leave_one_out(q, fit->optimum.theta, fit->left_out, err);
    for (size_t i = 0; i < q->nobservation && !status; i++)
        if (!isnan(fit->left_out[i])) {
            const struct cf_observation *o = &q->observation[i];
            sum += gsl_pow_2((o->value - fit->left_out[i]) / o->sigma);
            fit->nleft_out++;
        }
    fit->loo_rms_sigma = fit->nleft_out ? sqrt(sum / (double) fit->nleft_out) : (double) NAN;
    return status;
}

int cf_outliers(struct cf_fit *fit, struct cf_error *err)
{
    const struct cf_problem *q = &fit->optimum.problem;
    double *chi2 = calloc(q->nchannel + 1, sizeof *chi2);
    struct rows r = {0};
    int status = chi2 ? leave_out(fit, err) : cf_fail(err, CF_ENOMEM, "no memory for the channels");

    if (!status && fit->nleft_out)
        status = rows_make(fit, &r, err);
    if (!status && fit->nleft_out) {
        for (size_t c = 0; c < q->nchannel; c++)
            chi2[c] = channel_chi2(fit, c);
        for (size_t i = 0; i < q->nobservation; i++)
            studentise(fit, chi2, i, &r);
        status = name_rows(fit, &r, err);
    }
    rows_free(&r);
    free(chi2);
    return status;
}
