/* From a law and its parameters to the answers about one impact: scaling and the chain rule.
 *
 *   Z = (m v^2/k)^(1/(n+1)),   beta = r Z^(p-n) v,   r = lambda/k
 *   e = E(beta),  duration = (Z/v) tau(beta),  depth = Z zeta(beta),  force = (m v^2/Z) phi(beta)
 */

#include "impact/impact.h"

#include <float.h>
#include <math.h>

#include "core/limits.h"
#include "impact/direct.h"
#include "impact/scaled.h"
#include "impact/sweep.h"

/* Of a direct integration. Restitution is accurate to some twenty times this, so that it holds what
 * impact.h says with large exponents, too; derivatives to some hundred times: below 1e-9, which
 * cf_rank_noise relies on. */
static const double direct_tolerance = 3e-13;

/* Usual are 30 to 90. A stiff impact (a relaxation much faster than the impact, or p >= n with a
 * damping that leaves e = 1e-4) takes more in proportion to its stiffness: a fit that strays there
 * must fail early; verification may take longer. */
enum { DIRECT_STEPS = 1000, CHECK_STEPS = 100000 };

/* x + y, where a sum that is only rounding is 0: a parameter that cancels has no derivative. */
static double cancel(double x, double y)
{
    double sum = x + y;
    return fabs(sum) <= 4 * DBL_EPSILON * fabs(x) ? 0 : sum;
}

/* Z^(p-n): for most laws no more than a division. */
static double length_power(double length, double power)
{
    return power == 0 ? 1 : power == -1 ? 1 / length : pow(length, power);
}

/* beta; p[k] is the law's k. */
static void scaled_damping(const struct cf_law *law, const double p[], size_t k, double mass_kg,
                           double speed_m_s, double length, struct cf_graded *beta)
{
    struct cf_damping damping;
    double power = (law->p - law->n) / (law->n + 1); /* of m v^2/k in beta */
    double scale = length_power(length, law->p - law->n) * speed_m_s;

    law->damping(p, mass_kg, speed_m_s, &damping);
    beta->value = damping.ratio * scale;
    for (size_t i = 0; i < law->nparam; i++)
        beta->by_param[i] = damping.by_param[i] * scale;
    beta->by_param[k] = cancel(beta->by_param[k], -power * beta->value / p[k]);
    beta->by_mass = cancel(damping.by_mass * scale, power * beta->value / mass_kg);
    beta->by_speed = cancel(damping.by_approach * scale, (1 + 2 * power) * beta->value / speed_m_s);
}

static int scaled_answer(struct cf_curves *curves, const struct cf_law *law, double beta,
                         struct cf_scaled_impact *shape, struct cf_error *err)
{
    const struct cf_curve *curve;
    int status;

    if (law->n == 1 && law->p == 0) {
        cf_scaled_impact_linear(beta, shape);
        return CF_OK;
    }
    if (!(beta <= cf_curve_beta_most))
        return cf_fail(
            err, CF_ERANGE,
            "%s: the damping over the spring, beta = (lambda/k) Z^(p-n) v, is %.3g here: "
            "its answers are known up to %g",
            law->name, beta, cf_curve_beta_most);
    if ((status = cf_curve_get(curves, law->n, law->p, &curve, err)))
        return status;
    cf_curve_at(curve, beta, shape);
    if (law->n == law->p)
        cf_scaled_impact_hunt_crossley(law->n, beta, shape);
    return CF_OK;
}

/* The unit of each answer: Z^length m^mass v^speed. */
static const struct {
    int length, mass, speed;
} unit_of[CF_NIMPACT] = {
    [CF_IMPACT_DURATION] = {1, 0, -1},
    [CF_IMPACT_DEPTH] = {1, 0, 0},
    [CF_IMPACT_FORCE] = {-1, 1, 2},
};

static void measure(double mass_kg, double speed_m_s, double length, double unit[])
{
    unit[CF_IMPACT_RESTITUTION] = 1;
    unit[CF_IMPACT_DURATION] = length / speed_m_s;
    unit[CF_IMPACT_DEPTH] = length;
    unit[CF_IMPACT_FORCE] = mass_kg * speed_m_s * speed_m_s / length;
}

/* Z */
static double length_of(const struct cf_law *law, double k, double mass_kg, double speed_m_s)
{
    return pow(mass_kg * speed_m_s * speed_m_s / k, 1 / (law->n + 1));
}

