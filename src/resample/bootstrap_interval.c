/* BCa and percentile intervals, after Efron 1987, J. Am. Stat. Assoc. 82, 171; several samples
 * after Davison & Hinkley 1997, section 5.3. Made in theta, where they are the same as in natural
 * units but for rounding. */

#include "resample/bootstrap_interval.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_math.h>
#include <math.h>
#include <stdlib.h>

const double cf_rank_slack = 1e-9;

/* A number under resampling: its shift from the optimum is power . (theta shift). */
struct resampled_quantity {
    const double *power;
    double at;    /* natural value at the optimum */
    bool product; /* natural value = at * exp(shift), else at + shift */
};

static double natural(const struct resampled_quantity *q, double shift)
{
    return q->product ? q->at * exp(shift) : q->at + shift;
}

static double shift_of(const struct resampled_quantity *q, const double theta[], size_t nfree)
{
    double sum = 0;
    for (size_t i = 0; i < nfree; i++)
        if (q->power[i] != 0)
            sum += q->power[i] * theta[i];
    return sum;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *) a, y = *(const double *) b;
    return (x > y) - (x < y);
}

/* The p-quantile of n sorted values by their expected ranks, (n + 1) p; NAN beyond the outermost.
 */
static double quantile(const double sorted[], size_t n, double p)
{
    double rank = p * (double) (n + 1);
    size_t below;

    if (!(rank >= 1 - cf_rank_slack && rank <= (double) n * (1 + cf_rank_slack)))
        return (double) NAN;
    rank = fmin(fmax(rank, 1), (double) n);
    below = (size_t) rank;
    if (below == n)
        return sorted[n - 1];
    return sorted[below - 1] + (rank - (double) below) * (sorted[below] - sorted[below - 1]);
}

bool cf_bootstrap_bca(const double sorted[], size_t n, double estimate, double a, double level,
                      double *low, double *high)
{
    double less = 0, z0, end[2];

    for (size_t i = 0; i < n; i++)
        less += sorted[i] < estimate ? 1 : sorted[i] == estimate ? 0.5 : 0;
    if (!(less > 0 && less < (double) n))
        return false;
    z0 = gsl_cdf_ugaussian_Pinv(less / (double) n);
    for (int k = 0; k < 2; k++) {
        double z = z0 + gsl_cdf_ugaussian_Pinv(k ? (1 + level) / 2 : (1 - level) / 2);
        if (!(a * z < 1))
            return false;
        end[k] = quantile(sorted, n, gsl_cdf_ugaussian_P(z0 + z / (1 - a * z)));
    }
    *low = end[0];
    *high = end[1];
    return isfinite(*low) && isfinite(*high);
}

/* The skewness of the estimate's influence values, each data set with its own number of rows. */
static double acceleration(const struct resampled_quantity *q, const struct cf_jackknife *jackknife,
                           size_t nfree)
{
    double second = 0, third = 0;

    for (size_t s = 0; jackknife->rows && s < jackknife->rows->nset; s++) {
        size_t from = jackknife->rows->set[s], to = jackknife->rows->set[s + 1];
        double n = (double) (to - from), mean = 0;
        for (size_t i = from; i < to; i++)
            mean += shift_of(q, &jackknife->shift[i * nfree], nfree) / n;
        for (size_t i = from; i < to; i++) {
            double l = (n - 1) * (mean - shift_of(q, &jackknife->shift[i * nfree], nfree));
            second += gsl_pow_2(l / n);
            third += gsl_pow_3(l / n);
        }
    }
    return second > 0 ? third / (6 * pow(second, 1.5)) : 0;
}

static void moments(const struct resampled_quantity *q, const double shift[], size_t n,
                    struct cf_resampled *out)
{
    double mean = 0, sum = 0;

    for (size_t i = 0; i < n; i++)
        mean += natural(q, shift[i]) / (double) n;
    for (size_t i = 0; i < n; i++)
        sum += gsl_pow_2(natural(q, shift[i]) - mean);
    out->bias = mean - q->at;
    out->standard_error = sqrt(sum / (double) (n - 1));
}

static void judge(const struct resampled_quantity *q, double shift[], size_t n, double a,
                  bool a_known, double level, struct cf_resampled *out)
{
    double low, high;

    moments(q, shift, n, out);
    qsort(shift, n, sizeof *shift, ascending);
    out->bca = a_known && cf_bootstrap_bca(shift, n, 0, a, level, &low, &high);
    if (!out->bca) {
        low = quantile(shift, n, (1 - level) / 2);
        high = quantile(shift, n, (1 + level) / 2);
    }
    out->low = natural(q, low);
    out->high = natural(q, high);
    out->known = isfinite(out->low) && isfinite(out->high);
}

int cf_bootstrap_intervals(const struct cf_optimum *optimum, const struct cf_jackknife *jackknife,
                           const double shift[], size_t n, struct cf_bootstrap *out,
                           struct cf_error *err)
{
    size_t nfree = optimum->problem.nfree;
    double level = optimum->problem.spec->options.level, *own = calloc(n + 1, sizeof *own);
    double *unit = calloc(nfree + 1, sizeof *unit);

    if (!own || !unit) {
        free(own);
        free(unit);
        return cf_fail(err, CF_ENOMEM, "no memory for %zu replicates", n);
    }
    for (size_t k = 0; k < nfree + optimum->ncombination; k++) {
        const struct cf_combination *c = k < nfree ? NULL : &optimum->combination[k - nfree];
        struct resampled_quantity q = {
            .power = c ? c->slope : unit,
            .at = c ? c->value : optimum->value[k],
            .product = c ? c->product : optimum->problem.unknown[k].scale == CF_SCALE_LOG};
        if (!c && (optimum->rank.flat[k] || optimum->rank.dead[k]))
            continue;
        if (!c)
            unit[k] = 1;
        for (size_t i = 0; i < n; i++)
            own[i] = shift_of(&q, &shift[i * nfree], nfree);
        judge(&q, own, n, acceleration(&q, jackknife, nfree), jackknife->known, level,
              c ? &out->combination[k - nfree] : &out->parameter[k]);
        if (!c)
            unit[k] = 0;
    }
    free(unit);
    free(own);
    return CF_OK;
}
