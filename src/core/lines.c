/* A buffer of the longest line and a block of the file, which is filled again when no line end is
 * left in it. */

#define _POSIX_C_SOURCE 200809L

#include "core/lines.h"

#include <sha256.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/file_system.h"
#include "core/text.h"

/* What is read at a time, beside the longest line. */
enum { BLOCK = 1 << 16 };

struct cf_lines {
    char *path;
    int file;
    enum cf_encoding encoding;
    struct cf_utf16 utf16;
    char *units;       /* of UTF-16, as read: BLOCK bytes; NULL: the file is none */
    char *converted;   /* room for a line that was made UTF-8; NULL: none yet */
    size_t first_1252; /* the first line in Windows-1252; 0: none */
    char line_end;
    size_t longest, number;
    size_t size, left;       /* of the file: bytes, and those that were not read yet */
    char *buffer;            /* room bytes and one for a line end: */
    size_t room, begin, end; /* what was read and not given yet is [begin, end) */
    SHA2_CTX hash;
};

struct cf_lines *cf_lines_open(const char *path, size_t longest, enum cf_encoding encoding,
                               struct cf_error *err)
{
    struct cf_lines *lines = calloc(1, sizeof *lines);
    size_t room = longest + BLOCK;
    int status = CF_OK;

    if (lines)
        *lines = (struct cf_lines){
            .file = -1, .encoding = encoding, .line_end = '\n', .longest = longest, .room = room};
    if (!lines || !(lines->path = strdup(path)) || !(lines->buffer = malloc(room + 1)))
        status = cf_fail(err, CF_ENOMEM, "%s: out of memory", path);
    else
        status = cf_file_begin(path, &lines->file, &lines->size, err);
    if (status) {
        cf_lines_close(lines);
        return NULL;
    }
    lines->left = lines->size;
    SHA256Init(&lines->hash);
    return lines;
}

void cf_lines_close(struct cf_lines *lines)
{
    if (!lines)
        return;
    if (lines->file >= 0)
        cf_file_close(lines->file);
    free(lines->units);
    free(lines->converted);
    free(lines->buffer);
    free(lines->path);
    free(lines);
}

size_t cf_lines_size(const struct cf_lines *lines)
{
    return lines->size;
}

static int read_some(struct cf_lines *lines, char *to, size_t most, size_t *n, struct cf_error *err)
{
    int code = cf_file_read_some(lines->file, to, most < lines->left ? most : lines->left, n);

    if (code)
        return cf_fail(err, CF_EIO, "%s: cannot be read: %s", lines->path, strerror(code));
    SHA256Update(&lines->hash, (const uint8_t *) to, *n);
    lines->left = *n ? lines->left - *n : 0;
    return CF_OK;
}

/* The same of UTF-16: units are read beside the buffer, and made UTF-8 in it. Half a unit at the
 * end of the file is none. */
static int read_units(struct cf_lines *lines, char *to, size_t room, size_t *n,
                      struct cf_error *err)
{
    size_t most = room / CF_UTF8_OF_UNIT * 2, have = 0, more = 1;
    int status = CF_OK;

    most = most < BLOCK ? most : BLOCK;
    for (; have < most && lines->left && more && !status; have += more)
        status = read_some(lines, lines->units + have, most - have, &more, err);
    *n = cf_utf16_to_utf8(&lines->utf16, lines->units, have, to);
    return status;
}

/* As much more of the file as there is room for; what is left moves to the buffer's begin. A file
 * that shrinks meanwhile is read to where it ends. */
static int fill(struct cf_lines *lines, struct cf_error *err)
{
    size_t have = lines->end - lines->begin, n = 1;
    int status = CF_OK;

    memmove(lines->buffer, lines->buffer + lines->begin, have);
    lines->begin = 0;
    for (; lines->left && n && lines->room - have > CF_UTF8_OF_UNIT && !status; have += n)
        status = lines->units ? read_units(lines, lines->buffer + have, lines->room - have, &n, err)
                              : read_some(lines, lines->buffer + have, lines->room - have, &n, err);
    lines->end = have;
    return status;
}

/* Bytes before the line end of the first line in the buffer, or *end, NULL where there is none. */
static size_t measure(const struct cf_lines *lines, const char **end)
{
    const char *text = lines->buffer + lines->begin;

    *end = memchr(text, lines->line_end, lines->end - lines->begin);
    return *end ? (size_t) (*end - text) : lines->end - lines->begin;
}

/* Bytes of text[0..n) without a character that is cut off at their end. */
static size_t whole_characters(const char *text, size_t n)
{
    size_t whole = n;

    while (whole && n - whole < 3 && ((unsigned char) text[whole - 1] & 0xc0) == 0x80)
        whole--;
    return whole && (unsigned char) text[whole - 1] >= 0xc0 ? whole - 1 : n;
}

