/* contactfit predict hydroelastic-SHAPE: estimates where there is no fit. Private to src/cmd. */

#ifndef CF_CMD_PREDICT_SHAPE_H
#define CF_CMD_PREDICT_SHAPE_H

#include "cmd/command.h"
#include "volume/hydroelastic.h"

/* What an operand that begins as the shapes' names do means: NULL where it is a file's name.
 * CF_EUSAGE, with the nearest shape, where there is no such one. */
int cf_predict_shape_named(const char *operand, const struct cf_hydroelastic **shape,
                           struct cf_error *err);

/* Read what is asked of the shape, and print the table. */
int cf_predict_shape(const struct cf_arguments *args, const struct cf_hydroelastic *shape,
                     struct cf_error *err);

#endif
