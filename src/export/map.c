/* A material as a target's parameters: the checks and steps that all targets share. */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "export/predict.h"

int cf_run_law(struct cf_mapping *m, enum cf_scheme scheme)
{
    m->twin = (struct cf_twin){.scheme = scheme,
                               .law = m->law,
                               .mass_kg = cf_export_mass(m),
                               .radius_m = m->material->radius_m};
    memcpy(m->twin.p, m->p, sizeof m->twin.p);
    return CF_OK;
}

int cf_run_linear(struct cf_mapping *m, enum cf_scheme scheme, struct cf_curves *curves,
                  struct cf_error *err)
{
    m->twin = (struct cf_twin){.scheme = scheme,
                               .law = cf_law_find("linear"),
                               .mass_kg = m->material->mass_kg,
                               .radius_m = m->material->radius_m};
    if (cf_export_any_spring(m->target, &m->question, m->material))
        return cf_export_start_spring(m, curves, err);
    enum cf_keep keep = m->question.keep == CF_KEEP_STEP ? CF_KEEP_DEPTH : m->question.keep;
    return cf_linear_equivalent(curves, m->law, m->p, m->material->mass_kg, m->question.speed_m_s,
                                keep, &m->twin.p[0], &m->twin.p[1], err);
}

int cf_run_foundation(struct cf_mapping *m, const char *name, struct cf_error *err)
{
    return m->material->tangential.kv > 0
               ? cf_run_law(m, CF_SCHEME_CONTINUOUS)
               : cf_fail(err, CF_EINPUT,
                         "%s: %s needs the stiffness kv of a foundation: give -p kv=VALUE, in "
                         "N/m^3",
                         m->material->name, name);
}

int cf_run_depth(struct cf_mapping *m, struct cf_curves *curves, struct cf_error *err)
{
    struct cf_impact impact;

    cf_run_law(m, CF_SCHEME_CONTINUOUS);
    int status =
        cf_impact(curves, m->law, m->p, m->twin.mass_kg, m->question.speed_m_s, &impact, err);
    if (!status && !impact.known[CF_IMPACT_DEPTH])
        return cf_fail(err, CF_EINPUT,
                       "%s: %s with these parameters predicts no depth, and a spring needs a "
                       "stiffness: fit contact times, depths or forces too",
                       m->material->name, m->law->name);
    if (!status)
        m->depth_m = impact.value[CF_IMPACT_DEPTH];
    return status;
}

/* Does the question stay where the curve was measured? */
static bool is_measured(const struct cf_question *question, const struct cf_reference *curve)
{
    const double asked[] = {question->speed_m_s, question->slowest_m_s, question->fastest_m_s};
    bool measured = true;

    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++)
        measured = measured && (isnan(asked[i]) || cf_reference_covers(curve, asked[i]));
    return measured;
}

bool cf_export_trusted(const struct cf_target *target, const struct cf_question *question,
                       const struct cf_material *material)
{
    const struct cf_reference *curve = material->curve;
    bool e_alone = target->only_e || cf_export_any_spring(target, question, material);
    bool unmet = e_alone && curve && curve->needed && curve->word != CF_ADEQUATE;

    return (material->trusted && !unmet) || material->smooth.n > 0 ||
           (e_alone &&
            (material->by_curve ? is_measured(question, curve) : material->partly_known));
}

int cf_run_restitution(struct cf_mapping *m, struct cf_curves *curves, struct cf_error *err)
{
    m->twin = (struct cf_twin){.scheme = CF_SCHEME_RESTITUTION,
                               .mass_kg = cf_export_mass(m),
                               .radius_m = m->material->radius_m};
    return cf_restitution_at(curves, m->law, m->p, cf_export_mass(m), m->question.speed_m_s,
                             &m->twin.e, err);
}

enum cf_exactness cf_exactness_linear(const struct cf_law *law, const char **why)
{
    if (strcmp(law->name, "linear") == 0) {
        *why = "a linear spring and damper, as the law";
        return CF_EXACTNESS_LAW_RADIUS;
    }
    if (law->family == CF_FAMILY_RESTITUTION) {
        *why = "a law of e alone has no stiffness: --keep step takes any that keeps e";
        return CF_EXACTNESS_NONE;
    }
    *why = "a linear spring and damper: e and one of depth, duration and force at the design speed";
    return CF_EXACTNESS_CONSTANT_E;
}

enum cf_exactness cf_exactness_restitution(const struct cf_law *law, const char **why)
{
    /* e of the others falls with the speed; of the driven laws, below a threshold only */
    static const char *const constant[] = {"e-constant", "tsuji", "linear"};

    for (size_t i = 0; i < sizeof constant / sizeof constant[0]; i++)
        if (strcmp(law->name, constant[i]) == 0) {
            bool alone = law->family == CF_FAMILY_RESTITUTION;
            *why = "the e of the law is the same at every speed; no depth, no duration";
            return alone ? CF_EXACTNESS_LAW : CF_EXACTNESS_E_ALONE;
        }
    *why = "a coefficient of restitution: e at the design speed, no depth, no duration";
    return CF_EXACTNESS_CONSTANT_E;
}

