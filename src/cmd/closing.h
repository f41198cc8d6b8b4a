/* The last lines of what a command shows: the verdict, and the one next step. */

#ifndef CF_CMD_CLOSING_H
#define CF_CMD_CLOSING_H

#include <stdbool.h>
#include <stdio.h>

#include "core/status.h"

enum cf_closing { CF_CLOSING_GOOD, CF_CLOSING_DOUBT, CF_CLOSING_BAD };

/* Two lines, "verdict: ..." in the colour of `kind` and "next: ..." with a command line for a
 * shell, behind an empty line; marked as cf_wrap_write() wants it. The command is freed; NULL, for
 * want of memory, leaves its line out, as it does the words of the verdict: CF_ENOMEM. */
int cf_closing_put(FILE *out, enum cf_closing kind, const char *verdict, char *command,
                   struct cf_error *err);

/* The same, with "edit: ..." in the place of a next step: what is to be corrected before any
 * command helps. */
void cf_closing_put_edit(FILE *out, const char *verdict, const char *edit);

/* The same on standard error, for commands whose standard output is data: to a terminal only, and
 * not where `quiet`. */
void cf_closing_say(bool quiet, enum cf_closing kind, const char *verdict, char *command);

/* "contactfit COMMAND FILE" and what follows, the file as a word of a shell. NULL: no memory. */
char *cf_closing_command(const char *command, const char *file, const char *more);

#endif
