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
#include <stdlib.h>

/* mean psi'/(K s); not above 0 where the loss has no clear minimum. */
static double row_scale(const struct cf_optimum *optimum, const double y[])
{
    const struct cf_problem *q = &optimum->problem;
    double n = 0, squares = 0, slope = 0, slope2 = 0, p = (double) optimum->rank.rank, K;

    for (size_t i = 0; i < q->nobservation; i++) {
        const struct cf_observation *o = &q->observation[i];
        double z, d;
        if (!(o->weight > 0))
            continue;
        z = (o->value - y[i]) / o->sigma; /* a robust loss has no shared errors */
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

/* The problem folded with rows that all count in full, each times `scale`. */
static int fold_scaled(struct cf_optimum *optimum, double scale, struct cf_error *err)
{
    struct cf_problem full;
    int status = cf_problem_copy(&full, &optimum->problem, err);

    if (status)
        return status;
    for (size_t i = 0; i < full.nobservation; i++) {
        full.observation[i].robust = 1;
        full.observation[i].sigma /= scale;
    }
    status = cf_problem_fold(&full, optimum->theta, &optimum->fold, err);
    cf_problem_free(&full);
    return status;
}

int cf_robust_covariance(struct cf_optimum *optimum, struct cf_error *err)
{
    const struct cf_problem *q = &optimum->problem;
    double scale, *y;
    int status;

    if (q->loss.kind == CF_LOSS_SQUARES)
        return CF_OK;
    y = malloc((q->nobservation + 1) * sizeof *y);
    if (!y)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu predictions", q->nobservation);
    status = cf_problem_predict(q, optimum->theta, y, NULL, err);
    scale = status ? 0 : row_scale(optimum, y);
    free(y);
    if (status)
        return status;
    if (!(scale > 0))
        return cf_fail(err, CF_EFIT,
                       "loss %s with scale %g: more rows lie in its tails than in its middle: is "
                       "the law or a stated sigma wrong?",
                       cf_loss_name[q->loss.kind], q->loss.scale);
    status = fold_scaled(optimum, scale, err);
    cf_rank_clear(&optimum->rank);
    return status ? status : cf_rank_fold(&optimum->fold, NULL, &optimum->rank, err);
}
