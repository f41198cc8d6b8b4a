#include "estimate/optimum.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/clusters.h"
#include "estimate/criteria.h"
#include "estimate/effects.h"
#include "estimate/evaluate.h"
#include "estimate/lower.h"
#include "estimate/noise_model.h"
#include "estimate/robust.h"
#include "estimate/serial_choose.h"
#include "estimate/simplex.h"
#include "estimate/starts.h"

int cf_optimum_init(struct cf_optimum *optimum, const struct cf_spec *spec,
                    struct cf_curves *curves, const struct cf_workers *workers,
                    struct cf_error *err)
{
    size_t n;
    int status;

    memset(optimum, 0, sizeof *optimum);
    status =
        cf_problem_init(&optimum->problem, spec, spec->law, curves, CF_ROW_FIT, CF_SCOPE_ALL, err);
    if (status)
        return status;
    optimum->problem.workers = workers;
    n = optimum->problem.nfree;
    optimum->theta = calloc(2 * n + 1, sizeof *optimum->theta);
    optimum->by_prior = calloc(n + 1, sizeof *optimum->by_prior);
    if (!optimum->theta || !optimum->by_prior)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu unknowns", n);
    optimum->value = optimum->theta + n;
    return cf_fold_alloc(&optimum->fold, &optimum->problem, err);
}

void cf_optimum_clear(struct cf_optimum *optimum)
{
    cf_problem_free(&optimum->problem);
    cf_fold_clear(&optimum->fold);
    cf_rank_clear(&optimum->rank);
    cf_rank_clear(&optimum->spread);
    cf_variances_clear(&optimum->variances);
    free(optimum->start);
    free(optimum->theta);
    free(optimum->by_prior);
    free(optimum->combination);
}

/* Back to constant sigmas: the tests of the noise say what is wrong with them. */
static void give_up(struct cf_problem *q, const struct cf_problem *plain, const double theta[],
                    double cost, struct cf_solution *best)
{
    cf_problem_restore(q, plain);
    for (size_t i = 0; i < q->nchannel; i++) {
        q->channel[i].model = CF_SIGMA_CONSTANT;
        q->channel[i].partner = CF_NO_CHANNEL;
    }
    memcpy(best->theta, theta, q->nfree * sizeof *theta);
    best->cost = cost;
    best->end = CF_END_CONVERGED;
}

/* The noise as the data have it, and the optimum with it: from the one without, which is near. */
static int refine_noise(struct cf_optimum *optimum, struct cf_solver *solver, struct cf_error *err)
{
    struct cf_problem *q = &optimum->problem;
    struct cf_solution *best = &optimum->start[0];
    struct cf_problem plain = {0};
    double cost;
    bool parted = false, changed = false, power = false, is_scatter = true;
    int status =
        best->end == CF_END_CONVERGED ? cf_noise_part(q, best->theta, &parted, err) : CF_OK;

    if (!status && parted)
        status = cf_noise_refit(solver, q, best, err);
    cost = best->cost;
    if (!status && best->end == CF_END_CONVERGED)
        status = cf_noise_choose(q, best->theta, &changed, err);
    if (!status && best->end == CF_END_CONVERGED)
        status = cf_noise_power(q, best->theta, &power, err);
    if (status || !(changed || power))
        return status;
    status = cf_problem_copy(&plain, q, err);
    if (status)
        return status;
    memcpy(optimum->theta, best->theta, q->nfree * sizeof *best->theta);
    status = cf_noise_refit(solver, q, best, err);
    /* a power of its own is what the readings of records have: no rows that grew out of hand */
    if (!status && changed && best->end == CF_END_CONVERGED)
        status = cf_noise_is_scatter(q, best->theta, &is_scatter, err);
    if (!status && (best->end != CF_END_CONVERGED || !is_scatter))
        give_up(q, &plain, optimum->theta, cost, best);
    cf_problem_free(&plain);
    return status;
}

static void take_best(struct cf_optimum *optimum)
{
    const struct cf_problem *q = &optimum->problem;

    memcpy(optimum->theta, optimum->start[0].theta, q->nfree * sizeof *optimum->theta);
    optimum->cost = optimum->start[0].cost;
    for (size_t i = 0; i < q->nfree; i++)
        optimum->value[i] = cf_unknown_value(&q->unknown[i], optimum->theta[i]);
}

static void see_nothing(void *context, size_t unit, const struct cf_stretch *at)
{
    (void) context;
    (void) unit;
    (void) at;
}

