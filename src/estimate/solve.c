#include "estimate/solve.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_math.h>
#include <gsl/gsl_multifit_nlinear.h>
#include <math.h>
#include <stdlib.h>

/* Steps and gradients below these are rounding: costs are then accurate to 1e-12. */
static const double step_tolerance = 1e-10, gradient_tolerance = 1e-10;

/* For a law that is integrated, whose results have errors of some 1e-10: below these a step follows
 * those errors and not the data. Costs are accurate to 1e-9. */
static const double slow_step_tolerance = 1e-6, slow_gradient_tolerance = 1e-8;

/* And where so many iterations together lowered chi^2 by less than this, the descent ends: along a
 * direction that the data do not identify, steps neither shrink nor gain. */
static const double slow_fall = 1e-8;
enum { SLOW_PATIENCE = 3 };

/* The residual of a step to a point where a law cannot be integrated: the step is refused, and a
 * shorter one tried. A descent that begins there fails, by its Jacobian. */
static const double no_such_residual = 1e100;

enum { MAX_ITERATION = 200, MAX_ROUND = 30, MAX_ROBUST_ROUND = 300 };

/* Starts on a bound are moved inside by this share of the range: the map is flat at its ends. */
static const double margin = 1e-3;

struct cf_solver {
    gsl_multifit_nlinear_workspace *gsl[CF_MAX_PARAM + 1]; /* by number of moving parameters */
    double *r, *J;                                         /* one evaluation of all parameters */
    size_t nresidual;
};

void cf_solver_free(struct cf_solver *solver)
{
    if (!solver)
        return;
    for (size_t i = 0; i <= CF_MAX_PARAM; i++)
        if (solver->gsl[i])
            gsl_multifit_nlinear_free(solver->gsl[i]);
    free(solver->r);
    free(solver->J);
    free(solver);
}

struct cf_solver *cf_solver_alloc(const struct cf_problem *problem)
{
    gsl_multifit_nlinear_parameters how = gsl_multifit_nlinear_default_parameters();
    struct cf_solver *s = calloc(1, sizeof *s);
    size_t m = problem->nresidual;

    if (!s)
        return NULL;
    how.trs = gsl_multifit_nlinear_trs_lmaccel;
    how.solver = gsl_multifit_nlinear_solver_svd; /* QR refuses a Jacobian of rank 0 */
    s->nresidual = m;
    s->r = calloc(m + 1, sizeof *s->r);
    s->J = calloc(m * problem->nfree + 1, sizeof *s->J);
    if (!s->r || !s->J)
        goto fail;
    for (size_t n = 1; n <= problem->nfree && n <= m; n++) {
        s->gsl[n] = gsl_multifit_nlinear_alloc(gsl_multifit_nlinear_trust, &how, m, n);
        if (!s->gsl[n])
            goto fail;
    }
    return s;
fail:
    cf_solver_free(s);
    return NULL;
}

/* One running polish. */
struct unknown_state {
    struct cf_solver *solver;
    struct cf_problem *problem;
    double theta[CF_MAX_PARAM];
    size_t nmoving, moving[CF_MAX_PARAM];
    size_t evaluations;
};

static double logistic(double u)
{
    return u < 0 ? exp(u) / (1 + exp(u)) : 1 / (1 + exp(-u));
}

static double map_start(const struct cf_unknown *w, double theta)
{
    double t = (theta - w->lower) / (w->upper - w->lower);
    t = fmin(fmax(t, margin), 1 - margin);
    return log(t / (1 - t));
}

static void unmap(struct unknown_state *s, const gsl_vector *u)
{
    for (size_t i = 0; i < s->nmoving; i++) {
        const struct cf_unknown *w = &s->problem->unknown[s->moving[i]];
        s->theta[s->moving[i]] = w->lower + (w->upper - w->lower) * logistic(gsl_vector_get(u, i));
    }
}

static int residuals(const gsl_vector *u, void *data, gsl_vector *f)
{
    struct unknown_state *s = data;

    int status;

    unmap(s, u);
    s->evaluations++;
    status = cf_problem_residuals(s->problem, s->theta, s->solver->r, NULL, NULL);
    if (status && status != CF_ESOLVE)
        return GSL_EBADFUNC;
    for (size_t i = 0; i < s->problem->nresidual; i++)
        gsl_vector_set(f, i, status ? no_such_residual : s->solver->r[i]);
    return GSL_SUCCESS;
}

static int jacobian(const gsl_vector *u, void *data, gsl_matrix *J)
{
    struct unknown_state *s = data;
    size_t n = s->problem->nfree;

    unmap(s, u);
    s->evaluations++;
    if (cf_problem_residuals(s->problem, s->theta, s->solver->r, s->solver->J, NULL))
        return GSL_EBADFUNC;
    for (size_t j = 0; j < s->nmoving; j++) {
        const struct cf_unknown *w = &s->problem->unknown[s->moving[j]];
        double t = logistic(gsl_vector_get(u, j));
        double slope = (w->upper - w->lower) * t * (1 - t);
        for (size_t i = 0; i < s->problem->nresidual; i++)
            gsl_matrix_set(J, i, j, s->solver->J[i * n + s->moving[j]] * slope);
    }
    return GSL_SUCCESS;
}

