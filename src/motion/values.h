/* The channels that a run is asked for; private to src/motion. */

#ifndef CF_MOTION_VALUES_H
#define CF_MOTION_VALUES_H

#include "motion/sensitivity.h"

struct cf_value_list {
    const struct cf_system *system;
    struct cf_sensitivity *sensitivity; /* NULL: no derivatives */
    size_t n, ncolumn;
    const struct cf_motion_channel *channel;
    double *value, *rate, *by; /* n, n, ncolumn * n */

    /* Where each is a state, but for a constant: */
    bool states;
    size_t *state; /* n + 1: the last is the time */
    double *seen;  /* (2 + ncolumn) (n + 1) */

    /* else which bodies and contacts are looked at */
    bool *body, *contact;                               /* nbody, npair */
    struct cf_body_state *body_state, *body_by;         /* nbody */
    struct cf_contact_snapshot *snapshot, *snapshot_by; /* npair */
    double *rates;                                      /* n of the system */
    struct cf_pose_by *pose;                            /* nbody */
    struct cf_contact_by *contact_by;                   /* npair */
};

/* snapshot.c: what a contact shows of friction's states, or of their derivatives; */
void cf_bristle_snapshot(const struct cf_friction_law *law, const double state[],
                         struct cf_contact_snapshot *out);

/* A body and a contact at a time; poses are made, and the contact's system->kin. */
void cf_body_state_at(const struct cf_system *system, size_t index, double time_s,
                      const double state[], struct cf_body_state *out);
void cf_contact_snapshot_at(const struct cf_system *system, const struct cf_contact_state *contact,
                            double time_s, const double state[], struct cf_contact_snapshot *out);

/* values.c */

/* Has the scene all of them? */
int cf_channel_check(const struct cf_scene *scene, size_t n,
                     const struct cf_motion_channel channel[], struct cf_error *err);

int cf_values_make(struct cf_value_list *list, const struct cf_system *system, size_t n,
                   const struct cf_motion_channel channel[], size_t ncolumn, struct cf_error *err);
void cf_values_free(struct cf_value_list *list);

/* Where all channels are states: at t within a step. */
void cf_values_of_step(struct cf_value_list *list, const struct cf_ode_dense *dense, double t);

/* From a state, and the sensitivity's columns at this time. */
void cf_values_of_state(struct cf_value_list *list, double time_s, const double state[]);

/* options.c: are they such as can be fulfilled? */
int cf_options_check(const struct cf_scene *scene, const struct cf_motion_options *options,
                     struct cf_error *err);

#endif
