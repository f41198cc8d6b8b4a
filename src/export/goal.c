/* What e is to be, over which speeds, and what may be done to have it. */

#include <math.h>

#include "export/predict.h"

const double cf_usual_bound = 0.02;

/* e ripples with the step, and the edge is known to 1 %: what is promised is safely inside. */
const double cf_below_the_edge = 0.97;

/* Does e depend on the mass? Where it does not, any mass serves to ask for it. */
bool cf_export_needs_mass(const struct cf_law *law)
{
    double k_power = 0, mass_power = 0;
    if (law->family == CF_FAMILY_NORMAL)
        cf_impact_group(law, &k_power, &mass_power);
    return mass_power != 0;
}

double cf_export_mass(const struct cf_mapping *m)
{
    return isnan(m->material->mass_kg) && !cf_export_needs_mass(m->law) ? 1 : m->material->mass_kg;
}

bool cf_export_is_code(const struct cf_mapping *m)
{
    return m->twin.scheme == CF_SCHEME_RESTITUTION && !m->target->adds;
}

bool cf_export_any_spring(const struct cf_target *target, const struct cf_question *question,
                          const struct cf_material *material)
{
    return question->keep == CF_KEEP_STEP && target->spring &&
           (material->law->family == CF_FAMILY_RESTITUTION || material->partly_known);
}

bool cf_export_range(const struct cf_question *question, const struct cf_material *material,
                     double *slowest_m_s, double *fastest_m_s)
{
    double low = question->slowest_m_s, high = question->fastest_m_s;

    *slowest_m_s = low > 0 ? low : material->speed_low_m_s;
    *fastest_m_s = high > 0 ? high : material->speed_high_m_s;
    return *slowest_m_s > 0 && *fastest_m_s >= *slowest_m_s && isfinite(*fastest_m_s);
}

double cf_export_middle_speed(const struct cf_question *question,
                              const struct cf_material *material)
{
    double low, high;

    return cf_export_range(question, material, &low, &high) ? sqrt(low * high) : (double) NAN;
}

/* e(v) of all laws is smooth in ln v, and largest and least at the ends of most ranges. */
static double speed_at(double slowest, double fastest, size_t i, size_t n)
{
    return i == 0       ? slowest
           : i == n - 1 ? fastest
                        : slowest * pow(fastest / slowest, (double) i / (double) (n - 1));
}

int cf_export_goal(const struct cf_mapping *m, double mass_kg, struct cf_curves *curves,
                   struct cf_goal *out, struct cf_error *err)
{
    const struct cf_material *material = m->material;
    double v = m->question.speed_m_s, bound = m->question.bound_e, slowest, fastest;
    bool range = cf_export_range(&m->question, material, &slowest, &fastest);
    int status =
        cf_restitution_at(curves, material->law, material->p, mass_kg, v, &out->design_e, err);

    out->design_m_s = v;
    out->bound = isnan(bound) ? cf_usual_bound : bound;
    out->n = 0;
    for (size_t i = 0; range && i < CF_MOST_GOALS - 1 && !status; i++) {
        out->speed_m_s[out->n] = speed_at(slowest, fastest, i, CF_MOST_GOALS - 1);
        status = cf_restitution_at(curves, material->law, material->p, mass_kg,
                                   out->speed_m_s[out->n], &out->e[out->n], err);
        out->n++;
    }
    out->speed_m_s[out->n] = v;
    out->e[out->n++] = out->design_e;
    return status;
}
