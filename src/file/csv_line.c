/* Lines of CSV by libcsv, which is fed one physical line at a time, from delimiter to delimiter.
 *
 * libcsv reports neither lines nor columns, drops blank lines, and takes a quote that was left open
 * as a cell that swallows the rest of the file. Fed like this, the line number is the caller's, a
 * cell begins where the one before it ended, and a line that libcsv has not closed at its newline
 * has an open quote. A delimiter that ends no cell stands in quotes.
 */

#define _POSIX_C_SOURCE 200809L

#include "file/csv_line.h"

#include <stdlib.h>
#include <string.h>

#include "core/text.h"

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

/* The part of text[0..*n) without blanks around it; *n becomes its length. */
static const char *trim(const char *text, size_t *n)
{
    size_t begin = blank_length(text, *n);

    while (*n > begin && is_blank(text[*n - 1]))
        --*n;
    *n -= begin;
    return text + begin;
}

char *cf_csv_trimmed(const char *text, size_t n)
{
    text = trim(text, &n);
    return strndup(text, n);
}

/* A quick look at a line, which nearly always settles the matter: printable ASCII. No early end, so
 * that compilers look at many bytes at once. */
static bool is_plain(const char *text, size_t n)
{
    unsigned suspect = 0;

    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char) text[i];
        suspect |= (unsigned) (c < ' ') & (unsigned) (c != '\t');
        suspect |= (unsigned) (c >= 0x7f);
    }
    return !suspect;
}

/* The code of a character that no cell may carry into a terminal or a page. */
static unsigned code_of(const char *s)
{
    unsigned char c = (unsigned char) s[0];

    return c < 0x80   ? c
           : c < 0xe0 ? (c & 0x1fu) << 6 | ((unsigned char) s[1] & 0x3fu)
                      : (c & 0xfu) << 12 | ((unsigned char) s[1] & 0x3fu) << 6 |
                            ((unsigned char) s[2] & 0x3fu);
}

/* Characters in text[0..n): all bytes but those that continue one in UTF-8. */
static size_t count_characters(const char *text, size_t n)
{
    size_t count = 0;

    for (size_t i = 0; i < n; i++)
        count += ((unsigned char) text[i] & 0xc0) != 0x80;
    return count;
}

int cf_csv_line_check(const char *path, size_t number, const char *text, size_t n, bool remark,
                      struct cf_error *err)
{
    const char *bad;

    bad = is_plain(text, n) ? NULL : cf_text_unsafe(text, n);
    if (!bad || remark)
        return CF_OK;
    return cf_fail(err, CF_EINPUT,
                   code_of(bad) < 0x100 ? "%s:%zu:%zu: control character 0x%02x: text is wanted"
                                        : "%s:%zu:%zu: U+%04X, which no reader sees, turns the "
                                          "writing direction or ends a line: text is wanted",
                   path, number, count_characters(text, (size_t) (bad - text) + 1), code_of(bad));
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
    const char *cell = trim(text, &n);

    if (line->n == line->room && !grow(line)) {
        line->no_memory = true;
        return;
    }
    line->cell[line->n] = line->end;
    line->at[line->n++] = line->begin;
    memcpy(line->end, cell, n);
    line->end[n] = '\0';
    line->end += n + 1;
}

static void take_end(int terminator, void *user)
{
    (void) terminator;
    ((struct cf_csv_line *) user)->ended = true;
}

/* Feed libcsv a piece of a line, text[0..n), that `before` characters stand before. */
static int feed(struct csv_parser *parser, const char *path, size_t number, const char *text,
                size_t n, size_t before, struct cf_csv_line *line, struct cf_error *err)
{
    size_t done = csv_parse(parser, text, n, take_cell, take_end, line);

    if (line->no_memory || (done != n && csv_error(parser) == CSV_ENOMEM))
        return cf_fail(err, CF_ENOMEM, "%s:%zu: no memory for the table", path, number);
    if (done != n)
        return cf_fail(err, CF_EINPUT,
                       "%s:%zu:%zu: a quote inside a cell: put the whole cell in quotes and "
                       "double those within",
                       path, number, before + count_characters(text, done + 1));
    return CF_OK;
}

int cf_csv_line_split(struct csv_parser *parser, const char *path, size_t number, const char *text,
                      size_t n, char *to, struct cf_csv_line *line, struct cf_error *err)
{
    int delimiter = csv_get_delim(parser);
    size_t character = 0; /* how many were read */
    bool open = false;    /* a cell that began before this piece goes on in it */

    line->n = 0;
    line->end = to;
    line->ended = false;
    if (blank_length(text, n) == n)
        return CF_OK;
    for (size_t i = 0, size; i <= n; i += size) {
        const char *end = memchr(text + i, delimiter, n - i);
        size_t characters, ncell = line->n;
        int status;

        size = (end ? (size_t) (end - (text + i)) : n - i) + 1;
        characters = count_characters(text + i, size);
        if (!open)
            line->begin = character + 1 + blank_length(text + i, size - 1);
        status = feed(parser, path, number, text + i, size, character, line, err);
        if (status)
            return status;
        character += characters;
        open = line->n == ncell;
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
    free(line->cell);
    free(line->at);
}
