/* Which quantity comes from which column, in which unit, with which sigma.
 *
 * A unit is given in the header or in the study; where both name one they must agree, where neither
 * does the number is SI, and a remark says so. A column of sigmas without a unit has that of its
 * values. A measured quantity without sigma has it estimated, an imposed one is exact.
 */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "core/units.h"
#include "study/parts.h"

size_t cf_protocol_names(const struct cf_protocol *protocol, const char *known[])
{
    for (size_t i = 0; i < protocol->nchannel; i++)
        known[i] = protocol->channel[i].name;
    return protocol->nchannel;
}

/* The column of a quantity by its header, which no other quantity has. */
static int find_header(struct cf_source *source, const struct cf_protocol *protocol,
                       const struct cf_yaml *entry, const struct cf_yaml *from, size_t i,
                       struct cf_error *err)
{
    struct cf_column_source *column = &source->column[i];
    const char *name = entry->key;
    int status = from ? cf_yaml_text(from, &name, err) : CF_OK;

    if (status == CF_OK)
        status = cf_table_header(source->csv, from ? from : entry, name, &column->from, err);
    for (size_t j = 0; j < protocol->nchannel && status == CF_OK; j++) {
        const struct cf_column_source *other = &source->column[j];
        if (other->node && !other->time.counted && other->from == column->from)
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

    if (strcmp(channel->unit, "s") != 0)
        return cf_yaml_fail_key(rate, err, "rate: makes times of counted samples, and %s is none",
                                channel->name);
    if (unit)
        return cf_yaml_fail_key(unit, err, "unit: the count of a sample has none");
    column->timed = true;
    return cf_time_rate(entry, &column->time, err);
}

/* Where a quantity's numbers are, and in which unit; *found: a unit is named, or none is wanted. */
static int find_numbers(struct cf_source *source, const struct cf_protocol *protocol,
                        const struct cf_yaml *entry, bool mapping, size_t i, bool *found,
                        struct cf_error *err)
{
    const struct cf_channel_row *channel = &protocol->channel[i];
    struct cf_column_source *column = &source->column[i];
    bool rate = mapping && cf_yaml_get(entry, "rate");
    int status = rate ? read_rate(entry, channel, column, err) : CF_OK;

    *found = true;
    if (status || column->time.counted)
        return status;
    status =
        find_header(source, protocol, entry, mapping ? cf_yaml_get(entry, "from") : entry, i, err);
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

/* One entry of `columns`: QUANTITY: HEADER, or QUANTITY: {from:, unit:, rate:, sigma:, noise:,
 * sign:, scale:, offset:}. */
static int read_column(struct cf_study *study, struct cf_source *source,
                       const struct cf_protocol *protocol, const struct cf_yaml *entry,
                       struct cf_error *err)
{
    static const char *const keys[] = {"from",  "unit", "rate",  "sigma",
                                       "noise", "sign", "scale", "offset"};
    const char *known[CF_MAX_COLUMN];
    size_t i = cf_protocol_channel(protocol, entry->key);
    struct cf_column_source *column = &source->column[i];
    const struct cf_yaml *sigma;
    bool found = true, mapping = entry->kind != CF_YAML_TEXT || !*entry->text;
    int status = CF_OK;

    if (i == protocol->nchannel)
        return cf_yaml_unknown(entry, "quantity", entry->key, known,
                               cf_protocol_names(protocol, known), err);
    if (i >= cf_protocol_read(protocol))
        return cf_yaml_fail_key(entry, err, "%s: is made from the column of %s: leave it out",
                                protocol->channel[i].name,
                                protocol->channel[protocol->recording->record].name);
    column->is_record = protocol->recording && i == protocol->recording->record;
    if (mapping)
        status = cf_yaml_keys(entry, keys, sizeof keys / sizeof *keys, err);
    if (status == CF_OK)
        status = find_numbers(source, protocol, entry, mapping, i, &found, err);
    if (status == CF_OK && mapping)
        status = cf_column_conversion(entry, protocol->channel[i].unit, column, err);
    if (status)
        return status;
    column->node = entry;
    if (!found && strcmp(protocol->channel[i].unit, "1") != 0)
        status =
            cf_study_note(study, err, "%s:%zu: column %s names no unit: read as %s", entry->file,
                          entry->line, source->csv->full[column->from], protocol->channel[i].unit);
    sigma = mapping ? cf_yaml_get(entry, "sigma") : NULL;
    if (status == CF_OK && sigma)
        status = cf_source_sigma(source->csv, sigma, &protocol->channel[i], column, err);
    else if (status == CF_OK && !column->time.counted)
        cf_source_table_sigma(source->csv, column);
    return status == CF_OK && mapping ? cf_source_noise(entry, protocol, i, column, err) : status;
}

/* The quantities of the rows in a study: each that any row has. */
static int read_row_keys(struct cf_source *source, const struct cf_protocol *protocol,
                         struct cf_error *err)
{
    const struct cf_yaml *by = cf_source_group_by(source);
    size_t nby = by && by->kind == CF_YAML_LIST ? by->n : 0, n;
    const char **known = calloc(CF_MAX_COLUMN + nby + 1, sizeof *known);
    int status = known ? CF_OK : cf_fail(err, CF_ENOMEM, "no memory for the names of columns");

