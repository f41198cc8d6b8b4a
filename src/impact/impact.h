/* Answers about one impact without gravity: restitution, duration, peak compression, peak force.
 *
 * The family k z^n + lambda z^p zdot scales. With Z = (m v^2/k)^(1/(n+1)), T = Z/v and
 * beta = (lambda/k) Z^(p-n) v, e = E(beta), duration = T tau(beta), depth = Z zeta(beta), peak
 * force = (m v^2/Z) phi(beta): one set of curves for each (n, p) answers everything. The contact
 * ends, and the duration with it, when the force first returns to zero.
 */

#ifndef CF_IMPACT_IMPACT_H
#define CF_IMPACT_IMPACT_H

#include <stdbool.h>

#include "law/law.h"

enum cf_impact_what {
    CF_IMPACT_RESTITUTION, /* e [-] */
    CF_IMPACT_DURATION,    /* first touch to first F = 0 [s] */
    CF_IMPACT_DEPTH,       /* peak compression [m] */
    CF_IMPACT_FORCE,       /* peak force [N] */
    CF_NIMPACT
};

struct cf_impact {
    bool known[CF_NIMPACT]; /* false: the law does not determine it (an e-law gives e only) */
    double value[CF_NIMPACT];
    double by_param[CF_NIMPACT][CF_MAX_PARAM];
    double by_speed[CF_NIMPACT];
    double by_mass[CF_NIMPACT];
};

/* Workspace: the curves by (n, p), each made at its first use. Not to be shared by threads while
 * curves are being made; cf_curves_prepare() makes them in advance. */
struct cf_curves;
struct cf_curves *cf_curves_alloc(void); /* NULL when out of memory */
void cf_curves_free(struct cf_curves *curves);

/* A workspace that uses the curves that `of` has (only read, so that threads may have a view each)
 * and keeps what it makes to itself. To be freed before `of`; NULL when out of memory. */
struct cf_curves *cf_curves_view(const struct cf_curves *of);
int cf_curves_prepare(struct cf_curves *curves, const struct cf_law *law, struct cf_error *err);

/* Answers of a law without a curve (law->regular) in advance, at speeds that will be asked for
 * again with the same parameters and mass: each different speed is integrated once, and where they
 * are many they are interpolated between some, to the accuracy of the integration. They replace the
 * previous sweep. Without slopes all derivatives are 0. For a workspace of the caller's own: it is
 * no longer to be shared. cf_impact() reports speeds that cannot be integrated. */
int cf_curves_sweep(struct cf_curves *curves, const struct cf_law *law, const double p[],
                    double mass_kg, size_t n, const double speed_m_s[], bool slopes,
                    struct cf_error *err);

/* One impact by the fastest exact way: closed form where there is one, else the curve.
 * p[law->nparam] in range, mass_kg > 0 the effective mass, speed_m_s > 0 the approach speed; else
 * CF_ERANGE. e is right to 1e-11, duration, depth and force to 1e-10 (relative) for beta up to
 * 1e8; beyond, CF_ERANGE. Parameters that the answer does not need may be NAN (k of
 * hunt-crossley: only e is then known).
 *
 * `power` is integrated: to the same accuracy, that of e relative, for the same beta, and CF_ESOLVE
 * where it cannot be. But where p is less than n by less than 0.13 and beta is above 10, what n and
 * p differ by decides when its force ends: the duration is then known to some 1e-14 beta/(n - p).
 */
int cf_impact(struct cf_curves *curves, const struct cf_law *law, const double p[], double mass_kg,
              double speed_m_s, struct cf_impact *out, struct cf_error *err);

/* The same by direct integration of the regularised equations at the given relative tolerance:
 * slow, independent of the curves, used to make and to check them. value[CF_NIMPACT]. */
int cf_impact_integrate(const struct cf_law *law, const double p[], double mass_kg,
                        double speed_m_s, double tolerance, double value[], struct cf_error *err);

/* One impact as it goes, n >= 2 points from first touch to F = 0, both ends included, denser
 * towards the ends, where depth and force have their roots: at the shares sin^2(pi i/(2 (n - 1)))
 * of the duration. */
int cf_impact_trace(const struct cf_law *law, const double p[], double mass_kg, double speed_m_s,
                    size_t n, double t_s[], double depth_m[], double rate_m_s[], double force_N[],
                    struct cf_error *err);

/* The group of parameters that e(v) alone can identify, as exponents: e depends on the parameters
 * through lambda^1 k^(*k_power) m^(*mass_power) only; hunt-crossley: 0 and 0. False, and 0 and 0,
 * where no single product of powers does it: the exponents of `power` are parameters themselves. */
bool cf_impact_group(const struct cf_law *law, double *k_power, double *mass_power);

#endif
