#include "estimate/global.h"

#include <gsl/gsl_rng.h>
#include <math.h>
#include <nlopt.h>
#include <stdlib.h>
#include <string.h>

#include "core/nearest.h"
#include "core/random.h"
#include "core/text.h"

/* Searches of a stochastic method: two that agree confirm each other. */
enum { DICE_RUNS = 2 };

/* Random streams of the searches begin here; those below belong to starts and tests. */
static const uint64_t first_stream = 1000;

/* The cost of a point at which the law cannot be evaluated: NaN makes NLopt report success at wrong
 * points, and infinity spoils the differences that its methods form. */
static const double bad_cost = 1e30;

/* MLSL's local searches stop at this relative step; MLSL itself is limited by the budget alone. */
static const double local_step = 1e-3;

const char *const cf_global_name[CF_NGLOBAL] = {
    [CF_GLOBAL_NONE] = "none", [CF_GLOBAL_CRS2] = "crs2",   [CF_GLOBAL_DIRECT] = "direct",
    [CF_GLOBAL_MLSL] = "mlsl", [CF_GLOBAL_ISRES] = "isres", [CF_GLOBAL_ESCH] = "esch",
};

static const nlopt_algorithm algorithm[CF_NGLOBAL] = {
    [CF_GLOBAL_CRS2] = NLOPT_GN_CRS2_LM, [CF_GLOBAL_DIRECT] = NLOPT_GN_DIRECT_L,
    [CF_GLOBAL_MLSL] = NLOPT_G_MLSL_LDS, [CF_GLOBAL_ISRES] = NLOPT_GN_ISRES,
    [CF_GLOBAL_ESCH] = NLOPT_GN_ESCH,
};

int cf_global_find(const char *name, enum cf_global_kind *kind, struct cf_error *err)
{
    char shown[CF_SHOWN];
    const char *near = cf_nearest(name, cf_global_name, CF_NGLOBAL);

    for (int i = 0; i < CF_NGLOBAL; i++)
        if (strcmp(name, cf_global_name[i]) == 0) {
            *kind = (enum cf_global_kind) i;
            return CF_OK;
        }
    if (near)
        return cf_fail(err, CF_EINPUT, "unknown global search %s: did you mean %s?",
                       cf_show(name, shown), near);
    return cf_fail(err, CF_EINPUT,
                   "unknown global search %s: known here: none, crs2, direct, mlsl, isres, esch",
                   cf_show(name, shown));
}

size_t cf_global_count(const struct cf_fit_options *options)
{
    return options->global == CF_GLOBAL_NONE     ? 0
           : options->global == CF_GLOBAL_DIRECT ? 1
                                                 : DICE_RUNS;
}

/* One running search, in the unit box. NLopt's own record of the best point is not relied upon. */
struct global_search {
    const struct cf_problem *problem;
    struct cf_solution *best;
    double *theta; /* room for a point */
    nlopt_opt opt;
    int status; /* what ended it before its time */
    struct cf_error *err;
};

static double cost_at(unsigned n, const double t[], double slope[], void *data)
{
    struct global_search *s = data;
    double *theta = s->theta, cost;

    (void) slope;
    for (unsigned j = 0; j < n; j++) {
        const struct cf_unknown *w = &s->problem->unknown[j];
        theta[j] = w->lower + (w->upper - w->lower) * fmin(fmax(t[j], 0), 1);
    }
    s->best->evaluations++;
    int status = cf_workers_check(s->problem->workers, s->err);
    if (!status)
        status = cf_cost(s->problem, theta, &cost, s->err);
    if (cf_status_ends(status)) {
        s->status = status;
        nlopt_force_stop(s->opt);
    }
    if (status || !isfinite(cost))
        return bad_cost;
    if (cost < s->best->cost) {
        s->best->cost = cost;
        memcpy(s->best->theta, theta, n * sizeof *theta);
    }
    return cost;
}

/* MLSL needs a local method. */
static int set_local(nlopt_opt opt, unsigned n)
{
    nlopt_opt local = nlopt_create(NLOPT_LN_SBPLX, n);
    int status = !local || nlopt_set_xtol_rel(local, local_step) < 0 ||
                         nlopt_set_local_optimizer(opt, local) < 0
                     ? CF_ENOMEM
                     : CF_OK;
    nlopt_destroy(local);
    return status;
}

int cf_global_search(const struct cf_problem *problem, size_t run, struct cf_solution *solution,
                     struct cf_error *err)
{
    const struct cf_fit_options *o = &problem->spec->options;
    unsigned n = (unsigned) problem->nfree;
    double *room = calloc(2 * problem->nfree + 1, sizeof *room), *t = room, cost = 0;
    struct global_search search = {problem, solution, room ? room + problem->nfree : NULL,
                                   NULL,    CF_OK,    err};
    gsl_rng *rng = cf_random_stream(o->seed, first_stream + run);
    nlopt_opt opt = nlopt_create(algorithm[o->global], n);
    int status = rng && opt && room ? CF_OK : CF_ENOMEM;

    *solution = (struct cf_solution){.theta = solution->theta,
                                     .cost = INFINITY,
                                     .origin = cf_global_name[o->global],
                                     .rows = cf_problem_rows(problem)};
    for (unsigned j = 0; j < n && !status; j++) {
        const struct cf_unknown *w = &problem->unknown[j];
        t[j] = gsl_rng_uniform(rng);
        solution->theta[j] = w->lower + (w->upper - w->lower) * t[j];
    }
    search.opt = opt;
    if (!status && o->global == CF_GLOBAL_MLSL)
        status = set_local(opt, n);
    if (!status && (nlopt_set_min_objective(opt, cost_at, &search) < 0 ||
                    nlopt_set_lower_bounds1(opt, 0) < 0 || nlopt_set_upper_bounds1(opt, 1) < 0 ||
                    nlopt_set_maxeval(opt, (int) o->global_budget) < 0))
        status = CF_ENOMEM;
    if (!status) {
        /* the generator is the thread's: seeded here, results do not depend on earlier searches */
        nlopt_srand(gsl_rng_get(rng));
        /* the verdict is not its return code, but for the one failure that is no result */
        if (nlopt_optimize(opt, t, &cost) == NLOPT_OUT_OF_MEMORY)
            status = CF_ENOMEM;
    }
    nlopt_destroy(opt);
    free(room);
    if (rng)
        gsl_rng_free(rng);
    return status ? cf_fail(err, status, "no memory for a global search") : search.status;
}
