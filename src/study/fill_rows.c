/* A row is named by its line in its file, as editors, spreadsheets and the messages here count. An
 * excluded row is kept for the reports as far as it can be read, and is not checked. */

#define _POSIX_C_SOURCE 200809L

#include "study/fill_rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "core/text.h"

static int fail_at(const struct cf_cell_place *at, struct cf_error *err, const char *name,
                   const char *found, const char *rule)
{
    char shown[CF_SHOWN];
    return cf_fail(err, CF_EINPUT, "%s:%zu:%zu: %s %s: %s", at->file, at->line, at->column, name,
                   cf_show(found, shown), rule);
}

struct cf_cell_place cf_row_place(const struct cf_source *source, size_t from_row)
{
    if (source->csv)
        return (struct cf_cell_place){source->csv->path,
                                      source->csv->line ? source->csv->line[from_row] : 0, 1};
    if (!source->rows)
        return (struct cf_cell_place){source->set->file, source->set->line, source->set->column};
    return (struct cf_cell_place){source->set->file, source->rows->item[from_row].line,
                                  source->rows->item[from_row].column};
}

static struct cf_cell_place cell_place(const struct cf_csv *csv, size_t row, size_t column)
{
    return (struct cf_cell_place){csv->path, csv->line[row], cf_csv_at(csv, row, column)};
}

static int check_range(const struct cf_cell_place *at, const struct cf_channel_row *c,
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
    struct cf_cell_place at;

    if (column->kind != CF_SIGMA_GIVEN && !column->floored)
        return CF_OK;
    if (column->by_row)
        return cf_source_sigma_cell(source, column, from_row, sigma, err);
    *sigma = column->relative ? column->sigma * (value < 0 ? -value : value)
                              : cf_column_sigma(column, column->sigma);
    if (*sigma > 0 || column->floored)
        return CF_OK;
    at = cf_row_place(source, from_row);
    return cf_fail(err, CF_EINPUT,
                   "%s:%zu:%zu: sigma of %s: a share of a value of 0: give it with its unit",
                   at.file, at.line, at.column, name);
}

/* How a text that may stand for a missing value is said to be one. */
static void suggest_missing(const char *found, struct cf_error *err)
{
    size_t used = err ? strlen(err->text) : 0;

    if (err && strncasecmp(found, "nan", 3) == 0)
        snprintf(err->text + used, sizeof err->text - used, ", or one that missing: %.20s names",
                 found);
}

