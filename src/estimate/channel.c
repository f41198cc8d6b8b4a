/* Sigmas of channels, and which variances a problem has. */

#include <math.h>

#include "estimate/effects.h"
#include "estimate/records.h"
#include "estimate/serial.h"

bool cf_channel_is_plain(const struct cf_channel *channel)
{
    return channel->model == CF_SIGMA_CONSTANT && !channel->floored;
}

double cf_channel_sigma(const struct cf_channel *channel, const struct cf_observation *o)
{
    double growth = 0;

    if (cf_channel_is_plain(channel))
        return channel->sigma;
    if (channel->model != CF_SIGMA_CONSTANT)
        growth = channel->slope2 * cf_channel_growth(channel, o->abscissa);
    return sqrt(channel->base2 + growth + o->sigma0 * o->sigma0);
}

double cf_channel_growth(const struct cf_channel *channel, double abscissa)
{
    return channel->model == CF_SIGMA_POWER ? pow(fabs(abscissa), 2 * channel->exponent)
                                            : abscissa * abscissa;
}

size_t cf_extra_variances(const struct cf_problem *problem)
{
    size_t n = 0;

    for (size_t i = 0; i < problem->nchannel; i++)
        n += (size_t) (problem->channel[i].model == CF_SIGMA_BOTH) +
             (problem->channel[i].model == CF_SIGMA_POWER) +
             (problem->channel[i].partner != CF_NO_CHANNEL);
    n += problem->neffect;
    for (size_t i = 0; i < problem->nrecord; i++)
        n += problem->record[i].estimated;
    for (size_t i = 0; i < problem->nserial; i++)
        n += cf_serial_parameters(&problem->serial[i].model);
    return n;
}

bool cf_uses_reml(const struct cf_problem *problem)
{
    bool uses = cf_shares_errors(problem);

    for (size_t i = 0; i < problem->nchannel && !uses; i++)
        uses = problem->channel[i].estimated && (!cf_channel_is_plain(&problem->channel[i]) ||
                                                 problem->channel[i].partner != CF_NO_CHANNEL);
    return uses;
}
