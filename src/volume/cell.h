/* Cells: parts of a body ([G07] 5.2.2), each a form at a place of the body, or what implicit
 * primitives have in common less their holes. A contact over a volume is between two of them, or
 * one and a half-space. Volumes are exact where cf_cells_are_exact() says so, and by the octree of
 * implicit.h elsewhere (cell_pair.h).
 *
 * Everything of two bodies is in the frame of body j; a placing says where the frame of body i is
 * there. Results and their derivatives are as volume.h says: body i is moved and turned about the
 * origin of body j.
 */

#ifndef CF_VOLUME_CELL_H
#define CF_VOLUME_CELL_H

#include <stdbool.h>

#include "volume/implicit.h"

struct cf_placing {
    double origin_m[3], turn[3][3]; /* columns of turn: the axes */
};

struct cf_cell {
    struct cf_piece piece; /* its polytope, if it is of that form, is owned; form NULL: `part` */
    struct cf_placing at;  /* the piece's frame in that of the body */
    struct cf_polytope
        faces; /* of boxes and polytopes, in the frame of the body, owned; else empty */
    struct cf_implicit *part; /* its primitives, in the frame of the body, owned; of a form as many
                                 as it has faces, */
    size_t npart;             /* 0: which are more than an octree takes */
    double radius_m; /* of a sphere about middle_m, in the frame of the body, that has it; INFINITY:
                        it has no end */
    double middle_m[3];
};

/* Check a piece at its place, or the parts of one that has no form, and find what follows from it;
 * what was made has to be freed, also where it fails. CF_ERANGE as cf_piece_check(), a frame that
 * is no rotation to 1e-9, as cf_implicit_check() of a body that need not be bounded; CF_ESOLVE;
 * CF_ENOMEM. */
int cf_cell_make(struct cf_cell *cell, struct cf_error *err);

/* Also of a cell that is all 0. */
void cf_cell_free(struct cf_cell *cell);

/* How deep a point of the body's frame is in what the primitives of a cell have in common, less its
 * holes [m], by their values: < 0 outside; -INFINITY of a cell without primitives. */
double cf_cell_part_depth(const struct cf_cell *cell, const double point_m[3]);

/* How deep the deepest point of cell i, which has a form, is in the half-space n.x <= height_m [m];
 * < 0: the gap. point_m receives that point. */
double cf_cell_depth(const struct cf_cell *i, const struct cf_placing *placing, const double n[3],
                     double height_m, double point_m[3]);
int cf_cell_volume(const struct cf_cell *i, const struct cf_placing *placing, const double n[3],
                   double depth_m, struct cf_volume *out, struct cf_error *err);

/* Is there an exact volume of two cells, which both need faces for it; or, j NULL, of a cell and a
 * half-space, for which it needs a form? */
static inline bool cf_cells_are_exact(const struct cf_cell *i, const struct cf_cell *j)
{
    return j ? i->faces.nvertex > 0 && j->faces.nvertex > 0 : i->piece.form != NULL;
}

/* The same of two cells that have faces, with n out of j. Where spheres around them are apart, it
 * is their gap, which is less, and n is from middle to middle: cells far apart cost a few
 * operations. NAN: no memory. */
double cf_cells_depth(const struct cf_cell *i, const struct cf_placing *placing,
                      const struct cf_cell *j, double n[3], double point_m[3]);
int cf_cells_volume(const struct cf_cell *i, const struct cf_placing *placing,
                    const struct cf_cell *j, struct cf_volume *out, struct cf_error *err);

#endif
