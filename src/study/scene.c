/* `scene` of a data set: what was recorded is the motion of a scene, whose channels are the data
 * set's columns and whose numbers may be stated under apparatus and freed under nuisance, by their
 * paths.
 */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "scene/path.h"
#include "scene/trace_columns.h"
#include "study/parts.h"

/* A scene of a study, and the experiment that is made of it. */
struct cf_study_scene {
    struct cf_scene_file *file;
    struct cf_rig *rig;
};

/* What the experiment of one data set is made of. */
struct making {
    struct cf_study *study;
    const struct cf_yaml *set;
    const struct cf_scene_file *file;
    struct cf_scene_table *table;
    size_t nchannel, npath, npair;
    struct cf_rig_channel *channel;
    char **what; /* of each channel */
    struct cf_rig_path *path;
    size_t *pair;
    size_t ninput, nrecorded, *recorded;
    struct cf_scene_input *input;
    double start_s;
    size_t nsegment;
    struct cf_rig_segment *segment;
};

static void making_free(struct making *m)
{
    for (size_t i = 0; m->what && i < m->nchannel; i++)
        free(m->what[i]);
    for (size_t i = 0; i < m->npath; i++)
        cf_scene_path_clear(&m->path[i].path);
    cf_scene_table_free(m->table);
    free(m->channel);
    free(m->what);
    free(m->path);
    free(m->pair);
    free(m->recorded);
    free(m->segment);
    cf_source_inputs_free(m->input, m->ninput);
}

static int no_memory(struct cf_error *err)
{
    return cf_fail(err, CF_ENOMEM, "no memory for the experiment of a scene");
}

/* ---- channels */

static bool has_channel(const struct making *m, const char *name, size_t length)
{
    for (size_t i = 0; i < m->nchannel; i++)
        if (strlen(m->channel[i].name) == length && strncmp(m->channel[i].name, name, length) == 0)
            return true;
    return false;
}

/* Fail with the nearest of the columns that can be measured. */
static int unknown_channel(const struct making *m, const struct cf_yaml *at, struct cf_error *err)
{
    const char **known = calloc(m->table->n + 1, sizeof *known);
    struct cf_motion_channel channel;
    size_t n = 0;
    int status;

    if (!known)
        return no_memory(err);
    known[n++] = "time";
    for (size_t i = 0; i < m->table->n; i++)
        if (cf_scene_column_channel(&m->table->column[i], &channel))
            known[n++] = m->table->column[i].name;
    status = cf_yaml_unknown(at, "channel of the scene", at->key, known, n, err);
    free(known);
    return status;
}

static int add_channel(struct making *m, const struct cf_yaml *at, struct cf_error *err)
{
    size_t i = cf_scene_table_find(m->table, at->key);
    const struct cf_scene_column *column = &m->table->column[i];
    struct cf_rig_channel *c = &m->channel[m->nchannel];
    const struct cf_scene_quantity *quantity;

    if (strcmp(at->key, "time") == 0 || has_channel(m, at->key, strlen(at->key)))
        return CF_OK;
    if (i == m->table->n || !cf_scene_column_channel(column, &c->channel))
        return unknown_channel(m, at, err);
    quantity = cf_scene_quantity_of(column);
    m->what[m->nchannel] =
        cf_format("%s of %s%s%s", quantity->words, column->of, column->part ? " along " : "",
                  column->part ? column->part : "");
    if (!m->what[m->nchannel])
        return no_memory(err);
    c->name = column->name;
    c->unit = quantity->unit;
    c->what = m->what[m->nchannel++];
    return CF_OK;
}

/* Those of the columns, or of the rows in the study; the first is the main one. */
static int find_channels(struct making *m, struct cf_error *err)
{
    const struct cf_yaml *columns = cf_yaml_get(m->set, "columns"),
                         *rows = cf_yaml_get(m->set, "rows");
    size_t room = columns ? columns->n : 0;
    int status = columns ? cf_yaml_map(columns, err) : rows ? cf_yaml_list(rows, err) : CF_OK;

    for (size_t i = 0; !columns && rows && i < rows->n && !status; i++) {
        status = cf_yaml_map(&rows->item[i], err);
        room += rows->item[i].n;
    }
    if (status)
        return status;
    m->channel = calloc(room + 1, sizeof *m->channel);
    m->what = calloc(room + 1, sizeof *m->what);
    if (!m->channel || !m->what)
        return no_memory(err);
    for (size_t i = 0; columns && i < columns->n && !status; i++)
        status = add_channel(m, &columns->item[i], err);
    for (size_t i = 0; !columns && rows && i < rows->n; i++)
        for (size_t j = 0; j < rows->item[i].n && !status; j++)
            status = add_channel(m, &rows->item[i].item[j], err);
    if (!status && !m->nchannel)
        status = cf_yaml_fail(columns ? columns : m->set, err,
                              "columns: no channel of the scene is measured: one such as %s is "
                              "wanted",
                              m->table->column[1].name);
    return status;
}

