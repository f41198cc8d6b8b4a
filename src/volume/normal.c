/* Inverse iteration with the Rayleigh quotient as its shift. The inverse is the closed form of
 * [G07] A.28 without its division: next to the axis the matrix is singular, and its adjugate is
 * then, but for a factor, the projection on the axis that is looked for. */

#include "volume/normal.h"

#include <math.h>
#include <string.h>

#include "geometry/vector.h"

const struct cf_normal_options cf_normal_defaults = {.memory = 0.95, .rounds = 15};

/* Moments that are one to this part of the largest determine no axis. */
static const double ONE = 1e-6;

/* A direction that is good to rounding changes by less. */
static const double ROUNDING = 1e-15;

/* The adjugate of J - shift 1, times n, made a unit vector on the side of n; false: it is 0. */
static bool invert(double J[3][3], double shift, double n[3])
{
    double a[3][3], adjugate[3][3], out[3], size;

    memcpy(a, J, sizeof a);
    for (int i = 0; i < 3; i++)
        a[i][i] -= shift;
    for (int i = 0; i < 3; i++)
        cf_vec_cross(a[(i + 1) % 3], a[(i + 2) % 3], adjugate[i]);
    cf_vec_turn(adjugate, n, out);
    size = cf_vec_norm(out);
    if (!(size > 0))
        return false;
    cf_vec_scale(copysign(1 / size, cf_vec_dot(out, n)), out, n);
    return true;
}

static double quotient(double J[3][3], const double n[3])
{
    double turned[3];

    cf_vec_turn(J, n, turned);
    return cf_vec_dot(n, turned);
}

/* Two unit vectors across n. */
static void across(const double n[3], double t[2][3])
{
    double axis[3] = {0};
    int least = 0;

    for (int i = 1; i < 3; i++)
        if (fabs(n[i]) < fabs(n[least]))
            least = i;
    axis[least] = 1;
    cf_vec_cross(n, axis, t[0]);
    cf_vec_scale(1 / cf_vec_norm(t[0]), t[0], t[0]);
    cf_vec_cross(n, t[0], t[1]);
}

/* J - lambda 1 in the plane across n; false where one of its moments is next to 0 there. */
static bool plane_of(double J[3][3], const double n[3], double t[2][3], double m[2][2])
{
    double lambda = quotient(J, n), turned[3], size = J[0][0] + J[1][1] + J[2][2], middle, apart;

    across(n, t);
    for (int i = 0; i < 2; i++) {
        cf_vec_turn(J, t[i], turned);
        for (int k = 0; k < 2; k++)
            m[i][k] = cf_vec_dot(t[k], turned) - (i == k) * lambda;
    }
    middle = (m[0][0] + m[1][1]) / 2;
    apart = hypot((m[0][0] - m[1][1]) / 2, m[0][1]);
    return fmin(fabs(middle - apart), fabs(middle + apart)) > ONE * size;
}

static int untold(struct cf_error *err)
{
    return cf_fail(err, CF_ESOLVE,
                   "the inertia of the volume determines no normal: two of its moments are equal");
}

int cf_volume_normal(double inertia[3][3], const double geometric[3], const double previous[3],
                     const struct cf_normal_options *options, double n[3], struct cf_error *err)
{
    double t[2][3], m[2][2], last[3], turned[3], size;

    cf_vec_scale(previous ? 1 - options->memory : 1, geometric, n);
    if (previous)
        cf_vec_add_scaled(n, options->memory, previous, n);
    size = cf_vec_norm(n);
    if (!(size > 0) || !isfinite(quotient(inertia, n))) {
        memcpy(n, geometric, 3 * sizeof *n);
        return untold(err);
    }
    cf_vec_scale(1 / size, n, n);
    for (int i = 0; i < options->rounds; i++) {
        memcpy(last, n, sizeof last);
        if (!invert(inertia, quotient(inertia, n), n))
            break;
        cf_vec_cross(last, n, turned);
        if (cf_vec_norm(turned) <= ROUNDING)
            break;
    }
    if (cf_vec_dot(n, geometric) < 0)
        cf_vec_scale(-1, n, n);
    if (plane_of(inertia, n, t, m))
        return CF_OK;
    memcpy(n, geometric, 3 * sizeof *n);
    return untold(err);
}

int cf_volume_normal_turn(double inertia[3][3], const double n[3], double change[3][3],
                          double dn[3], struct cf_error *err)
{
    double t[2][3], m[2][2], turned[3], push[2], det;

    dn[0] = dn[1] = dn[2] = 0;
    if (!plane_of(inertia, n, t, m))
        return untold(err);
    cf_vec_turn(change, n, turned);
    for (int i = 0; i < 2; i++)
        push[i] = -cf_vec_dot(t[i], turned);
    det = m[0][0] * m[1][1] - m[0][1] * m[1][0];
    cf_vec_add_scaled(dn, (m[1][1] * push[0] - m[0][1] * push[1]) / det, t[0], dn);
    cf_vec_add_scaled(dn, (m[0][0] * push[1] - m[1][0] * push[0]) / det, t[1], dn);
    return CF_OK;
}
