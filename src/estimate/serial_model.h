/* Errors of a trace that follow each other: models of their correlation from row to row.
 *
 * With errors of unit variance e_1, e_2, ... of rows that lie evenly in time, each model says how
 * e_k is predicted from those before it, and with which variance: what is left is independent of
 * all of them, so that taking it is a linear filter that makes rows independent, exactly from the
 * first one on. Cost is linear in the rows.
 *
 * ar        autoregression of order p by its partial autocorrelations, each in (-1, 1), which is
 *           where it is stationary; predictors of all orders by the recursion of J. Durbin, Rev.
 *           Int. Stat. Inst. 28 (1960) 233.
 * white-ar  white noise and an autoregression of order 1 beside it, as a sensor that drifts slowly
 *           and is read with noise: by the scalar filter of R. E. Kalman, J. Basic Eng. 82 (1960)
 *           35.
 */

#ifndef CF_ESTIMATE_SERIAL_MODEL_H
#define CF_ESTIMATE_SERIAL_MODEL_H

#include <stdint.h>

#include "core/status.h"

enum cf_serial_kind {
    CF_SERIAL_WHITE, /* independent */
    CF_SERIAL_AR,
    CF_SERIAL_WHITE_AR,
    CF_NSERIAL
};

/* As fit files name them: "white", "ar", "white-ar". */
extern const char *const cf_serial_name[CF_NSERIAL];

struct cf_serial_model {
    enum cf_serial_kind kind;
    size_t order;    /* of the autoregression; of a white one 0 */
    double *partial; /* its partial autocorrelations; not owned */
    double share;    /* white-ar: of the variance, that of the autoregression */
};

/* How many numbers a model has beside its variance. */
size_t cf_serial_parameters(const struct cf_serial_model *model);

/* The sum of the autocorrelations at all lags, those below 0 too: what the variance of a mean of
 * many rows is above that of independent ones. */
double cf_serial_growth(const struct cf_serial_model *model);

/* Time after which errors are forgotten, in rows: half of that sum, which is 1/2 for independent
 * ones and -1/ln(phi) of AR(1) but for phi near 0; of white-ar that of its autoregression. */
double cf_serial_time(const struct cf_serial_model *model);

/* The coefficients of the autoregression, e_k = sum of coefficient[j] e_(k - 1 - j), [order]. */
int cf_serial_coefficients(const struct cf_serial_model *model, double coefficient[],
                           struct cf_error *err);

/* The contrary: its partial autocorrelations, which become the model's, from coefficient[order],
 * which are used up. CF_EINPUT where they are of no stationary autoregression. */
int cf_serial_from_coefficients(struct cf_serial_model *model, double coefficient[],
                                struct cf_error *err);

/* An autoregression of order 1 with the memory of another model, for rows that lie `ratio` times as
 * far apart; to->partial has room for one. */
void cf_serial_rescale(const struct cf_serial_model *from, double ratio,
                       struct cf_serial_model *to);

/* The filter of n rows: place[k] is how many rows run before row k without a gap. */
struct cf_serial_filter {
    enum cf_serial_kind kind;
    size_t n, order;
    const uint32_t *place; /* not owned */
    double *predictor;     /* ar: of orders 0 to p, p numbers each */
    double *variance;      /* of what is left: by order; white-ar: by row */
    double *gain;          /* white-ar: by row */
    double phi;
};

int cf_serial_filter_make(const struct cf_serial_model *model, size_t n, const uint32_t place[],
                          struct cf_serial_filter *filter, struct cf_error *err);
void cf_serial_filter_clear(struct cf_serial_filter *filter);

/* The variance of what is left of row k. */
double cf_serial_filter_variance(const struct cf_serial_filter *filter, size_t k);

/* Make x independent and of unit variance: row k is x[at[k]]. */
void cf_serial_filter_apply(const struct cf_serial_filter *filter, const size_t at[], double x[]);

/* The contrary: e[n] becomes a draw of errors. normal(owner) is a standard normal number. */
void cf_serial_filter_draw(const struct cf_serial_filter *filter, double (*normal)(void *owner),
                           void *owner, double e[]);

/* Partial autocorrelations partial[most] of errors e[n] by the method of J. P. Burg (Proc. 37th
 * Meeting Soc. Explor. Geophys., 1967), which are stationary whatever the errors; and power[most +
 * 1], the mean square that is left by each order. work[2 n]. */
void cf_serial_burg(size_t n, const double e[], const uint32_t place[], size_t most,
                    double partial[], double power[], double work[]);

#endif
