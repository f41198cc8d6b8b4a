#include "cmd/along_options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiment/setting.h"

const char *cf_along_respell(const char *name, char out[CF_ALONG_NAME])
{
    snprintf(out, CF_ALONG_NAME, "%s", name);
    for (char *c = out; *c; c++)
        if (*c == '_')
            *c = '-';
    return out;
}

static size_t count_most(const struct cf_registry *registry)
{
    size_t n = 0;

    for (const struct cf_protocol *const *p = cf_registry_protocols(registry); *p; p++)
        n += (*p)->nchannel + (*p)->nsetting;
    return n;
}

static void add_option(const char *name, const char *what, const char *unit,
                       struct cf_along_option list[], size_t *n)
{
    struct cf_along_option *o = &list[*n];

    cf_along_respell(name, o->name);
    for (size_t i = 0; i < *n; i++) /* several protocols may impose it */
        if (strcmp(list[i].name, o->name) == 0)
            return;
    snprintf(o->what, sizeof o->what, "%s [%s]: a list such as that of --at", what, unit);
    o->option = (struct cf_option){o->name, 0, "LIST", o->what};
    ++*n;
}

int cf_along_options(const struct cf_registry *registry, bool settings,
                     struct cf_along_option **option, size_t *n, struct cf_error *err)
{
    *n = 0;
    *option = calloc(count_most(registry) + 1, sizeof **option);
    if (!*option)
        return cf_fail(err, CF_ENOMEM, "no memory for options");
    for (const struct cf_protocol *const *p = cf_registry_protocols(registry); *p; p++)
        for (size_t i = 0; i < (*p)->nchannel; i++)
            if (cf_channel_drives(*p, i) && !(*p)->by_scene &&
                (!(*p)->recording || i == (*p)->axis_channel))
                add_option((*p)->channel[i].name, (*p)->channel[i].what, (*p)->channel[i].unit,
                           *option, n);
    for (const struct cf_protocol *const *p = cf_registry_protocols(registry); *p && settings; p++)
        for (size_t i = 0; i < (*p)->nsetting; i++)
            add_option((*p)->setting[i].name, (*p)->setting[i].what, (*p)->setting[i].unit, *option,
                       n);
    return CF_OK;
}

const struct cf_setting *cf_along_setting(const struct cf_registry *registry, const char *option)
{
    char name[CF_ALONG_NAME];

    for (const struct cf_protocol *const *p = cf_registry_protocols(registry); *p; p++)
        for (size_t i = 0; i < (*p)->nsetting; i++)
            if (strcmp(cf_along_respell((*p)->setting[i].name, name), option) == 0)
                return &(*p)->setting[i];
    return NULL;
}
