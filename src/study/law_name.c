/* Laws by their names in files. */

#include "study/law_name.h"

enum { MAX_LAWS = 64 };

int cf_law_name(const struct cf_yaml *at, bool (*fit)(const struct cf_law *law),
                const struct cf_law **law, struct cf_error *err)
{
    const char *known[MAX_LAWS], *name = NULL;
    size_t n = 0;
    int status = cf_yaml_text(at, &name, err);

    if (status)
        return status;
    *law = cf_law_find(name);
    for (size_t i = 0; cf_laws[i] && n < MAX_LAWS; i++)
        if (!fit || fit(cf_laws[i]))
            known[n++] = cf_laws[i]->name;
    return *law ? CF_OK : cf_yaml_unknown(at, "law", name, known, n, err);
}
