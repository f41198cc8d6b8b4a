/* Which cells of two bodies are near each other: spheres around cells, in a tree of spheres around
 * them, made once for each body in its own frame. */

#ifndef CF_VOLUME_CELL_TREE_H
#define CF_VOLUME_CELL_TREE_H

#include "volume/cell.h"

/* A sphere around all cells below it: two halves, or one cell. */
struct cf_cell_node {
    double middle_m[3], radius_m;
    size_t half[2]; /* nodes; of a leaf CF_CELL_LEAF and the cell */
};
#define CF_CELL_LEAF ((size_t) -1)

struct cf_cell_tree {
    size_t n; /* nodes, node 0 above all */
    struct cf_cell_node *node;
};

/* Of one cell or more; allocates: cf_cell_tree_free(). CF_ENOMEM. */
int cf_cell_tree_make(struct cf_cell_tree *tree, const struct cf_cell cell[], size_t ncell,
                      struct cf_error *err);

/* Also of a tree that is all 0. */
void cf_cell_tree_free(struct cf_cell_tree *tree);

typedef void cf_on_near_cells(void *context, size_t i, size_t j);

/* Calls near() for each pair of cells whose spheres are at most within_m apart; the frame of body i
 * is placed in that of body j. The pairs come in no order that means something. */
void cf_cell_trees_near(const struct cf_cell_tree *i, const struct cf_placing *placing,
                        const struct cf_cell_tree *j, double within_m, cf_on_near_cells *near,
                        void *context);

/* The same of a half-space n.x <= height_m of body j, for j 0: cells that come to within_m of it.
 */
void cf_cell_tree_over(const struct cf_cell_tree *i, const struct cf_placing *placing,
                       const double n[3], double height_m, double within_m, cf_on_near_cells *near,
                       void *context);

#endif
