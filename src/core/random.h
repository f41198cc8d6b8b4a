/* Random streams: Philox 4x64 behind GSL's generator interface.
 *
 * A stream is named by (seed, index): the same numbers come out whatever the number of workers
 * and the order in which they run.
 */

#ifndef CF_CORE_RANDOM_H
#define CF_CORE_RANDOM_H

#include <gsl/gsl_rng.h>
#include <stdint.h>

/* The caller frees it with gsl_rng_free(); NULL when out of memory. */
gsl_rng *cf_random_stream(uint64_t seed, uint64_t index);

#endif
