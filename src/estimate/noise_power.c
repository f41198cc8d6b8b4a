/* A sigma that goes with a power of the axis: which power is the likeliest. */

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_math.h>
#include <gsl/gsl_min.h>
#include <math.h>
#include <stdlib.h>

#include "core/gsl_guard.h"
#include "estimate/noise_model.h"
#include "estimate/reml.h"

/* Powers that are looked at, in steps, and to this accuracy: no data determine it better. */
static const double least_power = -3, most_power = 3, power_step = 0.5, power_accuracy = 1e-3;
enum { MOST_STEP = 40 };

/* And where a step has lowered -2 ln L_R by less than this: 3 % of a standard error. */
static const double least_fall = 1e-3;

/* Fewer rows identify no power, unless the study asks for one. */
enum { LEAST_ROWS = 20 };

/* -2 ln L_R of a problem at theta as a function of one channel's power. */
struct profile {
    const struct cf_problem *problem;
    const double *theta;
    struct cf_rank rank;
    struct cf_problem at; /* as it was at the last power, whose variances are near the next one's */
    size_t channel;
    int status;
    struct cf_error *err;
};

/* NAN where the variances have no minimum. */
static double at_power(double exponent, void *context)
{
    struct profile *p = context;
    struct cf_channel *c = &p->at.channel[p->channel];
    double cost = (double) NAN;

    if (cf_status_ends(p->status))
        return (double) NAN;
    c->model = exponent == 0 ? CF_SIGMA_CONSTANT : CF_SIGMA_POWER;
    c->exponent = exponent;
    cf_channel_begin(&p->at, p->channel);
    p->status = cf_reml_least(&p->at, p->theta, &p->rank, &cost, p->err);
    if (p->status)
        cf_problem_restore(&p->at, p->problem);
    if (!cf_status_ends(p->status))
        p->status = CF_OK;
    return cost;
}

static double at_power_or_more(double exponent, void *context)
{
    double cost = at_power(exponent, context);
    return isfinite(cost) ? cost : GSL_DBL_MAX / 2;
}

/* Between the neighbours of the best of some. */
static int refine(struct profile *p, double at, double *exponent, double *cost)
{
    gsl_function f = {at_power_or_more, p};
    gsl_min_fminimizer *s = gsl_min_fminimizer_alloc(gsl_min_fminimizer_brent);
    double low = fmax(at - power_step, least_power), high = fmin(at + power_step, most_power);
    int failed;

    *exponent = at;
    *cost = at_power_or_more(at, p);
    if (!s)
        return cf_fail(p->err, CF_ENOMEM, "no memory for a search");
    cf_gsl_enter(); /* a flat function is no bracket, and no error here */
    failed = !(low < at && at < high) || gsl_min_fminimizer_set(s, &f, at, low, high);
    for (int i = 0; i < MOST_STEP && !failed && !cf_status_ends(p->status); i++) {
        double before = gsl_min_fminimizer_f_minimum(s), fall;
        failed = gsl_min_fminimizer_iterate(s);
        fall = before - gsl_min_fminimizer_f_minimum(s);
        if (gsl_min_fminimizer_x_upper(s) - gsl_min_fminimizer_x_lower(s) < power_accuracy ||
            (fall > 0 && fall < least_fall))
            break;
    }
    if (low < at && at < high && !cf_status_ends(p->status) &&
        gsl_min_fminimizer_f_minimum(s) < *cost) {
        *exponent = gsl_min_fminimizer_x_minimum(s);
        *cost = gsl_min_fminimizer_f_minimum(s);
    }
    gsl_min_fminimizer_free(s);
    cf_gsl_leave();
    return p->status;
}

/* The likeliest power of a channel, and by how much -2 ln L_R lies below that of a constant sigma.
 */
static int find_power(struct profile *p, double *exponent, double *fall)
{
    double plain = at_power(0, p), best = (double) INFINITY, at = 0;

    for (double e = least_power; e <= most_power + power_step / 2; e += power_step) {
        double cost = at_power(e, p);
        if (cost < best) {
            best = cost;
            at = e;
        }
    }
    *exponent = 0;
    *fall = 0;
    if (cf_status_ends(p->status) || !isfinite(best))
        return p->status;
    refine(p, at, exponent, &best);
    *fall = isfinite(plain) ? plain - best : (double) INFINITY;
    return p->status;
}

