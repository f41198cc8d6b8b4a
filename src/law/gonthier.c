/* Gonthier: the damping that gives the wanted restitution exactly.
 *
 *   F = k z^(3/2) (1 + a zdot),   a = d(e)/(e v_i),   (1 + d/e)/(1 - d) = exp(d (1 + 1/e))
 *
 * Gonthier 2007, eqs. (3.23) and (3.24). e is above 0: the table has the least one.
 */

#include "law/driven.h"
#include "law/rows.h"

const struct cf_law cf_gonthier = {
    CF_DRIVEN_DIVIDED_FAMILY,
    .name = "gonthier",
    .cite = "Gonthier 2007, eqs. 3.23 and 3.24",
    .what = "Hertz spring, damping that gives the wanted restitution exactly",
    .formula = "k z^1.5 (1 + d(e)/(e v_i) zdot)",
    .damping = cf_driven_exactly,
};
