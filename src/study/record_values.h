/* Sensors of a record that are clipped, or dead. Private to src/study. */

#ifndef CF_STUDY_RECORD_VALUES_H
#define CF_STUDY_RECORD_VALUES_H

#include "study/record_times.h"

/* Report on the measured channels of a record that was read from this source. */
int cf_record_tell_values(struct cf_study *study, const struct cf_source *source,
                          const struct cf_dataset *d, const double rule[CF_RECORD_NRULE],
                          struct cf_error *err);

#endif
