/* Reading a study: the file, then its parts in the order in which they need each other. */

#define _POSIX_C_SOURCE 200809L

#include "study/study.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/text.h"
#include "file/head.h"
#include "study/keys.h"
#include "study/parts.h"

enum { STUDY_LIMIT = 1 << 20 }; /* bytes: long tables belong in a file of their own */

/* A pure number strictly between two others. */
static int read_between(const struct cf_yaml *at, double lower, double upper, double *value,
                        struct cf_error *err)
{
    int status = cf_yaml_quantity(at, "1", value, err);

    if (status == CF_OK && !(*value > lower && *value < upper))
        return cf_yaml_fail(at, err, "%s: %s: must be above %g and below %g", at->key, at->text,
                            lower, upper);
    return status;
}

static int read_options(struct cf_study *study, const struct cf_yaml *root, struct cf_error *err)
{
    struct cf_fit_options *o = &study->spec.options;
    const struct cf_yaml *options = cf_yaml_get(root, "options"), *at;
    unsigned long long whole;
    int status;

    *o = cf_fit_defaults;
    if (!options)
        return CF_OK;
    status = cf_schema_check(options, &cf_study_options_schema, err);
    if (status == CF_OK && (at = cf_yaml_get(options, "level")))
        status = read_between(at, 0.5, 1, &o->level, err);
    if (status == CF_OK && (at = cf_yaml_get(options, "weak_factor")))
        status = read_between(at, 1, 1e6, &o->weak_factor, err);
    if (status == CF_OK && (at = cf_yaml_get(options, "p_reject")))
        status = read_between(at, 0, 0.5, &o->p_reject, err);
    if (status == CF_OK && (at = cf_yaml_get(options, "pivot"))) {
        status = cf_yaml_quantity(at, "m", &o->pivot_m, err);
        if (status == CF_OK && !(o->pivot_m >= 1e-9 && o->pivot_m <= 1))
            status = cf_yaml_fail(at, err, "pivot: %g m: must be in [1e-09, 1] m", o->pivot_m);
    }
    if (status == CF_OK && (at = cf_yaml_get(options, "screen"))) {
        status = cf_yaml_whole(at, 1, 1000000, &whole, err);
        o->screen = status ? o->screen : (size_t) whole;
    }
    if (status == CF_OK && (at = cf_yaml_get(options, "starts"))) {
        status = cf_yaml_whole(at, 2, 10000, &whole, err);
        o->starts = status ? o->starts : (size_t) whole;
    }
    if (status == CF_OK && (at = cf_yaml_get(options, "seed"))) {
        status = cf_yaml_whole(at, 0, (1ULL << 53) - 1, &whole, err); /* exact in a fit file */
        o->seed = status ? o->seed : whole;
    }
    if (status == CF_OK && (at = cf_yaml_get(options, "bootstrap"))) {
        status = cf_yaml_whole(at, CF_LEAST_BOOTSTRAP, CF_MOST_BOOTSTRAP, &whole, err);
        o->bootstrap = status ? 0 : (size_t) whole;
    }
    if (status == CF_OK && (at = cf_yaml_get(options, "posterior"))) {
        status = cf_yaml_whole(at, CF_LEAST_POSTERIOR, CF_MOST_POSTERIOR, &whole, err);
        o->posterior = status ? 0 : (size_t) whole;
    }
    return status == CF_OK ? cf_study_methods(study, options, err) : status;
}

static int read_title(struct cf_study *study, const struct cf_yaml *root, struct cf_error *err)
{
    const struct cf_yaml *title = cf_yaml_get(root, "title");
    const char *text = study->name;
    int status = title ? cf_yaml_text(title, &text, err) : CF_OK;

    if (status)
        return status;
    study->title = strdup(text);
    return study->title ? CF_OK : cf_fail(err, CF_ENOMEM, "no memory for the title");
}

/* The source of a study, how much of it is read, and which number is moved. */
struct origin {
    const char *text; /* NULL: a file */
    bool in_memory;   /* its tables are, too */
    const struct cf_tables *tables;
    const char *law; /* in the place of its own; NULL: that */
    bool data_only;
    const struct cf_study *before; /* NULL: nothing is moved */
    size_t number;
    double by;
};

