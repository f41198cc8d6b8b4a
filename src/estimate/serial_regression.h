/* A linear regression whose errors follow each other as estimate/serial_model.h has it.
 *
 * The model of the errors is that of the least BIC by -2 ln L_R with all columns at their best, so
 * that nothing that a column explains passes for noise. What some columns add to others is then
 * tested by the F of generalised least squares.
 */

#ifndef CF_ESTIMATE_SERIAL_REGRESSION_H
#define CF_ESTIMATE_SERIAL_REGRESSION_H

#include <stddef.h>

#include "estimate/serial_model.h"

struct cf_serial_regression {
    size_t n;
    const uint32_t *place; /* n: how many of its run stand before each; not owned */
    struct cf_serial_model model;
    double *number, *spread; /* of the model, as cf_serial_numbers() has them, with their
                              * covariance; NULL: taken as known */
    double variance, dof;    /* of the errors, with what their estimate stands on */
};

/* Fit column[n * m], by columns, of which the last is the response; one that others make up to a
 * rest of 1e-3 counts for nothing. `most`: the order of an autoregression that is looked at. *out
 * is to be cleared, also after a failure. */
int cf_serial_regress(size_t n, const uint32_t place[], size_t m, const double column[],
                      size_t most, struct cf_serial_regression *out, struct cf_error *err);
void cf_serial_regression_clear(struct cf_serial_regression *regression);

/* What columns add to those before them under a regression's errors. The degrees of freedom are
 * those of A. H. Fai and P. L. Cornelius, J. Stat. Comput. Simul. 54 (1996) 363: of each
 * independent direction as F. E. Satterthwaite has them, whose variance is as doubtful as the
 * model's numbers. */
struct cf_serial_addition {
    double columns; /* how many they are, when what others make up is taken off */
    double F, dof, p;
    double share; /* of what the columns before leave of the response, by least squares */
};

/* Of column[n * m]: nbefore columns, others, and the response. */
int cf_serial_add(const struct cf_serial_regression *regression, size_t m, size_t nbefore,
                  const double column[], struct cf_serial_addition *out, struct cf_error *err);

#endif
