/* The stiff method's workspace and parts; private to src/ode. */

#ifndef CF_ODE_STIFF_H
#define CF_ODE_STIFF_H

#include "ode/stepper.h"

enum { CF_RADAU_STAGES = 5, CF_RADAU_PAIRS = (CF_RADAU_STAGES - 1) / 2 };

/* stiff_tableau.c; T_inverse A^-1 T is made of `real` and of blocks [re im; -im re]. */
extern const double cf_radau_c[CF_RADAU_STAGES];
extern const double cf_radau_real, cf_radau_pair[CF_RADAU_PAIRS][2];
extern const double cf_radau_T[CF_RADAU_STAGES][CF_RADAU_STAGES];
extern const double cf_radau_T_inverse[CF_RADAU_STAGES][CF_RADAU_STAGES];
extern const double cf_radau_error[CF_RADAU_STAGES];

/* The stages of the states, or of a column of sensitivities, of n rows. Stages z are displacements
 * from the step's start: z[i * n + d], i a stage, d a row. */
struct cf_radau {
    size_t n;
    double *z, *w, *rate; /* CF_RADAU_STAGES * n; w = T_inverse z */
    double *unit;         /* n: errors allowed */

    /* the last good step's stages and length, 0: none */
    double *last, length;
    bool behind;       /* it ends where this one starts; else it is from the same start */
    double *predicted; /* n: this one's end, by the polynomial of that one */
};

struct cf_stiff {
    size_t n, nread;  /* the states, and those of them that rates read */
    double *jacobian; /* n * nread, row by row, at the step's start */
    bool jacobian_made;
    double factored;              /* step length of the factors; 0: none */
    double *lu;                   /* n * n, */
    double *pair[CF_RADAU_PAIRS]; /* 2 n * n: real and imaginary parts by turns */
    size_t *pivot;                /* (1 + CF_RADAU_PAIRS) n */
    struct cf_radau own, *column; /* the states, and ncolumn columns of nread rows */
    size_t ncolumn;
    double *spare; /* 2 n */
    double *error; /* n */

    /* control */
    double contraction;        /* of Newton's iteration, from one step to the next, */
    double column_contraction; /* and of that for the columns */
    int rounds;
    double good_h, good_error; /* of the last good step; 0: none */
    double again;              /* length to try after a step on which Newton's method failed */
};

struct cf_stiff *cf_stiff_alloc(size_t n, size_t ncolumn);
void cf_stiff_free(struct cf_stiff *stiff);

/* stiff_linear.c */

/* lu = d - a in factors, d a number; false: singular or not finite. */
bool cf_stiff_factor(size_t n, double d, const double a[], double lu[], size_t pivot[]);
void cf_stiff_solve(size_t n, const double lu[], const size_t pivot[], double x[]);

/* The same with d = re + i im; lu and x hold real and imaginary parts by turns. */
bool cf_stiff_factor_pair(size_t n, double re, double im, const double a[], double lu[],
                          size_t pivot[]);
void cf_stiff_solve_pair(size_t n, const double lu[], const size_t pivot[], double x[]);

/* stiff_polynomial.c */

/* The collocation polynomial of the last good step, at a part of it: displacements from its
 * start. */
void cf_stiff_polynomial(const struct cf_radau *of, double part, double way[]);

/* The weights of the stages in it, and their slopes by the part. */
void cf_stiff_weights(double part, double weight[CF_RADAU_STAGES], double slope[CF_RADAU_STAGES]);

/* stiff_newton.c */

/* (d - J) x = right, d the factored step's real number; x comes in as right. Of its first n rows.
 */
void cf_stiff_resolve(const struct cf_stiff *stiff, size_t n, double x[]);

/* z from the polynomial of the last good step, or from rest. */
void cf_stiff_guess(struct cf_radau *of, double h);

/* One round of Newton's method: z from the rates at the stages; the correction's size over the
 * allowed errors. */
double cf_stiff_correct(struct cf_stiff *stiff, struct cf_radau *of, double h);

enum cf_newton { CF_NEWTON_FOUND, CF_NEWTON_ON, CF_NEWTON_SLOW, CF_NEWTON_NOT_FINITE };

/* How the corrections of the rounds shrink. */
struct cf_newton_course {
    double rest; /* the error after a round over its correction's size, */
    double before, shrink, predicted;
    int rounds;
};
enum { CF_NEWTON_ROUNDS = 12 };

/* of which the first is a guess from a step before. */
struct cf_newton_course cf_stiff_expect(double contraction);

/* After a round whose correction had that size: is the error left `within` the allowed one, and
 * will it ever be? */
enum cf_newton cf_stiff_converges(struct cf_newton_course *how, double size, double within);

/* z of a step of length h from ode->t, y to `within` of the allowed errors; SLOW: `again` is set.
 */
enum cf_newton cf_stiff_newton(struct cf_ode *ode, double h, double within);

/* stiff_step.c */

/* Forget earlier steps. */
void cf_stiff_start(struct cf_ode *ode);

/* The step's end has become the next one's start; `smoothly`: the rates go on there. */
void cf_stiff_moved(struct cf_ode *ode, bool smoothly);

/* A step of length h: next. Its error; good when <= 1; `retry`: after one that was not. Not finite
 * where a rate is not. */
double cf_stiff_try(struct cf_ode *ode, double h, bool retry);

/* The same again with another length, without checking its error. */
void cf_stiff_redo(struct cf_ode *ode, double h);

/* Its stages are those of a good step. */
void cf_radau_keep(struct cf_radau *of, double h);

/* What Newton's method may leave of the allowed error. */
double cf_stiff_within(const struct cf_ode *ode);

/* Rounding of sums. */
extern const double cf_stiff_rounding;

/* The error of a step's stages from f, the rates at its start, through (l/h - J)^-1, which
 * stiff->error receives; and that of the polynomial within the step. */
double cf_stiff_filtered(struct cf_stiff *stiff, const struct cf_radau *of, double h,
                         const double f[]);
double cf_stiff_bend(struct cf_stiff *stiff, const struct cf_radau *of, double h);

/* stiff_columns.c: the columns over the step just made, from ode->s_now to ode->s_next. Their
 * error; good when <= 1. */
double cf_stiff_columns(struct cf_ode *ode, bool retry);

/* stiff_step.c */

/* The next length: after a good step, or to try again with. */
double cf_stiff_next(struct cf_ode *ode, double h, double error);
double cf_stiff_restart(struct cf_ode *ode, double h, double error);

#endif
