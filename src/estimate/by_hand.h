/* Hand formulas of protocols as starts of a fit; private to src/estimate. */

#ifndef CF_ESTIMATE_BY_HAND_H
#define CF_ESTIMATE_BY_HAND_H

#include "estimate/problem.h"

/* What hand formulas say of all parameters by one data set: they look at all of its rows, once. */
struct cf_by_hand {
    bool asked;
    struct cf_hand start[CF_MOST_HAND]; /* parameters, then aliases */
};

/* Does data set b share an unknown with a? */
bool cf_shares(const struct cf_spec *spec, enum cf_sharing per, size_t a, size_t b);

/* A parameter of the law or an alias of it, `w` with the range of the law's row, starts where the
 * protocols' formulas say, and its range becomes that of the data where they say that, too.
 * hand[ndata], zero at first, keeps what they said. Without a formula nothing changes. Fails
 * without memory. */
int cf_start_by_hand(const struct cf_problem *q, struct cf_by_hand hand[], struct cf_unknown *w,
                     struct cf_error *err);

#endif
