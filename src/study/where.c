/* Which rows of a table `where` keeps, by comparisons of numbers: with quantities of the protocol
 * as they are converted, or with columns of the table as they stand there. */

#include <math.h>

#include "core/nearest.h"
#include "core/text.h"
#include "core/units.h"
#include "study/keys.h"
#include "study/parts.h"

/* What can be compared: the quantities that are read, by channel, then the columns of the table. */
struct table {
    const struct cf_source *source;
    const struct cf_protocol *protocol;
};

/* A column that a quantity shares its name with, unless the two are the same numbers. */
static const char *namesake(const struct table *t, size_t channel)
{
    const struct cf_column_source *own = &t->source->column[channel];
    const struct cf_csv *csv = t->source->csv;
    size_t i = cf_csv_column(csv, t->protocol->channel[channel].name);

    if (i == csv->ncolumn || (i == own->from && own->factor == 1 && !own->converted))
        return NULL;
    return csv->full[i];
}

static int find(const void *of, const struct cf_yaml *at, const char *name,
                struct cf_subject *subject, struct cf_error *err)
{
    const struct table *t = of;
    const struct cf_csv *csv = t->source->csv;
    const char *known[CF_MAX_COLUMN], *near;
    size_t i = cf_protocol_channel(t->protocol, name), n = 0;
    int status;

    if (i < t->protocol->nchannel && t->source->column[i].node) {
        *subject = (struct cf_subject){
            .index = i, .unit = t->protocol->channel[i].unit, .namesake = namesake(t, i)};
        return CF_OK;
    }
    for (i = 0; i < t->protocol->nchannel; i++)
        if (t->source->column[i].node)
            known[n++] = t->protocol->channel[i].name;
    near = cf_nearest(name, known, n);
    if (near && cf_csv_column(csv, name) == csv->ncolumn &&
        !cf_nearest(name, (const char *const *) csv->full, csv->ncolumn))
        return cf_yaml_unknown(at, "column", name, known, n, err);
    status = cf_table_header(csv, at, name, &i, err);
    *subject = (struct cf_subject){
        .index = t->protocol->nchannel + i,
        .unit = status == CF_OK && csv->unit[i] ? csv->unit[i] : "1",
        .hint = "; a word is compared as in where: {ball: golf}",
    };
    return status;
}

/* Is the row named under `exclude`? It may be unreadable then. */
/* Does the term hold in a row of the table? An excluded row that cannot be read is kept. */
static int test(const struct table *t, const struct cf_term *term, size_t row, bool *holds,
                struct cf_error *err)
{
    const struct cf_csv *csv = t->source->csv;
    const struct cf_column_source *own =
        term->index < t->protocol->nchannel ? &t->source->column[term->index] : NULL;
    size_t column = own ? own->from : term->index - t->protocol->nchannel;
    double x;
    int status;

    *holds = false;
    if (!(own && own->time.counted) && cf_source_is_blank(t->source, row, column))
        return CF_OK;
    status =
        own ? cf_column_value(csv, own, row, &x, err) : cf_csv_number(csv, row, column, &x, err);
    if (status == CF_OK)
        *holds = cf_term_holds(term, x);
    else
        *holds = cf_exclude_has_line(t->source->set, csv->line[row]);
    return *holds ? CF_OK : status;
}

static int drop(const struct table *t, const struct cf_condition *condition,
                const struct cf_yaml *at, bool keep[], struct cf_error *err)
{
    size_t n = 0;

    for (size_t row = 0; row < t->source->csv->nrow; row++) {
        for (size_t i = 0; i < condition->nterm && keep[row]; i++) {
            int status = test(t, &condition->term[i], row, &keep[row], err);
            if (status)
                return status;
        }
        n += keep[row];
    }
    return n ? CF_OK
             : cf_yaml_fail(at, err, "where: no row of data set %s is like that",
                            cf_yaml_get(t->source->set, "name")->text);
}

int cf_where_text(const struct cf_source *source, const struct cf_protocol *protocol,
                  const struct cf_yaml *where, bool keep[], struct cf_error *err)
{
    const struct table table = {source, protocol};
    const struct cf_subjects subjects = {&protocol->axis, &table, find};
    struct cf_condition condition;
    int status = cf_condition_parse(where, &subjects, &condition, err);

    return status == CF_OK ? drop(&table, &condition, where, keep, err) : status;
}

/* `unit` of a range about a column, where the table does not say. */
static int range_unit(const struct table *t, const struct cf_yaml *range,
                      struct cf_subject *subject, struct cf_error *err)
{
    const struct cf_yaml *unit = cf_yaml_get(range, "unit");
    const struct cf_csv *csv = t->source->csv;
    size_t column = subject->index - t->protocol->nchannel;
    struct cf_unit parsed;
    int status = unit ? cf_yaml_text(unit, &subject->unit, err) : CF_OK;

