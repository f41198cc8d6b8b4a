/* A law at its optimum on some data: the best of all starts, residuals and Jacobian there with the
 * current sigmas, and what follows from them by algebra alone. Resampling and judging begin here.
 */

#ifndef CF_ESTIMATE_OPTIMUM_H
#define CF_ESTIMATE_OPTIMUM_H

#include "estimate/combination.h"
#include "estimate/rank.h"
#include "estimate/reml.h"
#include "estimate/solve.h"

struct cf_optimum {
    struct cf_problem problem; /* rows of the fit, current sigmas, locals at their best */
    size_t nstart;
    struct cf_solution *start; /* best first */
    size_t confirmed;          /* starts that ended at the optimum */
    double *theta;             /* nfree */
    double *value;             /* the same in natural units */
    struct cf_fold fold;       /* there; under a robust loss its R is the sandwich's */
    struct cf_rank rank;
    bool *by_prior;         /* nfree: without the priors it would be flat or dead */
    double gradient;        /* distance to the optimum, in standard errors of a parameter; */
    double gradient_of_law; /* as its parameters alone have it */
    double fall;            /* of chi^2 that a descent without derivatives finds from there */
    double variance_fall;   /* of -2 ln L_R that a scan along the estimated variances finds */
    struct cf_variances variances; /* of a problem with effects; else none */
    size_t ncombination;
    struct cf_combination *combination;
    double cost, chi2, chi2_p; /* chi2_p NAN when a sigma was estimated or the loss is not squares:
                                * chi2 is then the weighted sum */
    double dof, aicc, bic;
    bool settled;          /* all here belongs to theta: no search was cancelled in between */
    bool sigma_known;      /* all sigmas are (cf_channel_is_known()) */
    size_t ncluster;       /* clusters whose scatter intervals are from (estimate/clusters.h), */
    struct cf_rank spread; /* and theta's covariance by it; 0: they are from rank */
};

/* Set up spec->law on the rows of the fit; `workers` (NULL: this thread alone) evaluate it, and say
 * when to stop. To be cleared, also after a failure. */
int cf_optimum_init(struct cf_optimum *optimum, const struct cf_spec *spec,
                    struct cf_curves *curves, const struct cf_workers *workers,
                    struct cf_error *err);
void cf_optimum_clear(struct cf_optimum *optimum);

/* cf_multistart(), which fills solution[0..*count). Where a law cannot be evaluated at any start,
 * the error (CF_EFIT) says why: what its best start meets. */
int cf_optimum_search(struct cf_problem *problem, struct cf_solver *solver,
                      struct cf_solution solution[], size_t *count, struct cf_error *err);

/* Find the optimum and fill the rest. It fails only when out of memory or when a law cannot be
 * evaluated at all: an optimum that cannot be trusted is no error. */
int cf_optimum_find(struct cf_optimum *optimum, struct cf_solver *solver, struct cf_error *err);

/* The best that a cancelled search has left in `from`, of the same spec, in an optimum that was
 * just set up: evaluated there, and no search goes on from it. The solutions become those of
 * `optimum`. *found false: there is none. */
int cf_optimum_salvage(struct cf_optimum *optimum, struct cf_optimum *from, bool *found,
                       struct cf_error *err);

/* Once more from its optimum, where the problem predicts otherwise than before: the noise and all
 * that follows from it are of the new one. What is known of other starts stays. */
int cf_optimum_again(struct cf_optimum *optimum, struct cf_solver *solver, struct cf_error *err);

/* A point theta[nfree] was found where chi^2 is lower than at the optimum, as by a profile: on from
 * there. *moved is false where neither it nor the optimum beside it costs less. */
int cf_optimum_lower(struct cf_optimum *optimum, struct cf_solver *solver, const double theta[],
                     bool *moved, struct cf_error *err);

#endif
