/* The best starts, each polished: of many rows on some, and confirmed on all. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/global.h"
#include "estimate/lower.h"
#include "estimate/rank.h"
#include "estimate/starts.h"

/* Over thousands of rows of a motion chi^2 is as smooth as its integration is, and an optimum found
 * as well as a tenth of the standard errors: so much of chi^2. */
static const double rough_cost = 1e-2;

double cf_least_fall(const struct cf_problem *problem)
{
    return cf_problem_is_motion(problem) ? rough_cost : cf_same_cost;
}

/* To rank starts, sigmas need converge only so far: the cost is flat in them at their optimum. */
static const double coarse_sigma = 1e-3, fine_sigma = 1e-9;

bool cf_solution_is_best(const struct cf_solution *solution)
{
    return solution->end == CF_END_CONVERGED && fabs(solution->excess) < cf_same_cost;
}

size_t cf_solutions_confirmed(const struct cf_solution solution[], size_t count)
{
    size_t n = 0;

    for (size_t i = 0; i < count; i++)
        n += cf_solution_is_best(&solution[i]);
    return n;
}

/* Costs are -2 ln L: by less than this no data prefer one end to another. */
static const double alike = 1;

bool cf_solutions_stalled_alike(const struct cf_solution solution[], size_t count)
{
    return count > 1 && solution[0].end == CF_END_STALLED && solution[1].cost < INFINITY &&
           solution[1].cost - solution[0].cost < alike;
}

/* Where an end lies at the bound at which the best lies, it is put as near to it: how far it has
 * come there is no part of the answer, and where a bound binds hard it costs much. */
static void put_at_bounds(const struct cf_problem *q, const double best[], const double from[],
                          double to[])
{
    for (size_t j = 0; j < q->nfree; j++) {
        int bound = cf_unknown_at_bound(&q->unknown[j], best[j]);
        to[j] = bound && cf_unknown_at_bound(&q->unknown[j], from[j]) == bound ? best[j] : from[j];
    }
}

/* The excess of all over the first, at the problem's variances. That of -2 ln L would not do: a
 * theta that is right for variances that differ by a thousandth differs from the best by the same
 * share of what priors pull, and variances of less freedom than rows are not those of its least. */
static int compare(const struct cf_problem *q, struct cf_solution solution[], size_t count,
                   struct cf_error *err)
{
    struct cf_fold fold = {0};
    double least = 0, *theta = calloc(q->nfree + 1, sizeof *theta);
    int status = theta ? cf_fold_alloc(&fold, q, err)
                       : cf_fail(err, CF_ENOMEM, "no memory for %zu unknowns", q->nfree);

    for (size_t i = 0; i < count && !status; i++) {
        solution[i].excess = INFINITY;
        if (solution[i].end == CF_END_FAILED)
            continue;
        put_at_bounds(q, solution[0].theta, solution[i].theta, theta);
        status = cf_problem_fold(q, theta, &fold, err);
        if (status == CF_ESOLVE || status == CF_ERANGE) {
            status = CF_OK;
            continue;
        }
        least = i == 0 ? fold.chi2 : least;
        solution[i].excess = fold.chi2 - least;
    }
    cf_fold_clear(&fold);
    free(theta);
    return status;
}

/* Unknowns that ended farther from their hand value than starts lie go back to it. Any? */
static bool put_back(const struct cf_problem *q, double theta[])
{
    bool any = false;

    for (size_t j = 0; j < q->nfree; j++) {
        const struct cf_unknown *w = &q->unknown[j];
        if (!w->by_hand || !(fabs(theta[j] - w->start) > w->reach))
            continue;
        theta[j] = w->start;
        any = true;
    }
    return any;
}

static int polish_afresh(struct cf_solver *solver, struct cf_problem *q, struct cf_solution *s,
                         struct cf_error *err)
{
    cf_sigma_reset(q);
    cf_problem_reset_locals(q);
    return cf_polish(solver, q, NULL, coarse_sigma, s, err);
}

