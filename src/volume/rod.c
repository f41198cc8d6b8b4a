/* The part of a sphere that is in an endless cylinder. Across the axis at x from the centre the
 * sphere is a circle of radius q, q^2 = R^2 - x^2; it and the cylinder's have a lens in common,
 *
 *   delta = q - (R - d) = (a^2 - x^2)/(q + R - d),  a^2 = d (2 R - d)
 *
 * deep: two segments on one chord, (delta/2)(2 r - delta)/e and (delta/2)(2 q - delta)/e high.
 * Where the cylinder pierces the sphere its whole section is in the middle, and where the centre is
 * in the cylinder, beyond x = a that of the sphere. Integrals over x of what is >= 0, in halves.
 */

#include <float.h>
#include <gsl/gsl_math.h>
#include <math.h>
#include <string.h>

#include "core/quadrature.h"
#include "volume/segment.h"
#include "volume/tube.h"

enum { VOLUME, Z, XX, YY, ZZ, NINTEGRAL };

/* Between two distances from the centre. */
struct stretch {
    const struct cf_tube_pose *p;
    double from, to;
};

/* Add a segment whose arc is highest, or lowest, at z = top. */
static void add_segment(double radius, double height, double top, double down, double x,
                        double out[NINTEGRAL])
{
    struct cf_circular_segment s;

    if (!(height > 0))
        return;
    cf_circular_segment(radius, height, &s);
    out[VOLUME] += s.x[0];
    out[Z] += top * s.x[0] - down * s.x[1];
    out[XX] += x * x * s.x[0];
    out[YY] += s.yy[0];
    out[ZZ] += top * top * s.x[0] - 2 * top * down * s.x[1] + s.x[2];
}

static int at_lens(void *context, double left, double right, double out[], struct cf_error *err)
{
    const struct stretch *part = (const struct stretch *) context;
    const struct cf_tube_pose *p = part->p;
    double x = part->from + left, q = sqrt((p->R - x) * (p->R + x)), above = p->R - p->d;
    double closing = right * (part->to + x) / (q + fabs(above)); /* q - |R - d| */
    double delta = above > 0 ? closing : q - above, rest = above > 0 ? q + above : closing;
    /* 2 r - delta */
    double beside = p->whole > 0 ? left * (part->from + x) / (q + p->r + p->e)
                                 : 2 * p->r - p->d + x * x / (p->R + q);

    (void) err;
    memset(out, 0, NINTEGRAL * sizeof *out);
    add_segment(p->r, delta / 2 * rest / p->e, 0, 1, x, out);
    add_segment(q, delta / 2 * beside / p->e, -delta, -1, x, out);
    return CF_OK;
}

/* Where sections are whole circles the integrand is of the fourth degree in x: Gauss' rule of
 * three. */
static void add_circles(const struct stretch *part, bool of_sphere, double sum[NINTEGRAL])
{
    static const double node[3] = {-0.77459666924148337704, 0, 0.77459666924148337704};
    static const double weight[3] = {5. / 18, 8. / 18, 5. / 18};
    const struct cf_tube_pose *p = part->p;
    double length = part->to - part->from;

    for (int k = 0; k < 3; k++) {
        double x = part->from + (1 + node[k]) / 2 * length;
        double square = of_sphere ? (p->R - x) * (p->R + x) : p->r * p->r;
        double centre = of_sphere ? p->R - p->d : -p->r;
        double area = weight[k] * length * M_PI * square;
        sum[VOLUME] += area;
        sum[Z] += area * centre;
        sum[XX] += area * x * x;
        sum[YY] += area * square / 4;
        sum[ZZ] += area * (square / 4 + centre * centre);
    }
}

int cf_tube_within(const struct cf_tube_pose *p, double moment[CF_NMOMENT], struct cf_error *err)
{
    double edge = sqrt(p->d * (2 * p->R - p->d)), sum[NINTEGRAL];
    struct stretch pierced = {p, 0, p->whole}, lens = {p, p->whole, edge}, end = {p, edge, p->R};
    /* next to a pierced middle, rounding has sections no wider than that */
    double length = edge - p->whole > 16 * DBL_EPSILON * edge ? edge - p->whole : 0;
    int status = cf_integrate(at_lens, &lens, length, NINTEGRAL, sum, err);

    if (p->whole > 0)
        add_circles(&pierced, false, sum);
    if (p->d > p->R)
        add_circles(&end, true, sum);
    memset(moment, 0, CF_NMOMENT * sizeof *moment);
    moment[CF_MOMENT_1] = 2 * sum[VOLUME];
    moment[CF_MOMENT_Z] = 2 * sum[Z];
    moment[CF_MOMENT_XX] = 2 * sum[XX];
    moment[CF_MOMENT_YY] = 2 * sum[YY];
    moment[CF_MOMENT_ZZ] = 2 * sum[ZZ];
    return status;
}
