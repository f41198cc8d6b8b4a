/* A record that is to be differentiated: its smoothing spline, which gives up as much nearness to
 * the samples as it gains in straightness.
 *
 * The natural cubic spline g that minimises sum (x_i - g(t_i))^2 + L int g''(t)^2 dt (Reinsch,
 * Numer. Math. 10, 1967). Far from the ends of an even record it passes a wave of f [Hz] by
 * 1/(1 + (f/f_c)^4), so that the smoothness is stated as that frequency f_c, with
 * L = 1/(h (2 pi f_c)^4), h the mean spacing. Cost and memory grow with n.
 */

#ifndef CF_CORE_SMOOTHING_H
#define CF_CORE_SMOOTHING_H

#include <stddef.h>

#include "core/status.h"

struct cf_smoothing;

/* x[n] at times t[n] [s] that grow from row to row, n >= 5. cutoff_Hz > 0: that f_c; INFINITY: the
 * spline goes through the samples; 0: f_c by generalised cross-validation (Craven & Wahba, Numer.
 * Math. 31, 1979), which takes the samples' errors as independent: of noise that is not, state it.
 * CF_ERANGE, with the row, for times that do not grow or what is not finite. NULL on failure. */
struct cf_smoothing *cf_smoothing_make(size_t n, const double t[], const double x[],
                                       double cutoff_Hz, struct cf_error *err);
void cf_smoothing_free(struct cf_smoothing *s);

double cf_smoothing_cutoff_Hz(const struct cf_smoothing *s);

/* How many free numbers it spends, the trace of its influence matrix: 2 (a line) to n; and the sd
 * of the samples about it, 0 where it goes through them. */
double cf_smoothing_freedom(const struct cf_smoothing *s);
double cf_smoothing_noise(const struct cf_smoothing *s);

/* The samples' times, t[*n]. */
const double *cf_smoothing_times(const struct cf_smoothing *s, size_t *n);

/* Value, rate and second derivative at t; outside of the record it goes on straight. */
void cf_smoothing_at(const struct cf_smoothing *s, double t, double out[3]);

/* The third derivative, which jumps from sample to sample. */
double cf_smoothing_jerk(const struct cf_smoothing *s, double t);

#endif