/* In a motion an unknown may be driven to where it has no slope while the others are still far off,
 * as a dwell time to nearly 0, and no descent leads back. Once the others have settled it gets a
 * second try, from what the hand formulas say. */
static int polish_start(struct cf_solver *solver, struct cf_problem *q, struct cf_solution *s,
                        struct cf_solution *again, struct cf_error *err)
{
    int status = polish_afresh(solver, q, s, err);

    if (status || s->end == CF_END_FAILED || !cf_problem_is_motion(q))
        return status;
    cf_solution_put(q, s, again);
    if (!put_back(q, again->theta))
        return CF_OK;
    status = polish_afresh(solver, q, again, err);
    s->evaluations = again->evaluations;
    if (!status && again->end != CF_END_FAILED && again->cost < s->cost)
        cf_solution_put(q, again, s);
    return status;
}

/* Each of the starts polished on one problem. */
static int polish_all(struct cf_solver *solver, struct cf_problem *q,
                      const struct cf_fit_options *options, struct cf_solution solution[],
                      size_t *count, struct cf_error *err)
{
    struct cf_solution *again = cf_solutions_alloc(1, q->nfree);
    int status;

    if (!again)
        return cf_fail(err, CF_ENOMEM, "no memory for a start");
    *count = 0;
    cf_sigma_reset(q);
    status = cf_find_starts(q, options, solution, err);
    for (size_t i = 0; i < cf_start_count(options) && !status; i++) {
        status = polish_start(solver, q, &solution[i], again, err);
        *count = i + 1;
    }
    free(again);
    return status;
}

/* Best first, with the sigmas as they are there. */
static int rank(struct cf_solver *solver, struct cf_problem *q, struct cf_solution solution[],
                size_t count, struct cf_error *err)
{
    double change;
    int status = CF_OK;

    qsort(solution, count, sizeof *solution, cf_solution_by_cost);
    if (!isfinite(solution[0].cost))
        return cf_fail(err, CF_EFIT,
                       "%s could not be evaluated at any of %zu starts: are the bounds plausible?",
                       q->law->name, count);

    /* sigmas converge to slightly different values from another start: converge them at the best */
    cf_sigma_reset(q);
    cf_problem_reset_locals(q);
    for (int i = 0; i < 2 && !status; i++)
        status = cf_sigma_update(q, solution[0].theta, &change, err);
    if (!status)
        status = cf_polish(solver, q, NULL, fine_sigma, &solution[0], err);
    return status ? status : compare(q, solution, count, err);
}

/* What an earlier search found, in the place of the worst, where none of these is as good. */
static void keep_better(const struct cf_problem *q, const struct cf_solution *found,
                        struct cf_solution solution[], size_t count)
{
    size_t worst = 0;
    double least = INFINITY;

    for (size_t i = 0; i < count; i++) {
        least = fmin(least, solution[i].cost);
        worst = solution[i].cost > solution[worst].cost ? i : worst;
    }
    if (found->cost < least - cf_same_cost)
        cf_solution_put(q, found, &solution[worst]);
}

/* Of motions a start that finds nothing takes minutes: not more than so many times the few. */
static const size_t most_wider = 3;

/* From as many starts as were asked for, where few were to do and no two ended at one optimum. */
static int search_wider(struct cf_solver *solver, struct cf_problem *q,
                        struct cf_fit_options options, struct cf_solution solution[], size_t *count,
                        struct cf_error *err)
{
    struct cf_solution *found = cf_solutions_alloc(1, q->nfree);
    int status;

