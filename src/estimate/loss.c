#include "estimate/loss.h"

#include <float.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_math.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_sf_erf.h>
#include <gsl/gsl_sf_gamma.h>
#include <math.h>
#include <string.h>

#include "core/bracket.h"
#include "core/nearest.h"
#include "core/text.h"

const char *const cf_loss_name[CF_NLOSS] = {
    [CF_LOSS_SQUARES] = "squares",
    [CF_LOSS_HUBER] = "huber",
    [CF_LOSS_STUDENT] = "student-t",
};

const double cf_loss_scale_lower = 0.5, cf_loss_scale_upper = 1000;

static const double huber_k = 1.345, student_nu = 4;

/* Relative tolerance of the scale of Student's t and of the sigma of residuals. */
static const double c_tolerance = 1e-14, sigma_tolerance = 1e-13;
enum { MAX_STEP = 200 };

/* E[w(z) z^2] = (nu + 1) E[u/(nu + u)], u = (z/c)^2, z normal, which is
 * (nu + 1) (1 - sqrt(pi) x exp(x^2) erfc(x)) with x = c sqrt(nu/2). */
static double student_moment(double nu, double c)
{
    double x = c * sqrt(nu / 2);
    return (nu + 1) * (1 - sqrt(M_PI) * x * exp(x * x + gsl_sf_log_erfc(x)));
}

/* The c at which that is 1; the moment falls with c from nu + 1 to 0. */
static double student_c(double nu)
{
    double low = 0, high = 2;

    while (high - low > c_tolerance) {
        double middle = (low + high) / 2;
        if (middle <= low || middle >= high)
            break;
        if (student_moment(nu, middle) > 1)
            low = middle;
        else
            high = middle;
    }
    return (low + high) / 2;
}

/* The integral of exp(-rho/2), in two parts: the normal middle and the exponential tails. */
static double huber_integral(double k, double c)
{
    double middle = sqrt(2 * M_PI * c) * (1 - 2 * gsl_cdf_ugaussian_Q(k / sqrt(c)));
    return middle + 2 * c / k * exp(-k * k / (2 * c));
}

struct cf_loss cf_loss_make(enum cf_loss_kind kind, double scale)
{
    struct cf_loss loss = {.kind = kind, .scale = scale, .c = 1, .constant = log(2 * M_PI)};

    if (kind == CF_LOSS_HUBER) {
        loss.scale = isnan(scale) ? huber_k : scale;
        loss.c = 1 - 2 * gsl_cdf_ugaussian_Q(loss.scale);
        loss.spread = loss.c + 2 * gsl_pow_2(loss.scale) * gsl_cdf_ugaussian_Q(loss.scale) -
                      2 * loss.scale * gsl_ran_ugaussian_pdf(loss.scale);
        loss.constant = 2 * log(huber_integral(loss.scale, loss.c));
    } else if (kind == CF_LOSS_STUDENT) {
        double nu = isnan(scale) ? student_nu : scale;
        loss.scale = nu;
        loss.c = student_c(nu);
        loss.constant = -2 * (gsl_sf_lngamma((nu + 1) / 2) - gsl_sf_lngamma(nu / 2) -
                              log(M_PI * nu) / 2 - log(loss.c));
    } else {
        loss.scale = NAN;
    }
    return loss;
}

int cf_loss_find(const char *name, enum cf_loss_kind *kind, struct cf_error *err)
{
    char shown[CF_SHOWN];
    const char *near = cf_nearest(name, cf_loss_name, CF_NLOSS);

    for (int i = 0; i < CF_NLOSS; i++)
        if (strcmp(name, cf_loss_name[i]) == 0) {
            *kind = (enum cf_loss_kind) i;
            return CF_OK;
        }
    if (near)
        return cf_fail(err, CF_EINPUT, "unknown loss %s: did you mean %s?", cf_show(name, shown),
                       near);
    return cf_fail(err, CF_EINPUT, "unknown loss %s: known here: squares, huber, student-t",
                   cf_show(name, shown));
}

double cf_loss_rho(const struct cf_loss *loss, double z)
{
    double k = loss->scale, size = fabs(z);

    if (loss->kind == CF_LOSS_HUBER)
        return (size <= k ? z * z : k * (2 * size - k)) / loss->c;
    if (loss->kind == CF_LOSS_STUDENT)
        return (k + 1) * log1p(gsl_pow_2(z / loss->c) / k);
    return z * z;
}

double cf_loss_weight(const struct cf_loss *loss, double z)
{
    double k = loss->scale, size = fabs(z);

    if (loss->kind == CF_LOSS_HUBER)
        return (size <= k ? 1 : k / size) / loss->c;
    if (loss->kind == CF_LOSS_STUDENT)
        return (k + 1) / (k * gsl_pow_2(loss->c) + z * z);
    return 1;
}

double cf_loss_spread(const struct cf_loss *loss, double z)
{
    if (loss->kind == CF_LOSS_HUBER)
        return gsl_pow_2(cf_loss_share(loss, z)) / loss->spread;
    return cf_loss_weight(loss, z);
}

double cf_loss_psi_slope(const struct cf_loss *loss, double z)
{
    double k = loss->scale;

    if (loss->kind == CF_LOSS_HUBER)
        return fabs(z) <= k ? 1 / loss->c : 0;
    if (loss->kind == CF_LOSS_STUDENT) {
        double a = k * gsl_pow_2(loss->c);
        return (k + 1) * (a - z * z) / gsl_pow_2(a + z * z);
    }
    return 1;
}

double cf_loss_share(const struct cf_loss *loss, double z)
{
    return cf_loss_weight(loss, z) / cf_loss_weight(loss, 0);
}

/* sum count (w(z) z^2 - 1) at sigma, which falls with sigma */
static double excess(const struct cf_loss *loss, const double r[], const double count[], size_t n,
                     double sigma)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        double z = r[i] / sigma;
        sum += count[i] * (cf_loss_weight(loss, z) * z * z - 1);
    }
    return sum;
}

/* Regula falsi in ln sigma with the Illinois rule. */
double cf_loss_sigma(const struct cf_loss *loss, const double r[], const double count[], size_t n,
                     double floor)
{
    double largest = 0;

    for (size_t i = 0; i < n; i++)
        largest = fmax(largest, count[i] > 0 ? fabs(r[i]) : 0);
    largest *= sqrt(cf_loss_weight(loss, 0)); /* with it no z^2 w(z) is above 1 */
    floor = fmax(floor, DBL_MIN);
    if (!(largest > floor) || !(excess(loss, r, count, n, floor) > 0))
        return floor;
    struct cf_bracket s = {log(floor), excess(loss, r, count, n, floor), log(largest),
                           excess(loss, r, count, n, largest)};
    for (int step = 0; step < MAX_STEP && s.fb != 0; step++) {
        double before = s.b, x = cf_bracket_next(&s);
        cf_bracket_take(&s, x, excess(loss, r, count, n, exp(x)));
        if (fabs(s.b - before) < sigma_tolerance)
            break;
    }
    return exp(s.b);
}