/* k, mass and speed positive, the rest in range. Without k (NAN) only e is given, and only where k
 * cancels in it: then any k will do. */
static int check(const struct cf_law *law, const double p[], double mass_kg, double speed_m_s,
                 bool *without_k, struct cf_error *err)
{
    size_t k = cf_law_k(law);
    double k_power, mass_power;

    *without_k = false;
    if (law->curve)
        return cf_fail(err, CF_ERANGE, "%s is a friction curve: it does not predict impacts",
                       law->name);
    if (law->family == CF_FAMILY_FOUNDATION)
        return cf_fail(err, CF_ERANGE,
                       "%s acts on a volume of interference: an impact wants the shapes of the "
                       "bodies, as a scene has them",
                       law->name);
    if (!(mass_kg > 0 && isfinite(mass_kg)))
        return cf_fail(err, CF_ERANGE, "mass = %.15g kg: must be above 0", mass_kg);
    if (!(speed_m_s > 0 && isfinite(speed_m_s)))
        return cf_fail(err, CF_ERANGE, "speed = %.15g m/s: must be above 0", speed_m_s);
    if (cf_limits_check("mass", "kg", mass_kg, err) ||
        cf_limits_check("speed", "m/s", speed_m_s, err))
        return CF_ERANGE;
    if (!law->regular && k < law->nparam && isnan(p[k])) {
        cf_impact_group(law, &k_power, &mass_power);
        *without_k = k_power == 0;
    }
    for (size_t i = 0; i < law->nparam; i++) {
        int status;
        if (i == k && *without_k)
            continue;
        if ((status = cf_param_check(&law->param[i], 1, &p[i], err)))
            return status;
    }
    return CF_OK;
}

static void restitution_only(const struct cf_law *law, const double p[], double speed_m_s,
                             struct cf_impact *out)
{
    struct cf_restitution at;

    law->restitution(p, speed_m_s, &at);
    out->known[CF_IMPACT_RESTITUTION] = true;
    out->value[CF_IMPACT_RESTITUTION] = at.e;
    out->by_speed[CF_IMPACT_RESTITUTION] = at.by_speed;
    for (size_t i = 0; i < law->nparam; i++)
        out->by_param[CF_IMPACT_RESTITUTION][i] = at.by_param[i];
}

/* Give units to scaled answers, which come with their slopes by the groups: slope[CF_NIMPACT][],
 * which is only read, but in C11 an array of rows does not convert to one of const rows. */
static void fill(const struct cf_law *law, double mass_kg, double speed_m_s,
                 const struct cf_graded *length, size_t ngroup, const struct cf_graded group[],
                 const double value[], double slope[][CF_MAX_GROUP], struct cf_impact *out)
{
    double unit[CF_NIMPACT], Z = length->value;

    measure(mass_kg, speed_m_s, Z, unit);
    for (int i = 0; i < CF_NIMPACT; i++) {
        double whole = unit[i] * value[i], by_Z = unit_of[i].length * whole / Z;

        out->known[i] = true;
        out->value[i] = whole;
        for (size_t j = 0; j < law->nparam; j++)
            out->by_param[i][j] = by_Z * length->by_param[j];
        out->by_mass[i] = by_Z * length->by_mass + unit_of[i].mass * whole / mass_kg;
        out->by_speed[i] = by_Z * length->by_speed + unit_of[i].speed * whole / speed_m_s;
        for (size_t g = 0; g < ngroup; g++) {
            double by_group = unit[i] * slope[i][g];
            for (size_t j = 0; j < law->nparam; j++)
                out->by_param[i][j] += by_group * group[g].by_param[j];
            out->by_mass[i] += by_group * group[g].by_mass;
            out->by_speed[i] += by_group * group[g].by_speed;
        }
    }
}

/* By the curve of (n, p), or its closed form. */
static int by_curve(struct cf_curves *curves, const struct cf_law *law, const double p[],
                    double mass_kg, double speed_m_s, struct cf_impact *out, struct cf_error *err)
{
    size_t k = cf_law_k(law);
    double power = 1 / (law->n + 1), slope[CF_NIMPACT][CF_MAX_GROUP];
    double Z = length_of(law, p[k], mass_kg, speed_m_s);
    struct cf_graded beta;
    struct cf_graded length = {Z, {0}, 2 * power * Z / speed_m_s, power * Z / mass_kg};
    struct cf_scaled_impact shape;
    int status;

    length.by_param[k] = -power * Z / p[k];
    scaled_damping(law, p, k, mass_kg, speed_m_s, Z, &beta);
    if ((status = scaled_answer(curves, law, beta.value, &shape, err)))
        return status;
    for (int i = 0; i < CF_NIMPACT; i++)
        slope[i][0] = shape.by_beta[i];
    fill(law, mass_kg, speed_m_s, &length, 1, &beta, shape.value, slope, out);
    return CF_OK;
}

