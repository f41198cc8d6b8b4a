/* Kelvin-Voigt: a spring and a damper side by side.
 *
 *   F = k z + lambda zdot,   never pulling
 *
 * Azad & Featherstone 2014, section III. The force jumps to lambda v at first touch, and the
 * restitution does not depend on speed.
 */

#include "law/power_family.h"
#include "law/rows.h"

enum { K, LAMBDA, NPARAM };

static const struct cf_param param[NPARAM] = {
    [K] = {"k", "N/m", 1e-3, 1e13, 1, 1e10, 1e5, CF_SCALE_LOG, "stiffness"},
    [LAMBDA] = {"lambda", "N s/m", 0, 1e10, 1e-4, 1e6, 10, CF_SCALE_LOG, "damping coefficient"},
};

const struct cf_law cf_linear = {
    CF_POWER_FAMILY,
    .name = "linear",
    .cite = "Kelvin-Voigt; Azad & Featherstone 2014, section III",
    .what = "linear spring and damper; e independent of speed",
    .formula = "k z + lambda zdot",
    .nparam = NPARAM,
    .param = param,
    .n = 1,
    .p = 0,
    .damping = cf_lambda_damping,
};
