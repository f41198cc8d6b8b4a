/* How far a fitted curve is from what was measured: delta = reality - curve, over the range of the
 * measurements.
 *
 * The law has been fitted, by whatever means: its curve is given, and residuals are delta(x) +
 * error exactly. So nothing is attributed to parameters, and what is said holds of fits that are
 * undetermined or a misfit, too. delta is estimated by a reference: an unpenalised cubic along the
 * axis, a cubic spline with more knots where AICc asks for them. A shrunk reference would take a
 * discrepancy of the size of the noise for none, and say so with a narrow band.
 *
 *   U  an upper limit of max|delta|: the largest |delta^| + t se over x, of the reference, of the
 *      plain cubic, and of means of neighbouring cells; and never below the law's own simultaneous
 *      band. Each place rejects "off by as much here" at its own level, so that no multiplicity
 *      counts: R. L. Berger, Technometrics 24 (1982) 295, intersection-union.
 *   L  a lower limit: the largest |delta^| - c se, c the simultaneous quantile by the length of the
 *      curve l(x)/|l(x)|: J. Sun and C. R. Loader, Ann. Statist. 22 (1994) 1328. Of the reference
 *      and the next richer one, the smaller.
 *
 * The spread s is that of the reference's own residuals, unless sigmas are given and hold; so what
 * the reference misses, as a kink, widens the limits.
 *
 * Not seen: what is narrower than two spacings or a sixth of the range, what lies outside of it,
 * and errors that all rows share.
 */

#ifndef CF_JUDGE_ADEQUACY_H
#define CF_JUDGE_ADEQUACY_H

#include <stdbool.h>
#include <stdint.h>

#include "core/status.h"

/* Points of a curve; fewer places than this show none where sigma is estimated or groups share
 * errors; and so many cells at most. */
enum { CF_ADEQUACY_GRID = 201, CF_ADEQUACY_PLACES = 6, CF_ADEQUACY_CELLS = 100 };

/* Residuals along an axis, ascending in x; SI. */
struct cf_adequacy_rows {
    size_t n;
    double *x;       /* n, on [0, 1]: from the first row to the last */
    double *r;       /* measured - law */
    double *weight;  /* 1/variance of r, of independent errors, up to a factor */
    double *law;     /* what the law predicts */
    size_t p;        /* parameters that are fitted */
    double *slope;   /* p of each row: of the law by them */
    uint32_t *group; /* rows of one share an error; NULL: all are independent */
    bool serial;     /* errors follow each other */
    double sigma;    /* of a row of weight 1; NAN: it is estimated */
    double level;    /* 0.95: of each limit */
    uint64_t seed;
    double *grid_law, *grid_slope; /* law and p slopes at CF_ADEQUACY_GRID points, evenly over x */
};

/* A number and the place x where it is. */
struct cf_adequacy_at {
    double value, x;
};

/* Limits of max|delta|, or of max|delta/law|. */
struct cf_adequacy_limits {
    struct cf_adequacy_at largest; /* delta^ with its sign */
    struct cf_adequacy_at at_most; /* U */
    double at_least;               /* L; 0: not surely anything */
};

struct cf_adequacy_curve {
    size_t places, cells;  /* different x; what the reference is fitted to */
    size_t columns, knots; /* of the reference; columns 0: there are too few places for one */
    double s, dof;         /* of a cell of weight 1; INFINITY: sigma is given, and holds */
    double share;          /* variance that rows of a group share, over that of one of weight 1 */
    double resolution;     /* in x: what is narrower is not seen */
    double simultaneous;   /* c of the reference's band */
    struct cf_adequacy_limits in_unit, relative;          /* relative NAN where the law passes 0 */
    double delta[CF_ADEQUACY_GRID], se[CF_ADEQUACY_GRID]; /* of the reference */
};

/* What a need is answered with, from the best. */
#define CF_ADEQUACY_LIST(X)                                                                        \
    X(CF_ADEQUATE, "adequate")                                                                     \
    X(CF_CANNOT_TELL, "cannot tell")                                                               \
    X(CF_NOT_ADEQUATE, "not adequate")
#define CF_ADEQUACY_ENUM(name, text) name,
enum cf_adequacy_word { CF_ADEQUACY_LIST(CF_ADEQUACY_ENUM) CF_NADEQUACY_WORD };

const char *cf_adequacy_text(enum cf_adequacy_word word);

/* Find the reference and the limits; fails for want of memory. */
int cf_adequacy_find(const struct cf_adequacy_rows *rows, struct cf_adequacy_curve *curve,
                     struct cf_error *err);

/* Is max|delta| (of delta/law where relative) at most `need`? */
enum cf_adequacy_word cf_adequacy_answer(const struct cf_adequacy_curve *curve, double need,
                                         bool relative);

/* How many times as many measurements on the same places would show it adequate, four times of
 * five: by drawing them about the cubic that the data show, less what it owes to their noise.
 * INFINITY: more of them would hardly do. */
int cf_adequacy_more(const struct cf_adequacy_rows *rows, double need, bool relative, double *times,
                     struct cf_error *err);

struct cf_fit;

/* Judge the curves of a fit: the headline of each protocol whose rows are no record, and what the
 * study has needs of. Rows of one protocol and pair are judged together, apart by sign of the axis
 * and by branch. Fill fit->judged. */
int cf_judge_curves(struct cf_fit *fit, struct cf_error *err);

/* c with P(|sum| > c se somewhere) = 1 - level, along l[m * k], k numbers a point. */
double cf_tube_quantile(const double l[], size_t m, size_t k, double dof, double level);

#endif
