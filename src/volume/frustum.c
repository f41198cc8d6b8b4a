/* A body between two discs, cylinder or cone, and the part of it within d of its lowest point q.
 *
 * Let the axis run from the disc that q is on, tau be the distance from it, c = n.axis, s = |n x
 * axis|, rho = dr/dtau. In the disc at tau, xi counts from its lowest point; over q it is
 *
 *   z = g tau + s xi,   g = c - s rho >= 0        x = a tau - c xi,   a = s + c rho
 *
 * high and x along the plane. What is below z = d is a segment of the disc, (d - g tau)/s high, or
 * all of it: integrals of segments (segment.h) over tau. They only add. In the plane z = d the
 * section is 2 sqrt(xi (2 r - xi)) wide, both linear in x: integrals over x.
 */

#include <gsl/gsl_math.h>
#include <math.h>
#include <string.h>

#include "core/quadrature.h"
#include "geometry/vector.h"
#include "volume/rows.h"
#include "volume/segment.h"

/* A frustum as seen from its lowest point. */
struct tilted {
    double c, s, g, a;
    double rho, r, length; /* r: of the disc with q */
    double along[3], across[3], q[3];
};

static void tilt(const struct cf_frustum *f, const double n[3], struct tilted *t)
{
    double slope = (f->radius_m[1] - f->radius_m[0]) / f->length_m, up[3];
    int low;

    t->length = f->length_m;
    t->c = cf_vec_dot(n, f->axis);
    cf_vec_add_scaled(n, -t->c, f->axis, up);
    t->s = cf_vec_norm(up);
    low = t->c - t->s * slope < 0;
    t->c = low ? -t->c : t->c;
    t->rho = low ? -slope : slope;
    t->r = f->radius_m[low];
    t->g = t->c - t->s * t->rho;
    t->a = t->s + t->c * t->rho;
    cf_vec_scale(low ? -1 : 1, f->axis, t->along);
    if (t->s > 0) {
        cf_vec_scale(1 / t->s, up, t->across);
    } else {
        struct cf_region any;
        cf_region_begin(&any, n, n, NULL);
        memcpy(t->across, any.axis[0], sizeof t->across);
    }
    cf_vec_add_scaled(f->end_m, low ? f->length_m : 0, f->axis, t->q);
    cf_vec_add_scaled(t->q, -t->r, t->across, t->q);
}

void cf_frustum_lowest(const struct cf_piece *piece, const double n[3], double point_m[3])
{
    struct cf_frustum frustum = piece->form->frustum(piece);
    struct tilted t;

    tilt(&frustum, n, &t);
    memcpy(point_m, t.q, sizeof t.q);
}

/* A linear function on an interval by its ends: exact at both. */
struct line {
    double begin, end;
};

static double line_at(struct line f, double left, double right)
{
    return (f.begin * right + f.end * left) / (left + right);
}

/* A stretch of the axis, and in it the radius and the height d - g tau that is left. */
struct stretch {
    const struct tilted *t;
    double from;
    struct line radius, left_over;
};

/* The moments of a slice of the body, from those of its segment. */
static void slice_moments(const struct tilted *t, double tau,
                          const struct cf_circular_segment *part, double out[CF_NMOMENT])
{
    double x = t->a * tau, z = t->g * tau, c = t->c, s = t->s;
    const double *S = part->x;

    memset(out, 0, CF_NMOMENT * sizeof *out);
    out[CF_MOMENT_1] = S[0];
    out[CF_MOMENT_X] = x * S[0] - c * S[1];
    out[CF_MOMENT_Z] = z * S[0] + s * S[1];
    out[CF_MOMENT_XX] = x * x * S[0] - 2 * x * c * S[1] + c * c * S[2];
    out[CF_MOMENT_YY] = part->yy[0];
    out[CF_MOMENT_ZZ] = z * z * S[0] + 2 * z * s * S[1] + s * s * S[2];
    out[CF_MOMENT_ZX] = x * z * S[0] + (x * s - z * c) * S[1] - s * c * S[2];
}

static int at_height(void *context, double left, double right, double out[], struct cf_error *err)
{
    const struct stretch *e = (const struct stretch *) context;
    double r = line_at(e->radius, left, right), rest = line_at(e->left_over, left, right);
    struct cf_circular_segment part;

    (void) err;
    cf_circular_segment(r, rest < 2 * e->t->s * r ? rest / e->t->s : 2 * r, &part);
    slice_moments(e->t, e->from + left, &part, out);
    return CF_OK;
}

/* Where all discs are whole the integrand is of the fourth degree in tau: Gauss' rule of three. */
static void add_whole(struct stretch *e, double length, double moment[CF_NMOMENT])
{
    static const double node[3] = {-0.77459666924148337704, 0, 0.77459666924148337704};
    static const double weight[3] = {5. / 18, 8. / 18, 5. / 18};

    for (int k = 0; k < 3; k++) {
        double at = (1 + node[k]) / 2 * length, r = line_at(e->radius, at, length - at);
        double f[CF_NMOMENT];
        struct cf_circular_segment part;

        cf_circular_segment(r, 2 * r, &part);
        slice_moments(e->t, e->from + at, &part, f);
        for (int i = 0; i < CF_NMOMENT; i++)
            moment[i] += weight[k] * length * f[i];
    }
}

