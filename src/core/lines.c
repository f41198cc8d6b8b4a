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

/* What is read at a time, beside the longest line. */
enum { BLOCK = 1 << 16 };

struct cf_lines {
    char *path;
    int file;
    size_t longest, number;
    size_t size, left;       /* of the file: bytes, and those that were not read yet */
    char *buffer;            /* room bytes and one for a line end: */
    size_t room, begin, end; /* what was read and not given yet is [begin, end) */
    SHA2_CTX hash;
};

struct cf_lines *cf_lines_open(const char *path, size_t longest, struct cf_error *err)
{
    struct cf_lines *lines = calloc(1, sizeof *lines);
    size_t room = longest + BLOCK;
    int status = CF_OK;

    if (lines)
        *lines = (struct cf_lines){.file = -1, .longest = longest, .room = room};
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
    free(lines->buffer);
    free(lines->path);
    free(lines);
}

size_t cf_lines_size(const struct cf_lines *lines)
{
    return lines->size;
}

/* As much more of the file as there is room for; what is left moves to the buffer's begin. A file
 * that shrinks meanwhile is read to where it ends. */
static int fill(struct cf_lines *lines, struct cf_error *err)
{
    size_t have = lines->end - lines->begin, n = 1;

    memmove(lines->buffer, lines->buffer + lines->begin, have);
    lines->begin = 0;
    for (; lines->left && n && have < lines->room; have += n) {
        size_t most = lines->room - have < lines->left ? lines->room - have : lines->left;
        int code = cf_file_read_some(lines->file, lines->buffer + have, most, &n);
        if (code)
            return cf_fail(err, CF_EIO, "%s: cannot be read: %s", lines->path, strerror(code));
        SHA256Update(&lines->hash, (const uint8_t *) lines->buffer + have, n);
        lines->left = n ? lines->left - n : 0;
    }
    lines->end = have;
    return CF_OK;
}

/* Bytes before the line end of the first line in the buffer, or *end, NULL where there is none. */
static size_t measure(const struct cf_lines *lines, const char **end)
{
    const char *text = lines->buffer + lines->begin;

    *end = memchr(text, '\n', lines->end - lines->begin);
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

/* At the begin of the file: what says the encoding. */
static int take_mark(struct cf_lines *lines, struct cf_error *err)
{
    int status = cf_text_check_mark(lines->path, lines->buffer, lines->end, err);

    if (!status && lines->end >= 3 && memcmp(lines->buffer, "\xEF\xBB\xBF", 3) == 0)
        lines->begin = 3;
    if (!status && lines->begin == lines->end)
        status = cf_fail(err, CF_EINPUT, "%s: the file is empty", lines->path);
    return status;
}

int cf_lines_next(struct cf_lines *lines, struct cf_line *line, struct cf_error *err)
{
    const char *end;
    size_t n = measure(lines, &end);
    int status = CF_OK;

    *line = (struct cf_line){.number = lines->number};
    if (!end && lines->left) {
        status = fill(lines, err);
        if (!status && lines->number == 0)
            status = take_mark(lines, err);
        n = measure(lines, &end);
    } else if (lines->number == 0) {
        status = cf_fail(err, CF_EINPUT, "%s: the file is empty", lines->path);
    }
    if (status || lines->begin == lines->end)
        return status;
    lines->number++;
    char *text = lines->buffer + lines->begin;
    status = cf_text_check(lines->path, lines->number, text,
                           end || !lines->left ? n : whole_characters(text, n), err);
    if (status)
        return status;
    bool windows = end && n && text[n - 1] == '\r';
    if (n - windows > lines->longest)
        return cf_fail(err, CF_EINPUT,
                       "%s:%zu:1: a line of more than %zu bytes, which is the most that is read",
                       lines->path, lines->number, lines->longest);
    lines->begin += n + (end != NULL);
    n -= windows;
    text[n] = '\n';
    *line = (struct cf_line){.number = lines->number, .text = text, .n = n};
    return CF_OK;
}

void cf_lines_sha256(struct cf_lines *lines, char sha256[65])
{
    SHA256End(&lines->hash, sha256);
}
