/* Impacts with closed answers.
 *
 * Linear, n = 1, p = 0. With c = beta/2 and cos(theta) = c the motion is exp(-c t) sin(w t)/w,
 * w = sin(theta), and the force exp(-c t) sin(2 theta - w t)/w, so that with S = theta/sin(theta)
 *
 *   tau = 2 S,   e = exp(-2 c S),   zeta = exp(-c S),   phi = exp(-c (3 theta - pi)/w) or beta,
 *
 * the former for beta < 1; above it the force only falls from its jump to beta at touch.
 *
 * n = p (Hunt-Crossley). With x = beta w and h(x) = x - ln(1 + x) the path is
 * beta^2 z^(n+1)/(n+1) = h(beta) - h(x): restitution and depth follow at once, the force peaks
 * where n x = beta^2 z^(n+1), and the duration is a quadrature.
 */

#include <gsl/gsl_integration.h>
#include <gsl/gsl_math.h>
#include <gsl/gsl_sf_log.h>
#include <math.h>
#include <stddef.h>

#include "core/gsl_guard.h"
#include "impact/scaled.h"
#include "law/exact.h"

enum { GAUSS = 32 }; /* points of a panel; 20 give 1e-13 */

static const double NEWTON_LAST = 1e-9; /* after a relative step this small rounding is reached */
static const double FLAT = 40;          /* exp(-FLAT) is negligible */
static const double PANEL = 5;

static void set(struct cf_scaled_impact *out, enum cf_impact_what which, double value,
                double log_by_beta)
{
    out->value[which] = value;
    out->by_beta[which] = value * log_by_beta;
}

/* S(c) = acos(c)/sqrt(1 - c^2), continued by acosh above 1; it obeys (1 - c^2) S' = c S - 1. Near
 * c = 1, where that is 0/0, the series S = sum a_k u^k, u = (1 - c)/2, a_k+1 = a_k (k+1)/(k+3/2).
 */
static double arc_ratio(double c, double *slope)
{
    double u = 0.5 * (1 - c), sum = 1, by_u = 0, a = 1, power = 1, s;

    if (fabs(u) < 0.1) {
        for (int k = 0; k < 20; k++) {
            a *= (k + 1) / (k + 1.5);
            by_u += (k + 1) * a * power;
            power *= u;
            sum += a * power;
        }
        *slope = -0.5 * by_u;
        return sum;
    }
    s = c < 1 ? acos(c) / sqrt((1 - c) * (1 + c)) : acosh(c) / sqrt((c - 1) * (c + 1));
    *slope = (c * s - 1) / ((1 - c) * (1 + c));
    return s;
}

void cf_scaled_impact_linear(double beta, struct cf_scaled_impact *out)
{
    double c = 0.5 * beta, slope, s = arc_ratio(c, &slope);
    double fall = 0.5 * (s + c * slope); /* of ln(zeta) with beta */

    set(out, CF_IMPACT_RESTITUTION, exp(-2 * c * s), -2 * fall);
    set(out, CF_IMPACT_DURATION, 2 * s, 0.5 * slope / s);
    set(out, CF_IMPACT_DEPTH, exp(-c * s), -fall);
    if (beta < 1) {
        double w = sqrt((1 - c) * (1 + c)), angle = 3 * acos(c) - M_PI;
        double by_c = angle / w - 3 * c / (w * w) + c * c * angle / (w * w * w);
        set(out, CF_IMPACT_FORCE, exp(-c * angle / w), -0.5 * by_c);
    } else {
        set(out, CF_IMPACT_FORCE, beta, 1 / beta);
    }
}

static double h(double x)
{
    return -gsl_sf_log_1plusx_mx(x);
}

/* h(x)/x^2 and its derivative; for small x from h(x)/x^2 = sum (-x)^k/(k + 2). */
static double h_ratio(double x, double *slope)
{
    double sum = 0.5, by_x = 0, power = 1, ratio;

    if (x < 0.1) {
        for (int k = 1; k <= 18; k++) {
            by_x -= k * power / (k + 2);
            power *= -x;
            sum += power / (k + 2);
        }
        *slope = by_x;
        return sum;
    }
    ratio = h(x) / (x * x);
    *slope = (1 / (1 + x) - 2 * ratio) / x;
    return ratio;
}

void cf_scaled_impact_hunt_crossley(double n, double beta, struct cf_scaled_impact *out)
{
    double slope, energy = h_ratio(beta, &slope);

    out->value[CF_IMPACT_RESTITUTION] =
        cf_hunt_crossley_restitution(beta, &out->by_beta[CF_IMPACT_RESTITUTION]);
    set(out, CF_IMPACT_DEPTH, pow((n + 1) * energy, 1 / (n + 1)), slope / (energy * (n + 1)));
}

