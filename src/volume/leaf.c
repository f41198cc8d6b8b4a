/* A leaf is the cube cut by the tangent planes of the surfaces that cut it; less the same with a
 * hole's planes, too, for each hole (and more those with two, and so on). section.c corrects it. */

#include "volume/leaf.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <string.h>

#include "geometry/vector.h"
#include "volume/rest.h"
#include "volume/section.h"

/* As many holes in one leaf are all combined; of more its centre says what it holds, until it has
 * been halved often enough. */
enum { MOST_HOLES = 6 };

/* A surface that would rise by more of a leaf's half side over its plane may cut it twice: the
 * other side of a thin rod, or of the tip of a cone. */
static const double MOST_BEND = 0.7;

enum side { SIDE_IN, SIDE_OUT, SIDE_CUT };

/* The range of q over the box, by its Taylor series about the centre, which ends. */
static enum side side_of(const struct cf_quadric *q, const double centre[3], double half)
{
    double gradient[3], value = cf_quadric_value(q, centre), first = 0, second = 0;

    cf_quadric_gradient(q, centre, gradient);
    for (int k = 0; k < 3; k++) {
        first += half * fabs(gradient[k]);
        for (int l = 0; !q->flat && l < 3; l++)
            second += half * half * fabs(q->square[k][l]);
    }
    if (value + first + second <= 0)
        return SIDE_IN;
    return value - first - (q->bowl ? 0 : second) >= 0 ? SIDE_OUT : SIDE_CUT;
}

static uint64_t bit(size_t k)
{
    return (uint64_t) 1 << k;
}

enum cf_content cf_octree_look(const struct cf_octree *tree, struct cf_octree_box *box, double half)
{
    for (size_t s = 0; s < tree->nsurface; s++) {
        const struct cf_octree_surface *surface = &tree->surface[s];
        enum side side;
        if (!(box->cut & bit(s)))
            continue;
        side = side_of(&surface->quadric, box->centre, half);
        if (side == SIDE_IN) {
            box->cut &= ~bit(s);
        } else if (side == SIDE_OUT && surface->hole >= 0) {
            box->cut &= ~tree->of_hole[surface->hole];
            box->hole &= ~bit((size_t) surface->hole);
        } else if (side == SIDE_OUT) {
            return CF_BOX_OUT;
        }
    }
    for (size_t h = 0; h < tree->nhole; h++)
        if ((box->hole & bit(h)) && !(box->cut & tree->of_hole[h]))
            return CF_BOX_OUT;
    return box->cut ? CF_BOX_CUT : CF_BOX_IN;
}

/* The moments of a part, of which those about a point of its own are given. */
static void add_about(const double at[3], double sign, const double own[CF_NMOMENT],
                      double moment[CF_NMOMENT])
{
    double x = at[0], y = at[1], z = at[2], V = own[CF_MOMENT_1];
    double X = own[CF_MOMENT_X], Y = own[CF_MOMENT_Y], Z = own[CF_MOMENT_Z];

    moment[CF_MOMENT_1] += sign * V;
    moment[CF_MOMENT_X] += sign * (X + x * V);
    moment[CF_MOMENT_Y] += sign * (Y + y * V);
    moment[CF_MOMENT_Z] += sign * (Z + z * V);
    moment[CF_MOMENT_XX] += sign * (own[CF_MOMENT_XX] + x * (2 * X + x * V));
    moment[CF_MOMENT_YY] += sign * (own[CF_MOMENT_YY] + y * (2 * Y + y * V));
    moment[CF_MOMENT_ZZ] += sign * (own[CF_MOMENT_ZZ] + z * (2 * Z + z * V));
    moment[CF_MOMENT_YZ] += sign * (own[CF_MOMENT_YZ] + y * Z + z * Y + y * z * V);
    moment[CF_MOMENT_ZX] += sign * (own[CF_MOMENT_ZX] + z * X + x * Z + z * x * V);
    moment[CF_MOMENT_XY] += sign * (own[CF_MOMENT_XY] + x * Y + y * X + x * y * V);
}

void cf_octree_add_whole(const struct cf_octree_box *box, double half, struct cf_octree_part *part)
{
    double volume = 8 * half * half * half, second = volume * half * half / 3;
    const double own[CF_NMOMENT] = {[CF_MOMENT_1] = volume,
                                    [CF_MOMENT_XX] = second,
                                    [CF_MOMENT_YY] = second,
                                    [CF_MOMENT_ZZ] = second};

    add_about(box->centre, 1, own, part->moment);
}

/* By its centre. */
static void add_counted(const struct cf_octree *tree, const struct cf_octree_box *box, double half,
                        struct cf_octree_part *part)
{
    uint64_t outside = 0;
    bool in = true;

