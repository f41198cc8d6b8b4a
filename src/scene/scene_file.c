/* Reading a scene file: its name, gravity, how it is run; bodies and contacts are read by bodies.c
 * and contacts.c. */

#define _POSIX_C_SOURCE 200809L

#include "scene/scene_file.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/text.h"
#include "file/head.h"
#include "motion/recorded.h"
#include "scene/keys.h"
#include "scene/parts.h"

enum { FILE_LIMIT = 1 << 20 };

/* One number pulls down, along -z; a vector anywhere. */
static int read_gravity(struct cf_scene *scene, const struct cf_yaml *root, struct cf_error *err)
{
    const struct cf_yaml *at;
    double g = 0;
    int status = cf_yaml_need(root, "gravity", &at, err);

    if (status)
        return status;
    if (at->kind == CF_YAML_LIST)
        return cf_scene_vector(at, "m/s^2", 3, scene->gravity_m_s2, err);
    status = cf_yaml_quantity(at, "m/s^2", &g, err);
    if (status == CF_OK && !(g >= 0))
        status = cf_yaml_fail(at, err,
                              "gravity: %s: must be at least 0: it pulls down, along -z; for "
                              "another direction give a list of three",
                              at->text);
    scene->gravity_m_s2[2] = -g;
    return status;
}

static int read_figures(struct cf_scene_file *file, const struct cf_yaml *root,
                        struct cf_error *err)
{
    const struct cf_yaml *figures = cf_yaml_get(root, "figures");
    int status = figures ? cf_yaml_list(figures, err) : CF_OK;

    for (size_t i = 0; figures && i < figures->n && status == CF_OK; i++)
        status = cf_yaml_map(&figures->item[i], err);
    file->figures = figures;
    return status;
}

/* What cf_scene_check() refuses, at the body or contact that it names. */
static int check_scene(const struct cf_scene_reader *r, struct cf_error *err)
{
    size_t body = SIZE_MAX, pair = SIZE_MAX;
    struct cf_error why = {""};
    int status = cf_scene_check(r->scene, &body, &pair, &why);
    const struct cf_yaml *at = r->file->root;

    if (status == CF_OK)
        return CF_OK;
    if (body != SIZE_MAX && r->body[body])
        at = r->body[body];
    else if (pair != SIZE_MAX)
        at = r->pair[pair];
    return cf_yaml_fail(at, err, "%s", why.text);
}

static int read_root(struct cf_scene_reader *r, struct cf_error *err)
{
    struct cf_scene_file *file = r->file;
    const struct cf_yaml *root = file->root, *duration;
    int status = cf_head_kind(root, "scene", err);

    if (status == CF_OK)
        status = cf_schema_check(root, &cf_scene_schema, err);
    file->title = file->name;
    if (status == CF_OK)
        status = cf_head_text(root, "title", &file->title, err);
    if (status == CF_OK)
        status = cf_head_text(root, "source", &file->source, err);
    if (status == CF_OK)
        status = cf_head_text(root, "caption", &file->caption, err);
    if (status == CF_OK)
        status = cf_head_notes(root, &file->note, &file->nnote, err);
    if (status == CF_OK)
        status = read_gravity(r->scene, root, err);
    if (status == CF_OK)
        status = cf_yaml_need(root, "duration", &duration, err);
    if (status == CF_OK)
        status = cf_yaml_positive(duration, "s", &r->scene->duration_s, err);
    if (status == CF_OK)
        status = cf_scene_bodies(r, root, err);
    if (status == CF_OK)
        status = cf_scene_contacts(r, root, err);
    if (status == CF_OK)
        status = cf_scene_springs(r, root, err);
    if (status == CF_OK)
        status = cf_scene_forces(r, root, err);
    if (status == CF_OK)
        status = cf_scene_solver(file, root, err);
    if (status == CF_OK)
        status = read_figures(file, root, err);
    return status == CF_OK ? check_scene(r, err) : status;
}

static char *joined(const char *a, const char *b, const char *c)
{
    size_t size = strlen(a) + strlen(b) + strlen(c) + 1;
    char *text = malloc(size);

    if (text)
        snprintf(text, size, "%s%s%s", a, b, c);
    return text;
}

static int apply(struct cf_scene_file *file, const struct cf_override override[], size_t n,
                 struct cf_error *err)
{
    int status = CF_OK;

    file->override = calloc(n + 1, sizeof *file->override);
    file->label = calloc(n + 1, sizeof *file->label);
    if (!file->override || !file->label)
        return cf_fail(err, CF_ENOMEM, "no memory for overrides");
    for (size_t i = 0; i < n && status == CF_OK; i++) {
        const char *path = override[i].path, *value = override[i].value;
        file->override[i] = joined(path, "=", value);
        file->label[i] = joined("-p ", path, "");
        file->noverride++;
        status = file->override[i] && file->label[i]
                     ? cf_yaml_set(file->root, path, value, file->label[i], err)
                     : cf_fail(err, CF_ENOMEM, "no memory for overrides");
    }
    return status;
}

