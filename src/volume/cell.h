/* Cells: convex parts of a body, each a form at a place of the body ([G07] 5.2.2). A contact over a
 * volume is between two of them, or one and a half-space.
 *
 * Everything of two bodies is in the frame of body j; a placing says where the frame of body i is
 * there. Results and their derivatives are as volume.h says: body i is moved and turned about the
 * origin of body j.
 */

#ifndef CF_VOLUME_CELL_H
#define CF_VOLUME_CELL_H

#include "volume/volume.h"

struct cf_placing {
    double origin_m[3], turn[3][3]; /* columns of turn: the axes */
};

struct cf_cell {
    struct cf_piece piece; /* its polytope, if it is of that form, is owned */
    struct cf_placing at;  /* the piece's frame in that of the body */
    struct cf_polytope
        faces;       /* of boxes and polytopes, in the frame of the body, owned; else empty */
    double radius_m; /* of a sphere about middle_m, in the frame of the body, that has it */
    double middle_m[3];
};

/* Check a piece at its place and find what follows from it; what was made has to be freed, also
 * where it fails. CF_ERANGE as cf_piece_check(), a frame that is no rotation to 1e-9; CF_ENOMEM. */
int cf_cell_make(struct cf_cell *cell, struct cf_error *err);

/* Also of a cell that is all 0. */
void cf_cell_free(struct cf_cell *cell);

/* How deep the deepest point of cell i is in the half-space n.x <= height_m [m]; < 0: the gap.
 * point_m receives that point. */
double cf_cell_depth(const struct cf_cell *i, const struct cf_placing *placing, const double n[3],
                     double height_m, double point_m[3]);
int cf_cell_volume(const struct cf_cell *i, const struct cf_placing *placing, const double n[3],
                   double depth_m, struct cf_volume *out, struct cf_error *err);

/* Have both cells faces? Else there is no exact volume of the two. */
static inline bool cf_cells_have_faces(const struct cf_cell *i, const struct cf_cell *j)
{
    return i->faces.nvertex > 0 && j->faces.nvertex > 0;
}

/* The same of two cells that have faces, with n out of j. Where spheres around them are apart, it
 * is their gap, which is less, and n is from middle to middle: cells far apart cost a few
 * operations. NAN: no memory. */
double cf_cells_depth(const struct cf_cell *i, const struct cf_placing *placing,
                      const struct cf_cell *j, double n[3], double point_m[3]);
int cf_cells_volume(const struct cf_cell *i, const struct cf_placing *placing,
                    const struct cf_cell *j, struct cf_volume *out, struct cf_error *err);

#endif
