#include "scene/path.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "core/units.h"
#include "file/yaml.h"

/* How far a number is moved to see what goes with it: by this part of itself, one that is 0 by so
 * many SI units. Far enough that differences have ten digits, near enough that no value leaves its
 * range: a scene is refused where a ball begins deep in a plate. */
static const double SHARE = 1e-4, FROM_ZERO = 1e-6;

/* Where the others are, in such steps: not evenly, so that no even law looks straight. */
static const double STEP[CF_PATH_SCENES] = {0, 1, 2.5};

/* Value and unit of the number. */
static int find_number(const struct cf_scene_file *file, const char *name, double *value,
                       const char **unit, struct cf_error *err)
{
    char shown[CF_SHOWN];
    struct cf_yaml *at = NULL;
    int status = cf_yaml_find(file->root, name, cf_show(name, shown), &at, err);

    if (status)
        return status;
    if (at->kind != CF_YAML_TEXT || !*at->read_as)
        return cf_fail(err, CF_EINPUT, "%s: %s in %s is no number that the scene reads: %s", shown,
                       at->kind == CF_YAML_TEXT ? at->text : "what stands there", file->path,
                       at->kind == CF_YAML_LIST ? "one of its entries is, by its number from 1"
                                                : "a quantity is wanted");
    *unit = *at->read_as;
    return cf_quantity_parse(at->text, *unit, value, err);
}

/* The scene with the number at x. */
static struct cf_scene_file *read_at(const struct cf_scene_file *file, const char *name,
                                     const char *unit, double x, struct cf_error *err)
{
    size_t n = file->noverride;
    struct cf_override *override = calloc(n + 1, sizeof *override);
    char **path = calloc(n + 1, sizeof *path), text[64];
    struct cf_scene_file *read = NULL;
    bool room = override && path;

    for (size_t i = 0; i < n && room; i++) { /* "PATH=VALUE" */
        const char *equals = strchr(file->override[i], '=');
        path[i] = cf_format("%.*s", (int) (equals - file->override[i]), file->override[i]);
        room = path[i] != NULL;
        override[i] = (struct cf_override){path[i], equals + 1};
    }
    snprintf(text, sizeof text, "%.17g %s", x, strcmp(unit, "1") == 0 ? "" : unit);
    if (room) {
        override[n] = (struct cf_override){name, text};
        read = cf_scene_read_with(file->path, override, n + 1, file->input, file->ninput, err);
    } else {
        cf_fail(err, CF_ENOMEM, "no memory for overrides");
    }
    for (size_t i = 0; path && i < n; i++)
        free(path[i]);
    free(path);
    free(override);
    return read;
}

/* Two more scenes, in steps of this size. */
static bool read_others(const struct cf_scene_file *file, const char *name, const char *unit,
                        double step, double x[CF_PATH_SCENES],
                        struct cf_scene_file *read[CF_PATH_SCENES], struct cf_error *err)
{
    for (int i = 1; i < CF_PATH_SCENES; i++) {
        x[i] = x[0] + STEP[i] * step;
        cf_scene_file_free(read[i]);
        read[i] = read_at(file, name, unit, x[i], err);
        if (!read[i])
            return false;
    }
    return true;
}

int cf_scene_file_path(const struct cf_scene_file *file, const char *name,
                       struct cf_scene_path *path, const char **unit, struct cf_error *err)
{
    struct cf_scene_file *read[CF_PATH_SCENES] = {NULL};
    struct cf_scene *scene[CF_PATH_SCENES];
    double x[CF_PATH_SCENES] = {0}, step;
    struct cf_error why = {""};
    char shown[CF_SHOWN];
    int status = find_number(file, name, &x[0], unit, err);

    *path = (struct cf_scene_path){.value = x[0]};
    if (status)
        return status;
    step = x[0] != 0 ? SHARE * x[0] : FROM_ZERO;
    read[0] = read_at(file, name, *unit, x[0], err);
    if (!read[0])
        return CF_EINPUT;
    /* the other way where the range ends */
    if (!read_others(file, name, *unit, step, x, read, &why) &&
        !read_others(file, name, *unit, -step, x, read, &why))
        status = cf_fail(err, CF_EINPUT, "%s", why.text);
    for (int i = 0; i < CF_PATH_SCENES && !status; i++)
        scene[i] = &read[i]->scene;
    if (!status && cf_scene_path_make(path, scene, x, &why))
        status = cf_fail(err, CF_EINPUT, "%s: %s", cf_show(name, shown), why.text);
    for (int i = 0; i < CF_PATH_SCENES; i++)
        cf_scene_file_free(read[i]);
    return status;
}
