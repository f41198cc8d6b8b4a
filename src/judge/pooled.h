/* What many channels of one channel of the protocol show in common: the mean of a statistic over
 * them.
 *
 * A channel of few rows has no small p: of eight residuals one order in 20160 is as much of a trend
 * as a perfect one, and Holm's factor for hundreds of channels makes that p mean nothing, be it in
 * every one of them. So there the standardised statistics z of the channels are tested as one: over
 * random orders within each channel the sum of z over k channels has mean 0 and variance k, and a
 * normal limit law (S. A. Stouffer et al., The American Soldier, vol. 1, 1949, p. 45).
 */

#ifndef CF_JUDGE_POOLED_H
#define CF_JUDGE_POOLED_H

#include "experiment/protocol.h"
#include "judge/test_list.h"

/* One test of the channels of one channel of the protocol. */
struct cf_pool {
    char name[sizeof((struct cf_test *) NULL)->name];
    const struct cf_channel_row *measured; /* NULL: any */
    const char *along; /* of a trend, which is tested on both sides: "speed"; NULL: of neighbours */
    enum cf_accused accuses;
    size_t channel; /* the first of them */
    size_t channels, n;
    double statistic, z; /* sums */
};

struct cf_pools {
    size_t n;
    struct cf_pool *item;
    bool failed; /* memory ran out, and nothing was added since */
};

/* Add what a channel shows to the pool of its quantity and test. `one` is a pool of the channel
 * alone. */
void cf_pools_add(struct cf_pools *pools, const struct cf_pool *one);

/* A test for each pool of several channels, with its text. */
int cf_pools_test(const struct cf_pools *pools, struct cf_tests *tests, struct cf_error *err);

#endif
