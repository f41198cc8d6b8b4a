/* The head of a YAML file: its kind, its version, its texts. */

#include "file/head.h"

#include <stdlib.h>
#include <string.h>

#include "core/text.h"

int cf_head_kind(const struct cf_yaml *root, const char *kind, struct cf_error *err)
{
    const struct cf_yaml *at = cf_yaml_get(root, "contactfit");
    const char *text = NULL, *version;
    size_t length = strlen(kind);
    char shown[CF_SHOWN];
    int status;

    if (!at)
        return cf_yaml_fail(root, err, "no key contactfit here: a %s begins with contactfit: %s/1",
                            kind, kind);
    status = cf_yaml_text(at, &text, err);
    if (status)
        return status;
    version = strncmp(text, kind, length) == 0 && text[length] == '/' ? text + length + 1 : NULL;
    if (version && strcmp(version, "1") == 0)
        return CF_OK;
    if (version)
        return cf_yaml_fail(at, err, "contactfit: %s: this program reads %s/1",
                            cf_show(text, shown), kind);
    return cf_yaml_fail(at, err, "contactfit: %s: a %s is wanted here: %s/1", cf_show(text, shown),
                        kind, kind);
}

int cf_head_text(const struct cf_yaml *root, const char *key, const char **text,
                 struct cf_error *err)
{
    const struct cf_yaml *at = cf_yaml_get(root, key);
    return at ? cf_yaml_text(at, text, err) : CF_OK;
}

int cf_head_notes(const struct cf_yaml *root, const char ***note, size_t *n, struct cf_error *err)
{
    const struct cf_yaml *notes = cf_yaml_get(root, "notes");
    int status = notes ? cf_yaml_list(notes, err) : CF_OK;

    if (status || !notes || notes->n == 0)
        return status;
    *note = calloc(notes->n, sizeof **note);
    if (!*note)
        return cf_fail(err, CF_ENOMEM, "no memory for the notes");
    for (size_t i = 0; i < notes->n && status == CF_OK; i++)
        status = cf_yaml_text(&notes->item[i], &(*note)[(*n)++], err);
    return status;
}
