/* How much of a result comes of the cutoff at which recorded inputs were smoothed: the fit once
 * more from its optimum, with the cutoffs that protocols name (cf_protocol.smoothing) at half and
 * at double. What then moves by more than its standard error is limited by the noise of the record
 * that was differentiated, which no residual shows, and not by that of what was measured. */

#ifndef CF_JUDGE_SMOOTHNESS_H
#define CF_JUDGE_SMOOTHNESS_H

#include "judge/fit_result.h"

/* A change beyond so many standard errors is said. */
extern const double cf_smoothness_matters;

/* Fills fit->smoothness, which stays empty where nothing is smoothed; the fit has its estimates.
 * Variances and weights stay those of the fit. */
int cf_smoothness(struct cf_fit *fit, struct cf_solver *solver, struct cf_error *err);
void cf_smoothness_clear(struct cf_smoothness *smoothness);

/* What is known of unknown i at half or at double: theta could be found there, and the data
 * identify it. */
const struct cf_smoothed *cf_smoothed(const struct cf_fit *fit, size_t i, enum cf_smoothed_at at);

enum { CF_SMOOTHNESS_TEXT = 400 }; /* size of a buffer for it */

/* "k moves by 2.3 standard errors ...", size bytes; false, and "": it does not matter. */
bool cf_smoothness_text(const struct cf_fit *fit, size_t i, char text[], size_t size);

/* A finding for each unknown of which it matters. */
void cf_judge_smoothness(struct cf_fit *fit);

/* Where a number of the apparatus is assumed (cf_protocol.assumption), and the study neither frees
 * it nor states another: fit->otherwise, the fit from its optimum with the other one. Variances
 * stay. */
int cf_fit_otherwise(struct cf_fit *fit, struct cf_solver *solver, struct cf_error *err);
void cf_otherwise_clear(struct cf_otherwise *otherwise);

/* A finding where the data contradict what is assumed, or where a parameter hangs on it and they do
 * not tell. */
void cf_judge_assumption(struct cf_fit *fit);

#endif
