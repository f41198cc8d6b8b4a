/* Azad-Featherstone: a viscoelastic sphere, spring and damping from the same contact patch.
 *
 *   F = k z^(3/2) + lambda sqrt(z) zdot,   never pulling
 *
 * Azad & Featherstone 2014, eqs. (8) and (11); the same law as Kuwabara & Kono 1987, lambda =
 * 1.5 A k, and Brilliantov et al. 1996. lambda = lambda* sqrt(R), lambda* of the material (9).
 */

#include "law/power_family.h"
#include "law/rows.h"

enum { K = CF_AF_K, LAMBDA = CF_AF_LAMBDA };

const struct cf_param cf_af_param[CF_AF_NPARAM] = {
    [K] = CF_PARAM_HERTZ,
    [LAMBDA] = {"lambda", "N s/m^1.5", 0, 1e12, 1e-3, 1e9, 1e4, CF_SCALE_LOG,
                "damping coefficient"},
};

const struct cf_alias cf_af_alias[CF_AF_NALIAS] = {
    CF_ALIAS_MODULUS(K),
    {.name = "lambda_star",
     .unit = "Pa s",
     .target = LAMBDA,
     .factor = 1,
     .radius_power = 0.5,
     .what = "damping of the material: lambda = lambda_star sqrt(R)"},
    {.name = "kk_time",
     .unit = "s",
     .target = LAMBDA,
     .factor = 1.5,
     .k_power = 1,
     .what = "time constant of Kuwabara & Kono: lambda = 1.5 kk_time k"},
};

const struct cf_law cf_azad_featherstone = {
    CF_POWER_FAMILY,
    .name = "azad-featherstone",
    .cite = "Azad & Featherstone 2014, eqs. 8 and 11; Kuwabara & Kono 1987; Brilliantov 1996",
    .what = "viscoelastic sphere: Hertz spring, damping proportional to the width of the patch",
    .formula = "k z^1.5 + lambda z^0.5 zdot",
    .nparam = CF_AF_NPARAM,
    .param = cf_af_param,
    .nalias = CF_AF_NALIAS,
    .alias = cf_af_alias,
    .n = 1.5,
    .p = 0.5,
    .damping = cf_lambda_damping,
};
