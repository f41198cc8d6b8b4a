/* What commands say on stderr. */

#ifndef CF_CMD_MESSAGE_H
#define CF_CMD_MESSAGE_H

/* A line of text with a newline behind it; what must not reach a terminal becomes '?'. */
void cf_message(const char *format, ...) __attribute__((__format__(printf, 1, 2)));

#endif
