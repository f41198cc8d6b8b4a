/* What the files of one command share. */

#ifndef CF_CMD_PARTS_H
#define CF_CMD_PARTS_H

#include "cmd/point.h"
#include "identify/power.h"

/* selftest --power: seek the least departures from a study's own law that its design sees, with so
 * many threads, and print them as text or, with --json, as JSON. */
int cf_selftest_power(const struct cf_arguments *args, const struct cf_study *study,
                      const struct cf_point *point, const struct cf_selftest_plan *plan,
                      size_t jobs, struct cf_error *err);

/* The share of experiments in which a departure is to be seen, of selftest --power and design. */
extern const double cf_share_seen;

/* What departs, and its size in the unit of the reading and as a part of it, or a correlation. */
void cf_departure_text(const struct cf_departure *departure, char text[], size_t size);
const char *cf_departure_size_text(const struct cf_departure *departure, double value, char text[],
                                   size_t size);

/* ---- contactfit fit --choose-by hold-out: the law is chosen by rows that do not fit it */

/* Choose among the study's law and its rivals by AICc of fits to the held-out rows alone, and read
 * the study again with the law that is chosen: its intervals, by the other rows, do not know of the
 * choice. *study is replaced; what was chosen is said unless `quiet`. CF_EUSAGE for another way to
 * choose, CF_EINPUT where no rows are held out, there is no rival, or no law can be fitted to them.
 */
int cf_choose_law(const struct cf_arguments *args, struct cf_study **study,
                  const struct cf_workers *workers, bool quiet, struct cf_error *err);

#endif
