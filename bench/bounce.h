/* Times of throws' bounces predicted, beside which table.pl puts SciPy's. */

#ifndef BENCH_BOUNCE_H
#define BENCH_BOUNCE_H

#include "experiment/protocol.h"

/* Prints `bounce`: the ratios of one throw's intervals by `law`, a force law, with derivatives,
 * each impact before solved for; and `bounces`: those of ten thousand throws by an e(v). */
int bench_bounce(struct cf_curves *curves, const struct cf_law *law, struct cf_error *err);

#endif
