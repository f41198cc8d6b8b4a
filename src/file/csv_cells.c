/* What a table holds, be it out of a file or in memory. */

#define _POSIX_C_SOURCE 200809L

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/units.h"
#include "file/csv.h"

static void free_texts(char **text, size_t n)
{
    for (size_t i = 0; text && i < n; i++)
        free(text[i]);
    free(text);
}

void cf_csv_free(struct cf_csv *csv)
{
    if (!csv)
        return;
    free_texts(csv->provenance, csv->nprovenance);
    free_texts(csv->header, csv->ncolumn);
    free_texts(csv->unit, csv->ncolumn);
    free_texts(csv->full, csv->ncolumn);
    for (size_t i = 0; i < csv->nnote; i++)
        free(csv->note[i]);
    free(csv->cell);
    free(csv->text);
    free(csv->full_at);
    free(csv->unit_at);
    free(csv->cell_at);
    free(csv->line);
    free(csv->path);
    free(csv);
}

/* The column that is the only one of these names; ncolumn: none is, or several. */
static size_t only(char *const names[], size_t n, const char *name, bool *there)
{
    size_t found = n;

    for (size_t i = 0; i < n; i++) {
        if (strcmp(names[i], name) != 0)
            continue;
        *there = true;
        if (found < n)
            return n;
        found = i;
    }
    return found;
}

size_t cf_csv_column(const struct cf_csv *csv, const char *name)
{
    bool there = false;
    size_t found = only(csv->full, csv->ncolumn, name, &there), number = 0;

    if (!there)
        found = only(csv->header, csv->ncolumn, name, &there);
    if (there)
        return *name ? found : csv->ncolumn;
    for (; *name >= '0' && *name <= '9' && number <= csv->ncolumn; name++)
        number = 10 * number + (size_t) (*name - '0');
    return *name == '\0' && number >= 1 && number <= csv->ncolumn ? number - 1 : csv->ncolumn;
}

void cf_csv_headers(const struct cf_csv *csv, char text[], size_t size)
{
    size_t used = 0;

    text[0] = '\0';
    for (size_t i = 0; i < csv->ncolumn; i++) {
        const char *name = *csv->full[i] ? csv->full[i] : "(no name)";
        size_t n = strlen(name) + (i ? 2 : 0);
        if (used + n + sizeof ", ..." > size) {
            snprintf(text + used, size - used, "%s", used ? ", ..." : "...");
            return;
        }
        used += (size_t) snprintf(text + used, size - used, "%s%s", i ? ", " : "", name);
    }
    for (char *tab = text; (tab = strchr(tab, '\t'));)
        *tab = ' ';
}

const char *cf_csv_cell(const struct cf_csv *csv, size_t row, size_t column, char room[CF_CSV_ROOM])
{
    if (!csv->columns)
        return csv->text + csv->cell[row * csv->ncolumn + column];
    room[0] = '\0';
    if (!cf_csv_blank(csv, row, column))
        snprintf(room, CF_CSV_ROOM, "%.17g", csv->columns->column[column].value[row]);
    return room;
}

bool cf_csv_blank(const struct cf_csv *csv, size_t row, size_t column)
{
    return csv->columns ? isnan(csv->columns->column[column].value[row])
                        : !csv->text[csv->cell[row * csv->ncolumn + column]];
}

size_t cf_csv_at(const struct cf_csv *csv, size_t row, size_t column)
{
    return csv->columns ? column + 1 : csv->cell_at[row * csv->ncolumn + column];
}

/* The number of a table in memory, which must be one. */
static int take_number(const struct cf_csv *csv, size_t row, size_t column, double *value,
                       struct cf_error *err)
{
    *value = csv->columns->column[column].value[row];
    return isfinite(*value)
               ? CF_OK
               : cf_fail(err, CF_EINPUT, "%s:%zu:%zu: %.60s %g: a number is wanted", csv->path,
                         csv->line[row], column + 1, csv->full[column], *value);
}

const char *cf_csv_ungrouped(const char *text, char thousands, char decimal, char room[CF_CSV_ROOM])
{
    size_t n = 0, digits = 0, groups = 0;
    const char *c = text;

    if (strlen(text) >= CF_CSV_ROOM || !thousands)
        return NULL;
    if (*c == '-' || *c == '+')
        room[n++] = *c++;
    for (; (*c >= '0' && *c <= '9') || *c == thousands; c++) {
        bool mark = *c == thousands;
        if (mark && (!digits || (groups ? digits != 3 : digits > 3)))
            return NULL;
        if (!mark)
            room[n++] = *c;
        groups += mark;
        digits = mark ? 0 : digits + 1;
    }
    if (!groups || digits != 3 || (*c && *c != decimal))
        return NULL;
    memcpy(room + n, c, strlen(c) + 1);
    return room;
}

int cf_csv_parse(const struct cf_csv *csv, const char *text, double *value)
{
    char room[CF_CSV_ROOM];
    const char *plain;
    int status = cf_number_parse(text, csv->decimal, value, NULL);

    if (status && (plain = cf_csv_ungrouped(text, csv->thousands, csv->decimal, room)))
        status = cf_number_parse(plain, csv->decimal, value, NULL);
    return status;
}

int cf_csv_number(const struct cf_csv *csv, size_t row, size_t column, double *value,
                  struct cf_error *err)
{
    char room[CF_CSV_ROOM], other = csv->decimal == '.' ? ',' : '.';
    const char *cell, *rule = "a number is wanted";
    struct cf_unit unit;
    double unused;

    if (csv->columns)
        return take_number(csv, row, column, value, err);
    cell = cf_csv_cell(csv, row, column, room);

    if (cf_csv_parse(csv, cell, value) == CF_OK)
        return CF_OK;
    if (!*cell || strncasecmp(cell, "nan", 3) == 0)
        rule = "a number is wanted; what was not measured is an empty cell";
    else if (cf_number_parse(cell, other, &unused, NULL) == CF_OK)
        rule = other == ',' ? "a decimal comma: write decimal: \",\" in the study's data set"
                            : "a decimal point where the study states decimal: \",\"";
    else if (row == 0 && !(csv->passing && csv->nrow > 1) && !csv->unit_line && strcmp(cell, "-") &&
             cf_unit_parse(cell, &unit, NULL) == CF_OK)
        rule =
            "a number is wanted; for a row of units write unit_row: true in the study's data set";
    return cf_fail(err, CF_EINPUT, "%s:%zu:%zu: %.60s %.60s: %s", csv->path, csv->line[row],
                   cf_csv_at(csv, row, column), csv->full[column], *cell ? cell : "(empty)", rule);
}
