/* Gonthier's bristle, whose stiffness may grow with the load or not.
 *
 *   s      = exp(-|v|^2/v_s^2)
 *   x'     = s v + (1 - s) (L mu_c dir(v) - sigma_0 x)/sigma_1
 *   q      = sigma_0 x + sigma_1 x'
 *   s_dw'  = (s - s_dw)/tau_dw where s >= s_dw, else (s - s_dw)/tau_br,  tau_br = sigma_1/sigma_0
 *   q_max  = L (mu_c + (mu_s - mu_c) s_dw)
 *   if |q| > q_max:  q = q_max q/|q|,  x' = (q - sigma_0 x)/sigma_1
 *   f      = -F (q + sigma_2 v)
 *
 * Gonthier 2007, eqs. 3.28-3.42, where L = 1 and F = f_n; with L = f_n and F = 1 the sigmas are
 * those of the contact and not per load. dir is smooth below v_s/100, his v_e. tau_dw = 0 means
 * s_dw = s. Saturation is no loop: x' is found, q saturated once, x' found once more.
 *
 * The (1 - s) part leaks: under a force below mu_s f_n the bristle creeps, the faster the nearer
 * |v| comes to v_s.
 */

#ifndef CF_LAW_BRISTLE_FAMILY_H
#define CF_LAW_BRISTLE_FAMILY_H

#include "law/friction_rows.h"

enum {
    CF_BRISTLE_MU_S,
    CF_BRISTLE_MU_C,
    CF_BRISTLE_SIGMA_0,
    CF_BRISTLE_SIGMA_1,
    CF_BRISTLE_SIGMA_2,
    CF_BRISTLE_V_S,
    CF_BRISTLE_TAU_DW,
    CF_BRISTLE_NPARAM
};

/* Behind the deformation, s_dw. */
enum { CF_BRISTLE_DWELL = 2, CF_BRISTLE_NSTATE };

/* The two factors of the load, or their derivatives. */
struct cf_bristle_load {
    double limit, force; /* L, F */
};

void cf_bristle_force(const double p[], const struct cf_slide *c, struct cf_bristle_load load,
                      double force[2], double rate[]);

/* Along n directions, in which the load's factors change by per_N for each newton. */
void cf_bristle_vary(const double p[], const struct cf_slide *c, struct cf_bristle_load load,
                     struct cf_bristle_load per_N, size_t n, const double d[], double dforce[],
                     double drate[]);
/* s_dw', and its derivative along changes of s, s_dw and the parameters. */
double cf_bristle_dwell_rate(const double p[], double s, double dwell);
double cf_bristle_dwell_rate_vary(const double p[], double s, double dwell, double ds,
                                  double ddwell, const double dp[]);

void cf_bristle_parts(const double p[], double force_scale, struct cf_friction_parts *out);

double cf_bristle_slip(const double p[], const struct cf_slide *c);

/* Where the dwell state turns from growing to falling, */
double cf_bristle_dwell_corner(const double p[], const struct cf_slide *c);

/* and where the deformation saturates. */
double cf_bristle_corner(const double p[], const struct cf_slide *c, struct cf_bristle_load load);

extern const double cf_bristle_rested[CF_BRISTLE_NSTATE];
extern const struct cf_param
    cf_bristle_param[CF_BRISTLE_NPARAM]; /* of `bristle`, over an area, too */

#define CF_PARAM_TAU_DW                                                                            \
    {                                                                                              \
        "tau_dw", "s", 0, 1e9, 1e-5, 1e3, 2, CF_SCALE_LOG,                                         \
            "time in which dwelling strengthens it; 0: at once"                                    \
    }

#endif
