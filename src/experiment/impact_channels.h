/* The channels of the impact protocol; private to its files. */

#ifndef CF_EXPERIMENT_IMPACT_CHANNELS_H
#define CF_EXPERIMENT_IMPACT_CHANNELS_H

#include "experiment/plausible.h"

enum cf_impact_channel {
    CF_CHANNEL_SPEED,
    CF_CHANNEL_DROP_HEIGHT,
    CF_CHANNEL_RESTITUTION,
    CF_CHANNEL_REBOUND_SPEED,
    CF_CHANNEL_REBOUND_HEIGHT,
    CF_CHANNEL_DURATION,
    CF_CHANNEL_DEPTH,
    CF_CHANNEL_PEAK_FORCE,
    CF_CHANNEL_NCHANNEL
};

/* Ends with a rule without a name. */
extern const struct cf_plausible_rule cf_impact_rules[];

#endif
