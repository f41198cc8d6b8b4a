/* From one law to another that a target can run, and linear equivalents. */

#ifndef CF_EXPORT_CONVERT_H
#define CF_EXPORT_CONVERT_H

#include "impact/impact.h"
#include "law/law.h"

/* Linear spring and damper, zeta = C/(2 sqrt(K m)).
 * Never pulling, the form of every target here: e = exp(-2 zeta acos(zeta)/sqrt(1 - zeta^2)), with
 * acosh above 1, e^-2 at 1. Pulling until z = 0: e = exp(-pi zeta/sqrt(1 - zeta^2)). To take one
 * for the other costs 0.005 of e at 0.85 and 0.05 at 0.5. */
double cf_linear_restitution(double zeta);
double cf_linear_zeta(double e);         /* its inverse, 0 < e <= 1 */
double cf_linear_zeta_pulling(double e); /* zeta = -ln e/sqrt(pi^2 + ln^2 e) */

/* What a linear stiffness keeps of a contact that is not linear; or nothing of it but e, at the
 * step of the user. */
enum cf_keep { CF_KEEP_DEPTH, CF_KEEP_DURATION, CF_KEEP_FORCE, CF_KEEP_STEP };

/* Undamped Hertz spring k [N/m^1.5] with the peak compression x_m: K = 0.800, 0.911 or 1.25 times
 * k sqrt(x_m). */
double cf_hertz_linear_stiffness(double k, double depth_m, enum cf_keep keep);
/* x_m = (5 m v^2/(4 k))^(2/5) */
double cf_hertz_depth(double k, double mass_kg, double speed_m_s);

/* K [N/m] and C [N s/m] of the never-pulling linear contact that has, at speed_m_s, the e of the
 * law and its peak depth, duration or peak force: the damped contacts are compared, so K differs a
 * little from the factors above. A law that is linear gives its own k and lambda. Fails where the
 * law does not determine what is to be kept. */
int cf_linear_equivalent(struct cf_curves *curves, const struct cf_law *law, const double p[],
                         double mass_kg, double speed_m_s, enum cf_keep keep, double *K, double *C,
                         struct cf_error *err);

/* e at one speed. */
int cf_restitution_at(struct cf_curves *curves, const struct cf_law *law, const double p[],
                      double mass_kg, double speed_m_s, double *e, struct cf_error *err);

/* The constant e whose largest error over [speed_low, speed_high] (log-spaced) is least. */
int cf_constant_restitution(struct cf_curves *curves, const struct cf_law *law, const double p[],
                            double mass_kg, double speed_low, double speed_high, double *e,
                            double *error, struct cf_error *err);

/* The law `to` with the damping whose largest error of e over [speed_low, speed_high] is least, and
 * the k of the law `from` where both are Hertz contacts: to_p[to->nparam]. `to` must have n = 1.5
 * and one damping parameter, or be e-constant. */
int cf_law_approximate(struct cf_curves *curves, const struct cf_law *from, const double p[],
                       double mass_kg, double speed_low, double speed_high, const struct cf_law *to,
                       double to_p[], double *error, struct cf_error *err);

#endif
