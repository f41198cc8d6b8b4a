/* Text that comes from outside: is it UTF-8, how wide is it, and how is it shown in a message? And
 * lists of words. */

#ifndef CF_CORE_TEXT_H
#define CF_CORE_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Bytes of the UTF-8 sequence that starts at text[0..len): 1 to 4, or 0 when it is not valid (cut
 * short, longer than needed, a surrogate, beyond U+10FFFF). */
size_t cf_utf8_length(const char *text, size_t len);

/* Characters in valid UTF-8 text, for columns that line up. */
size_t cf_utf8_width(const char *text);

/* The first character of text[0..len) that could move the cursor of a terminal, end a line, or make
 * a reader see other words than stand there: control characters but the tab, line separators, marks
 * that turn the writing direction, bytes that are not UTF-8. NULL where there is none. */
const char *cf_text_unsafe(const char *text, size_t len);

/* Put '?' in the place of each such character. */
void cf_text_make_safe(char *text);

enum { CF_SHOWN = 96 }; /* size of a buffer for cf_show() */

/* Copy text into out, fit for a one-line message on a terminal: control characters, marks that
 * turn the writing direction and bytes that are not UTF-8 become '?', long text ends in "...".
 * Returns out. */
const char *cf_show(const char *text, char out[CF_SHOWN]);

/* "a, b and c" of words, with `last` for the " and "; cut where text[size] is full. */
void cf_join(char text[], size_t size, const char *const word[], size_t n, const char *last);

/* "a, b, c" of words, or "a, b and 298 more": as many whole words as text[size] has room for, shown
 * as cf_show() does. */
void cf_join_some(char text[], size_t size, const char *const word[], size_t n);

/* "a, b and c", and text by a format, of any length: the caller frees it. NULL where there is no
 * memory. */
char *cf_joined(const char *const word[], size_t n, const char *last);
char *cf_format(const char *format, ...) __attribute__((__format__(printf, 1, 2)));
char *cf_format_list(const char *format, va_list args) __attribute__((__format__(printf, 1, 0)));

/* Bytes that a stream gathers before the text grows by them. */
enum { CF_TEXT_GATHERED = 1024 };

/* Text in the making, whole or none: open_memstream() drops bytes without an error where a growth
 * fails. The struct stays where it is until the end. */
struct cf_text_stream {
    FILE *out;   /* to write to; NULL where there is no memory */
    char *bytes; /* at the end: the text, the caller's to free; '\0' is behind it */
    size_t size; /* of the text [bytes] */
    size_t room; /* the rest is private */
    bool failed;
    char gathered[CF_TEXT_GATHERED];
};

/* False where there is no memory. The text is to be ended in any case. */
bool cf_text_begin(struct cf_text_stream *text);

/* False where memory was missing then or for anything that was written: bytes is NULL, size 0. */
bool cf_text_end(struct cf_text_stream *text);

#endif
