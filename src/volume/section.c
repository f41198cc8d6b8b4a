/* Over the section P of the tangent plane with the leaf the surface is w high, along n, which the
 * quadric gives exactly. Columns over P hold what is wanted but at the rim of P: where the wall
 * beside it, or another surface, is at an angle, c = m.n of its normal m to n, the surface ends
 *
 *   eta = (w' - c w)/sqrt(1 - c^2)
 *
 * further out (w' the other surface's height over its own plane, 0 of a wall), and the leaf holds
 * w eta/2 more for each length of the rim. */

#include "volume/section.h"

#include <math.h>

#include "geometry/vector.h"
#include "volume/triangle.h"

/* Gauss' rule of two on (0, 1). */
enum { NEDGE = 2 };
static const double node[NEDGE] = {0.21132486540518712, 0.78867513459481288};
static const double weight[NEDGE] = {0.5, 0.5};

/* The section at hand; and of its columns, each w high, from y on, the integrals of w, w y, w y y';
 * w^2/2, w^2/2 y; w^3/3. */
struct section {
    const struct cf_octree *tree;
    const struct cf_facet *facet;
    struct cf_leaf_sum *sum;
    bool corrected;
    double area;
    double missed; /* the volume between the plane and the surface, */
    double rim;    /* and of it at the rim, whatever the sign */
    double slope;  /* the steepest of the surface over the plane */
    double w, wy[3], wyy[3][3], ww, wwy[3], www;
};

/* The root of the smaller magnitude of (q(y) + 2 b w + a w^2), b > 0. */
double cf_facet_height(const struct cf_facet *facet, const double y[3])
{
    const struct cf_quadric *q = &facet->quadric;
    double a = facet->square, b, c = q->constant, square;

    if (q->flat)
        return 0;
    b = cf_vec_dot(q->half, facet->n) + cf_vec_dot(facet->along, y);
    for (int k = 0; k < 3; k++)
        c += y[k] * (2 * q->half[k] + cf_vec_dot(q->square[k], y));
    square = b * b - a * c;
    return square >= 0 && b > 0 ? -c / (b + sqrt(square)) : NAN;
}

/* The gradient of q at w over y, by its component along n; across: how steep it is. */
static void normal_over(const struct cf_facet *facet, const double y[3], double w, double n[3],
                        double *across)
{
    double at[3], along, square;

    cf_vec_add_scaled(y, w, facet->n, at);
    cf_quadric_gradient(&facet->quadric, at, n);
    along = cf_vec_dot(n, facet->n);
    cf_vec_scale(1 / along, n, n);
    square = cf_vec_dot(n, n) - 1;
    *across = square > 0 ? sqrt(square) : 0;
}

/* A volume at a point. */
static void add_at(struct section *s, const double y[3], double volume)
{
    s->w += volume;
    for (int i = 0; i < 3; i++) {
        s->wy[i] += volume * y[i];
        for (int j = i; j < 3; j++)
            s->wyy[i][j] += volume * y[i] * y[j];
    }
}

static bool add_point(struct section *s, const double y[3], double area)
{
    double w = cf_facet_height(s->facet, y), ww = area * w * w / 2;

    if (!isfinite(w))
        return false;
    s->missed += w * area;
    if (!s->corrected)
        w = 0;
    if (w != 0) {
        add_at(s, y, area * w);
        s->ww += ww;
        s->www += 2. / 3 * w * ww;
        for (int i = 0; i < 3; i++)
            s->wwy[i] += ww * y[i];
    }
    return true;
}

/* The moments of what the columns hold. */
static void add_columns(const struct section *s)
{
    static const enum cf_moment first[3] = {CF_MOMENT_X, CF_MOMENT_Y, CF_MOMENT_Z};
    static const enum cf_moment second[3][3] = {
        {CF_MOMENT_XX, CF_MOMENT_XY, CF_MOMENT_ZX},
        {CF_MOMENT_XY, CF_MOMENT_YY, CF_MOMENT_YZ},
        {CF_MOMENT_ZX, CF_MOMENT_YZ, CF_MOMENT_ZZ},
    };
    const double *n = s->facet->n;
    double *moment = s->sum->moment;

    moment[CF_MOMENT_1] += s->w;
    for (int i = 0; i < 3; i++) {
        moment[first[i]] += s->wy[i] + n[i] * s->ww;
        for (int j = i; j < 3; j++)
            moment[second[i][j]] +=
                s->wyy[i][j] + n[i] * s->wwy[j] + n[j] * s->wwy[i] + n[i] * n[j] * s->www;
    }
}

