/* Which records of a study are of one rig, and what that rig has been set to. */

#include <math.h>

#include "identify/design.h"

static bool one_rig(const struct cf_dataset *a, const struct cf_dataset *b,
                    const struct cf_setting *setting)
{
    if (!cf_protocol_same(a->protocol, b->protocol) || a->pair.mass_kg != b->pair.mass_kg ||
        a->pair.radius_m != b->pair.radius_m)
        return false;
    for (size_t i = 0; i < a->protocol->napparatus; i++)
        if (!setting->varies(i) && a->apparatus[i] != b->apparatus[i] &&
            !(isnan(a->apparatus[i]) && isnan(b->apparatus[i])))
            return false;
    return true;
}

/* Can records be made like this one? */
static bool serves(const struct cf_dataset *d, const struct cf_setting *setting)
{
    bool done;

    return !isnan(setting->read(d, &done));
}

bool cf_design_is_rig(const struct cf_spec *spec, size_t data, const struct cf_setting *setting)
{
    if (!serves(&spec->data[data], setting))
        return false;
    for (size_t i = 0; i < data; i++)
        if (one_rig(&spec->data[i], &spec->data[data], setting) && serves(&spec->data[i], setting))
            return false;
    return true;
}

bool cf_design_range(const struct cf_spec *spec, size_t data, const struct cf_setting *setting,
                     double *low, double *high, bool *done)
{
    *low = INFINITY;
    *high = 0;
    *done = false;
    for (int own = 1; own >= 0 && !(*high > 0); own--) /* those that had it, else any */
        for (size_t i = 0; i < spec->ndata; i++) {
            bool had;
            double x;
            if (!one_rig(&spec->data[data], &spec->data[i], setting))
                continue;
            x = setting->read(&spec->data[i], &had);
            if (isnan(x) || (own && !had))
                continue;
            *done = *done || had;
            *low = fmin(*low, x);
            *high = fmax(*high, x);
        }
    return *high > 0;
}
