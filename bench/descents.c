/* One descent of a study, from where a script would begin it. */

#include "descents.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "estimate/solve.h"
#include "study/study.h"
#include "timing.h"

enum { TURNS = 3, MOST = 8 };

/* Where the search begins; of what has no name here, at its usual value. */
struct descent {
    const char *key, *study, *told, *remark;
    struct {
        const char *name;
        double value;
    } start[MOST];
};

static const struct descent descents[] = {
    {"pulse",
     "synthetic_force_pulses.yaml",
     "n",
     "one descent of 5 parameters and 3 touches",
     {{"pivot_force", 1.1 * 483}, {"pivot_damping", 0.9 * 67}, {"n", 1.6}, {"p", 0.55}}},
    {"ramp",
     "presliding_loops.yaml",
     "sigma_0",
     "one descent of 3 parameters, 8000 rows",
     {{"mu_s", 0.51}, {"sigma_0", 6500}}},
    {"stick-slip",
     "../bench/stick_slip.yaml",
     "tau_dw",
     "one descent of 4 parameters and 12 troughs",
     {{"mu_s", 0.16}, {"mu_c", 0.11}, {"v_s", 2e-3}, {"tau_dw", 0.2}}},
    {"toss",
     "cube_tosses.yaml",
     "mu",
     "one descent of 3 parameters, the windows of 15 tosses",
     {{"mu", 0.25}, {"e", 0.2}}},
};

static double start_of(const struct descent *d, const struct cf_unknown *w)
{
    for (int i = 0; i < MOST && d->start[i].name; i++)
        if (strcmp(d->start[i].name, w->name) == 0)
            return cf_unknown_theta(w, d->start[i].value);
    return isnan(w->start) ? 0 : w->start;
}

static int descend(const struct descent *d, struct cf_problem *problem, double *told,
                   struct cf_error *err)
{
    struct cf_solver *solver = cf_solver_alloc(problem);
    struct cf_solution *solution = cf_solutions_alloc(1, problem->nfree);
    int status = solver && solution ? CF_OK : cf_fail(err, CF_ENOMEM, "no memory for the solver");

    for (size_t i = 0; i < problem->nfree && !status; i++)
        solution->theta[i] = start_of(d, &problem->unknown[i]);
    if (!status)
        status = cf_polish(solver, problem, NULL, 0, solution, err);
    if (!status && solution->end != CF_END_CONVERGED)
        status = cf_fail(err, CF_EFIT, "%s: the descent did not converge", d->study);
    for (size_t i = 0; i < problem->nfree && !status; i++)
        if (strcmp(problem->unknown[i].name, d->told) == 0)
            *told = cf_unknown_value(&problem->unknown[i], solution->theta[i]);
    cf_solver_free(solver);
    free(solution);
    return status;
}

static int time_one(const struct descent *d, const char *folder, struct cf_curves *curves,
                    struct cf_error *err)
{
    char *path = cf_format("%s/%s", folder, d->study);
    struct cf_study *study = path ? cf_study_read(path, NULL, err) : NULL;
    double best = INFINITY, told = NAN;
    int status = study ? CF_OK : CF_EINPUT;

    for (int turn = 0; turn < TURNS && !status; turn++) {
        double begin = bench_now_s();
        struct cf_problem problem;
        status = cf_problem_init(&problem, &study->spec, study->spec.law, curves, CF_ROW_FIT,
                                 CF_SCOPE_ALL, err);
        if (!status)
            status = descend(d, &problem, &told, err);
        cf_problem_free(&problem);
        best = fmin(best, bench_now_s() - begin);
    }
    if (!status)
        bench_print(d->key, best, told, d->remark);
    cf_study_free(study);
    free(path);
    return status;
}

int bench_descents(const char *folder, struct cf_curves *curves, struct cf_error *err)
{
    int status = CF_OK;

    for (size_t i = 0; i < sizeof descents / sizeof descents[0] && !status; i++)
        status = time_one(&descents[i], folder, curves, err);
    return status;
}
