/* The rows of a problem: the units that are drawn, left out or named, with all their columns. */

#ifndef CF_RESAMPLE_ROWS_H
#define CF_RESAMPLE_ROWS_H

#include "estimate/problem.h"

struct cf_rows {
    size_t nrow;
    size_t *first; /* nrow + 1: where a row's observations begin */
    size_t nset;   /* data sets that have rows */
    size_t *set;   /* nset + 1: where a data set's rows begin */
};

/* cf_rows_clear() it also after a failure. */
int cf_rows_init(struct cf_rows *rows, const struct cf_problem *problem, struct cf_error *err);
void cf_rows_clear(struct cf_rows *rows);

#endif