int cf_optimum_search(struct cf_problem *q, struct cf_solver *solver, struct cf_solution solution[],
                      size_t *count, struct cf_error *err)
{
    struct cf_error why = {""};
    int status = cf_multistart(solver, q, solution, count, err), there;

    if (status != CF_EFIT)
        return status;
    there = cf_problem_visit(q, solution[0].theta, NULL, CF_WANT_VALUES, see_nothing, NULL, &why);
    if (cf_status_ends(there))
        return cf_fail(err, there, "%s", why.text);
    return there ? cf_fail(err, status, "%s could not be evaluated at any of %zu start%s: %.3900s",
                           q->law->name, *count, *count == 1 ? "" : "s", why.text)
                 : status;
}

static int optimise(struct cf_optimum *optimum, struct cf_solver *solver, struct cf_error *err)
{
    struct cf_problem *q = &optimum->problem;
    double searched;
    int status;

    optimum->start = cf_solutions_alloc(cf_start_count(&q->spec->options), q->nfree);
    if (!optimum->start)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu starts", q->spec->options.starts);
    status = cf_optimum_search(q, solver, optimum->start, &optimum->nstart, err);
    if (status)
        return status;
    searched = optimum->start[0].cost;
    status = refine_noise(optimum, solver, err);
    if (!status)
        status = cf_serial_settle(q, solver, &optimum->start[0], err);
    if (status)
        return status;
    for (size_t i = 1; i < optimum->nstart; i++) /* other noise: each lies as far above as before */
        optimum->start[i].cost += optimum->start[0].cost - searched;
    optimum->confirmed = cf_solutions_confirmed(optimum->start, optimum->nstart);
    take_best(optimum);
    return CF_OK;
}

/* Distance to the optimum as the gradient estimates it, in standard errors of a parameter. */
static double gradient_of(const struct cf_optimum *optimum, bool of_law)
{
    const struct cf_problem *q = &optimum->problem;
    size_t all = q->nfree + 1;
    double largest = 0;

    for (size_t j = 0; j < q->nfree; j++) {
        /* at a bound the cost may fall on, but only outwards */
        int bound = cf_unknown_at_bound(&q->unknown[j], optimum->theta[j]);
        double dot = 0;
        for (size_t i = 0; i <= j; i++)
            dot += optimum->fold.R[i * all + j] * optimum->fold.R[i * all + q->nfree];
        if (!optimum->rank.dead[j] && !(bound * dot < 0) &&
            (!of_law || q->unknown[j].kind == CF_UNKNOWN_LAW))
            largest = fmax(largest, fabs(dot) / optimum->rank.norm[j]);
    }
    return largest;
}

/* Priors of locals, each of which is a residual. */
static size_t local_priors(const struct cf_problem *q)
{
    size_t n = 0;

    for (size_t p = 0; p < q->npart; p++)
        for (size_t j = 0; j < q->set[q->part[p].data].nlocal; j++)
            n += q->set[q->part[p].data].local[j].has_prior;
    return n;
}

static void measure(struct cf_optimum *optimum)
{
    const struct cf_problem *q = &optimum->problem;
    double K, n = (double) q->nobservation;
    size_t nsigma = 0;
    bool known = cf_extra_variances(q) == 0;

    optimum->chi2 = optimum->fold.chi2;
    for (size_t c = 0; c < q->nchannel; c++)
        nsigma += q->channel[c].estimated;
    for (size_t c = 0; c < q->nchannel; c++)
        known = known && cf_channel_is_known(&q->channel[c]);
    nsigma += cf_extra_variances(q);
    K = (double) (optimum->rank.rank + q->nlocal + nsigma);
    optimum->gradient = gradient_of(optimum, false);
    optimum->gradient_of_law = gradient_of(optimum, true);
    optimum->sigma_known = known;
    optimum->dof =
        (double) (q->nresidual + local_priors(q)) - (double) (optimum->rank.rank + q->nlocal);
    optimum->chi2_p = optimum->sigma_known && optimum->dof > 0 && q->loss.kind == CF_LOSS_SQUARES
                          ? gsl_cdf_chisq_Q(optimum->chi2, optimum->dof)
                          : (double) NAN;
    optimum->aicc = cf_aicc(optimum->cost, K, n);
    optimum->bic = cf_bic(optimum->cost, K, n);
}

