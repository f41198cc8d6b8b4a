#include "core/param.h"

#include <math.h>
#include <string.h>

int cf_param_check(const struct cf_param *table, size_t n, const double p[], struct cf_error *err)
{
    for (size_t i = 0; i < n; i++) {
        const struct cf_param *q = &table[i];
        int pure = strcmp(q->unit, "1") == 0;

        /* written so that NaN fails */
        if (p[i] >= q->lower && p[i] <= q->upper && isfinite(p[i]))
            continue;
        if (isnan(p[i]))
            return cf_fail(err, CF_ERANGE, "%s is not a number: a value in [%g, %g]%s%s is wanted",
                           q->name, q->lower, q->upper, pure ? "" : " ", pure ? "" : q->unit);
        return cf_fail(err, CF_ERANGE, "%s = %.15g%s%s: must be in [%g, %g]", q->name, p[i],
                       pure ? "" : " ", pure ? "" : q->unit, q->lower, q->upper);
    }
    return CF_OK;
}

size_t cf_param_find(const struct cf_param *table, size_t n, const char *name)
{
    size_t i = 0;
    while (i < n && strcmp(table[i].name, name) != 0)
        i++;
    return i;
}
