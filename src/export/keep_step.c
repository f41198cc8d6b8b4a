/* --keep step: the stiffest contact that keeps e at the user's step.
 *
 * At one speed a contact and its steps look the same when lengths and times are s times larger:
 * e depends on the step through h/s only. With m x'' = -k x^n that is k by s^-(n+1), and a damping
 * that leaves e at fine steps as it is. So the largest step that keeps e for the contact as it is
 * tells the softest factor that is needed for another step. Gravity knows no such scale: what it
 * does to the soft contact is searched for step by step.
 */

#define _XOPEN_SOURCE 700
#include <math.h>

#include "export/predict.h"

/* Steps in a contact of the spring from which the search starts where the fit says of none. */
static const double steps_a_contact = 10;

int cf_export_start_spring(struct cf_mapping *m, struct cf_curves *curves, struct cf_error *err)
{
    double mass = m->material->mass_kg, frequency = M_PI / (steps_a_contact * m->question.dt_s), e;
    int status = cf_restitution_at(curves, m->law, m->p, mass, m->question.speed_m_s, &e, err);

    if (!status && !(e > 0))
        return cf_fail(err, CF_ERANGE, "e = %g at %g m/s: no spring and damper has it", e,
                       m->question.speed_m_s);
    if (!status) {
        m->twin.p[0] = mass * frequency * frequency;
        m->twin.p[1] = 2 * cf_linear_zeta(e) * mass * frequency;
    }
    return status;
}

/* Has the target steps that its twin knows, and a spring that these can be too long for? */
static int check(const struct cf_mapping *m, struct cf_error *err)
{
    const char *name = m->target->name;

    if (isnan(m->question.dt_s))
        return cf_fail(err, CF_EUSAGE, "--keep step: the step is wanted: give --dt");
    if (m->target->any_step || m->twin.scheme == CF_SCHEME_RESTITUTION)
        return cf_fail(err, CF_EUSAGE,
                       "--keep step: %s has the same e at every step, and no spring to soften",
                       name);
    if (m->twin.scheme == CF_SCHEME_CONTINUOUS)
        return cf_fail(err, CF_EINPUT,
                       "--keep step: no twin of the steps of %s is known, and so no spring that "
                       "keeps e there",
                       name);
    return CF_OK;
}

/* No step serves: because e of the fit changes by more than one e can follow, or because even the
 * finest steps lose too much. */
static int none(const struct cf_mapping *m, const struct cf_goal *goal, struct cf_error *err)
{
    double low = (double) INFINITY, high = -low;

    for (size_t i = 0; i < goal->n; i++) {
        low = fmin(low, goal->e[i]);
        high = fmax(high, goal->e[i]);
    }
    return cf_fail(err, CF_EINPUT,
                   "%s: --keep step: no contact of %s keeps e within %.2g at %.4g to %.4g m/s%s: e "
                   "of the fit goes from %.4f to %.4f there; --bound, --slowest and --fastest ask "
                   "for less",
                   m->material->name, m->target->name, goal->bound, goal->speed_m_s[0],
                   goal->speed_m_s[goal->n > 1 ? goal->n - 2 : 0],
                   m->question.gravity_m_s2 > 0 ? " under that gravity" : "", high, low);
}

/* k by s^-(n+1), and the damping so that e at fine steps stays: cf_impact_group() says how. */
static int stretch(struct cf_mapping *m, double s, struct cf_error *err)
{
    const struct cf_law *law = m->twin.law;
    size_t k = cf_law_k(law), damping = cf_param_find(law->param, law->nparam, "lambda");
    double k_power, mass_power;

    bool known = cf_impact_group(law, &k_power, &mass_power) && law->n > 0 && k < law->nparam;
    if (!known || (k_power != 0 && damping == law->nparam))
        return cf_fail(err, CF_EINPUT, "--keep step: %s cannot be made softer and keep its e",
                       law->name);
    m->softened = pow(s, -(law->n + 1));
    m->softened_damping = pow(m->softened, -k_power);
    m->twin.p[k] *= m->softened;
    if (damping < law->nparam)
        m->twin.p[damping] *= m->softened_damping;
    m->depth_m *= s;
    if (m->exactness != CF_EXACTNESS_CONSTANT_E && s > 1) {
        m->exactness = CF_EXACTNESS_SOFT;
        m->why = "the form of the law, as stiff as the step allows: its e, not its depth";
    }
    return CF_OK;
}

/* Under gravity e is lower where the contact is softer, and ripples more where it is stiffer: the
 * factors that are tried then reach from harder than without gravity to much softer. Without, the
 * first serves, or one near it. */
static const double harder = 0.5, softer = 5, stride = 1.02;

static int first_good(struct cf_mapping *m, const struct cf_goal *goal, double s, bool follow,
                      struct cf_curves *curves, struct cf_error *err)
{
    const struct cf_mapping hard = *m;
    bool heavy = m->question.gravity_m_s2 > 0, good = false;
    int status = CF_OK;

    for (double trial = heavy ? harder * s : s; !status && !good && trial < softer * s;
         trial *= stride) {
        *m = hard;
        m->twin.gravity_m_s2 = heavy ? m->question.gravity_m_s2 : 0;
        status = stretch(m, trial, err);
        if (!status)
            status = cf_twin_within(&m->twin, curves, goal, m->question.dt_s, follow, &good, err);
    }
    return status || good ? status : none(m, goal, err);
}

int cf_export_soften(struct cf_mapping *m, struct cf_curves *curves, struct cf_error *err)
{
    bool any = cf_export_any_spring(m->target, &m->question, m->material);
    bool follow = cf_twin_compensates(&m->twin) && !m->question.plain;
    struct cf_goal goal;
    double dt;

    int status = check(m, err);
    if (!status)
        status = cf_export_goal(m, cf_export_mass(m), curves, &goal, err);
    if (!status)
        status = cf_twin_largest_step(&m->twin, curves, &goal, follow, &dt, err);
    if (status)
        return status;
    if (dt == 0)
        return none(m, &goal, err);
    double s = isfinite(dt) ? m->question.dt_s / (cf_below_the_edge * dt) : 1;
    if (!any)
        s = fmax(s, 1);
    return first_good(m, &goal, s, follow, curves, err);
}
