/* Random effects: errors that the rows of a group share.
 *
 * What a quantity was measured to be is prediction + b + e: e is the row's own error, b that of its
 * group, drawn once for the group with variance tau^2, [SI^2] and independently of those of other
 * groups, levels and quantities. Observations of one group are then correlated. They are made
 * independent by the symmetric square root of their covariance's inverse, one group after the other
 * from the innermost level outwards: with u = the observations' 1/sigma,
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

/* The effects of one level of groups on one measured quantity of a protocol, over all data sets. */
struct cf_effect {
    size_t level; /* of spec->grouping */
    const struct cf_protocol *protocol;
    size_t column;   /* of the protocol */
    double variance; /* tau^2 [SI^2]; below 0 where a group's rows are less alike than by chance */
    bool identified; /* the data say something of it; else it is taken as 0 */
    size_t ngroup;   /* groups with observations */
    size_t *first;   /* ngroup + 1: where its members begin in member[] */
    size_t *member;  /* observations, group by group */
    uint32_t *group; /* ngroup: their numbers in the level */
};

/* Find the effects of a problem that has its observations, innermost levels first, and give each
 * the variance that it has in `old` (NULL: 0). An effect whose groups have one observation each is
 * none: it is the observation's own error; and so is one that has a single group. */
int cf_effects_make(struct cf_problem *problem, const struct cf_effect old[], size_t nold,
                    struct cf_error *err);
void cf_effects_free(struct cf_problem *problem);

/* The variances of another problem on the same data sets. */
void cf_effects_take(struct cf_problem *problem, const struct cf_problem *from);

/* Make the columns of A, in sigmas and free of the errors of imposed quantities, free of those of
 * records and of those that groups share: column j at A[j * ld], nobservation each. A group has
 * all rows that share a record, or none. *log_det (NULL to skip) is what records and effects add to
 * the log determinant of the observations' covariance. */
int cf_effects_whiten(const struct cf_problem *problem, double A[], size_t ncolumn, size_t ld,
                      double *log_det, struct cf_error *err);

/* Fisher's information on each tau^2, the prediction being known and all other variances what they
 * are: information[neffect] = sum over groups of 1/(tau^2 + v)^2 / 2 [1/SI^4], v being the variance
 * that the group's mean has from its rows' own errors and from the levels within. */
int cf_effects_inform(const struct cf_problem *problem, double information[], struct cf_error *err);

/* The variance that a row of a new group has beside its own, in a column of a data set. */
double cf_shared_variance(const struct cf_problem *problem, size_t data, size_t column);

#endif
