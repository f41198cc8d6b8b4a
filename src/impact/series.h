/* Taylor series of a regularised impact; private to src/impact.
 *
 * With y = z^(1/q) and ds = dt/y^(q-1) the impact z'' = -(z^n + beta z^p w), w = z', is polynomial:
 *
 *   dy/ds = w/q,   dw/ds = -y^a P,   dP/ds = (b/q) y^(b-1) w - beta y^a P,
 *   dt/ds = y^c,   dD/ds = w^2 y^a,
 *
 *   P = y^b + beta w,   a = q (p + 1) - 1,   b = q (n - p),   c = q - 1.
 *
 * The force is z^p P, and beta D is the energy that the damper takes. P is a state of its own
 * because for large beta its two terms cancel long before the force ends. In z and t the law has a
 * root at touch, where every method of order above 1 loses its order.
 */

#ifndef CF_IMPACT_SERIES_H
#define CF_IMPACT_SERIES_H

#include <stdbool.h>

/* Of the orders 20 to 30 all cost the same within 10 %, measured. */
enum { CF_ORDER = 24, CF_MAX_POWER = 8 };

enum cf_state { CF_Y, CF_W, CF_P, CF_T, CF_D, CF_NSTATE };

struct cf_series {
    int q, a, b, c;
    double n, p, beta;
    double coef[CF_NSTATE][CF_ORDER + 1]; /* in powers of s from the step's start */
};

/* Choose q and give the state at touch; false when no q up to 4 makes the exponents whole. */
bool cf_series_init(struct cf_series *series, double n, double p, double beta, double state[]);

/* The coefficients from the state at the step's start. */
void cf_series_expand(struct cf_series *series, const double state[]);

/* The step over which the last two terms are below tolerance. */
double cf_series_step(const struct cf_series *series, double tolerance);

double cf_series_at(const struct cf_series *series, enum cf_state which, double s);

/* The zero of f between from, where it is > 0, and to, where it is <= 0, to rounding. */
double cf_series_zero(const struct cf_series *series,
                      double (*f)(const struct cf_series *series, double s), double from,
                      double to);

#endif
