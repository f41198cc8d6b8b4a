#include "core/chi_square.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_math.h>

/* From here on the cube root of chi^2 is as good as normal. */
static const double many = 3000;

double cf_chi_square_above(double q, double dof)
{
    double spread = 2 / (9 * dof);

    if (dof < many)
        return q < 0.5 ? gsl_cdf_chisq_Qinv(q, dof) : gsl_cdf_chisq_Pinv(1 - q, dof);
    return dof * gsl_pow_3(1 - spread + gsl_cdf_ugaussian_Qinv(q) * sqrt(spread));
}
