/* Synthetic data on a given design: what the law predicts at given parameters, with normal noise.
 *
 * The design's imposed quantities are the true ones. Where one has a sigma, its recorded value
 * scatters about the truth with it, as a reading does; what is measured is predicted from the
 * truth.
 *
 * A number that falls outside of what its column may hold (a duration below 0) is drawn again, as
 * nobody would have recorded it. A restitution above 1 stays: cutting such noise off would shift
 * the mean of the rest.
 */

#ifndef CF_IDENTIFY_SYNTHETIC_H
#define CF_IDENTIFY_SYNTHETIC_H

#include "estimate/problem.h"

/* Fill data[truth->spec->ndata] with copies of the truth's data sets in which every observation of
 * `truth` is drawn anew from the stream (seed, index) at theta. sigma[truth->nchannel] is the
 * noise of channels whose sigma is estimated; stated ones are taken from the data. Rows that the
 * truth does not observe are marked as excluded. Remarks and provenance are not copied. The
 * caller clears each data set, also after a failure. */
int cf_simulate(const struct cf_problem *truth, const double theta[], const double sigma[],
                uint64_t seed, uint64_t index, struct cf_dataset data[], struct cf_error *err);

#endif