/* The groups' values, and how to integrate with them. */
static struct cf_direct_how prepare(const struct cf_law *law, const double p[], double mass_kg,
                                    double speed_m_s, double tolerance, struct cf_graded *length,
                                    struct cf_graded group[], double value[])
{
    struct cf_direct_how how = {.tolerance = tolerance, .inner = 1, .max_steps = CHECK_STEPS};

    law->regular->scale(p, mass_kg, speed_m_s, length, group, &how.size);
    for (size_t i = 0; i < law->regular->ngroup; i++)
        value[i] = group[i].value;
    return how;
}

/* The law, speed and parameters, where an integration failed. */
static int explain(const struct cf_law *law, double speed_m_s, int status,
                   const struct cf_error *why, struct cf_error *err)
{
    if (status != CF_ESOLVE)
        return cf_fail(err, status, "%s", why->text);
    return cf_fail(err, status, "%s at %.6g m/s: %.900s", law->name, speed_m_s, why->text);
}

/* A cf_impact_one. */
static int by_integration(const struct cf_law *law, const double p[], double mass_kg,
                          double speed_m_s, bool slopes, struct cf_impact *out,
                          struct cf_error *err)
{
    struct cf_graded length, group[CF_MAX_GROUP];
    struct cf_direct at;
    struct cf_error why = {""};
    double value[CF_MAX_GROUP];
    struct cf_direct_how how =
        prepare(law, p, mass_kg, speed_m_s, direct_tolerance, &length, group, value);
    int status;

    how.slopes = slopes;
    how.max_steps = DIRECT_STEPS;
    if ((status = cf_direct_answer(law->regular, value, &how, &at, &why)))
        return explain(law, speed_m_s, status, &why, err);
    if (law->regular->restitution)
        at.value[CF_IMPACT_RESTITUTION] =
            law->regular->restitution(value, at.by_group[CF_IMPACT_RESTITUTION]);
    fill(law, mass_kg, speed_m_s, &length, law->regular->ngroup, group, at.value, at.by_group, out);
    return CF_OK;
}

/* Parameters at the ends of their ranges can have answers that no double holds. */
static int check_answer(const struct cf_law *law, double mass_kg, double speed_m_s,
                        const struct cf_impact *out, struct cf_error *err)
{
    for (int i = 0; i < CF_NIMPACT; i++)
        if (out->known[i] && !isfinite(out->value[i]))
            return cf_fail(err, CF_ESOLVE,
                           "%s with these parameters, %g kg and %g m/s: the impact is beyond what "
                           "doubles hold",
                           law->name, mass_kg, speed_m_s);
    return CF_OK;
}

int cf_impact(struct cf_curves *curves, const struct cf_law *law, const double p[], double mass_kg,
              double speed_m_s, struct cf_impact *out, struct cf_error *err)
{
    double q[CF_MAX_PARAM];
    size_t k = cf_law_k(law);
    bool without_k;
    int status;

    *out = (struct cf_impact){0};
    if ((status = check(law, p, mass_kg, speed_m_s, &without_k, err)))
        return status;
    if (law->family == CF_FAMILY_RESTITUTION) {
        restitution_only(law, p, speed_m_s, out);
        return CF_OK;
    }
    for (size_t i = 0; i < law->nparam; i++)
        q[i] = i == k && without_k ? law->param[k].typical : p[i];
    if (law->regular) {
        const struct cf_sweep *sweep = curves ? *cf_curves_sweep_of(curves) : NULL;
        if (sweep && cf_sweep_at(sweep, law, q, mass_kg, speed_m_s, out))
            return CF_OK;
        return by_integration(law, q, mass_kg, speed_m_s, true, out, err);
    }
    if ((status = by_curve(curves, law, q, mass_kg, speed_m_s, out, err)))
        return status;
    for (int i = 0; i < CF_NIMPACT; i++)
        out->known[i] = !without_k || i == CF_IMPACT_RESTITUTION;
    return check_answer(law, mass_kg, speed_m_s, out, err);
}

