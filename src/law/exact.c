/* The impact law of f = k z^n (1 + a zdot), solved to rounding.
 *
 * With x = a v_i, y = a v_o = e x and h(x) = x - ln(1 + x), [G07] 3.21 reads h(-y) = h(x).
 *
 * For x <= 1 its two sides agree in their leading terms and the difference would lose all digits
 * at small x. With l(x) = ln(1 + x) - x + x^2/2 it reads
 *
 *   (x^2 - y^2)/2 = l(x) - l(-y),
 *
 * both terms on the right positive, and Newton's method on the loss q = 1 - e has full relative
 * accuracy. For x > 1, with u = 1 - y: u exp(-u) = exp(-1 - h(x)), Lambert's W.
 */

#include "law/exact.h"

#include <gsl/gsl_sf_lambert.h>
#include <math.h>
#include <stddef.h>

enum { MAX_ROUND = 50 }; /* Newton takes 3 to 6 */

static const double NEWTON_LAST = 1e-9; /* after a relative step this small rounding is reached */
static const double START_EXACT = 1e-9;
static const double SMALL_E = 0.4;

/* ln(1 + x) - x + x^2/2 by ln(1 + x) = 2 artanh(x/(2 + x)): all terms have the sign of x. */
static double log_rest(double x)
{
    double s = x / (2 + x), s2 = s * s;
    double power = s * s2, sum = 0, term;

    for (int k = 3;; k += 2, power *= s2) {
        term = power / k;
        if (sum + term == sum)
            break;
        sum += term;
    }
    return x * x * x / (2 * (2 + x)) + 2 * sum;
}

/* -de/dx from x - y - x y = x (loss - y), or with u = 1 - y where that is small. */
static double steepness(double x, double y, double loss)
{
    return (x + y) / ((1 + x) * x) * ((y - loss) / y);
}

static double steepness_far(double x, double y, double u)
{
    return (x + y) / (1 + x) * ((y - x * u) / (x * y)) / x;
}

/* e of x <= 1, by its loss. */
static double restitution_near(double x, double *steep)
{
    double right = log_rest(x), loss = 2 * x / (3 + 2 * x), y;

    /* the start is right to a relative x^2 */
    for (int round = 0; round < MAX_ROUND && x > START_EXACT; round++) {
        double step;
        y = x * (1 - loss);
        step = (0.5 * x * loss * (x + y) - right + log_rest(-y)) * (1 - y) / (x * y);
        loss -= step;
        if (!(fabs(step) > NEWTON_LAST * loss))
            break;
    }
    *steep = x > 0 ? steepness(x, x * (1 - loss), loss) : 2.0 / 3;
    return 1 - loss;
}

static double restitution_far(double x, double *steep)
{
    double u = -gsl_sf_lambert_W0(-exp(-1 - (x - log1p(x))));

    *steep = steepness_far(x, 1 - u, u);
    return (1 - u) / x;
}

double cf_hunt_crossley_restitution(double x, double *slope)
{
    double steep;
    double e = x <= 1 ? restitution_near(x, &steep) : restitution_far(x, &steep);

    if (slope)
        *slope = -steep;
    return e;
}

/* Small e: in L = -ln(1 - y), because 1 - y itself falls below the smallest double,
 * ln(1 + x) + L = (1 + e) x with x = (1 - exp(-L))/e. The left side less the right is convex and
 * the start, the answer for e = 0, is above. */
static double damping_of_small(double e, double *steep)
{
    double L = 1 / e + 1 - log1p(1 / e), x, u;

    for (int round = 0; round < MAX_ROUND; round++) {
        double step;
        u = exp(-L);
        x = -expm1(-L) / e;
        step = (log1p(x) + L - (1 + e) * x) / (1 - u / e * (1 + e - 1 / (1 + x)));
        L -= step;
        if (!(fabs(step) > NEWTON_LAST * L))
            break;
    }
    x = -expm1(-L) / e;
    *steep = steepness_far(x, e * x, exp(-L));
    return x;
}

/* Larger e: Newton on (1 - e^2)/2 = (l(x) - l(-e x))/x^2, nearly straight in x. */
static double damping_of_large(double e, double *steep)
{
    double loss = 1 - e;
    double x = loss * (1 + e - 0.5 * e * e) / e; /* exact, with its slope, at e = 0 and e = 1 */

    for (int round = 0; round < MAX_ROUND && loss > 0; round++) {
        double rest = (log_rest(x) - log_rest(-e * x)) / (x * x);
        double slope = 1 / (1 + x) + e * e * e / (1 - e * x) - 2 * rest / x;
        double step = (0.5 * loss * (1 + e) - rest) / slope;
        x += step;
        if (!(fabs(step) > NEWTON_LAST * x))
            break;
    }
    *steep = loss > 0 ? steepness(x, e * x, loss) : 2.0 / 3;
    return x;
}

double cf_hunt_crossley_damping(double e, double *slope)
{
    double steep;
    double x = e < SMALL_E ? damping_of_small(e, &steep) : damping_of_large(e, &steep);

    if (slope)
        *slope = -1 / steep;
    return x;
}

double cf_gonthier_d(double e)
{
    return e * cf_hunt_crossley_damping(e, NULL);
}