    if (!found)
        return cf_fail(err, CF_ENOMEM, "no memory for a start");
    cf_solution_put(q, &solution[0], found);
    if (cf_problem_is_motion(q) && most_wider * options.starts < q->spec->options.starts)
        options.starts *= most_wider;
    else
        options.starts = q->spec->options.starts;
    status = polish_all(solver, q, &options, solution, count, err);
    if (!status) {
        keep_better(q, found, solution, *count);
        status = rank(solver, q, solution, *count, err);
    } else if (status == CF_ECANCELLED) { /* what was found before is not lost */
        *count = *count ? *count : 1;
        cf_solution_put(q, found, &solution[*count - 1]);
    }
    free(found);
    return status;
}

/* Starts of a motion that stall alike crawl along one valley, in which more would crawl too, each
 * for as long. Where the best converged, a wider search can still confirm it. */
static bool few_suffice(const struct cf_problem *q, const struct cf_solution solution[],
                        size_t count)
{
    return cf_solutions_confirmed(solution, count) > 1 ||
           (cf_problem_is_motion(q) && cf_solutions_stalled_alike(solution, count));
}

/* A start polished as in the first round, and with the sigmas that readings have about the start
 * itself; the lower end counts. The first round begins with sigmas as large as what a channel
 * spreads, which may let another channel, of given sigmas, lead all starts astray. */
static int polish_both(struct cf_solver *solver, struct cf_problem *q, struct cf_solution *s,
                       struct cf_solution *own, struct cf_error *err)
{
    double change;
    int status;

    cf_solution_put(q, s, own);
    status = polish_afresh(solver, q, s, err);
    if (status)
        return status;
    cf_sigma_reset(q);
    cf_problem_reset_locals(q);
    status = cf_sigma_update(q, own->theta, &change, err);
    if (status)
        return cf_status_ends(status) ? status : CF_OK;
    status = cf_polish(solver, q, NULL, coarse_sigma, own, err);
    if (!status && own->cost < s->cost)
        cf_solution_put(q, own, s);
    return status;
}

/* A second round, where no other start ended at the best: of many unknowns with much of their range
 * where nothing depends on them, few starts have all where they matter. These have one or two
 * unknowns anywhere, and the others where the best has them. */
static int search_again(struct cf_solver *solver, struct cf_problem *q,
                        struct cf_solution solution[], size_t count, struct cf_error *err)
{
    struct cf_fit_options options = q->spec->options;
    size_t own = count + cf_global_count(&q->spec->options); /* behind what global searches find */
    struct cf_solution *new = cf_solutions_alloc(own + 1, q->nfree);
    int status;

    options.starts = count;
    status = new ? cf_find_starts(q, &options, new, err)
                 : cf_fail(err, CF_ENOMEM, "no memory for %zu starts", count);
    for (size_t i = 1; i < count && !status; i++) {
        size_t one = i % q->nfree, two = i / q->nfree % q->nfree;
        for (size_t j = 0; j < q->nfree; j++)
            if (j != one && j != two)
                new[i].theta[j] = solution[0].theta[j];
        status = polish_both(solver, q, &new[i], &new[own], err);
        if (!status && new[i].cost < solution[i].cost)
            cf_solution_put(q, &new[i], &solution[i]);
    }
    free(new);
    return status ? status : rank(solver, q, solution, count, err);
}

/* At a kink of the law, as where touch reaches a row, descents by derivatives end anywhere along
 * it: the best and the next one go on without. */
static int lower_first_two(struct cf_solver *solver, struct cf_problem *q,
                           struct cf_solution solution[], size_t count, struct cf_error *err)
{
    int status = CF_OK;

    for (size_t i = 2; i-- > 0 && !status;) /* locals and sigmas are near those of the best */
        status = cf_solution_lower(q, solver, &solution[i], err);
    return status ? status : rank(solver, q, solution, count, err);
}

