/* Data sets made in memory for tests. */

#ifndef LAB_H
#define LAB_H

#include "identify/fit.h"

/* Put a cell of a data set; ends the test where there is no memory. */
void lab_put(struct cf_dataset *d, size_t row, size_t channel, double value, double sigma);

/* A data set of n impacts of `pair`: speed and one measured column, sigma 0 = to be estimated. */
void lab_dataset(struct cf_dataset *d, const char *column, size_t n, const double speed_m_s[],
                 const double value[], double sigma, struct cf_pair pair);

/* Free parameters by name, bounds from the law's row, default options. */
struct cf_spec lab_spec(const char *law, const char *const free[], struct cf_dataset *data,
                        size_t ndata);

/* A pair of one mass and radius, material unknown. */
struct cf_pair lab_pair(double mass_kg, double radius_m);

/* What a law gives by direct integration at n speeds, and a scatter on it: restitutions
 * e + by_e scatter[i] and contact times t (1 - by_time scatter[n - 1 - i]), unless time_s is NULL.
 */
void lab_impacts(const char *law, const double p[], double mass_kg, size_t n,
                 const double speed_m_s[], const double scatter[], double by_e, double by_time,
                 double e[], double time_s[]);

/* What the protocol of d predicts of its first row in a channel, and (NULL to skip) its derivatives
 * by the law's parameters and then the apparatus, and by what is imposed; NAN, and a remark, where
 * there is none. value and tolerance as in a request. */
double lab_reading(struct cf_curves *curves, const struct cf_dataset *d, const struct cf_law *law,
                   size_t channel, const double value[], double tolerance, double by[],
                   double *by_imposed);

/* A fit without rivals; NULL, and a test that has failed, where there is none. */
struct cf_fit *lab_fit(const struct cf_spec *spec, struct cf_curves *curves);

#endif
