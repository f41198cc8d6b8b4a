/* The lines of a text file one after the other, in a memory that does not grow with the file. */

#ifndef CF_CORE_LINES_H
#define CF_CORE_LINES_H

#include <stddef.h>

#include "core/encoding.h"
#include "core/status.h"

struct cf_lines;

/* Begin a file that must be what core/file.h asks of one, but for its encoding; lines, which come
 * in UTF-8, have at most `longest` bytes. They end with LF or CR LF; in a file whose begin has CR
 * alone, with that. NULL when it cannot be read, with the reason. */
struct cf_lines *cf_lines_open(const char *path, size_t longest, enum cf_encoding encoding,
                               struct cf_error *err);
void cf_lines_close(struct cf_lines *lines);

/* The bytes of the file when it was opened: more are not read. */
size_t cf_lines_size(const struct cf_lines *lines);

struct cf_line {
    size_t number; /* from 1 */
    char *text;    /* the caller may change it; gone with the next. NULL: behind the last line */
    size_t n;      /* its bytes without the line end, whose place text[n] is */
};

/* The next line. CF_EINPUT, with the place: one that is too long, a NUL, bytes that are not UTF-8;
 * and a file without any. */
int cf_lines_next(struct cf_lines *lines, struct cf_line *line, struct cf_error *err);

/* How the file was found to be written so far: CF_ENCODING_UTF8 where all that was read is that;
 * and the first line that was in Windows-1252, 0 where none was. */
enum cf_encoding cf_lines_encoding(const struct cf_lines *lines, size_t *first);

/* The hash of the bytes as they lie on disk, when all were read; once. */
void cf_lines_sha256(struct cf_lines *lines, char sha256[65]);

#endif
