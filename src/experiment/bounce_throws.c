/* Which rows are of one throw. */

#include <math.h>
#include <stdlib.h>

#include "experiment/bounce_channels.h"

size_t cf_bounce_throw(const struct cf_dataset *d, size_t row)
{
    double number = cf_dataset_value(d, row, CF_BOUNCE_THROW);
    return number > 0 ? (size_t) number : 0;
}

bool cf_bounce_begins(const struct cf_dataset *d, size_t row)
{
    const double *number = d->series[CF_BOUNCE_THROW].value;

    if (row == 0 || (number && number[row] != number[row - 1]))
        return true;
    for (size_t level = 0; level < d->ngroup_level; level++)
        if (cf_dataset_group(d, row, level) != cf_dataset_group(d, row - 1, level))
            return true;
    return false;
}

int cf_bounce_number_throws(struct cf_dataset *d, struct cf_error *err)
{
    double *own = malloc((d->nrow + 1) * sizeof *own);
    size_t throws = 0;
    int status = own ? CF_OK : cf_fail(err, CF_ENOMEM, "no memory for %zu rows", d->nrow);

    for (size_t row = 0; row < d->nrow && !status; row++) {
        throws += cf_bounce_begins(d, row);
        own[row] = (double) throws;
    }
    for (size_t row = 0; row < d->nrow && !status; row++)
        status = cf_dataset_put(d, row, CF_BOUNCE_THROW, own[row], 0, err);
    free(own);
    return status;
}