/* Levenberg-Marquardt steps until one of the tests holds; the driver of GSL has none on the cost.
 */
static int iterate(gsl_multifit_nlinear_workspace *w, bool slow)
{
    double before = INFINITY, now;
    int info = 0, status = GSL_CONTINUE;

    /* where only a sigma changed, the last round's best may still be the best */
    if (slow && gsl_multifit_nlinear_test(0, slow_gradient_tolerance, 0, &info, w) == GSL_SUCCESS)
        return GSL_SUCCESS;
    for (int i = 1; i <= MAX_ITERATION && status == GSL_CONTINUE; i++) {
        status = gsl_multifit_nlinear_iterate(w);
        if (status)
            return status;
        status = gsl_multifit_nlinear_test(slow ? slow_step_tolerance : step_tolerance,
                                           slow ? slow_gradient_tolerance : gradient_tolerance, 0,
                                           &info, w);
        if (!slow || i % SLOW_PATIENCE)
            continue;
        now = gsl_pow_2(gsl_blas_dnrm2(gsl_multifit_nlinear_residual(w)));
        if (before - now < slow_fall)
            return GSL_SUCCESS;
        before = now;
    }
    return status == GSL_CONTINUE ? GSL_EMAXITER : status;
}

/* One Levenberg-Marquardt run with the sigmas as they are. */
static enum cf_end descend(struct unknown_state *s)
{
    gsl_multifit_nlinear_workspace *w = s->solver->gsl[s->nmoving];
    gsl_multifit_nlinear_fdf fdf = {
        .f = residuals,
        .df = jacobian,
        .n = s->problem->nresidual,
        .p = s->nmoving,
        .params = s,
    };
    double start[CF_MAX_PARAM];
    gsl_vector_view u = gsl_vector_view_array(start, s->nmoving);
    int status;

    for (size_t i = 0; i < s->nmoving; i++)
        start[i] = map_start(&s->problem->unknown[s->moving[i]], s->theta[s->moving[i]]);
    if (gsl_multifit_nlinear_init(&u.vector, &fdf, w))
        return CF_END_FAILED;
    status = iterate(w, s->problem->law->regular != NULL);
    unmap(s, gsl_multifit_nlinear_position(w));
    /* no progress means that no step lowers the cost any more: the verdict checks the gradient */
    if (status == GSL_SUCCESS || status == GSL_ENOPROG)
        return CF_END_CONVERGED;
    return status == GSL_EMAXITER ? CF_END_STALLED : CF_END_FAILED;
}

bool cf_sigma_moves(const struct cf_problem *q)
{
    if (q->loss.kind != CF_LOSS_SQUARES)
        return true; /* its weights do */
    for (size_t i = 0; i < q->nobservation; i++) {
        const struct cf_observation *o = &q->observation[i];
        const struct cf_dataset *d = &q->spec->data[o->data];
        if (q->channel[o->channel].estimated ||
            cf_dataset_sigma(d, o->row, d->protocol->imposed(d, o->row)) > 0)
            return true;
    }
    return false;
}

/* Rounds of descent and new sigmas until both converge. */
static enum cf_end rounds(struct unknown_state *s, double sigma_tolerance)
{
    enum cf_end end = CF_END_CONVERGED;
    int most = s->problem->loss.kind == CF_LOSS_SQUARES ? MAX_ROUND : MAX_ROBUST_ROUND;
    double change = 0;

    for (int i = 0; i < most; i++) {
        end = s->nmoving ? descend(s) : CF_END_CONVERGED;
        if (end != CF_END_CONVERGED || !(sigma_tolerance > 0))
            return end;
        if (cf_sigma_update(s->problem, s->theta, &change, NULL))
            return CF_END_FAILED;
        if (change < sigma_tolerance)
            return CF_END_CONVERGED;
    }
    return CF_END_STALLED;
}

int cf_polish(struct cf_solver *solver, struct cf_problem *problem, const bool held[],
              double sigma_tolerance, struct cf_solution *solution, struct cf_error *err)
{
    struct unknown_state s = {.solver = solver, .problem = problem};

    if (problem->nresidual < problem->nfree)
        return cf_fail(err, CF_EFIT, "%zu observations cannot fit %zu parameters",
                       problem->nresidual, problem->nfree);
    for (size_t i = 0; i < problem->nfree; i++) {
        s.theta[i] = solution->theta[i];
        if (!held || !held[i])
            s.moving[s.nmoving++] = i;
    }
    solution->end = rounds(&s, cf_sigma_moves(problem) ? sigma_tolerance : 0);
    for (size_t i = 0; i < problem->nfree; i++)
        solution->theta[i] = s.theta[i];
    solution->evaluations += s.evaluations;
    if (cf_cost(problem, s.theta, &solution->cost, NULL) || !isfinite(solution->cost)) {
        solution->end = CF_END_FAILED;
        solution->cost = INFINITY;
    }
    return CF_OK;
}
