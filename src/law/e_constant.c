/* e(v) = e. */

#include "law/rows.h"

enum { E, NPARAM };

static const struct cf_param param[NPARAM] = {
    [E] = {"e", "1", 0, 1, 0.01, 1, 0.7, CF_SCALE_LINEAR, "restitution"},
};

static void restitution(const double p[], double speed_m_s, struct cf_restitution *out)
{
    (void) speed_m_s;
    *out = (struct cf_restitution){.e = p[E]};
    out->by_param[E] = 1;
}

const struct cf_law cf_e_constant = {
    .name = "e-constant",
    .cite = "Newton",
    .what = "the same restitution at every speed",
    .formula = "e",
    .family = CF_FAMILY_RESTITUTION,
    .nparam = NPARAM,
    .param = param,
    .restitution = restitution,
};
