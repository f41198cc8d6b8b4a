/* Whole files: read at once and checked as text, written whole or not at all. */

#ifndef CF_CORE_FILE_H
#define CF_CORE_FILE_H

#include <stddef.h>
#include <stdio.h>

#include "core/status.h"

/* Read a file that must be UTF-8 text. A byte order mark at the start is dropped and \r\n becomes
 * \n. Refused, with path and, where there is one, line and column: a missing file, a directory or
 * other thing that is no file, an empty file, more than `limit` bytes, a NUL, bytes that are not
 * UTF-8. *text is NUL-terminated, of *len bytes, and the caller's to free().
 * sha256, when not NULL, receives the 64 hexadecimal digits of the bytes as they lie on disk. */
int cf_file_read(const char *path, size_t limit, char **text, size_t *len, char sha256[65],
                 struct cf_error *err);

/* The parts of a path: itself, the name without folder and ending, and the folder with its slash
 * ("" where it names none): "fits/ball.yaml" gives "ball" and "fits/". All are the caller's to
 * free(), also with CF_ENOMEM, where some are NULL. */
int cf_file_names(const char *path, char **copy, char **name, char **folder);

/* A file being made: gathered in memory; the disk is touched by the commit only. */
struct cf_output;

/* Begin; write to cf_output_stream(). NULL when the path can be no file, with the reason. */
struct cf_output *cf_output_open(const char *path, struct cf_error *err);
FILE *cf_output_stream(struct cf_output *out);

/* Write a temporary file beside the target, fsync it, rename it: the target appears whole or, on
 * any error (a full disk counts), stays as it was. Frees `out` either way. */
int cf_output_commit(struct cf_output *out, struct cf_error *err);

/* Forget the file. NULL is allowed. */
void cf_output_discard(struct cf_output *out);

#endif
