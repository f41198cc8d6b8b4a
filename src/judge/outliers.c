#include "judge/outliers.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_math.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/list.h"
#include "core/text.h"
#include "estimate/clusters.h"
#include "estimate/effects.h"
#include "estimate/evaluate.h"
#include "estimate/leave_one_out.h"
#include "estimate/leverage.h"
#include "estimate/records.h"
#include "judge/comparison.h"
#include "judge/masked_outliers.h"
#include "judge/runs.h"

const double cf_outlier_level = 0.01;

/* The residuals without a row must pass for scatter at this level: see outliers.h. */
static const double scatter_level = 0.05;

/* A row of this leverage determines a parameter alone: it cannot be tested. */
static const double all_its_own = 1 - 1e-9;

/* Of a channel's sum of squares: what is left of it without a row is a difference, and below this
 * nothing but rounding, by which no row can be judged. */
static const double nothing_left = 1e-10;

/* Statistics of the rows, nobservation each. */
struct rows {
    size_t n;
    double *hat, *t, *p, *cook; /* allocated as one, as is: */
    double *seen;               /* residuals in sigmas, free of what rows share */
    double *dof;                /* nchannel: degrees of freedom of these */
    size_t *order;              /* by p */
    bool *named;                /* an outlier */
};

static void rows_free(struct rows *r)
{
    free(r->hat);
    free(r->order);
    free(r->named);
}

static int rows_make(const struct cf_fit *fit, struct rows *r, struct cf_error *err)
{
    const struct cf_problem *q = &fit->optimum.problem;
    size_t n = q->nobservation;
    int status;

    *r = (struct rows){.n = n,
                       .hat = calloc(5 * n + q->nprior + q->nchannel + 1, sizeof *r->hat),
                       .order = calloc(n + 1, sizeof *r->order),
                       .named = calloc(n + 1, sizeof *r->named)};
    if (!r->hat || !r->order || !r->named)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu leverages", n);
    r->t = r->hat + n;
    r->p = r->t + n;
    r->cook = r->p + n;
    r->dof = r->cook + n;
    r->seen = r->dof + q->nchannel;
    if (cf_shares_errors(q)) {
        status = cf_problem_residuals(q, fit->optimum.theta, r->seen, NULL, err);
        if (status)
            return status;
    }
    for (size_t i = 0; i < n && !cf_shares_errors(q); i++)
        r->seen[i] = (q->observation[i].value - fit->predicted[i].value) / q->observation[i].sigma;
    status =
        cf_leverages(q, fit->optimum.theta, &fit->optimum.fold, &fit->optimum.rank, r->hat, err);
    cf_residual_freedom(q, r->hat, r->dof);
    return status;
}

/* The prediction error of a row that the fit did not see, in sigmas. Groups are left out whole:
 * what a row alone is missed by follows from its leverage. */
static double missed(const struct cf_fit *fit, size_t i, const struct rows *r)
{
    const struct cf_problem *q = &fit->optimum.problem;
    const struct cf_observation *o = &q->observation[i];
    return isnan(fit->left_out[i]) || cf_shares_errors(q)
               ? r->seen[i] / (1 - r->hat[i])
               : (o->value - fit->left_out[i]) / o->sigma;
}

/* Weighted sums of squares of the channels in sigmas. */
static void add_chi2(const struct cf_fit *fit, const struct rows *r, double chi2[])
{
    for (size_t i = 0; i < fit->optimum.problem.nobservation; i++) {
        const struct cf_observation *o = &fit->optimum.problem.observation[i];
        chi2[o->channel] += o->weight * gsl_pow_2(r->seen[i]);
    }
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
    bool known = cf_channel_is_known(&q->channel[o->channel]);
    bool robust = q->loss.kind != CF_LOSS_SQUARES;

    r->p[i] = 1;
    if (!(r->hat[i] < all_its_own) || !(o->weight > 0))
        return;
    double miss = missed(fit, i, r), seen = r->seen[i], dof = r->dof[o->channel] - 1;
    /* of a law that is linear here seen/sqrt(1 - hat); where the fit without the row goes to
     * another branch, as touch behind a row that it began before, the row in the fit counts as well
     */
    double z = seen * miss > 0 ? GSL_SIGN(seen) * sqrt(seen * miss) : seen;
    double rest = fmax(chi2[o->channel] - seen * miss, 0), t = z * sqrt(dof / rest);

    r->t[i] = z;
    r->p[i] = !known && !robust ? 1 : two_sided(z, robust ? fmax(dof, 1) : (double) INFINITY);
    r->cook[i] = gsl_pow_2(seen / (1 - r->hat[i])) * r->hat[i] / (double) fit->optimum.rank.rank /
                 fmax(1, chi2[o->channel] / fmax(r->dof[o->channel], 0.5));
    if (robust || !(dof >= 1) || !(rest > nothing_left * chi2[o->channel]))
        return;
    if (!known || two_sided(t, dof) > r->p[i]) {
        r->t[i] = t;
        r->p[i] = two_sided(t, dof);
    }
}

