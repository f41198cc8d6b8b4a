/* Data sets: a file or rows in the study, on one pair of bodies, by one protocol. */

#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/nearest.h"
#include "core/paths.h"
#include "core/text.h"
#include "sound/recording.h"
#include "study/keys.h"
#include "study/parts.h"

static int read_protocol(const struct cf_study *study, const struct cf_yaml *set,
                         const struct cf_protocol **protocol, struct cf_error *err)
{
    const struct cf_protocol *const *protocols = cf_registry_protocols(study->registry);
    const char *known[16], *name = NULL;
    const struct cf_yaml *at;
    struct cf_error why = {""};
    size_t n = 0;
    int status = cf_yaml_need(set, "protocol", &at, err);

    if (status == CF_OK)
        status = cf_yaml_text(at, &name, err);
    if (status)
        return status;
    *protocol = cf_registry_protocol(study->registry, name);
    if (*protocol && cf_dataset_check(*protocol, &why))
        return cf_yaml_fail(at, err, "%s", why.text);
    if (*protocol)
        return CF_OK;
    while (protocols[n] && n < sizeof known / sizeof *known) {
        known[n] = protocols[n]->name;
        n++;
    }
    return cf_yaml_unknown(at, "protocol", name, known, n, err);
}

/* The file, relative to the study's folder, or what stands for it in memory. */
static int read_sound(struct cf_study *study, const struct cf_yaml *set, const struct cf_yaml *file,
                      const struct cf_study_reading *reading, struct cf_source *source,
                      struct cf_dataset *d, struct cf_error *err)
{
    char *path = cf_format("%s%s", *file->text == '/' ? "" : reading->places.folder, file->text);
    int status = path ? cf_paths_add(reading->places.read, path, err)
                      : cf_fail(err, CF_ENOMEM, "no memory for a path");

    if (!status)
        status = cf_source_sound(study, set, file, path, source, d, err);
    free(path);
    return status;
}

static int read_file(struct cf_study *study, const struct cf_yaml *set, const struct cf_yaml *file,
                     const struct cf_protocol *protocol, const struct cf_study_reading *reading,
                     struct cf_source *source, struct cf_dataset *d, struct cf_error *err)
{
    const char *name = NULL;
    int status = cf_yaml_text(file, &name, err);

    source->file = file;
    if (!status && protocol->recording && !reading->places.in_memory && cf_is_sound(name))
        status = read_sound(study, set, file, reading, source, d, err);
    else if (!status)
        status = cf_source_open(source, protocol, err);
    for (size_t i = 0; !status && source->csv && i < source->csv->nnote; i++)
        status = cf_study_note(study, err, "%s", source->csv->note[i]);
    if (status)
        return status;
    d->file = strdup(file->text);
    if (!d->file)
        return cf_fail(err, CF_ENOMEM, "no memory for a path");
    memcpy(d->sha256, source->csv->sha256, sizeof d->sha256);
    return CF_OK;
}

/* Rows in the study: keys that belong to files have no meaning here. */
static int read_rows(const struct cf_study *study, const struct cf_yaml *set,
                     const struct cf_yaml *rows, struct cf_source *source, struct cf_dataset *d,
                     struct cf_error *err)
{
    static const char *const of_files[] = {"columns", "where", "order", "missing"};
    size_t n = sizeof of_files / sizeof *of_files;
    int status = cf_yaml_list(rows, err);

    for (size_t i = 0; i < n + CF_TABLE_NKEY && status == CF_OK; i++) {
        const char *key = i < n ? of_files[i] : cf_table_key[i - n];
        const struct cf_yaml *at = cf_yaml_get(set, key);
        if (at)
            status = cf_yaml_fail_key(at, err, "%s belongs to a file: these are rows", key);
    }
    if (status == CF_OK && rows->n == 0)
        status = cf_yaml_fail(rows, err, "rows: none: at least one is wanted");
    source->rows = rows;
    memcpy(d->sha256, study->sha256, sizeof d->sha256);
    return status;
}

