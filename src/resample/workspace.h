/* One fit on changed data, starting at the optimum of the fit; private to the bootstrap. */

#ifndef CF_RESAMPLE_WORKSPACE_H
#define CF_RESAMPLE_WORKSPACE_H

#include "estimate/optimum.h"
#include "estimate/rows.h"

enum cf_outcome {
    CF_OUTCOME_FITTED,
    CF_OUTCOME_UNIDENTIFIED, /* too few distinct rows */
    CF_OUTCOME_LOST,         /* no optimum was reached */
    CF_OUTCOME_COLLAPSED,    /* an estimated sigma went to nothing */
    CF_NOUTCOME,
};

/* The data of one worker. */
struct cf_refit_workspace {
    struct cf_problem problem; /* to be changed */
    struct cf_solver *solver;
    struct cf_fold fold;
    double *theta, *gradient; /* nfree */
    size_t *count;            /* of each row */
};

/* False when out of memory; to be cleared in both cases. */
bool cf_refit_workspace_init(struct cf_refit_workspace *workspace, const struct cf_optimum *optimum,
                             size_t nrow);
void cf_refit_workspace_clear(struct cf_refit_workspace *workspace);

/* The problem as the fit left it. */
void cf_refit_reset(struct cf_refit_workspace *workspace, const struct cf_problem *problem);

/* Give each row the weight of its count. */
void cf_refit_weigh(struct cf_refit_workspace *workspace, const struct cf_rows *rows);

/* Do the rows, weighed, identify all that the fit identified? Judged at the fit's optimum. */
int cf_refit_identifies(struct cf_refit_workspace *workspace, const struct cf_optimum *optimum,
                        bool *identifies, struct cf_error *err);

/* Fit; shift[nfree] receives theta less the fit's. */
int cf_refit(struct cf_refit_workspace *workspace, const struct cf_optimum *optimum,
             enum cf_outcome *outcome, double shift[], struct cf_error *err);

#endif