    if (status || !unit)
        return status;
    if (csv->unit[column])
        return cf_yaml_fail_key(unit, err, "unit: column %.80s is in %.40s already: leave it out",
                                csv->full[column], csv->unit[column]);
    if (cf_unit_parse(subject->unit, &parsed, err))
        return cf_yaml_blame(unit, "unit", CF_EINPUT, err);
    return CF_OK;
}

/* {from: 1 m/s, to: 3 m/s}, ends included. */
static int read_range(const struct table *t, const struct cf_yaml *range,
                      struct cf_subject *subject, struct cf_condition *condition,
                      struct cf_error *err)
{
    const struct cf_schema_key *const keys = cf_study_range_schema.key;
    static const enum cf_comparison op[] = {CF_COMPARE_GREATER_EQUAL, CF_COMPARE_LESS_EQUAL};
    bool of_table = subject->index >= t->protocol->nchannel;
    const struct cf_term *term = condition->term;
    char shown[CF_SHOWN];
    int status = of_table ? cf_schema_check(range, &cf_study_range_schema, err)
                          : cf_schema_check_first(range, &cf_study_range_schema,
                                                  CF_RANGE_KEYS_OF_QUANTITY, err);

    if (status == CF_OK && of_table)
        status = range_unit(t, range, subject, err);
    condition->nterm = 0;
    for (size_t i = 0; i < 2 && status == CF_OK; i++) {
        const struct cf_yaml *end = cf_yaml_get(range, keys[i].name);
        const char *text = NULL;
        double value = 0;

        if (!end)
            continue;
        status = cf_yaml_text(end, &text, err);
        if (status == CF_OK)
            status = cf_condition_value(end, range->key, subject, text, &value, err);
        condition->term[condition->nterm++] = (struct cf_term){subject->index, op[i], value};
    }
    if (status)
        return status;
    if (!condition->nterm)
        return cf_yaml_fail(range, err, "where: %s: neither from nor to: one of them is needed",
                            cf_show(range->key, shown));
    if (condition->nterm == 2 && term[0].value > term[1].value)
        return cf_yaml_fail(
            range, err, "where: %s: from %g is above to %g [%s]: no row can be there",
            cf_show(range->key, shown), term[0].value, term[1].value, subject->unit);
    return CF_OK;
}

bool cf_where_compares(const struct cf_source *source, const struct cf_protocol *protocol,
                       const struct cf_yaml *entry)
{
    size_t i = cf_protocol_channel(protocol, entry->key);
    double value;

    if (entry->kind != CF_YAML_TEXT || i == protocol->nchannel || !source->column[i].node)
        return entry->kind == CF_YAML_MAP;
    /* a word in a column that goes by the quantity's name is a text after all */
    return cf_csv_column(source->csv, entry->key) == source->csv->ncolumn ||
           !cf_quantity_parse(entry->text, protocol->channel[i].unit, &value, NULL);
}

static int compare_entry(const struct table *t, const struct cf_yaml *entry, bool keep[],
                         struct cf_error *err)
{
    struct cf_condition condition = {.nterm = 1};
    struct cf_yaml key = *entry;
    struct cf_subject subject;
    const char *text = NULL;
    double value = 0;
    int status;

    key.line = entry->key_line;
    key.column = entry->key_column;
    status = find(t, &key, entry->key, &subject, err);
    if (status)
        return status;
    if (entry->kind == CF_YAML_MAP) {
        status = read_range(t, entry, &subject, &condition, err);
    } else {
        status = cf_yaml_text(entry, &text, err);
        if (status == CF_OK)
            status = cf_condition_value(entry, entry->key, &subject, text, &value, err);
        condition.term[0] = (struct cf_term){subject.index, CF_COMPARE_EQUAL, value};
    }
    return status == CF_OK ? drop(t, &condition, entry, keep, err) : status;
}

int cf_where_entries(const struct cf_source *source, const struct cf_protocol *protocol,
                     const struct cf_yaml *where, bool keep[], struct cf_error *err)
{
    const struct table table = {source, protocol};
    int status = CF_OK;

    for (size_t i = 0; i < where->n && status == CF_OK; i++)
        if (cf_where_compares(source, protocol, &where->item[i]))
            status = compare_entry(&table, &where->item[i], keep, err);
    return status;
}

double cf_where_number(const struct cf_csv *csv, size_t column, const char *text)
{
    double number;

    if (cf_quantity_parse(text, csv->unit[column] ? csv->unit[column] : "1", &number, NULL))
        return (double) NAN;
    return number;
}

bool cf_where_same(const struct cf_csv *csv, size_t row, size_t column, double number)
{
    const struct cf_term term = {.op = CF_COMPARE_EQUAL, .value = number};
    double x;

    return !isnan(number) && cf_csv_number(csv, row, column, &x, NULL) == CF_OK &&
           cf_term_holds(&term, x);
}
