/* The optimiser: Sobol starts, each polished by Levenberg-Marquardt with geodesic acceleration
 * (descent.h), with sigmas and the weights of the loss updated between rounds.
 */

#ifndef CF_ESTIMATE_SOLVE_H
#define CF_ESTIMATE_SOLVE_H

#include "estimate/descent.h"

struct cf_solution {
    double *theta; /* nfree */
    double cost;   /* -2 ln L, estimated sigmas at their best, and the priors */
    double excess; /* chi^2 with its priors above that of the best start, at the variances that this
                    * one ends with: which theta minimises, whatever the variances of its own;
                    * INFINITY where it did not converge */
    size_t evaluations;
    enum cf_end end;
    const char *origin; /* "sobol", "stated", "displaced", or the global method */
    size_t rows; /* that it was sought on: fewer than all where they are many, and its cost is
                  * then that of the optimum of all plus what it lies above the thinned one's */
};

/* n solutions with room for theta, to be freed as one; NULL: out of memory. They may be sorted. */
struct cf_solution *cf_solutions_alloc(size_t n, size_t nfree);

/* A point where chi^2 is lower by less is no better than the optimum. */
double cf_least_fall(const struct cf_problem *problem);

/* A start that ends this near to the best in chi^2 counts as having ended there. */
extern const double cf_same_cost;
bool cf_solution_is_best(const struct cf_solution *solution);

/* How many of them did. */
size_t cf_solutions_confirmed(const struct cf_solution solution[], size_t count);

/* Did the best, solution[0], stall, and the second within 1 of its cost, whatever ended it? */
bool cf_solutions_stalled_alike(const struct cf_solution solution[], size_t count);

struct cf_solver; /* workspace for problems of one shape */
struct cf_solver *cf_solver_alloc(const struct cf_problem *problem); /* NULL: out of memory */
void cf_solver_free(struct cf_solver *solver);

/* Initial sigmas: stated ones, and a tenth of the values' size where estimated. */
void cf_sigma_reset(struct cf_problem *problem);

/* Estimated variances as a thinned problem has them. */
void cf_problem_begin_as(struct cf_problem *problem, const struct cf_problem *some);

/* Where a channel's sigma is not constant, begin with half of its square for each part; its
 * observations follow. */
void cf_channel_begin(struct cf_problem *problem, size_t channel);

/* Do the sigmas depend on theta? (estimated ones; imposed quantities that have one) */
bool cf_sigma_moves(const struct cf_problem *q);

/* Update sigmas and the weights of the loss at theta: the imposed quantity's sigma
 * carried over by dy/dimposed (effective variance), estimated ones from the residuals and the
 * degrees of freedom that each channel is left with. *change receives the largest relative change;
 * that of a weight is relative to a full one. */
int cf_sigma_update(struct cf_problem *problem, const double theta[], double *change,
                    struct cf_error *err);

/* The same where the problem has just been folded at theta with its current sigmas. */
int cf_sigma_update_folded(struct cf_problem *problem, const double theta[],
                           const struct cf_fold *fold, double *change, struct cf_error *err);

/* -2 ln L at theta, with all constants, sigmas of estimated channels and locals at their optimum.
 */
int cf_cost(const struct cf_problem *problem, const double theta[], double *cost,
            struct cf_error *err);

/* Polish from solution->theta. held[nfree] (NULL: none) marks parameters that stay. Sigmas are
 * updated along the way until they change by less than sigma_tolerance (relative); 0 leaves them as
 * they are. A start that fails is no error: see solution->end; CF_ECANCELLED is one. */
int cf_polish(struct cf_solver *solver, struct cf_problem *problem, const bool held[],
              double sigma_tolerance, struct cf_solution *solution, struct cf_error *err);

/* Descend from theta[nfree] with the sigmas as they are: *chi2 at the end, which the best step
 * would lower by no more than least_fall, or cf_problem_fall() where that is more. */
int cf_lower(struct cf_solver *solver, struct cf_problem *problem, const bool held[],
             double least_fall, double theta[], enum cf_end *end, double *chi2,
             struct cf_error *err);

/* The best of spec->options.screen Sobol points, or the stated start: no descent. */
int cf_screen_best(const struct cf_problem *problem, double theta[], struct cf_error *err);

/* How many solutions cf_multistart() finds at most. */
size_t cf_start_count(const struct cf_fit_options *options);

/* Where cf_multistart() was cancelled, *count solutions are polished, and the next one may be on
 * its way; one without an origin was not begun.
 *
 * Screen spec->options.screen Sobol points and stated starts, polish the best two thirds of
 * `starts` and a third spread over the rest, and the ends of the global searches that the options
 * ask for; where an evaluation takes long, fewer, unless no two of them agree. Where rows are many
 * all this is done on cf_most_searched of them, and the end confirmed on all from two starts.
 * solution[cf_start_count()], best first; *count is how many there are.
 * Leaves the problem's sigmas as they are at the best, by which all are compared. */
int cf_multistart(struct cf_solver *solver, struct cf_problem *problem,
                  struct cf_solution solution[], size_t *count, struct cf_error *err);

extern const size_t cf_most_searched;

#endif
