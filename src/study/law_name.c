/* Laws by their names in files. */

#include "study/law_name.h"

#include <stdlib.h>

int cf_law_name(const struct cf_yaml *at, bool (*fit)(const struct cf_law *law),
                const struct cf_law **law, struct cf_error *err)
{
    const char **known, *name = NULL;
    size_t n = 0, all = 0;
    int status = cf_yaml_text(at, &name, err);

    if (status)
        return status;
    *law = cf_law_find(name);
    if (*law)
        return CF_OK;
    while (cf_laws[all])
        all++;
    known = calloc(all, sizeof *known);
    if (!known)
        return cf_fail(err, CF_ENOMEM, "no memory for the names of laws");
    for (size_t i = 0; i < all; i++)
        if (!fit || fit(cf_laws[i]))
            known[n++] = cf_laws[i]->name;
    status = cf_yaml_unknown(at, "law", name, known, n, err);
    free(known);
    return status;
}
