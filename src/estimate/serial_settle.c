/* A law and the noise of its dense channels, fitted in turn. */

#include "estimate/noise_model.h"
#include "estimate/serial_choose.h"

/* Rounds; kind and order stay after the first few, so that they do not turn in a circle. */
enum { ROUNDS = 10, OPEN_ROUNDS = 3 };

int cf_serial_settle(struct cf_problem *problem, struct cf_solver *solver, struct cf_solution *best,
                     struct cf_error *err)
{
    bool changed = problem->nserial > 0;
    int status = CF_OK;

    for (int i = 0; i < ROUNDS && changed && best->end == CF_END_CONVERGED && !status; i++) {
        status = cf_serial_choose(problem, best->theta, i >= OPEN_ROUNDS, &changed, err);
        if (!status && changed)
            status = cf_noise_refit(solver, problem, best, err);
    }
    for (size_t s = 0; s < problem->nserial; s++)
        problem->serial[s].settled = !changed;
    return status;
}
