/* One impact on its way; private to pulse_equations.c and pulse_motion.c. */

#ifndef CF_EXPERIMENT_PULSE_PARTS_H
#define CF_EXPERIMENT_PULSE_PARTS_H

#include "experiment/pulse_motion.h"

/* Depth and its rate, place and speed of the head, the law's states, what is shown and its rate. */
enum {
    CF_PULSE_Z,
    CF_PULSE_W,
    CF_PULSE_X,
    CF_PULSE_V,
    CF_PULSE_STATE,
    CF_PULSE_SHOWN = CF_PULSE_STATE + CF_MAX_STATE,
    CF_PULSE_SHOWN_RATE,
    CF_PULSE_NSTATE
};

enum cf_pulse_mode {
    CF_PULSE_TOUCHING,
    CF_PULSE_CLAMPED, /* the force has ended before the depth did, and may come back */
    CF_PULSE_OPEN,
    CF_PULSE_NMODE
};

struct cf_pulse_state {
    const struct cf_pulse_motion *motion;
    enum cf_pulse_mode mode;
    bool soft, slow; /* a rig that gives way, a sensor that lags */
    double depth_m;  /* about what the impact comes to */
    double approach_m_s, approach_by[CF_PULSE_MOST_COLUMNS]; /* of this touch */
    double unit[CF_PULSE_MOST_COLUMNS]; /* columns are of parameters over their size */
    double dtau[CF_PULSE_MOST_COLUMNS]; /* of the event that has ended a mode */
    double w;                           /* 2 pi times the bandwidth */

    size_t n, at; /* samples, and the first that is still to be taken */
    const double *time_s;
    double *force_N, *rate_N_s, *by;
};

/* The contact as the law sees it. */
struct cf_contact cf_pulse_contact(const struct cf_pulse_state *r, const double y[]);

/* What the sensor feels, without its lag; by time; along each column. */
double cf_pulse_felt(const struct cf_pulse_state *r, const double y[]);
double cf_pulse_felt_rate(const struct cf_pulse_state *r, const double y[], const double rate[]);
void cf_pulse_felt_by(const struct cf_pulse_state *r, const double y[], const double s[],
                      double by[]);

/* For struct cf_ode_system, the state being the context. */
void cf_pulse_rates(const void *context, double t, const double y[], double rate[]);
void cf_pulse_variation(const void *context, double t, const double y[], const double s[],
                        double ds[]);

#endif
