/* Data sets made in memory for tests. */

#ifndef LAB_H
#define LAB_H

#include "judge/fit_result.h"

/* A data set of n impacts of `pair`: speed and one measured column, sigma 0 = to be estimated. */
void lab_dataset(struct cf_dataset *d, const char *column, size_t n, const double speed_m_s[],
                 const double value[], double sigma, struct cf_pair pair);

/* Free parameters by name, bounds from the law's row, default options. */
struct cf_spec lab_spec(const char *law, const char *const free[], struct cf_dataset *data,
                        size_t ndata);

/* A pair of one mass and radius, material unknown. */
struct cf_pair lab_pair(double mass_kg, double radius_m);

#endif
