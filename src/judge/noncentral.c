#include "judge/noncentral.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <math.h>

/* Poisson weights beyond so many standard deviations above their mean are nothing in doubles. */
static const double far = 12;

/* Halvings of a bracket until its ends agree to all digits. */
enum { HALVINGS = 60 };

double cf_power_of(double level, double m, double dof, double lambda)
{
    double mean = lambda / 2, sum = 0;
    double chi2 = gsl_cdf_chisq_Qinv(level, m);
    double F = isinf(dof) ? 0 : gsl_cdf_fdist_Qinv(level, m, dof);
    unsigned last = (unsigned) ceil(mean + far * sqrt(mean) + far);

    for (unsigned j = 0; j <= last; j++) {
        double more = m + 2 * (double) j;
        double beyond =
            isinf(dof) ? gsl_cdf_chisq_Q(chi2, more) : gsl_cdf_fdist_Q(F * m / more, more, dof);
        sum += (j ? gsl_ran_poisson_pdf(j, mean) : exp(-mean)) * beyond; /* mean 0 is one */
    }
    return sum;
}

double cf_lambda_seen(double level, double m, double dof, double power)
{
    double low = 0, high = 1;

    while (cf_power_of(level, m, dof, high) < power) {
        low = high;
        high *= 2;
    }
    for (int i = 0; i < HALVINGS; i++) {
        double middle = (low + high) / 2;
        *(cf_power_of(level, m, dof, middle) < power ? &low : &high) = middle;
    }
    return (low + high) / 2;
}
