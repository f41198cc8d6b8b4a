/* A restitution on a Hertz spring, as LIGGGHTS (model hertz) and LAMMPS (damping coeff_restitution)
 * have it.
 *
 * Both take a coefficient e0 and damp by c = sqrt(5) b sqrt(m* k) x^0.25, b = -ln e0/sqrt(pi^2 +
 * ln^2 e0): Tsuji's law with alpha = sqrt(5) b. Pulling, that contact has e = e0 at every speed
 * (Antypov & Elliott 2011); never pulling, as here, e is that of our tsuji at this alpha: 0.397 for
 * 0.3, 0.902 for 0.9. So e0 = exp(-pi b/sqrt(1 - b^2)) with b = alpha/sqrt(5), for each mass and
 * radius.
 */

#define _XOPEN_SOURCE 700
#include <math.h>
#include <string.h>

#include "export/dem.h"
#include "export/predict.h"

enum { K, ALPHA };

enum cf_exactness cf_constant_e_exactness(const struct cf_law *law, const char **why)
{
    if (strcmp(law->name, "tsuji") == 0) {
        *why = "the law itself: alpha = sqrt 5 b, b = -ln e0/sqrt(pi^2 + ln^2 e0)";
        return CF_EXACTNESS_LAW;
    }
    if (law->family == CF_FAMILY_NORMAL && law->n == 1.5 && cf_law_k(law) < law->nparam) {
        *why = "a Hertz spring, and a restitution: e at the design speed";
        return CF_EXACTNESS_CONSTANT_E;
    }
    if (strcmp(law->name, "linear") == 0) {
        *why =
            "the e of the law at this m*, at every speed; on a Hertz spring that is as deep at the "
            "design speed";
        return CF_EXACTNESS_E;
    }
    *why = law->family == CF_FAMILY_RESTITUTION
               ? "it needs a Hertz spring, and a law of e alone has none: --keep step chooses one "
                 "for --dt"
               : "it needs a Hertz spring, and this law has none";
    return CF_EXACTNESS_NONE;
}

/* The alpha of a coefficient e0; that of 0 is the supremum. */
static double alpha_of(double e0)
{
    return e0 > 0 ? -sqrt(5) * log(e0) / hypot(M_PI, log(e0)) : sqrt(5);
}

double cf_constant_e_coefficient(const struct cf_mapping *m)
{
    double b = cf_mapping_parameter(m, "alpha") / sqrt(5);
    return exp(-M_PI * b / sqrt(1 - b * b));
}

/* The alpha that has this e, which falls with it. */
static int find_alpha(struct cf_mapping *m, double e, double most, struct cf_curves *curves,
                      struct cf_error *err)
{
    double low = 0, high = most, speed = m->question.speed_m_s, here;
    int status = CF_OK;

    for (int i = 0; i < 60 && !status; i++) {
        m->twin.p[ALPHA] = (low + high) / 2;
        status =
            cf_restitution_at(curves, m->twin.law, m->twin.p, m->twin.mass_kg, speed, &here, err);
        *(here > e ? &low : &high) = m->twin.p[ALPHA];
    }
    return status;
}

/* A contact that lasts about as many steps: where the fit says of no stiffness, --keep step begins
 * from it. */
static double start_stiffness(const struct cf_mapping *m)
{
    const double steps_a_contact = 10, lasts = 2.943; /* Hertz: 2.943 depth/speed */
    double v = m->question.speed_m_s, depth = steps_a_contact * m->question.dt_s * v / lasts;
    return 1.25 * m->twin.mass_kg * v * v / pow(depth, 2.5);
}

/* Depths go by k^-0.4. */
static int as_deep(struct cf_mapping *m, struct cf_curves *curves, struct cf_error *err)
{
    double v = m->question.speed_m_s, mass = m->twin.mass_kg;
    struct cf_impact wanted, unit;

    m->twin.p[K] = 1;
    int status = cf_impact(curves, m->law, m->p, mass, v, &wanted, err);
    if (!status)
        status = cf_impact(curves, m->twin.law, m->twin.p, mass, v, &unit, err);
    if (!status)
        m->twin.p[K] = pow(unit.value[CF_IMPACT_DEPTH] / wanted.value[CF_IMPACT_DEPTH], 2.5);
    return status;
}

int cf_constant_e_run(struct cf_mapping *m, struct cf_curves *curves, struct cf_error *err)
{
    const struct cf_law *tsuji = cf_law_find("tsuji");
    bool any = cf_export_any_spring(m->target, &m->question, m->material);
    double least = m->target->script->least_e, most = alpha_of(least), e, lowest;
    double v = m->question.speed_m_s;

    m->twin = (struct cf_twin){.scheme = CF_SCHEME_VERLET,
                               .law = tsuji,
                               .mass_kg = cf_export_mass(m),
                               .radius_m = m->material->radius_m};
    int status = cf_restitution_at(curves, m->law, m->p, m->twin.mass_kg, v, &e, err);
    if (status)
        return status;
    if (any)
        m->why = "a Hertz contact, as stiff as the step allows, and a restitution: e at the design "
                 "speed";
    bool linear = strcmp(m->law->name, "linear") == 0;
    m->twin.p[K] = any ? start_stiffness(m) : linear ? 1 : m->p[cf_law_k(m->law)];
    m->twin.p[ALPHA] = most;
    status = cf_restitution_at(curves, tsuji, m->twin.p, m->twin.mass_kg, v, &lowest, err);
    if (!status && !(e > lowest))
        return cf_fail(err, CF_EINPUT,
                       "%s: e = %.4g at %.4g m/s: %s takes coefficients above %g, and that one "
                       "shows %.4g where nothing pulls",
                       m->material->name, e, v, m->target->name, least, lowest);
    if (!status && m->law == tsuji)
        m->twin.p[ALPHA] = m->p[ALPHA];
    else if (!status)
        status = find_alpha(m, e, most, curves, err);
    return status || any || !linear ? status : as_deep(m, curves, err);
}
