/* Sensitivities of a run: columns of derivatives that go through flights, phases and touches.
 *
 * Between phases a column holds total derivatives: those of the states at an instant that itself
 * moves, and, at the index of the time, the derivative of that instant. Only states that rates read
 * have columns: column c starts at s[c * nread]. Private to src/motion.
 */

#ifndef CF_MOTION_SENSITIVITY_H
#define CF_MOTION_SENSITIVITY_H

#include "motion/along.h"

struct cf_sensitivity {
    struct cf_system *system;
    size_t ncolumn;
    const struct cf_wrt *wrt;
    struct cf_contact_state_by *by; /* ncolumn * npair */
    double *s, *kept;               /* ncolumn * nread; saved by a caller */
    double *size;                   /* the same: what errors of columns are held against */
    struct cf_along *along;         /* ncolumn: the columns at one state */
    struct cf_pose_by *pose;        /* ncolumn * nbody: theirs */
    struct cf_contact_by *contact;  /* ncolumn * npair */
    double *work;                   /* of cf_rub_along() */
    double *rate;                   /* n: rates in time */
    double *at, *spare;             /* n */
    double *per;                    /* ncolumn: 1/size of the parameter */
    double *time, *ended;           /* ncolumn: derivatives of a time; of the last event's */
};

/* wrt.c: about how large is one, of one that is 0 a typical value. */
double cf_wrt_size(const struct cf_scene *scene, const struct cf_wrt *wrt);

int cf_sensitivity_make(struct cf_sensitivity *sensitivity, struct cf_system *system,
                        size_t ncolumn, const struct cf_wrt wrt[], struct cf_error *err);
void cf_sensitivity_free(struct cf_sensitivity *sensitivity);

/* The columns at the start. */
void cf_sensitivity_start(struct cf_sensitivity *sensitivity);

/* What errors are held against at least, by the sizes of the states in a phase. */
void cf_sensitivity_scale(struct cf_sensitivity *sensitivity, const double scale[]);

/* A column c with states s at a time that moves by `time`, for along.h. */
struct cf_along cf_sensitivity_along(const struct cf_sensitivity *sensitivity, size_t column,
                                     double time_s, double time, const double state[],
                                     const double s[]);

/* For struct cf_ode_system; the context is the cf_system. */
void cf_sensitivity_variation(const void *context, double t, const double state[], const double s[],
                              double dsdt[]);

/* All columns s at a state whose poses and system->kin have been made: their poses in
 * sensitivity->along, and in sensitivity->contact their contacts, or only those that touch. Times
 * of columns move where the time is `moving`. */
void cf_sensitivity_contacts(struct cf_sensitivity *sensitivity, double time_s, bool moving,
                             const double state[], const double s[], bool only_touching);

/* A flight of after_s from `state` that ends at the sign `end` (NULL: at a fixed time). */
void cf_sensitivity_fly(struct cf_sensitivity *sensitivity, double time_s, const double state[],
                        const struct cf_flight_end *end, double after_s);

/* A contact has just been made, or ended: kin is as before, and so is the state, but for what the
 * contact itself keeps. */
void cf_sensitivity_touch(struct cf_sensitivity *sensitivity, size_t contact, double time_s,
                          const double state[], const struct cf_contact_kinematics *kin);
void cf_sensitivity_leave(struct cf_sensitivity *sensitivity, size_t contact, double time_s,
                          const double state[], const struct cf_contact_kinematics *kin);

/* The contact that is integrated in y from now on: y as a function of the states, or 0. */
void cf_sensitivity_begin(struct cf_sensitivity *sensitivity, size_t contact, double time_s,
                          const double state[], bool touched_now);

/* From total derivatives to those at a fixed time, by the rates in time. */
void cf_sensitivity_fix(struct cf_sensitivity *sensitivity, double time_s, const double state[]);

/* Commands that change at a time: columns by that time jump. */
void cf_sensitivity_command(struct cf_sensitivity *sensitivity, double time_s);

#endif
