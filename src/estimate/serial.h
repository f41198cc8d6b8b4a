/* Errors of a trace that follow each other from row to row, of the channels that a study calls
 * dense.
 *
 * The observations of such a channel, in the order of their rows, are sigma times errors of unit
 * variance that go by a model (estimate/serial_model.h), which is chosen from the residuals
 * (estimate/serial_choose.h) and white until then. A run ends where rows are missing, where time
 * jumps and where another segment or group begins; errors of different runs are independent.
 */

#ifndef CF_ESTIMATE_SERIAL_H
#define CF_ESTIMATE_SERIAL_H

#include "estimate/problem.h"
#include "estimate/serial_model.h"

struct cf_serial {
    size_t channel;
    struct cf_serial_model model; /* its partial[] has room for `most` */
    size_t most;                  /* order that is looked at */
    size_t n;
    size_t *member;  /* n observations */
    uint32_t *place; /* n: how many of its run stand before it */
    double step_s;   /* between rows of a run; NAN: the protocol has no clock */
    bool settled;    /* the choice came to an end */
};

/* The largest order of an autoregression that is looked at in n rows. */
size_t cf_serial_most_order(size_t n);

/* Find the dense channels of a problem that has its observations and effects; each with the model
 * that its channel has in old[nold] (NULL: white). */
int cf_serial_make(struct cf_problem *problem, const struct cf_serial old[], size_t nold,
                   struct cf_error *err);
void cf_serial_free(struct cf_problem *problem);

/* One more channel whose errors follow each other, by this model. The problem has room for one of
 * each of its channels: cf_serial_make() made it. */
int cf_serial_append(struct cf_problem *problem, size_t channel,
                     const struct cf_serial_model *model, struct cf_error *err);

/* The models of another problem on the same data sets. *changed: some were others. */
void cf_serial_take(struct cf_problem *problem, const struct cf_problem *from, bool *changed);

/* Those of a channel; NULL: its errors do not follow each other. */
const struct cf_serial *cf_serial_of(const struct cf_problem *problem, size_t channel);

/* Do errors of any row resemble those before it, by what was chosen? */
bool cf_serial_any(const struct cf_problem *problem);

/* Make the columns of A, in sigmas of the observations, independent from row to row: column j at
 * A[j * ld]. Adds what that takes off ln det of their covariance to *log_det (NULL to skip). */
int cf_serial_whiten(const struct cf_problem *problem, double A[], size_t ncolumn, size_t ld,
                     double *log_det, struct cf_error *err);

/* Add drawn errors to the readings value[nobservation] of dense channels: of standard deviation
 * sigma[] of each observation, which becomes 0: they have no errors of their own beside these. */
int cf_serial_draw(const struct cf_problem *problem, double (*normal)(void *owner), void *owner,
                   double sigma[], double value[], struct cf_error *err);

/* Does an observation belong with the row before it, where rows are drawn or left out: a block of
 * a dense record? */
bool cf_serial_links(const struct cf_problem *problem, size_t observation);

#endif
