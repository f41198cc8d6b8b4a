#define _POSIX_C_SOURCE 200809L

#include "core/file.h"

#include <sha256.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/file_system.h"
#include "core/text.h"

static int refuse(const char *path, const char *what, int code, struct cf_error *err)
{
    return cf_fail(err, CF_EIO, "%s: %s: %s", path, what, strerror(code));
}

static int too_long(const char *path, unsigned long long size, size_t limit, struct cf_error *err)
{
    size_t mib = (size_t) 1 << 20;
    return limit % mib == 0 ? cf_fail(err, CF_EINPUT, "%s: %.1f MiB: the limit is %zu MiB", path,
                                      (double) size / (double) mib, limit / mib)
                            : cf_fail(err, CF_EINPUT, "%s: %llu bytes: the limit is %zu bytes",
                                      path, size, limit);
}

int cf_file_begin(const char *path, int *file, size_t *size, struct cf_error *err)
{
    struct cf_file_state state;
    int code = cf_file_open(path, file), status = CF_OK;

    if (code) {
        *file = -1;
        return refuse(path, "cannot be read", code, err);
    }
    code = cf_file_state_open(*file, &state);
    if (code)
        status = refuse(path, "cannot be read", code, err);
    else if (state.kind == CF_FILE_FOLDER)
        status = cf_fail(err, CF_EIO, "%s: is a folder, not a file", path);
    else if (state.kind != CF_FILE_REGULAR)
        status = cf_fail(err, CF_EIO,
                         "%s: a pipe, a terminal or a device: files are read more than once: "
                         "write it into a file, and name that",
                         path);
    if (!status) {
        *size = (size_t) state.size;
        return CF_OK;
    }
    cf_file_close(*file);
    *file = -1;
    return status;
}

/* The bytes of an open file; *text has room for a final NUL. */
static int slurp(int file, const char *path, size_t size, char **text, size_t *len,
                 struct cf_error *err)
{
    /* a file that shrinks or grows meanwhile is read to where it ends, or to its first size */
    size_t have = 0, n = 1;
    char *bytes = malloc(size + 1);
    if (!bytes)
        return cf_fail(err, CF_ENOMEM, "%s: out of memory", path);
    for (; have < size && n > 0; have += n) {
        int code = cf_file_read_some(file, bytes + have, size - have, &n);
        if (code) {
            free(bytes);
            return refuse(path, "cannot be read", code, err);
        }
    }
    bytes[have] = '\0';
    *text = bytes;
    *len = have;
    return CF_OK;
}

/* Byte `at` of a text is none that a text may have: say which, and where it stands. */
static int refuse_byte(const char *path, size_t line, const char *text, size_t at,
                       struct cf_error *err)
{
    size_t column = 1;

    for (size_t i = 0; i < at; i += cf_utf8_length(text + i, at - i)) {
        column++;
        if (text[i] == '\n')
            line++, column = 1;
    }
    if (text[at] == '\0')
        return cf_fail(err, CF_EINPUT, "%s:%zu:%zu: a NUL byte: a text file is wanted", path, line,
                       column);
    return cf_fail(err, CF_EINPUT, "%s:%zu:%zu: byte 0x%02X is not UTF-8: save the file as UTF-8",
                   path, line, column, (unsigned) (unsigned char) text[at]);
}

/* Are the next eight bytes ASCII without a NUL? Nearly all of a table is; looking at one character
 * after the other takes longer there than reading the file. */
static bool is_plain(const char text[8])
{
    const uint64_t ones = 0x0101010101010101, high = 0x80 * ones;
    uint64_t bytes;

    memcpy(&bytes, text, sizeof bytes);
    return !((bytes | (bytes - ones)) & high);
}

int cf_text_check_mark(const char *path, const char *text, size_t len, struct cf_error *err)
{
    const char *what = cf_known_file(text, len);

    if (len >= 2 && (memcmp(text, "\xFF\xFE", 2) == 0 || memcmp(text, "\xFE\xFF", 2) == 0))
        return cf_fail(err, CF_EINPUT, "%s:1:1: text in UTF-16: save the file as UTF-8", path);
    return what ? cf_fail(err, CF_EINPUT, "%s: %s", path, what) : CF_OK;
}

