#include "experiment/protocol.h"

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

size_t cf_protocol_column(const struct cf_protocol *protocol, const char *name)
{
    size_t i = 0;
    while (i < protocol->ncolumn && strcmp(protocol->column[i].name, name) != 0)
        i++;
    return i;
}
