/* CSV tables: provenance at the head, names with units, rows with their lines, which core/lines.h
 * gives one by one, and csv_line.h cuts. */

#define _POSIX_C_SOURCE 200809L

#include "file/csv.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/lines.h"
#include "core/text.h"
#include "file/parts.h"

const struct cf_csv_form cf_csv_plain = {.delimiter = ',', .decimal = '.'};

/* A table being read: its rows are kept, in at most `memory` bytes, or given away. */
struct reader {
    struct cf_csv *csv;
    const struct cf_csv_form *form;
    struct cf_lines *lines;
    struct cf_csv_line line;
    cf_csv_row *row; /* NULL: rows are kept */
    void *owner;
    bool head_only;
    size_t memory, text_room, used; /* of the text of the cells */
    size_t provenance_room, cell_room, at_room, row_room;
    size_t comment;   /* number of the last line above the header that begins with # */
    size_t left;      /* lines of names that are still to come */
    size_t row_cells; /* of each row; 0: none was seen */
    bool skipped;     /* lines between names and rows */
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

static int add_note(const struct reader *reader, struct cf_error *err, const char *format, ...)
{
    struct cf_csv *csv = reader->csv;
    va_list args;

    va_start(args, format);
    csv->note[csv->nnote] = cf_format_list(format, args);
    va_end(args);
    if (!csv->note[csv->nnote])
        return no_memory(csv, err);
    csv->nnote++;
    return CF_OK;
}

/* A line that is no row of the table. */
static int ragged(const struct reader *reader, size_t number, bool comment, struct cf_error *err)
{
    const struct cf_csv *csv = reader->csv;
    const struct cf_csv_line *line = &reader->line;
    bool more = line->n > csv->ncolumn, numbers = cf_csv_all_numbers(line, csv->decimal);
    bool title = more && !numbers && !csv->nrow && !reader->form->header_line;
    bool ends = csv->nrow && cf_csv_no_number(line, csv->decimal);
    char hint[130] = "";

    if (comment)
        snprintf(hint, sizeof hint, "; lines that begin with # belong above the header");
    else if (title)
        snprintf(hint, sizeof hint,
                 "; if these are the names of the columns, state header_line: %zu", number);
    else if (ends)
        snprintf(hint, sizeof hint,
                 "; if the table ends here, state which of the file's tables it is, as block: 1");
    else if (line->n == 2 * csv->ncolumn)
        snprintf(hint, sizeof hint,
                 "; are these decimal commas? Then the cells need another delimiter");
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
    if (reader->row || reader->head_only)
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

/* Show the line to the one who takes rows, as row 0 of the table. */
static int pass_row(struct reader *reader, const struct cf_line *from, struct cf_error *err)
{
    struct cf_csv *csv = reader->csv;
    const struct cf_csv_line *line = &reader->line;
    int status;

    if (!csv->cell) {
        csv->cell = calloc(csv->ncolumn, sizeof *csv->cell);
        csv->cell_at = calloc(csv->ncolumn, sizeof *csv->cell_at);
        csv->line = calloc(1, sizeof *csv->line);
        if (!csv->cell || !csv->cell_at || !csv->line)
            return no_memory(csv, err);
    }
    csv->passing = true;
    csv->text = from->text;
    csv->line[0] = from->number;
    for (size_t i = 0; i < line->n; i++) {
        csv->cell[i] = (uint32_t) (line->cell[i] - from->text);
        csv->cell_at[i] = (uint32_t) line->at[i];
    }
    csv->nrow++;
    status = reader->row(reader->owner, csv, csv->nrow - 1, line->cell, err);
    csv->text = NULL; /* it is the reader's */
    return status;
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

/* Where the table begins: with its names, or with its first row, which then is still to be taken. A
 * first line of numbers only is data: the names are missing, or stand in a comment. */
static int begin_table(struct reader *reader, size_t number, struct cf_error *err)
{
    const struct cf_csv *csv = reader->csv;
    char hint[100] = "";
    int status;

    if (!cf_csv_all_numbers(&reader->line, csv->decimal)) {
        status = cf_csv_head_names(reader->csv, &reader->line, number, err);
        reader->left = reader->form->names ? reader->form->names - 1 : 0;
        return status || reader->left ? status : cf_csv_head_end(reader->csv, err);
    }
    if (reader->comment)
        snprintf(hint, sizeof hint, "; if line %zu has them, state header_line: %zu",
                 reader->comment, reader->comment);
    return cf_fail(err, CF_EINPUT,
                   "%s:%zu:1: numbers where the names of the columns are wanted, such as "
                   "speed_m_s,e%s; for a table without them state names: none",
                   csv->path, number, hint);
}

static int join_names(struct reader *reader, struct cf_error *err)
{
    int status = cf_csv_head_join(reader->csv, &reader->line, err);

    reader->left--;
    return status || reader->left ? status : cf_csv_head_end(reader->csv, err);
}

/* Fit the cells to the columns: empty ones behind the last are none, and the last column may have
 * none in any row, as comments do that nobody wrote. false: it is no row. */
static bool fit_cells(struct reader *reader)
{
    struct cf_csv_line *line = &reader->line;
    size_t ncolumn = reader->csv->ncolumn, n = line->n;

    while (n > ncolumn && !*line->cell[n - 1])
        n--;
    if (n <= ncolumn)
        line->n = n;
    if (!reader->row_cells && (n == ncolumn || (ncolumn > 2 && n + 1 == ncolumn)))
        reader->row_cells = n;
    if (n == ncolumn)
        return true;
    if (n + 1 != ncolumn || n != reader->row_cells)
        return false;
    line->cell[n] = line->cell[n - 1] + strlen(line->cell[n - 1]);
    line->at[n] = line->at[n - 1];
    line->n++;
    return true;
}

/* Between names and rows: a row of units that is looked for, or text to be passed over. */
static bool is_skipped(const struct reader *reader)
{
    const struct cf_csv *csv = reader->csv;
    const struct cf_csv_line *line = &reader->line;
    bool wanted = reader->form->unit_row && !csv->unit_line;
    size_t words, units;

    if (csv->nrow || !cf_csv_no_number(line, csv->decimal) || line->n > csv->ncolumn)
        return false;
    units = wanted ? cf_csv_head_count_units(line, &words) : 0;
    return wanted ? !units || 2 * units < words : line->n < csv->ncolumn;
}

static int skip(struct reader *reader, size_t number, struct cf_error *err)
{
    if (reader->skipped)
        return CF_OK;
    reader->skipped = true;
    return add_note(reader, err, "%s:%zu: text between names and numbers is left out",
                    reader->csv->path, number);
}

/* What stands above the header: what its line number says, else what begins with #. */
static int take_above(struct reader *reader, const struct cf_line *from, struct cf_error *err)
{
    size_t mark = *from->text == '#';

    if (mark)
        reader->comment = from->number;
    return add_provenance(reader, from->text + mark, from->n - mark, err);
}

/* The cells of a line below what stands above the header. */
static int take_cells(struct reader *reader, const struct cf_line *from, bool comment,
                      struct cf_error *err)
{
    struct cf_csv *csv = reader->csv;
    struct cf_csv_line *line = &reader->line;
    bool units;
    char *to;
    int status = cells_go_to(reader, from, &to, err);

    if (!status)
        status = cf_csv_line_split(&(struct cf_csv_cut){csv->path, from->number, from->text,
                                                        from->n, reader->form->delimiter},
                                   to, line, err);
    if (status || cf_csv_line_blank(line))
        return status;
    if (!csv->ncolumn && reader->form->names != CF_CSV_NAMELESS)
        return begin_table(reader, from->number, err);
    if (reader->left)
        return join_names(reader, err);
    if (!csv->ncolumn)
        status = cf_csv_head_number(csv, line, from->number, err);
    if (status)
        return status;
    if (is_skipped(reader))
        return skip(reader, from->number, err);
    units = reader->form->unit_row && !csv->unit_line;
    if ((units && line->n < csv->ncolumn) || !fit_cells(reader))
        return ragged(reader, from->number, comment, err);
    if (units)
        return cf_csv_head_units(csv, line, from->number, err);
    return reader->row ? pass_row(reader, from, err) : keep_row(reader, from->number, err);
}

static int take_line(struct reader *reader, const struct cf_line *from, struct cf_error *err)
{
    struct cf_csv *csv = reader->csv;
    size_t header = reader->form->header_line;
    bool comment = *from->text == '#', percent = *from->text == '%' && from->number == header &&
                                                 from->n > 1 && from->text[1] == ' ';
    bool above = !csv->ncolumn && (header ? from->number < header : comment);
    int status;

    if (reader->form->end_line && from->number > reader->form->end_line)
        return CF_OK;
    status = cf_csv_line_check(csv->path, from->number, from->text, from->n, above, err);
    if (status)
        return status;
    if (above)
        return from->n ? take_above(reader, from, err) : CF_OK;
    if (!csv->ncolumn && header && from->number > header)
        return cf_fail(err, CF_EINPUT,
                       "%s:%zu:1: header_line: the line is empty: the names of the "
                       "columns are wanted",
                       csv->path, header);
    if ((comment || percent) && !csv->ncolumn)
        *from->text = ' '; /* names in a comment, as header_line says */
    return take_cells(reader, from, comment, err);
}

/* The file is at its end: was there a table? */
static int check_whole(const struct reader *reader, size_t last, struct cf_error *err)
{
    const struct cf_csv *csv = reader->csv;

    if (!csv->ncolumn && reader->form->header_line > last)
        return cf_fail(err, CF_EINPUT, "%s: header_line: %zu: the file has %zu line%s", csv->path,
                       reader->form->header_line, last, last == 1 ? "" : "s");
    if (!csv->ncolumn)
        return cf_fail(err, CF_EINPUT,
                       "%s:%zu:1: no table: a line with the names of the columns is wanted, then "
                       "rows",
                       csv->path, last);
    if (!csv->nrow)
        return cf_fail(err, CF_EINPUT, "%s:%zu:1: a header without rows: at least one is wanted",
                       csv->path, csv->header_line);
    return CF_OK;
}

static bool has_head(const struct reader *reader)
{
    const struct cf_csv *csv = reader->csv;
    return csv->ncolumn && !reader->left && (!reader->form->unit_row || csv->unit_line);
}

static int note_encoding(struct reader *reader, struct cf_error *err)
{
    size_t first;

    reader->csv->encoding = cf_lines_encoding(reader->lines, &first);
    if (!first || reader->form->encoding == CF_ENCODING_WINDOWS_1252)
        return CF_OK;
    return add_note(reader, err,
                    "%s:%zu: no UTF-8 from here on: read as Windows-1252 (ISO 8859-1); encoding: "
                    "windows-1252 says so",
                    reader->csv->path, first);
}

static int read_lines(struct reader *reader, struct cf_error *err)
{
    struct cf_line line;
    int status;

    while ((status = cf_lines_next(reader->lines, &line, err)) == CF_OK && line.text) {
        status = take_line(reader, &line, err);
        if (status)
            return status;
        if (reader->head_only && has_head(reader))
            return note_encoding(reader, err);
    }
    if (!status)
        status = check_whole(reader, line.number, err);
    if (!status)
        cf_lines_sha256(reader->lines, reader->csv->sha256);
    return status ? status : note_encoding(reader, err);
}

/* The last row that passed is gone. */
static void forget_row(struct cf_csv *csv)
{
    free(csv->cell);
    free(csv->cell_at);
    free(csv->line);
    csv->cell = csv->cell_at = NULL;
    csv->line = NULL;
    csv->passing = false;
}

/* The table of a reader that states what becomes of the rows. */
static struct cf_csv *read_table(struct reader *reader, const char *path, struct cf_error *err)
{
    struct cf_csv *csv = reader->csv = calloc(1, sizeof *csv);
    int status = CF_EINPUT;

    if (!csv || !(csv->path = strdup(path))) {
        cf_fail(err, CF_ENOMEM, "%s: no memory for the table", path);
        cf_csv_free(csv);
        return NULL;
    }
    csv->decimal = reader->form->decimal;
    csv->thousands = reader->form->thousands;
    reader->lines = cf_lines_open(path, CF_CSV_LONGEST_LINE, reader->form->encoding, err);
    if (reader->lines)
        status = read_lines(reader, err);
    cf_lines_close(reader->lines);
    if (csv->passing)
        forget_row(csv);
    cf_csv_line_free(&reader->line);
    if (status) {
        cf_csv_free(csv);
        return NULL;
    }
    return csv;
}

struct cf_csv *cf_csv_read(const char *path, const struct cf_csv_form *form, size_t memory,
                           struct cf_error *err)
{
    struct reader reader = {.form = form, .memory = memory};
    return read_table(&reader, path, err);
}

struct cf_csv *cf_csv_stream(const char *path, const struct cf_csv_form *form, cf_csv_row *row,
                             void *owner, struct cf_error *err)
{
    struct reader reader = {.form = form, .row = row, .owner = owner};
    return read_table(&reader, path, err);
}

struct cf_csv *cf_csv_head(const char *path, const struct cf_csv_form *form, struct cf_error *err)
{
    struct reader reader = {.form = form, .head_only = true};
    return read_table(&reader, path, err);
}