/* Is a power looked for: where the study wants one, or leaves it to the data of records? */
static bool wants_power(const struct cf_problem *q, size_t channel, bool *asked)
{
    const struct cf_channel *c = &q->channel[channel];
    const struct cf_dataset *d = &q->spec->data[c->data];
    const struct cf_derived *recording = d->protocol->recording;
    enum cf_sigma_model model = d->series[c->column].model;

    *asked = model == CF_SIGMA_POWER;
    if (!c->estimated || q->loss.kind != CF_LOSS_SQUARES)
        return false;
    return *asked || (model == CF_SIGMA_CHOSEN && recording && c->column == recording->reading &&
                      c->n >= LEAST_ROWS);
}

/* -2 ln L_R of a problem at theta by the power of a channel; to be cleared, also after a failure.
 */
static int profile_make(const struct cf_problem *q, const double theta[], struct profile *out,
                        struct cf_error *err)
{
    struct cf_fold fold = {0};
    int status = cf_fold_alloc(&fold, q, err);

    *out = (struct profile){.problem = q, .theta = theta, .err = err};
    if (!status)
        status = cf_problem_fold(q, theta, &fold, err);
    if (!status)
        status = cf_rank_within_bounds(q, theta, &fold, &out->rank, err);
    if (!status)
        status = cf_problem_copy(&out->at, q, err);
    cf_fold_clear(&fold);
    return status;
}

static void profile_clear(struct profile *p)
{
    cf_rank_clear(&p->rank);
    cf_problem_free(&p->at);
}

/* The power that some of the rows have, once more on all of them: their likelihood knows it so much
 * better that it decides. */
static int confirm(struct profile *all, double *exponent, double *fall)
{
    double plain = at_power(0, all), best;
    int status = all->status;

    if (!status)
        status = refine(all, *exponent, exponent, &best);
    *fall = isfinite(plain) ? plain - best : (double) INFINITY;
    return status;
}

/* Powers at theta, looked for on some of the rows where they are many. */
static int choose(struct cf_problem *problem, const struct cf_problem *some, const double theta[],
                  bool *changed, struct cf_error *err)
{
    bool thinned = some->nobservation < problem->nobservation;
    double least = gsl_cdf_chisq_Qinv(problem->spec->options.p_reject, 1);
    struct profile few, all = {0};
    int status = profile_make(some, theta, &few, err);

    if (!status && thinned)
        status = profile_make(problem, theta, &all, err);
    for (size_t c = 0; c < problem->nchannel && !status; c++) {
        struct cf_channel *channel = &problem->channel[c];
        double exponent, fall;
        bool asked;
        if (!wants_power(problem, c, &asked))
            continue;
        few.channel = all.channel = c;
        cf_problem_restore(&few.at, some);
        if (thinned)
            cf_problem_restore(&all.at, problem);
        status = find_power(&few, &exponent, &fall);
        if (!status && thinned)
            status = confirm(&all, &exponent, &fall);
        if (status || (!asked && !(fall > least)))
            continue;
        *changed = *changed || channel->model != CF_SIGMA_POWER ||
                   fabs(channel->exponent - exponent) > power_accuracy;
        channel->model = CF_SIGMA_POWER;
        channel->exponent = exponent;
    }
    profile_clear(&few);
    profile_clear(&all);
    return status;
}

int cf_noise_power(struct cf_problem *problem, const double theta[], bool *changed,
                   struct cf_error *err)
{
    struct cf_problem some = {0};
    bool wanted = false, asked;
    int status;

    *changed = false;
    for (size_t c = 0; c < problem->nchannel; c++)
        wanted = wanted || wants_power(problem, c, &asked);
    if (!wanted || problem->nlocal)
        return CF_OK;
    status = cf_problem_thin(&some, problem, cf_most_searched, err);
    if (status)
        return status;
    status = choose(problem, &some, theta, changed, err);
    cf_problem_free(&some);
    return status;
}