int cf_text_check(const char *path, size_t line, const char *text, size_t len, struct cf_error *err)
{
    for (size_t i = 0, n; i < len; i += n) {
        n = len - i >= 8 && is_plain(text + i) ? 8 : cf_utf8_length(text + i, len - i);
        if (n == 0 || text[i] == '\0')
            return refuse_byte(path, line, text, i, err);
    }
    return CF_OK;
}

/* Drop a byte order mark and the \r of \r\n, in place; returns the new length. */
static size_t tidy(char *text, size_t len)
{
    size_t to = 0, from = len >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;

    while (from < len) {
        const char *end = memchr(text + from, '\r', len - from);
        size_t n = end ? (size_t) (end - (text + from)) : len - from;

        if (to < from)
            memmove(text + to, text + from, n);
        to += n;
        from += n;
        if (end && !(from + 1 < len && text[from + 1] == '\n'))
            text[to++] = '\r';
        from += end != NULL;
    }
    text[to] = '\0';
    return to;
}

/* Bytes with room for a NUL, which become *text or free. */
static int take(const char *path, char *bytes, size_t size, char **text, size_t *len,
                char sha256[65], struct cf_error *err)
{
    int status;

    if (sha256)
        SHA256Data((const uint8_t *) bytes, size, sha256);
    status = cf_text_check_mark(path, bytes, size, err);
    if (!status)
        status = cf_text_check(path, 1, bytes, size, err);
    if (!status) {
        size = tidy(bytes, size);
        if (size == 0)
            status = cf_fail(err, CF_EINPUT, "%s: the file is empty", path);
    }
    if (status) {
        free(bytes);
        return status;
    }
    *text = bytes;
    *len = size;
    return CF_OK;
}

/* Standard input to its end; *text has room for a final NUL. */
static int slurp_input(size_t limit, char **text, size_t *len, struct cf_error *err)
{
    static const char name[] = "standard input";
    size_t have = 0, room = (size_t) 1 << 16, n = 1;
    char *bytes = malloc(room + 1), *longer = bytes;

    while (longer && n > 0 && have <= limit) {
        int code = cf_file_read_some(0, bytes + have, room - have, &n);
        if (code) {
            free(bytes);
            return refuse(name, "cannot be read", code, err);
        }
        have += n;
        if (have == room && (longer = realloc(bytes, 2 * room + 1)))
            bytes = longer, room *= 2;
    }
    if (longer && have <= limit) {
        bytes[have] = '\0';
        *text = bytes;
        *len = have;
        return CF_OK;
    }
    free(bytes);
    return longer ? too_long(name, have, limit, err)
                  : cf_fail(err, CF_ENOMEM, "%s: out of memory", name);
}

int cf_file_read(const char *path, size_t limit, char **text, size_t *len, char sha256[65],
                 struct cf_error *err)
{
    char *bytes = NULL;
    size_t size = 0;
    int file, status;

    if (strcmp(path, "-") == 0) {
        status = slurp_input(limit, &bytes, &size, err);
        return status ? status : take("standard input", bytes, size, text, len, sha256, err);
    }
    status = cf_file_begin(path, &file, &size, err);
    if (status)
        return status;
    status = size > limit ? too_long(path, size, limit, err)
                          : slurp(file, path, size, &bytes, &size, err);
    cf_file_close(file);
    return status ? status : take(path, bytes, size, text, len, sha256, err);
}

int cf_file_take(const char *name, const char *bytes, size_t size, char **text, size_t *len,
                 char sha256[65], struct cf_error *err)
{
    char *copy = malloc(size + 1);

    if (!copy)
        return cf_fail(err, CF_ENOMEM, "%s: out of memory", name);
    memcpy(copy, bytes, size);
    copy[size] = '\0';
    return take(name, copy, size, text, len, sha256, err);
}

int cf_file_names(const char *path, char **copy, char **name, char **folder)
{
    if (strcmp(path, "-") == 0)
        path = "stdin";
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    const char *dot = strrchr(base, '.');
    size_t n = dot && dot > base ? (size_t) (dot - base) : strlen(base);

    *copy = strdup(path);
    *name = strndup(base, n);
    *folder = strndup(path, (size_t) (base - path));
    return *copy && *name && *folder ? CF_OK : CF_ENOMEM;
}
