/* Parameters of a law at another radius. */

#include "law/radius.h"

#include <math.h>

#include "core/units.h"

/* Does the unit hold a mass, as every force does? */
static bool is_force(const char *unit)
{
    struct cf_unit u;
    return cf_unit_parse(unit, &u, NULL) != CF_OK || u.power[CF_BASE_KG].num != 0;
}

/* The power of R by which parameter i scales; false when there is no rule. */
static bool radius_rule(const struct cf_law *law, size_t i, double *power)
{
    *power = 0;
    for (size_t s = 0; s < law->nalias; s++)
        if (law->alias[s].target == i && law->alias[s].radius_power != 0 &&
            law->alias[s].k_power == 0) {
            *power = law->alias[s].radius_power;
            return true;
        }
    return !is_force(law->param[i].unit);
}

int cf_radius_factors(const struct cf_law *law, const double p[], double from_m, double to_m,
                      double factor[], struct cf_error *err)
{
    for (size_t i = 0; i < law->nparam; i++)
        factor[i] = 1;
    if (to_m == from_m)
        return CF_OK;
    if (law->family == CF_FAMILY_RESTITUTION)
        return cf_fail(err, CF_ERANGE,
                       "R = %.6g m: %s is a record of what a pair of R = %.6g m did and has no "
                       "rule for another radius",
                       to_m, law->name, from_m);
    if (!isfinite(from_m) || !isfinite(to_m))
        return cf_fail(err, CF_ERANGE,
                       "R = %.6g m: the fit is of a pair of R = %.6g m, and no rule leads "
                       "from a plane to a sphere or back",
                       to_m, from_m);
    for (size_t i = 0; i < law->nparam; i++) {
        double power;
        if (isnan(p[i]))
            continue;
        if (!radius_rule(law, i, &power))
            return cf_fail(err, CF_ERANGE,
                           "R = %.6g m: %s has no rule by which its %s [%s], fitted at R = %.6g m, "
                           "changes with the radius",
                           to_m, law->name, law->param[i].name, law->param[i].unit, from_m);
        factor[i] = pow(to_m / from_m, power);
    }
    return CF_OK;
}
