#include "estimate/whiten.h"

#include <math.h>

#include "estimate/effects.h"
#include "estimate/shared_error.h"

int cf_whiten(const struct cf_problem *problem, double A[], size_t ncolumn, size_t ld,
              double *log_det, struct cf_error *err)
{
    const struct cf_problem *q = problem;
    size_t n = q->nobservation;
    double more = 0, own = cf_shared_log_det(q);
    int status;

    for (size_t i = 0; i < n; i++) {
        const struct cf_observation *o = &q->observation[i];
        double scale = sqrt(o->weight * o->robust) / o->sigma;
        own += 2 * o->weight * log(o->sigma);
        for (size_t j = 0; j < ncolumn; j++)
            A[j * ld + i] *= scale;
    }
    for (size_t j = 0; j < ncolumn; j++)
        cf_shared_whiten(q->observation, n, &A[j * ld]);
    status = cf_effects_whiten(q, A, ncolumn, ld, &more, err);
    if (log_det)
        *log_det = own + more;
    return status;
}
