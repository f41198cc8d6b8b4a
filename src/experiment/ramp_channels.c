#include "experiment/ramp_channels.h"

#include <math.h>

enum cf_ramp_channel cf_ramp_driven(const struct cf_dataset *d)
{
    return d->protocol->channel[CF_RAMP_DISPLACEMENT].role == CF_ROLE_IMPOSED ? CF_RAMP_DISPLACEMENT
                                                                              : CF_RAMP_FORCE;
}

double cf_ramp_load(const struct cf_dataset *d, size_t row)
{
    double load = cf_dataset_value(d, row, CF_RAMP_LOAD);

    if (isnan(load) && d->apparatus[CF_RAMP_APPARATUS_LOAD] > 0)
        load = d->apparatus[CF_RAMP_APPARATUS_LOAD];
    return load;
}
