/* What errors of a record have no reason to follow, and what a misfit follows: functions of where a
 * row stands in the experiment, one group of columns for each.
 *
 * offset     a constant
 * drift      polynomials of time, to degree 3
 * place      polynomials of what is imposed, to degree 6
 * direction  whether that rises or falls, alone and with the place
 * sign       the sign of what is predicted, and its size whatever the sign
 * cycle      sines and cosines of the place in the cycle, to the 8th harmonic
 */

#ifndef CF_JUDGE_PATTERN_COLUMNS_H
#define CF_JUDGE_PATTERN_COLUMNS_H

#include "judge/residual_tests.h"

enum cf_pattern {
    CF_PATTERN_OFFSET,
    CF_PATTERN_DRIFT,
    CF_PATTERN_PLACE,
    CF_PATTERN_DIRECTION,
    CF_PATTERN_SIGN,
    CF_PATTERN_CYCLE,
    CF_NPATTERN
};

enum { CF_MOST_PATTERN = 16 }; /* columns of one of them */

/* A record: of each row what its columns are made of. */
struct cf_pattern_rows {
    size_t n;
    size_t driver;    /* imposed channel of the protocol; CF_NO_CHANNEL: none, and what is predicted
                       * stands for it in cycles */
    size_t harmonics; /* of the cycle */
    double cycles;    /* how many there are; 0: none */
    double *time, *place;      /* n each: from -1 to 1; allocated as one, as are: */
    double *predicted;         /* its largest size is 1 */
    double *direction, *phase; /* judge/cycles.h */
};

/* Of observations o[n] of one channel, in the order of time. To be cleared, also after a failure.
 */
int cf_pattern_rows_make(const struct cf_fitted *of, const size_t o[], size_t n,
                         struct cf_pattern_rows *rows, struct cf_error *err);
void cf_pattern_rows_clear(struct cf_pattern_rows *rows);

/* How many columns a pattern has here; 0: it cannot be tested. */
size_t cf_pattern_columns(const struct cf_pattern_rows *rows, enum cf_pattern pattern);

/* Their values in a row: x[CF_MOST_PATTERN]. */
void cf_pattern_values(const struct cf_pattern_rows *rows, enum cf_pattern pattern, size_t row,
                       double x[]);

#endif
