/* The stiff method's workspace and parts; private to src/ode. */

#ifndef CF_ODE_STIFF_H
#define CF_ODE_STIFF_H

#include "ode/stepper.h"

enum {
    CF_STIFF_ROWS = 12,   /* of the extrapolation */
    CF_STIFF_DEGREE = 16, /* of the dense output, at most */
    CF_STIFF_LEAST_DEGREE = 8,
};

struct cf_stiff {
    size_t n;
    double *jacobian; /* n * n, row by row */
    bool jacobian_made;
    double *lu; /* n * n */
    size_t *pivot;
    double *table;    /* CF_STIFF_ROWS * n: the latest row, as ways from the step's start */
    double *way;      /* n */
    double *at;       /* n */
    double *change;   /* n */
    double *path;     /* CF_STIFF_ROWS + 1 states: the latest row's after each of its small steps */
    double *look;     /* those of the step itself, the last row's */
    int nlook;        /* of them, within the step */
    double *node;     /* CF_STIFF_DEGREE + 1 states of the dense output */
    int degree;       /* 0: not made yet, -1: none is good enough */

    /* control; index: rows taken */
    int order; /* rows aimed at */
    int reached;
    bool impatient; /* any row may do: no step yet from which to tell the order */
    double length[CF_STIFF_ROWS + 1], work[CF_STIFF_ROWS + 1], cost[CF_STIFF_ROWS + 1];
};

struct cf_stiff *cf_stiff_alloc(size_t n);
void cf_stiff_free(struct cf_stiff *stiff);

/* stiff_linear.c: lu = d - a, d a number, in factors; false: singular or not finite. */
bool cf_stiff_factor(size_t n, double d, const double a[], double lu[], size_t pivot[]);
void cf_stiff_solve(size_t n, const double lu[], const size_t pivot[], double x[]);

/* stiff_step.c */

/* Small steps of row `row`, from 1. */
int cf_stiff_parts(int row);

/* A row of the table for a step of length h from ode->t, y. The error, over the allowed one, of the
 * value before the row's last: that of row - 1 columns. Row 1 has none: 0. Not finite where a rate
 * is not. */
double cf_stiff_row(struct cf_ode *ode, int row, double h);

/* The state at ode->t + h, as good as a step's end, from the step's start. */
void cf_stiff_state(struct cf_ode *ode, double h, double out[]);

/* The step's start is a new one. */
void cf_stiff_moved(struct cf_ode *ode);

/* stiff_control.c */

/* Before the first step: no more is known than the tolerance. */
void cf_stiff_start(struct cf_ode *ode);

/* A step of length h: next. Its error; good when <= 1. */
double cf_stiff_try(struct cf_ode *ode, double h);

/* The next length: after a good step, which had been refused before if retry, */
double cf_stiff_next(struct cf_ode *ode, double h, bool retry);
/* or to try again with. */
double cf_stiff_again(struct cf_ode *ode, double h);

/* stiff_dense.c */
void cf_stiff_dense_at(struct cf_ode *ode, double t, double y[]);


#endif
