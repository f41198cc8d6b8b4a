#include "judge/runs.h"

#include <gsl/gsl_sf_gamma.h>
#include <math.h>

/* Up to so many signs all terms are summed: a choice of terms would save nothing. */
static const double few_signs = 2000;

/* Terms further from the mean than so many standard deviations, and this number of terms where
 * there is hardly a spread, make less than 1e-30 of the whole; below the mean they fall off faster
 * still.
 */
static const double reach = 12;

size_t cf_runs_count(const double r[], size_t n, size_t *plus)
{
    size_t runs = n > 0;

    *plus = 0;
    for (size_t i = 0; i < n; i++) {
        *plus += r[i] > 0;
        runs += i > 0 && (r[i] > 0) != (r[i - 1] > 0);
    }
    return runs;
}

/* The first of the terms that count, and the last. */
static size_t first_term(size_t n_plus, size_t n_minus, size_t runs, size_t *last)
{
    double a = (double) n_plus, b = (double) n_minus, n = a + b, ab = 2 * a * b;
    double sd = sqrt(ab * fmax(ab - n, 0) / (n - 1)) / n, top, first;

    *last = runs;
    if (n <= few_signs)
        return 2;
    top = fmin((double) runs, ceil(1 + ab / n + reach * sd + reach));
    first = floor(top - 2 * reach * sd - 2 * reach);
    *last = (size_t) top;
    return first > 2 ? (size_t) first : 2;
}

double cf_runs_probability(size_t n_plus, size_t n_minus, size_t runs)
{
    double total = gsl_sf_lnchoose((unsigned) (n_plus + n_minus), (unsigned) n_plus), sum = 0;
    size_t last;

    for (size_t r = first_term(n_plus, n_minus, runs, &last); r <= last; r++) {
        unsigned k = (unsigned) (r / 2), a = (unsigned) n_plus, b = (unsigned) n_minus;
        if (r % 2 == 0) {
            if (k <= a && k <= b)
                sum +=
                    2 * exp(gsl_sf_lnchoose(a - 1, k - 1) + gsl_sf_lnchoose(b - 1, k - 1) - total);
            continue;
        }
        if (k <= a - 1 && k <= b)
            sum += exp(gsl_sf_lnchoose(a - 1, k) + gsl_sf_lnchoose(b - 1, k - 1) - total);
        if (k <= a && k <= b - 1)
            sum += exp(gsl_sf_lnchoose(a - 1, k - 1) + gsl_sf_lnchoose(b - 1, k) - total);
    }
    return fmin(sum, 1);
}
