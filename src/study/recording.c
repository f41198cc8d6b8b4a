/* Records into readings: `rules` of a data set, what was found in its records, and the groups that
 * they belong to where the study names none. */

#include <stdlib.h>

#include "core/text.h"
#include "study/parts.h"

static int unknown(const struct cf_yaml *at, const struct cf_derived *recording,
                   struct cf_error *err)
{
    const char **known = calloc(recording->nrule + 1, sizeof *known);
    int status;

    for (size_t i = 0; known && i < recording->nrule; i++)
        known[i] = recording->rule[i].name;
    status = known ? cf_yaml_unknown(at, "rule", at->key, known, recording->nrule, err)
                   : cf_fail(err, CF_ENOMEM, "no memory for names");
    free(known);
    return status;
}

static int read_rules(const struct cf_source *source, struct cf_dataset *d, struct cf_error *err)
{
    const struct cf_derived *recording = d->protocol->recording;
    const struct cf_yaml *rules = cf_yaml_get(source->set, "rules");
    int status = rules ? cf_yaml_map(rules, err) : CF_OK;

    for (size_t i = 0; rules && i < rules->n && !status; i++) {
        const struct cf_yaml *at = &rules->item[i];
        size_t j = cf_param_find(recording->rule, recording->nrule, at->key);
        struct cf_estimand number;

        if (j == recording->nrule && source->sound && cf_is_sound_rule(at->key))
            continue;
        if (j == recording->nrule && cf_is_sound_rule(at->key))
            return cf_yaml_fail_key(at, err, "%s is about sound, and the file is a table", at->key);
        if (j == recording->nrule)
            return unknown(at, recording, err);
        number = cf_apparatus_number(&recording->rule[j]);
        status = cf_estimand_value(&number, at, &d->rule[j], err);
    }
    return status;
}

/* The sigma of the readings' own scatter: as `sigma` says, else estimated. */
static int put_sigma(const struct cf_source *source, struct cf_dataset *d, struct cf_error *err)
{
    size_t reading = d->protocol->recording->reading;
    const struct cf_column_source *column = &source->column[reading];
    struct cf_series *s = &d->series[reading];
    int status = CF_OK;

    s->kind = column->sigma_node ? column->kind : CF_SIGMA_ESTIMATE;
    s->model = column->sigma_node ? column->model : CF_SIGMA_CHOSEN;
    for (size_t row = 0; row < d->nrow && s->kind == CF_SIGMA_GIVEN && !status; row++)
        if (cf_dataset_has(d, row, reading))
            status = cf_dataset_put(
                d, row, reading, s->value[row],
                column->relative ? column->sigma * s->value[row] : column->sigma, err);
    return status;
}

/* As of any other quantity (fill.c): a sigma from residuals needs three of them. */
static int check_enough(const struct cf_study *study, const struct cf_source *source,
                        const struct cf_dataset *d, struct cf_error *err)
{
    enum { LEAST = 3 };
    size_t reading = d->protocol->recording->reading, n = 0;
    const char *name = d->protocol->channel[reading].name;

    for (size_t row = 0; row < d->nrow; row++)
        n += d->use[row] != CF_ROW_EXCLUDED && cf_dataset_has(d, row, reading);
    if (!study->spec.law || d->series[reading].kind != CF_SIGMA_ESTIMATE || n >= LEAST)
        return CF_OK;
    return cf_yaml_fail(source->set, err,
                        "data set %s: %s: %zu value%s: a sigma cannot be estimated from fewer than "
                        "%d; give it, as in sigma: {%s: 1 %%}",
                        d->name, name, n, n == 1 ? "" : "s", LEAST, name);
}

static int group(struct cf_study *study, struct cf_dataset *d, struct cf_error *err)
{
    struct cf_grouping *grouping = &study->spec.grouping;
    const struct cf_derived *recording = d->protocol->recording;
    size_t level;
    int status;

    if (grouping->origin == CF_GROUPS_STATED || grouping->origin == CF_GROUPS_DENIED)
        return CF_OK;
    grouping->origin = CF_GROUPS_BY_RECORD;
    status = cf_grouping_level(grouping, recording->level, SIZE_MAX, &level, err);
    if (!status)
        status = cf_dataset_group_room(d, grouping->nlevel, err);
    for (size_t row = 0; row < d->nrow && !status; row++) {
        char *text = cf_format("%s, %zu", d->name, recording->unit(d, row));
        status = text ? cf_grouping_number(grouping, level, CF_NO_GROUP, text,
                                           &d->group[level * d->nrow + row], err)
                      : cf_fail(err, CF_ENOMEM, "no memory for the groups");
        free(text);
    }
    return status;
}

static int add_note(void *owner, const char *text, struct cf_error *err)
{
    return cf_study_note(owner, err, "%s", text);
}

int cf_source_recording(struct cf_study *study, const struct cf_source *source,
                        struct cf_dataset *d, struct cf_error *err)
{
    const struct cf_remarks remarks = {study, add_note};
    int status = read_rules(source, d, err);

    if (!status)
        status = d->protocol->recording->derive(d, &remarks, err);
    if (!status)
        status = put_sigma(source, d, err);
    if (!status)
        status = check_enough(study, source, d, err);
    return status ? status : group(study, d, err);
}
