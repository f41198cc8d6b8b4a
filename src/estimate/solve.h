/* The optimiser: Sobol starts, each polished by Levenberg-Marquardt with geodesic acceleration
 * behind a smooth map of the bounds, with sigmas and the weights of the loss updated between
 * rounds.
 *
 * The map theta = lower + (upper - lower)/(1 + exp(-u)) keeps the law from ever being called
 * outside its bounds, where NaN or penalties make optimisers report success at wrong points.
 */

#ifndef CF_ESTIMATE_SOLVE_H
#define CF_ESTIMATE_SOLVE_H

#include "estimate/problem.h"

enum cf_end {
    CF_END_CONVERGED, /* the step or the gradient became negligible */
    CF_END_STALLED,   /* it did not within the iterations allowed */
    CF_END_FAILED,    /* the law could not be evaluated */
};

struct cf_solution {
    double theta[CF_MAX_PARAM];
    double cost; /* -2 ln L, estimated sigmas at their best */
    size_t evaluations;
    enum cf_end end;
    const char *origin; /* "sobol", "stated", or the global method */
};

struct cf_solver; /* workspace for problems of one shape */
struct cf_solver *cf_solver_alloc(const struct cf_problem *problem); /* NULL: out of memory */
void cf_solver_free(struct cf_solver *solver);

/* Initial sigmas: stated ones, and a tenth of the values' size where estimated. */
void cf_sigma_reset(struct cf_problem *problem);

/* Do the sigmas depend on theta? (estimated ones; imposed quantities that have one) */
bool cf_sigma_moves(const struct cf_problem *q);

/* Update sigmas and the weights of the loss at theta: the imposed quantity's sigma
 * carried over by dy/dimposed (effective variance), estimated ones from the residuals and the
 * degrees of freedom that each channel is left with. *change receives the largest relative change;
 * that of a weight is relative to a full one. */
int cf_sigma_update(struct cf_problem *problem, const double theta[], double *change,
                    struct cf_error *err);

/* -2 ln L at theta, with all constants, sigmas of estimated channels at their optimum. */
int cf_cost(const struct cf_problem *problem, const double theta[], double *cost,
            struct cf_error *err);

/* Polish from solution->theta. held[nfree] (NULL: none) marks parameters that stay. Sigmas are
 * updated along the way until they change by less than sigma_tolerance (relative); 0 leaves them as
 * they are. A start that fails is no error: see solution->end. */
int cf_polish(struct cf_solver *solver, struct cf_problem *problem, const bool held[],
              double sigma_tolerance, struct cf_solution *solution, struct cf_error *err);

/* The best of spec->options.screen Sobol points, or the stated start: no descent. */
int cf_screen_best(const struct cf_problem *problem, double theta[], struct cf_error *err);

/* How many solutions cf_multistart() finds at most. */
size_t cf_start_count(const struct cf_fit_options *options);

/* Screen spec->options.screen Sobol points and stated starts, polish the best two thirds of
 * `starts` and a third spread over the rest, and the ends of the global searches that the options
 * ask for. solution[cf_start_count()], best first; *count is how many there are.
 * Leaves the problem's sigmas as they are at the best. */
int cf_multistart(struct cf_solver *solver, struct cf_problem *problem,
                  struct cf_solution solution[], size_t *count, struct cf_error *err);

#endif
