/* The search for the model of errors that follow each other, of one record; private to
 * src/estimate. */

#ifndef CF_ESTIMATE_SERIAL_SEARCH_H
#define CF_ESTIMATE_SERIAL_SEARCH_H

#include <stdbool.h>
#include <stddef.h>

#include "estimate/serial_model.h"

/* Of more than so many numbers those of Burg stand: what -2 ln L_R would add to them is less than
 * what the choice of their order leaves open. */
enum { CF_MOST_REFINED = 12 };

/* A channel's rows of [X r], and what all others say. */
struct cf_serial_search {
    bool estimated;               /* sigma: it is its best at any model */
    size_t n, most;               /* rows; order that is looked at */
    const uint32_t *place;        /* n: how many of its run stand before it */
    size_t m;                     /* columns */
    double *rows, *white;         /* n * m, by columns: in sigmas; room */
    double *others;               /* m * m: the triangle of all else, */
    bool alone;                   /* and whether there is anything else */
    double *own, *both, *work;    /* m * m */
    size_t *at;                   /* 0 to n - 1 */
    struct cf_serial_model model; /* room to try one */
    double fall;                  /* a refinement ends at less of -2 ln L_R, */
    int most_evaluations;         /* within so many */
    int status;
    struct cf_error *err;
};

/* Room for the rows, which are to be filled, of a search that has its n, most, place and m: there
 * is nothing else than they. To be cleared, also after a failure. */
int cf_serial_search_room(struct cf_serial_search *s, struct cf_error *err);
void cf_serial_search_clear(struct cf_serial_search *s);

/* -2 ln L_R of a model; NAN where there is none. s->own is then the triangle of the rows that it
 * makes independent. */
double cf_serial_cost(struct cf_serial_search *s, const struct cf_serial_model *model);

/* Search from s->model, which becomes the best of its kind and order; *cost is its -2 ln L_R. */
int cf_serial_refine(struct cf_serial_search *s, double *cost);

/* The numbers of a model, transformed as they are looked for, and back: x[cf_serial_parameters()].
 */
void cf_serial_numbers(const struct cf_serial_model *model, double x[]);
void cf_serial_put_numbers(struct cf_serial_model *model, const double x[]);

/* The covariance of the numbers of s->model, as the curvature of -2 ln L_R there has it: V[n * n];
 * of a number that lies at an end, 0. */
int cf_serial_spread(struct cf_serial_search *s, double V[]);

/* Keep s->model, of that cost, in *best where its BIC is the least so far. */
void cf_serial_keep(struct cf_serial_search *s, double cost, struct cf_serial_model *best,
                    double *least);

/* The model of the least BIC; *cost is its -2 ln L_R. */
int cf_serial_find(struct cf_serial_search *s, struct cf_serial_model *best, double *cost);

#endif