/* Are the variances where REML has its optimum, and what is known of them? */
static int judge_variances(struct cf_optimum *optimum, struct cf_error *err)
{
    const struct cf_problem *q = &optimum->problem;
    struct cf_rank rank = {0};
    int status = CF_OK;

    if (q->loss.kind != CF_LOSS_SQUARES || q->nlocal || optimum->sigma_known)
        return CF_OK;
    status = cf_rank_within_bounds(q, optimum->theta, &optimum->fold, &rank, err);
    if (!status)
        status = cf_reml_fall(q, optimum->theta, &rank, NULL, &optimum->variance_fall, err);
    if (!status && cf_uses_reml(q))
        status = cf_reml_variances(q, optimum->theta, &rank, &optimum->variances, err);
    cf_rank_clear(&rank);
    return status;
}

/* Which parameters would the data alone not identify? */
static int find_by_prior(struct cf_optimum *optimum, struct cf_error *err)
{
    const struct cf_problem *q = &optimum->problem;
    struct cf_rank rank;
    int status;

    if (q->nprior == 0)
        return CF_OK;
    status = cf_rank_analyse(optimum->fold.data, q->nfree, q->nfree, q->nfree + 1, NULL,
                             cf_rank_noise, &rank, err);
    for (size_t i = 0; i < q->nfree && !status; i++)
        optimum->by_prior[i] =
            !cf_rank_identifies(&rank, i) && cf_rank_identifies(&optimum->rank, i);
    cf_rank_clear(&rank);
    return status;
}

/* All that is known of optimum->theta. */
static int look_at(struct cf_optimum *optimum, struct cf_error *err)
{
    struct cf_problem *q = &optimum->problem;
    double change;
    /* this also finds the degrees of freedom that each channel is left with */
    int status = cf_sigma_update(q, optimum->theta, &change, err);

    cf_rank_clear(&optimum->rank);
    cf_variances_clear(&optimum->variances);
    if (!status)
        status = cf_problem_fold(q, optimum->theta, &optimum->fold, err);
    if (!status) {
        memcpy(q->local, optimum->fold.local, q->nlocal * sizeof *q->local);
        status = cf_rank_fold(&optimum->fold, NULL, &optimum->rank, err);
    }
    if (!status)
        status = find_by_prior(optimum, err);
    if (!status) {
        measure(optimum);
        status = judge_variances(optimum, err);
    }
    return status;
}

/* And about it; lowest[nfree]: what a descent without derivatives finds from there. */
static int look_about(struct cf_optimum *optimum, double lowest[], struct cf_error *err)
{
    int status = look_at(optimum, err);

    return status ? status
                  : cf_simplex_fall(&optimum->problem, &optimum->rank, optimum->theta,
                                    &optimum->fall, lowest, err);
}

/* The covariance that its errors ask for, and what is identified of it. */
static int find_spread(struct cf_optimum *optimum, struct cf_error *err)
{
    int status = cf_robust_covariance(optimum, err);

    if (!status)
        status = cf_cluster_covariance(optimum, err);
    if (status)
        return status;
    free(optimum->combination);
    optimum->combination = NULL;
    return cf_combinations(&optimum->problem, &optimum->rank, optimum->theta, &optimum->combination,
                           &optimum->ncombination, err);
}

static int go_on(struct cf_optimum *optimum, struct cf_solver *solver, const double lowest[],
                 bool *moved, struct cf_error *err)
{
    int status = cf_solution_try(&optimum->problem, solver, &optimum->start[0], lowest, moved, err);

    take_best(optimum);
    return status;
}

/* From likelier variances that were found. */
static int lower_variances(struct cf_optimum *optimum, struct cf_solver *solver,
                           struct cf_error *err)
{
    const double fine_sigma = 1e-9; /* as the search for the best of all starts ends */
    struct cf_problem *q = &optimum->problem;
    struct cf_rank rank = {0};
    double fall;
    int status = cf_rank_within_bounds(q, optimum->theta, &optimum->fold, &rank, err);

    if (!status)
        status = cf_reml_fall(q, optimum->theta, &rank, q, &fall, err);
    if (!status)
        status = cf_polish(solver, q, NULL, fine_sigma, &optimum->start[0], err);
    cf_rank_clear(&rank);
    take_best(optimum);
    return status;
}

