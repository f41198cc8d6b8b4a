/* Replicates of a self-test as a record: what one machine made of many, to be counted with the
 * others. */

#ifndef CF_DOCUMENT_SELFTEST_JSON_H
#define CF_DOCUMENT_SELFTEST_JSON_H

#include <jansson.h>

#include "identify/selftest.h"

/* The study, or the table of designs, whose replicates these are. */
struct cf_selftest_source {
    const char *name, *sha256;
    size_t first_task; /* what replicate 0 is called among tasks that are of other studies, too */
};

/* The replicates with all that they depend on: the source and its data, the laws, the truth and the
 * seed. NULL when out of memory. */
json_t *cf_selftest_json(const struct cf_selftest_source *source,
                         const struct cf_selftest_plan *plan, const struct cf_replicates *seen);

/* Read the records of n files as one, in the order of their index. CF_EINPUT: a file that is none,
 * one of another study, law, truth or seed, and replicates that are missing or doubled: they are to
 * be those from 0 to plan->replicates - 1. *out is to be cleared, also after a failure. */
int cf_selftest_merge(const struct cf_selftest_source *source, const struct cf_selftest_plan *plan,
                      size_t n, char *const path[], struct cf_replicates *out,
                      struct cf_error *err);

/* FROM:TO, the replicates from FROM up to before TO, of `most`; CF_EUSAGE else. */
int cf_selftest_tasks(const char *text, size_t most, size_t *from, size_t *to,
                      struct cf_error *err);

#endif
