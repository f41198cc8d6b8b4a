/* What every target would make of a fit, for its page. */

#ifndef CF_EXPORT_SURVEY_H
#define CF_EXPORT_SURVEY_H

#include <jansson.h>

#include "export/target.h"

/* The part "simulators" of a fit file; *out is NULL where there is nothing to say: a fit that is
 * not to be trusted, without speeds, or whose e needs a mass that is not known. Targets that would
 * do the same share one row. */
int cf_export_survey(const json_t *fit, struct cf_curves *curves, json_t **out,
                     struct cf_error *err);

#endif