static bool add_triangle(struct section *s, const double a[3], const double b[3], const double c[3])
{
    double ab[3], ac[3], normal[3], area;

    cf_vec_sub(b, a, ab);
    cf_vec_sub(c, a, ac);
    cf_vec_cross(ab, ac, normal);
    area = cf_vec_dot(normal, s->facet->n) / 2;
    s->area += area;
    for (int k = 0; k < CF_TRIANGLE_POINTS && area > 0; k++) {
        double y[3];
        for (int i = 0; i < 3; i++)
            y[i] = a[i] + cf_triangle[k][0] * ab[i] + cf_triangle[k][1] * ac[i];
        if (!add_point(s, y, area * cf_triangle[k][2]))
            return false;
    }
    return true;
}

/* An edge of the section: the way across it, out of the section, and the face beside it. */
struct rim {
    double out[3], c, sine;
    const struct cf_facet *beside; /* NULL: a wall */
};

/* How much further out than the point y the surface ends, whose height there is w. false: where it
 * ends is not known from here, as it is at about the slope of the wall there, or too far away. */
static bool beyond(const struct section *s, const struct rim *rim, const double y[3], double w,
                   double *eta)
{
    double other = rim->beside && s->corrected ? cf_facet_height(rim->beside, y) : 0, at[3];
    double first = (other - rim->c * w) / rim->sine;

    /* once more, from the height where it ends */
    cf_vec_add_scaled(y, first, rim->out, at);
    *eta = (other - rim->c * cf_facet_height(s->facet, at)) / rim->sine;
    return fabs(*eta - first) <= 0.25 * fabs(first) && *eta * *eta <= 0.25 * s->area;
}

/* What is beyond one point of the rim, of which there is `length`. */
static bool add_rim_point(struct section *s, const struct rim *rim, const double y[3],
                          double length)
{
    double w = cf_facet_height(s->facet, y), eta, at[3];

    if (!isfinite(w))
        return false;
    if (!beyond(s, rim, y, w, &eta)) {
        double reach = fabs(rim->c * w / rim->sine);
        s->rim += length * fabs(w) * fmin(s->sum->half, reach + sqrt(s->area));
        s->slope = fmax(s->slope, 1);
        return true;
    }
    s->rim += length * fabs(w * eta) / 2;
    cf_vec_add_scaled(y, 2 * w / 3, s->facet->n, at);
    cf_vec_add_scaled(at, eta / 3, rim->out, at);
    add_at(s, at, length * w * eta / 2);
    return true;
}

/* The surface is steepest at a corner, or nearly so. */
static void add_slope(struct section *s, const double y[3])
{
    double w = cf_facet_height(s->facet, y), n[3], slope;

    if (!isfinite(w))
        return;
    normal_over(s->facet, y, w, n, &slope);
    s->slope = fmax(s->slope, slope);
}

static bool add_rim(struct section *s, const struct cf_cubelet_edge *edge,
                    const struct cf_facet *beside)
{
    const double *n = s->facet->n, *m = s->tree->cubelet->face[edge->beside].n;
    struct rim rim = {.c = cf_vec_dot(m, n), .beside = beside};
    double along[3], length;

    cf_vec_sub(edge->to, edge->from, along);
    length = cf_vec_norm(along);
    if (!(length > 0) || (s->facet->quadric.flat && (!beside || beside->quadric.flat)))
        return true;
    cf_vec_add_scaled(m, -rim.c, n, rim.out);
    rim.sine = cf_vec_norm(rim.out);
    cf_vec_scale(1 / rim.sine, rim.out, rim.out);
    add_slope(s, edge->from);
    for (int k = 0; k < NEDGE; k++) {
        double y[3];
        cf_vec_add_scaled(edge->from, node[k], along, y);
        if (!add_rim_point(s, &rim, y, weight[k] * length))
            return false;
    }
    return true;
}

bool cf_section_add(const struct cf_octree *tree, const size_t facet_of[], size_t k,
                    struct cf_leaf_sum *sum)
{
    const struct cf_facet *facet = &tree->facet[facet_of[k]];
    const struct cf_cubelet_face *face = &tree->cubelet->face[CF_CUBE_FACES + k];
    struct section s = {
        .tree = tree, .facet = facet, .sum = sum, .corrected = tree->leaf == CF_LEAF_CURVED};

    if (facet->quadric.flat)
        return true;
    for (size_t e = 1; e < face->nedge; e++)
        if (!add_triangle(&s, face->edge[0].from, face->edge[e].from, face->edge[e].to))
            return false;
    for (size_t e = 0; s.corrected && e < face->nedge; e++) {
        size_t beside = face->edge[e].beside;
        if (!add_rim(&s, &face->edge[e],
                     beside < CF_CUBE_FACES ? NULL
                                            : &tree->facet[facet_of[beside - CF_CUBE_FACES]]))
            return false;
    }
    add_columns(&s);
    /* what is of the next order, of the rim's columns and of the quadrature */
    sum->error +=
        s.corrected ? s.rim * s.slope + fabs(s.missed) * s.slope * s.slope : fabs(s.missed);
    return true;
}