/* What was read of a file in UTF-16, behind its mark, becomes UTF-8. */
static int begin_utf16(struct cf_lines *lines, struct cf_error *err)
{
    bool marked = lines->end >= 2 && (memcmp(lines->buffer, "\xFF\xFE", 2) == 0 ||
                                      memcmp(lines->buffer, "\xFE\xFF", 2) == 0);
    size_t n = (lines->end - 2 * marked) / 2 * 2, most = lines->room / CF_UTF8_OF_UNIT * 2;
    char *units = malloc(n + 1), *block = malloc(BLOCK);

    if (!units || !block || n > most) {
        free(units);
        free(block);
        return cf_fail(err, CF_ENOMEM, "%s: out of memory", lines->path);
    }
    lines->encoding = CF_ENCODING_UTF16;
    lines->utf16.big = marked && lines->buffer[0] == '\xFE';
    memcpy(units, lines->buffer + 2 * marked, n);
    lines->begin = 0;
    lines->end = cf_utf16_to_utf8(&lines->utf16, units, n, lines->buffer);
    lines->units = block;
    free(units);
    return CF_OK;
}

/* At the begin of the file: what says the encoding and how lines end. */
static int take_mark(struct cf_lines *lines, struct cf_error *err)
{
    const char *text = lines->buffer;
    bool mark =
        lines->end >= 2 && (memcmp(text, "\xFF\xFE", 2) == 0 || memcmp(text, "\xFE\xFF", 2) == 0);
    bool utf16 =
        lines->encoding == CF_ENCODING_UTF16 || (lines->encoding == CF_ENCODING_FOUND && mark);
    int status = utf16 ? begin_utf16(lines, err)
                       : cf_text_check_mark(lines->path, lines->buffer, lines->end, err);

    if (!status && !utf16 && lines->end >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0)
        lines->begin = 3;
    if (!status && lines->begin == lines->end)
        status = cf_fail(err, CF_EINPUT, "%s: the file is empty", lines->path);
    if (lines->encoding != CF_ENCODING_UTF8 && memchr(text, '\r', lines->end) &&
        !memchr(text, '\n', lines->end))
        lines->line_end = '\r';
    return status;
}

/* The first block of the file. That of UTF-16 is short, so that there is room for it in UTF-8. */
static int begin(struct cf_lines *lines, struct cf_error *err)
{
    size_t room = lines->room;
    int status;

    lines->room = room / CF_UTF8_OF_UNIT * 2;
    status = fill(lines, err);
    lines->room = room;
    return status ? status : take_mark(lines, err);
}

/* A line that is no UTF-8, or of a file that is said to be none, made of Windows-1252. */
static int convert(struct cf_lines *lines, char **text, size_t *n, struct cf_error *err)
{
    bool stated = lines->encoding == CF_ENCODING_WINDOWS_1252, plain = true;

    if (lines->encoding != CF_ENCODING_FOUND && !stated)
        return CF_OK;
    for (size_t i = 0, m = 1; i < *n && plain; i += m) {
        m = stated ? (unsigned char) (*text)[i] < 0x80 : cf_utf8_length(*text + i, *n - i);
        plain = m != 0;
    }
    if (plain || *n > lines->longest)
        return CF_OK;
    if (!lines->converted)
        lines->converted = malloc(CF_UTF8_OF_BYTE * lines->longest + 1);
    if (!lines->converted)
        return cf_fail(err, CF_ENOMEM, "%s: out of memory", lines->path);
    *n = cf_windows_1252_to_utf8(*text, *n, lines->converted);
    *text = lines->converted;
    lines->first_1252 = lines->first_1252 ? lines->first_1252 : lines->number;
    return CF_OK;
}

int cf_lines_next(struct cf_lines *lines, struct cf_line *line, struct cf_error *err)
{
    const char *end;
    size_t n = measure(lines, &end);
    int status = CF_OK;

    *line = (struct cf_line){.number = lines->number};
    if (!end && lines->left) {
        status = lines->number == 0 && !lines->end ? begin(lines, err) : fill(lines, err);
        n = measure(lines, &end);
        if (!status && !end && lines->left) { /* what began the file may be less than a line */
            status = fill(lines, err);
            n = measure(lines, &end);
        }
    } else if (lines->number == 0 && lines->begin == lines->end) {
        status = cf_fail(err, CF_EINPUT, "%s: the file is empty", lines->path);
    }
    if (status || lines->begin == lines->end)
        return status;
    lines->number++;
    char *text = lines->buffer + lines->begin;
    lines->begin += n + (end != NULL);
    bool windows = end && n && lines->line_end == '\n' && text[n - 1] == '\r',
         whole = end || !lines->left;
    n -= windows;
    status = whole ? convert(lines, &text, &n, err) : CF_OK;
    if (!status)
        status = cf_text_check(lines->path, lines->number, text,
                               whole ? n : whole_characters(text, n), err);
    if (status)
        return status;
    if (n > lines->longest)
        return cf_fail(err, CF_EINPUT,
                       "%s:%zu:1: a line of more than %zu bytes, which is the most that is read",
                       lines->path, lines->number, lines->longest);
    text[n] = '\n';
    *line = (struct cf_line){.number = lines->number, .text = text, .n = n};
    return CF_OK;
}

enum cf_encoding cf_lines_encoding(const struct cf_lines *lines, size_t *first)
{
    *first = lines->first_1252;
    if (lines->units)
        return CF_ENCODING_UTF16;
    return lines->first_1252 ? CF_ENCODING_WINDOWS_1252 : CF_ENCODING_UTF8;
}

void cf_lines_sha256(struct cf_lines *lines, char sha256[65])
{
    SHA256End(&lines->hash, sha256);
}