/* All that is known of where the best start ended, or of what lies lower beside it. */
static int settle(struct cf_optimum *optimum, struct cf_solver *solver, struct cf_error *err)
{
    struct cf_problem *q = &optimum->problem;
    double *lowest = calloc(q->nfree + 1, sizeof *lowest);
    bool moved = true;
    int status = lowest ? look_about(optimum, lowest, err)
                        : cf_fail(err, CF_ENOMEM, "no memory for %zu unknowns", q->nfree);

    for (int i = 0; i < CF_DESCENTS && optimum->variance_fall > cf_least_fall(q) && !status; i++) {
        status = lower_variances(optimum, solver, err);
        if (!status)
            status = look_about(optimum, lowest, err);
    }
    for (int i = 0; i < CF_DESCENTS && moved && optimum->fall > cf_same_cost && !status; i++) {
        status = go_on(optimum, solver, lowest, &moved, err);
        if (!status)
            status = look_about(optimum, lowest, err);
    }
    free(lowest);
    if (!status)
        status = find_spread(optimum, err);
    optimum->settled = !status;
    return status;
}

int cf_optimum_find(struct cf_optimum *optimum, struct cf_solver *solver, struct cf_error *err)
{
    int status = optimise(optimum, solver, err);

    return status ? status : settle(optimum, solver, err);
}

int cf_optimum_again(struct cf_optimum *optimum, struct cf_solver *solver, struct cf_error *err)
{
    struct cf_problem *q = &optimum->problem;
    int status;

    optimum->settled = false;
    status = cf_noise_refit(solver, q, &optimum->start[0], err);
    if (!status)
        status = cf_serial_settle(q, solver, &optimum->start[0], err);
    if (status)
        return status;
    take_best(optimum);
    return settle(optimum, solver, err);
}

int cf_optimum_lower(struct cf_optimum *optimum, struct cf_solver *solver, const double theta[],
                     bool *moved, struct cf_error *err)
{
    int status;

    optimum->settled = false;
    status = go_on(optimum, solver, theta, moved, err);
    return status ? status : settle(optimum, solver, err);
}

/* ---- of a search that was cancelled */

/* The cost of a solution as it stands, which needs no slopes; INFINITY where it has none. */
static int cost_again(struct cf_problem *q, struct cf_solution *s, struct cf_error *err)
{
    int status;

    cf_sigma_reset(q);
    cf_problem_reset_locals(q);
    status = cf_cost(q, s->theta, &s->cost, err);
    if (cf_status_ends(status))
        return status;
    if (status || !isfinite(s->cost))
        s->cost = INFINITY;
    return CF_OK;
}

/* The best of those that were polished, and the one that was on its way, become start[0]; what was
 * not begun is left out. */
static int choose_salvage(struct cf_optimum *optimum, size_t all, struct cf_error *err)
{
    struct cf_solution *s = optimum->start, keep;
    size_t n = optimum->nstart;
    bool way = n < all && s[n].origin;
    int status = CF_OK;

    qsort(s, n, sizeof *s, cf_solution_by_cost);
    for (size_t i = 0; i < n + way; i++)
        s[i].excess = INFINITY;
    if (n)
        status = cost_again(&optimum->problem, &s[0], err);
    if (way && !status) {
        s[n].end = CF_END_STALLED;
        status = cost_again(&optimum->problem, &s[n], err);
    }
    if (way && !status && isfinite(s[n].cost) && (!n || s[n].cost < s[0].cost)) {
        keep = s[n];
        memmove(s + 1, s, n * sizeof *s);
        s[0] = keep;
        optimum->nstart++;
    }
    return status;
}

int cf_optimum_salvage(struct cf_optimum *optimum, struct cf_optimum *from, bool *found,
                       struct cf_error *err)
{
    size_t all = cf_start_count(&from->problem.spec->options);
    double change;
    int status = CF_OK;

    optimum->start = from->start;
    optimum->nstart = from->nstart;
    from->start = NULL;
    from->nstart = 0;
    if (optimum->start)
        status = choose_salvage(optimum, all, err);
    *found = !status && optimum->nstart && isfinite(optimum->start[0].cost);
    if (!*found)
        return status;
    optimum->start[0].excess = 0;
    optimum->confirmed = cf_solutions_confirmed(optimum->start, optimum->nstart);
    take_best(optimum);
    /* from initial sigmas: the next update, which looks at theta, has them near enough */
    status = cf_sigma_update(&optimum->problem, optimum->theta, &change, err);
    if (!status)
        status = look_at(optimum, err);
    return status ? status : find_spread(optimum, err);
}
