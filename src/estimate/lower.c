#include "estimate/lower.h"

#include <stdlib.h>
#include <string.h>

#include "estimate/evaluate.h"
#include "estimate/fold.h"
#include "estimate/noise_model.h"
#include "estimate/simplex.h"
#include "estimate/starts.h"

int cf_solution_try(struct cf_problem *q, struct cf_solver *solver, struct cf_solution *best,
                    const double lowest[], bool *moved, struct cf_error *err)
{
    struct cf_solution *before = cf_solutions_alloc(1, q->nfree);
    double cost;
    int status = before ? cf_cost(q, lowest, &cost, err)
                        : cf_fail(err, CF_ENOMEM, "no memory for %zu unknowns", q->nfree);

    if (status) {
        free(before);
        return status;
    }
    cf_solution_put(q, best, before);
    memcpy(best->theta, lowest, q->nfree * sizeof *lowest);
    status = cf_noise_refit(solver, q, best, err);
    if (!status && !(best->end == CF_END_CONVERGED && best->cost < cost)) {
        memcpy(best->theta, lowest, q->nfree * sizeof *lowest);
        best->cost = cost;
        best->end = CF_END_CONVERGED;
    }
    *moved = !status && best->cost < before->cost;
    if (!*moved) {
        memcpy(best->theta, before->theta, q->nfree * sizeof *best->theta);
        best->cost = before->cost;
    }
    free(before);
    return status;
}

/* How far it falls from the best by a descent without derivatives, and to where. */
static int fall_from(struct cf_problem *q, const struct cf_solution *best, double *fall,
                     double lowest[], struct cf_error *err)
{
    struct cf_fold fold;
    struct cf_rank rank = {0};
    double change;
    int status = cf_sigma_update(q, best->theta, &change, err);

    *fall = 0;
    if (status)
        return status;
    status = cf_fold_alloc(&fold, q, err);
    if (!status)
        status = cf_problem_fold(q, best->theta, &fold, err);
    if (!status) {
        memcpy(q->local, fold.local, q->nlocal * sizeof *q->local);
        status = cf_rank_fold(&fold, NULL, &rank, err);
    }
    if (!status)
        status = cf_simplex_fall(q, &rank, best->theta, fall, lowest, err);
    cf_rank_clear(&rank);
    cf_fold_clear(&fold);
    return status;
}

int cf_solution_lower(struct cf_problem *q, struct cf_solver *solver, struct cf_solution *best,
                      struct cf_error *err)
{
    double *lowest = calloc(q->nfree + 1, sizeof *lowest), fall = 0;
    bool moved = true;
    int status = lowest ? fall_from(q, best, &fall, lowest, err)
                        : cf_fail(err, CF_ENOMEM, "no memory for %zu unknowns", q->nfree);

    for (int i = 0; i < CF_DESCENTS && moved && fall > cf_same_cost && !status; i++) {
        status = cf_solution_try(q, solver, best, lowest, &moved, err);
        if (!status)
            status = fall_from(q, best, &fall, lowest, err);
    }
    free(lowest);
    return status;
}
