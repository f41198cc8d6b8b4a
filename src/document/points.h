/* Which observations a document holds: all, or of a quantity with many only some along the axis. */

#ifndef CF_DOCUMENT_POINTS_H
#define CF_DOCUMENT_POINTS_H

#include <jansson.h>

#include "estimate/problem.h"
#include "judge/fit_result.h"

/* A quantity, a channel in all data sets that measured it, of more than CF_POINTS_WHOLE
 * observations is thinned: in each set to some CF_POINTS_THINNED, one for every two dots across a
 * figure, or where there are many sets to an equal share of CF_POINTS_WHOLE, but to CF_POINTS_LEAST
 * at least. So a page of a few sets with several channels and rows held out stays below 1 MB
 * however many rows there are. A protocol of many quantities says itself which (`windows`). */
enum {
    CF_POINTS_WHOLE = 1000,
    CF_POINTS_THINNED = 250,
    CF_POINTS_LEAST = 2,
    CF_POINTS_FEW_SETS = CF_POINTS_WHOLE / CF_POINTS_THINNED
};

/* Of the observations of a problem, which are held? hold[nobservation] is set to true for those of
 * quantities with few; of the others for every n-th of a set along the axis, n the smallest that
 * leaves no more than the set's share: in up to CF_POINTS_FEW_SETS sets from the first on, and the
 * last; in more sets from another one in each, so that together they cover the axis. */
int cf_points_choose(const struct cf_problem *problem, bool hold[], struct cf_error *err);

/* The step n in a data set with so many observations of a quantity that has `all` in `sets` data
 * sets; 1: all of them are held. */
size_t cf_points_step(size_t n, size_t all, size_t sets);

size_t cf_points_count(const bool hold[], size_t n);

/* {"held", "of", "rule"}; and of a problem, which may be one of windows alone. */
json_t *cf_points_json(size_t held, size_t of);
json_t *cf_points_json_of(const struct cf_problem *problem, size_t held, size_t of);

#endif
