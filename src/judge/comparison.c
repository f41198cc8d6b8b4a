#include "judge/comparison.h"

#include <gsl/gsl_math.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "estimate/criteria.h"
#include "estimate/effects.h"
#include "estimate/leave_one_out.h"
#include "estimate/lower.h"
#include "estimate/noise_model.h"
#include "estimate/records.h"
#include "estimate/reml.h"
#include "judge/held_out.h"
#include "judge/prediction.h"
#include "judge/rival_numbers.h"

/* A rival better by this much in AICc has e^-5 = 1/150 of the likelihood's odds against us. */
const double cf_rival_gap = 10;

/* What a reading of a channel scatters by in all; 0: the fit has none of it. */
static double yardstick(const struct cf_problem *own, const struct cf_channel *of)
{
    size_t c = cf_channel_of(own, of->data, of->column);

    return c == CF_NO_CHANNEL
               ? 0
               : sqrt(gsl_pow_2(own->channel[c].sigma) * (1 + fmax(cf_record_share(own, c), 0)) +
                      cf_mean_shared_variance(own, c));
}

int cf_yardsticks(const struct cf_fit *fit, const struct cf_problem *q, double **scale,
                  struct cf_error *err)
{
    *scale = calloc(q->nchannel + 1, sizeof **scale);
    if (!*scale)
        return cf_fail(err, CF_ENOMEM, "no memory for the sigmas of %zu channels", q->nchannel);
    for (size_t c = 0; c < q->nchannel; c++) {
        double known = yardstick(&fit->optimum.problem, &q->channel[c]);
        (*scale)[c] = known > 0 ? known : q->channel[c].sigma;
    }
    return CF_OK;
}

/* by_channel[q->nchannel] holds zeros. */
static int rms(const struct cf_problem *q, const double scale[], const double theta[],
               double *in_sigma, double by_channel[], struct cf_error *err)
{
    double *y = calloc(q->nobservation + 1, sizeof *y), sum = 0;
    int status = y ? cf_problem_predict(q, theta, y, NULL, err)
                   : cf_fail(err, CF_ENOMEM, "no memory for %zu predictions", q->nobservation);

    for (size_t i = 0; i < q->nobservation && !status; i++) {
        const struct cf_observation *o = &q->observation[i];
        sum += gsl_pow_2((o->value - y[i]) / scale[o->channel]);
        by_channel[o->channel] += gsl_pow_2(o->value - y[i]) / (double) q->channel[o->channel].n;
    }
    *in_sigma = q->nobservation ? sqrt(sum / (double) q->nobservation) : (double) NAN;
    for (size_t c = 0; c < q->nchannel; c++)
        by_channel[c] = sqrt(by_channel[c]);
    free(y);
    return status;
}

/* For a rival only the mean over all rows is reported, to which those that move its fit little add
 * little: beyond so many rows they are left out by their influence. */
enum { MOST_REFITTED = 20 };

static double rms_without(const struct cf_problem *q, const double scale[], const double without[],
                          const unsigned char how[])
{
    double sum = 0, n = 0;

    if (!cf_left_out_all(how, q->nobservation))
        return (double) NAN; /* of those that move one law most no other law need say much */
    for (size_t i = 0; i < q->nobservation; i++)
        if (!isnan(without[i])) {
            const struct cf_observation *o = &q->observation[i];
            sum += gsl_pow_2((o->value - without[i]) / scale[o->channel]);
            n++;
        }
    return n > 0 ? sqrt(sum / n) : (double) NAN;
}

static int leave_one_out(const struct cf_problem *q, const double scale[], const double theta[],
                         double *rms_sigma, struct cf_error *err)
{
    double *without = calloc(q->nobservation + 1, sizeof *without);
    unsigned char *how = calloc(q->nobservation + 1, sizeof *how);
    int status = without && how
                     ? cf_leave_one_out(q, theta, MOST_REFITTED, without, how, err)
                     : cf_fail(err, CF_ENOMEM, "no memory for %zu refits", q->nobservation);

    if (!status)
        *rms_sigma = rms_without(q, scale, without, how);
    free(how);
    free(without);
    return status;
}

