/* The rows of a problem, with all their columns, or groups of rows where these share an error: the
 * units that are drawn, left out or named. */

#ifndef CF_ESTIMATE_ROWS_H
#define CF_ESTIMATE_ROWS_H

#include "estimate/problem.h"

struct cf_rows {
    size_t nrow;   /* or outermost groups, a row of none being one */
    size_t *row;   /* nobservation: the row of each */
    size_t *first; /* nrow: its first observation */
    size_t nset;   /* data sets that have rows; 1 where groups reach over them */
    size_t *set;   /* nset + 1: where a data set's rows begin */
};

/* cf_rows_clear() it also after a failure. */
int cf_rows_init(struct cf_rows *rows, const struct cf_problem *problem, struct cf_error *err);
void cf_rows_clear(struct cf_rows *rows);

#endif
