/* Where the numbers of a quantity are in a table, and in which unit. */

#include <stdlib.h>
#include <string.h>

#include "study/parts.h"

/* The number of a column, from 1, where no header is called so. */
static bool find_number(const struct cf_csv *csv, const char *name, size_t *column)
{
    size_t n = strlen(name);

    if (n < 1 || n > 4 || strspn(name, "0123456789") != n ||
        cf_csv_column(csv, name) < csv->ncolumn)
        return false;
    *column = (size_t) strtoul(name, NULL, 10) - 1;
    return *column < csv->ncolumn;
}

/* The column of a quantity by its header, which no other quantity has. */
static int find_header(struct cf_source *source, const struct cf_protocol *protocol,
                       const struct cf_yaml *entry, const struct cf_yaml *from, size_t i, bool own,
                       struct cf_error *err)
{
    struct cf_column_source *column = &source->column[i];
    const char *name = entry->key;
    int status = from ? cf_yaml_text(from, &name, err) : CF_OK;

    if (status == CF_OK && !(own && find_number(source->csv, name, &column->from)))
        status = cf_table_header(source->csv, from ? from : entry, name, &column->from, err);
    for (size_t j = 0; j < protocol->nchannel && status == CF_OK; j++) {
        const struct cf_column_source *other = &source->column[j];
        if (other->node && !other->own && !other->time.counted && other->from == column->from)
            status =
                cf_yaml_fail(from ? from : entry, err, "%s: column %.80s is %s already", entry->key,
                             source->csv->full[column->from], protocol->channel[j].name);
    }
    return status;
}

/* `rate`: the column, or the rows, count samples. */
static int read_rate(const struct cf_yaml *entry, const struct cf_channel_row *channel,
                     struct cf_column_source *column, struct cf_error *err)
{
    const struct cf_yaml *rate = cf_yaml_get(entry, "rate"), *unit = cf_yaml_get(entry, "unit");
    int status;

    if (strcmp(channel->unit, "s") != 0)
        return cf_yaml_fail_key(rate, err, "rate: makes times of counted samples, and %s is none",
                                channel->name);
    if (unit)
        return cf_yaml_fail_key(unit, err, "unit: the count of a sample has none");
    column->timed = true;
    status = cf_time_rate(entry, &column->time, err);
    return status ? status : cf_time_start(entry, &column->time, err);
}

int cf_source_numbers(struct cf_source *source, const struct cf_protocol *protocol,
                      const struct cf_yaml *entry, size_t i, bool own, bool *found,
                      struct cf_error *err)
{
    const struct cf_channel_row *channel = &protocol->channel[i];
    struct cf_column_source *column = &source->column[i];
    bool mapping = entry->kind != CF_YAML_TEXT || !*entry->text;
    bool rate = mapping && !own && cf_yaml_get(entry, "rate");
    const struct cf_yaml *start = mapping && !own ? cf_yaml_get(entry, "start") : NULL;
    int status = rate ? read_rate(entry, channel, column, err) : CF_OK;

    *found = true;
    if (start && !rate)
        return cf_yaml_fail_key(start, err, "start: is of counted samples: it needs a rate");
    if (status || column->time.counted)
        return status;
    status = find_header(source, protocol, entry, mapping ? cf_yaml_get(entry, "from") : entry, i,
                         own, err);
    if (status == CF_OK && !rate)
        status = cf_table_factor(source->csv, column->from, entry,
                                 mapping ? cf_yaml_get(entry, "unit") : NULL, channel->unit,
                                 &column->factor, found, err);
    /* an imposed time is the axis: it may come as dates */
    column->timed = rate || (channel->role == CF_ROLE_IMPOSED && strcmp(channel->unit, "s") == 0);
    column->time.column = column->from;
    column->time.factor = column->factor;
    return status;
}
