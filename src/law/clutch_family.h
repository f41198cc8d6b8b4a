/* Azad and Featherstone's spring and damper behind a clutch that slips at the friction cone.
 *
 *   f_stick = -h (k_t x + d_t v)
 *   inside |f_stick| <= mu f_n:  f = f_stick,  x' = v
 *   outside:  f = f_stick (mu f_n/|f_stick| + c_v/D)/(1 + c_v/D),  D = h d_t
 *             x' = -(f + h k_t x)/D,  v_clutch = v - x'
 *
 * [AF10] 19-32 with h = sqrt(z). The force outside is 27, f = mu f_n f_stick/|f_stick| - c_v
 * v_clutch, which is implicit through 30 and 31, solved. Written in g = k_t x + d_t v, which does
 * not vanish with h, it is exact down to the touch:
 *
 *   f = -h r g,  x' = (r g - k_t x)/d_t,  r = (mu f_n d_t/|g| + c_v)/(h d_t + c_v)
 *
 * Out of contact the spring relaxes: f = 0.
 */

#ifndef CF_LAW_CLUTCH_FAMILY_H
#define CF_LAW_CLUTCH_FAMILY_H

#include "law/friction_rows.h"

enum { CF_CLUTCH_MU, CF_CLUTCH_K_T, CF_CLUTCH_D_T, CF_CLUTCH_C_V, CF_CLUTCH_NPARAM };

void cf_clutch_force(const double p[], const struct cf_slide *c, double h, double force[2],
                     double rate[]);

/* Along n directions, as `vary_all`; by_depth: the slope of h. */
void cf_clutch_vary(const double p[], const struct cf_slide *c, double h, double by_depth, size_t n,
                    const double d[], double dforce[], double drate[]);

void cf_clutch_parts(const double p[], double h, struct cf_friction_parts *out);
double cf_clutch_slip(const double p[], const struct cf_slide *c, double h);

enum { CF_CLUTCH_NSTATE = 2 };

#define CF_PARAM_C_V                                                                               \
    {                                                                                              \
        "c_v", "N s/m", 0, 1e9, 1e-6, 1e4, 0.1, CF_SCALE_LOG, "viscous friction of the clutch"     \
    }

#endif
