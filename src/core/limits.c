#include "core/limits.h"

#include <string.h>

static const struct {
    const char *unit;
    double lower, upper;
} rows[] = {
    {"kg", 1e-33, 1e33},
    {"m", 1e-12, 1e9},
    {"m/s", 1e-15, 1e9},
    {"s", 1e-18, 1e12},
};

int cf_limits_check(const char *name, const char *unit, double value, struct cf_error *err)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].unit, unit) == 0 && !(value >= rows[i].lower && value <= rows[i].upper))
            return cf_fail(err, CF_ERANGE, "%s = %.15g %s: must be in [%g, %g]", name, value, unit,
                           rows[i].lower, rows[i].upper);
    return CF_OK;
}
