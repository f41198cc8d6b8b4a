/* Rows into a data set: chosen, excluded, converted to SI and checked.
 *
 * A row is named by its line in its file, as editors, spreadsheets and the messages here count.
 * An excluded row is kept for the reports as far as it can be read, and is not checked.
 */

#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "study/parts.h"

/* The place of a cell or row, for messages. */
struct cell_place {
    const char *file;
    size_t line, column;
};

static int fail_at(const struct cell_place *at, struct cf_error *err, const char *name,
                   const char *found, const char *rule)
{
    char shown[CF_SHOWN];
    return cf_fail(err, CF_EINPUT, "%s:%zu:%zu: %s %s: %s", at->file, at->line, at->column, name,
                   cf_show(found, shown), rule);
}

static size_t count_rows(const struct cf_source *source)
{
    return source->csv ? source->csv->nrow : source->rows->n;
}

static struct cell_place row_place(const struct cf_source *source, size_t row)
{
    if (source->csv)
        return (struct cell_place){source->csv->path, source->csv->line[row], 1};
    return (struct cell_place){source->set->file, source->rows->item[row].line,
                               source->rows->item[row].column};
}

static struct cell_place cell_place(const struct cf_csv *csv, size_t row, size_t column)
{
    return (struct cell_place){csv->path, csv->line[row],
                               csv->cell_at[row * csv->ncolumn + column]};
}

/* A cell of a column, to be sorted by its text. */
struct text_cell {
    const char *text;
    size_t row;
};

static int compare_text(const void *a, const void *b)
{
    const struct text_cell *s = a, *t = b;
    int order = strcmp(s->text, t->text);
    return order ? order : (s->row > t->row) - (s->row < t->row);
}

static int compare_row(const void *a, const void *b)
{
    const struct text_cell *s = a, *t = b;
    return (s->row > t->row) - (s->row < t->row);
}

/* The different texts of a column where they first stand: text[nrow]. Returns their number. */
static size_t different_texts(const struct cf_csv *csv, size_t column, struct text_cell cell[],
                              const char *text[])
{
    size_t n = 0;

    for (size_t row = 0; row < csv->nrow; row++)
        cell[row] = (struct text_cell){csv->cell[row * csv->ncolumn + column], row};
    qsort(cell, csv->nrow, sizeof *cell, compare_text);
    for (size_t i = 0; i < csv->nrow; i++)
        if (!n || strcmp(cell[n - 1].text, cell[i].text) != 0)
            cell[n++] = cell[i];
    qsort(cell, n, sizeof *cell, compare_row);
    for (size_t i = 0; i < n; i++)
        text[i] = cell[i].text;
    return n;
}

/* No row has that text: list the texts that exist, and how many more there are. */
static int no_such_text(const struct cf_csv *csv, const struct cf_yaml *at, size_t column,
                        struct cf_error *err)
{
    struct text_cell *cell = calloc(csv->nrow + 1, sizeof *cell);
    const char **text = calloc(csv->nrow + 1, sizeof *text);
    char list[256], shown[CF_SHOWN];
    int status = CF_ENOMEM;

    if (cell && text) {
        cf_join_some(list, sizeof list, text, different_texts(csv, column, cell, text));
        status = cf_yaml_fail(at, err, "where: no row whose %.80s is %s: there are %s",
                              csv->full[column], cf_show(at->text, shown), list);
    } else {
        cf_fail(err, status, "no memory for the texts of %zu rows", csv->nrow);
    }
    free(cell);
    free(text);
    return status;
}

/* Drop from keep[nrow] the rows that do not have the texts of `where`. */
static int choose(const struct cf_source *source, bool keep[], struct cf_error *err)
{
    const struct cf_csv *csv = source->csv;
    const struct cf_yaml *where = cf_yaml_get(source->set, "where");
    int status = where ? cf_yaml_map(where, err) : CF_OK;

    for (size_t i = 0; where && i < where->n && status == CF_OK; i++) {
        const struct cf_yaml *at = &where->item[i];
        struct cf_yaml key = *at;
        const char *text = NULL;
        size_t column, n = 0;

        key.line = at->key_line;
        key.column = at->key_column;
        status = cf_source_header(csv, &key, at->key, &column, err);
        if (status == CF_OK)
            status = cf_yaml_text(at, &text, err);
        for (size_t row = 0; row < csv->nrow && status == CF_OK; row++) {
            keep[row] = keep[row] && strcmp(csv->cell[row * csv->ncolumn + column], text) == 0;
            n += keep[row];
        }
        if (status == CF_OK && n == 0)
            status = no_such_text(csv, at, column, err);
    }
    return status;
}

