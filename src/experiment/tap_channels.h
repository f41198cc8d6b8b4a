/* The channels and the apparatus of taps; private to their files. */

#ifndef CF_EXPERIMENT_TAP_CHANNELS_H
#define CF_EXPERIMENT_TAP_CHANNELS_H

#include "experiment/slider.h"

enum cf_tap_channel {
    CF_TAP_TIME,
    CF_TAP_LOAD,
    CF_TAP_DISPLACEMENT,
    CF_TAP_VELOCITY,
    CF_TAP_ACCELERATION,
    CF_TAP_NCHANNEL
};

/* What is measured. */
enum { CF_TAP_FIRST = CF_TAP_DISPLACEMENT, CF_TAP_MEASURED = CF_TAP_NCHANNEL - CF_TAP_FIRST };

enum cf_tap_of_channel { CF_TAP_DELAY, CF_TAP_BANDWIDTH, CF_TAP_ORDER, CF_TAP_NOF_CHANNEL };

enum cf_tap_apparatus {
    CF_TAP_APPARATUS_LOAD,
    CF_TAP_MASS,
    CF_TAP_SENSOR_MASS,
    CF_TAP_KNOCK,
    CF_TAP_SPEED,
    CF_TAP_SENSORS, /* CF_TAP_NOF_CHANNEL of each */
    CF_TAP_RISE = CF_TAP_SENSORS + CF_TAP_NOF_CHANNEL * CF_TAP_MEASURED, /* rules, from here on */
    CF_TAP_NAPPARATUS
};

/* Where a number of a channel stands. */
static inline size_t cf_tap_number(size_t channel, enum cf_tap_of_channel number)
{
    return CF_TAP_SENSORS + (channel - CF_TAP_FIRST) * CF_TAP_NOF_CHANNEL + number;
}

/* tap_record.c: what a row needs and a record; what it says by hand of the knock, of frequency and
 * damping. */
int cf_tap_check_row(const struct cf_dataset *d, size_t row, char note[], size_t size,
                     struct cf_error *err);
int cf_tap_complete(struct cf_dataset *d, struct cf_record_about *about, char note[], size_t size,
                    struct cf_error *err);
int cf_tap_range(const struct cf_dataset *d, size_t parameter, struct cf_param *row,
                 struct cf_error *err);
int cf_tap_hand(const struct cf_dataset *d, const struct cf_law *law, struct cf_hand start[],
                struct cf_error *err);

#endif
