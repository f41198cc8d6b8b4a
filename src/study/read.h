/* Studies: what was measured on which bodies, and what is to be fitted to it. A study is a text
 * (contactfit-study(5)) that names tables, both out of files or both out of memory. */

#ifndef CF_STUDY_READ_H
#define CF_STUDY_READ_H

#include <stddef.h>

#include "core/status.h"
#include "file/tables.h"

struct cf_registry;
struct cf_study;

/* Read a study and all the tables that it names, whose paths are relative to its folder. The
 * registry (NULL: what is built in), which outlives it, has the laws and experiments that it may
 * name. NULL on failure: every message reads "FILE:LINE:COLUMN: what was found: what is allowed".
 */
struct cf_study *cf_study_read(const char *path, const struct cf_registry *registry,
                               struct cf_error *err);

/* Read a study out of text[], which is all that a file would hold; `name` stands for the file in
 * messages. Tables that it names are among `tables` (NULL: its rows stand in the text). Nothing is
 * read from a disk. */
struct cf_study *cf_study_read_text(const char *name, const char *text,
                                    const struct cf_tables *tables,
                                    const struct cf_registry *registry, struct cf_error *err);

/* Remarks that are no errors, such as a column without a unit: NULL behind the last. */
const char *cf_study_remark(const struct cf_study *study, size_t i);

/* NULL is allowed. */
void cf_study_free(struct cf_study *study);

#endif
