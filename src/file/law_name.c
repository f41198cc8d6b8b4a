/* Laws by their names in files. */

#include "file/law_name.h"

#include <stdlib.h>

int cf_law_name(const struct cf_yaml *at, const struct cf_registry *registry,
                bool (*fit)(const struct cf_law *law), const struct cf_law **law,
                struct cf_error *err)
{
    const struct cf_law *const *laws = cf_registry_laws(registry);
    const char **known, *name = NULL;
    size_t n = 0, all = 0;
    int status = cf_yaml_text(at, &name, err);

    if (status)
        return status;
    *law = cf_registry_law(registry, name);
    if (*law)
        return CF_OK;
    while (laws[all])
        all++;
    known = calloc(all, sizeof *known);
    if (!known)
        return cf_fail(err, CF_ENOMEM, "no memory for the names of laws");
    for (size_t i = 0; i < all; i++)
        if (!fit || fit(laws[i]))
            known[n++] = laws[i]->name;
    status = cf_yaml_unknown(at, "law", name, known, n, err);
    free(known);
    return status;
}
