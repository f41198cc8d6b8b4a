/* Lines of CSV by libcsv, which is fed one physical line at a time, byte by byte.
 *
 * libcsv reports neither lines nor columns, drops blank lines, and takes a quote that was left open
 * as a cell that swallows the rest of the file. Fed like this, the line number is the caller's, a
 * cell begins where the one before it ended, and a line that libcsv has not closed at its newline
 * has an open quote.
 */

#define _POSIX_C_SOURCE 200809L

#include "study/csv_line.h"

#include <stdlib.h>
#include <string.h>

enum { LINE_LIMIT = 1 << 16 }; /* bytes: thousands of cells */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static size_t blank_length(const char *text, size_t n)
{
    size_t i = 0;
    while (i < n && is_blank(text[i]))
        i++;
    return i;
}

char *cf_csv_trimmed(const char *text, size_t n)
{
    size_t begin = blank_length(text, n);
    while (n > begin && is_blank(text[n - 1]))
        n--;
    return strndup(text + begin, n - begin);
}

/* C0, DEL and C1, but for the tab: no cell may carry an escape sequence into a terminal. */
static unsigned control(const char *s)
{
    unsigned char c = (unsigned char) s[0], next = (unsigned char) s[1];

    if (c == 0xc2 && next >= 0x80 && next < 0xa0)
        return next;
    return (c < ' ' && c != '\t') || c == 0x7f ? c : 0;
}

static bool is_character(char c)
{
    return ((unsigned char) c & 0xc0) != 0x80; /* not a continuation byte of UTF-8 */
}

int cf_csv_line_check(const char *path, size_t number, const char *text, size_t n,
                      struct cf_error *err)
{
    size_t character = 0;

    if (n > LINE_LIMIT)
        return cf_fail(err, CF_EINPUT, "%s:%zu:1: a line of %zu bytes: at most %d are read", path,
                       number, n, LINE_LIMIT);
    for (size_t i = 0; i < n; i++) {
        character += is_character(text[i]);
        if (control(text + i))
            return cf_fail(err, CF_EINPUT, "%s:%zu:%zu: control character 0x%02x: text is wanted",
                           path, number, character, control(text + i));
    }
    return CF_OK;
}

static bool grow(struct cf_csv_line *line)
{
    size_t room = line->room ? 2 * line->room : 16, *at;
    char **cell = realloc(line->cell, room * sizeof *cell);

    if (!cell)
        return false;
    line->cell = cell;
    at = realloc(line->at, room * sizeof *at);
    if (!at)
        return false;
    line->at = at;
    line->room = room;
    return true;
}

static void take_cell(void *text, size_t n, void *user)
{
    struct cf_csv_line *line = user;
    char *cell = NULL;

    if (line->n < line->room || grow(line))
        cell = cf_csv_trimmed(text, n);
    if (!cell) {
        line->no_memory = true;
        return;
    }
    line->cell[line->n] = cell;
    line->at[line->n++] = line->begin;
}

static void take_end(int terminator, void *user)
{
    (void) terminator;
    ((struct cf_csv_line *) user)->ended = true;
}

static void empty(struct cf_csv_line *line)
{
    for (size_t i = 0; i < line->n; i++)
        free(line->cell[i]);
    line->n = 0;
    line->ended = false;
}

int cf_csv_line_split(struct csv_parser *parser, const char *path, size_t number, const char *text,
                      size_t n, struct cf_csv_line *line, struct cf_error *err)
{
    size_t character = 0;
    bool fresh = true; /* the current cell has only blanks so far */

    empty(line);
    if (blank_length(text, n) == n)
        return CF_OK;
    line->begin = 1;
    for (size_t i = 0; i <= n; i++) {
        char c = i < n ? text[i] : '\n';
        size_t before = line->n;

        character += is_character(c);
        if (csv_parse(parser, &c, 1, take_cell, take_end, line) != 1)
            return cf_fail(err, CF_EINPUT,
                           "%s:%zu:%zu: a quote inside a cell: put the whole cell in quotes and "
                           "double those within",
                           path, number, character);
        if (line->no_memory)
            return cf_fail(err, CF_ENOMEM, "%s:%zu: no memory for the table", path, number);
        if (line->n > before)
            fresh = true;
        else if (!is_blank(c))
            fresh = false;
        if (fresh)
            line->begin = character + 1;
    }
    if (!line->ended)
        return cf_fail(err, CF_EINPUT,
                       "%s:%zu:%zu: a quote that is not closed on its line: a cell may not go on "
                       "in the next",
                       path, number, line->begin);
    return CF_OK;
}

bool cf_csv_line_blank(const struct cf_csv_line *line)
{
    for (size_t i = 0; i < line->n; i++)
        if (*line->cell[i])
            return false;
    return true;
}

void cf_csv_line_free(struct cf_csv_line *line)
{
    empty(line);
    free(line->cell);
    free(line->at);
}
