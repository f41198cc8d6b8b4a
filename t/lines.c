/* Files line by line: the same lines, refusals and hash as of the whole file, wherever the blocks
 * that are read end. */

#define _POSIX_C_SOURCE 200809L

#include "core/lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "lib/scratch.h"
#include "tap.h"

/* Blocks are of 64 KiB: texts around that size, and around twice. */
enum { BLOCK = 1 << 16, LONGEST = 1 << 10, SIZE = 3 * BLOCK };

static struct scratch scratch;
static char text[SIZE + 1];
static enum cf_encoding encoding = CF_ENCODING_UTF8;

static void write_bytes(const char *bytes, size_t n)
{
    FILE *out = fopen(scratch.file, "wb");
    if (!out || fwrite(bytes, 1, n, out) != n || fclose(out))
        printf("Bail out! cannot write %s\n", scratch.file);
}

/* Reads all lines into one text, each with a newline; the status at the end. */
static int join(char *all, size_t *used, size_t *count, char sha256[65], struct cf_error *err)
{
    struct cf_lines *lines = cf_lines_open(scratch.file, LONGEST, encoding, err);
    struct cf_line line;
    int status = lines ? CF_OK : CF_EIO;

    *used = *count = 0;
    while (!status && !(status = cf_lines_next(lines, &line, err)) && line.text) {
        if (line.number != ++*count)
            status = -1;
        memcpy(all + *used, line.text, line.n);
        *used += line.n;
        all[(*used)++] = '\n';
    }
    if (!status)
        cf_lines_sha256(lines, sha256);
    cf_lines_close(lines);
    return status;
}

/* Are the bytes read as core/file.h reads them, or refused with the same words? */
static bool same_as_whole(const char *bytes, size_t n)
{
    static char all[SIZE + 2];
    struct cf_error err = {""}, why = {""};
    char sha256[65], want_sha256[65], *want = NULL;
    size_t used, count, len = 0;

    write_bytes(bytes, n);
    int status = join(all, &used, &count, sha256, &err);
    int want_status = cf_file_read(scratch.file, SIZE, &want, &len, want_sha256, &why);
    bool last = len && want[len - 1] != '\n'; /* without a line end, which join() adds */
    bool same = status == want_status;
    if (same && status)
        same = strcmp(err.text, why.text) == 0;
    else if (same)
        same =
            used == len + last && memcmp(all, want, len) == 0 && strcmp(sha256, want_sha256) == 0;
    if (!same)
        printf("# %d \"%s\", %d \"%s\": %zu and %zu bytes\n", status, err.text, want_status,
               why.text, used, len);
    free(want);
    return same;
}

/* A piece of text that lies across the end of a block, at each place of it. */
static void across(const char *piece, const char *what)
{
    size_t bad = 0, n = strlen(piece);

    for (size_t from = BLOCK + LONGEST - n - 1; from <= BLOCK + LONGEST + 1; from++) {
        for (size_t i = 0; i < SIZE; i++)
            text[i] = i % 100 == 99 ? '\n' : 'x';
        memcpy(text + from, piece, n);
        bad += !same_as_whole(text, SIZE);
        bad += !same_as_whole(text, from + n); /* and the file ends with it */
    }
    ok(bad == 0, "%s across the end of a block: %zu differ", what, bad);
}

static void short_files(void)
{
    static const struct {
        const char *bytes;
        size_t n;
    } file[] = {{"", 0},
                {"\n", 1},
                {"a", 1},
                {"a\n", 2},
                {"a\r\n", 3},
                {"\r\n", 2},
                {"\r", 1},
                {"a\rb\n", 4},
                {"a\r\r\n", 4},
                {"\n\n\n", 3},
                {"a\n\nb", 4},
                {"\xef\xbb\xbf", 3},
                {"\xef\xbb", 2},
                {"\xef\xbb\xbf\n", 4},
                {"\xef\xbb\xbf"
                 "a\r\nb\r\n",
                 9},
                {"\xff\xfe"
                 "a",
                 3},
                {"\xfe\xff", 2},
                {"ab\n\0c\n", 6},
                {"a\n\xc3\xa9\xc3\n", 6},
                {"a\n\xe2\x82", 4},
                {"12345678\n1234567\0", 17}};
    size_t bad = 0;

    for (size_t i = 0; i < sizeof file / sizeof *file; i++)
        if (!same_as_whole(file[i].bytes, file[i].n)) {
            printf("# file %zu\n", i);
            bad++;
        }
    ok(bad == 0, "short files are read or refused as whole ones: %zu differ", bad);
}

/* A line of that length behind another, ended in that way. */
static int long_line(size_t n, const char *end, struct cf_error *err)
{
    static char all[SIZE + 2];
    char sha256[65];
    size_t used, count;

    text[0] = '\n';
    memset(text + 1, 'x', n);
    memcpy(text + 1 + n, end, strlen(end));
    write_bytes(text, 1 + n + strlen(end));
    return join(all, &used, &count, sha256, err);
}

static void long_lines(void)
{
    static const char *const end[] = {"", "\n", "\r\n", "\ny\n"};
    char want[200];

    snprintf(want, sizeof want,
             "%s:2:1: a line of more than %d bytes, which is the most that is read", scratch.file,
             LONGEST);
    for (size_t i = 0; i < 4; i++) {
        struct cf_error err = {""};
        ok(!long_line(LONGEST, end[i], &err), "as long as may be %s", err.text);
        ok(long_line(LONGEST + 1, end[i], &err) == CF_EINPUT && !strcmp(err.text, want),
           "one byte longer: %s", err.text);
        ok(long_line(SIZE - 100, end[i], &err) == CF_EINPUT && !strcmp(err.text, want),
           "longer than what is read at a time");
    }
    /* a character that the buffer cuts is no fault of the line */
    struct cf_error err = {""};
    for (size_t shift = 0; shift < 4; shift++) {
        memset(text, 'x', shift);
        for (size_t i = shift; i + 4 <= SIZE; i += 4)
            memcpy(text + i, "\xf0\x9f\x98\x80", 4);
        write_bytes(text, SIZE - 4);
        static char all[SIZE + 2];
        char sha256[65];
        size_t used, count;
        int status = join(all, &used, &count, sha256, &err);
        ok(status == CF_EINPUT && strstr(err.text, ":1:1: a line of more than"),
           "a long line of characters of four bytes, %zu: %s", shift, err.text);
    }
}

static void no_files(void)
{
    struct cf_error err = {""}, why = {""};
    char *all;
    size_t n;
    static const char *const path[] = {"no such file", "/", "/dev/null"};

    for (size_t i = 0; i < 3; i++) {
        ok(!cf_lines_open(path[i], 10, CF_ENCODING_UTF8, &err) &&
               cf_file_read(path[i], 10, &all, &n, NULL, &why),
           "%s is refused", path[i]);
        is_str(err.text, why.text, "with the same words");
    }
}

TEST(lines)
{
    plan(28);
    scratch_open(&scratch, "lines.txt");
    short_files();
    across("\n", "a line end");
    across("\r\n", "a line end of Windows");
    across("\r", "a carriage return alone");
    across("\xf0\x9f\x98\x80", "a character of four bytes");
    across("\xe2\x82", "a broken character");
    long_lines();
    no_files();
    scratch_close(&scratch);
    return done();
}