/* Between two distances along the axis; what is left of d at the second is 0 where the plane ends
 * the body there. */
static int add_stretch(const struct tilted *t, double d, double from, double to, bool to_plane,
                       double moment[CF_NMOMENT], struct cf_error *err)
{
    struct stretch e = {
        .t = t,
        .from = from,
        .radius = {t->r + t->rho * from, t->r + t->rho * to},
        .left_over = {d - t->g * from, to_plane ? 0 : d - t->g * to},
    };
    double length = to - from, middle = (from + to) / 2, part[CF_NMOMENT];
    int status;

    if (!(length > 0))
        return CF_OK;
    if (d - t->g * middle >= 2 * t->s * (t->r + t->rho * middle)) {
        add_whole(&e, length, moment);
        return CF_OK;
    }
    status = cf_integrate(at_height, &e, length, CF_NMOMENT, part, err);
    for (int i = 0; i < CF_NMOMENT && !status; i++)
        moment[i] += part[i];
    return status;
}

static int add_moments(const struct tilted *t, double d, double moment[CF_NMOMENT],
                       struct cf_error *err)
{
    bool to_plane = t->g * t->length >= d;
    double end = to_plane ? d / t->g : t->length;
    /* discs are whole on one side of here */
    double whole = (d - 2 * t->s * t->r) / (t->g + 2 * t->s * t->rho);
    int status;

    if (!(whole > 0 && whole < end))
        return add_stretch(t, d, 0, end, to_plane, moment, err);
    status = add_stretch(t, d, 0, whole, false, moment, err);
    return status ? status : add_stretch(t, d, whole, end, to_plane, moment, err);
}

/* The section: xi and 2 r - xi over an interval of x. */
struct section {
    double from;
    struct line low, high;
};

static int at_width(void *context, double left, double right, double out[], struct cf_error *err)
{
    const struct section *e = (const struct section *) context;
    double square = line_at(e->low, left, right) * line_at(e->high, left, right);
    double half = square > 0 ? sqrt(square) : 0, power = 1, x = e->from + left;

    (void) err;
    for (int k = 0; k < 4; k++, power *= x)
        out[k] = 2 * half * power;
    out[4] = 2. / 3 * half * half * half;
    out[5] = out[4] * x;
    return CF_OK;
}

/* Narrow [from, to] to where f(x) = f0 + slope x >= 0. Says by which end it is. */
static void narrow(double f0, double slope, double *from, double *to, int *at_from, int *at_to,
                   int which)
{
    double zero = -f0 / slope;

    if (slope > 0 && zero > *from) {
        *from = zero;
        *at_from = which;
    } else if (slope < 0 && zero < *to) {
        *to = zero;
        *at_to = which;
    } else if (slope == 0 && f0 < 0) {
        *to = *from;
    }
}

static int add_section(const struct tilted *t, double d, struct cf_region *out,
                       struct cf_error *err)
{
    enum { NONE, LOW, HIGH };
    double low0 = t->a * d, low1 = -t->g;
    double high0 = 2 * t->r + (t->rho * t->c - t->s) * d, high1 = t->c + t->rho * t->s;
    double from = -INFINITY, to = INFINITY, f[6], across[4][4] = {{0}};
    int at_from = NONE, at_to = NONE, status;
    struct section e;

    /* tau = c d + s x, from 0 to the length */
    narrow(t->c * d, t->s, &from, &to, &at_from, &at_to, NONE);
    narrow(t->length - t->c * d, -t->s, &from, &to, &at_from, &at_to, NONE);
    narrow(low0, low1, &from, &to, &at_from, &at_to, LOW);
    narrow(high0, high1, &from, &to, &at_from, &at_to, HIGH);
    if (!(to > from))
        return CF_OK;
    e.from = from;
    e.low =
        (struct line){at_from == LOW ? 0 : low0 + low1 * from, at_to == LOW ? 0 : low0 + low1 * to};
    e.high = (struct line){at_from == HIGH ? 0 : high0 + high1 * from,
                           at_to == HIGH ? 0 : high0 + high1 * to};
    status = cf_integrate(at_width, &e, to - from, 6, f, err);
    if (status)
        return status;
    for (int k = 0; k < 4; k++)
        across[k][0] = f[k];
    across[0][2] = f[4];
    across[1][2] = f[5];
    cf_region_still_level(out, d, across);
    return CF_OK;
}

int cf_frustum_slice(const struct cf_piece *piece, const double n[3], double depth_m,
                     struct cf_region *out, struct cf_error *err)
{
    struct cf_frustum frustum = piece->form->frustum(piece);
    struct tilted t;
    double first[3];
    int status;

    tilt(&frustum, n, &t);
    cf_vec_scale(t.s, t.along, first);
    cf_vec_add_scaled(first, -t.c, t.across, first);
    cf_region_begin(out, t.q, n, first);
    status = add_moments(&t, depth_m, out->moment, err);
    return status ? status : add_section(&t, depth_m, out, err);
}
