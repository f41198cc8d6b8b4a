#include "report/quantity.h"

#include <stddef.h>
#include <string.h>

const struct cf_quantity cf_quantities[] = {
    {"restitution", "coefficient of restitution", "1"},
    {"duration", "contact duration", "s"},
    {"depth", "greatest compression", "m"},
    {"peak_force", "peak force", "N"},
    {"rebound_speed", "rebound speed", "m/s"},
    {"rebound_height", "rebound height", "m"},
    {NULL, NULL, NULL},
};

const struct cf_quantity *cf_quantity_find(const char *name)
{
    for (const struct cf_quantity *q = cf_quantities; q->name; q++)
        if (strcmp(q->name, name) == 0)
            return q;
    return NULL;
}

const char *cf_quantity_label(const char *name)
{
    const struct cf_quantity *quantity = cf_quantity_find(name);
    return quantity ? quantity->label : name;
}
