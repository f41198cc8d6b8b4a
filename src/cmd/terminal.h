/* Where text for people is shown: how wide that is, and whether it has colours. */

#ifndef CF_CMD_TERMINAL_H
#define CF_CMD_TERMINAL_H

#include <stdio.h>

#include "core/text.h"
#include "core/wrap.h"

/* Columns and colours of a stream. The width is $COLUMNS, else the terminal's, else 80; fewer than
 * 20 columns are taken for 20. What is a message (stderr) and goes to no terminal is not folded
 * without $COLUMNS, so that programs find one message a line. Colours are for terminals only, and
 * not where $NO_COLOR is set or $TERM is "dumb" or not set. */
struct cf_wrap cf_terminal(FILE *stream);

/* End a text whose lines are still whole, write it to a stream, folded as that wants it, and free
 * it. False where there was no memory for all of it: nothing is written. */
bool cf_terminal_end(struct cf_text_stream *text, FILE *stream);

/* Text to a stream, folded as the stream wants it. */
void cf_terminal_write(const char *text, FILE *stream);

#endif
