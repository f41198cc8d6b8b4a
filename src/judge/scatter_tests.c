#include "judge/scatter_tests.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_math.h>
#include <math.h>
#include <stdio.h>

#include "judge/groups.h"

void cf_test_lack_of_fit(const struct cf_problem *q, struct cf_tests *tests, size_t channel,
                         const struct cf_residual_series *s)
{
    double pure = 0, lack = 0, groups = 0;
    struct cf_test *t;

    for (size_t i = 0; i < s->n;) {
        size_t j = i;
        double mean = 0;
        while (j < s->n && s->abscissa[j] == s->abscissa[i])
            mean += s->r[j++];
        mean /= (double) (j - i);
        for (size_t k = i; k < j; k++)
            pure += gsl_pow_2(s->r[k] - mean);
        lack += (double) (j - i) * mean * mean;
        groups++;
        i = j;
    }
    double dof_pure = (double) s->n - groups, dof_lack = s->dof - dof_pure;
    if (dof_pure < 3 || dof_lack < 0.5 || !(pure > 0))
        return;
    double F = lack / dof_lack / (pure / dof_pure);
    t = cf_tests_add(tests, "lack of fit", CF_ACCUSES_LAW, channel, s->n, F,
                     gsl_cdf_fdist_Q(F, dof_lack, dof_pure));
    if (t)
        t->channels = cf_tested_sets(q, channel);
    if (t)
        snprintf(t->text, sizeof t->text,
                 "the means of repeats miss the curve %.1f times more than their scatter explains "
                 "(variance ratio)",
                 F);
}

int cf_test_scatter(const struct cf_fitted *of, struct cf_tests *tests, struct cf_error *err)
{
    const struct cf_problem *q = of->problem;
    double chi2 = of->chi2, dof = of->dof;
    int status = q->neffect ? cf_scatter_within(q, of->theta, &chi2, &dof, err) : CF_OK;
    struct cf_test *t;

    if (status || !(dof > 0))
        return status;
    t = cf_tests_add(tests, "chi-square", CF_ACCUSES_SIGMAS, 0, q->nobservation, chi2,
                     gsl_cdf_chisq_Q(chi2, dof));
    if (t)
        snprintf(t->text, sizeof t->text, "%schi^2 %.4g on %g degrees of freedom",
                 q->neffect ? "within groups, " : "", chi2, dof);
    return CF_OK;
}
