/* The channels, apparatus and rules of the protocol of heights over time; private to its files. */

#ifndef CF_EXPERIMENT_BOUNCE_HEIGHTS_H
#define CF_EXPERIMENT_BOUNCE_HEIGHTS_H

#include "experiment/bounce_channels.h"

/* Times and throws are those of stamps. */
enum cf_heights_channel {
    CF_HEIGHTS_TIME,
    CF_HEIGHTS_THROW,
    CF_HEIGHTS_HEIGHT,
    CF_HEIGHTS_SPEED,
    CF_HEIGHTS_RATIO,
    CF_HEIGHTS_RESTITUTION,
    CF_HEIGHTS_NCHANNEL
};

/* Drag and air are those of stamps. */
enum cf_heights_apparatus {
    CF_HEIGHTS_DRAG,
    CF_HEIGHTS_AIR_DENSITY,
    CF_HEIGHTS_CONTACT,
    CF_HEIGHTS_GRAVITY,
    CF_HEIGHTS_NAPPARATUS
};

enum cf_heights_rule {
    CF_HEIGHTS_RISE,
    CF_HEIGHTS_APART,
    CF_HEIGHTS_LEAST,
    CF_HEIGHTS_MISFIT,
    CF_HEIGHTS_MEET,
    CF_HEIGHTS_NRULE
};

/* What is shared with stamps goes by their places. */
_Static_assert((int) CF_HEIGHTS_THROW == (int) CF_BOUNCE_THROW &&
                   (int) CF_HEIGHTS_DRAG == (int) CF_BOUNCE_DRAG &&
                   (int) CF_HEIGHTS_AIR_DENSITY == (int) CF_BOUNCE_AIR_DENSITY,
               "throws, drag and air are where those of stamps are");

extern const struct cf_param cf_heights_rules[CF_HEIGHTS_NRULE];

/* Samples into flights, their highest points and the ratios of these (bounce_heights_record.c); see
 * struct cf_derived. */
int cf_heights_derive(struct cf_dataset *d, const struct cf_remarks *remarks, struct cf_error *err);
bool cf_heights_stamped(const struct cf_dataset *d, size_t row, double ratio,
                        struct cf_stamped *out);

#endif
