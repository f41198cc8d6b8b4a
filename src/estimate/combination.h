/* The combinations of parameters that data tell when they cannot tell the parameters themselves. */

#ifndef CF_ESTIMATE_COMBINATION_H
#define CF_ESTIMATE_COMBINATION_H

#include "estimate/problem.h"
#include "estimate/rank.h"

struct cf_group {
    char name[160]; /* "lambda/(k^0.6 m^0.4)" */
    char unit[80];  /* "s^0.2/m^0.2" */
    double
        power[CF_MAX_PARAM]; /* over theta: of the logarithm, or of the value on a linear scale */
    double factor;           /* value = factor * exp(power . theta), or power . theta */
    bool product;            /* all its parameters are on a log scale */
};

/* One group for each flat parameter but as many as there are null directions: those are the
 * pivots, k first. group[CF_MAX_PARAM]; returns how many. Where the law scales and all data sets
 * share one mass, the mass is written into the group as the dimensional analysis has it. */
size_t cf_combinations(const struct cf_problem *problem, const struct cf_rank *rank,
                       struct cf_group group[]);

double cf_combination_value(const struct cf_group *group, size_t nfree, const double theta[]);

#endif
