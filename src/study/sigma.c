/* The sigma of a column: stated, in a column of its own, or estimated, and then beside a floor. A
 * column of sigmas without a unit has that of its values. */

#include <math.h>
#include <string.h>

#include "core/text.h"
#include "study/keys.h"
#include "study/parts.h"

/* {from: HEADER, unit: U} of a sigma. */
static int read_sigma_column(const struct cf_csv *csv, const struct cf_yaml *at, const char *want,
                             struct cf_column_source *source, struct cf_error *err)
{
    const struct cf_yaml *from;
    const char *name = NULL;
    bool found = false;
    int status = CF_OK;

    if (!csv)
        status = cf_yaml_fail(at, err,
                              "sigma: a mapping: rows in the study take a quantity or "
                              "estimate");
    if (status == CF_OK)
        status = cf_yaml_need(at, "from", &from, err);
    if (status == CF_OK)
        status = cf_yaml_text(from, &name, err);
    if (status == CF_OK)
        status = cf_table_header(csv, from, name, &source->sigma_from, err);
    if (status == CF_OK)
        status = cf_table_factor(csv, source->sigma_from, at, cf_yaml_get(at, "unit"), want,
                                 &source->sigma_factor, &found, err);
    if (!found)
        source->sigma_factor = source->factor;
    source->by_row = true;
    return status;
}

/* {from: HEADER, unit: U, count: HEADER} or a quantity: what is known of the sigma of each row,
 * such as the standard deviation of a log's mean; with a count, that of the log itself. */
static int read_floor(const struct cf_csv *csv, const struct cf_yaml *at,
                      const struct cf_channel_row *column, struct cf_column_source *source,
                      struct cf_error *err)
{
    const struct cf_yaml *count = at->kind == CF_YAML_MAP ? cf_yaml_get(at, "count") : NULL;
    const char *name = NULL;
    int status;

    source->floored = true;
    if (source->is_record)
        return cf_yaml_fail_key(at, err, "floor: goes with readings, and %s is a record",
                                column->name);
    if (at->kind != CF_YAML_MAP)
        return cf_yaml_spread(at, column->unit, &source->sigma, &source->relative, err);
    status = cf_schema_check(at, &cf_study_sigma_floor_schema, err);
    if (!status)
        status = read_sigma_column(csv, at, column->unit, source, err);
    if (status || !count)
        return status;
    source->counted = true;
    status = cf_yaml_text(count, &name, err);
    return status ? status : cf_table_header(csv, count, name, &source->count_from, err);
}

/* Whose an estimated sigma is: `data`, of this data set alone. */
static int read_per(const struct cf_yaml *per, struct cf_column_source *source,
                    struct cf_error *err)
{
    static const char *const words[] = {"data"};
    const char *name = NULL;
    int status = per ? cf_yaml_text(per, &name, err) : CF_OK;

    source->apart = per != NULL;
    if (status || !per || strcmp(name, words[0]) == 0)
        return status;
    return cf_yaml_unknown(per, "owner of a sigma", name, words, 1, err);
}

/* `estimate`, or how: {estimate: both, floor: ..., per: data}. */
static int read_estimate(const struct cf_csv *csv, const struct cf_yaml *at,
                         const struct cf_channel_row *column, struct cf_column_source *source,
                         struct cf_error *err)
{
    const char *const *names = &cf_sigma_model_name[CF_SIGMA_CONSTANT];
    const struct cf_yaml *how = at->kind == CF_YAML_MAP ? cf_yaml_get(at, "estimate") : NULL;
    const struct cf_yaml *floor = how ? cf_yaml_get(at, "floor") : NULL;
    const char *name = NULL;
    int status = how ? cf_schema_check(at, &cf_study_sigma_estimate_schema, err) : CF_OK;

    source->kind = CF_SIGMA_ESTIMATE;
    if (!status)
        status = read_per(how ? cf_yaml_get(at, "per") : NULL, source, err);
    if (!status && column->role == CF_ROLE_IMPOSED && !source->is_record)
        return cf_yaml_fail(at, err,
                            "%s: residuals give the sigma of measured quantities only: give "
                            "it, or leave it out where %s is exact",
                            column->name, column->name);
    if (!status && how)
        status = cf_yaml_text(how, &name, err);
    if (status || !how)
        return status;
    for (int i = CF_SIGMA_CONSTANT; i < CF_NSIGMA_MODEL; i++)
        if (strcmp(name, cf_sigma_model_name[i]) == 0) {
            source->model = (enum cf_sigma_model) i;
            return floor ? read_floor(csv, floor, column, source, err) : CF_OK;
        }
    return cf_yaml_unknown(how, "way to estimate a sigma", name, names,
                           CF_NSIGMA_MODEL - CF_SIGMA_CONSTANT, err);
}

