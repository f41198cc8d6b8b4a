/* Scaled impacts: unit mass, speed and stiffness, z'' = -(z^n + beta z^p z'); private to
 * src/impact. */

#ifndef CF_IMPACT_SCALED_H
#define CF_IMPACT_SCALED_H

#include "impact/impact.h"

/* e, tau, zeta, phi of impact.h at one beta, by enum cf_impact_what. */
struct cf_scaled_impact {
    double value[CF_NIMPACT];
    double by_beta[CF_NIMPACT];
};

/* What one integration yields. */
struct cf_scaled {
    double log_e_per_beta; /* ln(e)/beta, to full relative accuracy down to beta = 0 */
    double e, tau, zeta, phi;
};

/* Integrate at a relative tolerance. Fails with CF_ESOLVE when (n, p) cannot be regularised or the
 * steps run out. */
int cf_scaled_integrate(double n, double p, double beta, double tolerance, struct cf_scaled *out,
                        struct cf_error *err);

/* n = p, beta > 0, by closed forms and one quadrature. */
int cf_scaled_hunt_crossley(double n, double beta, struct cf_scaled *out, struct cf_error *err);

/* n = 1, p = 0: everything closed. */
void cf_scaled_impact_linear(double beta, struct cf_scaled_impact *out);

/* n = p: puts restitution and depth, to rounding, in the place of a curve's. */
void cf_scaled_impact_hunt_crossley(double n, double beta, struct cf_scaled_impact *out);

/* The largest beta of a curve. */
extern const double cf_curve_beta_most;

/* The curve of (n, p), made at its first use. */
struct cf_curve;
int cf_curve_get(struct cf_curves *curves, double n, double p, const struct cf_curve **curve,
                 struct cf_error *err);
void cf_curve_at(const struct cf_curve *curve, double beta, struct cf_scaled_impact *out);

#endif
