/* With v the slip, q = w r the ring's speed, a the larger of the two, k the smaller over it, and
 * K, E and D = (K - E)/k^2 the complete elliptic integrals of the modulus k, the mean over a ring
 * of u_v/|u| and of u_w/|u| are 2/pi times
 *
 *   E for the larger,  k (K - D) for the smaller;
 *
 * they are the derivatives of the mean of |u| by v and q, of which the second derivatives are 2/pi
 * D/a times k^2 for the larger twice, 1 for the smaller twice and -k for both. K and D are singular
 * where v = q, as a logarithm: an end of the quadratures is there.
 */

#include "law/contensou.h"

#include <gsl/gsl_math.h>
#include <stdbool.h>

#include "core/quadrature.h"

enum { FORCE, TORQUE, FORCE_BY_SLIP, FORCE_BY_RIM, TORQUE_BY_RIM, NSUM };

/* Pressures that fall faster towards the rim are of no contact, and their quadrature is untried. */
static const double MOST_POWER = 10;

struct rings {
    double power, slip, rim; /* the larger of the speeds is 1 */
    double begin, end;       /* of the interval, over R */
    bool spins;              /* the rings of this interval move faster by the spin */
};

/* K and D by the arithmetic-geometric mean, whose differences c_n give (K - E)/K as the sum of
 * 2^(n-1) c_n^2 (Abramowitz and Stegun 1964, 17.6): here over k^2, and c_(n+1) = c_n^2/(4 a_(n+1)),
 * so that nothing cancels. beside = 1 - k^2 > 0. */
static void elliptic(double k, double beside, double *K, double *D)
{
    double a = 1, b = sqrt(beside), c = k / (2 * (1 + b)), sum = 0.5, power = 1, last; /* c_1/k */

    do { /* until the next term, of the fourth power of this difference, is below rounding */
        double mean = (a + b) / 2;
        last = c * k / mean;
        sum += power * c * c;
        power *= 2;
        b = sqrt(a * b);
        a = mean;
        c = k * c * c / (2 * (a + b));
    } while (last > 1e-4);
    *K = M_PI / (a + b);
    *D = *K * sum;
}

static double falling(double x, double power)
{
    return power == 0 ? 1 : power == 0.5 ? sqrt(x) : power == 1 ? x : pow(x, power);
}

static int at_ring(void *context, double left, double right, double out[], struct cf_error *err)
{
    const struct rings *s = context;
    double r = s->begin + left, q = s->rim * r, large = s->spins ? q : s->slip;
    double k = s->spins ? s->slip / q : q / s->slip, apart;
    double from_rim = 1 - s->end + right, weight, K, D, E, other, second;

    (void) err;
    /* The distance from v = q, where that is an end of the interval, to rounding of itself. */
    apart = s->rim * (s->spins ? left : right) / large;
    if (!s->spins && s->end == 1)
        apart += (s->slip - s->rim) / large;
    weight = 4 * (s->power + 1) / M_PI * r * falling(from_rim * (1 + r), s->power);
    elliptic(k, apart * (1 + k), &K, &D);
    E = K - k * k * D;
    other = k * (K - D);
    second = weight * D / large;
    out[FORCE] = weight * (s->spins ? other : E);
    out[TORQUE] = weight * r * (s->spins ? E : other);
    out[FORCE_BY_SLIP] = second * (s->spins ? 1 : k * k);
    out[FORCE_BY_RIM] = -second * r * k;
    out[TORQUE_BY_RIM] = second * r * r * (s->spins ? k * k : 1);
    return CF_OK;
}

static int check(double power, double slip, double rim, struct cf_error *err)
{
    if (!(power >= 0 && power <= MOST_POWER))
        return cf_fail(err, CF_ERANGE, "power of a pressure = %.15g: must be from 0 to %g", power,
                       MOST_POWER);
    if (!(slip >= 0) || !isfinite(slip))
        return cf_fail(err, CF_ERANGE, "slip = %.15g m/s: must be finite and not below 0", slip);
    if (!(rim >= 0) || !isfinite(rim))
        return cf_fail(err, CF_ERANGE,
                       "speed of the rim = %.15g m/s: must be finite and not below 0", rim);
    if (!(fmax(slip, rim) > 0))
        return cf_fail(err, CF_ERANGE,
                       "slip and speed of the rim = 0 m/s: friction at rest has no direction");
    return CF_OK;
}

int cf_contensou(double power, double slip_m_s, double rim_m_s, struct cf_contensou *out,
                 struct cf_error *err)
{
    double scale = fmax(slip_m_s, rim_m_s), sum[2][NSUM], total[NSUM];
    struct rings rings = {.power = power};
    int status = check(power, slip_m_s, rim_m_s, err);

    if (status)
        return status;
    rings.slip = slip_m_s / scale;
    rings.rim = rim_m_s / scale;
    rings.end = rings.slip < rings.rim ? rings.slip / rings.rim : 1;
    status = cf_integrate(at_ring, &rings, rings.end, NSUM, sum[0], err);
    rings.begin = rings.end;
    rings.end = 1;
    rings.spins = true;
    if (!status)
        status = cf_integrate(at_ring, &rings, 1 - rings.begin, NSUM, sum[1], err);
    if (status)
        return status;
    for (int i = 0; i < NSUM; i++)
        total[i] = sum[0][i] + sum[1][i];
    *out = (struct cf_contensou){.force = total[FORCE],
                                 .torque = total[TORQUE],
                                 .force_by_slip = total[FORCE_BY_SLIP] / scale,
                                 .force_by_rim = total[FORCE_BY_RIM] / scale,
                                 .torque_by_slip = total[FORCE_BY_RIM] / scale,
                                 .torque_by_rim = total[TORQUE_BY_RIM] / scale};
    return CF_OK;
}
