/* Rows of a record as they pass, and those of several files put beside each other by their times.
 * Private to src/study. */

#ifndef CF_STUDY_RECORD_READ_H
#define CF_STUDY_RECORD_READ_H

#include "study/fill_rows.h"

/* Say from what the dates of all its files count: from the first row of the earliest. */
int cf_record_zero(struct cf_source *source, const struct cf_protocol *protocol,
                   struct cf_error *err);

/* Fill a data set, which has no rows yet, with all rows of f->source, whose rows are not kept or
 * are in memory; its hash and its number of rows are then known, and *csv has the head. */
int cf_record_read(struct cf_filling *f, char sha256[65], struct cf_error *err);

/* Put data sets beside each other as one, which has no rows yet, by their clocks: rows of equal
 * times, but for rounding, are one row. Each channel is in one of them. */
int cf_record_merge(const struct cf_dataset part[], size_t n, struct cf_dataset *d,
                    struct cf_error *err);

#endif