static void criteria(struct cf_rival *v, const struct cf_problem *q)
{
    double n = (double) q->nobservation, K;

    v->nsigma += cf_extra_variances(q);
    for (size_t c = 0; c < q->nchannel; c++)
        v->nsigma += q->channel[c].estimated;
    K = (double) (v->rank + q->nlocal + v->nsigma);
    v->n = q->nobservation;
    v->aicc = cf_aicc(v->cost, K, n);
    v->bic = cf_bic(v->cost, K, n);
}

/* Errors on the rows that it was fitted to, on those held out, and on each without itself:
 * left_out[nobservation], unless it is NULL. */
static int measure_errors(const struct cf_fit *fit, struct cf_problem *q, const double theta[],
                          const double left_out[], struct cf_rival *v, struct cf_error *err)
{
    double *scale = NULL;
    int status = cf_yardsticks(fit, q, &scale, err);

    v->rms = calloc(q->nchannel + 1, sizeof *v->rms);
    if (!status && !v->rms)
        status = cf_fail(err, CF_ENOMEM, "no memory for %zu channels", q->nchannel);
    if (!status)
        status = rms(q, scale, theta, &v->rms_sigma, v->rms, err);
    if (!status)
        status = cf_held_out_errors(fit, q, theta, v, err);
    if (!status && left_out)
        v->loo_rms_sigma = rms_without(q, scale, left_out, fit->left_out_how);
    else if (!status)
        status = leave_one_out(q, scale, theta, &v->loo_rms_sigma, err);
    free(scale);
    return status;
}

static int fill(struct cf_fit *fit, struct cf_problem *q, const struct cf_solution *best,
                const double left_out[], struct cf_rival *v, struct cf_error *err)
{
    int status = cf_rival_numbers(q, best->theta, v, err);

    if (status)
        return status;
    v->cost = best->cost;
    criteria(v, q);
    status = measure_errors(fit, q, best->theta, left_out, v, err);
    v->curve = calloc(CF_NCURVE, sizeof *v->curve);
    if (!status && !v->curve)
        return cf_fail(err, CF_ENOMEM, "no memory for a curve");
    return status
               ? status
               : cf_predict_headline(q, best->theta, CF_NCURVE, fit->curve_abscissa, v->curve, err);
}

static void note_starts(const struct cf_solution solution[], size_t count, struct cf_rival *v)
{
    v->converged = solution[0].end == CF_END_CONVERGED;
    v->nstart = count;
    v->confirmed = cf_solutions_confirmed(solution, count);
}

/* A growing sigma, or columns that correlate, chosen with the study's law, are those of all laws.
 */
static int take_noise(const struct cf_fit *fit, struct cf_solver *solver, struct cf_problem *q,
                      struct cf_solution *best, struct cf_error *err)
{
    bool changed;

    cf_noise_take(q, &fit->optimum.problem, &changed);
    return changed ? cf_noise_refit(solver, q, best, err) : CF_OK;
}

/* Fit a law to the common rows q: *solution[*count], to be freed. */
static int fit_law(struct cf_fit *fit, struct cf_problem *q, struct cf_solution **solution,
                   size_t *count, struct cf_error *err)
{
    struct cf_solver *solver;
    int status;

    if (q->nfree == 0)
        return cf_fail(err, CF_EFIT, "all its parameters are given: nothing to fit");
    if (q->nobservation < q->nfree)
        return cf_fail(err, CF_EFIT, "%zu measured number%s cannot fit %zu parameters",
                       q->nobservation, q->nobservation == 1 ? "" : "s", q->nfree);
    solver = cf_solver_alloc(q);
    *solution = cf_solutions_alloc(cf_start_count(&q->spec->options), q->nfree);
    status = *solution && solver
                 ? cf_optimum_search(q, solver, *solution, count, err)
                 : cf_fail(err, CF_ENOMEM, "no memory for a fit of %s", q->law->name);
    if (!status)
        status = take_noise(fit, solver, q, &(*solution)[0], err);
    /* as the law under study: of a motion few starts are polished, and costs have kinks; where they
     * stalled another descent would crawl on for as long */
    if (!status && cf_problem_is_motion(q) && (*solution)[0].end == CF_END_CONVERGED)
        status = cf_solution_lower(q, solver, &(*solution)[0], err);
    cf_solver_free(solver);
    return status;
}