/* The peak of force: n x/(n + 1) + h(x) = h(beta), by Newton from the answer for small beta, which
 * is above; the left side is convex, so the steps only go down. */
static double peak_force(double n, double beta)
{
    double share = n / (n + 1), want = h(beta), x = want / share, step;

    if (beta == 0)
        return pow((n + 1) / 2, share);
    do {
        step = (share * x + h(x) - want) / (share + x / (1 + x));
        x -= step;
    } while (step > NEWTON_LAST * x);
    return pow(n * x / (beta * beta), share) * (1 + x);
}

/* exp(x) - 1 - x */
static double exp_rest(double x)
{
    double term = 0.5 * x * x, sum = 0;

    if (fabs(x) > 1)
        return expm1(x) - x;
    for (int k = 3; sum + term != sum; k++) {
        sum += term;
        term *= x / k;
    }
    return sum;
}

/* With v = ln(1 + x) the duration is the integral of z^-n dv/beta between the two ends, where z =
 * 0:
 *
 *   beta^2 z^(n+1)/(n+1) = H(end) - H(v),   H(v) = exp(v) - 1 - v,   end - v = D,
 *   H(end) - H(v) = (exp(v) - 1) D + exp(v) (exp(D) - 1 - D).
 *
 * The integrand at v, seen from the end that is D away. */
static double slowness(double n, double beta, double v, double d)
{
    double rest = expm1(v) * d + exp(v) * exp_rest(d);
    return pow((n + 1) * rest / (beta * beta), -n / (n + 1)) / beta;
}

/* From the end inwards over a length of the end's sign; D = length s^(2 n + 2) takes the root at
 * the end away. */
static double end_panel(double n, double beta, double end, double length,
                        const gsl_integration_glfixed_table *gauss)
{
    double sum = 0, s, weight, m = 2 * n + 2;

    for (size_t i = 0; i < gauss->n; i++) {
        gsl_integration_glfixed_point(0, 1, i, &s, &weight, gauss);
        double d = length * pow(s, m);
        sum += weight * fabs(length) * m * pow(s, m - 1) * slowness(n, beta, end - d, d);
    }
    return sum;
}

static double plain_panel(double n, double beta, double from, double to, double end,
                          const gsl_integration_glfixed_table *gauss)
{
    double sum = 0, v, weight;

    for (size_t i = 0; i < gauss->n; i++) {
        gsl_integration_glfixed_point(from, to, i, &v, &weight, gauss);
        sum += weight * slowness(n, beta, v, end - v);
    }
    return sum;
}

/* The end of rebound, H(v) = h(beta), v < 0; for large beta 1 - a v_o is below the smallest double.
 * The left side is convex and the start is outside, so Newton's steps only go up. */
static double rebound_end(double beta)
{
    double want = h(beta), v, step;

    if (beta <= 1)
        return log1p(-beta * cf_hunt_crossley_restitution(beta, NULL));
    v = -1 - want;
    do {
        step = -(expm1(v) - v - want) / expm1(v);
        v += step;
    } while (step > NEWTON_LAST);
    return v;
}

static double duration(double n, double beta, const gsl_integration_glfixed_table *gauss)
{
    double top = log1p(beta), bottom = rebound_end(beta);
    double inner = fmin(-bottom / 2, FLAT), sum;
    int panels = (int) ceil(inner / PANEL);

    sum = end_panel(n, beta, top, top, gauss) + end_panel(n, beta, bottom, bottom + inner, gauss);
    for (int i = 0; i < panels; i++)
        sum += plain_panel(n, beta, -inner * (i + 1) / panels, -inner * i / panels, bottom, gauss);
    return sum;
}

int cf_scaled_hunt_crossley(double n, double beta, struct cf_scaled *out, struct cf_error *err)
{
    double slope;

    cf_gsl_enter(); /* a table without memory is an error of GSL's */
    gsl_integration_glfixed_table *gauss = gsl_integration_glfixed_table_alloc(GAUSS);
    cf_gsl_leave();
    if (!gauss)
        return cf_fail(err, CF_ENOMEM, "out of memory");
    out->e = cf_hunt_crossley_restitution(beta, NULL);
    out->log_e_per_beta = log(out->e) / beta;
    out->zeta = pow((n + 1) * h_ratio(beta, &slope), 1 / (n + 1));
    out->phi = peak_force(n, beta);
    out->tau = duration(n, beta, gauss);
    gsl_integration_glfixed_table_free(gauss);
    return CF_OK;
}
