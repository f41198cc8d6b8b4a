#include "estimate/row_pairs.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_statistics.h>
#include <math.h>

size_t cf_row_pairs(const struct cf_problem *problem, const double r[], size_t a, size_t b,
                    double x[], double y[])
{
    const struct cf_observation *o = problem->observation;
    size_t n = 0;

    for (size_t i = 0; i < problem->nobservation; i++)
        for (size_t j = i + 1; j < problem->nobservation && o[i].channel == a &&
                               o[j].data == o[i].data && o[j].row == o[i].row;
             j++)
            if (o[j].channel == b) {
                x[n] = r[i];
                y[n++] = r[j];
            }
    return n;
}

bool cf_pair_correlation(const double x[], const double y[], size_t n, double *rho, double *p)
{
    double t;

    *rho = n < 3 ? (double) NAN : gsl_stats_correlation(x, 1, y, 1, n);
    if (!(fabs(*rho) < 1))
        return false;
    t = *rho * sqrt((double) (n - 2) / (1 - *rho * *rho));
    *p = 2 * gsl_cdf_tdist_Q(fabs(t), (double) (n - 2));
    return true;
}
