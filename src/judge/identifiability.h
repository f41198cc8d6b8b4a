/* What data can and cannot identify, before any fit: the rank of the sensitivities at a likely
 * point of the bounds, and the measurement that would supply what is missing. */

#ifndef CF_JUDGE_IDENTIFIABILITY_H
#define CF_JUDGE_IDENTIFIABILITY_H

#include "estimate/combination.h"
#include "estimate/rank.h"

struct cf_identifiability {
    size_t nfree;
    const struct cf_unknown *unknown; /* of the problem that was asked about */
    double theta[CF_MAX_PARAM];       /* the likely point: the best of the Sobol screen */
    struct cf_rank rank;
    bool identified[CF_MAX_PARAM]; /* neither flat nor dead */
    double expected[CF_MAX_PARAM]; /* standard error of theta there, with the current sigmas */
    bool sigma_known;              /* else `expected` is meaningless */
    size_t ncombination;
    struct cf_combination combination[CF_MAX_PARAM];
    bool hertz_helps; /* k from Hertz (or another given k) makes everything identified */
    unsigned helpful; /* bit mask of columns: measuring one more of them would do it */
};

/* The likely point is looked up by cf_screen_best(). `problem` must outlive the result. */
int cf_identifiability_before_fit(struct cf_problem *problem, struct cf_identifiability *out,
                                  struct cf_error *err);

/* The same at a given point. */
int cf_identifiability_at(struct cf_problem *problem, const double theta[],
                          struct cf_identifiability *out, struct cf_error *err);

/* "a contact time (duration), a force peak (peak_force) or k from Hertz"; "" when nothing helps. */
void cf_identifiability_advice(const struct cf_problem *problem, const struct cf_identifiability *f,
                               char text[], size_t size);

#endif
