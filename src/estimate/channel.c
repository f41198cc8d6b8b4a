/* Sigmas of channels, and which variances a problem has. */

#include <math.h>

#include "estimate/effects.h"
#include "estimate/records.h"
#include "estimate/serial.h"

size_t cf_channel_of(const struct cf_problem *problem, size_t data, size_t column)
{
    const struct cf_set *set = &problem->set[data];
    bool there =
        column < problem->spec->data[data].protocol->nchannel && set->index[column] < set->nchannel;

    return there ? set->fitted[set->index[column]] : CF_NO_CHANNEL;
}

size_t cf_channel_sets(const struct cf_problem *problem, size_t channel)
{
    size_t n = 0;

    for (size_t d = 0; d < problem->spec->ndata; d++)
        n += cf_channel_of(problem, d, problem->channel[channel].column) == channel;
    return n;
}

bool cf_channels_meet(const struct cf_problem *problem, size_t a, size_t b)
{
    bool meet = false;

    for (size_t d = 0; d < problem->spec->ndata && !meet; d++)
        meet = cf_channel_of(problem, d, problem->channel[a].column) == a &&
               cf_channel_of(problem, d, problem->channel[b].column) == b;
    return meet;
}

void cf_channel_part(struct cf_problem *problem, size_t channel, double p)
{
    struct cf_problem *q = problem;
    size_t column = q->channel[channel].column;

    q->channel[channel].unequal = p;
    for (size_t d = q->channel[channel].data + 1; d < q->spec->ndata; d++) {
        if (cf_channel_of(q, d, column) != channel)
            continue;
        q->set[d].fitted[q->set[d].index[column]] = q->nchannel;
        q->channel[q->nchannel] = q->channel[channel];
        q->channel[q->nchannel++].data = d;
    }
    for (size_t c = 0; c < q->nchannel; c++)
        q->channel[c].n = 0;
    for (size_t i = 0; i < q->nobservation; i++) {
        struct cf_observation *o = &q->observation[i];
        o->channel = (uint32_t) cf_channel_of(q, o->data, o->column);
        q->channel[o->channel].n++;
    }
}

bool cf_channel_is_plain(const struct cf_channel *channel)
{
    return channel->model == CF_SIGMA_CONSTANT && !channel->floored && !channel->carries;
}

double cf_channel_sigma(const struct cf_channel *channel, const struct cf_observation *o)
{
    return hypot(cf_channel_own_sigma(channel, o), o->carried);
}

double cf_channel_own_sigma(const struct cf_channel *channel, const struct cf_observation *o)
{
    double growth = 0;

    if (cf_channel_is_plain(channel))
        return channel->sigma;
    if (channel->model != CF_SIGMA_CONSTANT)
        growth = channel->slope2 * cf_channel_growth(channel, o->abscissa);
    return sqrt(channel->base2 + growth + o->sigma0 * o->sigma0);
}

bool cf_channel_is_known(const struct cf_channel *channel)
{
    const double least_estimated = 1e-3; /* of the variance: no test and no interval sees less */
    double all = channel->sigma * channel->sigma;

    return !channel->estimated || all - channel->beside2 < least_estimated * all;
}

double cf_channel_carried(const struct cf_problem *problem, size_t channel)
{
    double squares = 0;

    for (size_t i = 0; i < problem->nobservation; i++)
        if (problem->observation[i].channel == channel)
            squares += problem->observation[i].carried * problem->observation[i].carried;
    return sqrt(squares / (double) problem->channel[channel].n);
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
