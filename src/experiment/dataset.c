#include "experiment/dataset.h"

#include <stdlib.h>

#include "experiment/protocol.h"

int cf_dataset_alloc(struct cf_dataset *d, const struct cf_protocol *protocol, size_t nrow,
                     struct cf_error *err)
{
    size_t n = nrow ? nrow : 1;

    d->protocol = protocol;
    d->nrow = nrow;
    d->value = calloc(n * protocol->ncolumn, sizeof *d->value);
    d->sigma = calloc(n * protocol->ncolumn, sizeof *d->sigma);
    d->measured = calloc(n, sizeof *d->measured);
    d->line = calloc(n, sizeof *d->line);
    d->use = calloc(n, sizeof *d->use);
    d->because = calloc(n, sizeof *d->because);
    if (!d->value || !d->sigma || !d->measured || !d->line || !d->use || !d->because) {
        cf_dataset_clear(d);
        return cf_fail(err, CF_ENOMEM, "no memory for a data set of %zu rows", nrow);
    }
    return CF_OK;
}

void cf_dataset_clear(struct cf_dataset *d)
{
    for (size_t i = 0; d->because && i < d->nrow; i++)
        free(d->because[i]);
    for (size_t i = 0; i < d->nprovenance; i++)
        free(d->provenance[i]);
    free(d->name);
    free(d->file);
    free(d->value);
    free(d->sigma);
    free(d->measured);
    free(d->line);
    free(d->use);
    free(d->because);
    free(d->provenance);
    *d = (struct cf_dataset){0};
}

double cf_dataset_value(const struct cf_dataset *d, size_t row, size_t column)
{
    return d->value[row * d->protocol->ncolumn + column];
}

double cf_dataset_sigma(const struct cf_dataset *d, size_t row, size_t column)
{
    return d->sigma[row * d->protocol->ncolumn + column];
}

bool cf_dataset_has(const struct cf_dataset *d, size_t row, size_t column)
{
    return d->measured[row] >> column & 1u;
}
