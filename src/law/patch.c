/* What the laws over an area share: see patch.h. */

#include "law/patch.h"

#include <math.h>
#include <string.h>

#include "law/contensou.h"
#include "law/friction_rows.h"

/* Below v_e friction falls to 0 with the average velocity, as smoothly as cf_direction(): r (3/2 -
 * r^2/2), r = v_avg/v_e, whose derivative by r is 3/2 (1 - r^2). */
static double fade(double r, double *slope)
{
    *slope = r < 1 ? 1.5 * (1 - r * r) : 0;
    return r < 1 ? r * (1.5 - 0.5 * r * r) : 1;
}

/* F and T of the integrals, whose torque is over R and not over r_gyr: with the pressure's power q,
 * r_gyr^2 = R^2/(q + 2). */
static void integrate(double power, double v, double u, struct cf_contensou_share *out)
{
    double rim = sqrt(power + 2);
    struct cf_contensou exact;

    if (cf_contensou(power, v, u * rim, &exact, NULL)) {
        out->slide = out->spin = (double) NAN;
        return;
    }
    out->slide = exact.force;
    out->spin = exact.torque * rim;
    out->slide_by[0] = exact.force_by_slip;
    out->slide_by[1] = exact.force_by_rim * rim;
    out->spin_by[0] = exact.torque_by_slip * rim;
    out->spin_by[1] = exact.torque_by_rim * rim * rim;
}

void cf_contensou_share(const struct cf_patch *c, double v_e, struct cf_contensou_share *out)
{
    double v = cf_size(c->slide.velocity_m_s), u = c->gyration_m * fabs(c->spin_rad_s);
    double average = sqrt(v * v + u * u), to[2], less, slope;

    *out = (struct cf_contensou_share){.average_m_s = average};
    if (average == 0) {
        out->slide_by[0] = out->spin_by[1] = 1.5 / v_e;
        return;
    }
    to[0] = v / average;
    to[1] = u / average;
    if (isnan(c->power)) {
        out->slide = to[0];
        out->spin = to[1];
        for (int i = 0; i < 2; i++) {
            out->slide_by[i] = ((i == 0) - to[0] * to[i]) / average;
            out->spin_by[i] = ((i == 1) - to[1] * to[i]) / average;
        }
    } else {
        integrate(c->power, v, u, out);
    }
    less = fade(average / v_e, &slope);
    for (int i = 0; i < 2; i++) {
        out->slide_by[i] = less * out->slide_by[i] + slope / v_e * to[i] * out->slide;
        out->spin_by[i] = less * out->spin_by[i] + slope / v_e * to[i] * out->spin;
    }
    out->by_v_e[0] = -slope * average / (v_e * v_e) * out->slide;
    out->by_v_e[1] = -slope * average / (v_e * v_e) * out->spin;
    out->slide *= less;
    out->spin *= less;
}

void cf_contensou_share_vary(const struct cf_patch *c, const struct cf_contensou_share *share,
                             const double d[CF_PATCH_COLUMNS], double dv_e,
                             struct cf_contensou_vary *out)
{
    const double *v = c->slide.velocity_m_s, *dv = d + CF_BY_VELOCITY;
    double w = c->spin_rad_s, size = cf_size(v), u = c->gyration_m * fabs(w);
    double dsize = size > 0 ? cf_dot(v, dv) / size : 0;
    double du = copysign(1, w) * (d[CF_BY_GYRATION] * w + c->gyration_m * d[CF_BY_SPIN]);
    double average = share->average_m_s;

    out->average_m_s = average > 0 ? (size * dsize + u * du) / average : 0;
    out->slide = share->slide_by[0] * dsize + share->slide_by[1] * du + share->by_v_e[0] * dv_e;
    out->spin = share->spin_by[0] * dsize + share->spin_by[1] * du + share->by_v_e[1] * dv_e;
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
