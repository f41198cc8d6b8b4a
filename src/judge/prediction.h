/* Predictions of a fitted law with their bands. */

#ifndef CF_JUDGE_PREDICTION_H
#define CF_JUDGE_PREDICTION_H

#include "judge/fit_result.h"

/* Give rows held out of a fit their locals, by what a fit to the others, `fitted`, has at theta:
 * those of a data set that is one part have the locals of its other rows; those of segments of
 * their own, their best. */
int cf_settle_held_out(const struct cf_problem *fitted, const double theta[],
                       struct cf_problem *held_out, struct cf_error *err);

/* Predictions of the problem's and of the held-out observations with predictive intervals (the
 * law's uncertainty and the measurement's), held_out_sigma and held_out_rms_sigma. */
int cf_predict_rows(struct cf_fit *fit, struct cf_error *err);

/* Curves of every measured channel of every data set, and of the headline channel where it follows
 * from one of them, over CF_NCURVE points of the axis that span the protocol's data, with the
 * confidence band of the curve. */
int cf_predict_curves(struct cf_fit *fit, struct cf_error *err);

/* The headline channel of the first data set's protocol, as the law predicts it for that set at n
 * points of the axis: y[n]; for any problem. */
int cf_predict_headline(const struct cf_problem *problem, const double theta[], size_t n,
                        const double abscissa[], double y[], struct cf_error *err);

#endif
