/* What predict says of a fit that is not to be trusted. Private to src/cmd. */

#ifndef CF_CMD_PREDICT_DISTRUST_H
#define CF_CMD_PREDICT_DISTRUST_H

#include "core/status.h"
#include "identify/model.h"

/* The verdict with its reason, or with the first of several, each on a line of its own, and how
 * many more the fit file has. A reason that is too long for a message ends in the number of
 * characters that are left out. Returns CF_EUNTRUSTED. */
int cf_predict_distrust(const struct cf_model *model, struct cf_error *err);

#endif
