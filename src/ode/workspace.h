/* Making the workspace ready, and words for why a run stopped. */

#ifndef CF_ODE_WORKSPACE_H
#define CF_ODE_WORKSPACE_H

#include "ode/stepper.h"

/* Checks the system and the options against the workspace and each other, and stores them. */
int cf_ode_prepare(struct cf_ode *ode, const struct cf_ode_system *system, const void *context,
                   const struct cf_ode_options *options, double t, double t_end,
                   struct cf_error *err);

/* Room for the events of a system: grows only for one with more than any before. */
int cf_ode_events_room(struct cf_ode *ode, size_t nevent, struct cf_error *err);

bool cf_ode_finite(size_t n, const double x[]);

/* CF_ESOLVE with the reason in words. */
int cf_ode_stopped(const struct cf_ode *ode, const struct cf_ode_result *out, struct cf_error *err);

#endif