    n = known ? cf_protocol_names(protocol, known) : 0;
    for (size_t i = 0; i < nby && !status; i++)
        if (by->item[i].kind == CF_YAML_TEXT)
            known[n++] = by->item[i].text;
    for (size_t row = 0; row < source->rows->n && !status; row++) {
        const struct cf_yaml *at = &source->rows->item[row];
        status = cf_yaml_keys(at, known, n, err);
        for (size_t j = 0; j < at->n && !status; j++) {
            size_t i = cf_protocol_channel(protocol, at->item[j].key);
            if (i < protocol->nchannel && !source->column[i].node) {
                source->column[i].node = &at->item[j];
                source->column[i].is_record =
                    protocol->recording && i == protocol->recording->record;
            }
        }
    }
    free(known);
    return status;
}

/* `sigma: {QUANTITY: …}` of the whole set. */
static int read_sigmas(struct cf_source *source, const struct cf_protocol *protocol,
                       const struct cf_yaml *sigmas, struct cf_error *err)
{
    const char *known[CF_MAX_COLUMN];
    size_t n = 0;
    int status;

    for (size_t i = 0; i < protocol->nchannel; i++)
        if (source->column[i].node || (protocol->recording && i == protocol->recording->reading))
            known[n++] = protocol->channel[i].name;
    status = cf_yaml_keys(sigmas, known, n, err);
    for (size_t j = 0; j < sigmas->n && status == CF_OK; j++) {
        size_t i = cf_protocol_channel(protocol, sigmas->item[j].key);
        status = cf_source_sigma(source->csv, &sigmas->item[j], &protocol->channel[i],
                                 &source->column[i], err);
    }
    return status;
}

/* Something must be imposed, and something measured. */
static int check_roles(const struct cf_source *source, const struct cf_protocol *protocol,
                       const struct cf_yaml *at, struct cf_error *err)
{
    static const char *const what[] = {
        [CF_ROLE_IMPOSED] = "imposed", [CF_ROLE_MEASURED] = "measured"};

    if (protocol->recording && !source->column[protocol->recording->record].node)
        return cf_yaml_fail(at, err, "no %s: it is what a row records",
                            protocol->channel[protocol->recording->record].name);
    for (enum cf_role role = CF_ROLE_IMPOSED; role <= CF_ROLE_MEASURED && !protocol->recording;
         role++) {
        char list[256] = "";
        size_t used = 0;
        bool there = false;

        for (size_t i = 0; i < protocol->nchannel; i++) {
            if (protocol->channel[i].role != role ||
                (role == CF_ROLE_IMPOSED && !cf_channel_drives(protocol, i)))
                continue;
            there |= source->column[i].node != NULL;
            if (used < sizeof list)
                used += (size_t) snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "",
                                          protocol->channel[i].name);
        }
        if (!there)
            return cf_yaml_fail(at, err, "no %s quantity: one of %s is needed", what[role], list);
    }
    return CF_OK;
}

int cf_source_columns(struct cf_study *study, struct cf_source *source,
                      const struct cf_protocol *protocol, struct cf_error *err)
{
    const struct cf_yaml *columns = source->rows, *sigmas = cf_yaml_get(source->set, "sigma");
    struct cf_error one;
    int status = CF_OK, all = CF_OK;

    if (source->csv) {
        status = cf_yaml_need(source->set, "columns", &columns, err);
        if (status == CF_OK)
            status = cf_yaml_map(columns, err);
        /* a table of one column is cut at the wrong delimiter: one line says so */
        for (size_t i = 0; !status && i < columns->n && !(all && source->csv->ncolumn == 1); i++)
            all = cf_gather(err, all, read_column(study, source, protocol, &columns->item[i], &one),
                            &one);
        status = status ? status : all;
    } else {
        status = read_row_keys(source, protocol, err);
    }
    if (status == CF_OK)
        status = check_roles(source, protocol, columns, err);
    if (status == CF_OK && sigmas)
        status = read_sigmas(source, protocol, sigmas, err);
    for (size_t i = 0; i < protocol->nchannel; i++)
        if (source->column[i].node && source->column[i].kind == CF_SIGMA_NONE &&
            (protocol->channel[i].role == CF_ROLE_MEASURED || source->column[i].is_record))
            source->column[i].kind = CF_SIGMA_ESTIMATE;
    return status;
}
