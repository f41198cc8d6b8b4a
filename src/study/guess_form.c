/* How a table is written, from its first lines. The body decides: its last line that is seen
 * determines how cells are cut, and how many there are. The names stand in the first line of as
 * many cells that are all text; what stands above them are titles. */

#define _POSIX_C_SOURCE 200809L

#include <stdlib.h>
#include <string.h>

#include "core/lines.h"
#include "core/units.h"
#include "file/csv_line.h"
#include "study/guess.h"

enum { SEEN = 64 }; /* lines: more than any title has */

struct seen {
    size_t n, number[SEEN];
    char *line[SEEN];
};

enum kind {
    CELL_EMPTY,
    CELL_DASH,
    CELL_TEXT,
    CELL_UNIT,
    CELL_ONE, /* 1, which a row of units has, too */
    CELL_NUMBER,
    CELL_COMMA, /* a number with a decimal comma */
    CELL_NKIND
};

/* How many cells of a line are what. */
struct cells {
    size_t n, of[CELL_NKIND];
};

static int read_seen(const char *path, struct seen *seen, struct cf_error *err)
{
    struct cf_lines *lines = cf_lines_open(path, CF_CSV_LONGEST_LINE, err);
    struct cf_line line;
    int status = lines ? CF_OK : CF_EINPUT;

    while (!status && seen->n < SEEN) {
        status = cf_lines_next(lines, &line, err);
        if (status || !line.text)
            break;
        line.text[line.n] = '\0';
        if (!line.text[strspn(line.text, " \t;,")])
            continue; /* blank, or what a spreadsheet leaves of a blank line */
        seen->number[seen->n] = line.number;
        seen->line[seen->n] = strdup(line.text);
        if (!seen->line[seen->n])
            status = cf_fail(err, CF_ENOMEM, "no memory for a line");
        else
            seen->n++;
    }
    cf_lines_close(lines);
    return status;
}

static size_t count(const char *line, char c)
{
    size_t n = 0;
    bool quoted = false;

    for (; *line; line++) {
        quoted ^= *line == '"';
        n += !quoted && *line == c;
    }
    return n;
}

/* The text of a cell is a unit, in brackets or not, and says something. */
static bool is_unit(char *cell)
{
    size_t n = strlen(cell);
    struct cf_unit unit;

    if (n > 2 && ((cell[0] == '[' && cell[n - 1] == ']') || (cell[0] == '(' && cell[n - 1] == ')')))
        cell[n - 1] = '\0', cell++;
    return strcmp(cell, "-") && cf_unit_parse(cell, &unit, NULL) == CF_OK;
}

static enum kind kind_of(const char *text, size_t n)
{
    bool quoted = n > 1 && text[0] == '"' && text[n - 1] == '"';
    char *cell = cf_csv_trimmed(text + quoted, n - 2 * quoted);
    enum kind kind = CELL_TEXT;
    double value;

    if (!cell || !*cell)
        kind = CELL_EMPTY;
    else if (strcmp(cell, "-") == 0)
        kind = CELL_DASH;
    else if (strcmp(cell, "1") == 0)
        kind = CELL_ONE;
    else if (cf_number_parse(cell, '.', &value, NULL) == CF_OK)
        kind = CELL_NUMBER;
    else if (cf_number_parse(cell, ',', &value, NULL) == CF_OK)
        kind = CELL_COMMA;
    else if (is_unit(cell))
        kind = CELL_UNIT;
    free(cell);
    return kind;
}

/* The kind of the cell at *line, which moves behind its delimiter; NULL behind the last. */
static enum kind next_cell(const char **line, char delimiter)
{
    const char *begin = *line + strspn(*line, " \t"), *end = *line;
    bool quoted = false;
    size_t n;

    for (; *end && (quoted || *end != delimiter); end++)
        quoted ^= *end == '"';
    *line = *end ? end + 1 : NULL;
    n = end > begin ? (size_t) (end - begin) : 0;
    while (n && (begin[n - 1] == ' ' || begin[n - 1] == '\t'))
        n--;
    return kind_of(begin, n);
}

