/* One impact by direct integration of a law's regular form; private to src/impact. */

#ifndef CF_IMPACT_DIRECT_H
#define CF_IMPACT_DIRECT_H

#include "impact/impact.h"
#include "law/regular.h"

/* Options for the stepper. */
struct cf_direct_how {
    double tolerance;
    double size;      /* of y, from regular->scale() */
    double inner;     /* size of the law's own states */
    bool slopes;      /* carry sensitivities */
    size_t max_steps; /* in each of both directions; reported as a reason when they run out */
};

/* The states at an instant of an impact, and their sensitivities there, column c from
 * s[c * nstate]; they include the instant's own move. */
struct cf_instant {
    double x[CF_MAX_REGULAR];
    double s[CF_MAX_GROUP * CF_MAX_REGULAR];
};

struct cf_instants {
    struct cf_instant turn; /* w = 0 */
    struct cf_instant peak; /* of force */
    struct cf_instant end;  /* F = 0 */
    bool has_peak; /* false: the force is largest at touch, or at the turn to within rounding */
};

/* From touch, x[regular->nstate], to the end of the force. Allocates its workspace and frees it:
 * nothing is shared between threads. CF_ESOLVE, with the reason, when the steps run out or nothing
 * is finite. */
int cf_direct_run(const struct cf_regular *regular, const double group[], const double touch[],
                  const struct cf_direct_how *how, struct cf_instants *out, struct cf_error *err);

/* The derivative of q by group `index`, whose column of sensitivities is column[n]. */
double cf_direct_along(const struct cf_sloped *q, size_t n, const double column[], size_t index);

/* The scaled answers, and their derivatives by the groups of the regular form. */
struct cf_direct {
    double value[CF_NIMPACT];
    double by_group[CF_NIMPACT][CF_MAX_GROUP];
};

int cf_direct_answer(const struct cf_regular *regular, const double group[],
                     const struct cf_direct_how *how, struct cf_direct *out, struct cf_error *err);

/* The scaled states at n instants, x[n * regular->nstate]: at the shares share[n] of the scaled
 * duration, which grow from 0 to 1. */
int cf_direct_trace(const struct cf_regular *regular, const double group[],
                    const struct cf_direct_how *how, double duration, size_t n,
                    const double share[], double x[], struct cf_error *err);

#endif
