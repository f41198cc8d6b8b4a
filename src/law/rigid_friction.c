/* Sliding and sticking in a rigid impact.
 *
 *   rigid-coulomb   J_t/J_n = min(mu, stick)
 *   walton          J_t/J_n = min(mu, (1 + beta_0) stick)
 *
 * Sliding all through, or slip that ends: Coulomb 1785; Brach 1988, J. Appl. Mech. 55, 975. Walton
 * 1993, in Roco (ed.), Particulate two-phase flow, and Foerster, Louge, Chang & Allia 1994, Phys.
 * Fluids 6, 1108, eqs. 8 to 11: where it sticks, the surfaces spring back and the slip turns to
 * -beta_0 of itself. beta_0 = 0 is rigid-coulomb.
 */

#include "law/rigid_friction.h"

#include "law/friction_rows.h"

enum { MU, BETA_0, NPARAM };

static const struct cf_param param[NPARAM] = {
    [MU] = CF_PARAM_MU("friction coefficient"),
    [BETA_0] = {"beta_0", "1", -1, 1, -1, 1, 0.4, CF_SCALE_LINEAR,
                "slip after over slip before, where it sticks"},
};

static void impulse(const double p[], double stick, double beta_0, struct cf_friction_impulse *out)
{
    *out = (struct cf_friction_impulse){.ratio = (1 + beta_0) * stick, .by_stick = 1 + beta_0};
    if (out->ratio > p[MU])
        *out = (struct cf_friction_impulse){.ratio = p[MU], .by_param = {[MU] = 1}};
}

static void coulomb(const double p[], double stick, struct cf_friction_impulse *out)
{
    impulse(p, stick, 0, out);
}

static void walton(const double p[], double stick, struct cf_friction_impulse *out)
{
    impulse(p, stick, p[BETA_0], out);
    if (out->by_stick != 0)
        out->by_param[BETA_0] = stick;
}

static const struct cf_friction_law rigid_coulomb = {
    .name = "rigid-coulomb",
    .cite = "Coulomb 1785; Brach 1988",
    .what = "slides all through, or sticks once the slip has ended",
    .formula = "min(mu J_n, what ends the slip)",
    .needs = CF_NEEDS_NOTHING,
    .nparam = 1,
    .param = param,
    .impulse = coulomb,
};

static const struct cf_friction_law rigid_walton = {
    .name = "walton",
    .cite = "Walton 1993; Foerster, Louge, Chang & Allia 1994, eqs. 8-11",
    .what = "slides all through, or the slip turns to a share of itself",
    .formula = "min(mu J_n, (1 + beta_0) of what ends the slip)",
    .needs = CF_NEEDS_NOTHING,
    .nparam = NPARAM,
    .param = param,
    .impulse = walton,
};

const struct cf_friction_law *const cf_rigid_friction_laws[] = {&rigid_coulomb, &rigid_walton,
                                                                NULL};