int cf_source_sigma(const struct cf_csv *csv, const struct cf_yaml *at,
                    const struct cf_channel_row *column, struct cf_column_source *source,
                    struct cf_error *err)
{
    if (source->sigma_node)
        return cf_yaml_fail(at, err, "%s: its sigma stands in line %zu already", column->name,
                            source->sigma_node->line);
    source->sigma_node = at;
    source->kind = CF_SIGMA_GIVEN;
    source->by_row = false;
    if (at->kind == CF_YAML_MAP && cf_yaml_get(at, "floor") && !cf_yaml_get(at, "estimate"))
        return cf_yaml_fail_key(cf_yaml_get(at, "floor"), err,
                                "floor: stands beside a sigma that is estimated: state how, as in "
                                "{estimate: constant, floor: ...}");
    if (at->kind == CF_YAML_MAP && !cf_yaml_get(at, "estimate") &&
        cf_schema_check(at, &cf_study_sigma_column_schema, err))
        return CF_EINPUT;
    if (at->kind == CF_YAML_MAP && !cf_yaml_get(at, "estimate"))
        return read_sigma_column(csv, at, column->unit, source, err);
    if (at->kind == CF_YAML_MAP || (at->kind == CF_YAML_TEXT && strcmp(at->text, "estimate") == 0))
        return read_estimate(csv, at, column, source, err);
    return cf_yaml_spread(at, column->unit, &source->sigma, &source->relative, err);
}

/* The standard deviations that came with a column in memory, unless the study says otherwise. */
void cf_source_table_sigma(const struct cf_csv *csv, struct cf_column_source *column)
{
    if (!csv->columns || !csv->columns->column[column->from].sigma)
        return;
    column->kind = CF_SIGMA_GIVEN;
    column->by_row = true;
    column->sigma_from = csv->columns->column[column->from].sigma - 1;
    column->sigma_factor = column->factor;
}

static int fail_at(const struct cf_csv *csv, size_t row, size_t column, const char *rule,
                   struct cf_error *err)
{
    char room[CF_CSV_ROOM], shown[CF_SHOWN];

    return cf_fail(err, CF_EINPUT, "%s:%zu:%zu: %s %s: %s", csv->path, csv->line[row],
                   cf_csv_at(csv, row, column), csv->full[column],
                   cf_show(cf_csv_cell(csv, row, column, room), shown), rule);
}

/* What goes with a value that is there: its sigma, or the count behind it. */
static int read_beside(const struct cf_source *source, const struct cf_column_source *column,
                       size_t row, size_t from, double *number, struct cf_error *err)
{
    const struct cf_csv *csv = source->csv;
    char room[CF_CSV_ROOM], shown[CF_SHOWN], own[CF_CSV_ROOM];
    const char *cell;

    if (!cf_source_is_blank(source, row, from))
        return cf_csv_number(csv, row, from, number, err);
    cell = cf_csv_cell(csv, row, from, own);
    return cf_fail(err, CF_EINPUT,
                   "%s:%zu:%zu: %s %.60s: a number is wanted beside %s %s: give it, exclude the "
                   "row, or leave the value out, too",
                   csv->path, csv->line[row], cf_csv_at(csv, row, from), csv->full[from],
                   *cell ? cell : "(empty)", csv->full[column->from],
                   cf_show(cf_csv_cell(csv, row, column->from, room), shown));
}

int cf_source_sigma_cell(const struct cf_source *source, const struct cf_column_source *column,
                         size_t row, double *sigma, struct cf_error *err)
{
    const struct cf_csv *csv = source->csv;
    double n = 1;
    int status = read_beside(source, column, row, column->sigma_from, sigma, err);

    if (!status && column->counted)
        status = read_beside(source, column, row, column->count_from, &n, err);
    if (status)
        return status;
    if (!(n >= 1))
        return fail_at(csv, row, column->count_from, "a count must be at least 1", err);
    *sigma = cf_column_sigma(column, *sigma * column->sigma_factor) / sqrt(n);
    if (*sigma > 0 || (column->floored && *sigma == 0))
        return CF_OK;
    return fail_at(csv, row, column->sigma_from,
                   column->floored ? "a floor must not be below 0" : "a sigma must be above 0",
                   err);
}
