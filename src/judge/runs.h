/* Runs of sign: the exact distribution of Wald & Wolfowitz, Ann. Math. Statist. 11 (1940) 147. */

#ifndef CF_JUDGE_RUNS_H
#define CF_JUDGE_RUNS_H

#include <stddef.h>

/* Runs of sign in r[n], and how many of them are above 0. */
size_t cf_runs_count(const double r[], size_t n, size_t *plus);

/* P(runs <= observed) for n_plus and n_minus signs in random order. Of many signs, only the terms
 * that count are summed: as many as the square root of their number. */
double cf_runs_probability(size_t n_plus, size_t n_minus, size_t runs);

#endif
