/* Files that channels of a record have of their own, each with a clock of its own: a column of
 * times or the rate of its samples. Channels that say the same of their file share it. */

#include <stdlib.h>
#include <string.h>

#include "study/keys.h"
#include "study/parts.h"

bool cf_is_timed(const struct cf_protocol *protocol)
{
    return protocol->record && protocol->clock != CF_NO_CHANNEL;
}

void cf_source_clear(struct cf_source *source)
{
    for (size_t k = 0; k < source->nown; k++)
        cf_source_clear(&source->own[k]);
    free(source->own);
    cf_csv_free(source->csv);
    free(source->place.path);
    cf_sound_table_free(source->sound);
    *source = (struct cf_source){0};
}

/* Rows that others look back at are kept: those that `where` or a group choose by their cells. */
int cf_source_open(struct cf_source *source, const struct cf_protocol *protocol,
                   struct cf_error *err)
{
    bool kept =
        !cf_is_timed(protocol) || cf_yaml_get(source->set, "where") || cf_source_group_by(source);

    return kept ? cf_table_open(source->set, source->file, source->places, &source->csv, err)
                : cf_table_head(source->set, source->file, source->places, &source->place,
                                &source->csv, err);
}

bool cf_source_has_own(const struct cf_yaml *set, const struct cf_protocol *protocol)
{
    const struct cf_yaml *columns = cf_yaml_get(set, "columns");

    if (!columns || columns->kind != CF_YAML_MAP || !cf_is_timed(protocol))
        return false;
    for (size_t i = 0; i < columns->n; i++)
        if (columns->item[i].kind == CF_YAML_MAP && cf_yaml_get(&columns->item[i], "file"))
            return true;
    return false;
}

static bool same_node(const struct cf_yaml *a, const struct cf_yaml *b)
{
    if (!a || !b)
        return a == b;
    if (a->kind != b->kind || a->n != b->n)
        return false;
    if (a->kind == CF_YAML_TEXT)
        return strcmp(a->text, b->text) == 0;
    for (size_t i = 0; i < a->n; i++)
        if ((a->kind == CF_YAML_MAP && strcmp(a->item[i].key, b->item[i].key) != 0) ||
            !same_node(&a->item[i], &b->item[i]))
            return false;
    return true;
}

/* Do two entries mean one file, cut and timed alike? */
static bool same_file(const struct cf_yaml *a, const struct cf_yaml *b)
{
    static const char *const keys[] = {"file", "time", "rate", "start"};
    bool same = true;

    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        same = same && same_node(cf_yaml_get(a, keys[i]), cf_yaml_get(b, keys[i]));
    for (size_t i = 0; i < CF_TABLE_NKEY; i++)
        same = same && same_node(cf_yaml_get(a, cf_table_key[i]), cf_yaml_get(b, cf_table_key[i]));
    return same;
}

/* `rate` and `start` of an entry: the rows are samples. */
static int count_samples(const struct cf_yaml *entry, const struct cf_yaml *rate,
                         struct cf_column_source *clock, struct cf_error *err)
{
    int status = cf_yaml_positive(rate, "Hz", &clock->time.rate_Hz, err);

    clock->node = rate;
    clock->timed = true;
    clock->time.counted = true;
    return status ? status : cf_time_start(entry, &clock->time, err);
}

/* `time` of an entry: as that of a data set. */
static int find_times(struct cf_source *own, const struct cf_protocol *protocol,
                      const struct cf_yaml *time, struct cf_error *err)
{
    struct cf_column_source *clock = &own->column[protocol->clock];
    bool mapping = time->kind != CF_YAML_TEXT || !*time->text, found;
    int status = mapping ? cf_schema_check(time, &cf_study_own_time_schema, err) : CF_OK;

    if (!status)
        status = cf_source_numbers(own, protocol, time, protocol->clock, false, &found, err);
    if (!status && mapping)
        status = cf_column_conversion(time, protocol->channel[protocol->clock].unit, clock, err);
    clock->node = time;
    return status;
}

static int find_clock(struct cf_source *own, const struct cf_protocol *protocol,
                      const struct cf_yaml *entry, struct cf_error *err)
{
    const struct cf_yaml *time = cf_yaml_get(entry, "time"), *rate = cf_yaml_get(entry, "rate");
    const struct cf_yaml *start = cf_yaml_get(entry, "start");

    if (!time == !rate)
        return cf_yaml_fail_key(entry, err,
                                "%s: a file of its own needs one of time: COLUMN and rate: 1 kHz, "
                                "and has %s",
                                entry->key, time ? "both" : "neither");
    if (time && start)
        return cf_yaml_fail_key(start, err, "start: is of counted samples: it needs a rate");
    return time ? find_times(own, protocol, time, err)
                : count_samples(entry, rate, &own->column[protocol->clock], err);
}

int cf_source_own(struct cf_source *source, const struct cf_protocol *protocol,
                  const struct cf_yaml *entry, size_t *own, struct cf_error *err)
{
    struct cf_source *more, *new;
    int status;

    for (*own = 0; *own < source->nown; ++*own)
        if (same_file(entry, source->own[*own].set))
            return CF_OK;
    more = realloc(source->own, (source->nown + 1) * sizeof *more);
    if (!more)
        return cf_fail(err, CF_ENOMEM, "no memory for a file");
    source->own = more;
    new = &more[source->nown];
    *new = (struct cf_source){
        .set = entry, .file = cf_yaml_get(entry, "file"), .places = source->places};
    status = cf_table_head(entry, new->file, new->places, &new->place, &new->csv, err);
    if (!status)
        status = find_clock(new, protocol, entry, err);
    if (status)
        cf_source_clear(new);
    else
        source->nown++;
    return status;
}
