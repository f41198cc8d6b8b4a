/* Rows defined by the protocol files; private to src/experiment. */

#ifndef CF_EXPERIMENT_ROWS_H
#define CF_EXPERIMENT_ROWS_H

#include "experiment/protocol.h"

extern const struct cf_protocol cf_protocol_impact;
extern const struct cf_protocol cf_protocol_bounce;
extern const struct cf_protocol cf_protocol_bounce_heights;
extern const struct cf_protocol cf_protocol_indent;
extern const struct cf_protocol cf_protocol_log;
extern const struct cf_protocol cf_protocol_oblique;
extern const struct cf_protocol cf_protocol_pulse;
extern const struct cf_protocol cf_protocol_ramp;
extern const struct cf_protocol cf_protocol_ramp_force;
extern const struct cf_protocol cf_protocol_slide;
extern const struct cf_protocol cf_protocol_slide_rotary;
extern const struct cf_protocol cf_protocol_stick_slip;
extern const struct cf_protocol cf_protocol_tap;
extern const struct cf_protocol cf_protocol_toss;
extern const struct cf_protocol cf_protocol_velocity_step;

#endif
