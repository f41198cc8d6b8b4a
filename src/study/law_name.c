/* Laws by their names in files. */

#include "study/law_name.h"

enum { MAX_LAWS = 64 };

int cf_law_name(const struct cf_yaml *at, const struct cf_registry *registry,
                bool (*fit)(const struct cf_law *law), const struct cf_law **law,
                struct cf_error *err)
{
    const struct cf_law *const *laws = cf_registry_laws(registry);
    const char *known[MAX_LAWS], *name = NULL;
    size_t n = 0;
    int status = cf_yaml_text(at, &name, err);

    if (status)
        return status;
    *law = cf_registry_law(registry, name);
    for (size_t i = 0; laws[i] && n < MAX_LAWS; i++)
        if (!fit || fit(laws[i]))
            known[n++] = laws[i]->name;
    return *law ? CF_OK : cf_yaml_unknown(at, "law", name, known, n, err);
}
