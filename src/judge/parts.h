/* The parts of judging a curve; private to src/judge. Cells are what a reference is fitted to. */

#ifndef CF_JUDGE_PARTS_H
#define CF_JUDGE_PARTS_H

#include "judge/adequacy.h"

enum { CF_CELLS_CUBIC = 4 }; /* columns of a cubic */

/* Rows, or means of them, ascending in x. */
struct cf_adequacy_cells {
    size_t n, p;
    double *x, *r, *weight, *law; /* n each */
    double *slope;                /* n * p */
    uint32_t *group;              /* of each; NULL: independent */
    size_t ngroup;
    double *of_group; /* ngroup: sum of weights, */
    double *load;     /* and room, 0 */
    double share;     /* variance that a group shares, over that of weight 1 */
    size_t places;
    double *place; /* different x */
    double *work;  /* n */
};

void cf_cells_clear(struct cf_adequacy_cells *cells);

/* So many cells of equal count; as many as rows: each is one. false: no memory, as below. */
bool cf_cells_even(const struct cf_adequacy_rows *rows, size_t n, struct cf_adequacy_cells *cells);

/* The same of many rows, but that no cell has rows of two places where these are few. */
bool cf_cells_many(const struct cf_adequacy_rows *rows, struct cf_adequacy_cells *cells);

/* One cell a place, each with the variance of its own and the share that its group has. */
bool cf_cells_of_places(const struct cf_adequacy_rows *rows, size_t places, double share,
                        struct cf_adequacy_cells *cells);

/* Count and list the places; put the cells, as many as rows, into their groups. */
void cf_cells_count(struct cf_adequacy_cells *cells);
bool cf_cells_group(struct cf_adequacy_cells *cells, const uint32_t group[]);

/* Has each place one group, and each group one place? */
bool cf_cells_grouped_by_place(const struct cf_adequacy_rows *rows,
                               const struct cf_adequacy_cells *cells);

/* The share of the variance that groups have, by restricted likelihood under a cubic along the
 * axis; D. A. Harville, J. Am. Stat. Assoc. 72 (1977) 320. */
int cf_cells_find_share(const struct cf_adequacy_rows *rows, struct cf_adequacy_cells *cells,
                        struct cf_error *err);

/* Make x[i * stride], one for each cell, independent and of the variance of weight 1. */
void cf_cells_whiten(const struct cf_adequacy_cells *cells, double x[], size_t stride);

/* The variance of the weighted mean of cells [first, end), over that of weight 1. */
double cf_cells_variance(const struct cf_adequacy_cells *cells, size_t first, size_t end);

#endif
