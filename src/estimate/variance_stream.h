/* -2 ln L_R at several places at once, in one pass over the observations; private to src/estimate.
 *
 * The same as cf_variance_evaluate() at each of them, but for its last digits, where observations
 * that share an error lie side by side: rows of a record, in groups of one level whose errors add.
 * Sums of products take the place of whitened columns, since of those of a group, with u the load
 * of its effect,
 *
 *     x^T V^-1 y = x^T y - (u^T x)(u^T y) tau^2/(1 + tau^2 u^T u),
 *
 * x and y being independent but for the effect; that is exact, and loses no digits where the
 * columns of X are turned so that X^T V^-1 X is near 1 (cf_variance_work_at()).
 */

#ifndef CF_ESTIMATE_VARIANCE_STREAM_H
#define CF_ESTIMATE_VARIANCE_STREAM_H

#include "estimate/variance_work.h"

struct cf_variance_stream;

/* *stream is NULL where the problem is none for it; else to be freed. */
int cf_variance_stream_make(const struct cf_problem *q, struct cf_variance_stream **stream,
                            struct cf_error *err);
void cf_variance_stream_free(struct cf_variance_stream *stream);

/* The function at v[n * nvariance]: at[n], NAN where it is none. */
int cf_variance_stream(const struct cf_variance_work *w, const double v[], size_t n,
                       struct cf_variance_value at[], struct cf_error *err);

#endif
