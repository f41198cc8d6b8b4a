/* The edge in which two planes meet: the solid is what is under both. Gonthier 2007, eqs. A.4 to
 * A.10. Over a face the sphere touches the plane; over the edge n = w/|w|, depth = radius_m - |w|
 * with w = (1 - e e) p, p = centre - point, so that n goes smoothly from one face's to the other's.
 *
 * Against the text: A.10 divides by |p|, which makes no unit vector where p has a part along the
 * edge; |w| is meant, and compared with epsilon. And a face is taken only by a centre that is above
 * it: beside a sharp edge, where the planes enclose less than a right angle, p . t > 0 holds on
 * both sides.
 *
 * Parallel planes, and |w| next to 0, are a plane with the normal between: n_e, h_e. Inside, n
 * jumps in the middle between the faces, where depth is the same from both. The point is best near
 * the contact: w loses the digits that p has along the edge.
 */

#include <math.h>

#include "geometry/rows.h"
#include "geometry/vector.h"

/* Gonthier's epsilon for |n_1 x n_2|: planes that differ by less are one to half a millionth, and
 * beyond it e is good to 1e-10. */
#define PARALLEL 1e-6

/* As the edge is a curve, not a surface. */
static double curvature(const struct cf_solid *solid)
{
    (void) solid;
    return 0;
}

static int check(const struct cf_solid *solid, struct cf_error *err)
{
    const double *n1 = solid->direction[0], *n2 = solid->direction[1];
    double e[3];

    cf_vec_cross(n1, n2, e);
    if (cf_vec_norm(e) > PARALLEL || cf_vec_dot(n1, n2) > 0)
        return CF_OK;
    return cf_fail(err, CF_ERANGE,
                   "normal_1 = (%.15g, %.15g, %.15g) and normal_2 = (%.15g, %.15g, %.15g) are "
                   "opposite: no solid is under both planes",
                   n1[0], n1[1], n1[2], n2[0], n2[1], n2[2]);
}

/* The plane through the edge that the sphere touches; NULL over the edge itself. */
static const double *face(const double *n1, const double *n2, const double p[3], const double e[3])
{
    double above1 = cf_vec_dot(p, n1), above2 = cf_vec_dot(p, n2);
    double t1[3], t2[3];

    if (above1 < 0 && above2 < 0)
        return above1 > above2 ? n1 : n2; /* p . t_e > 0? */
    cf_vec_cross(n1, e, t1);
    cf_vec_cross(e, n2, t2);
    if (above1 >= 0 && cf_vec_dot(p, t1) > 0)
        return n1;
    if (above2 >= 0 && cf_vec_dot(p, t2) > 0)
        return n2;
    return NULL;
}

/* n_e */
static void between(const double *n1, const double *n2, double n[3])
{
    cf_vec_add_scaled(n1, 1, n2, n);
    cf_vec_scale(1 / cf_vec_norm(n), n, n);
}

static bool touch(const struct cf_solid *solid, double radius_m, const double centre_m[3],
                  struct cf_touch *out)
{
    const double *n1 = solid->direction[0], *n2 = solid->direction[1], *plane;
    double p[3], e[3], n[3], g[3], fade[3], sine, distance;

    cf_vec_sub(centre_m, solid->point_m, p);
    cf_vec_cross(n1, n2, e);
    sine = cf_vec_norm(e);
    if (sine > PARALLEL) {
        cf_vec_scale(1 / sine, e, e);
        plane = face(n1, n2, p, e);
    } else {
        between(n1, n2, n);
        plane = n;
    }
    if (!plane) {
        cf_vec_add_scaled(p, -cf_vec_dot(p, e), e, n);
        distance = cf_vec_norm(n);
        if (distance >= CF_NEAR_M) {
            cf_vec_scale(1 / distance, n, n);
            cf_vec_cross(e, n, g);
            cf_vec_scale(1 / distance, n, fade);
            cf_touch_around_axis(radius_m - distance, n, g, 1 / distance, fade, out);
            return true;
        }
        between(n1, n2, n);
        plane = n;
    }
    cf_touch_flat(radius_m - cf_vec_dot(p, plane), plane, out);
    return true;
}

/* How far the centre is from the edge over a face, along that face. */
static double along_face(const struct cf_solid *solid, const double centre_m[3], int face)
{
    const double *n1 = solid->direction[0], *n2 = solid->direction[1];
    double p[3], e[3], t[3];

    cf_vec_sub(centre_m, solid->point_m, p);
    cf_vec_cross(n1, n2, e);
    if (face == 0)
        cf_vec_cross(n1, e, t);
    else
        cf_vec_cross(e, n2, t);
    return cf_vec_dot(p, t);
}

static double first_face(const struct cf_solid *solid, const double centre_m[3])
{
    return along_face(solid, centre_m, 0);
}

static double second_face(const struct cf_solid *solid, const double centre_m[3])
{
    return along_face(solid, centre_m, 1);
}

const struct cf_shape cf_edge = {
    .name = "edge",
    .cite = "Gonthier 2007, eqs. A.4 to A.10",
    .what = "edge of a wedge, the solid under two planes",
    .point = "point",
    .direction = {"normal_1", "normal_2"},
    .curvature = curvature,
    .check = check,
    .touch = touch,
    .seam = {first_face, second_face},
};
