/* The channels and apparatus of the slide protocols; private to their files. */

#ifndef CF_EXPERIMENT_SLIDE_CHANNELS_H
#define CF_EXPERIMENT_SLIDE_CHANNELS_H

#include "experiment/protocol.h"

enum cf_slide_channel {
    CF_SLIDE_SPEED,
    CF_SLIDE_LOAD,
    CF_SLIDE_ACCELERATION,
    CF_SLIDE_FORCE,
    CF_SLIDE_TORQUE,
    CF_SLIDE_COEFFICIENT,
    CF_SLIDE_NCHANNEL
};

enum cf_slide_apparatus {
    CF_SLIDE_APPARATUS_LOAD,
    CF_SLIDE_LEVER,
    CF_SLIDE_RAMP,
    CF_SLIDE_NAPPARATUS
};

/* reading = sign(speed) factor curve(by_speed |speed|) */
struct cf_slide_reading {
    double factor, by_speed;
    double by_load, by_lever; /* of the factor, by numbers of the apparatus */
};

/* Is its speed that of an axis [rad/s]? */
bool cf_slide_is_rotary(const struct cf_dataset *d);

/* Is what the law gives over the load: of friction curves those of coefficients, and every friction
 * law with its bristles settled? */
bool cf_slide_is_coefficient(const struct cf_law *law);

/* The load of a row: its own, else the apparatus's, which is 0 where none is stated. */
double cf_slide_load(const struct cf_dataset *d, size_t row, const double apparatus[]);

struct cf_slide_reading cf_slide_reading(const struct cf_dataset *d, const struct cf_law *law,
                                         const double apparatus[], size_t row, size_t channel);

/* Parameters of a friction curve from a line through the fast half of the rows and from how far the
 * slow ones lie above it. false: too few rows. */
int cf_slide_hand(const struct cf_dataset *d, const struct cf_law *law, struct cf_hand start[],
                  struct cf_error *err);

/* slide_friction.c: a friction law in steady sliding at a speed under a load, as a coefficient. */
int cf_slide_settled(const struct cf_request *q, double load_N, double speed_m_s, bool derivatives,
                     struct cf_friction_curve *out, struct cf_error *err);

/* May such a law be fitted to slides? */
int cf_slide_check_friction(const struct cf_dataset *d, const struct cf_law *law,
                            struct cf_error *err);

#endif
