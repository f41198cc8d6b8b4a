/* Random effects: errors that the rows of a group share.
 *
 * What a quantity was measured to be is prediction + s b + e: e is the row's own error, b that of
 * its group, drawn once for the group with variance tau^2 and independently of those of other
 * groups, levels and effects. The load s says how b reaches a reading:
 *
 *     s = 1                  an error that adds, one for each quantity, b in its unit;
 *     s = y, the prediction  one that is a share of the reading, one for each quantity;
 *     s = dy/dtheta          a group has its own value theta + b of a parameter of the law, and the
 *                            fitted one is their mean: b is in theta (estimate/problem.h), a share
 *                            of the parameter on a log scale, and reaches all quantities at once.
 *
 * Loads that are not 1 are those of where variances were updated last, as the sigmas are. A
 * parameter's are taken at each group's own value, psi = theta + E(b | data), and the prediction is
 * linear from there, f(psi) + s (theta - psi): M. J. Lindstrom and D. M. Bates, Biometrics 46
 * (1990) 673. At the mean, where groups differ much and rows scatter little, what is left over is
 * the curvature of the law and not the error of a row.
 *
 * Observations of one group are then correlated. They are made independent by the symmetric square
 * root of their covariance's inverse, one group after the other from the innermost level outwards:
 * with u = the observations' s/sigma,
 *
 *     x  <-  x - u (u . x)/(u . u) (1 - 1/sqrt(1 + tau^2 u . u)),
 *
 * which is exact for groups within groups, too, where the u of an outer level has gone through the
 * same as x; and which leaves x as it is where tau is 0. After D. A. Harville, J. Am. Stat. Assoc.
 * 72 (1977) 320; cost is linear in the observations.
 */

#ifndef CF_ESTIMATE_EFFECTS_H
#define CF_ESTIMATE_EFFECTS_H

#include "estimate/problem.h"

/* The effects of one level of groups on one measured quantity of a protocol, over all data sets; or
 * on one parameter, over all quantities. */
struct cf_effect {
    size_t level; /* of spec->grouping */
    enum cf_group_of of;
    const struct cf_protocol *protocol; /* NULL: of a parameter */
    size_t column;                      /* of the protocol */
    size_t unknown;                     /* the parameter */
    double variance;                    /* tau^2 [b's unit squared]; below 0 where a group's rows
                                         * are less alike than by chance */
    bool identified;                    /* the data say something of it; else it is taken as 0 */
    size_t ngroup;                      /* groups with observations */
    size_t *first;                      /* ngroup + 1: where its members begin in member[] */
    size_t *member;                     /* observations, group by group, ascending in each */
    uint32_t *group;                    /* ngroup: their numbers in the level */
    size_t nload;                       /* observations of the problem */
    double *load; /* nload: s of each, as if it were in a group; 0: not reached. Those that
                   * depend on theta are 0 until they are put (estimate/own_settle.h) */
    double *own;  /* nload: of a parameter, the value that the observation's group has of it
                   * [theta], by all effects on it; held by the first of them. NAN: that of all */
    bool loaded;  /* loads were put, */
    bool bends;   /* and predictions are linear from the groups' own values on */
};

/* Find the effects of a problem that has its observations, innermost levels first, and give each
 * the variance and loads that it has in `old` (NULL: 0). An effect whose groups have one
 * observation each is none: it is the observation's own error; and so is one that has a single
 * group. A law that has none of the parameters that groups of a level differ in gets errors that
 * are shares of the readings. While the problem has no unknowns yet, the parameters stay open. */
int cf_effects_make(struct cf_problem *problem, const struct cf_effect old[], size_t nold,
                    struct cf_error *err);
void cf_effects_free(struct cf_problem *problem);

/* The variances of another problem on the same data sets. */
void cf_effects_take(struct cf_problem *problem, const struct cf_problem *from);

/* Variances, loads and values of the problem that this one is a copy of. */
void cf_effects_restore(struct cf_problem *copy, const struct cf_problem *from);

/* Make the columns of A, in sigmas and free of the errors of imposed quantities, free of those of
 * records and of those that groups share: column j at A[j * ld], nobservation each. A group has
 * all rows that share a record, or none. *log_det (NULL to skip) is what records and effects add to
 * the log determinant of the observations' covariance. */
int cf_effects_whiten(const struct cf_problem *problem, double A[], size_t ncolumn, size_t ld,
                      double *log_det, struct cf_error *err);

/* Fisher's information on each tau^2, the prediction being known and all other variances what they
 * are: information[neffect] = sum over groups of 1/(tau^2 + v)^2 / 2, v being the variance that the
 * group's rows alone would give b, from their own errors and from the levels within. */
int cf_effects_inform(const struct cf_problem *problem, double information[], struct cf_error *err);

/* ---- what reports ask */

/* Is a column of a data set reached by an effect? A parameter, which all data sets share, reaches
 * all. Do two effects meet in a reading? */
bool cf_effect_reaches(const struct cf_problem *problem, const struct cf_effect *e, size_t data,
                       size_t column);
bool cf_effects_meet(const struct cf_effect *a, const struct cf_effect *b);

/* "restitution", or the parameter's name; and the unit of its tau, "1" of a share. */
const char *cf_effect_name(const struct cf_problem *problem, const struct cf_effect *e);
const char *cf_effect_unit(const struct cf_problem *problem, const struct cf_effect *e);
bool cf_effect_is_relative(const struct cf_problem *problem, const struct cf_effect *e);

/* 1/v of a group by its rows' own errors: the sum of (s/sigma)^2. */
double cf_effect_weight(const struct cf_problem *problem, const struct cf_effect *e, size_t group);

/* The variance that a row of a new group has beside its own: one that is otherwise like an
 * observation; one in a column of a data set with the prediction y and its slopes by theta,
 * slope[nfree]; and on average over the observations of a channel. */
double cf_shared_variance(const struct cf_problem *problem, size_t observation);
double cf_shared_variance_at(const struct cf_problem *problem, size_t data, size_t column, double y,
                             const double slope[]);
double cf_mean_shared_variance(const struct cf_problem *problem, size_t channel);

#endif
