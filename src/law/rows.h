/* Rows defined by the law files, and what they share; private to src/law. */

#ifndef CF_LAW_ROWS_H
#define CF_LAW_ROWS_H

#include "law/law.h"

extern const struct cf_law cf_linear;
extern const struct cf_law cf_hunt_crossley;
extern const struct cf_law cf_lee_wang;
extern const struct cf_law cf_azad_featherstone;
extern const struct cf_law cf_tsuji;
extern const struct cf_law cf_gonthier;
extern const struct cf_law cf_hunt_crossley_e;
extern const struct cf_law cf_lankarani_nikravesh;
extern const struct cf_law cf_herbert_mcwhannell;
extern const struct cf_law cf_hu_guo;
extern const struct cf_law cf_flores;
extern const struct cf_law cf_power;
extern const struct cf_law cf_two_body;
extern const struct cf_law cf_recovering;
extern const struct cf_law cf_exponential;
extern const struct cf_law cf_winkler;
extern const struct cf_law cf_gonthier_volumetric;
extern const struct cf_law cf_e_constant;
extern const struct cf_law cf_e_linear;
extern const struct cf_law cf_e_log;
extern const struct cf_law cf_e_power;
extern const struct cf_law cf_e_thornton;
extern const struct cf_law cf_mu_coulomb;
extern const struct cf_law cf_mu_viscous;
extern const struct cf_law cf_mu_stribeck;
extern const struct cf_law cf_mu_stribeck_exponential;
extern const struct cf_law cf_mu_stribeck_free;
extern const struct cf_law cf_mu_drake;
extern const struct cf_law cf_mu_power_viscous;
extern const struct cf_law cf_mu_tanh;
extern const struct cf_law cf_f_coulomb;
extern const struct cf_law cf_f_viscous;
extern const struct cf_law cf_f_stribeck;
extern const struct cf_law cf_f_stribeck_exponential;
extern const struct cf_law cf_f_stribeck_free;
extern const struct cf_law cf_f_drake;
extern const struct cf_law cf_f_power_viscous;
extern const struct cf_law cf_f_tanh;
extern const struct cf_law cf_t_coulomb;
extern const struct cf_law cf_t_viscous;
extern const struct cf_law cf_t_stribeck;
extern const struct cf_law cf_t_stribeck_exponential;
extern const struct cf_law cf_t_stribeck_free;
extern const struct cf_law cf_t_drake;
extern const struct cf_law cf_t_power_viscous;
extern const struct cf_law cf_t_tanh;

/* Parameters of azad-featherstone, which the law on recovering ground has, too. */
enum { CF_AF_K, CF_AF_LAMBDA, CF_AF_NPARAM, CF_AF_NALIAS = 3 };
extern const struct cf_param cf_af_param[CF_AF_NPARAM];
extern const struct cf_alias cf_af_alias[CF_AF_NALIAS];

/* Hertz stiffness, and its alias by the pair's modulus: k = (4/3) E* sqrt(R) ([AF14] 5). */
#define CF_PARAM_HERTZ                                                                             \
    {                                                                                              \
        "k", "N/m^1.5", 1, 1e15, 1e2, 1e13, 1e8, CF_SCALE_LOG, "Hertz stiffness, (4/3) E* sqrt(R)" \
    }
#define CF_ALIAS_MODULUS(index)                                                                    \
    {                                                                                              \
        .name = "effective_modulus", .unit = "Pa", .target = (index), .factor = 4.0 / 3,           \
        .radius_power = 0.5, .what = "effective modulus: k = (4/3) E* sqrt(R)"                  \
    }

#endif