/* One value of a row, with its sigma; *there is false for an empty cell. */
static int read_cell(struct cf_filling *f, size_t from_row, size_t i, double *value, double *sigma,
                     bool *there, struct cf_error *err)
{
    const struct cf_source *source = f->source;
    const struct cf_channel_row *c = &f->d->protocol->channel[i];
    const struct cf_column_source *column = &source->column[i];
    char room[CF_CSV_ROOM];
    const char *found;
    struct cf_cell_place at;
    int status;

    *there = false;
    if (source->csv) {
        if (!column->time.counted && cf_csv_blank(source->csv, from_row, column->from))
            return CF_OK;
        found = column->time.counted ? "the count of the row"
                                     : cf_csv_cell(source->csv, from_row, column->from, room);
        at = cell_place(source->csv, from_row, column->from);
        if (cf_source_is_missing(source, found)) {
            f->nmissing++;
            f->missing_line = at.line;
            return CF_OK;
        }
        status = cf_column_value(source->csv, column, from_row, value, err);
        if (status)
            suggest_missing(found, err);
    } else {
        const struct cf_yaml *node = cf_yaml_get(&source->rows->item[from_row], c->name);
        if (!node || (node->kind == CF_YAML_TEXT && !*node->text))
            return CF_OK;
        at = (struct cf_cell_place){node->file, node->line, node->column};
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

/* What is wrong in a row. The first few are reported one by one; the others, which may be a million
 * and all for the same reason, are counted. */
static int gather_row(struct cf_error *err, int so_far, size_t nbad, int status,
                      const struct cf_error *one)
{
    enum { MOST_BAD = 3 };

    if (nbad <= MOST_BAD || cf_status_ends(status))
        return cf_gather(err, so_far, status, one);
    cf_gather_more(err, 1);
    return so_far;
}

/* Is the row left out, by its line or its time? The time is read for that alone. */
static bool is_excluded(struct cf_filling *f, size_t row, size_t from_row)
{
    const struct cf_protocol *protocol = f->d->protocol;
    double time_s = (double) NAN, sigma;
    bool there = false;

    if (f->d->use[row] == CF_ROW_EXCLUDED || !f->excludes->n)
        return f->d->use[row] == CF_ROW_EXCLUDED;
    if (f->excludes->window && f->source->column[protocol->clock].node)
        read_cell(f, from_row, protocol->clock, &time_s, &sigma, &there, NULL);
    return cf_excludes_has(f->excludes, f->d->line[row], there ? time_s : (double) NAN);
}

/* What the clock of a record says is put as it goes on from the row before. */
static int put_time(struct cf_filling *f, size_t row, size_t from_row, struct cf_error *err)
{
    const struct cf_protocol *protocol = f->d->protocol;
    const struct cf_column_source *column = &f->source->column[protocol->clock];
    double time_s = cf_dataset_value(f->d, row, protocol->clock);
    struct cf_cell_place at = cf_row_place(f->source, from_row);
    struct cf_error what;
    int status;

    if (f->source->csv)
        at = cell_place(f->source->csv, from_row, column->from);
    if (isnan(time_s))
        return f->parts
                   ? cf_fail(err, CF_EINPUT,
                             "%s:%zu:%zu: no %s: rows of several files are put beside each "
                             "other by it: give it, or exclude the row",
                             at.file, at.line, at.column, protocol->channel[protocol->clock].name)
                   : CF_OK;
    status = cf_record_stamp(f->clock, column, at.line, &time_s, &what);
    if (status)
        return cf_fail(err, status, "%s:%zu:%zu: %s %s", at.file, at.line, at.column,
                       protocol->channel[protocol->clock].name, what.text);
    return cf_dataset_put(f->d, row, protocol->clock, time_s,
                          cf_dataset_sigma(f->d, row, protocol->clock), err);
}

/* The cells of a row, as far as they can be read if it is excluded. */
static int fill_cells(struct cf_filling *f, size_t row, size_t from_row, struct cf_error *err)
{
    struct cf_dataset *d = f->d;
    bool excluded = is_excluded(f, row, from_row);

    if (excluded)
        d->use[row] = CF_ROW_EXCLUDED;
    for (size_t i = 0; i < d->protocol->nchannel; i++) {
        double value = 0, sigma = 0;
        bool there = false;
        int status;

        if (!f->source->column[i].node)
            continue;
        status = read_cell(f, from_row, i, &value, &sigma, &there, excluded ? NULL : err);
        if (status && !excluded)
            return status;
        if (!there)
            continue;
        status = cf_dataset_put(d, row, i, value, sigma, err);
        if (status)
            return status;
    }
    return f->clock && !excluded ? put_time(f, row, from_row, err) : CF_OK;
}

/* What is wrong in a row, or a remark on it, is reported. */
static int tell(struct cf_filling *f, const struct cf_cell_place *at, int failed, const char *note,
                const struct cf_error *one, struct cf_error *err)
{
    enum { MOST_NOTES = 5 };

    if (failed)
        f->status = gather_row(err, f->status, ++f->nbad, failed, one);
    if (f->status || !*note)
        return f->status;
    f->last_line = at->line;
    if (f->nnote++ < MOST_NOTES)
        f->status = cf_study_note(f->study, err, "%s:%zu: %s", at->file, at->line, note);
    return f->status;
}

static int check_row(struct cf_filling *f, size_t row, const struct cf_cell_place *at,
                     struct cf_error *err)
{
    const struct cf_protocol *protocol = f->d->protocol;
    struct cf_error what, one;
    char note[256] = "";
    int status = protocol->check_row && f->d->use[row] != CF_ROW_EXCLUDED
                     ? protocol->check_row(f->d, row, note, sizeof note, &what)
                     : CF_OK;

    if (status)
        cf_fail(&one, CF_EINPUT, "%s:%zu:%zu: %s", at->file, at->line, at->column, what.text);
    return tell(f, at, status ? CF_EINPUT : CF_OK, note, &one, err);
}

int cf_fill_check(struct cf_filling *f, size_t row, struct cf_error *err)
{
    const struct cf_dataset *d = f->d;
    struct cf_cell_place at = {f->source->csv ? f->source->csv->path : f->source->set->file,
                               d->line[row], 1};

    for (size_t i = 0, found = 0; d->npart && i < d->protocol->nchannel && !found; i++)
        if (cf_dataset_has(d, row, i) && i != d->protocol->clock) {
            at.file = cf_dataset_file(d, i);
            at.line = cf_dataset_line(d, row, i);
            found = 1;
        }
    return check_row(f, row, &at, err);
}

int cf_fill_row(struct cf_filling *f, size_t row, size_t from_row, struct cf_error *err)
{
    struct cf_cell_place at = cf_row_place(f->source, from_row);
    struct cf_error one;
    int failed = fill_cells(f, row, from_row, &one);

    if (failed || f->parts)
        return tell(f, &at, failed, "", &one, err);
    return check_row(f, row, &at, err);
}

int cf_fill_end(struct cf_filling *f, struct cf_error *err)
{
    enum { MOST_NOTES = 5 };
    const char *file = cf_row_place(f->source, 0).file;

    if (f->status == CF_OK && f->nnote > MOST_NOTES)
        f->status = cf_study_note(
            f->study, err, "%s: and %zu more row%s like these, the last in line %zu", file,
            f->nnote - MOST_NOTES, f->nnote - MOST_NOTES == 1 ? "" : "s", f->last_line);
    if (f->status == CF_OK && f->nmissing)
        f->status =
            cf_study_note(f->study, err,
                          "%s: %zu cell%s, the last in line %zu, hold%s what missing: names: "
                          "taken as not measured",
                          file, f->nmissing, f->nmissing == 1 ? "" : "s", f->missing_line,
                          f->nmissing == 1 ? "s" : "");
    return f->status;
}