/* Bodies and data; and, unless only they are wanted, law, parameters and options. */
static int read_parts(struct cf_study *study, const struct cf_yaml *root,
                      const struct cf_places *places, const struct origin *origin,
                      struct cf_error *err)
{
    struct cf_study_reading reading = {.places = *places, .law = cf_study_law_node(root)};
    struct cf_error one;
    int status = cf_head_kind(root, "study", err);

    if (status)
        return status;
    status = cf_schema_check(root, &cf_study_schema, err);
    status = cf_gather(err, status, read_title(study, root, &one), &one);
    status = cf_gather(err, status, cf_study_bodies(study, root, &one), &one);
    if (!origin->data_only)
        status = cf_gather(err, status, cf_study_law(study, root, origin->law, &one), &one);
    status = cf_gather(err, status, cf_study_group(study, root, &reading.group, &one), &one);
    status = cf_gather(err, status, cf_study_unusual(study, root, &one), &one);
    reading.only_to_check = status != CF_OK;
    if (cf_yaml_get(root, "data") || !status)
        status = cf_gather(err, status, cf_study_data(study, root, &reading, &one), &one);
    if (!origin->data_only)
        status = cf_gather(err, status, read_options(study, root, &one), &one);
    if (status || origin->data_only)
        return status;
    status = cf_study_parameters(study, root, err);
    if (status == CF_OK && !study->other_law)
        status = cf_study_group_parameters(study, root, err);
    status = cf_gather(err, status, cf_study_hold_out(study, root, &one), &one);
    if (status == CF_OK)
        status = cf_study_floors(study, root, err);
    if (status == CF_OK)
        status = cf_study_noise(study, root, err);
    if (status == CF_OK)
        status = cf_study_groups_by_place(study, root, err);
    if (status == CF_OK)
        status = cf_study_counted_once(study, root, err);
    if (status == CF_OK)
        status = cf_study_needs(study, root, err);
    return status == CF_OK ? cf_study_enough(study, root, err) : status;
}

static int read_text(struct cf_study *study, const char *path, const struct origin *origin,
                     size_t *len, struct cf_error *err)
{
    return origin->text ? cf_file_take(path, origin->text, strlen(origin->text), &study->text, len,
                                       study->sha256, err)
                        : cf_file_read(path, STUDY_LIMIT, &study->text, len, study->sha256, err);
}

/* Is the first line that is no comment one of cells and not of a key? */
static bool is_table(const char *text)
{
    size_t n = 0;

    while (*text == '#' || *text == '\n') {
        text += strcspn(text, "\n");
        text += *text == '\n';
    }
    n = strcspn(text, "\n");
    return strcspn(text, ",;\t") < n && strcspn(text, ":{") >= n;
}

/* The tree of a study; a table in its place is reported as such. */
static struct cf_yaml *parse(const struct cf_study *study, size_t len, struct cf_error *err)
{
    struct cf_yaml *root = cf_yaml_parse(study->path, study->text, len, err);

    if (!root && is_table(study->text))
        cf_fail(err, CF_EINPUT, "%s: a table: contactfit init drafts the study that is wanted here",
                study->path);
    return root;
}

static int move_number(const void *owner, size_t i, double by, struct cf_moved *moved,
                       struct cf_error *err);

/* The parts, with what is uncertain in them. */
static int read_tree(struct cf_study *study, struct cf_yaml *root, const struct cf_places *places,
                     const struct origin *origin, struct cf_error *err)
{
    struct cf_uncertain_places uncertain;
    struct cf_error one;
    int status = cf_uncertain_find(root, &uncertain, err);

    if (!status && origin->before)
        status = cf_uncertain_move(&uncertain, origin->before, origin->number, origin->by, err);
    if (status != CF_ENOMEM)
        status = cf_gather(err, status, read_parts(study, root, places, origin, &one), &one);
    if (!status && !origin->before)
        status = cf_uncertain_number(study, &uncertain, err);
    study->spec.uncertain.move = move_number;
    study->spec.uncertain.owner = study;
    study->spec.path = study->path;
    study->tables = origin->tables;
    study->in_memory = origin->in_memory;
    study->law = origin->law ? strdup(origin->law) : NULL;
    if (!status && origin->law && !study->law)
        status = cf_fail(err, CF_ENOMEM, "no memory for the law");
    cf_uncertain_places_clear(&uncertain);
    return status;
}