    for (size_t s = 0; s < tree->nsurface; s++)
        if ((box->cut & bit(s)) && cf_quadric_value(&tree->surface[s].quadric, box->centre) > 0)
            outside |= bit(s);
    for (size_t s = 0; s < tree->nsurface; s++)
        in = in && !(tree->surface[s].hole < 0 && (outside & bit(s)));
    for (size_t h = 0; h < tree->nhole; h++)
        in = in && !((box->hole & bit(h)) && !(outside & tree->of_hole[h]));
    if (in)
        cf_octree_add_whole(box, half, part);
    part->error += 8 * half * half * half;
}

enum { CORNERS = 8 };

/* What of a leaf is at a corner that its plane takes for in and the surface for out, or the other
 * way round, and d away from it: less than the corner that a plane cuts off there, than an edge's
 * length of it, and than a layer on a side. */
static double at_corner(const struct cf_facet *facet, double half, double d)
{
    double n[3] = {fabs(facet->n[0]), fabs(facet->n[1]), fabs(facet->n[2])};

    gsl_sort(n, 1, 3);
    return fmin(4 * half * half * d / n[2],
                fmin(half * d * d / (n[2] * n[1]), d * d * d / (6 * n[2] * n[1] * n[0])));
}

/* What follows from the corners: how far from its plane the surface can be, and what is mistaken.
 */
static void look_at_corners(struct cf_facet *facet, double half)
{
    facet->bulge = facet->mistaken = facet->lost = 0;
    for (int c = 0; c < CORNERS && !facet->quadric.flat; c++) {
        double at[3], over, q;
        for (int k = 0; k < 3; k++)
            at[k] = (c >> k & 1) ? half : -half;
        q = cf_quadric_value(&facet->quadric, at) / facet->slope;
        over = cf_vec_dot(facet->n, at) - facet->height;
        facet->bulge = fmax(facet->bulge, fabs(q - over));
        if (q != 0 && (q > 0) != (over > 0)) {
            double volume = at_corner(facet, half, fabs(q));
            facet->mistaken += volume;
            facet->lost += volume / fabs(q);
        }
    }
    facet->bulge *= 1 + facet->bulge / half; /* the surface is less steep there */
}

/* The tangent plane where the steepest way from the centre meets the surface. false: there is none
 * that the surface is near to all over the leaf. */
static bool touch(const struct cf_octree_surface *surface, const double centre[3], double half,
                  struct cf_facet *facet)
{
    double way[3], length, far, foot[3];

    facet->surface = surface;
    facet->quadric = cf_quadric_about(&surface->quadric, centre);
    length = cf_vec_norm(facet->quadric.half);
    cf_vec_scale(1 / length, facet->quadric.half, way);
    cf_vec_scale(0, way, foot);
    far = length > 0 ? cf_quadric_along(&facet->quadric, foot, way) : NAN;
    cf_vec_scale(far, way, foot);
    cf_quadric_gradient(&facet->quadric, foot, way);
    length = cf_vec_norm(way);
    if (!(length > 0))
        return false;
    cf_vec_scale(1 / length, way, facet->n);
    facet->height = cf_vec_dot(facet->n, foot);
    facet->slope = length;
    for (int k = 0; k < 3; k++)
        facet->along[k] = facet->quadric.flat ? 0 : cf_vec_dot(facet->quadric.square[k], facet->n);
    facet->square = cf_vec_dot(facet->along, facet->n);
    facet->bend = 0;
    for (int k = 0; k < 9 && !facet->quadric.flat; k++)
        facet->bend += fabs(facet->quadric.square[k / 3][k % 3]) / length;
    look_at_corners(facet, half);
    return facet->bend * half < MOST_BEND;
}

/* A surface that is given twice needs no section of its own. */
static bool told_before(const struct cf_octree *tree, const size_t facet_of[], size_t k)
{
    const struct cf_facet *facet = &tree->facet[facet_of[k]];

    for (size_t l = 0; l < k; l++) {
        const struct cf_facet *other = &tree->facet[facet_of[l]];
        double off = fabs(facet->height - other->height) + fabs(facet->bend - other->bend);
        for (int i = 0; i < 3; i++)
            off += fabs(facet->n[i] - other->n[i]);
        if (off < 1e-12)
            return true;
    }
    return false;
}

/* Where a surface's plane has no section with what is left, it may take some more, or leave some
 * where nothing is left: no more than if its plane were where the surface can be. */
