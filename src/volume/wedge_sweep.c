/* The part of a sphere that is in a wedge. A half-plane from the edge cuts the sphere in a circle
 * about a place at s from the edge,
 *
 *   s = y cos(psi) - h sin(psi) = q sin(psi_0 - psi),  radius^2 = s^2 + w^2
 *
 * at the angle psi under the face, or s = -q sin(angle) over the edge, where 2 w is the length of
 * the edge in the sphere: a segment on that chord, s + radius high. An area da at r from the edge
 * sweeps r da dpsi, and only adds. Where w is next to 0 the segment is next to a circle on one side
 * of psi_0 and next to nothing on the other, so that the range is divided there.
 *
 * Beside the edge the half-planes cut whole circles, of radius^2 = R^2 - (h cos(psi) + y
 * sin(psi))^2.
 */

#include "volume/wedge.h"

#include <gsl/gsl_math.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "core/quadrature.h"
#include "volume/segment.h"

/* Integrals over the angle; the others are 0. */
enum { VOLUME, Y, Z, XX, YY, ZZ, YZ, NINTEGRAL };

static const int moment_of[NINTEGRAL] = {
    [VOLUME] = CF_MOMENT_1, [Y] = CF_MOMENT_Y,   [Z] = CF_MOMENT_Z,   [XX] = CF_MOMENT_XX,
    [YY] = CF_MOMENT_YY,    [ZZ] = CF_MOMENT_ZZ, [YZ] = CF_MOMENT_YZ,
};

/* Angles of half-planes, from the region's axis at the begin and from its other side at the end;
 * and |s|/q as the sine of another angle, likewise from 0 and from pi, so that no sine of an angle
 * next to pi is taken. */
struct stretch {
    double length;
    double before, behind;
    double s_before, s_behind;
    double side; /* of s */
};

struct sweep {
    const struct cf_wedge_pose *p;
    struct stretch stretch[2];
    size_t n;
};

/* A half-plane, as far as it is in the sphere: along c, -s of y and z a segment, or circle, that
 * begins at `from` and is `height` long up to the top of its arc. */
struct half_plane {
    double c, s;
    double from[2]; /* y, z: the edge; of whole circles the centre */
    double centre;  /* from the edge */
    double radius, height;
    bool whole;
};

static struct half_plane half_plane_at(const struct cf_wedge_pose *p, const struct stretch *t,
                                       double left, double right)
{
    bool near = t->before + left < t->behind + right;
    double angle = fmin(t->before + left, t->behind + right);
    double s_angle = fmin(t->s_before + left, t->s_behind + right);
    struct half_plane at = {.c = near ? cos(angle) : -cos(angle), .s = sin(angle)};

    at.centre = t->side * p->q * sin(s_angle);
    at.whole = p->square < 0;
    if (at.whole) {
        double half = sin(angle / 2), turned = near ? 2 * half * half : 2 - 2 * half * half;
        double up = p->y * at.s - p->h * turned; /* over the plane of the face */
        double square = (p->d - up) * (2 * p->R - p->d + up);
        at.radius = sqrt(square > 0 ? square : 0);
        at.height = at.radius;
        at.from[0] = -(p->h + up) * at.s;
        at.from[1] = -at.centre * at.s;
    } else {
        at.radius = hypot(at.centre, sqrt(p->square));
        at.height = at.centre > 0 ? at.radius + at.centre : p->square / (at.radius - at.centre);
        at.from[0] = -p->y;
    }
    return at;
}

/* Integrals over a half-plane of r, r t, r t^2 and r x^2, r from the edge and t from its begin. */
static void weigh(const struct half_plane *at, double by[3], double *along)
{
    double area = M_PI * at->radius * at->radius, spread = area * at->radius * at->radius / 4;
    double h = at->height;
    struct cf_circular_segment part;

    if (at->whole) {
        by[0] = at->centre * area;
        by[1] = spread;
        by[2] = at->centre * spread;
        *along = at->centre * spread;
        return;
    }
    cf_circular_segment(at->radius, h, &part);
    by[0] = h * part.x[0] - part.x[1];
    by[1] = h * h * part.x[0] - 2 * h * part.x[1] + part.x[2];
    by[2] = h * h * h * part.x[0] - 3 * h * h * part.x[1] + 3 * h * part.x[2] - part.x[3];
    *along = h * part.yy[0] - part.yy[1];
}

