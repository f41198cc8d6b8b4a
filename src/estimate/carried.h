/* The error of an imposed quantity, carried over to what is measured. */

#ifndef CF_ESTIMATE_CARRIED_H
#define CF_ESTIMATE_CARRIED_H

#include "estimate/problem.h"

/* Its sigma at an observation, with the sign of the derivative by what is imposed. */
double cf_carried_sigma(const struct cf_problem *problem, const struct cf_observation *o,
                        double by_imposed);

/* The same where the readings are made of records and their own sigma is estimated: rows of one
 * data set may then differ in what is imposed, as a throw that begins with a fall from a known
 * height does, and the estimate, which is that of all rows, does not hold it. 0 elsewhere. */
double cf_carried_beside(const struct cf_problem *problem, const struct cf_observation *o,
                         double by_imposed);

#endif