/* Files of the channels stand for one of the data set, and are not refused beside it. */
static int read_channel_files(const struct cf_yaml *set, struct cf_dataset *d, struct cf_error *err)
{
    const struct cf_yaml *columns = cf_yaml_get(set, "columns"), *where = cf_yaml_get(set, "where");

    if (where)
        return cf_yaml_fail_key(where, err,
                                "where: chooses rows of one table, and channels have files of "
                                "their own: exclude leaves out windows of time");
    for (size_t i = 0; i < columns->n && !d->file; i++) {
        const struct cf_yaml *file = cf_yaml_get(&columns->item[i], "file");
        const char *name = NULL;
        int status = file ? cf_yaml_text(file, &name, err) : CF_OK;
        if (status)
            return status;
        d->file = name ? strdup(name) : NULL;
        if (name && !d->file)
            return cf_fail(err, CF_ENOMEM, "no memory for a path");
    }
    return CF_OK;
}

/* Where the rows are: in a file, in the study, or in files of the channels. */
static int read_origin(struct cf_study *study, const struct cf_yaml *set,
                       const struct cf_protocol *protocol, const struct cf_study_reading *reading,
                       struct cf_source *source, struct cf_dataset *d, struct cf_error *err)
{
    const struct cf_yaml *file = cf_yaml_get(set, "file"), *rows = cf_yaml_get(set, "rows");
    bool own = !rows && cf_source_has_own(set, protocol);
    int status = CF_OK;

    if (!file == !rows && !(own && !file))
        return cf_yaml_fail(set, err, "data set %s: %s: one of file and rows is needed", d->name,
                            file ? "both file and rows" : "no data");
    if (file)
        status = read_file(study, set, file, protocol, reading, source, d, err);
    else if (rows)
        status = read_rows(study, set, rows, source, d, err);
    return !status && own ? read_channel_files(set, d, err) : status;
}

static int read_name(const struct cf_study *study, const struct cf_yaml *set, struct cf_dataset *d,
                     struct cf_error *err)
{
    const struct cf_yaml *at;
    const char *name = NULL;
    int status = cf_yaml_need(set, "name", &at, err);

    if (status == CF_OK)
        status = cf_yaml_text(at, &name, err);
    if (status)
        return status;
    for (const struct cf_dataset *other = study->spec.data; other < d; other++)
        if (other->name && strcmp(other->name, name) == 0)
            return cf_yaml_fail(at, err, "name: two data sets are called %.80s: names must differ",
                                name);
    d->name = strdup(name);
    return d->name ? CF_OK : cf_fail(err, CF_ENOMEM, "no memory for a data set");
}

/* A law of e alone cannot be fitted to contact times. NULL: nothing is to be fitted. */
static int check_law(const struct cf_law *law, const struct cf_source *source,
                     const struct cf_protocol *protocol, struct cf_error *err)
{
    for (size_t i = 0; law && i < protocol->nchannel; i++) {
        const struct cf_channel_row *c = &protocol->channel[i];
        if (source->column[i].node && c->role == CF_ROLE_MEASURED &&
            !cf_channel_predicted(c, law->family))
            return cf_yaml_fail_key(source->column[i].node, err,
                                    "%s: law %s predicts no %s: leave the column out", c->name,
                                    law->name, c->name);
    }
    return CF_OK;
}

/* But one that takes the place of the study's law goes without them. */
static int leave_out(struct cf_study *study, struct cf_dataset *d, struct cf_error *err)
{
    const struct cf_law *law = study->spec.law;
    int status = CF_OK;

    for (size_t i = 0; i < d->protocol->nchannel && !status; i++) {
        const struct cf_channel_row *c = &d->protocol->channel[i];
        if (!d->series[i].value || c->role != CF_ROLE_MEASURED ||
            cf_channel_predicted(c, law->family))
            continue;
        cf_dataset_drop(d, i);
        status = cf_study_note(study, err, "%s predicts no %s: that of %s is left out", law->name,
                               c->name, d->name);
    }
    return status;
}

/* Friction alone, over time, is the law of motions and of slides, and of nothing else. */
static int check_alone(const struct cf_law *law, const struct cf_study_reading *reading,
                       const struct cf_protocol *protocol, struct cf_error *err)
{
    for (size_t i = 0; i < protocol->nchannel; i++)
        if (cf_channel_predicted(&protocol->channel[i], CF_FAMILY_TANGENTIAL))
            return CF_OK;
    return cf_yaml_fail(reading->law, err,
                        "friction: %s wants a law of the normal direction beside it, such as "
                        "law: azad-featherstone",
                        law->name);
}

