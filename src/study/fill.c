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
    return (struct cell_place){csv->path, csv->line[row], cf_csv_at(csv, row, column)};
}

/* The first row that stands in a line of the file or behind it; rows stand in the order of lines.
 */
static size_t row_from(const struct cf_dataset *d, unsigned long long line)
{
    size_t low = 0, high = d->nrow;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (d->line[middle] < line)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Mark one row of `exclude`. */
static int exclude_row(struct cf_dataset *d, const struct cf_yaml *entry, struct cf_error *err)
{
    static const char *const keys[] = {"row", "because"};
    const struct cf_yaml *row, *because;
    unsigned long long line = 0;
    const char *text = NULL;
    size_t i;
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
    i = row_from(d, line);
    if (i == d->nrow || d->line[i] != line)
        return cf_yaml_fail(row, err,
                            "row: no row of data set %s stands in line %llu of its file: the first "
                            "is in line %zu, the last in line %zu",
                            d->name, line, d->line[0], d->line[d->nrow - 1]);
    if (d->use[i] == CF_ROW_EXCLUDED)
        return cf_yaml_fail(row, err, "row: %llu is excluded already", line);
    return cf_dataset_exclude(d, i, text, err);
}

static int exclude(struct cf_dataset *d, const struct cf_yaml *set, struct cf_error *err)
{
    const struct cf_yaml *list = cf_yaml_get(set, "exclude");
    int status = list ? cf_yaml_list(list, err) : CF_OK;

    for (size_t i = 0; list && i < list->n && status == CF_OK; i++)
        status = exclude_row(d, &list->item[i], err);
    return status;
}

static int check_range(const struct cell_place *at, const struct cf_channel_row *c,
                       const char *found, bool converted, double value, struct cf_error *err)
{
    char rule[CF_SHOWN], became[CF_SHOWN] = "";
    bool low = !(value >= c->lower), pure = strcmp(c->unit, "1") == 0;
    const char *space = pure ? "" : " ", *unit = pure ? "" : c->unit;

    if (!low && value <= c->upper)
        return CF_OK;
    if (converted)
        snprintf(became, sizeof became, "%.40s, converted to %g%s%s", found, value, space, unit);
    snprintf(rule, sizeof rule, "must be at %s %g%s%s", low ? "least" : "most",
             low ? c->lower : c->upper, space, unit);
    return fail_at(at, err, c->name, converted ? became : found, rule);
}

/* The sigma of one value, or its floor. */
static int fill_sigma(const struct cf_source *source, const struct cf_column_source *column,
                      const char *name, size_t from_row, double value, double *sigma,
                      struct cf_error *err)
{
    struct cell_place at;

    if (column->kind != CF_SIGMA_GIVEN && !column->floored)
        return CF_OK;
    if (column->by_row)
        return cf_source_sigma_cell(source->csv, column, from_row, sigma, err);
    *sigma = column->relative ? column->sigma * (value < 0 ? -value : value)
                              : cf_column_sigma(column, column->sigma);
    if (*sigma > 0 || column->floored)
        return CF_OK;
    at = row_place(source, from_row);
    return cf_fail(err, CF_EINPUT,
                   "%s:%zu:%zu: sigma of %s: a share of a value of 0: give it with its unit",
                   at.file, at.line, at.column, name);
}

/* One value of a row, with its sigma; *there is false for an empty cell. */
static int read_cell(const struct cf_source *source, const struct cf_protocol *protocol,
                     size_t from_row, size_t i, double *value, double *sigma, bool *there,
                     struct cf_error *err)
{
    const struct cf_channel_row *c = &protocol->channel[i];
    const struct cf_column_source *column = &source->column[i];
    char room[CF_CSV_ROOM];
    const char *found;
    struct cell_place at;
    int status;

    *there = false;
    if (source->csv) {
        if (!column->time.counted && cf_csv_blank(source->csv, from_row, column->from))
            return CF_OK;
        found = column->time.counted ? "the count of the row"
                                     : cf_csv_cell(source->csv, from_row, column->from, room);
        at = cell_place(source->csv, from_row, column->from);
        status = cf_column_value(source->csv, column, from_row, value, err);
    } else {
        const struct cf_yaml *node = cf_yaml_get(&source->rows->item[from_row], c->name);
        if (!node || (node->kind == CF_YAML_TEXT && !*node->text))
            return CF_OK;
        at = (struct cell_place){node->file, node->line, node->column};
        status = cf_yaml_quantity(node, c->unit, value, err);
        found = node->text;
    }
    if (status == CF_OK)
        status = check_range(&at, c, found, column->converted, *value, err);
    if (status == CF_OK)
        status = fill_sigma(source, column, c->name, from_row, *value, sigma, err);
    *there = status == CF_OK;
    return status;
}

/* Fill a row, and check it unless it is excluded; a remark on it goes to note[size], else "". */
static int fill_row(const struct cf_source *source, struct cf_dataset *d, size_t row,
                    size_t from_row, char note[], size_t size, struct cf_error *err)
{
    struct cell_place at = row_place(source, from_row);
    bool excluded = d->use[row] == CF_ROW_EXCLUDED;
    struct cf_error what;
    int status;

    note[0] = '\0';
    for (size_t i = 0; i < d->protocol->nchannel; i++) {
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
        status = cf_dataset_put(d, row, i, value, sigma, err);
        if (status)
            return status;
    }
    if (excluded)
        return CF_OK;
    status = d->protocol->check_row ? d->protocol->check_row(d, row, note, size, &what) : CF_OK;
    if (status)
        return cf_fail(err, CF_EINPUT, "%s:%zu:%zu: %s", at.file, at.line, at.column, what.text);
    return CF_OK;
}

/* What is wrong in a row. The first few are told one by one; the others, which may be a million and
 * all for the same reason, are counted. */
static int gather_row(struct cf_error *err, int so_far, size_t nbad, int status,
                      const struct cf_error *one)
{
    enum { MOST_BAD = 3 };

    if (nbad <= MOST_BAD || cf_status_ends(status))
        return cf_gather(err, so_far, status, one);
    cf_gather_more(err, 1);
    return so_far;
}

/* Fill the rows that are kept. Remarks on rows are told as what is wrong in them. */
static int fill_rows(struct cf_study *study, const struct cf_source *source, const bool keep[],
                     struct cf_dataset *d, struct cf_error *err)
{
    enum { MOST_NOTES = 5 };
    size_t all = count_rows(source), nnote = 0, nbad = 0, last = 0;
    int status = CF_OK;

    for (size_t i = 0, row = 0; !cf_status_ends(status) && i < all; i++) {
        struct cf_error one;
        char note[256];
        int failed;

        if (!keep[i])
            continue;
        failed = fill_row(source, d, row++, i, note, sizeof note, &one);
        if (failed)
            status = gather_row(err, status, ++nbad, failed, &one);
        if (status || !*note)
            continue;
        last = i;
        if (nnote++ < MOST_NOTES)
            status = cf_study_note(study, err, "%s:%zu: %s", row_place(source, i).file,
                                   row_place(source, i).line, note);
    }
    if (status == CF_OK && nnote > MOST_NOTES)
        status =
            cf_study_note(study, err, "%s: and %zu more row%s like these, the last in line %zu",
                          row_place(source, last).file, nnote - MOST_NOTES,
                          nnote - MOST_NOTES == 1 ? "" : "s", row_place(source, last).line);
    return status;
}

/* A column without a value gives no information; a sigma from residuals, where one is wanted, needs
 * three at least. */
static int check_filled(const struct cf_source *source, const struct cf_dataset *d, bool fitted,
                        struct cf_error *err)
{
    enum { LEAST = 3 };

    for (size_t i = 0; i < d->protocol->nchannel; i++) {
        const struct cf_column_source *column = &source->column[i];
        const char *name = d->protocol->channel[i].name;
        size_t n = 0;

        for (size_t row = 0; row < d->nrow; row++)
            n += d->use[row] != CF_ROW_EXCLUDED && cf_dataset_has(d, row, i);
        if (!column->node)
            continue;
        if (n == 0)
            return cf_yaml_fail_key(column->node, err,
                                    "%s: no row of data set %s has a value: leave it out", name,
                                    d->name);
        if (fitted && column->kind == CF_SIGMA_ESTIMATE && !column->is_record && n < LEAST)
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

/* The record as a whole, once its rows are there. */
static int complete(struct cf_study *study, const struct cf_source *source, const bool keep[],
                    struct cf_dataset *d, struct cf_error *err)
{
    struct cf_error what = {""};
    struct cell_place at;
    char note[256] = "";
    size_t row = 0, from = 0;
    int status =
        d->protocol->complete ? d->protocol->complete(d, &row, note, sizeof note, &what) : CF_OK;

    if (status == CF_OK && !*note)
        return CF_OK;
    if (status && cf_status_ends(status))
        return cf_fail(err, status, "%s", what.text);
    for (size_t seen = 0; !keep[from] || seen < row; from++)
        seen += keep[from];
    at = row_place(source, from);
    if (status)
        return cf_fail(err, CF_EINPUT, "%s:%zu:%zu: data set %s: %s", at.file, at.line, at.column,
                       d->name, what.text);
    return cf_study_note(study, err, "%s: data set %s: %s", at.file, d->name, note);
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
        status = cf_source_choose(source, protocol, keep, err);
    for (size_t i = 0; status == CF_OK && i < all; i++)
        n += keep[i];
    if (status == CF_OK)
        status = cf_dataset_alloc(d, protocol, n, err);
    if (status == CF_OK)
        status = cf_source_apparatus(source->set, d, err);
    for (size_t i = 0, row = 0; status == CF_OK && i < all; i++)
        if (keep[i])
            d->line[row++] = row_place(source, i).line;
    for (size_t i = 0; status == CF_OK && i < protocol->nchannel; i++)
        d->series[i].kind = source->column[i].node ? source->column[i].kind : CF_SIGMA_NONE;
    for (size_t i = 0; status == CF_OK && i < protocol->nchannel; i++)
        d->series[i].model = source->column[i].model;
    for (size_t i = 0; status == CF_OK && i < protocol->nchannel; i++)
        d->series[i].floored = source->column[i].floored;
    for (size_t i = 0; status == CF_OK && i < protocol->nchannel; i++)
        d->series[i].dense = source->column[i].dense;
    if (status == CF_OK)
        status = exclude(d, source->set, err);
    if (status == CF_OK)
        status = fill_rows(study, source, keep, d, err);
    if (status == CF_OK)
        status = complete(study, source, keep, d, err);
    if (status == CF_OK)
        status = check_filled(source, d, study->spec.law != NULL, err);
    free(keep);
    return status == CF_OK ? copy_provenance(source->csv, d, err) : status;
}
