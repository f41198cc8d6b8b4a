#include "volume/cell_tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/vector.h"

struct sorted {
    double at;
    size_t cell;
};

/* By place, then by number. */
static int compare(const void *a, const void *b)
{
    const struct sorted *x = a, *y = b;

    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    return (x->cell > y->cell) - (x->cell < y->cell);
}

/* The middle of the places of cells, and along which axis they are furthest apart. */
static int middle_of(const struct cf_cell cell[], const struct sorted list[], size_t n,
                     double middle_m[3])
{
    double widest = -1;
    int axis = 0;

    for (int k = 0; k < 3; k++) {
        double low = INFINITY, high = -INFINITY;
        for (size_t c = 0; c < n; c++) {
            low = fmin(low, cell[list[c].cell].middle_m[k]);
            high = fmax(high, cell[list[c].cell].middle_m[k]);
        }
        middle_m[k] = 0.5 * (low + high);
        if (high - low > widest) {
            widest = high - low;
            axis = k;
        }
    }
    return axis;
}

/* The node of a list of cells, and those below it; returns its number. */
static size_t add(struct cf_cell_tree *tree, const struct cf_cell cell[], struct sorted list[],
                  size_t n)
{
    size_t at = tree->n++;
    struct cf_cell_node node = {.half = {CF_CELL_LEAF, list[0].cell}};
    int axis = middle_of(cell, list, n, node.middle_m);

    for (size_t c = 0; c < n; c++) {
        const struct cf_cell *one = &cell[list[c].cell];
        double apart[3];
        cf_vec_sub(one->middle_m, node.middle_m, apart);
        node.radius_m = fmax(node.radius_m, cf_vec_norm(apart) + one->radius_m);
        list[c].at = one->middle_m[axis];
    }
    if (n > 1) {
        qsort(list, n, sizeof *list, compare);
        node.half[0] = add(tree, cell, list, n / 2);
        node.half[1] = add(tree, cell, list + n / 2, n - n / 2);
    }
    tree->node[at] = node;
    return at;
}

int cf_cell_tree_make(struct cf_cell_tree *tree, const struct cf_cell cell[], size_t ncell,
                      struct cf_error *err)
{
    struct sorted *list = calloc(ncell, sizeof *list);

    *tree = (struct cf_cell_tree){.node = calloc(2 * ncell, sizeof *tree->node)};
    if (!list || !tree->node) {
        free(list);
        return cf_fail(err, CF_ENOMEM, "no memory for the tree of %zu cells", ncell);
    }
    for (size_t c = 0; c < ncell; c++)
        list[c].cell = c;
    add(tree, cell, list, ncell);
    free(list);
    return CF_OK;
}

void cf_cell_tree_free(struct cf_cell_tree *tree)
{
    free(tree->node);
    *tree = (struct cf_cell_tree){0};
}

struct search {
    const struct cf_cell_tree *i, *j;
    const struct cf_placing *placing;
    double within_m;
    cf_on_near_cells *near;
    void *context;
};

static void place(const struct cf_placing *at, const double point_m[3], double out[3])
{
    cf_vec_turn(((struct cf_placing *) at)->turn, point_m, out);
    cf_vec_add_scaled(out, 1, at->origin_m, out);
}

/* Down the larger one. */
static void look(const struct search *s, size_t at_i, size_t at_j)
{
    const struct cf_cell_node *i = &s->i->node[at_i], *j = &s->j->node[at_j];
    double placed[3], apart[3];
    bool leaf_i = i->half[0] == CF_CELL_LEAF, leaf_j = j->half[0] == CF_CELL_LEAF;

    place(s->placing, i->middle_m, placed);
    cf_vec_sub(placed, j->middle_m, apart);
    if (cf_vec_norm(apart) > i->radius_m + j->radius_m + s->within_m)
        return;
    if (leaf_i && leaf_j) {
        s->near(s->context, i->half[1], j->half[1]);
    } else if (leaf_j || (!leaf_i && i->radius_m >= j->radius_m)) {
        look(s, i->half[0], at_j);
        look(s, i->half[1], at_j);
    } else {
        look(s, at_i, j->half[0]);
        look(s, at_i, j->half[1]);
    }
}

void cf_cell_trees_near(const struct cf_cell_tree *i, const struct cf_placing *placing,
                        const struct cf_cell_tree *j, double within_m, cf_on_near_cells *near,
                        void *context)
{
    const struct search search = {i, j, placing, within_m, near, context};

    look(&search, 0, 0);
}

struct descent {
    const struct cf_cell_tree *tree;
    const struct cf_placing *placing;
    const double *n;
    double height_m;
    cf_on_near_cells *near;
    void *context;
};

static void descend(const struct descent *d, size_t at)
{
    const struct cf_cell_node *node = &d->tree->node[at];
    double placed[3];

    place(d->placing, node->middle_m, placed);
    if (cf_vec_dot(d->n, placed) > d->height_m + node->radius_m)
        return;
    if (node->half[0] == CF_CELL_LEAF) {
        d->near(d->context, node->half[1], 0);
        return;
    }
    descend(d, node->half[0]);
    descend(d, node->half[1]);
}

void cf_cell_tree_over(const struct cf_cell_tree *i, const struct cf_placing *placing,
                       const double n[3], double height_m, double within_m, cf_on_near_cells *near,
                       void *context)
{
    const struct descent descent = {i, placing, n, height_m + within_m, near, context};

    descend(&descent, 0);
}
