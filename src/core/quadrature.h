/* Integrals of smooth functions with singular ends, to rounding: the double exponential rule, x =
 * 1/(1 + exp(-pi sinh t)) on (0, 1) and the trapezoidal rule in t, which crowds its nodes at both
 * ends (Takahasi & Mori 1974; Bailey, Jeyabalan & Li 2005). */

#ifndef CF_CORE_QUADRATURE_H
#define CF_CORE_QUADRATURE_H

#include <stddef.h>

#include "core/status.h"

enum { CF_MAX_INTEGRALS = 72 };

/* n integrands at the point `left` from the begin and `right` from the end of the interval, each
 * good to rounding of itself: a function that vanishes at an end has to be taken from there. */
typedef int cf_integrand(void *context, double left, double right, double out[],
                         struct cf_error *err);

/* The integrals of n <= CF_MAX_INTEGRALS functions over an interval of that length (0: all are 0):
 * steps are halved until each changes by less than 1e-9 of the integral of its size, which squares
 * the error with each halving. A failure of f ends it; CF_ESOLVE: 12 halvings were not enough. */
int cf_integrate(cf_integrand *f, void *context, double length, size_t n, double out[],
                 struct cf_error *err);

#endif
