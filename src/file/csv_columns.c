/* Tables in memory as those out of files are: their numbers stay where the caller has them. */

#define _POSIX_C_SOURCE 200809L

#include <math.h>
#include <sha256.h>
#include <stdlib.h>
#include <string.h>

#include "file/csv.h"

/* Of names, units and numbers, as a file has one of its bytes. */
static void hash(const struct cf_columns *columns, char sha256[65])
{
    SHA2_CTX context;

    SHA256Init(&context);
    for (size_t i = 0; i < columns->ncolumn; i++) {
        const struct cf_table_column *c = &columns->column[i];
        const char *unit = c->unit ? c->unit : "";
        SHA256Update(&context, (const uint8_t *) c->name, strlen(c->name) + 1);
        SHA256Update(&context, (const uint8_t *) unit, strlen(unit) + 1);
        SHA256Update(&context, (const uint8_t *) c->value, columns->nrow * sizeof *c->value);
    }
    SHA256End(&context, sha256);
}

struct cf_csv *cf_csv_of_columns(const char *name, const struct cf_columns *columns,
                                 struct cf_error *err)
{
    struct cf_csv *csv = calloc(1, sizeof *csv);
    size_t n = columns->ncolumn;
    bool room = csv && (csv->path = strdup(name)) &&
                (csv->header = calloc(n + 1, sizeof *csv->header)) &&
                (csv->unit = calloc(n + 1, sizeof *csv->unit)) &&
                (csv->full = calloc(n + 1, sizeof *csv->full)) &&
                (csv->full_at = calloc(n + 1, sizeof *csv->full_at)) &&
                (csv->line = calloc(columns->nrow + 1, sizeof *csv->line));

    for (size_t i = 0; i < n && room; i++) {
        const struct cf_table_column *c = &columns->column[i];
        csv->ncolumn = n;
        csv->full_at[i] = i + 1;
        room = (csv->header[i] = strdup(c->name)) && (csv->full[i] = strdup(c->name)) &&
               (!c->unit || (csv->unit[i] = strdup(c->unit)));
    }
    if (!room) {
        cf_fail(err, CF_ENOMEM, "%s: no memory for the table", name);
        cf_csv_free(csv);
        return NULL;
    }
    for (size_t row = 0; row < columns->nrow; row++)
        csv->line[row] = row + 1;
    csv->nrow = columns->nrow;
    csv->columns = columns;
    csv->decimal = '.';
    hash(columns, csv->sha256);
    return csv;
}