static int need(double value, const struct cf_mapping *m, const char *what, const char *option,
                struct cf_error *err)
{
    if (value > 0)
        return CF_OK;
    return cf_fail(err, CF_EINPUT,
                   "%s: %s needs the %s of the pair, which the fit does not have: give --%s",
                   m->material->name, m->target->name, what, option);
}

static int check_question(const struct cf_mapping *m, struct cf_error *err)
{
    const struct cf_question *q = &m->question;
    double low, high;

    if (!cf_export_range(q, m->material, &low, &high) && low > high)
        return cf_fail(err, CF_EUSAGE,
                       "%s: e would be held from %.6g m/s up to %.6g m/s: --slowest must not be "
                       "above --fastest; where one is not given, it is that of the fit",
                       m->material->name, low, high);
    if (isnan(q->speed_m_s))
        return cf_fail(err, CF_EINPUT,
                       "%s: the fit has no speeds, and so no design speed: give --speed, such as "
                       "--speed=\"0.5 m/s\"",
                       m->material->name);
    if (!(q->speed_m_s > 0 && isfinite(q->speed_m_s)))
        return cf_fail(err, CF_ERANGE, "design speed = %.15g m/s: must be above 0", q->speed_m_s);
    if (!isnan(q->dt_s) && !(q->dt_s > 0 && isfinite(q->dt_s)))
        return cf_fail(err, CF_ERANGE, "--dt: %.15g s: must be above 0", q->dt_s);
    if (!isnan(q->bound_e) && !(q->bound_e > 0 && q->bound_e < 1))
        return cf_fail(err, CF_ERANGE, "--bound: %.15g: must be above 0 and below 1", q->bound_e);
    return CF_OK;
}

/* "azad-featherstone or e-constant" */
static void list_laws(const char *const *law, char *out, size_t size)
{
    size_t used = 0;
    out[0] = '\0';
    for (size_t i = 0; law && law[i] && used < size; i++)
        used += (size_t) snprintf(out + used, size - used, "%s%s",
                                  i == 0       ? ""
                                  : law[i + 1] ? ", "
                                               : " or ",
                                  law[i]);
}

static int cannot(const struct cf_mapping *m, struct cf_error *err)
{
    char laws[256];

    list_laws(m->target->approximate, laws, sizeof laws);
    if (!laws[0])
        return cf_fail(err, CF_EINPUT, "%s: %s cannot express %s: %s", m->material->name,
                       m->target->name, m->law->name, m->why);
    return cf_fail(err, CF_EINPUT,
                   "%s: %s cannot express %s: %s; the nearest it can: --approximate %s",
                   m->material->name, m->target->name, m->law->name, m->why, laws);
}

/* Put the law that the user accepts in place of the fit's. */
static int approximate(struct cf_mapping *m, const struct cf_law *to, struct cf_curves *curves,
                       struct cf_error *err)
{
    const struct cf_material *material = m->material;
    const char *const *offered = m->target->approximate;
    double low = material->speed_low_m_s, high = material->speed_high_m_s;
    char laws[256];

    while (offered && *offered && strcmp(*offered, to->name) != 0)
        offered++;
    if (!offered || !*offered) {
        list_laws(m->target->approximate, laws, sizeof laws);
        return laws[0] ? cf_fail(err, CF_EUSAGE, "--approximate: %s cannot express %s: it can %s",
                                 m->target->name, to->name, laws)
                       : cf_fail(err, CF_EUSAGE, "--approximate: %s has no law to stand for others",
                                 m->target->name);
    }
    if (!(low > 0))
        low = high = m->question.speed_m_s;
    m->approximated = true;
    int status = cf_law_approximate(curves, m->law, m->p, cf_export_mass(m), low, high, to, m->p,
                                    &m->approximation_error, err);
    m->law = to;
    return status;
}

/* Choose the damping that shows the wanted e at the user's step, or comes nearest to it. */
static int compensate(struct cf_mapping *m, struct cf_curves *curves, struct cf_error *err)
{
    double e;

    m->plain_damping = cf_mapping_parameter(m, "lambda");
    m->compensable = true;
    if (isnan(m->question.dt_s) || m->question.plain || !cf_twin_compensates(&m->twin))
        return CF_OK;
    int status =
        cf_restitution_at(curves, m->law, m->p, cf_export_mass(m), m->question.speed_m_s, &e, err);
    if (!status)
        status = cf_twin_compensate(&m->twin, curves, m->question.speed_m_s, m->question.dt_s, e,
                                    &m->compensable, err);
    m->compensated = !status;
    return status;
}

/* Steps that can be asked about: the finest still end a contact within the twin's patience, the
 * coarsest is beyond what any simulator is run with. */
static const double most_steps_a_contact = 1e5, longest_step_s = 1;

