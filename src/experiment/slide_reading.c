/* What an instrument of a slide shows of a friction curve. */

#include <math.h>
#include <string.h>

#include "experiment/slide_channels.h"

bool cf_slide_is_rotary(const struct cf_dataset *d)
{
    return strcmp(d->protocol->axis.unit, "rad/s") == 0;
}

bool cf_slide_is_coefficient(const struct cf_law *law)
{
    return law->family == CF_FAMILY_COEFFICIENT || law->friction;
}

double cf_slide_load(const struct cf_dataset *d, size_t row, const double apparatus[])
{
    return cf_dataset_has(d, row, CF_SLIDE_LOAD) ? cf_dataset_value(d, row, CF_SLIDE_LOAD)
                                                 : apparatus[CF_SLIDE_APPARATUS_LOAD];
}

/* v = lever w about an axis, but for a law of its torque. */
struct cf_slide_reading cf_slide_reading(const struct cf_dataset *d, const struct cf_law *law,
                                         const double apparatus[], size_t row, size_t channel)
{
    bool torque_law = law->family == CF_FAMILY_FRICTION_TORQUE;
    double lever = apparatus[CF_SLIDE_LEVER];
    struct cf_slide_reading r = {.factor = 1,
                                 .by_speed = cf_slide_is_rotary(d) && !torque_law ? lever : 1};

    if (channel == CF_SLIDE_COEFFICIENT)
        return r;
    if (cf_slide_is_coefficient(law)) {
        r.factor = cf_slide_load(d, row, apparatus);
        if (!(r.factor > 0)) /* not stated */
            r.factor = (double) NAN;
        r.by_load = !cf_dataset_has(d, row, CF_SLIDE_LOAD);
    }
    if (channel == CF_SLIDE_TORQUE && !torque_law) {
        r.by_lever = r.factor;
        r.by_load *= lever;
        r.factor *= lever;
    }
    return r;
}
