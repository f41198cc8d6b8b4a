/* Restitution over arrays, by the name of a law. */

#ifndef CF_IMPACT_FLAT_H
#define CF_IMPACT_FLAT_H

#include <stddef.h>

#include "core/status.h"

/* e[n] at the speeds of approach speed_m_s[n] > 0 of bodies of this effective mass, by a force law
 * or an e-law with its parameters p[np] in the order of its table, in SI. CF_EUSAGE: no such law,
 * or another number of parameters; CF_ERANGE: a parameter, the mass or a speed out of its range;
 * CF_ESOLVE: an impact of a law that is integrated did not end. */
int cf_restitution(const char *law, size_t np, const double p[], double mass_kg, size_t n,
                   const double speed_m_s[], double e[], struct cf_error *err);

#endif
