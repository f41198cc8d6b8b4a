/* Gonthier's elastic foundation: the damping gives the wanted restitution exactly.
 *
 *   F = kv V (1 + a v_app),   a = d(e)/(e v_i),   (1 + d/e)/(1 - d) = exp(d (1 + 1/e))
 *
 * Gonthier 2007, eqs. 4.62 and 3.23 to 3.24, a as in `gonthier`: it is the same for every shape.
 */

#include "law/driven.h"
#include "law/foundation_family.h"
#include "law/rows.h"

static const struct cf_param param[CF_DRIVEN_NPARAM] = {
    [CF_DRIVEN_K] = CF_PARAM_KV,
    [CF_DRIVEN_E] = CF_PARAM_DIVIDED_E,
    [CF_DRIVEN_V_SMALL] = CF_PARAM_V_SMALL,
};

const struct cf_law cf_gonthier_volumetric = {
    CF_FOUNDATION_FAMILY,
    .name = "gonthier-volumetric",
    .cite = "Gonthier 2007, eqs. 4.62 and 3.23-3.24",
    .what = "elastic foundation, damping that gives the wanted restitution exactly",
    .formula = "kv V (1 + d(e)/(e v_i) v_app)",
    .nparam = CF_DRIVEN_NPARAM,
    .param = param,
    .damping = cf_driven_exactly,
    .threshold = CF_DRIVEN_THRESHOLD,
};
