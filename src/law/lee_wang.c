/* Lee-Wang: Hertz spring, damping proportional to depth.
 *
 *   F = k z^(3/2) + lambda z zdot,   never pulling
 *
 * As compared in Azad & Featherstone 2014, section II.
 */

#include "law/power_family.h"
#include "law/rows.h"

enum { K, LAMBDA, NPARAM };

static const struct cf_param param[NPARAM] = {
    [K] = CF_PARAM_HERTZ,
    [LAMBDA] = {"lambda", "N s/m^2", 0, 1e15, 1e-2, 1e11, 1e6, CF_SCALE_LOG, "damping coefficient"},
};

static const struct cf_alias alias[] = {CF_ALIAS_MODULUS(K)};

const struct cf_law cf_lee_wang = {
    CF_POWER_FAMILY,
    .name = "lee-wang",
    .cite = "Lee & Wang 1983; Azad & Featherstone 2014, section II",
    .what = "Hertz spring, damping proportional to depth",
    .formula = "k z^1.5 + lambda z zdot",
    .nparam = NPARAM,
    .param = param,
    .nalias = sizeof alias / sizeof alias[0],
    .alias = alias,
    .n = 1.5,
    .p = 1,
    .damping = cf_lambda_damping,
};
