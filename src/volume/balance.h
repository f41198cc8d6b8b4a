/* Maps of which the columns are directions, in measures in which what is thin is as wide as long.
 * Private to src/volume. */

#ifndef CF_VOLUME_BALANCE_H
#define CF_VOLUME_BALANCE_H

/* Directions across each other in the metric of a symmetric H >= 0, each as long as H is 1: the
 * steepest one first, since the others are determined from what it leaves. Where nothing is left it
 * is taken for a 1e-15th of the most. H is used up. */
void cf_balance(double H[3][3], double map[3][3]);

/* out = a b; out may be one of them. */
void cf_multiply(double a[3][3], double b[3][3], double out[3][3]);

/* Turn the columns so that the map becomes upper triangular, its diagonal > 0: the same, whatever
 * the directions were found along. */
void cf_straighten(double map[3][3]);

#endif
