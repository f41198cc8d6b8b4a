/* Rows of the tangential laws, and the little plane geometry that they share; private to src/law.
 */

#ifndef CF_LAW_FRICTION_ROWS_H
#define CF_LAW_FRICTION_ROWS_H

#include <math.h>

#include "law/friction.h"

extern const struct cf_friction_law cf_clutch;
extern const struct cf_friction_law cf_clutch_linear;
extern const struct cf_friction_law cf_bristle;
extern const struct cf_friction_law cf_bristle_over_area;
extern const struct cf_friction_law cf_bristle_fixed;
extern const struct cf_friction_law cf_stribeck;
extern const struct cf_friction_law cf_viscous_load;
extern const struct cf_friction_law cf_coulomb;
extern const struct cf_friction_law cf_dahl;
extern const struct cf_friction_law cf_lugre;
extern const struct cf_friction_law cf_elasto_plastic;
extern const struct cf_friction_law cf_iwan_2;
extern const struct cf_friction_law cf_iwan_3;
extern const struct cf_friction_law cf_iwan_4;
extern const struct cf_friction_law cf_rate_state;
extern const struct cf_friction_law cf_rate_state_slip;
extern const struct cf_friction_law cf_rate_state_2;
extern const struct cf_friction_law cf_rate_state_slip_2;

static inline double cf_dot(const double a[2], const double b[2])
{
    return a[0] * b[0] + a[1] * b[1];
}

/* |a| of slips and deflections, whose squares neither overflow nor matter where they underflow:
 * hypot() costs as much as the rest of a law. */
static inline double cf_size(const double a[2])
{
    return sqrt(cf_dot(a, a));
}

/* What many laws have for their `slip`: faster than the speed v. */
static inline double cf_faster(const struct cf_slide *c, double v)
{
    return cf_dot(c->velocity_m_s, c->velocity_m_s) / (v * v) - 1;
}

/* The `parts` of laws without a bristle and a damper. */
void cf_no_parts(const double p[], const struct cf_slide *c, struct cf_friction_parts *out);

/* u/|u|; 0 where u is. */
void cf_unit(const double u[2], double out[2]);

/* dir_e(u): u/|u| outside, (u/e)(3/2 - (1/2)(|u|/e)^2) where |u| < e, once continuously
 * differentiable. [G07] 3.33 as intended: as printed it has one more factor |u|/e. */
void cf_direction(const double u[2], double e, double out[2]);

/* Its derivative along (du, de). */
void cf_direction_vary(const double u[2], double e, const double du[2], double de, double out[2]);

/* The Stribeck curve g = mu_c + (mu_s - mu_c) exp(-|v|^2/v_s^2) and its share s. */
double cf_stribeck_share(const double v[2], double v_s);

/* The share's derivative along (dv, dv_s). */
double cf_stribeck_share_vary(const double v[2], double v_s, double s, const double dv[2],
                              double dv_s);

/* Columns of tables that more than one law has. */
#define CF_PARAM_MU(what)                                                                          \
    {                                                                                              \
        "mu", "1", 0, 10, 0.001, 2, 0.3, CF_SCALE_LINEAR, what                                     \
    }
#define CF_PARAM_MU_S                                                                              \
    {                                                                                              \
        "mu_s", "1", 1e-6, 10, 0.001, 2, 0.15, CF_SCALE_LINEAR, "friction coefficient of sticking" \
    }
#define CF_PARAM_MU_C                                                                              \
    {                                                                                              \
        "mu_c", "1", 1e-6, 10, 0.001, 2, 0.1, CF_SCALE_LINEAR, "friction coefficient of sliding"   \
    }
#define CF_PARAM_SIGMA_0                                                                           \
    {                                                                                              \
        "sigma_0", "1/m", 1e-3, 1e12, 1e1, 1e8, 1e4, CF_SCALE_LOG, "bristle stiffness, per load"   \
    }
#define CF_PARAM_SIGMA_1(least)                                                                    \
    {                                                                                              \
        "sigma_1", "s/m", least, 1e9, 1e-3, 1e6, 30, CF_SCALE_LOG, "bristle damping, per load"     \
    }
#define CF_PARAM_SIGMA_2                                                                           \
    {                                                                                              \
        "sigma_2", "s/m", 0, 1e6, 1e-6, 1e2, 0.01, CF_SCALE_LOG, "viscous damping, per load"       \
    }
#define CF_PARAM_V_S(what)                                                                         \
    {                                                                                              \
        "v_s", "m/s", 1e-12, 1e3, 1e-6, 10, 1e-3, CF_SCALE_LOG, what                               \
    }
#define CF_STRIBECK_SPEED "Stribeck speed, at which sticking friction is falling"

#endif
