/* The protocols that are built in, and finding what files name. */

#include "experiment/registry.h"

#include <stdlib.h>
#include <string.h>

#include "core/nearest.h"
#include "experiment/rows.h"

const struct cf_protocol *const cf_protocols[] = {
    &cf_protocol_impact,
    &cf_protocol_bounce,
    &cf_protocol_indent,
    &cf_protocol_slide,
    &cf_protocol_slide_rotary,
    NULL,
};

const struct cf_protocol *cf_protocol_find(const char *name)
{
    return cf_registry_protocol(NULL, name);
}

const struct cf_law *const *cf_registry_laws(const struct cf_registry *registry)
{
    return registry && registry->law ? registry->law : cf_laws;
}

const struct cf_protocol *const *cf_registry_protocols(const struct cf_registry *registry)
{
    return registry && registry->protocol ? registry->protocol : cf_protocols;
}

const struct cf_law *cf_registry_law(const struct cf_registry *registry, const char *name)
{
    const struct cf_law *const *law = cf_registry_laws(registry);

    name = cf_law_proper_name(name);
    while (*law && strcmp((*law)->name, name) != 0)
        law++;
    return *law;
}

const struct cf_protocol *cf_registry_protocol(const struct cf_registry *registry, const char *name)
{
    const struct cf_protocol *const *protocol = cf_registry_protocols(registry);

    while (*protocol && strcmp((*protocol)->name, name) != 0)
        protocol++;
    return *protocol;
}

int cf_registry_law_get(const struct cf_registry *registry, const char *name,
                        const struct cf_law **law, struct cf_error *err)
{
    const struct cf_law *const *laws = cf_registry_laws(registry);
    char hint[CF_HINT];
    const char **names;
    size_t n = 0;

    *law = cf_registry_law(registry, name);
    if (*law)
        return CF_OK;
    while (laws[n])
        n++;
    names = calloc(n + 1, sizeof *names);
    if (!names)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu names", n);
    for (size_t i = 0; i < n; i++)
        names[i] = laws[i]->name;
    cf_nearest_hint(name, names, n, hint);
    free(names);
    return cf_fail(err, CF_EINPUT, "unknown law %s: %s", name, hint);
}