static int integrate_regular(const struct cf_law *law, const double p[], double mass_kg,
                             double speed_m_s, double tolerance, double value[],
                             struct cf_error *err)
{
    struct cf_graded length, group[CF_MAX_GROUP];
    struct cf_direct at;
    struct cf_error why = {""};
    double unit[CF_NIMPACT], scaled[CF_MAX_GROUP];
    struct cf_direct_how how =
        prepare(law, p, mass_kg, speed_m_s, tolerance, &length, group, scaled);
    int status = cf_direct_answer(law->regular, scaled, &how, &at, &why);

    if (status)
        return explain(law, speed_m_s, status, &why, err);
    measure(mass_kg, speed_m_s, length.value, unit);
    for (int i = 0; i < CF_NIMPACT; i++)
        value[i] = unit[i] * at.value[i];
    return CF_OK;
}

int cf_impact_integrate(const struct cf_law *law, const double p[], double mass_kg,
                        double speed_m_s, double tolerance, double value[], struct cf_error *err)
{
    struct cf_graded beta;
    struct cf_scaled at;
    double unit[CF_NIMPACT], length;
    size_t k = cf_law_k(law);
    int status;

    if (law->family == CF_FAMILY_RESTITUTION)
        return cf_fail(err, CF_ESOLVE, "%s has no force to integrate", law->name);
    if (!(tolerance > 0 && tolerance < 1))
        return cf_fail(err, CF_ERANGE, "tolerance = %g: must be between 0 and 1", tolerance);
    if ((status = check(law, p, mass_kg, speed_m_s, &(bool){false}, err)))
        return status;
    if (law->regular)
        return integrate_regular(law, p, mass_kg, speed_m_s, tolerance, value, err);
    length = length_of(law, p[k], mass_kg, speed_m_s);
    scaled_damping(law, p, k, mass_kg, speed_m_s, length, &beta);
    if ((status = cf_scaled_integrate(law->n, law->p, beta.value, tolerance, &at, err)))
        return status;
    measure(mass_kg, speed_m_s, length, unit);
    value[CF_IMPACT_RESTITUTION] = at.e;
    value[CF_IMPACT_DURATION] = unit[CF_IMPACT_DURATION] * at.tau;
    value[CF_IMPACT_DEPTH] = unit[CF_IMPACT_DEPTH] * at.zeta;
    value[CF_IMPACT_FORCE] = unit[CF_IMPACT_FORCE] * at.phi;
    return CF_OK;
}

int cf_curves_sweep(struct cf_curves *curves, const struct cf_law *law, const double p[],
                    double mass_kg, size_t n, const double speed_m_s[], bool slopes,
                    struct cf_error *err)
{
    struct cf_sweep **sweep = cf_curves_sweep_of(curves);

    cf_sweep_free(*sweep);
    *sweep = NULL;
    if (!law->regular || n == 0 || cf_param_check(law->param, law->nparam, p, NULL))
        return CF_OK;
    for (size_t i = 0; i < n; i++)
        if (!(speed_m_s[i] > 0 && isfinite(speed_m_s[i])))
            return cf_fail(err, CF_ERANGE, "speed = %.15g m/s: must be above 0", speed_m_s[i]);
    return cf_sweep_alloc(by_integration, law, p, mass_kg, n, speed_m_s, slopes, sweep, err);
}

int cf_curves_prepare(struct cf_curves *curves, const struct cf_law *law, struct cf_error *err)
{
    struct cf_scaled_impact shape;

    return law->family == CF_FAMILY_RESTITUTION || law->regular || !law->damping
               ? CF_OK /* nothing to prepare, or a law that no impact is asked of */
               : scaled_answer(curves, law, 1, &shape, err);
}

bool cf_impact_group(const struct cf_law *law, double *k_power, double *mass_power)
{
    double p[CF_MAX_PARAM], power = (law->p - law->n) / (law->n + 1);
    struct cf_damping at;
    size_t k = cf_law_k(law);

    *k_power = *mass_power = 0;
    if (law->family == CF_FAMILY_RESTITUTION || law->regular || !law->damping)
        return false;
    for (size_t i = 0; i < law->nparam; i++)
        p[i] = law->param[i].typical;
    law->damping(p, 1, 1, &at);
    *k_power = cancel(at.by_param[k] * p[k] / at.ratio, -power);
    *mass_power = cancel(at.by_mass / at.ratio, power);
    return true;
}
