/* Azad-Featherstone on ground that recovers slowly: after contact is lost its surface follows
 *
 *   K x + D xdot = 0,   z_g(t) = z_c exp(-k t/lambda),
 *
 * Azad & Featherstone 2014, section II-B; 2010, section 2.2. The gearbox makes K/D the k/lambda of
 * the pair, whatever the depth.
 *
 * A single impact on rested ground is exactly azad-featherstone's, and takes that curve. At F = 0
 * spring and damper balance, k z + lambda zdot = 0 behind the gearbox, so that the surface, left
 * alone, would move at -k z/lambda, the very speed of the body; from then on the surface slows down
 * exponentially while the body flies on: the contact that was lost is not made again.
 */

#include <math.h>

#include "law/power_family.h"
#include "law/rows.h"

enum { K = CF_AF_K, LAMBDA = CF_AF_LAMBDA };

static void recovery(const double p[], double depth_m, const double left[], double time_s,
                     struct cf_surface *out)
{
    double rate = p[K] / p[LAMBDA]; /* infinite without damping: back at once */

    (void) left;
    out->depth_m = time_s > 0 ? depth_m * exp(-rate * time_s) : depth_m;
    out->rate_m_s = out->depth_m > 0 ? -rate * out->depth_m : 0;
}

const struct cf_law cf_recovering = {
    CF_POWER_FAMILY,
    .name = "azad-featherstone-recovering",
    .cite = "Azad & Featherstone 2014, section II-B; 2010, section 2.2",
    .what = "viscoelastic sphere on ground that recovers slowly after the contact",
    .formula = "k z^1.5 + lambda z^0.5 zdot, the free surface following z_c exp(-k t/lambda)",
    .nparam = CF_AF_NPARAM,
    .param = cf_af_param,
    .nalias = CF_AF_NALIAS,
    .alias = cf_af_alias,
    .n = 1.5,
    .p = 0.5,
    .damping = cf_lambda_damping,
    .recovery = recovery,
};
