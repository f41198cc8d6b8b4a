/* Laws whose damping is driven by a wanted restitution: F = k z^1.5 (1 + a zdot), a = x(e)/v_i.
 *
 * Such a law is one function x(e) and a row; the table of parameters and the threshold are shared.
 * Below v_small the damping keeps a = x(e)/v_small ([G07] 3.43), so that it does not grow without
 * limit in the last small bounces; v_small = 0 switches that off.
 */

#ifndef CF_LAW_DRIVEN_H
#define CF_LAW_DRIVEN_H

#include "law/power_family.h"

enum { CF_DRIVEN_K, CF_DRIVEN_E, CF_DRIVEN_V_SMALL, CF_DRIVEN_NPARAM };

extern const struct cf_param cf_driven_param[CF_DRIVEN_NPARAM];
extern const struct cf_param
    cf_driven_divided_param[CF_DRIVEN_NPARAM]; /* of laws that divide by e */
extern const struct cf_alias cf_driven_alias[];
enum { CF_DRIVEN_NALIAS = 1 };

/* The damping a = x/v_i and its derivatives, from x = a v_i and dx/de. */
void cf_driven_damping(const double p[], double approach_m_s, double x, double x_by_e,
                       struct cf_damping *out);

/* The wanted e where x(e) divides by it: an e(v) that falls below the least value of the table
 * counts as that, with *slope 0; else *slope is 1. */
double cf_driven_divisor(double e, double *slope);

/* A row's `damping`: a = d(e)/(e v_i), which gives e exactly ([G07] 3.23 and 3.24). */
void cf_driven_exactly(const double p[], double mass_kg, double approach_m_s,
                       struct cf_damping *out);

#define CF_DRIVEN_THRESHOLD "v_small"
#define CF_PARAM_V_SMALL                                                                           \
    {                                                                                              \
        CF_DRIVEN_THRESHOLD, "m/s", 0, 1e3, 1e-6, 1, 1e-3, CF_SCALE_LOG,                           \
            "approach speed below which the damping grows no more"                                 \
    }

/* Least e that a law divides by: its damping is then some thousand times 1/v_i. */
#define CF_LEAST_E 1e-3
#define CF_PARAM_DIVIDED_E                                                                         \
    {                                                                                              \
        "e", "1", CF_LEAST_E, 1, 0.01, 1, 0.7, CF_SCALE_LINEAR,                                    \
            "restitution that is asked for; an e(v) below 0.001 counts as 0.001"                   \
    }

/* A row { CF_DRIVEN_FAMILY, ... } or { CF_DRIVEN_DIVIDED_FAMILY, ... }. */
#define CF_DRIVEN_FAMILY                                                                           \
    CF_POWER_FAMILY, .nparam = CF_DRIVEN_NPARAM, .param = cf_driven_param,                         \
                     .nalias = CF_DRIVEN_NALIAS, .alias = cf_driven_alias, .n = 1.5, .p = 1.5,     \
                     .threshold = CF_DRIVEN_THRESHOLD

#define CF_DRIVEN_DIVIDED_FAMILY                                                                   \
    CF_POWER_FAMILY, .nparam = CF_DRIVEN_NPARAM, .param = cf_driven_divided_param,                 \
                     .nalias = CF_DRIVEN_NALIAS, .alias = cf_driven_alias, .n = 1.5, .p = 1.5,     \
                     .threshold = CF_DRIVEN_THRESHOLD

#endif
