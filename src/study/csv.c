/* CSV tables: provenance at the head, names with units, rows with their lines. Text is checked by
 * core/file.h, lines are cut by csv_line.h. */

#define _POSIX_C_SOURCE 200809L

#include "study/csv.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/file.h"
#include "core/text.h"
#include "core/units.h"
#include "study/csv_line.h"

/* A table being read. */
struct reader {
    struct cf_csv *csv;
    struct csv_parser parser;
    struct cf_csv_line line;
    char *end; /* behind the last cell of the rows so far */
    size_t provenance_room, cell_room, at_room, row_room;
};

static int no_memory(const struct cf_csv *csv, struct cf_error *err)
{
    return cf_fail(err, CF_ENOMEM, "%s: no memory for the table", csv->path);
}

/* Room for n elements in an array of *room; NULL when out of memory, and the old one stays. */
static void *grown(void *array, size_t *room, size_t n, size_t size)
{
    size_t more = *room ? *room : 64;

    if (n <= *room)
        return array;
    while (more < n)
        more *= 2;
    array = realloc(array, more * size);
    if (array)
        *room = more;
    return array;
}

/* Split "speed [m/s]" and "speed_m_s" into name and unit; "e" has none, "e [-]" has 1. */
static int split_header(struct cf_csv *csv, size_t i, struct cf_error *err)
{
    const char *full = csv->full[i], *open = strrchr(full, '['), *suffix = NULL;
    size_t n = strlen(full), stem = n;

    if (open && open > full && full[n - 1] == ']') {
        char *unit = cf_csv_trimmed(open + 1, (size_t) (full + n - 1 - (open + 1)));
        bool none = unit && (!*unit || strcmp(unit, "-") == 0);
        csv->unit[i] = none ? strdup("1") : unit;
        if (none)
            free(unit);
        csv->header[i] = cf_csv_trimmed(full, (size_t) (open - full));
        return csv->unit[i] && csv->header[i] ? CF_OK : no_memory(csv, err);
    }
    if (cf_unit_suffix(full, &stem, &suffix)) {
        csv->unit[i] = strdup(suffix);
        if (!csv->unit[i])
            return no_memory(csv, err);
    }
    csv->header[i] = strndup(full, stem);
    return csv->header[i] ? CF_OK : no_memory(csv, err);
}

static int take_header(struct cf_csv *csv, size_t i, struct cf_error *err)
{
    if (!*csv->full[i])
        return cf_fail(err, CF_EINPUT, "%s:%zu:%zu: column %zu has no name: each needs one",
                       csv->path, csv->header_line, csv->full_at[i], i + 1);
    for (size_t j = 0; j < i; j++)
        if (strcmp(csv->full[j], csv->full[i]) == 0)
            return cf_fail(err, CF_EINPUT,
                           "%s:%zu:%zu: columns %zu and %zu are both called %.80s: names must "
                           "differ",
                           csv->path, csv->header_line, csv->full_at[i], j + 1, i + 1,
                           csv->full[i]);
    return split_header(csv, i, err);
}

/* A first line of numbers only is data: the names are missing. */
static bool all_numbers(const struct cf_csv_line *line, char decimal)
{
    double value;

    for (size_t i = 0; i < line->n; i++)
        if (cf_number_parse(line->cell[i], decimal, &value, NULL))
            return false;
    return true;
}

static int begin_table(struct cf_csv *csv, const struct cf_csv_line *line, size_t number,
                       struct cf_error *err)
{
    if (all_numbers(line, csv->decimal))
        return cf_fail(err, CF_EINPUT,
                       "%s:%zu:1: numbers where the names of the columns are wanted, such as "
                       "speed_m_s,e",
                       csv->path, number);
    csv->header_line = number;
    csv->header = calloc(line->n, sizeof *csv->header);
    csv->unit = calloc(line->n, sizeof *csv->unit);
    csv->full = calloc(line->n, sizeof *csv->full);
    csv->full_at = calloc(line->n, sizeof *csv->full_at);
    if (!csv->header || !csv->unit || !csv->full || !csv->full_at)
        return no_memory(csv, err);
    csv->ncolumn = line->n;
    for (size_t i = 0; i < csv->ncolumn; i++) {
        csv->full[i] = strdup(line->cell[i]);
        csv->full_at[i] = line->at[i];
        if (!csv->full[i])
            return no_memory(csv, err);
    }
    for (size_t i = 0; i < csv->ncolumn; i++) {
        int status = take_header(csv, i, err);
        if (status)
            return status;
    }
    return CF_OK;
}

static int ragged(const struct cf_csv *csv, const struct cf_csv_line *line, size_t number,
                  bool comment, struct cf_error *err)
{
    bool more = line->n > csv->ncolumn;
    const char *hint = "";

    if (comment)
        hint = "; lines that begin with # belong above the header";
    else if (line->n == 2 * csv->ncolumn)
        hint = "; are these decimal commas? Then the cells need another delimiter";
    return cf_fail(err, CF_EINPUT, "%s:%zu:%zu: %zu cell%s where the header has %zu%s", csv->path,
                   number, line->at[more ? csv->ncolumn : line->n - 1], line->n,
                   line->n == 1 ? "" : "s", csv->ncolumn, hint);
}

