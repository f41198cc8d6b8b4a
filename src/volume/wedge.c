/* A sphere and an endless convex wedge: where they touch, and what they have in common. */

#include "volume/wedge.h"

#include <gsl/gsl_math.h>
#include <math.h>
#include <string.h>

#include "geometry/vector.h"
#include "volume/pairs.h"
#include "volume/rows.h"

/* Normals that are closer to parallel, in radians, have no edge; a normal that is further out of
 * the angle between them is not that of an edge. */
static const double NEAR = 1e-12;

/* Of a wedge: the face `first`, then the other, with unit vectors. */
struct faces {
    double normal[2][3], inward[2][3]; /* across the edge */
    double edge[3];
    double opening, rest; /* of the wedge, and pi less that */
};

/* The cross product of two vectors over their lengths, to rounding also where they are next to
 * parallel, which their unit vectors are not: of b nothing counts that is along a. */
static void cross_apart(const double a[3], const double b[3], double out[3])
{
    double size[2], p[3], q[3], share;

    for (int i = 0; i < 3; i++) { /* powers of 2, without rounding */
        p[i] = ldexp(a[i], -ilogb(fmax(fabs(a[0]), fmax(fabs(a[1]), fabs(a[2])))));
        q[i] = ldexp(b[i], -ilogb(fmax(fabs(b[0]), fmax(fabs(b[1]), fabs(b[2])))));
    }
    size[0] = cf_vec_norm(p);
    size[1] = cf_vec_norm(q);
    share = cf_vec_dot(p, q) / cf_vec_dot(p, p);
    for (int i = 0; i < 3; i++)
        q[i] = fma(-share, p[i], q[i]);
    cf_vec_cross(p, q, out);
    cf_vec_scale(1 / (size[0] * size[1]), out, out);
}

static int faces_of(const struct cf_wedge *wedge, int first, struct faces *out,
                    struct cf_error *err)
{
    const double *a = wedge->normal[0], *b = wedge->normal[1];
    double sine, cosine;
    int status = cf_volume_unit("normal of a wedge", wedge->normal[first], out->normal[0], err);

    if (!status)
        status = cf_volume_unit("normal of a wedge", wedge->normal[1 - first], out->normal[1], err);
    if (status)
        return status;
    cross_apart(wedge->normal[first], wedge->normal[1 - first], out->edge);
    sine = cf_vec_norm(out->edge);
    cosine = cf_vec_dot(out->normal[0], out->normal[1]);
    if (!(sine > NEAR))
        return cf_fail(err, CF_ERANGE,
                       "normals of a wedge = (%.15g, %.15g, %.15g) and (%.15g, %.15g, %.15g): must "
                       "not be %s",
                       a[0], a[1], a[2], b[0], b[1], b[2],
                       cosine > 0 ? "parallel, which is a half-space" : "opposite");
    cf_vec_scale(1 / sine, out->edge, out->edge);
    cf_vec_cross(out->normal[0], out->edge, out->inward[0]);
    cf_vec_cross(out->edge, out->normal[1], out->inward[1]);
    out->opening = atan2(sine, -cosine);
    out->rest = atan2(sine, cosine);
    return CF_OK;
}

/* The face that is nearest a centre at p from a point of the edge. Over the edge: CF_WEDGE_EDGE. */
static int nearest(const struct faces *f, const double p[3])
{
    double over[2] = {cf_vec_dot(p, f->normal[0]), cf_vec_dot(p, f->normal[1])};

    if (over[0] < 0 && over[1] < 0)
        return over[0] >= over[1] ? 0 : 1;
    for (int i = 0; i < 2; i++)
        if (over[i] >= 0 && cf_vec_dot(p, f->inward[i]) > 0)
            return i;
    return CF_WEDGE_EDGE;
}

/* Away from the edge; on it midway between the faces. */
static double away(const struct faces *f, const double p[3], double radius_m, double n[3])
{
    double distance;

    cf_vec_add_scaled(p, -cf_vec_dot(p, f->edge), f->edge, n);
    distance = cf_vec_norm(n);
    if (!(distance > NEAR * radius_m))
        cf_vec_add_scaled(f->normal[0], 1, f->normal[1], n);
    cf_vec_scale(1 / cf_vec_norm(n), n, n);
    return distance;
}

int cf_wedge_depth(const struct cf_wedge *wedge, double radius_m, const double centre_m[3],
                   struct cf_wedge_touch *out, struct cf_error *err)
{
    struct faces f;
    double p[3], turn[3], over;
    int status = faces_of(wedge, 0, &f, err);

    if (!status)
        status = cf_volume_check_radius("sphere", radius_m, err);
    if (!status)
        status = cf_volume_check_place("centre of a sphere", centre_m, err);
    if (!status)
        status = cf_volume_check_place("edge of a wedge", wedge->point_m, err);
    if (status)
        return status;
    cf_vec_sub(centre_m, wedge->point_m, p);
    *out = (struct cf_wedge_touch){.face = nearest(&f, p)};
    if (out->face == CF_WEDGE_EDGE) {
        over = away(&f, p, radius_m, out->n);
    } else {
        memcpy(out->n, f.normal[out->face], sizeof out->n);
        over = cf_vec_dot(p, out->n);
        out->inward_m = cf_vec_dot(p, f.inward[out->face]);
    }
    out->depth_m = radius_m - over;
    cf_vec_cross(centre_m, out->n, turn);
    for (int k = 0; k < 3; k++) {
        out->by[k] = -out->n[k];
        out->by[3 + k] = -turn[k];
    }
    return CF_OK;
}

