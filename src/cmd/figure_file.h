/* Figure files and scenes among the operands of commands that take fit files. */

#ifndef CF_CMD_FIGURE_FILE_H
#define CF_CMD_FIGURE_FILE_H

#include "core/status.h"

enum cf_operand { CF_OPERAND_FIT, CF_OPERAND_FIGURE, CF_OPERAND_SCENE };

/* A fit file is JSON and begins with a brace and a quote; a scene says contactfit: scene/ at the
 * start of a line; all else that is text is taken for a figure file, whose reader says what is
 * wrong with it. A file that is no text at all fails. */
int cf_operand_kind(const char *path, enum cf_operand *kind, struct cf_error *err);

#endif
