/* The channels and the apparatus of stick-slip; private to its files. */

#ifndef CF_EXPERIMENT_STICK_SLIP_CHANNELS_H
#define CF_EXPERIMENT_STICK_SLIP_CHANNELS_H

#include "experiment/plate.h"
#include "experiment/setting.h"

enum cf_stick_channel {
    CF_STICK_SINCE, /* the trough by hand; made of `time` where that is read */
    CF_STICK_TIME,
    CF_STICK_LOAD,
    CF_STICK_TROUGH_AT, /* time of the trough by hand, and */
    CF_STICK_TROUGH,    /* force of the spring there: both made of what is measured */
    CF_STICK_FORCE,
    CF_STICK_PLACE,
    CF_STICK_NCHANNEL
};

enum cf_stick_apparatus {
    CF_STICK_APPARATUS_LOAD,
    CF_STICK_MASS,
    CF_STICK_STIFFNESS,
    CF_STICK_DAMPING,
    CF_STICK_SPEED,
    CF_STICK_RIPPLE_RATE,
    CF_STICK_RIPPLE_COSINE,
    CF_STICK_RIPPLE_SINE,
    CF_STICK_HYSTERESIS, /* rules by which the record is read, from here on */
    CF_STICK_DRIFT,
    CF_STICK_ROWS,
    CF_STICK_NAPPARATUS
};

enum { CF_STICK_TROUGH_TIME, CF_STICK_TROUGH_FORCE, CF_STICK_NSTART };

/* One cycle, from a trough to the next. */
struct cf_stick_cycle {
    size_t first, count;       /* rows */
    double trough_s, trough_N; /* where it begins, by a parabola through the rows about it */
    double peak_s, peak_N;     /* where the slip begins; NAN: the record ends before */
    double rise_N_s, rise_sd;  /* slope of the force while it sticks, and its sd */
    bool whole;                /* the record goes on to the next trough */
};

struct cf_stick_cycles {
    size_t n;
    struct cf_stick_cycle *cycle;
    double low_N, high_N; /* range of the force */
    size_t highest;       /* row of the greatest force */
    size_t npeak;         /* in the whole record, before the first trough, too */
    size_t peak;          /* row of the first of them */
};

/* stick_slip_cut.c: the cycles of a record; n = 0 where nothing slips. The caller frees
 * cycles->cycle. */
int cf_stick_cut(const struct cf_dataset *d, struct cf_stick_cycles *out, struct cf_error *err);

/* What was measured, as a force of the spring; NAN: nothing in this row. */
double cf_stick_force(const struct cf_dataset *d, size_t row);

/* The load of the set; NAN: not known. */
double cf_stick_load(const struct cf_dataset *d);

/* stick_slip_record.c, stick_slip_hand.c, stick_slip_predict.c: for the protocol. */
int cf_stick_complete(struct cf_dataset *d, struct cf_record_about *about, char note[], size_t size,
                      struct cf_error *err);
int cf_stick_hand(const struct cf_dataset *d, const struct cf_law *law, struct cf_hand start[],
                  struct cf_error *err);
int cf_stick_start_sd(const struct cf_dataset *d, size_t i, double *sd, struct cf_error *err);
int cf_stick_foresee(const struct cf_dataset *d, const struct cf_law *law, const double p[],
                     char text[], size_t size, struct cf_error *err);

/* A cycle takes some hundred steps; where one takes more than these, the law makes it chatter, and
 * the start of a fit that came there is given up. */
enum { CF_STICK_MOST_STEPS = 20000 };

/* The numbers of the rig of apparatus[CF_STICK_NAPPARATUS]; those of the trough are left. */
void cf_stick_plate(const double apparatus[], struct cf_plate *plate);

int cf_stick_predict(void *work, const struct cf_request *q, struct cf_response *out,
                     struct cf_error *err);

/* stick_slip_setting.c: what a further record may be made at. */
enum { CF_STICK_NSETTING = 1 };
extern const struct cf_setting cf_stick_setting[CF_STICK_NSETTING];

#endif
