/* The volume in which two bodies interfere that are intersections of primitives, any of which may
 * be a hole, by an octree: what no exact function of volume.h and pairs.h covers.
 *
 * A body is a cell of Gonthier 2007 (A.4): what all its primitives have in common, less its holes;
 * a body of several cells is a contact for each pair. A primitive is a row of cf_primitives[],
 * convex, with a place and axes of its own. It is what lies inside all its surfaces; a surface is
 * given by a value [m], < 0 inside and, for all but ellipsoids and paraboloids, near it the
 * distance from it.
 *
 * The octree's root is the overlap's own parallelepiped, in whose measure the overlap is about as
 * wide as it is thick however thin it is and however it lies; it moves and grows smoothly with the
 * overlap. Boxes are halved where a surface cuts them. In a leaf each surface is its tangent plane,
 * which is exact where it is flat, and what the leaf holds between the plane and the surface is
 * added by quadrature over the section, with what its rim leaves: V, p_c and J_v are good to the
 * leaf's length to the fourth power, of tangent planes alone to its square.
 */

#ifndef CF_VOLUME_IMPLICIT_H
#define CF_VOLUME_IMPLICIT_H

#include <stdbool.h>
#include <stddef.h>

#include "core/param.h"
#include "core/status.h"
#include "volume/volume.h"

enum { CF_PRIMITIVE_SIZES = 3, CF_MAX_SURFACES = 64 };

struct cf_conic;

struct cf_primitive {
    const char *name; /* "cylinder" */
    const char *what; /* one line: where its origin and its axis are */

    /* The radius of a sphere about the origin that has all of it; NULL: it is unbounded. */
    double (*around)(const double size[]);

    size_t nsize;
    const struct cf_param *size;
    size_t nsurface;

    /* Its surfaces, nsurface of them, in its own frame (conic.h). */
    void (*surfaces)(const double size[], struct cf_conic *out);
};

/* NULL-terminated; the order is the order of help. */
extern const struct cf_primitive *const cf_primitives[];

/* NULL when unknown. */
const struct cf_primitive *cf_primitive_find(const char *name);

/* Find a primitive, or fail with CF_EINPUT and the nearest known name. */
int cf_primitive_get(const char *name, const struct cf_primitive **row, struct cf_error *err);

/* A primitive with its measures and its pose. */
struct cf_implicit {
    const struct cf_primitive *row;
    double size[CF_PRIMITIVE_SIZES]; /* by the row's table */
    double origin_m[3];              /* in the frame of the call */
    double axis[3][3];               /* its axes x, y, z there: orthonormal, right-handed */
    bool hole;
};

/* The value of a primitive at a point [m]: the greatest of its surfaces', < 0 inside, whether it is
 * a hole or not. It is convex and grows by no more than the way. gradient (may be NULL) receives
 * its derivatives, of any surface where several are as great, and 0 where there are none. */
double cf_implicit_value(const struct cf_implicit *primitive, const double point_m[3],
                         double gradient[3]);

/* What a leaf is taken for. */
enum cf_leaf {
    CF_LEAF_CURVED, /* its surfaces are corrected for their curvature */
    CF_LEAF_FLAT,   /* they are their tangent planes */
    CF_LEAF_COUNTED /* it is all in or all out, as its centre is: to compare with */
};

struct cf_octree_options {
    enum cf_leaf leaf;
    /* How good V has to be: whichever is greater, of those that are > 0. Where holes may leave next
     * to nothing error_m3 says when that is nothing. */
    double error_m3, error_relative;
    double leaf_m;       /* > 0: instead, halve until no leaf is longer */
    size_t max_cells;    /* boxes looked at */
    size_t max_memory_B; /* held at a time */
};

/* CF_LEAF_CURVED, 1e-4 of V, 1e7 boxes, 256 MB. */
struct cf_octree_options cf_octree_defaults(void);

/* What was found, and how. */
struct cf_octree_volume {
    struct cf_volume volume; /* centroid_depth_m is NAN; where V is 0, the point that is least far
                                outside both */
    double error_m3; /* the sum of the leaves' estimated errors of V: some ten times what it is off,
                        and in one of a thousand cases less than that */
    double root_m;   /* the length of the root, */
    double leaf_m;   /* and of the smallest leaf */
    size_t ncell, memory_B;
};

/* The interference of two cells, of ni and nj primitives, in the frame of the call. The derivatives
 * are integrals over the facets of body j, corrected as the volumes are, to nearly the same order.
 * Nothing in common is no failure: V is 0. Allocates while it runs.
 *
 * CF_ERANGE: what cf_implicit_check() refuses of each primitive; an overlap without an end; leaf_m
 * not below the root's length; options out of range. CF_ENOMEM: more than max_memory_B, or than
 * there is. CF_ESOLVE: the estimated error is above what is asked for when max_cells are used up;
 * the message says by how much. */
int cf_volume_implicit(const struct cf_implicit body_i[], size_t ni,
                       const struct cf_implicit body_j[], size_t nj,
                       const struct cf_octree_options *options, struct cf_octree_volume *out,
                       struct cf_error *err);

/* How deep body i is in body j, by their surfaces' values. */
struct cf_implicit_touch {
    double depth_m; /* > 0 where they interfere, < 0 the gap: the event function of contact */
    double point_m[3];
    double n[3]; /* unit vector out of body j there */
    double by[CF_TWIST];
    bool in_hole; /* the depth is that in the wall of a hole: see below */
};

/* How deep the deepest point of body i is in body j: of all points of body i that with the least
 * value of body j, the greatest value of its primitives; to some 1e-11 of the smaller body and of
 * the gap. It is the depth, and the gap, along n where the value is a distance: from a half-space
 * exactly, from a sphere or a cylinder that the deepest point is over a face of; in front of an
 * edge it is less than the gap, but 0 where they touch. Where several points are as deep it is one
 * between them, and the derivatives are one-sided.
 *
 * Where that point is in a hole, what they have in common may end at the hole's wall before: the
 * depth in the wall is the greatest value that the hole has in what they would have in common
 * without it; < 0 it is the gap or less, to some 1e-10 of the smaller body. The least of these
 * depths counts. It is searched for from six sides: where several places of the wall are about as
 * near it may be one that is not the nearest. What only several holes free together is not seen:
 * the depth is > 0 there, and V is 0. The gap may close faster than the bodies move, as it does
 * over the rim of a hole.
 *
 * CF_ERANGE: what cf_implicit_check() refuses of each primitive; body i has no inside; no point is
 * the deepest, as of a half-space in a half-space. CF_ESOLVE. */
int cf_implicit_depth(const struct cf_implicit body_i[], size_t ni,
                      const struct cf_implicit body_j[], size_t nj, struct cf_implicit_touch *out,
                      struct cf_error *err);

/* CF_ERANGE, with the number of the primitive (from 1), where a cell has no primitive that is not a
 * hole, a size is out of its range, a place is not finite, axes are not orthonormal to 1e-9 or
 * left-handed, there are more than CF_MAX_SURFACES surfaces, or, for a body that has to be bounded,
 * as one that is free has to, all primitives that are no holes are unbounded; where primitives have
 * nothing in common, or holes leave less than a thousandth of them. Measures the body: CF_ENOMEM,
 * CF_ESOLVE. */
int cf_implicit_check(const struct cf_implicit body[], size_t n, bool bounded,
                      struct cf_error *err);

#endif
