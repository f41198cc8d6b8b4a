/* The calls of a run's observer, and the check of the energy balance; private to src/motion. */

#ifndef CF_MOTION_OBSERVER_H
#define CF_MOTION_OBSERVER_H

#include "motion/values.h"

struct cf_observer {
    const struct cf_system *system;
    const struct cf_motion_options *options;
    struct cf_motion_result *result;
    struct cf_body_state *body;
    struct cf_contact_snapshot *contact;
    double angle[CF_MAX_LINK], rate[CF_MAX_LINK];
    struct cf_sensitivity *sensitivity; /* NULL: no sensitivities */
    double *time_by;                    /* nwrt, and so are the following, times their number */
    struct cf_body_state *body_by;
    struct cf_contact_snapshot *contact_by;
    struct cf_value_list values; /* where they are asked for */
    double start_J[CF_NENERGY], sum_J;
    double turned_J, held_J; /* energies' changes so far, summed; the most that springs held */
    size_t nsample;          /* so far */
    double sampled_s;        /* the last one */
};

int cf_observer_make(struct cf_observer *observer, const struct cf_system *system,
                     const struct cf_motion_options *options, struct cf_motion_result *result,
                     struct cf_error *err);
void cf_observer_free(struct cf_observer *observer);

/* The start of the energy balance. */
void cf_observer_start(struct cf_observer *observer, const double state[]);

void cf_observer_event(struct cf_observer *observer, enum cf_motion_event what, size_t index,
                       double time_s, const double state[]);
void cf_observer_sample(struct cf_observer *observer, double time_s, const double state[]);

/* The first sample, if there is one at the start. */
void cf_observer_begin(struct cf_observer *observer, const double state[]);

/* Is no more wanted of a sample than some states? Then from a step, at t. */
bool cf_observer_takes_states(const struct cf_observer *observer);
void cf_observer_states(struct cf_observer *observer, double time_s,
                        const struct cf_ode_dense *dense, double t);

/* CF_ECANCELLED where the run is to stop here. */
int cf_observer_stop(const struct cf_observer *observer, double time_s, struct cf_error *err);

/* The end, unless a sample fell on it, and the energy balance there. */
void cf_observer_end(struct cf_observer *observer, double time_s, const double state[]);

/* When the next sample is due; INFINITY: none. */
double cf_observer_due(const struct cf_observer *observer);

/* The last time that is earlier than this one, and not its rounding. */
double cf_observer_before(double time_s);

/* The energy balance at a time, without calling the observer. */
void cf_observer_balance(struct cf_observer *observer, double time_s, const double state[]);

#endif
