/* What is told to the observer of a run, and the books' check; private to src/motion. */

#ifndef CF_MOTION_OBSERVER_H
#define CF_MOTION_OBSERVER_H

#include "motion/sensitivity.h"

struct cf_watch {
    const struct cf_system *system;
    const struct cf_motion_options *options;
    struct cf_motion_result *result;
    struct cf_body_state *body;
    struct cf_meeting_state *meeting;
    double angle[CF_MAX_LINK], rate[CF_MAX_LINK];
    struct cf_sense *sense; /* NULL: no sensitivities */
    double *time_by;        /* nwrt, and so are the following, times their number */
    struct cf_body_state *body_by;
    struct cf_meeting_state *meeting_by;
    double start_J[CF_NENERGY], sum_J;
    size_t nsample;   /* told so far */
    double sampled_s; /* the last one */
};

int cf_watch_make(struct cf_watch *watch, const struct cf_system *system,
                  const struct cf_motion_options *options, struct cf_motion_result *result,
                  struct cf_error *err);
void cf_watch_free(struct cf_watch *watch);

/* The books' start. */
void cf_watch_start(struct cf_watch *watch, const double state[]);

void cf_watch_happened(struct cf_watch *watch, enum cf_happening what, size_t index, double time_s,
                       const double state[]);
void cf_watch_sample(struct cf_watch *watch, double time_s, const double state[]);

/* The end, unless a sample fell on it, and the books there. */
void cf_watch_end(struct cf_watch *watch, double time_s, const double state[]);

/* When the next sample is due; INFINITY: none. */
double cf_watch_due(const struct cf_watch *watch);

/* The books at a time, without telling anyone. */
void cf_watch_books(struct cf_watch *watch, double time_s, const double state[]);

#endif
