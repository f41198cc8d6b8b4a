/* Force, energy and derivatives of k z^n + lambda z^p zdot for every row of that family.
 *
 * A row of the family has k as parameter 0, n, p, and `damping`, which gives lambda/k.
 */

#ifndef CF_LAW_POWER_FAMILY_H
#define CF_LAW_POWER_FAMILY_H

#include "law/law.h"

double cf_power_force(const struct cf_law *self, const double p[], const struct cf_contact *c);

/* The force where lambda/k is known already. */
double cf_power_force_at(const struct cf_law *self, const double p[], double ratio, double depth_m,
                         double rate_m_s);
double cf_power_energy(const struct cf_law *self, const double p[], const struct cf_contact *c);
void cf_power_slope(const struct cf_law *self, const double p[], const struct cf_contact *c,
                    struct cf_force_slope *out);

/* What a row with a parameter `lambda` at index 1 uses as its `damping`. */
void cf_lambda_damping(const double p[], double mass_kg, double approach_m_s,
                       struct cf_damping *out);

#define CF_POWER_FAMILY                                                                            \
    .family = CF_FAMILY_NORMAL, .force = cf_power_force, .slope = cf_power_slope,                  \
    .energy = cf_power_energy

#endif