/* In what groups of the study differ, and these do not. */
static void note_lacks(const struct cf_problem *q, struct cf_rival *v)
{
    const struct cf_grouping *grouping = &q->spec->grouping;

    for (size_t l = 0; l < grouping->nlevel; l++)
        for (size_t k = 0; k < grouping->level[l].nparameter; k++) {
            const char *name = grouping->level[l].parameter[k];
            bool has = v->nlacks == CF_MAX_PARAM;
            for (size_t j = 0; j < q->nfree; j++)
                has = has || strcmp(q->unknown[j].name, name) == 0;
            for (size_t j = 0; j < v->nlacks; j++)
                has = has || strcmp(v->lacks[j], name) == 0;
            if (!has)
                v->lacks[v->nlacks++] = name;
        }
    for (size_t e = 0; e < q->neffect; e++)
        v->by_reading = v->by_reading || (q->effect[e].of == CF_GROUPS_SHARE && v->nlacks);
}

/* Is it the fit's law, to the very rows of the fit? Then it has been fitted. */
static bool is_fitted(const struct cf_problem *own, const struct cf_problem *q)
{
    return q->law == own->law && q->nobservation == own->nobservation && q->nfree > 0;
}

static int enter(struct cf_fit *fit, const struct cf_law *law, struct cf_rival *v,
                 struct cf_error *err)
{
    const struct cf_problem *own = &fit->optimum.problem;
    struct cf_workers alone = {.jobs = 1}; /* rivals run side by side, not their evaluations */
    struct cf_problem q;
    struct cf_solution *solution = NULL;
    size_t count = fit->optimum.nstart;
    int status = cf_problem_init(&q, own->spec, law, own->curves, CF_ROW_FIT, CF_SCOPE_COMMON, err);
    bool fitted = !status && is_fitted(own, &q);

    if (own->workers) {
        alone.cancelled = own->workers->cancelled;
        alone.listener = own->workers->listener;
    }
    if (fitted) {
        cf_problem_free(&q);
        status = cf_problem_copy(&q, own, err);
    }
    q.workers = &alone;
    if (!status && !fitted) {
        status = fit_law(fit, &q, &solution, &count, err);
    }
    if (!status)
        status = fill(fit, &q, fitted ? fit->optimum.start : solution,
                      fitted ? fit->left_out : NULL, v, err);
    if (!status)
        note_starts(fitted ? fit->optimum.start : solution, count, v);
    if (!status)
        note_lacks(&q, v);
    cf_problem_free(&q);
    free(solution);
    return status;
}

static int by_aicc(const void *a, const void *b)
{
    const struct cf_rival *v = a, *w = b;
    return (v->delta_aicc > w->delta_aicc) - (v->delta_aicc < w->delta_aicc);
}

/* A law with an undefined AICc is not ranked: nothing may rest on it. */
static void leave_out_undefined(struct cf_rival *v)
{
    size_t fitted = v->rank + v->nsigma;
    char left_out[60] = "";

    if (v->failed || !isnan(v->aicc))
        return;
    v->failed = true;
    if (!isnan(v->loo_rms_sigma))
        snprintf(left_out, sizeof left_out, ", %.2f where each row is left out", v->loo_rms_sigma);
    cf_fail(&v->why, CF_EINPUT,
            "%zu measured number%s too few to rank %zu fitted one%s, %zu are enough; its error is "
            "%.2f sigma rms%s",
            v->n, v->n == 1 ? " is" : "s are", fitted, fitted == 1 ? "" : "s", 2 * fitted + 2,
            v->rms_sigma, left_out);
}