static int search(struct cf_solver *solver, struct cf_problem *q, struct cf_solution solution[],
                  size_t *count, struct cf_error *err)
{
    bool fewer;
    const struct cf_fit_options options = cf_start_options(q, &fewer);
    int status = polish_all(solver, q, &options, solution, count, err);

    if (!status)
        status = rank(solver, q, solution, *count, err);
    if (!status && fewer && !few_suffice(q, solution, *count))
        status = search_wider(solver, q, options, solution, count, err);
    if (status || cf_solutions_confirmed(solution, *count) > 1)
        return status;
    if (q->nfree > 1 && !cf_problem_is_motion(q))
        status = search_again(solver, q, solution, *count, err);
    if (status || *count < 2 || cf_solutions_confirmed(solution, *count) > 1 ||
        !(solution[1].excess < alike))
        return status;
    return lower_first_two(solver, q, solution, *count, err);
}

/* ---- many rows: the optimum of some, confirmed on all */

/* The second start on all rows lies this many standard errors of the thinned rows from their
 * optimum, in every identified coordinate. */
static const double displacement = 3;

/* A start away from theta: up in one coordinate, down in the next. */
static int displace(const struct cf_problem *q, const double from[], double to[],
                    struct cf_error *err)
{
    struct cf_rank rank;
    int status = cf_rank_problem(q, from, NULL, &rank, err);

    for (size_t i = 0; i < q->nfree && !status; i++) {
        const struct cf_unknown *w = &q->unknown[i];
        double by =
            cf_rank_identifies(&rank, i) ? displacement * sqrt(cf_rank_variance(&rank, i)) : 0;
        to[i] = fmin(fmax(from[i] + (i % 2 ? -by : by), w->lower), w->upper);
    }
    cf_rank_clear(&rank);
    return status;
}

/* Polish on all rows from the optimum of some, and from beside it. Both take places of `solution`;
 * the costs of the others are raised to what they would be here. */
static int confirm(struct cf_solver *solver, struct cf_problem *q, const struct cf_problem *some,
                   struct cf_solution solution[], size_t count, struct cf_error *err)
{
    struct cf_solution *both = cf_solutions_alloc(2, q->nfree);
    double thinned = solution[0].cost;
    int status = both ? displace(some, solution[0].theta, both[1].theta, err)
                      : cf_fail(err, CF_ENOMEM, "no memory for two starts");

    if (!status)
        memcpy(both[0].theta, solution[0].theta, q->nfree * sizeof *both[0].theta);
    for (size_t k = 2; k-- > 0 && !status;) {
        both[k].origin = k ? "displaced" : solution[0].origin;
        both[k].rows = cf_problem_rows(q);
        cf_problem_begin_as(q, some);
        cf_problem_reset_locals(q);
        status = cf_polish(solver, q, NULL, fine_sigma, &both[k], err);
    }
    if (!status)
        status = compare(q, both, 2, err);
    /* none becomes better than those on all rows, be it by rounding */
    for (size_t i = 0; i < count && !status; i++)
        solution[i].cost =
            fmax(solution[i].cost + both[0].cost - thinned, fmin(both[0].cost, both[1].cost));
    for (size_t k = 0; k < 2 && k < count && !status; k++)
        cf_solution_put(q, &both[k], &solution[k ? count - 1 : 0]);
    free(both);
    return status;
}

int cf_multistart(struct cf_solver *solver, struct cf_problem *problem,
                  struct cf_solution solution[], size_t *count, struct cf_error *err)
{
    struct cf_problem some;
    struct cf_solver *own = NULL;
    int status;

    *count = 0;
    if (cf_problem_rows(problem) <= cf_most_searched)
        return search(solver, problem, solution, count, err);
    status = cf_problem_thin(&some, problem, cf_most_searched, err);
    if (status)
        return status;
    own = cf_solver_alloc(&some);
    if (!own)
        status = cf_fail(err, CF_ENOMEM, "no memory for the optimiser");
    if (!status)
        status = search(own, &some, solution, count, err);
    if (!status)
        status = confirm(solver, problem, &some, solution, *count, err);
    if (!status)
        qsort(solution, *count, sizeof *solution, cf_solution_by_cost);
    cf_solver_free(own);
    cf_problem_free(&some);
    return status;
}
