/* What the files of one command share. */

#ifndef CF_CMD_PARTS_H
#define CF_CMD_PARTS_H

#include "cmd/point.h"
#include "identify/selftest.h"

/* selftest --power: seek the least departures from a study's own law that its design sees, with so
 * many threads, and print them as text or, with --json, as JSON. */
int cf_selftest_power(const struct cf_arguments *args, const struct cf_study *study,
                      const struct cf_point *point, const struct cf_selftest_plan *plan,
                      size_t jobs, struct cf_error *err);

#endif
