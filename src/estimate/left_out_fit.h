/* Fits without some of the observations; private to src/estimate. */

#ifndef CF_ESTIMATE_LEFT_OUT_FIT_H
#define CF_ESTIMATE_LEFT_OUT_FIT_H

#include "estimate/leave_one_out.h"
#include "estimate/solve.h"

/* The influence formula is checked on so many rows or groups, those that move the fit most; it must
 * agree to this share of a sigma. */
enum { CF_LEFT_OUT_CHECKED = 10 };
extern const double cf_left_out_agreement;

/* What a refit needs. Where the sigmas stay, the problem itself is fitted, but for a weight that is
 * put back: there may be too many observations for a copy. */
struct cf_left_out_fit {
    struct cf_problem problem; /* a copy, or the caller's, its observations shared */
    bool moves;                /* sigmas do: a copy */
    struct cf_solver *solver;
};

/* To be freed only where it was made. */
int cf_left_out_fit_make(const struct cf_problem *q, struct cf_left_out_fit *b,
                         struct cf_error *err);
void cf_left_out_fit_free(struct cf_left_out_fit *b);

/* To what relative change sigmas and weights converge. */
double cf_left_out_tolerance(const struct cf_problem *q);

/* The prediction of observation i as the problem has its locals; NAN where there is none. */
int cf_left_out_predict(const struct cf_problem *q, size_t i, const double theta[],
                        double *predicted, struct cf_error *err);

/* cf_leave_one_out() of whole groups; without[nfree] is spare, the rest as there, at first NAN and
 * CF_LEFT_OUT_NONE. */
int cf_leave_groups(const struct cf_problem *q, struct cf_left_out_fit *b, const double theta[],
                    size_t most, double without[], double predicted[], unsigned char how[],
                    struct cf_error *err);

#endif
