/* Rows into a data set: cells converted to SI and checked, one row after the other. Private to
 * src/study. */

#ifndef CF_STUDY_FILL_ROWS_H
#define CF_STUDY_FILL_ROWS_H

#include "study/exclude.h"
#include "study/parts.h"
#include "study/record_times.h"

/* Rows being filled. */
struct cf_filling {
    struct cf_study *study;
    const struct cf_source *source; /* that they are read from */
    struct cf_dataset *d;
    const struct cf_excludes *excludes;
    struct cf_record_clock *clock; /* NULL: no record over time */
    bool parts; /* of rows that are whole and checked only with those of others */
    int status; /* of all rows so far */
    size_t nbad, nnote,
        last_line; /* rows that are wrong; rows that were reported, the last of them */
    size_t nmissing, missing_line; /* cells that say that nothing was measured */
};

/* A place in a file, for messages. */
struct cf_cell_place {
    const char *file;
    size_t line, column;
};
struct cf_cell_place cf_row_place(const struct cf_source *source, size_t from_row);

/* Fill a row of the data set, whose line it has, from one of the table, and check it unless it is
 * excluded. What is wrong is gathered in err and f->status, and so are the first few remarks. */
int cf_fill_row(struct cf_filling *f, size_t row, size_t from_row, struct cf_error *err);

/* Check a row whose cells are all there, and report on it. */
int cf_fill_check(struct cf_filling *f, size_t row, struct cf_error *err);

/* Behind the last row: how many more there were. */
int cf_fill_end(struct cf_filling *f, struct cf_error *err);

#endif
