/* What contactfit export says of a mapping. */

#ifndef CF_CMD_EXPORT_SAY_H
#define CF_CMD_EXPORT_SAY_H

#include "cmd/command.h"
#include "export/target.h"

/* To standard error: how exact it is, e, what is not carried, and where it is not good, why, and
 * which targets are. */
void cf_export_say(const struct cf_mapping *m, struct cf_curves *curves);

/* The last lines, on a terminal: is the export good, and the one next step. */
void cf_export_say_closing(const struct cf_arguments *args, const struct cf_target *target,
                           bool verified, bool good);

#endif
