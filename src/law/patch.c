/* What the laws over an area share: see patch.h. */

#include "law/patch.h"

#include <math.h>
#include <string.h>

#include "law/friction_rows.h"
#include "law/contensou.h"

/* Out of the closure, which needs no more than v_avg. */
static void close(double v, double u, double divisor, bool slow, struct cf_contensou_share *out)
{
    double average = out->average_m_s, to[2] = {0, 0};

    out->slide = v / divisor;
    out->spin = u / divisor;
    if (!slow) { /* the divisor is v_avg */
        to[0] = v / average;
        to[1] = u / average;
    }
    for (int i = 0; i < 2; i++) {
        out->slide_by[i] = ((i == 0) - out->slide * to[i]) / divisor;
        out->spin_by[i] = ((i == 1) - out->spin * to[i]) / divisor;
    }
}

/* F and T of the integrals, whose torque is over R and not over r_gyr: with the pressure's power q,
 * r_gyr^2 = R^2/(q + 2). */
static void integrate(const struct cf_patch *c, double v, double u, double v_e, bool slow,
                      struct cf_contensou_share *out)
{
    double average = out->average_m_s, rim = sqrt(c->power + 2), fade = 1, fade_by[2] = {0, 0};
    struct cf_contensou exact;

    if (average == 0 || cf_contensou(c->power, v, u * rim, &exact, NULL)) {
        out->slide = out->spin = average == 0 ? 0 : (double) NAN;
        return;
    }
    if (slow) {
        fade = average / v_e;
        fade_by[0] = v / average / v_e;
        fade_by[1] = u / average / v_e;
    }
    out->slide = fade * exact.force;
    out->spin = fade * exact.torque * rim;
    out->slide_by[0] = fade * exact.force_by_slip + fade_by[0] * exact.force;
    out->slide_by[1] = fade * exact.force_by_rim * rim + fade_by[1] * exact.force;
    out->spin_by[0] = (fade * exact.torque_by_slip + fade_by[0] * exact.torque) * rim;
    out->spin_by[1] = (fade * exact.torque_by_rim * rim + fade_by[1] * exact.torque) * rim;
}

void cf_contensou_share(const struct cf_patch *c, double v_e, struct cf_contensou_share *out)
{
    double v = cf_size(c->slide.velocity_m_s), u = c->gyration_m * fabs(c->spin_rad_s);
    double average = sqrt(v * v + u * u);
    bool slow = average <= v_e;

    *out = (struct cf_contensou_share){.average_m_s = average};
    if (isnan(c->power))
        close(v, u, slow ? v_e : average, slow, out);
    else
        integrate(c, v, u, v_e, slow, out);
}

void cf_contensou_share_vary(const struct cf_patch *c, double v_e,
                             const struct cf_contensou_share *share,
                             const double d[CF_PATCH_COLUMNS], double dv_e,
                             struct cf_contensou_vary *out)
{
    const double *v = c->slide.velocity_m_s, *dv = d + CF_BY_VELOCITY;
    double w = c->spin_rad_s, size = cf_size(v), u = c->gyration_m * fabs(w);
    double dsize = size > 0 ? cf_dot(v, dv) / size : 0;
    double du = copysign(1, w) * (d[CF_BY_GYRATION] * w + c->gyration_m * d[CF_BY_SPIN]);
    double average = share->average_m_s, fade = average <= v_e ? dv_e / v_e : 0;

    out->average_m_s = average > 0 ? (size * dsize + u * du) / average : 0;
    out->slide = share->slide_by[0] * dsize + share->slide_by[1] * du - fade * share->slide;
    out->spin = share->spin_by[0] * dsize + share->spin_by[1] * du - fade * share->spin;
}

void cf_patch_force(const struct cf_friction_law *law, const double p[], const struct cf_patch *c,
                    double force[CF_PATCH_FORCES], double rate[CF_FRICTION_STATES])
{
    memset(rate, 0, CF_FRICTION_STATES * sizeof *rate);
    law->patch->force(p, c, force, rate);
    force[CF_PATCH_TORQUE] *= c->spin_factor;
}

void cf_patch_vary(const struct cf_friction_law *law, const double p[], const struct cf_patch *c,
                   const double d[CF_PATCH_COLUMNS], double dforce[CF_PATCH_FORCES],
                   double drate[CF_FRICTION_STATES])
{
    memset(drate, 0, CF_FRICTION_STATES * sizeof *drate);
    law->patch->vary(p, c, d, dforce, drate);
    dforce[CF_PATCH_TORQUE] *= c->spin_factor;
}

void cf_patch_spend(const struct cf_friction_law *law, const double p[], const struct cf_patch *c,
                    const double force[CF_PATCH_FORCES], const double rate[],
                    struct cf_patch_power *out)
{
    size_t torsion = law->patch->torsion;
    double turned = torsion ? rate[torsion] : 0, angle = torsion ? c->slide.state[torsion] : 0;
    struct cf_friction_parts parts;

    cf_friction_spend(law, p, &c->slide, force, rate, &out->slide);
    law->parts(p, &c->slide, &parts);
    out->torsion_W =
        c->spin_factor * parts.stiffness_N_m[0] * c->gyration_m * c->gyration_m * angle * turned;
    out->spin_W = -force[CF_PATCH_TORQUE] * c->spin_rad_s - out->torsion_W;
}
