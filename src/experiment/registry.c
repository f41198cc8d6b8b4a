/* The protocols that files may name. */

#include <string.h>

#include "experiment/rows.h"

const struct cf_protocol *const cf_protocols[] = {
    &cf_protocol_impact,
    NULL,
};

const struct cf_protocol *cf_protocol_find(const char *name)
{
    const struct cf_protocol *const *p = cf_protocols;
    while (*p && strcmp((*p)->name, name) != 0)
        p++;
    return *p;
}