/* The pair of a data set whose protocol is a row of a table. */
static int read_pair(const struct cf_study *study, const struct cf_yaml *set,
                     const struct cf_study_reading *reading, const struct cf_protocol *protocol,
                     struct cf_dataset *d, struct cf_error *err)
{
    static const char *const of_scenes[] = {"scene", "contacts", "inputs"};
    const struct cf_law *law = study->spec.law;
    int status = CF_OK;

    for (size_t i = 0; i < sizeof of_scenes / sizeof *of_scenes && !status; i++) {
        const struct cf_yaml *at = cf_yaml_get(set, of_scenes[i]);
        if (at)
            status = cf_yaml_fail_key(
                at, err,
                "%s: protocol %s has a scene of its own: leave it out, or state protocol: log",
                of_scenes[i], protocol->name);
    }
    if (!status && law && law->family == CF_FAMILY_TANGENTIAL)
        status = check_alone(law, reading, protocol, err);
    if (status || reading->only_to_check)
        return status;
    return cf_study_pair(study, set, &d->pair, err);
}

static int read_set(struct cf_study *study, const struct cf_yaml *set,
                    const struct cf_study_reading *reading, struct cf_source *source,
                    struct cf_dataset *d, struct cf_error *err)
{
    const struct cf_protocol *protocol = NULL;
    int status = cf_source_trace_keys(set, study->registry, err);

    source->set = set;
    source->group = reading->group;
    source->places = &reading->places;
    source->missing = cf_yaml_get(set, "missing");
    if (status == CF_OK)
        status = cf_schema_check(set, &cf_study_set_schema, err);
    if (status == CF_OK)
        status = cf_source_missing(set, err);
    if (status == CF_OK)
        status = read_name(study, set, d, err);
    if (status == CF_OK)
        status = read_protocol(study, set, &protocol, err);
    if (status == CF_OK && protocol->by_scene)
        status = cf_source_scene(study, set, reading, d, &protocol, err);
    else if (status == CF_OK)
        status = read_pair(study, set, reading, protocol, d, err);
    if (status)
        return status;
    status = read_origin(study, set, protocol, reading, source, d, err);
    if (status == CF_OK)
        status = cf_source_columns(study, source, protocol, err);
    if (status || reading->only_to_check)
        return status;
    if (status == CF_OK)
        status = study->other_law ? CF_OK : check_law(study->spec.law, source, protocol, err);
    if (status == CF_OK)
        status = cf_source_fill(study, source, d, protocol, err);
    if (status == CF_OK)
        status = cf_source_segments(set, d, err);
    if (status == CF_OK && protocol->by_scene)
        status = cf_source_note_rest(study, set, d, err);
    if (status == CF_OK && study->other_law)
        status = leave_out(study, d, err);
    if (status == CF_OK)
        status = cf_dataset_conditions(d, err);
    if (status == CF_OK)
        status = cf_source_order(source, d, err);
    if (status == CF_OK)
        status = cf_source_groups(study, source, d, err);
    if (status == CF_OK && protocol->recording)
        status = cf_source_recording(study, source, d, err);
    return status == CF_OK ? cf_source_nuisances(study, source, d, err) : status;
}

int cf_study_data(struct cf_study *study, const struct cf_yaml *root,
                  const struct cf_study_reading *reading, struct cf_error *err)
{
    struct cf_spec *spec = &study->spec;
    const struct cf_yaml *data;
    struct cf_error one;
    int status = cf_yaml_need(root, "data", &data, err);

    if (status == CF_OK)
        status = cf_yaml_list(data, err);
    if (status == CF_OK && data->n == 0)
        status = cf_yaml_fail(data, err, "data: no data set: at least one is needed");
    if (status)
        return status;
    spec->data = calloc(data->n, sizeof *spec->data);
    if (!spec->data)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu data sets", data->n);
    for (size_t i = 0; i < data->n && !cf_status_ends(status); i++) {
        struct cf_source source = {0};
        struct cf_dataset *d = &spec->data[spec->ndata++];
        status = cf_gather(err, status, read_set(study, &data->item[i], reading, &source, d, &one),
                           &one);
        cf_source_clear(&source);
    }
    return status;
}
