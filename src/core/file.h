/* Whole files, read at once and checked as text. Files are written by core/output.h. */

#ifndef CF_CORE_FILE_H
#define CF_CORE_FILE_H

#include <stddef.h>

#include "core/status.h"

/* Read a file, or, where the path is "-", standard input, that must be UTF-8 text. A byte order
 * mark at the start is dropped and \r\n becomes \n. Refused, with path and, where there is one,
 * line and column: a missing file, a directory or other thing that is no file, an empty file, more
 * than `limit` bytes, a NUL, bytes that are not UTF-8. *text is NUL-terminated, of *len bytes, and
 * the caller's to free(). sha256, when not NULL, receives the 64 hexadecimal digits of the bytes as
 * they lie on disk. */
int cf_file_read(const char *path, size_t limit, char **text, size_t *len, char sha256[65],
                 struct cf_error *err);

/* The same checks of a text that is in memory already, of which *text is a copy; `name` stands for
 * the path in messages. */
int cf_file_take(const char *name, const char *bytes, size_t size, char **text, size_t *len,
                 char sha256[65], struct cf_error *err);

/* What both have in common with core/lines.h. Open a file that is neither folder nor device; *size
 * are its bytes now, *file is the caller's to close, -1 after a failure. */
int cf_file_begin(const char *path, int *file, size_t *size, struct cf_error *err);

/* CF_EINPUT: a text that begins as one in UTF-16, or as a file that is no text, does; one that
 * holds a NUL, or bytes that are not UTF-8, with the place, where text[0..len) begins in this line.
 */
int cf_text_check_mark(const char *path, const char *text, size_t len, struct cf_error *err);
int cf_text_check(const char *path, size_t line, const char *text, size_t len,
                  struct cf_error *err);

/* What a file that begins with text[0..n) is, if that is no text, and how a table is made of it;
 * NULL: text, or nothing that is known. */
const char *cf_known_file(const char *text, size_t n);

/* The parts of a path: itself, the name without folder and ending, and the folder with its slash
 * ("" where it names none): "fits/ball.yaml" gives "ball" and "fits/", and "-" gives "stdin" and
 * "". All are the caller's to free(), also with CF_ENOMEM, where some are NULL. */
int cf_file_names(const char *path, char **copy, char **name, char **folder);

#endif