/* Mark one row of `exclude`. */
static int exclude_row(struct cf_dataset *d, const struct cf_yaml *entry, struct cf_error *err)
{
    static const char *const keys[] = {"row", "because"};
    const struct cf_yaml *row, *because;
    unsigned long long line = 0;
    const char *text = NULL;
    int status = cf_yaml_keys(entry, keys, 2, err);

    if (status == CF_OK)
        status = cf_yaml_need(entry, "row", &row, err);
    if (status == CF_OK)
        status = cf_yaml_need(entry, "because", &because, err);
    if (status == CF_OK)
        status = cf_yaml_whole(row, 1, 1000000000, &line, err);
    if (status == CF_OK)
        status = cf_yaml_text(because, &text, err);
    if (status)
        return status;
    for (size_t i = 0; i < d->nrow; i++) {
        if (d->line[i] != line)
            continue;
        if (d->because[i])
            return cf_yaml_fail(row, err, "row: %llu is excluded already", line);
        d->use[i] = CF_ROW_EXCLUDED;
        d->because[i] = strdup(text);
        return d->because[i] ? CF_OK : cf_fail(err, CF_ENOMEM, "no memory for a remark");
    }
    return cf_yaml_fail(row, err,
                        "row: no row of data set %s stands in line %llu of its file: the first is "
                        "in line %zu, the last in line %zu",
                        d->name, line, d->line[0], d->line[d->nrow - 1]);
}

static int exclude(struct cf_dataset *d, const struct cf_yaml *set, struct cf_error *err)
{
    const struct cf_yaml *list = cf_yaml_get(set, "exclude");
    int status = list ? cf_yaml_list(list, err) : CF_OK;

    for (size_t i = 0; list && i < list->n && status == CF_OK; i++)
        status = exclude_row(d, &list->item[i], err);
    return status;
}

static int check_range(const struct cell_place *at, const struct cf_column *c, const char *found,
                       double value, struct cf_error *err)
{
    char rule[96];
    bool low = !(value >= c->lower), pure = strcmp(c->unit, "1") == 0;

    if (!low && value <= c->upper)
        return CF_OK;
    snprintf(rule, sizeof rule, "must be at %s %g%s%s", low ? "least" : "most",
             low ? c->lower : c->upper, pure ? "" : " ", pure ? "" : c->unit);
    return fail_at(at, err, c->name, found, rule);
}

/* The sigma of one value. */
static int fill_sigma(const struct cf_source *source, const struct cf_column_source *column,
                      const char *name, size_t from_row, double value, double *sigma,
                      struct cf_error *err)
{
    const struct cf_csv *csv = source->csv;
    struct cell_place at;
    int status;

    if (column->kind != CF_SIGMA_GIVEN)
        return CF_OK;
    if (!column->by_row) {
        *sigma = column->relative ? column->sigma * (value < 0 ? -value : value) : column->sigma;
        if (*sigma > 0)
            return CF_OK;
        at = row_place(source, from_row);
        return cf_fail(err, CF_EINPUT,
                       "%s:%zu:%zu: sigma of %s: a share of a value of 0: give it with its unit",
                       at.file, at.line, at.column, name);
    }
    status = cf_csv_number(csv, from_row, column->sigma_from, sigma, err);
    if (status)
        return status;
    *sigma *= column->sigma_factor;
    at = cell_place(csv, from_row, column->sigma_from);
    return *sigma > 0 ? CF_OK
                      : fail_at(&at, err, csv->full[column->sigma_from],
                                csv->cell[from_row * csv->ncolumn + column->sigma_from],
                                "a sigma must be above 0");
}

/* One value of a row, with its sigma; *there is false for an empty cell. */
static int read_cell(const struct cf_source *source, const struct cf_protocol *protocol,
                     size_t from_row, size_t i, double *value, double *sigma, bool *there,
                     struct cf_error *err)
{
    const struct cf_column *c = &protocol->column[i];
    const struct cf_column_source *column = &source->column[i];
    const char *found;
    struct cell_place at;
    int status;

    *there = false;
    if (source->csv) {
        found = source->csv->cell[from_row * source->csv->ncolumn + column->from];
        if (!*found)
            return CF_OK;
        at = cell_place(source->csv, from_row, column->from);
        status = cf_csv_number(source->csv, from_row, column->from, value, err);
        *value *= column->factor;
    } else {
        const struct cf_yaml *node = cf_yaml_get(&source->rows->item[from_row], c->name);
        if (!node || (node->kind == CF_YAML_TEXT && !*node->text))
            return CF_OK;
        at = (struct cell_place){node->file, node->line, node->column};
        status = cf_yaml_quantity(node, c->unit, value, err);
        found = node->text;
    }
    if (status == CF_OK)
        status = check_range(&at, c, found, *value, err);
    if (status == CF_OK)
        status = fill_sigma(source, column, c->name, from_row, *value, sigma, err);
    *there = status == CF_OK;
    return status;
}