/* Are the residuals systematic, apart from their size? */
static bool systematic(const struct cf_fit *fit)
{
    for (size_t i = 0; i < fit->tests.n; i++)
        if (fit->tests.item[i].rejects && fit->tests.item[i].accuses != CF_ACCUSES_SIGMAS)
            return true;
    double gap;
    return cf_rival_ahead(fit, &gap) != NULL;
}

/* Do residuals r[n] at speed[n] pass for scatter? Both are sorted by speed here. */
static bool passes(double speed[], double r[], size_t n, double work[])
{
    size_t plus, runs;
    double rho, t;

    if (n < 4)
        return true;
    gsl_sort2(speed, 1, r, 1, n);
    runs = cf_runs_count(r, n, &plus);
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
    double left, *y = calloc(5 * n + q->nfree + 1, sizeof *y);
    double *speed = y + n, *r = speed + n, *work = r + n, *theta = work + 2 * n;
    int status = y ? CF_OK : cf_fail(err, CF_ENOMEM, "no memory for %zu residuals", n);

    if (!status) {
        memcpy(theta, fit->optimum.theta, q->nfree * sizeof *theta);
        status = cf_leave_one(q, i, theta, &left, err);
    }
    if (!status)
        status = cf_problem_predict(q, theta, y, NULL, err);
    for (size_t k = 0; k < n && !status; k++)
        if (k != i && q->observation[k].channel == q->observation[i].channel) {
            speed[m] = q->observation[k].abscissa;
            r[m++] = (q->observation[k].value - y[k]) / cf_observation_sigma(q, k);
        }
    *clean = !status && passes(speed, r, m, work);
    free(y);
    return status;
}

/* The words on a row; NULL where there is no memory. */
static char *describe(const struct cf_fit *fit, const struct cf_outlier *x)
{
    const struct cf_observation *o = &fit->optimum.problem.observation[x->observation];
    const struct cf_dataset *d = &fit->optimum.problem.spec->data[o->data];
    const struct cf_channel_row *c = &d->protocol->channel[o->column];
    bool bare = strcmp(c->unit, "1") == 0;
    char *row = cf_format("%s, line %zu: %s %.4g%s%s at %.4g %s", d->name, d->line[o->row], c->name,
                          o->value, bare ? "" : " ", bare ? "" : c->unit, o->abscissa,
                          d->protocol->axis.unit);
    char *text = NULL;

    if (row && x->outlier)
        text =
            cf_format("%s is %.1f sigma off (p = %.1g)", row, fabs(x->studentized), x->p_adjusted);
    else if (row)
        text = cf_format("%s decides the result: without it the parameters move beyond the middle "
                         "of their confidence region (Cook's distance %.2g)",
                         row, x->cook);
    free(row);
    return text;
}

static int name(struct cf_fit *fit, const struct rows *r, size_t i, bool outlier, double p,
                struct cf_error *err)
{
    struct cf_outlier_list *list = &fit->outliers;
    struct cf_outlier *longer = cf_list_grow(list->item, list->n, sizeof *list->item), *x;

    if (!longer)
        return cf_fail(err, CF_ENOMEM, "no memory for the rows to look at after %zu", list->n);
    list->item = longer;
    x = &longer[list->n];
    *x = (struct cf_outlier){.observation = i,
                             .outlier = outlier,
                             .studentized = r->t[i],
                             .p_adjusted = p,
                             .cook = r->cook[i]};
    x->text = describe(fit, x);
    if (!x->text)
        return cf_fail(err, CF_ENOMEM, "no memory for the words on a row");
    list->n++;
    list->noutlier += outlier;
    return CF_OK;
}

