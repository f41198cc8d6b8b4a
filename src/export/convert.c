/* From one law to another: closed forms for linear contacts, searches in one damping for others. */

#define _XOPEN_SOURCE 700
#include "export/convert.h"

#include <gsl/gsl_sf_gamma.h>
#include <math.h>
#include <string.h>

double cf_linear_restitution(double zeta)
{
    double q = fabs(1 - zeta * zeta);

    if (q < 1e-12) /* both forms are 0/0 there; e^-2 is right to rounding of q */
        return exp(-2);
    return exp(-2 * zeta / sqrt(q) * (zeta < 1 ? acos(zeta) : acosh(zeta)));
}

double cf_linear_zeta(double e)
{
    /* e > 1/(2 zeta)^2 above zeta = 1, so this is beyond the root */
    double low = 0, high = 1 + 1 / sqrt(e);

    for (int i = 0; i < 100; i++) {
        double middle = (low + high) / 2;
        *(cf_linear_restitution(middle) > e ? &low : &high) = middle;
    }
    return (low + high) / 2;
}

double cf_linear_zeta_pulling(double e)
{
    return -log(e) / hypot(M_PI, log(e));
}

double cf_hertz_depth(double k, double mass_kg, double speed_m_s)
{
    return pow(1.25 * mass_kg * speed_m_s * speed_m_s / k, 0.4);
}

double cf_hertz_linear_stiffness(double k, double depth_m, enum cf_keep keep)
{
    double c = k * sqrt(depth_m);

    /* equal energies at equal depth: K x^2/2 = 2/5 k x^2.5 */
    if (keep == CF_KEEP_DEPTH)
        return 0.8 * c;
    if (keep == CF_KEEP_FORCE)
        return 1.25 * c;
    /* the Hertz contact lasts 2 x_m/v times the integral of (1 - s^2.5)^-0.5 over [0, 1], the
     * linear one pi sqrt(m/K), and m v^2 = 0.8 k x_m^2.5 */
    double lasts = 0.8 * sqrt(M_PI) * gsl_sf_gamma(0.4) / gsl_sf_gamma(0.9);
    return 0.8 * c * M_PI * M_PI / (lasts * lasts);
}

int cf_restitution_at(struct cf_curves *curves, const struct cf_law *law, const double p[],
                      double mass_kg, double speed_m_s, double *e, struct cf_error *err)
{
    struct cf_impact impact;
    int status = cf_impact(curves, law, p, mass_kg, speed_m_s, &impact, err);
    if (!status)
        *e = impact.value[CF_IMPACT_RESTITUTION];
    return status;
}

int cf_linear_equivalent(struct cf_curves *curves, const struct cf_law *law, const double p[],
                         double mass_kg, double speed_m_s, enum cf_keep keep, double *K, double *C,
                         struct cf_error *err)
{
    static const enum cf_impact_what kept[] = {CF_IMPACT_DEPTH, CF_IMPACT_DURATION,
                                               CF_IMPACT_FORCE};
    static const char *const word[] = {"depth", "duration", "peak force"};
    const struct cf_law *linear = cf_law_find("linear");
    struct cf_impact wanted, unit;

    if (law == linear) {
        *K = p[0];
        *C = p[1];
        return CF_OK;
    }
    int status = cf_impact(curves, law, p, mass_kg, speed_m_s, &wanted, err);
    if (status)
        return status;
    if (!wanted.known[kept[keep]])
        return cf_fail(err, CF_EINPUT,
                       "%s with these parameters has no %s, and a spring needs a stiffness: fit "
                       "contact times, depths or forces too",
                       law->name, word[keep]);
    double e = wanted.value[CF_IMPACT_RESTITUTION];
    if (!(e > 0))
        return cf_fail(err, CF_ERANGE, "e = %g at %g m/s: no spring and damper has it", e,
                       speed_m_s);

    /* the contact with K = 1 N/m and the same zeta, to be scaled: depths go by K^-1/2 */
    double zeta = cf_linear_zeta(e);
    double scaled[] = {1, 2 * zeta * sqrt(mass_kg)};
    status = cf_impact(curves, linear, scaled, mass_kg, speed_m_s, &unit, err);
    if (status)
        return status;
    double root = unit.value[kept[keep]] / wanted.value[kept[keep]];
    if (keep == CF_KEEP_FORCE)
        root = 1 / root;
    *K = root * root;
    *C = 2 * zeta * sqrt(*K * mass_kg);
    return CF_OK;
}

