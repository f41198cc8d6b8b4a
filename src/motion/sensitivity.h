/* Sensitivities of a run: columns of derivatives that go through flights, phases and touches.
 *
 * A derivative along a column (of states and of the parameter that it belongs to) is a central
 * difference of the scene's own functions, taken with two shifted copies of the system; the steps
 * are the run's. Between phases a column holds total derivatives: those of the states at an instant
 * that itself moves, and, at the index of the time, the derivative of that instant. Private to
 * src/motion.
 */

#ifndef CF_MOTION_SENSITIVITY_H
#define CF_MOTION_SENSITIVITY_H

#include "motion/system.h"

/* Derivatives along a column of what was fixed at a touch or at its end. */
struct cf_contact_state_by {
    double p[CF_MAX_PARAM], approach_m_s, mass_kg, left_m, left_s, k, ratio;
};

struct cf_sensitivity {
    struct cf_system *system;
    size_t ncolumn;
    const struct cf_wrt *wrt;
    struct cf_contact_state_by *by; /* ncolumn * npair */
    double *s, *kept;               /* ncolumn * n; saved by a caller */
    const double *scale;            /* n, sizes of the states */

    /* Two copies, shifted along a column. */
    struct cf_scene scene[2];
    struct cf_system side[2];
    double *state[2]; /* n each */
    double *spare;    /* 3 n */
    double step;      /* of the shift: side[0] is at +step, side[1] at -step */
};

/* sensitivity_check.c: does the scene have all of them, and can they be shifted? */
int cf_sensitivity_check(const struct cf_scene *scene, size_t ncolumn, const struct cf_wrt wrt[],
                         struct cf_error *err);

int cf_sensitivity_make(struct cf_sensitivity *sensitivity, struct cf_system *system,
                        size_t ncolumn, const struct cf_wrt wrt[], const double scale[],
                        struct cf_error *err);
void cf_sensitivity_free(struct cf_sensitivity *sensitivity);

/* The columns at the start. */
void cf_sensitivity_start(struct cf_sensitivity *sensitivity);

/* Shifts both sides along a column with states s[n], from `state`. */
void cf_sensitivity_shift(struct cf_sensitivity *sensitivity, size_t column, const double state[],
                          const double s[]);

/* For struct cf_ode_system and struct cf_ode_event; the context is the cf_system. */
void cf_sensitivity_variation(const void *context, double t, const double state[], const double s[],
                              size_t column, double dsdt[]);

/* A flight of after_s from `state` that ends at the sign `end` (NULL: at a fixed time). */
void cf_sensitivity_fly(struct cf_sensitivity *sensitivity, double time_s, const double state[],
                        const struct cf_flight_end *end, double after_s);

/* A change of the states and of a contact, applied to the sides before it is to the system: columns
 * and constants follow. */
typedef void cf_contact_change(struct cf_system *system, struct cf_contact_state *contact,
                               double time_s, double state[],
                               const struct cf_contact_kinematics *kin);
void cf_sensitivity_change(struct cf_sensitivity *sensitivity, size_t contact, double time_s,
                           const double state[], cf_contact_change *change);

/* The contact that is integrated in y from now on: y as a function of the states, or 0. */
void cf_sensitivity_begin(struct cf_sensitivity *sensitivity, size_t contact, double time_s,
                          const double state[], bool touched_now);

/* From total derivatives to those at a fixed time; rate[n] are the rates in time. */
void cf_sensitivity_fix(struct cf_sensitivity *sensitivity, const double rate[]);

#endif
