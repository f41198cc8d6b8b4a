/* CSV tables: provenance at the head, names with units, rows with their lines, which core/lines.h
 * gives one by one, and csv_line.h cuts. */

#define _POSIX_C_SOURCE 200809L

#include "study/csv.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/lines.h"
#include "core/text.h"
#include "core/units.h"
#include "study/csv_line.h"

/* A table being read: its rows are kept, in at most `memory` bytes, or given away. */
struct reader {
    struct cf_csv *csv;
    struct cf_lines *lines;
    struct csv_parser parser;
    struct cf_csv_line line;
    cf_csv_row *row; /* NULL: rows are kept */
    void *owner;
    size_t memory, text_room, used; /* of the text of the cells */
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

static int too_large(const struct reader *reader, size_t number, struct cf_error *err)
{
    return cf_fail(err, CF_EINPUT,
                   "%s:%zu:1: the table takes more than %g MiB of memory up to here: split the "
                   "file, or take out columns that the study does not read",
                   reader->csv->path, number, (double) reader->memory / (1 << 20));
}

/* Keep the line's cells, whose text lies behind that of the rows before. */
static int keep_row(struct reader *reader, size_t number, struct cf_error *err)
{
    struct cf_csv *csv = reader->csv;
    const struct cf_csv_line *line = &reader->line;
    size_t n = csv->nrow * csv->ncolumn, *lines;
    size_t used = (size_t) (line->end - csv->text);
    uint32_t *cell, *at;

    if (used + (n + line->n) * (sizeof *cell + sizeof *at) + (csv->nrow + 1) * sizeof *lines >
        reader->memory)
        return too_large(reader, number, err);
    cell = grown(csv->cell, &reader->cell_room, n + line->n, sizeof *cell);
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
    for (size_t i = 0; i < line->n; i++) { /* the limits of memory and lines are below 2^32 */
        cell[n + i] = (uint32_t) (line->cell[i] - csv->text);
        at[n + i] = (uint32_t) line->at[i];
    }
    lines[csv->nrow++] = number;
    reader->used = used;
    return CF_OK;
}

/* Where the cells of a line of n bytes go: behind those that are kept, or over the line itself. */
static int cells_go_to(struct reader *reader, const struct cf_line *line, char **to,
                       struct cf_error *err)
{
    struct cf_csv *csv = reader->csv;

    *to = line->text;
    if (reader->row)
        return CF_OK;
    if (!csv->text) {
        /* cells and their NULs are no more than the file's bytes and one for a last line end */
        size_t size = cf_lines_size(reader->lines) + 1;
        size_t most = reader->memory + CF_CSV_LONGEST_LINE + 1;
        reader->text_room = size < most ? size : most;
        csv->text = malloc(reader->text_room);
        if (!csv->text)
            return no_memory(csv, err);
    }
    *to = csv->text + reader->used;
    return reader->used + line->n + 1 <= reader->text_room ? CF_OK
                                                           : too_large(reader, line->number, err);
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

static int take_line(struct reader *reader, const struct cf_line *from, struct cf_error *err)
{
    struct cf_csv *csv = reader->csv;
    struct cf_csv_line *line = &reader->line;
    bool comment = *from->text == '#';
    char *to;
    int status = cf_csv_line_check(csv->path, from->number, from->text, from->n,
                                   comment && !csv->ncolumn, err);

    if (status)
        return status;
    if (comment && !csv->ncolumn)
        return add_provenance(reader, from->text + 1, from->n - 1, err);
    status = cells_go_to(reader, from, &to, err);
    if (!status)
        status = cf_csv_line_split(&reader->parser, csv->path, from->number, from->text, from->n,
                                   to, line, err);
    if (status || cf_csv_line_blank(line))
        return status;
    if (!csv->ncolumn)
        return begin_table(csv, line, from->number, err);
    if (line->n != csv->ncolumn)
        return ragged(csv, line, from->number, comment, err);
    if (!reader->row)
        return keep_row(reader, from->number, err);
    return reader->row(reader->owner, csv, csv->nrow++, line->cell, err);
}

static int read_lines(struct reader *reader, struct cf_error *err)
{
    struct cf_csv *csv = reader->csv;
    struct cf_line line;
    int status;

    while ((status = cf_lines_next(reader->lines, &line, err)) == CF_OK && line.text) {
        status = take_line(reader, &line, err);
        if (status)
            return status;
    }
    if (status)
        return status;
    if (!csv->ncolumn)
        return cf_fail(err, CF_EINPUT,
                       "%s:%zu:1: no table: a line with the names of the columns is wanted, then "
                       "rows",
                       csv->path, line.number);
    if (!csv->nrow)
        return cf_fail(err, CF_EINPUT, "%s:%zu:1: a header without rows: at least one is wanted",
                       csv->path, csv->header_line);
    cf_lines_sha256(reader->lines, csv->sha256);
    return CF_OK;
}

/* The table of a reader that knows what becomes of the rows. */
static struct cf_csv *read_table(struct reader *reader, const char *path, char delimiter,
                                 char decimal, struct cf_error *err)
{
    struct cf_csv *csv = reader->csv = calloc(1, sizeof *csv);
    int status = CF_EINPUT;

    if (!csv || !(csv->path = strdup(path)) ||
        csv_init(&reader->parser, CSV_STRICT | CSV_APPEND_NULL)) {
        cf_fail(err, CF_ENOMEM, "%s: no memory for the table", path);
        cf_csv_free(csv);
        return NULL;
    }
    csv->decimal = decimal;
    csv_set_delim(&reader->parser, (unsigned char) delimiter);
    reader->lines = cf_lines_open(path, CF_CSV_LONGEST_LINE, err);
    if (reader->lines)
        status = read_lines(reader, err);
    cf_lines_close(reader->lines);
    cf_csv_line_free(&reader->line);
    csv_free(&reader->parser);
    if (status) {
        cf_csv_free(csv);
        return NULL;
    }
    return csv;
}

struct cf_csv *cf_csv_read(const char *path, char delimiter, char decimal, size_t memory,
                           struct cf_error *err)
{
    struct reader reader = {.memory = memory};
    return read_table(&reader, path, delimiter, decimal, err);
}

struct cf_csv *cf_csv_stream(const char *path, char delimiter, char decimal, cf_csv_row *row,
                             void *owner, struct cf_error *err)
{
    struct reader reader = {.row = row, .owner = owner};
    return read_table(&reader, path, delimiter, decimal, err);
}
