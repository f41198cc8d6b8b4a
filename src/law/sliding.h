/* What a friction law's states become once it has slid at one speed for long: where records begin
 * in the middle of a slip. */

#ifndef CF_LAW_SLIDING_H
#define CF_LAW_SLIDING_H

#include "law/friction.h"

/* Columns of its derivatives: by the slip speed, by the load, then by each parameter. */
enum {
    CF_SLIDING_BY_SPEED,
    CF_SLIDING_BY_LOAD,
    CF_SLIDING_BY_PARAM,
    CF_SLIDING_COLUMNS = CF_SLIDING_BY_PARAM + CF_MAX_PARAM
};

struct cf_sliding {
    double state[CF_FRICTION_STATES]; /* of a slip along the first coordinate */
    double by[CF_SLIDING_COLUMNS][CF_FRICTION_STATES];
};

/* States of `law` in steady sliding at speed_m_s > 0 under a load > 0, found by letting it slide
 * until nothing changes. `by` is filled where derivatives are wanted. CF_ESOLVE where the law does
 * not settle. */
int cf_sliding_settle(const struct cf_friction_law *law, const double p[], double speed_m_s,
                      double normal_N, bool derivatives, struct cf_sliding *out,
                      struct cf_error *err);

/* LU of a small matrix m[n * n] of the rates of states, with partial pivoting, in place; order[n]:
 * its rows. GSL's would ask for memory, and end the process without. false: it is singular. */
bool cf_rates_factor(double m[], size_t order[], size_t n);

/* x[n], n of the states at most, becomes m^-1 x. */
void cf_rates_solve(const double m[], const size_t order[], size_t n, double x[]);

#endif
