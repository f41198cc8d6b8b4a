/* The channels and apparatus of the pulse protocol; private to its files. */

#ifndef CF_EXPERIMENT_PULSE_CHANNELS_H
#define CF_EXPERIMENT_PULSE_CHANNELS_H

#include "experiment/protocol.h"

enum cf_pulse_channel {
    CF_PULSE_SINCE, /* made of `time` where that is read */
    CF_PULSE_TIME,
    CF_PULSE_SPEED,
    CF_PULSE_IMPACT,
    CF_PULSE_FORCE,
    CF_PULSE_NCHANNEL
};

enum cf_pulse_apparatus {
    CF_PULSE_STIFFNESS,
    CF_PULSE_HEAD,
    CF_PULSE_DAMPING,
    CF_PULSE_BANDWIDTH,
    CF_PULSE_ORDER,
    CF_PULSE_DRIFT,
    CF_PULSE_SPEED_GAIN,
    CF_PULSE_RISE, /* from here on: rules by which a record is read */
    CF_PULSE_BASELINE,
    CF_PULSE_CONTACT_ROWS,
    CF_PULSE_PERIOD_ROWS,
    CF_PULSE_SHIFT,
    CF_PULSE_APART,
    CF_PULSE_NAPPARATUS
};

enum { CF_PULSE_TOUCH, CF_PULSE_NSTART };

/* An impact in a record, as the force alone shows it. */
struct cf_pulse_seen {
    size_t n;                  /* readings */
    bool seen;                 /* are they as many as are needed? All below is 0 where not */
    double level_N, noise_N;   /* without contact: their middle, and the sd of one reading */
    double peak_N, lowest_N;   /* over that level */
    double peak_s, lowest_s;   /* their times, as read */
    double least_N;            /* over the level, from which on there is contact */
    size_t before, in, behind; /* readings before, in and behind contact */
    double touch_s, end_s;     /* times, as read */
    double impulse_Ns;         /* in contact */
    double step_s;             /* the median of the steps in contact */
    double shift_N;            /* level behind contact less that before */
};

/* Fails without memory. */
int cf_pulse_see(const struct cf_dataset *d, struct cf_segment segment, struct cf_pulse_seen *out,
                 struct cf_error *err);

/* The i-th of a data set's impacts; all rows are one where it has none. */
size_t cf_pulse_count(const struct cf_dataset *d);
struct cf_segment cf_pulse_segment(const struct cf_dataset *d, size_t i);

/* pulse_cut.c: where one impact ends and the next begins: d->segment. */
int cf_pulse_cut(struct cf_dataset *d, size_t *row, char note[], size_t size, struct cf_error *err);

/* pulse_record.c, pulse_hand.c, pulse_predict.c: for the protocol. */
int cf_pulse_complete(struct cf_dataset *d, struct cf_record_about *about, char note[], size_t size,
                      struct cf_error *err);
int cf_pulse_hand(const struct cf_dataset *d, const struct cf_law *law, struct cf_hand start[],
                  struct cf_error *err);
int cf_pulse_predict(void *work, const struct cf_request *q, struct cf_response *out,
                     struct cf_error *err);
int cf_pulse_depth(const struct cf_dataset *d, size_t row, double *depth_m, bool *measured,
                   struct cf_error *err);

#endif
