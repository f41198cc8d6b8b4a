/* A sound recording in the place of a table: its onsets, a row each. */

#define _POSIX_C_SOURCE 200809L

#include <sha256.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "sound/onsets.h"
#include "study/parts.h"

enum { TIME, PEAK, SNR, CLIPPED, NCOLUMN };

struct cf_sound_table {
    struct cf_columns columns;
    struct cf_table_column column[NCOLUMN];
    char name[NCOLUMN][8], second[2];
    double *value; /* NCOLUMN * nrow */
};

void cf_sound_table_free(struct cf_sound_table *table)
{
    if (table)
        free(table->value);
    free(table);
}

bool cf_is_sound_rule(const char *name)
{
    return cf_param_find(cf_onset_rule_table, CF_ONSET_NRULE, name) < CF_ONSET_NRULE;
}

/* Those of `rules` that are about sound. */
static int read_rules(const struct cf_yaml *set, struct cf_onset_rules *rules, struct cf_error *err)
{
    const struct cf_yaml *list = cf_yaml_get(set, "rules");
    int status = list ? cf_yaml_map(list, err) : CF_OK;

    cf_onset_rules_init(rules);
    for (size_t i = 0; list && i < list->n && !status; i++) {
        const struct cf_yaml *at = &list->item[i];
        const char *text = NULL;
        struct cf_error why;
        if (!cf_is_sound_rule(at->key))
            continue;
        status = cf_yaml_text(at, &text, err);
        if (!status && cf_onset_rules_set(rules, at->key, text, &why))
            status = cf_yaml_fail(at, err, "%s", why.text);
    }
    return status;
}

static int make_table(const struct cf_onsets *onsets, struct cf_sound_table **table,
                      struct cf_error *err)
{
    static const char *const name[NCOLUMN] = {"time_s", "peak", "snr_dB", "clipped"};
    struct cf_sound_table *t = calloc(1, sizeof *t);
    size_t n = onsets->n;

    *table = t;
    if (t)
        t->value = malloc((NCOLUMN * n + 1) * sizeof *t->value);
    if (!t || !t->value)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu onsets", n);
    for (size_t i = 0; i < n; i++) {
        t->value[TIME * n + i] = onsets->onset[i].time_s;
        t->value[PEAK * n + i] = onsets->onset[i].peak;
        t->value[SNR * n + i] = onsets->onset[i].snr_dB;
        t->value[CLIPPED * n + i] = onsets->onset[i].clipped;
    }
    t->second[0] = 's';
    for (size_t j = 0; j < NCOLUMN; j++) {
        snprintf(t->name[j], sizeof t->name[j], "%s", name[j]);
        t->column[j] = (struct cf_table_column){
            .name = t->name[j], .unit = j == TIME ? t->second : NULL, .value = &t->value[j * n]};
    }
    t->columns = (struct cf_columns){.nrow = n, .ncolumn = NCOLUMN, .column = t->column};
    return CF_OK;
}

/* What was found, as the head of a table states it. */
static int put_head(const struct cf_onsets *o, struct cf_csv *csv, struct cf_error *err)
{
    csv->provenance = calloc(2, sizeof *csv->provenance);
    if (csv->provenance)
        csv->provenance[csv->nprovenance++] =
            cf_format("sound: %s, %g Hz, channel %zu of %zu, %.4g s", o->info.format,
                      o->info.rate_Hz, o->info.channel, o->info.channels, o->duration_s);
    if (csv->provenance)
        csv->provenance[csv->nprovenance++] =
            cf_format("what: %zu onsets, by an envelope above %.3g of full scale (contactfit "
                      "onsets draws them)",
                      o->n, o->threshold);
    return csv->provenance && csv->provenance[0] && csv->provenance[1]
               ? CF_OK
               : cf_fail(err, CF_ENOMEM, "no memory for the head of a recording");
}

int cf_source_sound(struct cf_study *study, const struct cf_yaml *set, const struct cf_yaml *file,
                    const char *path, struct cf_source *source, struct cf_dataset *d,
                    struct cf_error *err)
{
    struct cf_onset_rules rules;
    struct cf_onsets onsets = {0};
    int status = read_rules(set, &rules, err);

    if (status)
        return status;
    status = cf_onsets_find(path, &rules, NULL, &onsets, err);
    if (status && !cf_status_ends(status))
        cf_yaml_blame(file, "file", CF_EINPUT, err);
    for (size_t i = 0; i < onsets.nnote && !status; i++)
        status = cf_study_note(study, err, "%s", onsets.note[i]);
    if (!status && onsets.n == 0)
        status = cf_yaml_fail(file, err,
                              "file: %s: no impact is found above the threshold, %.3g of full "
                              "scale: rules: {noise_ratio: } lowers it",
                              file->text, onsets.threshold);
    if (!status)
        status = make_table(&onsets, &source->sound, err);
    if (!status) {
        source->csv = cf_csv_of_columns(path, &source->sound->columns, err);
        status = source->csv ? put_head(&onsets, source->csv, err) : CF_ENOMEM;
    }
    if (!status && !SHA256File(path, source->csv->sha256))
        status = cf_fail(err, CF_EIO, "%s: cannot be read", path);
    d->record_end = onsets.duration_s;
    d->record_dead = rules.value[CF_ONSET_DEAD_TIME];
    cf_onsets_clear(&onsets);
    return status;
}
