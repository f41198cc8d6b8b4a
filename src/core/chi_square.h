/* Quantiles of chi^2. */

#ifndef CF_CORE_CHI_SQUARE_H
#define CF_CORE_CHI_SQUARE_H

/* The value that chi^2 with so many degrees of freedom exceeds with probability q, 0 < q < 1.
 * Beyond three thousand of these it follows from the normal distribution (E. B. Wilson and M. M.
 * Hilferty, Proc. Natl. Acad. Sci. 17 (1931) 684), to 1e-6 in the middle 99.9 %: there GSL's
 * inverse may end far from it, without a word. */
double cf_chi_square_above(double q, double dof);

#endif
