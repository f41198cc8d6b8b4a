/* The channels of the impact protocol; private to its files. */

#ifndef CF_EXPERIMENT_IMPACT_CHANNELS_H
#define CF_EXPERIMENT_IMPACT_CHANNELS_H

#include "experiment/protocol.h"

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

enum cf_impact_apparatus {
    CF_IMPACT_HEIGHT_SCALE,
    CF_IMPACT_DRAG,
    CF_IMPACT_AIR_DENSITY,
    CF_IMPACT_GRAVITY,
    CF_IMPACT_NAPPARATUS
};

/* kappa of the sphere (flight.h) by values of the apparatus, and (NULL to skip) its derivatives by
 * the drag coefficient and by the density of air. */
double cf_impact_drag(const struct cf_dataset *d, const double value[], double by[]);

/* The speed at the end of a fall, by the data set's own apparatus. */
double cf_impact_fall(const struct cf_dataset *d, double height_m);

/* struct cf_protocol's weigh. */
bool cf_impact_weigh(const struct cf_dataset *d, size_t row, const struct cf_law *law,
                     const double value[], double share[]);

int cf_impact_check_row(const struct cf_dataset *d, size_t row, char note[], size_t size,
                        struct cf_error *err);
int cf_impact_check_law(const struct cf_dataset *d, const struct cf_law *law, struct cf_error *err);

#endif
