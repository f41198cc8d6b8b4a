#include "estimate/left_out_fit.h"

#include <math.h>
#include <stdlib.h>

const double cf_left_out_agreement = 0.1;

void cf_left_out_fit_free(struct cf_left_out_fit *b)
{
    cf_solver_free(b->solver);
    if (b->moves)
        cf_problem_free(&b->problem);
    else
        free(b->problem.local);
}

int cf_left_out_fit_make(const struct cf_problem *q, struct cf_left_out_fit *b,
                         struct cf_error *err)
{
    int status = CF_OK;

    *b = (struct cf_left_out_fit){.problem = *q, .moves = cf_sigma_moves(q)};
    if (b->moves)
        status = cf_problem_copy(&b->problem, q, err);
    else
        b->problem.local = malloc((q->nlocal + 1) * sizeof *q->local);
    b->solver = status ? NULL : cf_solver_alloc(q);
    if (b->solver && b->problem.local)
        return CF_OK;
    if (!status)
        cf_left_out_fit_free(b);
    return status ? status
                  : cf_fail(err, CF_ENOMEM, "no memory to fit %zu observations again",
                            q->nobservation);
}

double cf_left_out_tolerance(const struct cf_problem *q)
{
    /* predictions are then as good as printed; of a law that is integrated to the digits that a
     * page prints: each round costs a hundred impacts */
    return cf_problem_is_slow(q) ? 1e-4 : 1e-7;
}

int cf_left_out_predict(const struct cf_problem *q, size_t i, const double theta[],
                        double *predicted, struct cf_error *err)
{
    struct cf_problem one = *q;
    struct cf_part part = {.data = q->observation[i].data, .first = i, .count = 1};
    int status;

    for (size_t p = 0; p < q->npart; p++)
        if (i >= q->part[p].first && i < q->part[p].first + q->part[p].count)
            part.local = q->part[p].local;
    one.part = &part;
    one.npart = 1;
    status = cf_part_value(&one, theta, predicted, err);
    if (status)
        *predicted = NAN;
    return cf_status_ends(status) ? status : CF_OK;
}
