/* What data can and cannot identify, before any fit: the rank of the sensitivities at a likely
 * point of the bounds, and the measurement that would supply what is missing. */

#ifndef CF_JUDGE_IDENTIFIABILITY_H
#define CF_JUDGE_IDENTIFIABILITY_H

#include "estimate/combination.h"
#include "estimate/rank.h"
#include "judge/interval.h"

/* The interval that a fit will have for an identified unknown, as far as one descent from the
 * likely point shows. */
struct cf_foreseen {
    double value;
    struct cf_interval interval;
    bool weak; /* by the rule of a fit */
};

struct cf_identifiability {
    size_t nfree;
    const struct cf_unknown *unknown; /* of the problem that was asked about */
    double *theta;                    /* nfree: the likely point, the best of the Sobol screen */
    struct cf_rank rank;
    struct cf_foreseen *foreseen; /* nfree, before a fit */
    size_t ncombination;
    struct cf_combination *combination;
    bool hertz_helps; /* k from Hertz (or another given k) makes everything identified */
    bool *helpful;    /* by channel of the first data set: measuring it as well would do it */
};

/* Of any result, also after a failure. */
void cf_identifiability_clear(struct cf_identifiability *identifiability);

/* The likely point is looked up by cf_screen_best(). `problem` must outlive the result. */
int cf_identifiability_before_fit(struct cf_problem *problem, struct cf_identifiability *out,
                                  struct cf_error *err);

/* The same at a given point, with nothing foreseen. */
int cf_identifiability_at(struct cf_problem *problem, const double theta[],
                          struct cf_identifiability *out, struct cf_error *err);

/* "a contact time (duration), a force peak (peak_force) or k from Hertz"; "" when nothing helps. */
void cf_identifiability_advice(const struct cf_problem *problem, const struct cf_identifiability *f,
                               char text[], size_t size);

#endif
