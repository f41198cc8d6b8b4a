/* Closed forms of the Hunt-Crossley impact, f = k z^n (1 + a zdot), for any n, k and mass.
 *
 *   a (v_i + v_o) = ln((1 + a v_i)/(1 - a v_o)),   e = v_o/v_i
 *
 * [G07] 3.21-3.23. With h(x) = x - ln(1 + x): h(-a v_o) = h(a v_i).
 */

#ifndef CF_LAW_EXACT_H
#define CF_LAW_EXACT_H

/* e of x = a v_i >= 0, to rounding; *slope (NULL to skip) receives de/dx. */
double cf_hunt_crossley_restitution(double x, double *slope);

/* The x = a v_i = d(e)/e >= 0 that gives e, 0 < e <= 1; *slope (NULL to skip) receives dx/de. */
double cf_hunt_crossley_damping(double e, double *slope);

/* Gonthier's d(e), 0 <= d < 1 ([G07] 3.23). */
double cf_gonthier_d(double e);

#endif
