/* contactfit export --list. */

#ifndef CF_CMD_EXPORT_LIST_H
#define CF_CMD_EXPORT_LIST_H

#include "export/target.h"

/* All targets, one a line; or all about one. */
int cf_export_list(const char *name, struct cf_error *err);

#endif