/* Speeds at which errors over a range are looked at: e(v) of all laws is smooth in ln v. */
enum { NSPEED = 65 };

static double speed_at(double low, double high, int i)
{
    return low * pow(high / low, (double) i / (NSPEED - 1));
}

static int curve(struct cf_curves *curves, const struct cf_law *law, const double p[],
                 double mass_kg, double low, double high, double e[NSPEED], struct cf_error *err)
{
    if (!(low > 0 && high >= low && isfinite(high)))
        return cf_fail(err, CF_ERANGE, "speeds %g to %g m/s: must be above 0 and in order", low,
                       high);
    int status = CF_OK;
    for (int i = 0; i < NSPEED && !status; i++)
        status = cf_restitution_at(curves, law, p, mass_kg, speed_at(low, high, i), &e[i], err);
    return status;
}

static void constant(const double e[NSPEED], double *middle, double *error)
{
    double low = e[0], high = e[0];
    for (int i = 1; i < NSPEED; i++) {
        low = fmin(low, e[i]);
        high = fmax(high, e[i]);
    }
    *middle = (low + high) / 2;
    *error = (high - low) / 2;
}

int cf_constant_restitution(struct cf_curves *curves, const struct cf_law *law, const double p[],
                            double mass_kg, double speed_low, double speed_high, double *e,
                            double *error, struct cf_error *err)
{
    double wanted[NSPEED];
    int status = curve(curves, law, p, mass_kg, speed_low, speed_high, wanted, err);
    if (!status)
        constant(wanted, e, error);
    return status;
}

/* The damping of a law with k z^1.5: all its parameters but k, if that is one. */
static size_t damping_of(const struct cf_law *law)
{
    size_t k = cf_law_k(law);
    return law->family == CF_FAMILY_NORMAL && law->n == 1.5 && law->nparam == 2 && k < 2
               ? 1 - k
               : law->nparam;
}

/* Largest errors of e on either side: too high, too low. More damping lowers the first and raises
 * the second, so that the largest is least where they are equal. */
static int sides(struct cf_curves *curves, const struct cf_law *law, const double p[],
                 double mass_kg, double low, double high, const double wanted[NSPEED],
                 double *above, double *below, struct cf_error *err)
{
    double e[NSPEED];
    int status = curve(curves, law, p, mass_kg, low, high, e, err);
    *above = *below = -(double) INFINITY;
    for (int i = 0; i < NSPEED && !status; i++) {
        *above = fmax(*above, e[i] - wanted[i]);
        *below = fmax(*below, wanted[i] - e[i]);
    }
    return status;
}

/* Of the least damping that a fit looks at: here e may be nearer to 1 than data can tell. */
static const double least_share = 1e-6;

int cf_law_approximate(struct cf_curves *curves, const struct cf_law *from, const double p[],
                       double mass_kg, double speed_low, double speed_high, const struct cf_law *to,
                       double to_p[], double *error, struct cf_error *err)
{
    size_t damping = damping_of(to), k = cf_law_k(from);
    double wanted[NSPEED], above, below;
    int status = curve(curves, from, p, mass_kg, speed_low, speed_high, wanted, err);

    if (status)
        return status;
    if (strcmp(to->name, "e-constant") == 0) {
        constant(wanted, &to_p[0], error);
        return CF_OK;
    }
    if (damping == to->nparam)
        return cf_fail(err, CF_EINPUT, "%s has no one damping to be chosen for another law",
                       to->name);
    if (k == from->nparam || from->n != 1.5 || !(p[k] > 0))
        return cf_fail(err, CF_EINPUT, "%s has no Hertz stiffness for %s", from->name, to->name);
    to_p[1 - damping] = p[k];

    double low = log(least_share * to->param[damping].fit_lower);
    double high = log(to->param[damping].fit_upper);
    for (int i = 0; i < 60 && !status; i++) {
        double middle = (low + high) / 2;
        to_p[damping] = exp(middle);
        status =
            sides(curves, to, to_p, mass_kg, speed_low, speed_high, wanted, &above, &below, err);
        *(above > below ? &low : &high) = middle;
    }
    if (!status)
        *error = fmax(above, below);
    return status;
}
