/* The parts of judging a curve; private to src/judge. Cells are what a reference is fitted to. */

#ifndef CF_JUDGE_PARTS_H
#define CF_JUDGE_PARTS_H

#include <stdatomic.h>

#include "estimate/reading.h"
#include "judge/adequacy.h"
#include "judge/fit_result.h"

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

/* ---- what is judged of a fit */

/* What is read of a fit once. */
struct cf_judged_source {
    struct cf_fit *fit;
    const struct cf_problem *q;
    double *y;     /* nobservation: predicted */
    double *slope; /* nfree of each */
    double *loose; /* nobservation: what is not known of the rig leaves of a reading, its sd */
    size_t nlocal; /* the most unknowns that a segment has of its own, */
    double *local; /* and what an sd of each moves a reading by, nlocal of each; INFINITY: it is
                    * open */
    struct cf_reading *reading;
    bool law_open;
    atomic_bool lacking; /* memory; parts are visited by several threads */
};

/* A row of what is judged. */
struct cf_judged_row {
    double place; /* along the axis: its size, or its logarithm */
    double residual, law, sigma;
    double by; /* the judged quantity by what is observed */
    size_t observation;
};

/* judged_rows.c. The variance that a number has by what the fit does not know of the rig: gains,
 * biases, numbers of the apparatus, among n unknowns (NULL: all) of which it goes by slope[],
 * `stride` apart. INFINITY: one of them is open. */
double cf_loose_variance(const struct cf_fit *fit, const struct cf_problem *q, size_t n,
                         const size_t unknown[], const double slope[], size_t stride);

/* Rows of judge/adequacy.h, to be filled; false: no memory. */
bool cf_judged_alloc(struct cf_adequacy_rows *rows, size_t n, size_t p);
void cf_judged_clear(struct cf_adequacy_rows *rows);

/* Numbers of groups that the rows have, from 0; one that is in none is a group by itself. The
 * groups are the widest that share an error of this quantity; NULL of the effect: none do. false:
 * no memory. */
const struct cf_effect *cf_judged_effect(const struct cf_judged_source *from, size_t data,
                                         size_t column);
bool cf_judged_group(const struct cf_judged_source *from, const struct cf_effect *effect,
                     const struct cf_judged_row r[], struct cf_adequacy_rows *rows);

int cf_judged_compare(const void *a, const void *b);
double cf_judged_place(const struct cf_axis *axis, double abscissa);
double cf_judged_abscissa(const struct cf_axis *axis, double place, double side);
bool cf_judged_in_range(const struct cf_need *need, double abscissa);

/* Are two data sets judged together: one protocol, pair and apparatus, but for this number of it?
 * CF_NO_CHANNEL: all of it. */
bool cf_judged_together(const struct cf_problem *q, size_t a, size_t b, size_t but);

/* The need of a quantity, from the `from`th on; NULL: no more. */
const struct cf_need *cf_judged_need(const struct cf_spec *spec, const char *quantity,
                                     size_t *from);

/* Widen limits by what is not known of the instruments, answer the need, and put it in words. */
int cf_judged_finish(const struct cf_spec *spec, const struct cf_adequacy_rows *rows,
                     struct cf_judged_curve *c, struct cf_error *err);

/* One more curve of a fit, empty; NULL: no memory. It counts once njudged does. */
struct cf_judged_curve *cf_judged_append(struct cf_fit *fit);

/* judged_runs.c: what is needed of the runs of a data set, the first of those that are alike. */
int cf_judge_runs(const struct cf_judged_source *from, size_t data, struct cf_error *err);

#endif
