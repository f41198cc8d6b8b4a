/* The falls and rises of drops, with drag. */

#include <math.h>

#include "experiment/flight.h"
#include "experiment/impact_channels.h"

double cf_impact_drag(const struct cf_dataset *d, const double value[], double by[])
{
    double of_one = cf_sphere_drag(1, 1, d->pair.radius_m, d->pair.mass_kg);

    of_one = isfinite(of_one) ? of_one : 0; /* refused by check_law where it matters */
    if (by) {
        by[0] = of_one * value[CF_IMPACT_AIR_DENSITY];
        by[1] = of_one * value[CF_IMPACT_DRAG];
    }
    return of_one * value[CF_IMPACT_DRAG] * value[CF_IMPACT_AIR_DENSITY];
}

double cf_impact_fall(const struct cf_dataset *d, double height_m)
{
    return cf_fall_speed(height_m, d->pair.gravity_m_s2, cf_impact_drag(d, d->apparatus, NULL))
        .value;
}
