/* With x = 2 r t the chord's half is 2 r sqrt(t (1 - t)), and all is made of
 *
 *   J_k = integral from 0 to u of t^(k + 1/2) (1 - t)^(1/2) dt,  u = height/(2 r)
 *   (k + 2) J_k = (k + 1/2) J_(k-1) - u^(k + 1/2) (1 - u)^(3/2)
 *
 * J_0 = (theta - sin(4 theta)/4)/4 with sin(theta)^2 = u cancels where u is small, and so does the
 * recurrence upwards; downwards it only adds. There it begins with the power series of the highest.
 */

#include "volume/segment.h"

#include <float.h>
#include <math.h>

enum { ORDER = CF_SEGMENT_ORDER };

/* Below this share of the diameter the series, which takes some thirty terms there. */
static const double SERIES = 0.3;

/* t^(k + 1/2) times the binomial series of (1 - t)^(1/2), integrated. */
static double by_series(double u, int k)
{
    double coefficient = 1, sum = 0, power = 1, term;
    int j = 0;

    do {
        term = coefficient * power / (k + 1.5 + j);
        sum += term;
        j++;
        coefficient *= (j - 1.5) / j;
        power *= u;
    } while (fabs(term) > DBL_EPSILON / 4 * fabs(sum));
    return pow(u, k) * u * sqrt(u) * sum;
}

static void half_powers(double u, double J[ORDER + 1])
{
    double rest = (1 - u) * sqrt(1 - u), theta;

    if (u < SERIES) {
        J[ORDER] = by_series(u, ORDER);
        for (int k = ORDER; k > 0; k--)
            J[k - 1] = ((k + 2) * J[k] + pow(u, k) * sqrt(u) * rest) / (k + 0.5);
        return;
    }
    theta = asin(sqrt(u));
    J[0] = (theta - sin(4 * theta) / 4) / 4;
    for (int k = 1; k <= ORDER; k++)
        J[k] = ((k + 0.5) * J[k - 1] - pow(u, k) * sqrt(u) * rest) / (k + 2);
}

void cf_circular_segment(double radius, double height, struct cf_circular_segment *out)
{
    double wide = 2 * radius, J[ORDER + 1], power = 2 * wide * wide;
    double u = height < wide ? height / wide : 1;

    half_powers(u > 0 ? u : 0, J);
    for (int k = 0; k <= ORDER; k++, power *= wide)
        out->x[k] = power * J[k];
    /* y^2 from -h to h is (2/3) h^3, h^3 = (2 r)^3 (t (1 - t))^(3/2) */
    power = wide * wide * wide * wide * 2 / 3;
    for (int k = 0; k < 2; k++, power *= wide)
        out->yy[k] = power * (J[k + 1] - J[k + 2]);
}
