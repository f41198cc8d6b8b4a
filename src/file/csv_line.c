/* A line of a table is cut at its delimiter, but for those in quotes. A cell in quotes begins and
 * ends with them; two of them within are one. Others are refused, and so is one that is left open,
 * which would take the next line into the cell. */

#define _POSIX_C_SOURCE 200809L

#include "file/parts.h"

#include <stdlib.h>
#include <string.h>

#include "core/text.h"

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* Blanks beside a delimiter that is a tab or, as a blank is itself, any number of them. */
static size_t pad_length(const char *text, size_t n, char delimiter)
{
    size_t i = 0;
    while (i < n && is_blank(text[i]) && (text[i] != delimiter || delimiter == CF_CSV_BLANKS))
        i++;
    return i;
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

/* The place of the delimiter that ends a cell that begins at text[i]; n: the line's end. */
static size_t find_end(const char *text, size_t n, size_t i, char delimiter)
{
    const char *end = NULL;

    if (delimiter != CF_CSV_BLANKS) {
        end = memchr(text + i, delimiter, n - i);
        return end ? (size_t) (end - text) : n;
    }
    while (i < n && !is_blank(text[i]))
        i++;
    return i;
}

/* The cell in quotes at text[*i], which moves behind what closes it; false: nothing does. */
static bool take_quoted(const char *text, size_t n, size_t *i, struct cf_csv_line *line)
{
    size_t from = *i + 1;

    for (; from < n; from++) {
        if (text[from] == '"' && !(from + 1 < n && text[from + 1] == '"'))
            break;
        from += text[from] == '"';
        *line->end++ = text[from];
    }
    *i = from + 1;
    return from < n;
}

/* End the cell that was copied to line->end from `begin` on: blanks about it are none of it. */
static void end_cell(struct cf_csv_line *line, char *begin)
{
    size_t n = (size_t) (line->end - begin);
    const char *cell = trim(begin, &n);

    memmove(begin, cell, n);
    begin[n] = '\0';
    line->cell[line->n++] = begin;
    line->end = begin + n + 1;
}

static int refuse_quote(const struct cf_csv_cut *cut, size_t at, struct cf_error *err)
{
    return cf_fail(err, CF_EINPUT,
                   "%s:%zu:%zu: a quote inside a cell: put the whole cell in quotes and "
                   "double those within",
                   cut->path, cut->number, count_characters(cut->text, at + 1));
}

/* The cell at text[*i], which moves to the delimiter behind it. */
static int take_cell(const struct cf_csv_cut *cut, size_t *i, struct cf_csv_line *line,
                     struct cf_error *err)
{
    const char *text = cut->text;
    char *begin = line->end, delimiter = cut->delimiter;
    size_t from = *i, end, n = cut->n;

    if (from < n && text[from] == '"') {
        if (!take_quoted(text, n, i, line))
            return cf_fail(err, CF_EINPUT,
                           "%s:%zu:%zu: a quote that is not closed on its line: a cell may not go "
                           "on in the next",
                           cut->path, cut->number, line->at[line->n]);
        end = *i;
        if (*i < n && delimiter != CF_CSV_BLANKS)
            *i += pad_length(text + *i, n - *i, delimiter);
        if (*i < n && text[*i] != delimiter && !(delimiter == CF_CSV_BLANKS && is_blank(text[*i])))
            return refuse_quote(cut, end - 1, err);
        end_cell(line, begin);
        return CF_OK;
    }
    end = find_end(text, n, from, delimiter);
    const char *quote = memchr(text + from, '"', end - from);
    if (quote)
        return refuse_quote(cut, (size_t) (quote - text), err);
    memmove(line->end, text + from, end - from);
    line->end += end - from;
    end_cell(line, begin);
    *i = end;
    return CF_OK;
}

int cf_csv_line_split(const struct cf_csv_cut *cut, char *to, struct cf_csv_line *line,
                      struct cf_error *err)
{
    const char *text = cut->text;
    char delimiter = cut->delimiter;
    size_t i = 0, counted = 0, characters = 0, n = cut->n;

    line->n = 0;
    line->end = to;
    if (blank_length(text, n) == n)
        return CF_OK;
    for (;;) {
        size_t begin = i + pad_length(text + i, n - i, delimiter);
        int status;

        if (line->n && delimiter == CF_CSV_BLANKS && begin == n)
            return CF_OK;
        if (line->n == line->room && !grow(line))
            return cf_fail(err, CF_ENOMEM, "%s:%zu: no memory for the table", cut->path,
                           cut->number);
        characters += count_characters(text + counted, begin - counted);
        counted = begin;
        line->at[line->n] = characters + 1;
        i = begin;
        status = take_cell(cut, &i, line, err);
        if (status || i >= n)
            return status;
        i++; /* the delimiter, in whose place the cell's NUL may be by now */
    }
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
