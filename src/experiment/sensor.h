/* What sensors make of a motion: sampled at times of their own clock, late, and slow.
 *
 * A sensor shows at time t what was at t - delay. One of bandwidth f follows its input x by
 *
 *   order 1:  y' = w (x - y)                       w = 2 pi f, the gain being 1/sqrt(2) at f
 *   order 2:  y'' = w^2 (x - y) - sqrt(2) w y'     (Butterworth)
 *
 * from rest at what it sees first. Private to src/experiment.
 */

#ifndef CF_EXPERIMENT_SENSOR_H
#define CF_EXPERIMENT_SENSOR_H

#include "motion/motion.h"

enum cf_sensor_number { CF_SENSOR_DELAY, CF_SENSOR_BANDWIDTH, CF_NSENSOR_NUMBER };

struct cf_sensor {
    struct cf_motion_channel channel;
    double delay_s;
    double bandwidth_Hz; /* 0: it follows at once */
    int order;           /* 1 or 2 */
};

/* Samples that are wanted of a scene, which begins at time 0. */
struct cf_sampling {
    size_t n;
    const double *time_s; /* of the sensors' clock, in any order; what is before the start is as at
                             the start */
    size_t nsensor;
    const struct cf_sensor *sensor;
    size_t nwrt;
    const struct cf_wrt *wrt;
    double tolerance;
    size_t max_steps;
};

/* Where they go, sample by sample, in it sensor by sensor; NULL: not wanted. */
struct cf_sampled {
    double *y;         /* n * nsensor; NAN where there is no such number */
    double *by;        /* n * nsensor * nwrt */
    double *by_number; /* n * nsensor * CF_NSENSOR_NUMBER: by the sensor's own */
};

/* CF_ESOLVE where the scene cannot be integrated. CF_ERANGE: a bandwidth so large that the record
 * would need more than CF_SENSOR_MOST samples to be followed; such a sensor follows at once. */
enum { CF_SENSOR_MOST = 10000000 };
int cf_sample(const struct cf_scene *scene, const struct cf_sampling *want, struct cf_sampled *out,
              struct cf_error *err);

/* sensor_lag.c: one interval of a slow sensor. The input and its derivative by time at both ends;
 * the state is y, and y' for order 2; beside it those of its derivative by w. */
struct cf_lag {
    double y[2], by_w[2];
};
void cf_lag_step(const struct cf_sensor *sensor, double h, const double x[2], const double rate[2],
                 struct cf_lag *lag);

#endif
