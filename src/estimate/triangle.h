/* Upper triangular factors by orthogonal transformations: the R of a matrix [J r] that is never
 * held, made by adding rows to it a few at a time.
 *
 * R^T R = [J r]^T [J r], but without that product: R has the condition number of J itself, on which
 * the verdict about rank depends. Householder reflections, each of one row of R and all new rows
 * (G. H. Golub and C. F. Van Loan, Matrix Computations, 4th ed., 2013, sections 5.2 and 6.5.3).
 */

#ifndef CF_ESTIMATE_TRIANGLE_H
#define CF_ESTIMATE_TRIANGLE_H

#include <stddef.h>

/* Add m rows to R[n * n], row-major, upper triangular; column j of the rows is at A[j * ld]. A is
 * overwritten. */
void cf_triangle_add(double R[], size_t n, double A[], size_t m, size_t ld);

/* Add the rows of another factor S[n * n]; work[n * n]. */
void cf_triangle_merge(double R[], size_t n, const double S[], double work[]);

/* Solve R[0..n-1] x = c by back substitution, R[* ld], row-major; columns of x and c lie side by
 * side, k of them, row-major. A zero pivot gives 0: that coordinate stays where it is. */
void cf_triangle_solve(const double R[], size_t n, size_t ld, const double c[], size_t ldc,
                       size_t k, double x[]);

#endif
