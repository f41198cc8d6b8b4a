/* Forces over arrays, by the name of a law: one call for who has numbers and wants numbers. */

#ifndef CF_LAW_FLAT_H
#define CF_LAW_FLAT_H

#include <stddef.h>

#include "core/status.h"
#include "law/friction.h"
#include "law/law.h"

/* Normal forces: force_N[n] of the law at depth_m[n] (> 0 touching) and rate_m_s[n] (> 0 pressing
 * in), with its parameters p[np] in the order of its table, in SI. `pair` has what else a contact
 * is: mass, radius, speed of approach, inner states; depth and rate in it are not read. It may be
 * NULL for laws that ask for none of it. The force is never below 0, and 0 where depth_m <= 0.
 * CF_EUSAGE: no such law, one without a force (e-laws) or of a volume of interference, another
 * number of parameters, or inner states that are missing; CF_ERANGE: a parameter out of its range.
 * Numbers that are not finite give NAN. */
int cf_law_force(const char *law, size_t np, const double p[], const struct cf_contact *pair,
                 size_t n, const double depth_m[], const double rate_m_s[], double force_N[],
                 struct cf_error *err);

/* The contacts of cf_friction_force(). Vectors have two components, one behind the other. */
struct cf_slides {
    size_t n;
    const double *velocity_m_s; /* 2 n: slip */
    const double *normal_N;     /* n, >= 0 */
    const double *depth_m;      /* n, < 0 apart; NULL: loads, which have none */
    const double *state;        /* nstate n of the law; NULL where it has none */
};

/* Friction: force_N[2 n] on the body that slips, against its slip; and the rates of the states,
 * rate[nstate n], where that is not NULL. Parameters and failures as of cf_law_force(). */
int cf_friction_force(const char *law, size_t np, const double p[], const struct cf_slides *at,
                      double force_N[], double rate[], struct cf_error *err);

#endif
