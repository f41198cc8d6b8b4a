/* What contactfit export says of a mapping. */

#ifndef CF_CMD_EXPORT_SAY_H
#define CF_CMD_EXPORT_SAY_H

#include "export/target.h"

/* To standard error: how exact it is, e, what is not carried, and where it is not good, why, and
 * which targets are. */
void cf_export_say(const struct cf_mapping *m, struct cf_curves *curves);

#endif
