/* Held-out rows predicted by the laws of a comparison, and whether one predicts them better than
 * another by more than chance.
 *
 * Rows of one toss, throw or record share what a law misses, so that they are no independent
 * witnesses: what is compared is units. A unit is the outermost group of the study; else what the
 * protocol calls a cluster (a toss); else a segment, or a whole record; else a row. With e_u and
 * g_u the errors of two laws in unit u, in sigmas, and n values in all,
 *
 *   S_u = sum of e_u^2 - sum of g_u^2,  rms_e - rms_g = sum S_u/(n (rms_e + rms_g)),
 *
 * whose standard error follows from the scatter of S_u between the units, and whose p from changing
 * the signs of S_u at random: a law that is no better has either sign as often.
 */

#ifndef CF_JUDGE_HELD_OUT_H
#define CF_JUDGE_HELD_OUT_H

#include "judge/fit_result.h"

/* Errors of the law of q, which is fitted and has theta and its locals at their best, on the
 * held-out rows that all laws predict: held_out, held_out_rms and held_out_rms_sigma of *v, in the
 * sigmas that these rows have by the law under study. cf_fit_free() frees them. After
 * cf_predict_rows(). */
int cf_held_out_errors(const struct cf_fit *fit, const struct cf_problem *q, const double theta[],
                       struct cf_rival *v, struct cf_error *err);

/* The units of those rows; to be cleared, also after a failure. n is 0 without any. */
int cf_held_units_make(const struct cf_problem *held_out, struct cf_held_units *units,
                       struct cf_error *err);
void cf_held_units_clear(struct cf_held_units *units);

/* The errors a[nvalue] of a law against b[nvalue] of another, as said above: what is not known is
 * NAN. The seed is that of the signs. */
int cf_held_out_pair(const struct cf_held_units *units, const double a[], const double b[],
                     uint64_t seed, struct cf_paired *pair, struct cf_error *err);

/* A difference is more than chance below this p, the usual one of a single question. */
extern const double cf_held_out_least_p;

/* "The difference, 0.04 +- 0.05 sigma over 4 tosses, is no more than chance (...)." of a pair that
 * is judged by this p: its own, or one adjusted for `times` such pairs, as `counted` says behind p.
 * The caller frees it; NULL: no memory. */
char *cf_held_out_chance(const struct cf_held_units *units, const struct cf_paired *pair, double p,
                         size_t times, const char *counted);

/* Each rival against the law under study, the adjustment of p over all of them, and in a sentence
 * who predicts better: fit->held_units, fit->held_out_text and against of each rival. */
int cf_held_out_compare(struct cf_fit *fit, struct cf_error *err);

#endif
