/* A user's program: only what `make install` installs, found through pkg-config. */

#include <contactfit/core/units.h>
#include <contactfit/impact/impact.h>
#include <contactfit/law/pair.h>

#include <math.h>
#include <stdio.h>

int main(void)
{
    struct cf_error err = {""};
    const struct cf_law *law = NULL;
    struct cf_curves *curves = cf_curves_alloc();
    struct cf_impact impact;
    double p[CF_MAX_PARAM], mass_kg = 0;

    /* beta = lambda v^0.2/(k^0.6 m^0.4) is 1 here, and the reference table says e =
     * 0.39393060322987319 */
    const struct cf_named given[] = {{"k", 1e8}, {"lambda", 1e8}};
    int status = curves ? cf_law_get("azad-featherstone", &law, &err) : CF_ENOMEM;
    if (!status)
        status = cf_quantity_parse("1e8 kg", "kg", &mass_kg, &err);
    if (!status)
        status = cf_law_params(law, given, 2, NAN, 0, p, &err);
    if (!status)
        status = cf_impact(curves, law, p, mass_kg, 1, &impact, &err);
    cf_curves_free(curves);
    if (status) {
        fprintf(stderr, "user: %s: %s\n", cf_status_text(status), err.text);
        return 1;
    }
    printf("e = %.12f\n", impact.value[CF_IMPACT_RESTITUTION]);
    return fabs(impact.value[CF_IMPACT_RESTITUTION] - 0.39393060322987319) < 1e-11 ? 0 : 1;
}
