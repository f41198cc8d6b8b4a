/* How large and how small masses, lengths, speeds and times may be that come from outside: far
 * beyond every laboratory, and such that no power of them that a law takes leaves the doubles. */

#ifndef CF_CORE_LIMITS_H
#define CF_CORE_LIMITS_H

#include "core/status.h"

/* Is a positive number in this SI unit ("kg", "m", "m/s", "s") within its limits? Other units have
 * none. CF_ERANGE: "NAME = 5e-324 kg: must be in [1e-33, 1e+33]". */
int cf_limits_check(const char *name, const char *unit, double value, struct cf_error *err);

/* Does a body that spins hold together? Its surface, or its mass where that is known, is at a
 * radius from its axis; INFINITY and 0 say nothing of it. CF_ERANGE: the speed there is above
 * 1e4 m/s, where the strongest solid, graphene, breaks at 8 km/s. */
int cf_limits_check_spin(double spin_rad_s, double radius_m, struct cf_error *err);

#endif