static void rank_rivals(struct cf_fit *fit)
{
    double best = INFINITY, sum = 0;

    for (size_t i = 0; i < fit->nrival; i++) {
        struct cf_rival *v = &fit->rival[i];
        leave_out_undefined(v);
        v->delta_aicc = v->failed ? (double) INFINITY : v->aicc;
        best = fmin(best, v->delta_aicc);
    }
    for (size_t i = 0; i < fit->nrival; i++) {
        struct cf_rival *v = &fit->rival[i];
        v->delta_aicc = v->failed ? (double) INFINITY : v->delta_aicc - best;
        v->weight = v->failed ? 0 : exp(-v->delta_aicc / 2);
        sum += v->weight;
    }
    qsort(fit->rival, fit->nrival, sizeof *fit->rival, by_aicc);
    for (size_t i = 0; i < fit->nrival; i++)
        fit->rival[i].weight /= sum > 0 ? sum : 1;
}

static bool has_common_rows(const struct cf_fit *fit)
{
    for (size_t c = 0; c < fit->optimum.problem.nchannel; c++) {
        const struct cf_channel *ch = &fit->optimum.problem.channel[c];
        if (cf_channel_common(fit->optimum.problem.spec->data[ch->data].protocol, ch->column))
            return true;
    }
    return false;
}

/* The next rival: laws that are integrated come first, so that none of them runs alone at the end
 * on one thread. */
static struct cf_rival *turn(struct cf_fit *fit, size_t i)
{
    for (int quick = 0; quick <= 1; quick++)
        for (size_t j = 0; j < fit->nrival; j++)
            if (cf_law_is_slow(fit->rival[j].law) != quick && i-- == 0)
                return &fit->rival[j];
    return NULL;
}

static int enter_one(void *context, size_t i, size_t worker, struct cf_error *err)
{
    struct cf_fit *fit = context;
    struct cf_rival *v = turn(fit, i);
    int status = enter(fit, v->law, v, &v->why);

    (void) worker;
    if (cf_status_ends(status))
        return cf_fail(err, status, "%s", v->why.text);
    v->failed = status != CF_OK;
    return CF_OK;
}

int cf_compare(struct cf_fit *fit, const struct cf_law *const rival[], size_t nrival,
               const struct cf_workers *workers, struct cf_error *err)
{
    int status = CF_OK;

    if (!has_common_rows(fit))
        return CF_OK; /* nothing that all laws predict: no comparison */
    fit->rival = calloc(nrival + 1, sizeof *fit->rival);
    if (!fit->rival)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu rivals", nrival);
    fit->nrival = nrival + 1;
    for (size_t i = 0; i <= nrival && !status; i++) {
        fit->rival[i].law = i == 0 ? fit->optimum.problem.law : rival[i - 1];
        fit->rival[i].held_out_rms_sigma = fit->rival[i].loo_rms_sigma = NAN;
        /* curves are shared: they are made before the threads begin */
        status = cf_curves_prepare(fit->optimum.problem.curves, fit->rival[i].law, err);
    }
    if (!status)
        status = cf_parallel(workers, "rivals", nrival + 1, enter_one, fit, err);
    if (status)
        return status;
    rank_rivals(fit);
    return cf_held_out_compare(fit, err);
}

const struct cf_rival *cf_rival_ahead(const struct cf_fit *fit, double *gap)
{
    const struct cf_rival *own = NULL;

    for (size_t i = 0; i < fit->nrival; i++)
        if (fit->rival[i].law == fit->optimum.problem.law && !fit->rival[i].failed)
            own = &fit->rival[i];
    for (size_t i = 0; own && i < fit->nrival; i++) {
        const struct cf_rival *v = &fit->rival[i];
        *gap = own->delta_aicc - v->delta_aicc;
        bool likelier = v->cost < own->cost;
        if (!v->failed && likelier && *gap > cf_rival_gap)
            return v;
    }
    return NULL;
}
