/* Samples in the order of their times; private to src/experiment. */

#ifndef CF_EXPERIMENT_BY_AGE_H
#define CF_EXPERIMENT_BY_AGE_H

#include <stddef.h>

/* by_age[n]: the samples of time_s[n], the earliest first. Those that stand so already, as records
 * mostly do, are not sorted. */
void cf_by_age(size_t n, const double time_s[], size_t by_age[]);

#endif
