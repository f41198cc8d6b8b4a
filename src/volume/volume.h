/* The volume in which two bodies interfere: its volume V, its centroid p_c and its inertia
 *
 *   J_v = integral of (|r|^2 1 - r r^T) dV,  r from p_c                    [G07] 4.1, appendix A.4
 *
 * of which Gonthier 2007, chapter 4, makes the forces of contact; and how the three change as the
 * bodies move. Exact: by closed forms, or by quadrature to rounding where there is none. V, the
 * depth of the centroid and J_v (of its largest entry) are good to some 1e-13 of themselves even
 * where the bodies touch by 1e-9 of their size, for the depth that is given.
 *
 * A form is a bounded convex body in its own frame, a row of cf_forms[] and a file.
 *
 * Motion. Columns 0 to 2 of a derivative are per metre that body i is moved along x, y, z; columns
 * 3 to 5 per radian that it is turned about x, y, z through the origin. Body j is at rest, and what
 * is differentiated is seen from it. As the boundary moves by u, the integral of f grows by that of
 * f u.n over the part of the boundary that body i has: with the exact V, p_c, J_v they are exact.
 * They are one-sided where a face comes to lie in a plane, and 0 while V is 0.
 *
 * Functions allocate nothing and keep nothing unless they say so.
 */

#ifndef CF_VOLUME_VOLUME_H
#define CF_VOLUME_VOLUME_H

#include <stddef.h>

#include "core/param.h"
#include "core/status.h"

enum { CF_TWIST = 6, CF_FORM_SIZES = 3 };

/* What is asked of the volume of interference, in the frame of the call. */
struct cf_volume {
    double volume_m3;
    double centroid_m[3]; /* where V is 0: the deepest point */
    double inertia_m5[3][3];
    double centroid_depth_m; /* below the plane of a half-space; NAN where body j is none */
    double volume_by[CF_TWIST];
    double centroid_by[3][CF_TWIST];
    double inertia_by[3][3][CF_TWIST];
};

/* A convex polytope. Its faces are loops of corners, counter-clockwise as seen from outside. */
struct cf_polytope {
    size_t nvertex, nface;
    const double (*vertex_m)[3];
    const size_t *ncorner; /* [nface], 3 or more */
    const size_t *corner;  /* the loops of all faces, one after the other: indices of vertices */
};

/* CF_ERANGE, with the face or vertex, where it is not finite, is open (an edge that not exactly two
 * faces share, in opposite directions), has no volume, has a face that bends or a vertex outside a
 * face by more than 1e-9 of its size. */
int cf_polytope_check(const struct cf_polytope *polytope, struct cf_error *err);

/* A form with its measures. */
struct cf_piece {
    const struct cf_form *form;
    double size_m[CF_FORM_SIZES];       /* by the row's table */
    const struct cf_polytope *polytope; /* of the form of that name; else NULL. Not owned. */
};

struct cf_frustum;
struct cf_region;

struct cf_form {
    const char *name; /* "cylinder" */
    const char *what; /* one line: where its origin and its axis are */
    size_t nsize;
    const struct cf_param *size;

    /* The point that is lowest along the unit vector n; any of them where there are several. */
    void (*lowest)(const struct cf_piece *piece, const double n[3], double point_m[3]);

    /* The part within depth_m > 0 of the lowest point (moments.h). */
    int (*slice)(const struct cf_piece *piece, const double n[3], double depth_m,
                 struct cf_region *out, struct cf_error *err);

    /* The body between two discs that it is (rows.h); NULL: it is none. */
    struct cf_frustum (*frustum)(const struct cf_piece *piece);
};

/* NULL-terminated; the order is the order of help. */
extern const struct cf_form *const cf_forms[];

/* NULL when unknown. */
const struct cf_form *cf_form_find(const char *name);

/* Find a form, or fail with CF_EINPUT and the nearest known name. */
int cf_form_get(const char *name, const struct cf_form **form, struct cf_error *err);

/* CF_ERANGE where a size is out of its range; of polytopes as above. */
int cf_piece_check(const struct cf_piece *piece, struct cf_error *err);

/* How deep the deepest point of a piece is below the plane n.x = height_m, everything in the frame
 * of the piece, the unit vector n out of the half-space: > 0 where they interfere, < 0 the gap. It
 * is the event function of contact. by (may be NULL) receives its derivatives. */
double cf_half_space_depth(const struct cf_piece *piece, const double n[3], double height_m,
                           double by[CF_TWIST]);

/* The interference of a piece, body i, with the half-space, body j, that its deepest point is
 * depth_m below; everything in the frame of the piece. n: out of the half-space, of any length. 0
 * or a gap (depth_m < 0) is no failure: V is 0. CF_ERANGE: n or depth_m is not finite, or n is 0.
 * CF_ESOLVE: a quadrature did not come to rounding. */
int cf_volume_half_space(const struct cf_piece *piece, const double n[3], double depth_m,
                         struct cf_volume *out, struct cf_error *err);

#endif
