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
#include "study/keys.h"
#include "study/parts.h"

size_t cf_protocol_names(const struct cf_protocol *protocol, const char *known[])
{
    for (size_t i = 0; i < protocol->nchannel; i++)
        known[i] = protocol->channel[i].name;
    return protocol->nchannel;
}

/* The keys of an entry of `columns`: QUANTITY: HEADER, or QUANTITY: {from:, unit:, rate:, sigma:,
 * noise:, sign:, scale:, offset:}; with a file of its own, its marks and its clock, too. */
static int check_keys(const struct cf_yaml *entry, bool own, struct cf_error *err)
{
    return own ? cf_schema_check(entry, &cf_study_column_schema, err)
               : cf_schema_check_first(entry, &cf_study_column_schema, CF_COLUMN_KEYS_OF_SET, err);
}

/* Is this a quantity that a column may have? */
static int check_quantity(const struct cf_protocol *protocol, const struct cf_yaml *entry, size_t i,
                          struct cf_error *err)
{
    const char *known[CF_MAX_COLUMN];

    if (i == protocol->nchannel)
        return cf_yaml_unknown(entry, "quantity", entry->key, known,
                               cf_protocol_names(protocol, known), err);
    if (i >= cf_protocol_read(protocol))
        return cf_yaml_fail_key(entry, err, "%s: is made from the column of %s: leave it out",
                                protocol->channel[i].name,
                                protocol->channel[protocol->recording->record].name);
    return CF_OK;
}

/* Numbers, conversion, sigma and noise of an entry of `columns`, in the table that it is read from.
 */
static int read_entry(struct cf_study *study, struct cf_source *source,
                      const struct cf_protocol *protocol, const struct cf_yaml *entry, size_t i,
                      bool own, struct cf_error *err)
{
    struct cf_column_source *column = &source->column[i];
    const struct cf_yaml *sigma;
    bool found = true, mapping = entry->kind != CF_YAML_TEXT || !*entry->text;
    int status;

    column->is_record = protocol->recording && i == protocol->recording->record;
    status = cf_source_numbers(source, protocol, entry, i, own, &found, err);
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

/* One entry of `columns`. */
static int read_column(struct cf_study *study, struct cf_source *source,
                       const struct cf_protocol *protocol, const struct cf_yaml *entry,
                       struct cf_error *err)
{
    size_t i = cf_protocol_channel(protocol, entry->key), k = 0;
    bool own = cf_is_timed(protocol) && entry->kind == CF_YAML_MAP && cf_yaml_get(entry, "file");
    int status = check_quantity(protocol, entry, i, err);

    if (status == CF_OK && (entry->kind != CF_YAML_TEXT || !*entry->text))
        status = check_keys(entry, own, err);
    if (status)
        return status;
    if (!own && !source->csv)
        return cf_yaml_fail_key(entry, err, "%s: of which file? The data set names none",
                                entry->key);
    if (!own)
        return read_entry(study, source, protocol, entry, i, false, err);
    if (i == protocol->clock)
        return cf_yaml_fail_key(entry, err,
                                "%s: each file has its own clock, which stands with its channels: "
                                "%s: {file: ..., time: COLUMN}",
                                entry->key, protocol->channel[protocol->headline].name);
    status = cf_source_own(source, protocol, entry, &k, err);
    if (status == CF_OK)
        status = read_entry(study, &source->own[k], protocol, entry, i, true, err);
    source->column[i] = status ? source->column[i] : source->own[k].column[i];
    source->column[i].own = status ? 0 : k + 1;
    return status;
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

/* The table of a channel. */
static const struct cf_csv *csv_of(const struct cf_source *source, size_t channel)
{
    size_t own = source->column[channel].own;
    return own ? source->own[own - 1].csv : source->csv;
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
        status = cf_source_sigma(csv_of(source, i), &sigmas->item[j], &protocol->channel[i],
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

/* Where no channel is in the data set's own file, the clock is that of the others'. */
static void take_clock(struct cf_source *source, const struct cf_protocol *protocol)
{
    struct cf_column_source *clock = &source->column[protocol->clock];

    if (source->nown && !source->csv && !clock->node) {
        *clock = source->own[0].column[protocol->clock];
        clock->own = 1;
    }
}

/* Rows of several files are put beside each other by their times. */
static int check_clock(const struct cf_source *source, const struct cf_protocol *protocol,
                       struct cf_error *err)
{
    if (source->nown && source->csv && !source->column[protocol->clock].node)
        return cf_yaml_fail(source->set, err,
                            "no %s: channels with files of their own are put beside those of %s "
                            "by it",
                            protocol->channel[protocol->clock].name, source->csv->path);
    return CF_OK;
}

int cf_source_columns(struct cf_study *study, struct cf_source *source,
                      const struct cf_protocol *protocol, struct cf_error *err)
{
    const struct cf_yaml *columns = source->rows, *sigmas = cf_yaml_get(source->set, "sigma");
    struct cf_error one;
    int status = CF_OK, all = CF_OK;

    if (!source->rows) {
        bool narrow = source->csv && source->csv->ncolumn == 1;
        status = cf_yaml_need(source->set, "columns", &columns, err);
        if (status == CF_OK)
            status = cf_yaml_map(columns, err);
        /* a table of one column is cut at the wrong delimiter: one line says so */
        for (size_t i = 0; !status && i < columns->n && !(all && narrow); i++)
            all = cf_gather(err, all, read_column(study, source, protocol, &columns->item[i], &one),
                            &one);
        status = status ? status : all;
    } else {
        status = read_row_keys(source, protocol, err);
    }
    if (status == CF_OK && cf_is_timed(protocol)) {
        status = check_clock(source, protocol, err);
        take_clock(source, protocol);
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
