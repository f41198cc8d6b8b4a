/* Rows of an apparatus that each trace has for its sensors, under the name of a channel or behind
 * it; private to src/experiment. What they mean is in sensor.h. */

#ifndef CF_EXPERIMENT_SENSOR_ROWS_H
#define CF_EXPERIMENT_SENSOR_ROWS_H

#define CF_SENSOR_DELAY_ROW(name)                                                                  \
    {                                                                                              \
        name, "s", -1e6, 1e6, -0.1, 0.1, 0, CF_SCALE_LINEAR,                                       \
            "by which the channel shows things late"                                               \
    }
#define CF_SENSOR_BANDWIDTH_ROW(name)                                                              \
    {                                                                                              \
        name, "Hz", 0, 1e9, 1e-2, 1e7, 0, CF_SCALE_LOG,                                            \
            "up to which the channel follows; 0: it follows at once"                               \
    }
#define CF_SENSOR_ORDER_ROW(name)                                                                  \
    {                                                                                              \
        name, "1", 1, 2, 1, 2, 1, CF_SCALE_LINEAR,                                                 \
            "of the channel's bandwidth: 1, or 2 as Butterworth"                                   \
    }

#endif
