#include "estimate/twin.h"

#include <stdlib.h>
#include <string.h>

int cf_twin_make(struct cf_spec *twin, const struct cf_spec *spec, struct cf_error *err)
{
    int status = CF_OK;

    *twin = *spec;
    twin->data = calloc(spec->ndata + 1, sizeof *twin->data);
    if (!twin->data)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu data sets", spec->ndata);
    for (size_t i = 0; i < spec->ndata; i++) {
        size_t n = spec->data[i].protocol->napparatus;
        double *apparatus = calloc(n + 1, sizeof *apparatus);
        twin->data[i] = spec->data[i];
        twin->data[i].apparatus = apparatus;
        if (!apparatus)
            status = cf_fail(err, CF_ENOMEM, "no memory for an apparatus");
        else if (n)
            memcpy(apparatus, spec->data[i].apparatus, n * sizeof *apparatus);
    }
    return status;
}

void cf_twin_clear(struct cf_spec *twin)
{
    for (size_t i = 0; twin->data && i < twin->ndata; i++)
        free(twin->data[i].apparatus);
    free(twin->data);
    *twin = (struct cf_spec){.ndata = 0};
}
