#include "core/limits.h"

#include <math.h>
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

int cf_limits_check_spin(double spin_rad_s, double radius_m, struct cf_error *err)
{
    const double most_m_s = 1e4; /* the root of strength over density */
    double speed_m_s = fabs(spin_rad_s) * radius_m;

    if (!(speed_m_s > most_m_s && isfinite(radius_m)))
        return CF_OK;
    return cf_fail(
        err, CF_ERANGE,
        "spin: %.3g rad/s moves it at %.3g m/s, %.3g m from the axis: must be at most "
        "%g m/s, beyond which no solid holds together: is the spin in another unit (rpm, "
        "deg/s)?",
        fabs(spin_rad_s), speed_m_s, radius_m, most_m_s);
}
