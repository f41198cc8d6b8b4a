/* Bristles whose deformation saturates in its own rate: dahl, lugre, elasto-plastic.
 *
 *   f = -f_n (sigma_0 x + sigma_1 x' + sigma_2 v),   x' = v - w x,   w >= 0
 *
 * Stiffness and dampers are per load, as in `bristle`: under a constant load that is the laws'
 * published form, and where the load changes the friction coefficient stays.
 */

#ifndef CF_LAW_LEAN_FAMILY_H
#define CF_LAW_LEAN_FAMILY_H

#include "law/friction_rows.h"

/* The rate of yielding, w [1/s], and its derivative; the sigmas, and theirs. */
struct cf_lean {
    double w, sigma_0, sigma_1, sigma_2;
};

void cf_lean_force(const struct cf_lean *lean, const struct cf_slide *c, double force[2],
                   double rate[]);

/* dlean: every member the derivative along d of that member of lean. */
void cf_lean_vary(const struct cf_lean *lean, const struct cf_lean *dlean, const struct cf_slide *c,
                  const double d[], double dforce[2], double drate[]);

void cf_lean_parts(const struct cf_lean *lean, const struct cf_slide *c,
                   struct cf_friction_parts *out);

/* The Stribeck curve g = mu_c + (mu_s - mu_c) exp(-|v|^2/v_s^2) from parameters in this order, and
 * its derivative along d. */
enum {
    CF_LEAN_MU_S,
    CF_LEAN_MU_C,
    CF_LEAN_SIGMA_0,
    CF_LEAN_SIGMA_1,
    CF_LEAN_SIGMA_2,
    CF_LEAN_V_S,
    CF_LEAN_NPARAM
};
double cf_lean_curve(const double p[], const double v[2]);
double cf_lean_curve_vary(const double p[], const double v[2], const double d[]);

/* Faster than v_s. */
double cf_lean_slip(const double p[], const struct cf_slide *c);

/* From such parameters, without w. */
struct cf_lean cf_lean_of(const double p[]);

#define CF_PARAMS_LEAN                                                                             \
    [CF_LEAN_MU_S] = CF_PARAM_MU_S, [CF_LEAN_MU_C] = CF_PARAM_MU_C,                                \
    [CF_LEAN_SIGMA_0] = CF_PARAM_SIGMA_0, [CF_LEAN_SIGMA_1] = CF_PARAM_SIGMA_1(0),                 \
    [CF_LEAN_SIGMA_2] = CF_PARAM_SIGMA_2, [CF_LEAN_V_S] = CF_PARAM_V_S(CF_STRIBECK_SPEED)

enum { CF_LEAN_NSTATE = 2 };

#endif
