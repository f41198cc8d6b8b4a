/* What a count of covering intervals says about their coverage. */

#include <gsl/gsl_cdf.h>
#include <math.h>

#include "identify/selftest.h"

const double cf_coverage_band = 0.999;

/* A parameter that is called fine in this share of the usable fits is fine by the design. */
static const double mostly_fine = 0.9;

void cf_binomial_band(size_t n, double share, double level, size_t *low, size_t *high)
{
    double tail = (1 - level) / 2;

    *low = 0;
    while (*low < n && gsl_cdf_binomial_P((unsigned) *low, share, (unsigned) n) <= tail)
        (*low)++;
    *high = n;
    while (*high > 0 && gsl_cdf_binomial_Q((unsigned) *high - 1, share, (unsigned) n) <= tail)
        (*high)--;
}

void cf_binomial_interval(size_t count, size_t n, double level, double *low, double *high)
{
    double tail = (1 - level) / 2, k = (double) count, m = (double) n;

    *low = count > 0 ? gsl_cdf_beta_Pinv(tail, k, m - k + 1) : 0;
    *high = count < n ? gsl_cdf_beta_Qinv(tail, k + 1, m - k) : 1;
}

bool cf_recovery_holds(const struct cf_recovery *r, double level, size_t *n, size_t *covered)
{
    size_t usable = r->worth[CF_WORTH_FINE] + r->worth[CF_WORTH_WEAK], low, high;
    bool fine = (double) r->worth[CF_WORTH_FINE] >= mostly_fine * (double) usable;
    size_t count = fine ? r->worth[CF_WORTH_FINE] : usable,
           cover = fine ? r->covered : r->usable_covered;

    if (n)
        *n = count;
    if (covered)
        *covered = cover;
    if (!r->known || r->worth[CF_WORTH_FINE] == 0)
        return true;
    cf_binomial_band(count, level, cf_coverage_band, &low, &high);
    return low <= cover && cover <= high;
}