static int keep_inputs(struct cf_scene_file *file, const struct cf_scene_input input[], size_t n,
                       struct cf_error *err)
{
    file->input = calloc(n + 1, sizeof *file->input);
    if (!file->input)
        return cf_fail(err, CF_ENOMEM, "no memory for inputs");
    for (; file->ninput < n; file->ninput++)
        file->input[file->ninput] = input[file->ninput];
    return CF_OK;
}

struct cf_scene_file *cf_scene_read(const char *path, const struct cf_override override[], size_t n,
                                    struct cf_error *err)
{
    return cf_scene_read_with(path, override, n, NULL, 0, err);
}

static int vary(struct cf_scene_file *file, const struct cf_yaml *set, struct cf_error *err)
{
    int status = CF_OK;

    for (size_t i = 0; set && i < set->n && status == CF_OK; i++)
        status = cf_yaml_graft(file->root, set->item[i].key, &set->item[i], err);
    return status;
}

static struct cf_scene_file *read_all(const char *path, const struct cf_override override[],
                                      size_t n, const struct cf_scene_input input[], size_t ninput,
                                      const struct cf_yaml *set, struct cf_error *err)
{
    struct cf_scene_file *file = calloc(1, sizeof *file);
    struct cf_scene_reader r = {.file = file};
    size_t len = 0;
    int status;

    if (!file || cf_file_names(path, &file->path, &file->name, &r.folder))
        status = cf_fail(err, CF_ENOMEM, "%s: no memory for the scene", path);
    else
        status = cf_file_read(path, FILE_LIMIT, &file->text, &len, file->sha256, err);
    if (status == CF_OK) {
        r.scene = &file->scene;
        file->root = cf_yaml_parse(file->path, file->text, len, err);
        status = file->root ? apply(file, override, n, err) : CF_EINPUT;
    }
    if (status == CF_OK)
        status = vary(file, set, err);
    if (status == CF_OK)
        status = keep_inputs(file, input, ninput, err);
    if (status == CF_OK)
        status = read_root(&r, err);
    free(r.folder);
    free(r.body);
    free(r.pair);
    if (status == CF_OK)
        return file;
    cf_scene_file_free(file);
    return NULL;
}

struct cf_scene_file *cf_scene_read_with(const char *path, const struct cf_override override[],
                                         size_t n, const struct cf_scene_input input[],
                                         size_t ninput, struct cf_error *err)
{
    return read_all(path, override, n, input, ninput, NULL, err);
}

struct cf_scene_file *cf_scene_read_varied(const struct cf_scene_file *file,
                                           const struct cf_yaml *set, struct cf_error *err)
{
    size_t n = file->noverride;
    struct cf_override *override = calloc(n + 1, sizeof *override);
    char **copy = calloc(n + 1, sizeof *copy);
    struct cf_scene_file *varied = NULL;
    bool enough = override && copy;

    for (size_t i = 0; i < n && enough; i++) {
        copy[i] = strdup(file->override[i]);
        enough = copy[i] != NULL;
        char *equals = enough ? strchr(copy[i], '=') : NULL;
        if (equals) {
            *equals = '\0';
            override[i] = (struct cf_override){copy[i], equals + 1};
        }
    }
    if (enough)
        varied = read_all(file->path, override, n, file->input, file->ninput, set, err);
    else
        cf_fail(err, CF_ENOMEM, "%s: no memory for a variant of it", file->path);
    for (size_t i = 0; i < n && copy; i++)
        free(copy[i]);
    free(copy);
    free(override);
    return varied;
}

static void clear_pair(struct cf_contact_pair *pair)
{
    free(pair->name);
    free(pair->load.time_s);
    free(pair->load.value);
}

static void clear_scene(struct cf_scene *scene)
{
    for (size_t i = 0; i < scene->nbody; i++) {
        free(scene->body[i].name);
        free(scene->body[i].ball);
        free(scene->body[i].solid);
        for (size_t c = 0; c < scene->body[i].ncell; c++)
            cf_cell_free(&scene->body[i].cell[c]);
        free(scene->body[i].cell);
        free(scene->body[i].accommodation.leg);
        cf_trace_free(scene->body[i].trace);
    }
    for (size_t i = 0; i < scene->npair; i++)
        clear_pair(&scene->pair[i]);
    for (size_t i = 0; i < scene->ntether; i++)
        free(scene->tether[i].name);
    for (size_t i = 0; i < scene->nforce; i++) {
        free(scene->force[i].force.time_s);
        free(scene->force[i].force.value);
    }
    free(scene->force);
    free(scene->body);
    free(scene->pair);
    free(scene->tether);
}

void cf_scene_file_free(struct cf_scene_file *file)
{
    if (!file)
        return;
    clear_scene(&file->scene);
    cf_paths_clear(&file->read);
    for (size_t i = 0; i < file->nremark; i++)
        free(file->remark[i]);
    for (size_t i = 0; i < file->noverride; i++) {
        free(file->override[i]);
        free(file->label[i]);
    }
    free(file->remark);
    free(file->override);
    free(file->input);
    free(file->label);
    free(file->note);
    cf_yaml_free(file->root);
    free(file->text);
    free(file->name);
    free(file->path);
    free(file);
}