static int check_touch(const struct cf_wedge_touch *touch, double radius, struct cf_error *err)
{
    double most = touch->face == CF_WEDGE_EDGE ? radius : 2 * radius;
    int status = cf_volume_check_depth("sphere", touch->depth_m, err);

    if (status)
        return status;
    if (touch->face != CF_WEDGE_EDGE && !(touch->inward_m >= 0 && isfinite(touch->inward_m)))
        return cf_fail(err, CF_ERANGE,
                       "distance from the edge of a wedge = %.15g m: must be finite and 0 or more",
                       touch->inward_m);
    if (touch->face == CF_WEDGE_EDGE ? touch->depth_m <= most : touch->depth_m < most)
        return CF_OK;
    return cf_fail(err, CF_ERANGE, "depth = %.15g m of a sphere: must be %s %.15g m, %s",
                   touch->depth_m, touch->face == CF_WEDGE_EDGE ? "at most" : "below", most,
                   touch->face == CF_WEDGE_EDGE ? "where its centre is on the edge"
                                                : "where it is wholly in the wedge");
}

/* A unit vector from the edge between the normals, and where it is between them. */
static int over_edge(const struct faces *f, const double n[3], double up[3],
                     struct cf_wedge_pose *p, struct cf_error *err)
{
    int status = cf_volume_unit("normal of a sphere over an edge", n, up, err);

    if (status)
        return status;
    cf_vec_add_scaled(up, -cf_vec_dot(up, f->edge), f->edge, up);
    p->before = atan2(-cf_vec_dot(up, f->inward[0]), cf_vec_dot(up, f->normal[0]));
    p->behind = atan2(-cf_vec_dot(up, f->inward[1]), cf_vec_dot(up, f->normal[1]));
    if (!(cf_vec_norm(up) > NEAR && p->before >= -NEAR && p->behind >= -NEAR))
        return cf_fail(err, CF_ERANGE,
                       "normal of a sphere over an edge = (%.15g, %.15g, %.15g): must be between "
                       "those of the faces",
                       n[0], n[1], n[2]);
    p->before = fmax(p->before, 0);
    p->behind = fmax(p->behind, 0);
    cf_vec_scale(1 / cf_vec_norm(up), up, up);
    return CF_OK;
}

static void measure(const struct cf_wedge_touch *touch, struct cf_wedge_pose *p)
{
    double across = sqrt(p->d * (2 * p->R - p->d)); /* of the circle in the face */

    if (p->face == CF_WEDGE_EDGE) {
        p->q = p->R - p->d;
        p->square = p->d * (2 * p->R - p->d);
        return;
    }
    p->y = touch->inward_m;
    p->h = p->R - p->d;
    p->q = hypot(p->y, p->h);
    p->square = (across - p->y) * (across + p->y);
}

/* A sphere that one face alone cuts. */
static int cap(double radius, const double up[3], double depth, const double centre[3],
               struct cf_region *out, struct cf_error *err)
{
    struct cf_piece sphere = {.form = &cf_form_sphere, .size_m = {radius}};
    int status = cf_form_sphere.slice(&sphere, up, depth, out, err);

    cf_vec_add_scaled(out->origin_m, 1, centre, out->origin_m);
    return status;
}

int cf_volume_wedge(const struct cf_wedge *wedge, double radius_m, const double centre_m[3],
                    const struct cf_wedge_touch *touch, struct cf_volume *out, struct cf_error *err)
{
    struct faces f;
    struct cf_region region;
    struct cf_wedge_pose pose = {.R = radius_m, .d = touch->depth_m, .face = touch->face};
    double up[3], place[3];
    int status = faces_of(wedge, touch->face == 1, &f, err);

    if (!status)
        status = cf_volume_check_radius("sphere", radius_m, err);
    if (!status)
        status = cf_volume_check_place("centre of a sphere", centre_m, err);
    if (!status)
        status = check_touch(touch, radius_m, err);
    if (!status && touch->face == CF_WEDGE_EDGE)
        status = over_edge(&f, touch->n, up, &pose, err);
    else if (!status)
        memcpy(up, f.normal[0], sizeof up);
    if (status)
        return status;
    pose.opening = f.opening;
    pose.rest = f.rest;
    cf_vec_add_scaled(centre_m, (touch->depth_m > 0 ? touch->depth_m : 0) - radius_m, up, place);
    cf_region_begin(&region, place, up, f.edge);
    if (touch->depth_m > 0) {
        measure(touch, &pose);
        status = pose.square < 0 && cf_wedge_touching(&pose) <= pose.opening
                     ? cap(radius_m, up, pose.d, centre_m, &region, err)
                     : cf_wedge_sweep(&pose, &region, err);
    }
    if (!status)
        cf_region_metrics(&region, out);
    return status;
}
