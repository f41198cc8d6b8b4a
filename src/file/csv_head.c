/* Names and units: "speed [m/s]", "speed_m_s", or a row of units below the names. */

#define _POSIX_C_SOURCE 200809L

#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "core/units.h"
#include "file/parts.h"

static int no_memory(const struct cf_csv *csv, struct cf_error *err)
{
    return cf_fail(err, CF_ENOMEM, "%s: no memory for the names of columns", csv->path);
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

bool cf_csv_all_numbers(const struct cf_csv_line *line, char decimal)
{
    double value;

    for (size_t i = 0; i < line->n; i++)
        if (cf_number_parse(line->cell[i], decimal, &value, NULL))
            return false;
    return true;
}

bool cf_csv_no_number(const struct cf_csv_line *line, char decimal)
{
    double value;

    for (size_t i = 0; i < line->n; i++)
        if (cf_number_parse(line->cell[i], decimal, &value, NULL) == CF_OK)
            return false;
    return true;
}

/* Room for a column of each cell, but for those empty ones at the end. */
static int begin_head(struct cf_csv *csv, const struct cf_csv_line *line, size_t number,
                      struct cf_error *err)
{
    size_t n = line->n;

    while (n && !*line->cell[n - 1])
        n--;
    csv->header_line = number;
    csv->header = calloc(n, sizeof *csv->header);
    csv->unit = calloc(n, sizeof *csv->unit);
    csv->full = calloc(n, sizeof *csv->full);
    csv->full_at = calloc(n, sizeof *csv->full_at);
    csv->unit_at = calloc(n, sizeof *csv->unit_at);
    if (!csv->header || !csv->unit || !csv->full || !csv->full_at || !csv->unit_at)
        return no_memory(csv, err);
    memcpy(csv->full_at, line->at, n * sizeof *csv->full_at);
    csv->ncolumn = n;
    return CF_OK;
}

int cf_csv_head_names(struct cf_csv *csv, const struct cf_csv_line *line, size_t number,
                      struct cf_error *err)
{
    int status = begin_head(csv, line, number, err);

    for (size_t i = 0; i < csv->ncolumn && !status; i++) {
        csv->full[i] = strdup(line->cell[i]);
        if (!csv->full[i])
            status = no_memory(csv, err);
    }
    return status;
}

int cf_csv_head_join(struct cf_csv *csv, const struct cf_csv_line *line, struct cf_error *err)
{
    for (size_t i = 0; i < csv->ncolumn && i < line->n; i++) {
        char *all = NULL;
        if (!*line->cell[i])
            continue;
        all = cf_format("%s%s%s", csv->full[i], *csv->full[i] ? " " : "", line->cell[i]);
        if (!all)
            return no_memory(csv, err);
        free(csv->full[i]);
        csv->full[i] = all;
    }
    return CF_OK;
}

int cf_csv_head_end(struct cf_csv *csv, struct cf_error *err)
{
    int status = CF_OK;

    for (size_t i = 0; i < csv->ncolumn && !status; i++)
        status = split_header(csv, i, err);
    return status;
}

int cf_csv_head_number(struct cf_csv *csv, const struct cf_csv_line *line, size_t number,
                       struct cf_error *err)
{
    int status = begin_head(csv, line, number, err);

    for (size_t i = 0; i < csv->ncolumn && !status; i++) {
        csv->full[i] = cf_format("c%zu", i + 1);
        csv->header[i] = csv->full[i] ? strdup(csv->full[i]) : NULL;
        if (!csv->header[i])
            status = no_memory(csv, err);
    }
    return status;
}

/* The text of a cell of units without the brackets that some put about it. */
static char *bare(const char *cell)
{
    size_t n = strlen(cell);
    bool about = n > 1 && ((cell[0] == '[' && cell[n - 1] == ']') ||
                           (cell[0] == '(' && cell[n - 1] == ')' && !strchr(cell + 1, '(')));

    return cf_csv_trimmed(cell + about, n - 2 * about);
}

size_t cf_csv_head_count_units(const struct cf_csv_line *line, size_t *words)
{
    size_t units = 0;

    *words = 0;
    for (size_t i = 0; i < line->n; i++) {
        struct cf_unit unit;
        char *cell = bare(line->cell[i]);
        bool is_one = cell && (strcmp(cell, "-") == 0 || strcmp(cell, "1") == 0);
        bool is_unit = cell && !is_one && cf_unit_parse(cell, &unit, NULL) == CF_OK;
        units += is_unit;
        *words += cell && *cell && !is_one;
        free(cell);
    }
    return units;
}

/* Do both texts mean one unit? */
static bool same_unit(const char *a, const char *b)
{
    struct cf_unit x, y;

    if (strcmp(a, b) == 0)
        return true;
    return cf_unit_parse(a, &x, NULL) == CF_OK && cf_unit_parse(b, &y, NULL) == CF_OK &&
           cf_unit_same_dimension(&x, &y) && x.factor == y.factor;
}

static int take_unit(struct cf_csv *csv, size_t i, const char *cell, size_t at, size_t number,
                     struct cf_error *err)
{
    size_t n = strlen(csv->full[i]);
    bool brackets = csv->unit[i] && n && csv->full[i][n - 1] == ']';
    char *unit = bare(cell), *name = strdup(csv->full[i]);
    int status = CF_OK;

    if (unit && strcmp(unit, "-") == 0)
        unit[0] = '1';
    if (!unit || !name) {
        status = no_memory(csv, err);
    } else if (brackets) {
        if (!same_unit(csv->unit[i], unit))
            status = cf_fail(err, CF_EINPUT,
                             "%s:%zu:%zu: %.80s: unit %.40s, and %.40s in the row of units",
                             csv->path, number, at, csv->full[i], csv->unit[i], unit);
    } else { /* what looks like a suffix of the name belongs to the name */
        free(csv->header[i]);
        free(csv->unit[i]);
        csv->header[i] = name;
        csv->unit[i] = unit;
        csv->unit_at[i] = at;
        return CF_OK;
    }
    free(unit);
    free(name);
    return status;
}

int cf_csv_head_units(struct cf_csv *csv, const struct cf_csv_line *line, size_t number,
                      struct cf_error *err)
{
    int status = CF_OK;
    double value;

    csv->unit_line = number;
    for (size_t i = 0; i < line->n && !status; i++)
        if (cf_number_parse(line->cell[i], csv->decimal, &value, NULL) == CF_OK && value != 1)
            status = cf_fail(err, CF_EINPUT,
                             "%s:%zu:%zu: unit_row: %.40s is a number: this row has no units",
                             csv->path, number, line->at[i], line->cell[i]);
        else if (*line->cell[i])
            status = take_unit(csv, i, line->cell[i], line->at[i], number, err);
    return status;
}
