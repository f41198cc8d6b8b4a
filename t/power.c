/* How often a test sees what is there, against integrals over closed forms: chi^2 of 1 and 3
 * degrees of freedom with a centre off by a is that of normal numbers, and F is its mean over the
 * chi^2 of the residuals. */

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_math.h>
#include <gsl/gsl_randist.h>
#include <math.h>

#include "judge/noncentral.h"
#include "tap.h"

/* P(chi^2 > b^2) of m = 1 or 3 normal numbers, whose means have the length a > 0. */
static double beyond(int m, double a, double b)
{
    double tails = gsl_cdf_ugaussian_P(a - b) + gsl_cdf_ugaussian_P(-a - b);
    double more = (gsl_ran_ugaussian_pdf(b - a) - gsl_ran_ugaussian_pdf(b + a)) / a;
    return m == 1 ? tails : tails + more;
}

/* The same of F > f, by Simpson's rule over the chi^2 of the residuals. */
static double beyond_f(int m, double dof, double a, double f)
{
    enum { STEPS = 20000 };
    double last = dof + 14 * sqrt(2 * dof) + 60, h = last / STEPS, sum = 0;

    for (int i = 1; i < STEPS; i++) {
        double y = h * i;
        sum += (i % 2 ? 4 : 2) * gsl_ran_chisq_pdf(y, dof) * beyond(m, a, sqrt(m * f * y / dof));
    }
    return sum * h / 3;
}

static void check(int m, double dof, double level, double lambda)
{
    double a = sqrt(lambda);
    double want = isinf(dof) ? beyond(m, a, sqrt(gsl_cdf_chisq_Qinv(level, m)))
                             : beyond_f(m, dof, a, gsl_cdf_fdist_Qinv(level, m, dof));

    is_within(cf_power_of(level, m, dof, lambda), want, 1e-8,
              "%d and %g degrees of freedom at %g: lambda %g", m, dof, level, lambda);
}

TEST(power)
{
    static const double dof[] = {6, 20, 200, (double) INFINITY}, lambda[] = {0.3, 8, 30, 400};
    enum { N = 4 };

    plan(2 * N * N + 4);
    for (int i = 0; i < N; i++)
        for (int k = 0; k < N; k++) {
            check(1, dof[i], 0.01, lambda[k]);
            check(3, dof[i], 0.0014, lambda[k]);
        }
    is_within(cf_power_of(0.05, 4, 12, 0), 0.05, 1e-12, "where nothing is, the level");
    is_within(cf_power_of(0.01, 3, 20, cf_lambda_seen(0.01, 3, 20, 0.8)), 0.8, 1e-10,
              "F: the lambda that is seen in 80 %%");
    /* one normal number is beyond 1.96 in 80 % where its mean is 1.96 + 0.8416 */
    is_near(cf_lambda_seen(0.05, 1, (double) INFINITY, 0.8), gsl_pow_2(2.8015), 1e-3,
            "chi^2: that of a two-sided test of a mean");
    ok(cf_lambda_seen(0.01, 3, 8, 0.8) > cf_lambda_seen(0.01, 3, 80, 0.8), "few rows see less");
    return done();
}
