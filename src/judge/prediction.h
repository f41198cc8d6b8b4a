/* Predictions of a fitted law with their bands. */

#ifndef CF_JUDGE_PREDICTION_H
#define CF_JUDGE_PREDICTION_H

#include "judge/fit_result.h"

/* Predictions of the problem's and of the held-out observations with predictive intervals (the
 * law's uncertainty and the measurement's), and held_out_rms_sigma. */
int cf_predict_rows(struct cf_fit *fit, struct cf_error *err);

/* Curves of restitution and of every measured column of every data set over CF_NCURVE log-spaced
 * speeds that span the data, with the confidence band of the curve. */
int cf_predict_curves(struct cf_fit *fit, struct cf_error *err);

/* The law's restitution at speed[n] for the first data set: e[n]; for any problem. */
int cf_predict_restitution(const struct cf_problem *problem, const double theta[], size_t n,
                           const double speed_m_s[], double e[], struct cf_error *err);

#endif
