/* The part of a sphere that is in the wall of a bore. In the half-plane at the angle phi about the
 * axis the sphere is a circle whose centre is x = e cos phi - r beyond the wall, and the chord that
 * the wall cuts off is 2 w long: a segment, w^2/(sqrt(x^2 + w^2) - x) high. An area da at s beyond
 * the wall sweeps (r + s) da dphi; integrals over phi of what is >= 0.
 *
 * Where the centre is in the wall, the circle may be all beyond it: e^2 > R^2 + r^2.
 */

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "core/quadrature.h"
#include "volume/segment.h"
#include "volume/tube.h"

/* Integrals over phi; the others are 0. */
enum { VOLUME, Z, XX, YY, ZZ, NINTEGRAL };

/* What the part of a half-plane sweeps that is beyond a chord at s = from, up to a circle. */
static void swept(const struct cf_tube_pose *p, double phi, double from,
                  const struct cf_circular_segment *part, double height, double out[NINTEGRAL])
{
    double r = p->r + from, at = sin(phi / 2), up = 2 * p->r * at * at - from * cos(phi);
    double c = cos(phi), s = sin(phi), h = height;
    const double *x = part->x;
    /* from the chord, not from the top of the arc */
    double s0 = x[0], s1 = h * x[0] - x[1], s2 = h * h * x[0] - 2 * h * x[1] + x[2];
    double s3 = h * h * h * x[0] - 3 * h * h * x[1] + 3 * h * x[2] - x[3];
    double m0 = r * s0 + s1, m1 = r * s1 + s2, m2 = r * s2 + s3;

    out[VOLUME] = m0;
    out[Z] = up * m0 - c * m1;
    out[ZZ] = up * up * m0 - 2 * up * c * m1 + c * c * m2;
    out[YY] = s * s * (r * r * m0 + 2 * r * m1 + m2);
    out[XX] = r * part->yy[0] + h * part->yy[0] - part->yy[1];
}

static void at_angle(const struct cf_tube_pose *p, double left, double right, double out[NINTEGRAL])
{
    double half = sin(left / 2), beyond = p->d - p->R - 2 * p->e * half * half;
    double square = cf_tube_square(p, left, right), radius = hypot(beyond, sqrt(square));
    double height = beyond > 0 ? radius + beyond : square / (radius - beyond);
    struct cf_circular_segment part;

    cf_circular_segment(radius, height, &part);
    swept(p, left, 0, &part, height, out);
}

static void all_beyond(const struct cf_tube_pose *p, double phi, double touching, double right,
                       double out[NINTEGRAL])
{
    double radius = p->e * sqrt(sin(right) * sin(touching + phi));
    struct cf_circular_segment part;

    cf_circular_segment(radius, 2 * radius, &part);
    swept(p, phi, p->e * cos(phi) - radius - p->r, &part, 2 * radius, out);
}

/* The half-plane that touches the sphere is at the angle `touching`. */
struct wall {
    const struct cf_tube_pose *p;
    double touching;
};

/* At a share of both ranges, in one, so that a range of next to nothing is none to settle. */
static int at_share(void *context, double left, double right, double out[], struct cf_error *err)
{
    const struct wall *wall = (const struct wall *) context;
    double wide = wall->p->wide, rest = wall->touching - wide, f[NINTEGRAL];

    (void) err;
    at_angle(wall->p, wide * left, wide * right, out);
    for (int i = 0; i < NINTEGRAL; i++)
        out[i] *= wide;
    if (!(rest > 0))
        return CF_OK;
    all_beyond(wall->p, wide + rest * left, wall->touching, rest * right, f);
    for (int i = 0; i < NINTEGRAL; i++)
        out[i] += rest * f[i];
    return CF_OK;
}

int cf_tube_outside(const struct cf_tube_pose *p, double moment[CF_NMOMENT], struct cf_error *err)
{
    bool beyond = p->e * p->e > p->R * p->R + p->r * p->r;
    struct wall wall = {p, beyond ? asin(p->R / p->e) : p->wide};
    double half[NINTEGRAL];
    int status = cf_integrate(at_share, &wall, 1, NINTEGRAL, half, err);

    memset(moment, 0, CF_NMOMENT * sizeof *moment);
    moment[CF_MOMENT_1] = 2 * half[VOLUME]; /* both signs of phi */
    moment[CF_MOMENT_Z] = 2 * half[Z];
    moment[CF_MOMENT_XX] = 2 * half[XX];
    moment[CF_MOMENT_YY] = 2 * half[YY];
    moment[CF_MOMENT_ZZ] = 2 * half[ZZ];
    return status;
}
