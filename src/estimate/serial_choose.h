/* Which model the errors of a dense channel have. */

#ifndef CF_ESTIMATE_SERIAL_CHOOSE_H
#define CF_ESTIMATE_SERIAL_CHOOSE_H

#include "estimate/serial.h"
#include "estimate/solve.h"

/* Choose the model of each dense channel by its residuals at theta: white; autoregression, of the
 * order that is best by BIC; or white noise with an autoregression of order 1 beside it; with the
 * numbers that minimise -2 ln L_R (estimate/reml.h), predictions being linear about theta. Of the
 * three that of the least BIC. What channels of one row have in common beside the unknowns is left
 * out of account here. With `same`, kind and order stay and only their numbers move. *changed: the
 * likelihood has risen by more than the accuracy of the data, and the problem is to be fitted
 * again. */
int cf_serial_choose(struct cf_problem *problem, const double theta[], bool same, bool *changed,
                     struct cf_error *err);

/* Choose models and fit with them in turn, from the optimum of white errors in *best, until neither
 * moves; the problem's models then say whether that came to an end. */
int cf_serial_settle(struct cf_problem *problem, struct cf_solver *solver, struct cf_solution *best,
                     struct cf_error *err);

#endif
