/* CSV tables: UTF-8, `#` lines at the head kept as provenance, one header line. */

#ifndef CF_STUDY_CSV_H
#define CF_STUDY_CSV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/status.h"
#include "study/tables.h"

/* Bytes of a table's file, so that a wrong file does not fill the memory: 10^7 rows of a hundred
 * bytes. A table takes the memory of its file and 8 bytes of each cell and each row: 10^6 rows of
 * three cells, 25 MB, take 57 MB. */
enum { CF_CSV_LIMIT = 1 << 30 };

struct cf_csv {
    char *path;
    char sha256[65];
    size_t nprovenance, ncolumn, nrow;
    char **provenance; /* lines at the head without "#" */
    char **header;     /* ncolumn: NAME without [UNIT] and without unit suffix */
    char **unit;       /* ncolumn: unit from "NAME [UNIT]" or from a suffix; NULL when none */
    char **full;       /* ncolumn: the header cell as written */
    char *text;        /* the file as read, in which the cells lie one behind the other */
    uint32_t *cell;    /* nrow * ncolumn: where in the text each begins, trimmed */
    size_t *full_at;   /* ncolumn: character of the header line at which the cell begins, from 1 */
    uint32_t *cell_at; /* nrow * ncolumn: the same for cells */
    size_t *line;      /* nrow: line in the file */
    size_t header_line;
    char decimal;
    const struct cf_columns *columns; /* of a table in memory, which has no text; NULL: a file */
};

/* Read a table. delimiter ',' ';' '\t'; decimal '.' or ','. NULL on failure. */
struct cf_csv *cf_csv_read(const char *path, char delimiter, char decimal, struct cf_error *err);
void cf_csv_free(struct cf_csv *csv);

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

/* Index of the column whose header (full, or else without its unit) is `name`; ncolumn when there
 * is none or when, without units, several are. */
size_t cf_csv_column(const struct cf_csv *csv, const char *name);

/* The headers as a list for messages: "speed_m_s, e". Cut with "..." when it does not fit. */
void cf_csv_headers(const struct cf_csv *csv, char text[], size_t size);

/* The number in a cell, in the file's own unit; the message has file, line, column and content. */
int cf_csv_number(const struct cf_csv *csv, size_t row, size_t column, double *value,
                  struct cf_error *err);

#endif
