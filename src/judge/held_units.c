/* Which held-out values are not independent, so that laws are compared by what they make of all of
 * these together. */

#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "judge/held_out.h"

enum unit_kind { UNIT_GROUP, UNIT_CLUSTER, UNIT_SEGMENT, UNIT_RECORD, UNIT_ROW, NUNIT_KIND };

/* What makes an observation one of its unit: of one data set, but for groups, which reach over
 * several. */
struct unit_key {
    enum unit_kind kind;
    size_t data;
    double id;
};

/* The last segment that begins no later than the row: they ascend. */
static size_t segment_of(const struct cf_dataset *d, size_t row)
{
    size_t low = 0, high = d->nsegment;

    while (high - low > 1) {
        size_t mid = (low + high) / 2;
        if (d->segment[mid].first <= row)
            low = mid;
        else
            high = mid;
    }
    return low;
}

static struct unit_key key_of(const struct cf_problem *q, const struct cf_observation *o)
{
    const struct cf_dataset *d = &q->spec->data[o->data];
    size_t cluster = d->protocol->cluster;
    uint32_t group = d->ngroup_level ? cf_dataset_group(d, o->row, 0) : CF_NO_GROUP;

    if (group != CF_NO_GROUP)
        return (struct unit_key){UNIT_GROUP, 0, group};
    if (cluster)
        return (struct unit_key){UNIT_CLUSTER, o->data, cf_dataset_value(d, o->row, cluster)};
    if (d->nsegment)
        return (struct unit_key){UNIT_SEGMENT, o->data, (double) segment_of(d, o->row)};
    if (d->protocol->record)
        return (struct unit_key){UNIT_RECORD, o->data, 0};
    return (struct unit_key){UNIT_ROW, o->data, o->row};
}

static const char *word_of(const struct cf_problem *q, const struct cf_observation *o,
                           enum unit_kind kind)
{
    static const char *const word[NUNIT_KIND] = {
        [UNIT_SEGMENT] = "segment", [UNIT_RECORD] = "record", [UNIT_ROW] = "row"};
    const struct cf_protocol *protocol = q->spec->data[o->data].protocol;

    if (kind == UNIT_GROUP)
        return q->spec->grouping.level[0].name;
    return kind == UNIT_CLUSTER ? protocol->channel[protocol->cluster].name : word[kind];
}

static bool ends_in(const char *word, const char *end)
{
    size_t n = strlen(word), m = strlen(end);
    return n >= m && strcmp(word + n - m, end) == 0;
}

/* "tosses", "days", "batches", "assemblies" */
static char *plural(const char *word)
{
    size_t n = strlen(word);
    bool hisses =
        ends_in(word, "s") || ends_in(word, "x") || ends_in(word, "ch") || ends_in(word, "sh");

    if (n > 1 && word[n - 1] == 'y' && !strchr("aeiou", word[n - 2]))
        return cf_format("%.*sies", (int) n - 1, word);
    return cf_format("%s%s", word, hisses ? "es" : "s");
}

/* Where each group of the outermost level has its unit; SIZE_MAX: none yet. */
static size_t *no_groups(const struct cf_problem *q)
{
    size_t n = q->spec->grouping.nlevel ? q->spec->grouping.level[0].n : 0;
    size_t *of = malloc((n + 1) * sizeof *of);

    for (size_t i = 0; i < n && of; i++)
        of[i] = SIZE_MAX;
    return of;
}

/* The unit of a key, a new one unless it is a group's that has one, or that of the key before. */
static size_t unit_of(struct cf_held_units *units, const struct unit_key *key,
                      const struct unit_key *before, size_t last, size_t group[])
{
    bool same =
        before && before->kind == key->kind && before->data == key->data && before->id == key->id;

    if (key->kind == UNIT_GROUP) {
        size_t *at = &group[(size_t) key->id];
        if (*at == SIZE_MAX)
            *at = units->n++;
        return *at;
    }
    return same ? last : units->n++;
}

int cf_held_units_make(const struct cf_problem *held_out, struct cf_held_units *units,
                       struct cf_error *err)
{
    const struct cf_problem *q = held_out;
    size_t *group = no_groups(q);
    struct unit_key before, key;
    const char *word = "row";

    *units = (struct cf_held_units){.nvalue = q->nobservation};
    units->of = calloc(q->nobservation + 1, sizeof *units->of);
    for (size_t i = 0; i < q->nobservation && group && units->of; i++) {
        const struct cf_observation *o = &q->observation[i];
        const char *own;
        key = key_of(q, o);
        own = word_of(q, o, key.kind);
        word = i == 0 || strcmp(own, word) == 0 ? own : "part";
        units->of[i] = unit_of(units, &key, i ? &before : NULL, i ? units->of[i - 1] : 0, group);
        before = key;
    }
    units->one = cf_format("%s", word);
    units->many = plural(word);
    if (!group || !units->of || !units->one || !units->many) {
        free(group);
        return cf_fail(err, CF_ENOMEM, "no memory for the units of %zu values", q->nobservation);
    }
    free(group);
    return CF_OK;
}

void cf_held_units_clear(struct cf_held_units *units)
{
    free(units->of);
    free(units->one);
    free(units->many);
    *units = (struct cf_held_units){0};
}
