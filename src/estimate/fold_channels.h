/* Observations into the factors of their channels; private to src/estimate. */

#ifndef CF_ESTIMATE_FOLD_CHANNELS_H
#define CF_ESTIMATE_FOLD_CHANNELS_H

#include "estimate/fold.h"

/* The factors of a unit; one unit's are the part's own. */
struct cf_unit_fold {
    double *channel; /* nchannel factors */
    double *work;    /* a stretch's rows of one channel */
};

/* Add the observations of a stretch, whose matrix is used up. */
void cf_fold_stretch(const struct cf_unit_fold *to, const struct cf_stretch *at);

/* Join the channels of a part, and the priors of its locals. work[(ncolumn + 1)^2]. */
void cf_fold_join_channels(const struct cf_problem *problem, size_t part, const double local[],
                           struct cf_part_fold *fold, double work[]);

#endif
