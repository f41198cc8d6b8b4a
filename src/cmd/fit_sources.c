#include "cmd/fit_sources.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/output_path.h"
#include "core/file.h"
#include "core/text.h"
#include "document/view.h"
#include "file/yaml.h"

enum {
    FILE_LIMIT = 64 << 20, /* bytes of a study, as of a fit file */
    DEEPEST = 2            /* a study names a scene, and a scene names tables */
};

static int protect_named(struct cf_outputs *outputs, const char *path, int depth,
                         struct cf_error *err);

/* Each text in a tree may be a file's name: keys that are no names of files name none that is
 * there.
 */
static int protect_texts(struct cf_outputs *outputs, const char *folder, const struct cf_yaml *at,
                         int depth, struct cf_error *err)
{
    int status = CF_OK;

    for (size_t i = 0; at->kind != CF_YAML_TEXT && i < at->n && !status; i++)
        status = protect_texts(outputs, folder, &at->item[i], depth, err);
    if (at->kind != CF_YAML_TEXT || !*at->text)
        return status;
    char *path = cf_format("%s%s", *at->text == '/' ? "" : folder, at->text);
    status = path ? protect_named(outputs, path, depth, err)
                  : cf_fail(err, CF_ENOMEM, "no memory for a path");
    free(path);
    return status;
}

static bool is_yaml(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && (strcmp(dot, ".yaml") == 0 || strcmp(dot, ".yml") == 0);
}

/* A study or a scene, and what it names. One that can be read no more names nothing. */
static int protect_named(struct cf_outputs *outputs, const char *path, int depth,
                         struct cf_error *err)
{
    struct cf_error unread = {""};
    char *text = NULL, *folder = NULL;
    size_t len;
    int status = cf_outputs_protect_source(outputs, path, err);

    if (status || depth >= DEEPEST || !is_yaml(path))
        return status;
    status = cf_file_read(path, FILE_LIMIT, &text, &len, NULL, &unread);
    if (status)
        return status == CF_ENOMEM ? cf_fail(err, status, "%s", unread.text) : CF_OK;
    struct cf_yaml *root = cf_yaml_parse(path, text, len, &unread);
    folder = cf_folder_of(path);
    if (!folder)
        status = cf_fail(err, CF_ENOMEM, "no memory for a path");
    else if (root)
        status = protect_texts(outputs, folder, root, depth + 1, err);
    cf_yaml_free(root);
    free(folder);
    free(text);
    return status;
}

/* Of a data set, and of its files where it has several. */
static int protect_contents(struct cf_outputs *outputs, const json_t *data, struct cf_error *err)
{
    const json_t *set;
    size_t i;
    int status = CF_OK;

    json_array_foreach(data, i, set)
    {
        if (!status)
            status = cf_outputs_protect_content(outputs, cf_view_text(set, "sha256"), err);
        if (!status)
            status = protect_contents(outputs, json_object_get(set, "files"), err);
    }
    return status;
}

int cf_protect_fit_sources(struct cf_outputs *outputs, const char *path, const json_t *fit,
                           struct cf_error *err)
{
    const json_t *study = json_object_get(fit, "study");
    char *folder = cf_folder_of(path), *beside = NULL;
    int status = cf_outputs_protect(outputs, path, err);

    if (folder)
        beside = cf_format("%s%s", folder, cf_view_text(study, "path"));
    if (!status)
        status = beside ? protect_named(outputs, beside, 0, err)
                        : cf_fail(err, CF_ENOMEM, "no memory for a path");
    if (!status)
        status = cf_outputs_protect_content(outputs, cf_view_text(study, "sha256"), err);
    if (!status)
        status = protect_contents(outputs, json_object_get(fit, "data"), err);
    free(folder);
    free(beside);
    return status;
}
