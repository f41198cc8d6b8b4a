/* The cost of one observation's misfit: squares, or a robust loss, which outliers affect less.
 *
 * A loss is the density of z = (measured - predicted)/sigma,
 *   -2 ln f(z) = rho(z) + constant,
 * so that likelihoods, AICc and BIC of fits with different losses may be compared. Each is scaled
 * such that sigma keeps its meaning: for normal residuals sigma is their standard deviation, that
 * is E[w(z) z^2] = 1 under the normal distribution.
 *
 * squares    rho = z^2: the normal distribution.
 * huber      rho = (z^2, beyond k: 2 k |z| - k^2)/c with c = P(|z| < k) of the normal distribution:
 *            normal in the middle, exponential tails. k = 1.345 keeps 95 % of the efficiency of
 *            least squares on normal residuals. P. J. Huber, Ann. Math. Stat. 35 (1964) 73.
 * student-t  rho = (nu + 1) ln(1 + (z/c)^2/nu): Student's t, c so that the above holds. nu = 4
 *            after K. L. Lange, R. J. A. Little and J. M. G. Taylor, J. Am. Stat. Assoc. 84 (1989)
 *            881: far rows lose all influence.
 *
 * Minima are found by iteratively reweighted least squares with w(z) = rho'(z)/(2 z). The sigma of
 * a channel without a given one solves sum s(z) z^2 = dof: Student's is the most likely one,
 * s = w; Huber's most likely one grows with a single far row, so there it is his Proposal 2,
 * s = (psi/z)^2/E[psi^2] with psi = min(|z|, k). Likelihoods are those of the most likely scale.
 */

#ifndef CF_ESTIMATE_LOSS_H
#define CF_ESTIMATE_LOSS_H

#include <stddef.h>

#include "core/status.h"

enum cf_loss_kind { CF_LOSS_SQUARES, CF_LOSS_HUBER, CF_LOSS_STUDENT, CF_NLOSS };

extern const char *const cf_loss_name[CF_NLOSS];

/* The smallest and largest scale that a loss may be given. */
extern const double cf_loss_scale_lower, cf_loss_scale_upper;

struct cf_loss {
    enum cf_loss_kind kind;
    double scale;    /* Huber's k in sigmas; Student's nu; NAN for squares */
    double c;        /* see above */
    double spread;   /* Huber: E[psi^2] */
    double constant; /* -2 ln f(z) - rho(z) */
};

/* scale NAN: the usual one. */
struct cf_loss cf_loss_make(enum cf_loss_kind kind, double scale);

/* The kind by its name, or fail with the nearest one. */
int cf_loss_find(const char *name, enum cf_loss_kind *kind, struct cf_error *err);

double cf_loss_rho(const struct cf_loss *loss, double z);
double cf_loss_weight(const struct cf_loss *loss, double z);

/* s(z), by which a sigma is estimated. */
double cf_loss_spread(const struct cf_loss *loss, double z);

/* Derivative of psi(z) = z w(z). */
double cf_loss_psi_slope(const struct cf_loss *loss, double z);

/* w(z)/w(0): 1 for a row that counts in full. */
double cf_loss_share(const struct cf_loss *loss, double z);

/* The most probable scale sigma of residuals r[n] that count[i] times each: where the sum of
 * count w(z) z^2 is that of count; never below `floor`. */
double cf_loss_sigma(const struct cf_loss *loss, const double r[], const double count[], size_t n,
                     double floor);

#endif
