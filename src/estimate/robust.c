/* Sandwich covariance for residuals that are alike but for their sigma (P. J. Huber, Robust
 * Statistics, 1981, sec. 7.6, second form):
 *
 *   C = K^2 [sum psi^2/(n - p)]/[mean psi']^2 (J^T J)^-1,   K = 1 + (p/n) var(psi')/(mean psi')^2,
 *
 * psi = z w(z), J the derivatives of z. So the rows of J scaled by mean psi'/(K s) have this
 * covariance as that of least squares; priors stay as they are.
 */

#include "estimate/robust.h"

#include <gsl/gsl_math.h>
#include <math.h>

/* mean psi'/(K s); not above 0 where the loss has no clear minimum. */
static double row_scale(const struct cf_optimum *optimum)
{
    const struct cf_problem *q = &optimum->problem;
    double n = 0, squares = 0, slope = 0, slope2 = 0, p = (double) optimum->rank.rank, K;

    for (size_t i = 0; i < q->nobservation; i++) {
        const struct cf_observation *o = &q->observation[i];
        double z, d;
        if (!(o->weight > 0))
            continue;
        z = optimum->residual[i] / sqrt(o->weight * o->robust);
        d = cf_loss_psi_slope(&q->loss, z);
        n += o->weight;
        squares += o->weight * gsl_pow_2(z * cf_loss_weight(&q->loss, z));
        slope += o->weight * d;
        slope2 += o->weight * d * d;
    }
    slope /= n;
    slope2 /= n;
    K = 1 + p / n * (slope2 - slope * slope) / (slope * slope);
    return slope / (K * sqrt(squares / fmax(n - p, 0.5)));
}

int cf_robust_covariance(struct cf_optimum *optimum, struct cf_error *err)
{
    const struct cf_problem *q = &optimum->problem;
    double scale;

    if (q->loss.kind == CF_LOSS_SQUARES)
        return CF_OK;
    scale = row_scale(optimum);
    if (!(scale > 0))
        return cf_fail(err, CF_EFIT,
                       "loss %s with scale %g: more rows lie in its tails than in its middle: is "
                       "the law or a stated sigma wrong?",
                       cf_loss_name[q->loss.kind], q->loss.scale);
    for (size_t i = 0; i < q->nobservation; i++)
        for (size_t j = 0; j < q->nfree; j++)
            optimum->jacobian[i * q->nfree + j] *= scale / sqrt(q->observation[i].robust);
    return cf_rank_analyse(optimum->jacobian, q->nresidual, q->nfree, cf_rank_noise, &optimum->rank,
                           NULL, err);
}