static int read_origin(struct cf_study **made, const char *path, const struct origin *origin,
                       const struct cf_registry *registry, struct cf_error *err)
{
    struct cf_study *study = calloc(1, sizeof *study);
    struct cf_yaml *root = NULL;
    char *folder = NULL;
    size_t len = 0;
    int status;

    *made = NULL;
    if (!study || cf_file_names(path, &study->path, &study->name, &folder))
        status = cf_fail(err, CF_ENOMEM, "%s: no memory for the study", path);
    else
        status = read_text(study, path, origin, &len, err);
    if (status == CF_OK) {
        const struct cf_places places = {folder, origin->in_memory, origin->tables, &study->read};
        study->registry = registry;
        root = parse(study, len, err);
        /* a text that was read before lacks memory alone */
        status = root             ? read_tree(study, root, &places, origin, err)
                 : origin->before ? CF_ENOMEM
                                  : CF_EINPUT;
    }
    cf_yaml_free(root);
    free(folder);
    if (status)
        cf_study_free(study);
    else
        *made = study;
    return status;
}

static struct cf_study *read_study(const char *path, const struct origin *origin,
                                   const struct cf_registry *registry, struct cf_error *err)
{
    struct cf_study *study;

    read_origin(&study, path, origin, registry, err);
    return study;
}

struct cf_study *cf_study_read(const char *path, const struct cf_registry *registry,
                               struct cf_error *err)
{
    return read_study(path, &(struct origin){0}, registry, err);
}

struct cf_study *cf_study_read_with(const char *path, const char *law,
                                    const struct cf_registry *registry, struct cf_error *err)
{
    return read_study(path, &(struct origin){.law = law}, registry, err);
}

struct cf_study *cf_study_read_data(const char *path, const struct cf_registry *registry,
                                    struct cf_error *err)
{
    return read_study(path, &(struct origin){.data_only = true}, registry, err);
}

struct cf_study *cf_study_read_text(const char *name, const char *text,
                                    const struct cf_tables *tables,
                                    const struct cf_registry *registry, struct cf_error *err)
{
    return read_study(name, &(struct origin){.text = text, .in_memory = true, .tables = tables},
                      registry, err);
}

static void free_moved(void *study)
{
    cf_study_free(study);
}

/* Files that have changed since are another study's. */
static int check_same_files(const struct cf_study *study, const struct cf_study *before,
                            struct cf_error *err)
{
    for (size_t i = 0; i < before->spec.ndata; i++)
        if (strcmp(study->spec.data[i].sha256, before->spec.data[i].sha256) != 0)
            return cf_fail(err, CF_EINPUT, "data set %s: its file has changed since it was read",
                           before->spec.data[i].name);
    return CF_OK;
}

static int move_number(const void *owner, size_t i, double by, struct cf_moved *moved,
                       struct cf_error *err)
{
    const struct cf_study *before = owner;
    struct cf_study *study;
    int status = read_origin(&study, before->path,
                             &(struct origin){.text = before->text,
                                              .in_memory = before->in_memory,
                                              .tables = before->tables,
                                              .law = before->law,
                                              .before = before,
                                              .number = i,
                                              .by = by},
                             before->registry, err);

    *moved = (struct cf_moved){.free = free_moved, .owned = study};
    if (status)
        return status;
    moved->spec = &study->spec;
    return check_same_files(study, before, err);
}

const char *cf_study_remark(const struct cf_study *study, size_t i)
{
    return i < study->nnote ? study->note[i] : NULL;
}

void cf_study_free(struct cf_study *study)
{
    if (!study)
        return;
    for (size_t i = 0; i < study->nbody; i++) {
        free(study->body[i].name);
        free(study->body[i].material);
        free(study->body[i].mass_at);
        free(study->body[i].size_at);
        free(study->body[i].modulus_at);
    }
    for (size_t i = 0; i < study->spec.ndata; i++)
        cf_dataset_clear(&study->spec.data[i]);
    for (size_t i = 0; i < study->nnote; i++)
        free(study->note[i]);
    cf_paths_clear(&study->read);
    cf_study_scenes_free(study);
    free(study->body);
    free(study->spec.data);
    free(study->spec.nuisance);
    free(study->spec.need);
    free(study->spec.unusual);
    free(study->spec.rival_given);
    cf_uncertains_clear(&study->spec.uncertain);
    free(study->uncertain_place);
    free(study->law);
    cf_grouping_clear(&study->spec.grouping);
    free(study->note);
    free(study->rival);
    cf_contact_laws_clear(&study->made);
    free(study->path);
    free(study->name);
    free(study->title);
    free(study->text);
    free(study);
}