static int add_row(struct reader *reader, size_t number, struct cf_error *err)
{
    struct cf_csv *csv = reader->csv;
    const struct cf_csv_line *line = &reader->line;
    size_t n = csv->nrow * csv->ncolumn, *lines;
    uint32_t *cell = grown(csv->cell, &reader->cell_room, n + line->n, sizeof *cell), *at;

    if (!cell)
        return no_memory(csv, err);
    csv->cell = cell;
    at = grown(csv->cell_at, &reader->at_room, n + line->n, sizeof *at);
    if (!at)
        return no_memory(csv, err);
    csv->cell_at = at;
    lines = grown(csv->line, &reader->row_room, csv->nrow + 1, sizeof *lines);
    if (!lines)
        return no_memory(csv, err);
    csv->line = lines;
    for (size_t i = 0; i < line->n; i++) { /* the limits of files and lines are far below 2^32 */
        cell[n + i] = (uint32_t) (line->cell[i] - csv->text);
        at[n + i] = (uint32_t) line->at[i];
    }
    lines[csv->nrow++] = number;
    reader->end = line->end;
    return CF_OK;
}

static int add_provenance(struct reader *reader, const char *text, size_t n, struct cf_error *err)
{
    struct cf_csv *csv = reader->csv;
    char **all = grown(csv->provenance, &reader->provenance_room, csv->nprovenance + 1,
                       sizeof *csv->provenance);

    if (!all)
        return no_memory(csv, err);
    csv->provenance = all;
    all[csv->nprovenance] = cf_csv_trimmed(text, n);
    if (!all[csv->nprovenance])
        return no_memory(csv, err);
    cf_text_make_safe(all[csv->nprovenance++]);
    return CF_OK;
}

/* Line `number`, text[0..n) and a newline. Its cells overwrite what was read already. */
static int take_line(struct reader *reader, size_t number, const char *text, size_t n,
                     struct cf_error *err)
{
    struct cf_csv *csv = reader->csv;
    struct cf_csv_line *line = &reader->line;
    bool comment = *text == '#';
    int status = cf_csv_line_check(csv->path, number, text, n, comment && !csv->ncolumn, err);

    if (status)
        return status;
    if (comment && !csv->ncolumn)
        return add_provenance(reader, text + 1, n - 1, err);
    status = cf_csv_line_split(&reader->parser, csv->path, number, text, n, reader->end, line, err);
    if (status || cf_csv_line_blank(line))
        return status;
    if (!csv->ncolumn)
        return begin_table(csv, line, number, err);
    if (line->n != csv->ncolumn)
        return ragged(csv, line, number, comment, err);
    return add_row(reader, number, err);
}

static int read_lines(struct reader *reader, size_t size, struct cf_error *err)
{
    struct cf_csv *csv = reader->csv;
    size_t number = 0;

    csv->text[size] = '\n'; /* in the place of the NUL, if the last line has none */
    reader->end = csv->text;
    for (size_t i = 0, n; i < size; i += n + 1) {
        const char *text = csv->text + i;
        int status;

        n = (size_t) ((const char *) memchr(text, '\n', size + 1 - i) - text);
        status = take_line(reader, ++number, text, n, err);
        if (status)
            return status;
    }
    if (!csv->ncolumn)
        return cf_fail(err, CF_EINPUT,
                       "%s:%zu:1: no table: a line with the names of the columns is wanted, then "
                       "rows",
                       csv->path, number);
    if (!csv->nrow)
        return cf_fail(err, CF_EINPUT, "%s:%zu:1: a header without rows: at least one is wanted",
                       csv->path, csv->header_line);
    return CF_OK;
}

struct cf_csv *cf_csv_read(const char *path, char delimiter, char decimal, struct cf_error *err)
{
    struct cf_csv *csv = calloc(1, sizeof *csv);
    struct reader reader = {.csv = csv};
    size_t size;
    int status;

    if (!csv || !(csv->path = strdup(path)) ||
        csv_init(&reader.parser, CSV_STRICT | CSV_APPEND_NULL)) {
        cf_fail(err, CF_ENOMEM, "%s: no memory for the table", path);
        cf_csv_free(csv);
        return NULL;
    }
    csv->decimal = decimal;
    csv_set_delim(&reader.parser, (unsigned char) delimiter);
    status = cf_file_read(path, CF_CSV_LIMIT, &csv->text, &size, csv->sha256, err);
    if (status == CF_OK)
        status = read_lines(&reader, size, err);
    cf_csv_line_free(&reader.line);
    csv_free(&reader.parser);
    if (status) {
        cf_csv_free(csv);
        return NULL;
    }
    return csv;
}
