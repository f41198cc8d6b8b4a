/* contactfit export --list. */

#ifndef CF_CMD_EXPORT_LIST_H
#define CF_CMD_EXPORT_LIST_H

#include <stdio.h>

#include "export/target.h"

/* All targets, one a line; or all about one, with the marks of cf_wrap_write(). */
int cf_export_list(FILE *out, const char *name, struct cf_error *err);

#endif
