/* An oblique impact by impulses: the friction law says the tangential impulse over the normal one.
 *
 *   J_n = m (1 + e) v_n,   stick = m_t |slip|/J_n,   m_t = m i/(1 + i),   i = I/(m R^2)
 *   v_t - v_t' = sign(slip) ratio(stick) J_n/m
 *
 * e is that of the normal law at the normal speed, which friction does not change on a sphere.
 */

#include <math.h>

#include "experiment/oblique_channels.h"
#include "law/friction.h"

static int restitution(struct cf_curves *curves, const struct cf_law *law, const double p[],
                       double mass_kg, double v_n, double tolerance, struct cf_impact *out,
                       struct cf_error *err)
{
    bool integrate = tolerance > 0 && law->family != CF_FAMILY_RESTITUTION;
    int status = CF_OK;

    if (!integrate)
        return cf_impact(curves, law, p, mass_kg, v_n, out, err);
    *out = (struct cf_impact){0};
    status = cf_impact_integrate(law, p, mass_kg, v_n, tolerance, out->value, err);
    out->known[CF_IMPACT_DURATION] = true;
    return status;
}

int cf_oblique_impulses(struct cf_curves *curves, const struct cf_law *law, const double p[],
                        const struct cf_pair *pair, double tolerance, struct cf_oblique_contact *c,
                        struct cf_error *err)
{
    const struct cf_law *normal = cf_law_normal(law);
    double v_n = c->input[CF_OBLIQUE_BY_NORMAL], slip = c->input[CF_OBLIQUE_BY_SLIP];
    double i = c->input[CF_OBLIQUE_BY_INERTIA], share = i / (1 + i), sign = slip < 0 ? -1 : 1;
    struct cf_friction_impulse f;
    struct cf_impact n;
    int status = restitution(curves, normal, p, pair->mass_kg, v_n, tolerance, &n, err);

    if (status)
        return status;
    double e = n.value[CF_IMPACT_RESTITUTION], e_v = n.by_speed[CF_IMPACT_RESTITUTION];
    double J = (1 + e) * v_n, J_v = 1 + e + e_v * v_n, stick = share * fabs(slip) / J;
    law->friction->impulse(p + normal->nparam, stick, &f);
    double by_J = f.ratio - f.by_stick * stick; /* of ratio J */

    c->value[CF_OBLIQUE_OUT_NORMAL] = e * v_n;
    c->value[CF_OBLIQUE_OUT_CHANGE] = sign * f.ratio * J;
    c->value[CF_OBLIQUE_OUT_DURATION] =
        n.known[CF_IMPACT_DURATION] ? n.value[CF_IMPACT_DURATION] : (double) NAN;
    c->by_input[CF_OBLIQUE_OUT_NORMAL][CF_OBLIQUE_BY_NORMAL] = e + e_v * v_n;
    c->by_input[CF_OBLIQUE_OUT_CHANGE][CF_OBLIQUE_BY_NORMAL] = sign * by_J * J_v;
    c->by_input[CF_OBLIQUE_OUT_CHANGE][CF_OBLIQUE_BY_SLIP] = f.by_stick * share;
    c->by_input[CF_OBLIQUE_OUT_CHANGE][CF_OBLIQUE_BY_INERTIA] =
        f.by_stick * slip / ((1 + i) * (1 + i));
    c->by_input[CF_OBLIQUE_OUT_DURATION][CF_OBLIQUE_BY_NORMAL] = n.by_speed[CF_IMPACT_DURATION];
    for (size_t j = 0; j < normal->nparam; j++) {
        double e_j = n.by_param[CF_IMPACT_RESTITUTION][j];
        c->by_param[CF_OBLIQUE_OUT_NORMAL][j] = e_j * v_n;
        c->by_param[CF_OBLIQUE_OUT_CHANGE][j] = sign * by_J * e_j * v_n;
        c->by_param[CF_OBLIQUE_OUT_DURATION][j] = n.by_param[CF_IMPACT_DURATION][j];
    }
    for (size_t j = 0; j < law->friction->nparam; j++)
        c->by_param[CF_OBLIQUE_OUT_CHANGE][normal->nparam + j] = sign * f.by_param[j] * J;
    return CF_OK;
}