static int fill_row(struct cf_study *study, const struct cf_source *source, struct cf_dataset *d,
                    size_t row, size_t from_row, struct cf_error *err)
{
    struct cell_place at = row_place(source, from_row);
    bool excluded = d->use[row] == CF_ROW_EXCLUDED;
    struct cf_error what;
    char note[256] = "";
    int status;

    for (size_t i = 0; i < d->protocol->ncolumn; i++) {
        double value = 0, sigma = 0;
        bool there = false;

        if (!source->column[i].node)
            continue;
        status = read_cell(source, d->protocol, from_row, i, &value, &sigma, &there,
                           excluded ? NULL : err);
        if (status && !excluded)
            return status;
        if (!there)
            continue;
        d->value[row * d->protocol->ncolumn + i] = value;
        d->sigma[row * d->protocol->ncolumn + i] = sigma;
        d->measured[row] |= 1u << i;
    }
    if (excluded)
        return CF_OK;
    status = d->protocol->check_row(d, row, note, sizeof note, &what);
    if (status)
        return cf_fail(err, CF_EINPUT, "%s:%zu:%zu: %s", at.file, at.line, at.column, what.text);
    return *note ? cf_study_note(study, err, "%s:%zu: %s", at.file, at.line, note) : CF_OK;
}

/* A column without a value gives no information; a sigma from residuals, where one is wanted, needs
 * three at least. */
static int check_filled(const struct cf_source *source, const struct cf_dataset *d, bool fitted,
                        struct cf_error *err)
{
    enum { LEAST = 3 };

    for (size_t i = 0; i < d->protocol->ncolumn; i++) {
        const struct cf_column_source *column = &source->column[i];
        const char *name = d->protocol->column[i].name;
        size_t n = 0;

        for (size_t row = 0; row < d->nrow; row++)
            n += d->use[row] != CF_ROW_EXCLUDED && cf_dataset_has(d, row, i);
        if (!column->node)
            continue;
        if (n == 0)
            return cf_yaml_fail_key(column->node, err,
                                    "%s: no row of data set %s has a value: leave it out", name,
                                    d->name);
        if (fitted && column->kind == CF_SIGMA_ESTIMATE && n < LEAST)
            return cf_yaml_fail(column->sigma_node ? column->sigma_node : column->node, err,
                                "%s: %zu value%s: a sigma cannot be estimated from fewer than %d; "
                                "give it, as in sigma: {%s: 1 %%}",
                                name, n, n == 1 ? "" : "s", LEAST, name);
    }
    return CF_OK;
}

static int copy_provenance(const struct cf_csv *csv, struct cf_dataset *d, struct cf_error *err)
{
    if (!csv || !csv->nprovenance)
        return CF_OK;
    d->provenance = calloc(csv->nprovenance, sizeof *d->provenance);
    for (size_t i = 0; d->provenance && i < csv->nprovenance; i++) {
        d->provenance[i] = strdup(csv->provenance[i]);
        if (!d->provenance[i])
            return cf_fail(err, CF_ENOMEM, "no memory for the head of a table");
        d->nprovenance++;
    }
    return d->provenance ? CF_OK : cf_fail(err, CF_ENOMEM, "no memory for the head of a table");
}

int cf_source_fill(struct cf_study *study, const struct cf_source *source, struct cf_dataset *d,
                   const struct cf_protocol *protocol, struct cf_error *err)
{
    size_t all = count_rows(source), n = 0;
    bool *keep = malloc((all + 1) * sizeof *keep);
    int status = keep ? CF_OK : cf_fail(err, CF_ENOMEM, "no memory for %zu rows", all);

    for (size_t i = 0; keep && i < all; i++)
        keep[i] = true;
    if (status == CF_OK && source->csv)
        status = choose(source, keep, err);
    for (size_t i = 0; status == CF_OK && i < all; i++)
        n += keep[i];
    if (status == CF_OK)
        status = cf_dataset_alloc(d, protocol, n, err);
    for (size_t i = 0, row = 0; status == CF_OK && i < all; i++)
        if (keep[i])
            d->line[row++] = row_place(source, i).line;
    for (size_t i = 0; i < protocol->ncolumn; i++)
        d->kind[i] = source->column[i].node ? source->column[i].kind : CF_SIGMA_NONE;
    if (status == CF_OK)
        status = exclude(d, source->set, err);
    for (size_t i = 0, row = 0; status == CF_OK && i < all; i++)
        if (keep[i])
            status = fill_row(study, source, d, row++, i, err);
    if (status == CF_OK)
        status = check_filled(source, d, study->spec.law != NULL, err);
    free(keep);
    return status == CF_OK ? copy_provenance(source->csv, d, err) : status;
}
