/* What commands say on stderr. */

#ifndef CF_CMD_MESSAGE_H
#define CF_CMD_MESSAGE_H

#include "core/status.h"

/* A line of text with a newline behind it; what must not reach a terminal becomes '?'. */
void cf_message(const char *format, ...) __attribute__((__format__(printf, 1, 2)));

/* CF_EUNTRUSTED without a word on stderr: the result itself has said why. What err held is of
 * something that did not matter in the end, such as a start of a fit that failed. */
int cf_untrusted(struct cf_error *err);

#endif
