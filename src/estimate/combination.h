/* The combinations of parameters that data identify when they cannot identify the parameters
 * themselves: products of powers, or sums on a linear scale. */

#ifndef CF_ESTIMATE_COMBINATION_H
#define CF_ESTIMATE_COMBINATION_H

#include "estimate/problem.h"
#include "estimate/rank.h"

struct cf_combination {
    char name[160]; /* "lambda/(k^0.6 m^0.4)" */
    char unit[80];  /* "s^0.2/m^0.2" */
    bool product;  /* of powers of its parameters, else a sum: of logarithms where these are fitted,
                    * which then holds near the optimum */
    double *power; /* nfree, of the parameters or of theta */
    double *slope; /* nfree: of the logarithm of a product, or of a sum, by theta */
    double value;
    double mass_power; /* of the mass of the data sets in it, which is no unknown; 0: none */
};

/* One for each flat parameter except the pivots (one for each null direction, k first), with their
 * values at theta: *n of them in *out, to be freed as one. Where the law scales and all data sets
 * share one mass, the mass is included as the dimensional analysis has it. */
int cf_combinations(const struct cf_problem *problem, const struct cf_rank *rank,
                    const double theta[], struct cf_combination **out, size_t *n,
                    struct cf_error *err);

#endif
