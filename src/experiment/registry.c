/* The protocols that are built in, and finding what files name. */

#define _POSIX_C_SOURCE 200809L

#include "experiment/registry.h"

#include <stdlib.h>
#include <string.h>

#include "core/nearest.h"
#include "experiment/rows.h"

const struct cf_protocol *const cf_protocols[] = {
    &cf_protocol_impact,        &cf_protocol_oblique,
    &cf_protocol_bounce,        &cf_protocol_bounce_heights,
    &cf_protocol_indent,        &cf_protocol_slide,
    &cf_protocol_slide_rotary,  &cf_protocol_pulse,
    &cf_protocol_ramp,          &cf_protocol_ramp_force,
    &cf_protocol_tap,           &cf_protocol_stick_slip,
    &cf_protocol_velocity_step, &cf_protocol_toss,
    &cf_protocol_log,           NULL,
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

int cf_friction_part_get(const char *name, const struct cf_friction_law **friction,
                         struct cf_error *err)
{
    const char *names[CF_MOST_FRICTIONS];
    char hint[CF_HINT];

    *friction = cf_contact_friction_find(name);
    if (*friction)
        return CF_OK;
    cf_nearest_hint(name, names, cf_contact_friction_names(names), hint);
    return cf_fail(err, CF_EINPUT, "unknown friction law %s: %s", name, hint);
}

/* "NORMAL + FRICTION", `plus` pointing at the sign. */
static int both_parts(const struct cf_registry *registry, struct cf_contact_laws *made,
                      const char *name, const char *plus, const struct cf_law **law,
                      struct cf_error *err)
{
    const struct cf_friction_law *friction;
    const struct cf_law *normal;
    size_t length = (size_t) (plus - name);
    char *first;
    int status;

    while (length && name[length - 1] == ' ')
        length--;
    first = strndup(name, length);
    if (!first)
        return cf_fail(err, CF_ENOMEM, "no memory for the name of a law");
    status = cf_registry_law_get(registry, first, &normal, err);
    free(first);
    plus++;
    plus += strspn(plus, " ");
    if (!status)
        status = cf_friction_part_get(plus, &friction, err);
    return status ? status : cf_contact_law(made, normal, friction, law, err);
}

int cf_registry_contact_law(const struct cf_registry *registry, struct cf_contact_laws *made,
                            const struct cf_law *like, const char *name, const struct cf_law **law,
                            struct cf_error *err)
{
    const struct cf_friction_law *friction = cf_contact_friction_find(name);
    const char *plus = strchr(name, '+');
    int status;

    if (plus)
        return both_parts(registry, made, name, plus, law, err);
    if (friction && !cf_registry_law(registry, name))
        return cf_contact_law(made, like ? cf_law_normal(like) : NULL, friction, law, err);
    status = cf_registry_law_get(registry, name, law, err);
    return status || !like || !like->friction
               ? status
               : cf_contact_law(made, *law, like->friction, law, err);
}