static struct cells look_at(const char *line, char delimiter)
{
    struct cells cells = {.n = 0};

    for (; line; cells.n++)
        cells.of[next_cell(&line, delimiter)]++;
    return cells;
}

/* As many cells as there are columns, and all of them words? */
static bool all_text(const struct cells *cells, size_t ncolumn)
{
    return cells->n == ncolumn && cells->of[CELL_TEXT] + cells->of[CELL_UNIT] == ncolumn;
}

static size_t numbers(const struct cells *cells)
{
    return cells->of[CELL_ONE] + cells->of[CELL_NUMBER] + cells->of[CELL_COMMA];
}

static bool is_comment(const struct seen *seen, size_t i)
{
    return seen->line[i][0] == '#';
}

/* Is line i a row of numbers, perhaps with words among them? */
static bool is_row(const struct seen *seen, size_t i, char delimiter)
{
    struct cells cells = {.n = 0};

    if (i < seen->n)
        cells = look_at(seen->line[i], delimiter);
    return numbers(&cells) > 0;
}

/* Are units in line i: numbers below them, most words there are units, and the only number is 1? */
static bool has_units(const struct seen *seen, size_t i, size_t ncolumn, char delimiter)
{
    const char *line, *row;
    size_t n = 0, units = 0, words = 0;

    if (i + 1 >= seen->n)
        return false;
    line = seen->line[i];
    row = seen->line[i + 1];
    for (; line && row; n++) {
        enum kind here = next_cell(&line, delimiter), below = next_cell(&row, delimiter);
        if (here == CELL_NUMBER || here == CELL_COMMA ||
            (here == CELL_UNIT && (below == CELL_TEXT || below == CELL_UNIT)))
            return false;
        units += here == CELL_UNIT;
        words += here == CELL_UNIT || here == CELL_TEXT;
    }
    return n == ncolumn && 2 * units > words;
}

/* The line with the names of so many columns: all words, and above rows or a row of units. seen->n:
 * none looks like it. */
static size_t find_names(const struct seen *seen, size_t first, size_t ncolumn, char delimiter)
{
    struct cells cells = look_at(seen->line[first], delimiter);

    /* names in a comment, above rows of numbers */
    if (numbers(&cells) == cells.n && ncolumn > 1 && first > 0) {
        cells = look_at(seen->line[first - 1] + 1, delimiter);
        return all_text(&cells, ncolumn) ? first - 1 : seen->n;
    }
    for (size_t i = first; i + 1 < seen->n; i++) {
        cells = look_at(seen->line[i], delimiter);
        if (all_text(&cells, ncolumn) &&
            (has_units(seen, i + 1, ncolumn, delimiter) || is_row(seen, i + 1, delimiter)))
            return i;
    }
    return seen->n;
}

static void guess(const struct seen *seen, struct cf_csv_form *form)
{
    size_t first = 0, names, ncolumn;
    const char *last;
    bool comma = false;

    while (first < seen->n && is_comment(seen, first))
        first++;
    if (first == seen->n)
        return;
    last = seen->line[seen->n - 1];
    form->delimiter = count(last, ';') ? ';' : count(last, '\t') ? '\t' : ',';
    ncolumn = look_at(last, form->delimiter).n;
    names = find_names(seen, first, ncolumn, form->delimiter);
    if (names == seen->n || ncolumn == 1)
        names = first;
    form->header_line = names == first ? 0 : seen->number[names];
    form->unit_row = has_units(seen, names < first ? first : names + 1, ncolumn, form->delimiter);
    for (size_t i = names + 1; i < seen->n; i++)
        comma |= look_at(seen->line[i], form->delimiter).of[CELL_COMMA] > 0;
    form->decimal = form->delimiter != ',' && comma ? ',' : '.';
}

int cf_guess_form(const char *path, struct cf_csv_form *form, struct cf_error *err)
{
    struct seen seen = {.n = 0};
    int status = read_seen(path, &seen, err);

    *form = cf_csv_plain;
    if (!status)
        guess(&seen, form);
    for (size_t i = 0; i < seen.n; i++)
        free(seen.line[i]);
    return status;
}