static void add_half_plane(const struct half_plane *at, double factor, double out[NINTEGRAL])
{
    double by[3], along, y = at->from[0], z = at->from[1], c = at->c, s = -at->s;

    weigh(at, by, &along);
    out[VOLUME] += factor * by[0];
    out[Y] += factor * (y * by[0] + c * by[1]);
    out[Z] += factor * (z * by[0] + s * by[1]);
    out[XX] += factor * along;
    out[YY] += factor * (y * y * by[0] + 2 * y * c * by[1] + c * c * by[2]);
    out[ZZ] += factor * (z * z * by[0] + 2 * z * s * by[1] + s * s * by[2]);
    out[YZ] += factor * (y * z * by[0] + (y * s + z * c) * by[1] + c * s * by[2]);
}

/* At a share of all stretches, each by itself, since what is odd cancels between them. */
static int at_share(void *context, double left, double right, double out[], struct cf_error *err)
{
    const struct sweep *sweep = (const struct sweep *) context;

    (void) err;
    memset(out, 0, sweep->n * NINTEGRAL * sizeof *out);
    for (size_t i = 0; i < sweep->n; i++) {
        const struct stretch *t = &sweep->stretch[i];
        struct half_plane at = half_plane_at(sweep->p, t, t->length * left, t->length * right);
        add_half_plane(&at, t->length, out + i * NINTEGRAL);
    }
    return CF_OK;
}

/* What a half-plane has in the sphere, as boundary; end = -1: the first, out of which is back. */
static void add_face(const struct half_plane *at, int end, struct cf_region *out)
{
    double top[3] = {0, at->from[0] + at->height * at->c, at->from[1] - at->height * at->s};
    double along[3] = {0, -at->c, at->s}, beside[3] = {-end, 0, 0}, across[4][4] = {{0}};
    struct cf_circular_segment part;

    cf_circular_segment(at->radius, at->whole ? 2 * at->radius : at->height, &part);
    for (int k = 0; k <= CF_SEGMENT_ORDER; k++)
        across[k][0] = part.x[k];
    for (int k = 0; k < 2; k++)
        across[k][2] = part.yy[k];
    cf_region_still_section(out, top, along, beside, across);
}

/* s vanishes at psi_0 under the face. */
static struct sweep sweep_of(const struct cf_wedge_pose *p)
{
    double zero = atan2(p->y, p->h), before_pi = atan2(p->y, -p->h), alpha = p->opening;
    struct sweep sweep = {p, {{alpha, p->before, p->behind, p->before, p->behind, -1}}, 1};

    if (p->face < 0)
        return sweep;
    if (zero >= alpha) {
        sweep.stretch[0] = (struct stretch){alpha, 0, p->rest, before_pi, zero - alpha, 1};
        return sweep;
    }
    sweep.stretch[0] = (struct stretch){zero, 0, before_pi, before_pi, 0, 1};
    sweep.stretch[1] = (struct stretch){alpha - zero, zero, p->rest, 0, p->rest + zero, -1};
    sweep.n = 2;
    return sweep;
}

double cf_wedge_touching(const struct cf_wedge_pose *p)
{
    double beyond = sqrt(-p->square), square = p->d * (2 * p->R - p->d);

    return p->h > 0 ? asin(square / (p->R * p->y + p->h * beyond))
                    : asin(p->R / p->q) + asin(-p->h / p->q);
}

int cf_wedge_sweep(const struct cf_wedge_pose *p, struct cf_region *out, struct cf_error *err)
{
    struct sweep sweep = sweep_of(p);
    const struct stretch *first = &sweep.stretch[0], *last = &sweep.stretch[sweep.n - 1];
    struct half_plane begin = half_plane_at(p, first, 0, first->length);
    struct half_plane end = half_plane_at(p, last, last->length, 0);
    double sum[2 * NINTEGRAL];
    int status = cf_integrate(at_share, &sweep, 1, sweep.n * NINTEGRAL, sum, err);

    for (size_t i = 0; i < sweep.n * NINTEGRAL; i++)
        out->moment[moment_of[i % NINTEGRAL]] += sum[i];
    add_face(&begin, -1, out);
    add_face(&end, 1, out);
    return status;
}
