/* The columns of tests of departures (departures.c): for those tests, and for what says beforehand
 * what they would see (drift.h, identify/power.h). */

#ifndef CF_JUDGE_DEPARTURE_COLUMNS_H
#define CF_JUDGE_DEPARTURE_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>

/* The degree of polynomials along the axis, and in the order of the rows; the fewest columns of a
 * test; and how many rows each data set has on average where its columns have slopes. */
enum { CF_DEPARTURE_DEGREE = 3, CF_LEAST_COLUMNS = 2, CF_LEAST_OF_SET = 4 };

/* From the range of its numbers to -1 to 1, of their logarithms where all are positive and span
 * more than a factor of 3; false: it is one number, or some are none. */
bool cf_scale_axis(double x[], size_t n);

/* P_0 to P_degree of Legendre at x: value[degree + 1]. */
void cf_legendre(double x, size_t degree, double value[]);

double cf_length(const double w[], size_t n);

/* Take what w[n] has of columns, which are of length 1 and at right angles, off it, twice for the
 * digits. Its length afterwards. */
double cf_take_columns_off(const double column[], size_t columns, size_t n, double w[]);

/* Does a column that was `whole` long keep enough, or do those that were taken off make it? */
bool cf_keeps_length(double left, double whole);

/* Append the column that lies behind the others already, in length 1 and at right angles to them;
 * but not where it keeps too little of its length, `whole`. How many there are then. */
size_t cf_append_column(double column[], size_t columns, size_t n, double whole);

/* How many columns of so many a test has that leaves enough residuals of these rows, from which
 * parameters have taken some; 0: too few for a test. */
size_t cf_columns_held(size_t columns, double rows, double taken);

#endif
