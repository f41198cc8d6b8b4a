/* --keep step: the stiffest contact that keeps e at the user's step.
 *
 * At one speed a contact and its steps look the same when lengths and times are s times larger:
 * e depends on the step through h/s only. With m x'' = -k x^n that is k by s^-(n+1), and a damping
 * that leaves e at fine steps as it is. So the largest step that keeps e for the contact as it is
 * tells the softest factor that is needed for another step. Gravity and lengths of the engine's own
 * know no such scale: what they do to the soft contact is searched for step by step, from the first
 * spring that its steps resolve to the last that they leave room for.
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

/* The cause is for cf_export_advise(). */
static int none(const struct cf_mapping *m, const struct cf_goal *goal, struct cf_error *err)
{
    return cf_fail(err, CF_EINPUT,
                   "%s: --keep step: no contact of %s keeps e within %.2g at %.4g to %.4g m/s%s",
                   m->material->name, m->target->name, goal->bound, goal->speed_m_s[0],
                   goal->speed_m_s[goal->n > 1 ? goal->n - 2 : 0],
                   m->question.gravity_m_s2 > 0 ? " under that gravity" : "");
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

/* The factors that are tried. */
struct factors {
    double first, last;
};

/* Of contacts that look the same at every size the first that is tried serves, or one near it. */
static const double softer = 5, stride = 1.05;

static int scaled(const struct cf_mapping *m, const struct cf_goal *goal, bool follow,
                  struct cf_curves *curves, struct factors *out, struct cf_error *err)
{
    double dt;
    int status = cf_twin_largest_step(&m->twin, curves, goal, follow, &dt, err);

    if (!status && dt == 0)
        return none(m, goal, err);
    out->first = isfinite(dt) ? m->question.dt_s / (cf_below_the_edge * dt) : 1;
    out->last = softer * out->first;
    return status;
}

/* From a contact of two steps, stiffer than any that keeps e, to one that is as deep as there is
 * room, in which gravity takes away most of the slowest speed, or that has so many steps that more
 * of them change e by less than the bound. */
static int around(const struct cf_mapping *m, const struct cf_goal *goal, struct cf_curves *curves,
                  struct factors *out, struct cf_error *err)
{
    /* steps take energy by their share of a contact, which is seen where e is near 1 */
    const double steps_a_contact = 2, far = goal->design_e > 0.5 ? 500 : 100;
    double softest = far * fmax(cf_usual_bound / goal->bound, 1);
    double room_m = cf_export_room(m), slowest = goal->speed_m_s[0], fastest = 0;
    struct cf_twin limit = m->twin;
    struct cf_seen seen;

    for (size_t i = 0; i < goal->n; i++) {
        slowest = fmin(slowest, goal->speed_m_s[i]);
        fastest = fmax(fastest, goal->speed_m_s[i]);
    }
    limit.scheme = CF_SCHEME_CONTINUOUS;
    limit.gravity_m_s2 = 0;
    int status = cf_twin_run(&limit, curves, fastest, 0, 0, &seen, err);
    if (status)
        return status;
    out->first = steps_a_contact * m->question.dt_s / seen.duration_s;
    out->last = fmin(softest * out->first, (room_m - fastest * m->question.dt_s) / seen.depth_m);
    if (limit.gravity_m_s2 < m->question.gravity_m_s2)
        out->last = fmin(out->last, 2 * slowest / (m->question.gravity_m_s2 * seen.duration_s));
    return CF_OK;
}

static int first_good(struct cf_mapping *m, const struct cf_goal *goal,
                      const struct factors *factors, bool follow, struct cf_curves *curves,
                      struct cf_error *err)
{
    const struct cf_mapping hard = *m;
    bool any = cf_export_any_spring(m->target, &m->question, m->material), good = false;
    double first = any ? factors->first : fmax(factors->first, 1);
    int status = CF_OK;

    for (double s = first; !status && !good && s <= fmax(factors->last, first); s *= stride) {
        *m = hard;
        status = stretch(m, s, err);
        if (!status)
            status = cf_twin_within(&m->twin, curves, goal, m->question.dt_s, follow, &good, err);
    }
    return status || good ? status : none(m, goal, err);
}

int cf_export_soften(struct cf_mapping *m, struct cf_curves *curves, struct cf_error *err)
{
    bool follow = cf_twin_compensates(&m->twin) && !m->question.plain;
    struct cf_goal goal;
    struct factors factors;

    int status = check(m, err);
    if (!status)
        status = cf_export_goal(m, cf_export_mass(m), curves, &goal, err);
    if (!status)
        status = cf_twin_scales(&m->twin) ? scaled(m, &goal, follow, curves, &factors, err)
                                          : around(m, &goal, curves, &factors, err);
    return status ? status : first_good(m, &goal, &factors, follow, curves, err);
}