/* Holm over all rows, the surest first. */
static int name_outliers(struct cf_fit *fit, struct rows *r, struct cf_error *err)
{
    bool doubtful = systematic(fit);
    double least = 0;
    int status = CF_OK;

    gsl_sort_index(r->order, r->p, 1, r->n);
    for (size_t k = 0; k < r->n && !status; k++) {
        size_t i = r->order[k];
        bool clean = true;
        least = cf_holm(least, r->n - k, r->p[i]);
        if (!(least < cf_outlier_level))
            break;
        if (doubtful && fit->outliers.examined == cf_most_left_out) {
            fit->outliers.unexamined++;
            continue;
        }
        fit->outliers.examined += doubtful;
        status = doubtful ? clean_without(fit, i, &clean, err) : CF_OK;
        if (status || !clean)
            continue;
        status = name(fit, r, i, true, least, err);
        r->named[i] = true;
    }
    return status;
}

/* Those that hide behind each other; not where the residuals are systematic. */
static int name_masked(struct cf_fit *fit, struct rows *r, struct cf_error *err)
{
    struct cf_masked found[CF_MOST_MASKED];
    size_t n = 0;
    int status = CF_OK;

    if (fit->optimum.problem.loss.kind == CF_LOSS_SQUARES && !systematic(fit))
        status = cf_masked_outliers(fit, r->named, cf_outlier_level, found, &n, err);
    for (size_t k = 0; k < n && !status; k++) {
        size_t i = found[k].observation;
        r->t[i] = found[k].studentized;
        r->named[i] = true;
        status = name(fit, r, i, true, found[k].p_adjusted, err);
    }
    return status;
}

/* Those that decide the result, among the rest. */
static int name_influential(struct cf_fit *fit, const struct rows *r, struct cf_error *err)
{
    double left = (double) r->n - (double) fit->optimum.rank.rank;
    double middle = left > 0 && fit->optimum.rank.rank
                        ? gsl_cdf_fdist_Pinv(0.5, (double) fit->optimum.rank.rank, left)
                        : (double) INFINITY;
    int status = CF_OK;

    for (size_t i = 0; i < r->n && !status; i++)
        if (!r->named[i] && r->cook[i] > middle)
            status = name(fit, r, i, false, fmin(1, (double) r->n * r->p[i]), err);
    return status;
}

int cf_leave_out(struct cf_fit *fit, struct cf_error *err)
{
    const struct cf_problem *q = &fit->optimum.problem;
    double sum = 0;
    int status;

    fit->left_out = calloc(q->nobservation + 1, sizeof *fit->left_out);
    fit->left_out_how = calloc(q->nobservation + 1, sizeof *fit->left_out_how);
    if (!fit->left_out || !fit->left_out_how)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu refits", q->nobservation);
    status = cf_leave_one_out(q, fit->optimum.theta, cf_most_left_out, fit->left_out,
                              fit->left_out_how, err);
    for (size_t i = 0; i < q->nobservation && !status; i++)
        if (!isnan(fit->left_out[i])) {
            const struct cf_observation *o = &q->observation[i];
            double own = cf_observation_sigma(q, i);
            sum += gsl_pow_2(o->value - fit->left_out[i]) / (own * own + cf_shared_variance(q, i));
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
    /* rows of a cluster stand off together: none is one of its own */
    bool tells = fit->nleft_out && !cf_is_clustered(q);
    int status = chi2 ? CF_OK : cf_fail(err, CF_ENOMEM, "no memory for the channels");

    if (!status && tells)
        status = rows_make(fit, &r, err);
    if (!status && tells) {
        add_chi2(fit, &r, chi2);
        for (size_t i = 0; i < q->nobservation; i++)
            studentise(fit, chi2, i, &r);
        status = name_outliers(fit, &r, err);
        if (!status)
            status = name_masked(fit, &r, err);
    }
    if (!status && tells)
        status = name_influential(fit, &r, err);
    rows_free(&r);
    free(chi2);
    return status;
}

void cf_outliers_clear(struct cf_outlier_list *outliers)
{
    for (size_t i = 0; i < outliers->n; i++)
        free(outliers->item[i].text);
    free(outliers->item);
    *outliers = (struct cf_outlier_list){0};
}