/* ---- numbers of the scene */

/* Is it a number of the record's clock or of a channel, rather than of the scene? */
static bool of_sensors(const struct making *m, const char *name)
{
    const char *dot = strrchr(name, '.');

    return strcmp(name, "start") == 0 || (dot && has_channel(m, name, (size_t) (dot - name)));
}

static int add_path(struct making *m, const struct cf_yaml *at, struct cf_error *err)
{
    struct cf_rig_path *path = &m->path[m->npath];
    struct cf_error why = {""};

    for (size_t i = 0; i < m->npath; i++)
        if (strcmp(m->path[i].name, at->key) == 0)
            return CF_OK;
    if (of_sensors(m, at->key))
        return CF_OK;
    if (cf_is_smoothing(at->key))
        return cf_yaml_fail_key(at, err,
                                "%s: it is stated where the motion is, smoothing: 20 Hz of "
                                "`inputs` or of the scene's trace, and never fitted",
                                at->key);
    m->npath++;
    path->name = at->key;
    return cf_scene_file_path(m->file, at->key, &path->path, &path->unit, &why)
               ? cf_yaml_fail_key(at, err, "%s", why.text)
               : CF_OK;
}

static int find_paths(struct making *m, struct cf_error *err)
{
    static const char *const keys[] = {"apparatus", "nuisance"};
    enum { NKEY = sizeof keys / sizeof *keys };
    const struct cf_yaml *named[NKEY];
    size_t room = 0;
    int status = CF_OK;

    for (size_t k = 0; k < NKEY && !status; k++) {
        named[k] = cf_yaml_get(m->set, keys[k]);
        status = named[k] ? cf_yaml_map(named[k], err) : CF_OK;
        room += named[k] ? named[k]->n : 0;
    }
    m->path = status ? NULL : calloc(room + 1, sizeof *m->path);
    if (!status && !m->path)
        return no_memory(err);
    for (size_t k = 0; k < NKEY; k++)
        for (size_t i = 0; !status && named[k] && i < named[k]->n; i++)
            status = add_path(m, &named[k]->item[i], err);
    return status;
}

/* ---- contacts under the study's law */

static const char *pair_name(const void *pairs, size_t i)
{
    return ((const struct cf_contact_pair *) pairs)[i].name;
}

static int find_pairs(struct making *m, struct cf_error *err)
{
    const struct cf_yaml *contacts = cf_yaml_get(m->set, "contacts");
    const struct cf_scene *scene = &m->file->scene;
    int status = contacts ? cf_yaml_list(contacts, err) : CF_OK;

    m->pair = calloc(scene->npair + (contacts ? contacts->n : 0) + 1, sizeof *m->pair);
    if (!m->pair)
        return no_memory(err);
    for (size_t i = 0; contacts && i < contacts->n && !status; i++)
        status = cf_yaml_pick(&contacts->item[i], "contact", pair_name, scene->pair, scene->npair,
                              &m->pair[m->npair++], err);
    for (size_t i = 0; !contacts && i < scene->npair; i++)
        m->pair[m->npair++] = i;
    return status;
}

/* "hunt-crossley of ball-ground": what the study's law replaces there. */
static int note_law(struct making *m, struct cf_error *err)
{
    const struct cf_law *law = m->study->spec.law;
    const struct cf_scene *scene = &m->file->scene;
    char list[400] = "";
    size_t used = 0;

    for (size_t i = 0; law && i < m->npair && used < sizeof list; i++) {
        const struct cf_contact_pair *pair = &scene->pair[m->pair[i]];
        const char *normal = pair->law && pair->law->family == law->family ? pair->law->name : NULL;
        const char *friction = law->friction && pair->friction ? pair->friction->name : NULL;
        if (normal || friction)
            used += (size_t) snprintf(list + used, sizeof list - used, "%s%s%s%s of %s",
                                      used ? ", " : "", normal ? normal : "",
                                      normal && friction ? " + " : "", friction ? friction : "",
                                      pair->name);
    }
    return used ? cf_study_note(m->study, err,
                                "%s:%zu: %s of the study replaces the scene's laws: %s",
                                m->set->file, m->set->line, law->name, list)
                : CF_OK;
}

/* ---- the experiment */

static struct cf_study_scene *add_scene(struct cf_study *study)
{
    struct cf_study_scene *longer =
        realloc(study->scene, (study->nscene + 1) * sizeof *study->scene);

    if (!longer)
        return NULL;
    study->scene = longer;
    longer[study->nscene] = (struct cf_study_scene){NULL, NULL};
    return &longer[study->nscene++];
}

static int read_file(struct making *m, const struct cf_yaml *at,
                     const struct cf_study_reading *reading, struct cf_study_scene *scene,
                     struct cf_error *err)
{
    struct cf_study *study = m->study;
    const char *name = NULL;
    char *path;
    int status = cf_yaml_text(at, &name, err);

