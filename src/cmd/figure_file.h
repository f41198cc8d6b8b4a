/* Figure files among the operands of commands that take fit files. */

#ifndef CF_CMD_FIGURE_FILE_H
#define CF_CMD_FIGURE_FILE_H

#include <stdbool.h>

#include "core/status.h"

/* A fit file is JSON and begins with a brace and a quote; all else that is text is taken for a
 * figure file, whose reader says what is wrong with it. A file that is no text at all fails. */
int cf_is_figure_file(const char *path, bool *figure, struct cf_error *err);

#endif