static double unseen(struct cf_octree *tree, double half, const size_t facet_of[], size_t n,
                     double left, double *lost)
{
    double before = left;

    for (size_t k = 0; k < n && left > 0; k++) {
        const struct cf_facet *facet = &tree->facet[facet_of[k]];
        bool seen = tree->cubelet->face[CF_CUBE_FACES + k].nedge > 0;
        double less;
        if (facet->bulge == 0 || seen || told_before(tree, facet_of, k))
            continue;
        cf_cubelet_cut(tree->cubelet, facet->n, facet->height - facet->bulge);
        less = cf_cubelet_volume(tree->cubelet);
        *lost += facet->surface->still ? (before - less) / facet->bulge : 0;
        before = less;
    }
    if (left > 0)
        return left - before;
    cf_cubelet_begin(tree->cubelet, half);
    before = 0;
    for (size_t k = 0; k < n; k++) {
        const struct cf_facet *facet = &tree->facet[facet_of[k]];
        cf_cubelet_cut(tree->cubelet, facet->n, facet->height + facet->bulge);
        before = fmax(before, facet->surface->still ? facet->bulge : 0);
    }
    left = cf_cubelet_volume(tree->cubelet);
    *lost += before > 0 ? left / before : 0;
    return left;
}

/* One of the convex bodies that a leaf is a sum of. */
static bool add_term(struct cf_octree *tree, const struct cf_octree_box *box, double half,
                     uint64_t cut, double sign, struct cf_octree_part *part)
{
    struct cf_leaf_sum sum = {.sign = sign, .half = half, .centre = box->centre, .part = part};
    size_t facet_of[CF_MAX_SURFACES], n = 0;
    bool flat = tree->leaf == CF_LEAF_FLAT || !(cut & tree->curved);
    double left;

    cf_cubelet_begin(tree->cubelet, half);
    for (size_t s = 0; s < tree->nsurface; s++)
        if (cut & bit(s)) {
            facet_of[n++] = s;
            cf_cubelet_cut(tree->cubelet, tree->facet[s].n, tree->facet[s].height);
        }
    cf_cubelet_moments(tree->cubelet, sum.moment);
    left = sum.moment[CF_MOMENT_1];
    for (size_t k = 0; k < n; k++) {
        if (!cf_section_add(tree, facet_of, k, &sum))
            return false;
        if (tree->surface[facet_of[k]].still)
            cf_rest_add(tree, facet_of, k, flat, &sum);
    }
    add_about(box->centre, sign, sum.moment, part->moment);
    part->error += sum.error + unseen(tree, half, facet_of, n, left, &part->lost);
    return true;
}

/* The holes that are left to combine with those whose planes are among `cut`. */
static bool add_terms(struct cf_octree *tree, const struct cf_octree_box *box, double half,
                      const uint64_t hole[], size_t nhole, uint64_t cut, double sign,
                      struct cf_octree_part *part)
{
    if (nhole == 0)
        return add_term(tree, box, half, cut, sign, part);
    return add_terms(tree, box, half, hole + 1, nhole - 1, cut, sign, part) &&
           add_terms(tree, box, half, hole + 1, nhole - 1, cut | hole[0], -sign, part);
}

void cf_octree_add_leaf(struct cf_octree *tree, const struct cf_octree_box *box, double half,
                        struct cf_octree_part *part)
{
    uint64_t hole[MOST_HOLES], convex = box->cut;
    struct cf_octree_part leaf = {.error = 0};
    bool good = tree->leaf != CF_LEAF_COUNTED;
    size_t nhole = 0;

    for (size_t h = 0; h < tree->nhole && good; h++)
        if (box->hole & bit(h)) {
            good = nhole < MOST_HOLES;
            if (good)
                hole[nhole++] = box->cut & tree->of_hole[h];
            convex &= ~tree->of_hole[h];
        }
    for (size_t s = 0; s < tree->nsurface && good; s++)
        if (box->cut & bit(s))
            good = touch(&tree->surface[s], box->centre, half, &tree->facet[s]);
    for (size_t s = 0; s < tree->nsurface && good; s++)
        if (box->cut & bit(s)) {
            leaf.error += tree->facet[s].mistaken;
            leaf.lost += tree->surface[s].still ? tree->facet[s].lost : 0;
            leaf.bend = fmax(leaf.bend, tree->facet[s].bend);
        }
    good = good && add_terms(tree, box, half, hole, nhole, convex, 1, &leaf);
    if (good)
        cf_octree_add_part(&leaf, part);
    else
        add_counted(tree, box, half, part);
}

void cf_octree_add_part(const struct cf_octree_part *from, struct cf_octree_part *to)
{
    for (int k = 0; k < CF_NMOMENT; k++) {
        to->moment[k] += from->moment[k];
        for (int t = 0; t < CF_TWIST; t++)
            to->region.still[k][t] += from->region.still[k][t];
    }
    to->error += from->error;
    to->lost += from->lost;
    to->bend = fmax(to->bend, from->bend);
}
