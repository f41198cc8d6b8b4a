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

#include <gsl/gsl_rng.h>

#include "estimate/problem.h"

/* Makes the noise another than independent and normal: sigma[truth->nobservation] is that of each
 * observation's own error, extra[] what is added to it; what groups share is in there already. */
struct cf_disturbance {
    void (*disturb)(const void *owner, const struct cf_problem *truth, gsl_rng *rng, double sigma[],
                    double extra[]);
    const void *owner;
};

/* Fill data[truth->spec->ndata] with copies of the truth's data sets in which every observation of
 * `truth` is drawn anew from the stream (seed, index) at theta. sigma[truth->nchannel] is the
 * noise of channels whose sigma is estimated; stated ones are taken from the data. Rows that the
 * truth does not observe are marked as excluded. Remarks and provenance are not copied. Rows that
 * share an error share one draw of it, with the variances of the truth's effects. `disturbance` may
 * be NULL. The caller clears each data set, also after a failure. */
int cf_simulate(const struct cf_problem *truth, const double theta[], const double sigma[],
                const struct cf_disturbance *disturbance, uint64_t seed, uint64_t index,
                struct cf_dataset data[], struct cf_error *err);

#endif
