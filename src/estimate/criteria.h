/* Criteria by which laws are compared. */

#ifndef CF_ESTIMATE_CRITERIA_H
#define CF_ESTIMATE_CRITERIA_H

/* Akaike's criterion with the small-sample term, and Schwarz's, of n measured values that K numbers
 * were fitted to, sigmas included; cost = -2 ln L. The first is NAN below
 * n = 2 K + 2, where the small-sample term exceeds 2 K. */
double cf_aicc(double cost, double K, double n);
double cf_bic(double cost, double K, double n);

#endif
