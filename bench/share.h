/* The synthetic studies of all designs as tasks that many machines share, and their records. */

#ifndef SHARE_H
#define SHARE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/status.h"
#include "identify/selftest.h"

/* Who does what: the studies of the designs, one design after the other, count from 0. */
struct share {
    const char *tasks;  /* FROM:TO, to be made as records; NULL: all are counted */
    const char *folder; /* of the records, DESIGN.FROM-TO.json; NULL: there are none */
    size_t from, to;    /* as `tasks` says */
    size_t before;      /* studies of the designs so far */
    char table_sha256[65];
};

/* Read `tasks`, of `most`, and the table's bytes. */
int share_begin(struct share *share, const char *table, size_t most, struct cf_error *err);

/* The replicates of one design: those that are asked for, which go to a record of their own, or
 * all, made here or read from records. *out is to be cleared, also after a failure. */
int share_run(struct share *share, const char *design, const struct cf_selftest_plan *whole,
              const struct cf_workers *workers, struct cf_replicates *out, struct cf_error *err);

#endif