static int check_step(const struct cf_mapping *m, struct cf_curves *curves, struct cf_error *err)
{
    struct cf_twin fine = m->twin;
    struct cf_seen seen;
    double dt = m->question.dt_s;

    if (isnan(dt) || fine.scheme == CF_SCHEME_CONTINUOUS || fine.scheme == CF_SCHEME_RESTITUTION)
        return CF_OK;
    if (!(dt <= longest_step_s))
        return cf_fail(err, CF_ERANGE, "--dt: %.6g s: must be at most %g s", dt, longest_step_s);
    fine.scheme = CF_SCHEME_CONTINUOUS;
    int status = cf_twin_run(&fine, curves, m->question.speed_m_s, 0, 0, &seen, err);
    double finest = seen.duration_s / most_steps_a_contact;
    if (!status && !(dt >= finest))
        return cf_fail(err, CF_ERANGE,
                       "--dt: %.6g s: a contact of %.3g s would take %.2g steps: must be at least "
                       "%.3g s",
                       dt, seen.duration_s, seen.duration_s / dt, finest);
    return status;
}

static int check_needs(const struct cf_mapping *m, struct cf_error *err)
{
    int status = CF_OK;

    if ((m->target->needs & CF_NEEDS_MASS) || cf_export_needs_mass(m->law))
        status = need(m->material->mass_kg, m, "effective mass", "mass", err);
    if (!status && (m->target->needs & CF_NEEDS_RADIUS))
        status = need(m->material->radius_m, m, "effective radius", "radius", err);
    if (!status && (m->target->needs & CF_NEEDS_RADIUS) && isinf(m->material->radius_m))
        return cf_fail(err, CF_EINPUT, "%s: %s needs an effective radius, and two planes have none",
                       m->material->name, m->target->name);
    return status;
}

/* What is around the contact: gravity, and what the engine adds. */
static void add_engine(struct cf_mapping *m)
{
    if (m->question.gravity_m_s2 > 0 && !cf_export_is_code(m))
        m->twin.gravity_m_s2 = m->question.gravity_m_s2;
    if (m->target->adds)
        m->target->adds(m);
}

int cf_export_try(const struct cf_target *target, const struct cf_material *material,
                  const struct cf_question *question, const struct cf_law *instead,
                  struct cf_curves *curves, struct cf_mapping *out, struct cf_error *err)
{
    *out = (struct cf_mapping){.target = target,
                               .material = material,
                               .question = *question,
                               .law = material->law,
                               .softened = 1,
                               .softened_damping = 1};
    memcpy(out->p, material->p, sizeof out->p);
    if (cf_material_is_friction(material))
        return cf_fail(err, CF_EINPUT, "%s: %s is a friction curve: it does not predict impacts",
                       material->name, material->law->name);

    int status = check_question(out, err);
    if (!status)
        status = check_needs(out, err);
    if (!status && instead && instead != out->law)
        status = approximate(out, instead, curves, err);
    if (status)
        return status;
    out->exactness = cf_target_exactness(
        target, material->foundation ? material->foundation : out->law, &out->why);
    if (cf_export_any_spring(target, question, material)) {
        out->exactness = CF_EXACTNESS_CONSTANT_E;
        out->why = "a linear spring and damper, as stiff as the step allows: e at the design speed";
    }
    if (out->exactness == CF_EXACTNESS_NONE)
        return CF_OK;
    status = target->run ? target->run(out, curves, err) : cf_run_law(out, CF_SCHEME_CONTINUOUS);
    add_engine(out);
    return status;
}

/* A parameter that the fit does not have comes out as a value that is no number. */
static int check_values(const struct cf_mapping *m, struct cf_error *err)
{
    for (size_t i = 0; i < m->nvalue; i++) {
        if (!isnan(m->value[i].value))
            continue;
        for (size_t j = 0; j < m->law->nparam; j++)
            if (isnan(m->p[j]))
                return cf_fail(err, CF_EINPUT, "%s: %s needs %s for %s, and the fit has none",
                               m->material->name, m->target->name, m->law->param[j].name,
                               m->value[i].name);
        return cf_fail(err, CF_EINPUT, "%s: %s: there is no %s", m->material->name, m->target->name,
                       m->value[i].name);
    }
    return CF_OK;
}

int cf_export_map(const struct cf_target *target, const struct cf_material *material,
                  const struct cf_question *question, const struct cf_law *instead,
                  struct cf_curves *curves, struct cf_mapping *out, struct cf_error *err)
{
    int status = cf_export_try(target, material, question, instead, curves, out, err);

    if (!status && out->exactness == CF_EXACTNESS_NONE)
        return cannot(out, err);
    if (!status)
        status = check_step(out, curves, err);
    if (!status && question->keep == CF_KEEP_STEP)
        status = cf_export_soften(out, curves, err);
    if (!status)
        status = compensate(out, curves, err);
    if (!status)
        status = target->fill(out, err);
    if (!status && out->failed)
        status = cf_fail(err, CF_ENOMEM, "no memory for the values of %s", target->name);
    if (!status && !target->any_values)
        status = check_values(out, err);
    return status ? status : cf_export_predict(out, curves, err);
}

int cf_export_predict(struct cf_mapping *m, struct cf_curves *curves, struct cf_error *err)
{
    return cf_predict(m, cf_export_mass(m), curves, err);
}
