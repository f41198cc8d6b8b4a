/* CSV tables: UTF-8, `#` lines at the head kept as provenance, one header line, and below it a row
 * of units where there is one. */

#ifndef CF_FILE_CSV_H
#define CF_FILE_CSV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/encoding.h"
#include "core/status.h"
#include "file/columns.h"

/* Bytes of memory that the cells of a table may take, so that a wrong file does not fill it: their
 * text and, for each row, 8 bytes and 8 a cell. 10^7 rows of three cells of eight characters take
 * 0.6 GB; what needs no whole table, cf_csv_stream(), takes a buffer. */
#define CF_CSV_MEMORY ((size_t) 1 << 31)

/* How a table is written. */
struct cf_csv_form {
    char delimiter, decimal; /* ',' ';' '\t', ' ' for any number of blanks; '.' or ',' */
    size_t header_line; /* line of the file with the names of the columns, what stands above it is
                         * provenance; 0: the first that is neither empty nor begins with # */
    bool unit_row;      /* a row below it has the units */
    size_t names;       /* lines that the names take, from the header line on; 0 is one;
                         * CF_CSV_NAMELESS: none, and rows begin there */
    size_t end_line;    /* the last line of the table; 0: that of the file */
    char thousands;     /* what parts groups of three digits, not the decimal mark; 0: nothing */
    enum cf_encoding encoding;
};
#define CF_CSV_NAMELESS ((size_t) -1)

/* The delimiter that is any number of blanks. */
#define CF_CSV_BLANKS ' '

/* Commas, decimal points, names in the first line, no row of units. */
extern const struct cf_csv_form cf_csv_plain;

/* Kinds of notes on a table. */
enum { CF_CSV_NOTES = 8 };

struct cf_csv {
    char *path;
    char sha256[65];
    size_t nprovenance, ncolumn, nrow;
    char **provenance; /* lines at the head without "#" */
    char **header;     /* ncolumn: NAME without [UNIT] and without unit suffix */
    char **unit;       /* ncolumn: unit from "NAME [UNIT]", from the row of units, which stands for
                        * brackets, or from a suffix; NULL when none */
    char **full;       /* ncolumn: the header cell as written; "": a column without a name */
    char *text;        /* the cells one behind the other, each with its NUL */
    uint32_t *cell;    /* nrow * ncolumn: where in the text each begins, trimmed */
    size_t *full_at;   /* ncolumn: character of the header line at which the cell begins, from 1 */
    uint32_t *cell_at; /* nrow * ncolumn: the same for cells */
    size_t *line;      /* nrow: line in the file */
    size_t *unit_at;   /* ncolumn: the same for units of the row of units; 0: it is in the header */
    size_t header_line, unit_line; /* the latter 0 where there is no row of units */
    char decimal, thousands;
    enum cf_encoding encoding; /* that it was found to have */
    size_t nnote;
    char *note[CF_CSV_NOTES]; /* what was done to read it, one sentence a kind */
    bool passing; /* only the row that passes is there, as row 0; nrow counts those that came */
    const struct cf_columns *columns; /* of a table in memory, which has no text; NULL: a file */
};

/* Read a table; at most so many bytes of memory, CF_CSV_MEMORY unless there is a reason. NULL on
 * failure. */
struct cf_csv *cf_csv_read(const char *path, const struct cf_csv_form *form, size_t memory,
                           struct cf_error *err);
void cf_csv_free(struct cf_csv *csv);

/* What stands above the rows, which are not looked at and not hashed. NULL on failure. */
struct cf_csv *cf_csv_head(const char *path, const struct cf_csv_form *form, struct cf_error *err);

/* A row of a table that is not kept: its number counts from 0, its cells, as many as the header
 * has, are gone with the next. Meanwhile the head has it as its row 0, with its line, for all that
 * reads a cell. Another status than CF_OK ends the reading. */
typedef int cf_csv_row(void *owner, const struct cf_csv *head, size_t row, char *const cell[],
                       struct cf_error *err);

/* Read a table row by row, however long it is. The head of it, with the number of rows, holds no
 * cell. NULL on failure. */
struct cf_csv *cf_csv_stream(const char *path, const struct cf_csv_form *form, cf_csv_row *row,
                             void *owner, struct cf_error *err);

/* A table in memory, whose columns outlive it; lines count its rows from 1. NULL on failure. */
struct cf_csv *cf_csv_of_columns(const char *name, const struct cf_columns *columns,
                                 struct cf_error *err);

/* The text of a cell; room[] receives that of a number in memory. */
enum { CF_CSV_ROOM = 32 };
const char *cf_csv_cell(const struct cf_csv *csv, size_t row, size_t column,
                        char room[CF_CSV_ROOM]);
bool cf_csv_blank(const struct cf_csv *csv, size_t row, size_t column);

/* The character of its line at which a cell begins, from 1. */
size_t cf_csv_at(const struct cf_csv *csv, size_t row, size_t column);

/* Index of the column whose header (full, or else without its unit) is `name`, or whose number from
 * 1 it is; ncolumn when there is none or when several are called so. */
size_t cf_csv_column(const struct cf_csv *csv, const char *name);

/* The headers as a list for messages: "speed_m_s, e". Cut with "..." when it does not fit. */
void cf_csv_headers(const struct cf_csv *csv, char text[], size_t size);

/* A number as a table's cells have it; CF_OK where the text is one. */
int cf_csv_parse(const struct cf_csv *csv, const char *text, double *value);

/* The same number without the marks between its thousands; NULL where it has none, or they part no
 * groups of three, or it is too long. */
const char *cf_csv_ungrouped(const char *text, char thousands, char decimal,
                             char room[CF_CSV_ROOM]);

/* The number in a cell, in the file's own unit; the message has file, line, column and content. */
int cf_csv_number(const struct cf_csv *csv, size_t row, size_t column, double *value,
                  struct cf_error *err);

#endif