    if (!status && reading->places.in_memory)
        return cf_yaml_fail(at, err, "scene: a study in memory has no scene: give it as a file");
    path = status ? NULL : cf_format("%s%s", *name == '/' ? "" : reading->places.folder, name);
    if (!path)
        return status ? status : no_memory(err);
    status = cf_paths_add(&study->read, path, err);
    if (!status) {
        scene->file = cf_scene_read_with(path, NULL, 0, m->input, m->ninput, err);
        status =
            scene->file ? cf_scene_steps_check(scene->file, &scene->file->options, err) : CF_EINPUT;
    }
    free(path);
    if (!status && scene->file->options.scheme)
        status = cf_yaml_fail(at, err,
                              "scene: %s is solved in fixed steps, which carry no derivatives: "
                              "leave its key solver out",
                              scene->file->path);
    for (size_t i = 0; !status && i < scene->file->read.n; i++)
        status = cf_paths_add(&study->read, scene->file->read.path[i], err);
    for (size_t i = 0; !status && i < scene->file->nremark; i++)
        status = cf_study_note(study, err, "%s: %s", scene->file->path, scene->file->remark[i]);
    return status;
}

/* What aliases and Hertz need of a contact: the first that has a law. */
static void put_pair(const struct making *m, struct cf_pair *pair)
{
    const struct cf_scene *scene = &m->file->scene;
    const double *g = scene->gravity_m_s2;

    *pair = (struct cf_pair){.mass_kg = (double) INFINITY,
                             .radius_m = (double) INFINITY,
                             .gravity_m_s2 = hypot(hypot(g[0], g[1]), g[2])};
    for (size_t i = 0; i < m->npair; i++) {
        const struct cf_contact_pair *contact = &scene->pair[m->pair[i]];
        if (!contact->law)
            continue;
        pair->mass_kg =
            cf_series(scene->body[contact->body[0]].mass_kg, scene->body[contact->body[1]].mass_kg);
        pair->radius_m = cf_contact_pair_radius(scene, contact);
        return;
    }
}

/* Does the scene's solver say so? */
static bool states(const struct cf_scene_file *file, const char *key)
{
    const struct cf_yaml *solver = cf_yaml_get(file->root, "solver");

    return solver && cf_yaml_get(solver, key);
}

static int make(struct making *m, const struct cf_study_reading *reading,
                struct cf_study_scene *scene, struct cf_dataset *d, struct cf_error *err)
{
    struct cf_error why = {""};
    int status;

    m->table = cf_scene_table_make(&m->file->scene, err);
    status = m->table ? find_channels(m, err) : CF_ENOMEM;
    if (!status)
        status = find_paths(m, err);
    if (!status)
        status = cf_source_start(m->set, &m->start_s, err);
    if (!status)
        status = cf_segments_read(m->set, &m->segment, &m->nsegment, err);
    if (!status)
        status = cf_source_recorded(m->set, m->file, &m->recorded, &m->nrecorded, err);
    if (!status)
        status = find_pairs(m, err);
    if (!status && !reading->only_to_check)
        status = note_law(m, err);
    if (status)
        return status;
    put_pair(m, &d->pair);
    scene->rig = cf_rig_make(
        &(struct cf_rig_parts){
            .scene = &m->file->scene,
            .nchannel = m->nchannel,
            .channel = m->channel,
            .npath = m->npath,
            .path = m->path,
            .tolerance = states(m->file, "tolerance") ? m->file->options.tolerance : 0,
            .max_steps = states(m->file, "max-steps") ? m->file->options.max_steps : 0,
            .npair = m->npair,
            .pair = m->pair,
            .nrecorded = m->nrecorded,
            .recorded = m->recorded,
            .start_s = m->start_s,
            .nsegment = m->nsegment,
            .segment = m->segment},
        &why);
    return scene->rig ? CF_OK : cf_yaml_fail(m->set, err, "data set %s: %s", d->name, why.text);
}

int cf_source_scene(struct cf_study *study, const struct cf_yaml *set,
                    const struct cf_study_reading *reading, struct cf_dataset *d,
                    const struct cf_protocol **protocol, struct cf_error *err)
{
    struct making m = {.study = study, .set = set};
    struct cf_study_scene *scene;
    const struct cf_yaml *at;
    int status = cf_yaml_need(set, "scene", &at, err);

    if (status)
        return status;
    scene = add_scene(study);
    if (!scene)
        return no_memory(err);
    status = cf_source_inputs(set, reading, &m.input, &m.ninput, err);
    if (!status)
        status = read_file(&m, at, reading, scene, err);
    if (!status) {
        m.file = scene->file;
        status = make(&m, reading, scene, d, err);
    }
    if (scene->file) /* what they point to is read */
        scene->file->ninput = 0;
    making_free(&m);
    if (!status)
        *protocol = cf_rig_protocol(scene->rig);
    return status;
}

void cf_study_scenes_free(struct cf_study *study)
{
    for (size_t i = 0; i < study->nscene; i++) {
        cf_rig_free(study->scene[i].rig);
        cf_scene_file_free(study->scene[i].file);
    }
    free(study->scene);
}
