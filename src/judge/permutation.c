#include "judge/permutation.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_math.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdbool.h>

#include "core/random.h"

/* A statistic has a normal distribution where its skewness and excess kurtosis over all orders are
 * at most so large; then p = 0.001 is right within 15 %, and p = 1e-6 within a factor of 2, by the
 * Edgeworth series. Of a flatter distribution, negative excess, p is too large at worst. */
static const double most_skewness = 0.05, most_excess = 0.02, least_excess = -0.15;

/* Where many residuals have no limit law: moves of a residual into its place, some seconds of work,
 * but never fewer orders than this. And so many statistics as large as the observed one determine p
 * within 10 %. */
static const double most_moves = 1e9;
enum { LEAST_ORDERS = 999, TELLING = 100, ALL_FLIPS = 13 };

/* Mean and central sums of powers; squared skewness and kurtosis. */
struct shape {
    double n, mean, s2, s3, s4, skewness2, kurtosis;
};

static struct shape shape_of(const double x[], size_t n)
{
    struct shape s = {.n = (double) n};

    for (size_t i = 0; i < n; i++)
        s.mean += x[i] / s.n;
    for (size_t i = 0; i < n; i++) {
        double d = x[i] - s.mean;
        s.s2 += d * d;
        s.s3 += d * d * d;
        s.s4 += d * d * d * d;
    }
    s.skewness2 = s.n * s.s3 * s.s3 / gsl_pow_3(s.s2);
    s.kurtosis = s.n * s.s4 / gsl_pow_2(s.s2);
    return s;
}

/* Of the sum of products a[i] b[i] over all orders of one of them (Pitman 1937), and near enough of
 * r[i] r[i - 1], to the leading order in 1/n. */
static bool is_normal(const struct shape *a, const struct shape *b)
{
    double skewness = sqrt(a->skewness2 * b->skewness2 / a->n);
    double excess = (a->kurtosis * b->kurtosis - 3 * (a->kurtosis + b->kurtosis) + 3) / a->n;
    return skewness <= most_skewness && excess <= most_excess && excess >= least_excess;
}

/* Of so many residuals that all orders asked for would take minutes. */
static struct cf_orders bounded(const struct cf_orders *how, size_t n)
{
    double orders = fmax(most_moves / (double) n, LEAST_ORDERS);
    struct cf_orders fewer = *how;

    fewer.orders = (size_t) fmin((double) how->orders, orders);
    fewer.enough = how->enough < TELLING ? how->enough : TELLING;
    return fewer;
}

static double product_sum(const double r[], size_t n)
{
    double sum = 0;
    for (size_t i = 1; i < n; i++)
        sum += r[i] * r[i - 1];
    return sum;
}

double cf_lag1(const double r[], size_t n)
{
    double squares = 0;
    for (size_t i = 0; i < n; i++)
        squares += r[i] * r[i];
    return product_sum(r, n) / squares;
}

/* With d = r - mean and s_k the sums of d^k, the sum is
 *   (n - 1) mean^2 - mean (d_first + d_last) + D,  D the sum of d[i] d[i - 1].
 * Over all orders, i, j, k, l distinct,
 *   E d_i d_j = -s2/(n (n - 1)),  E d_i^2 d_j^2 = (s2^2 - s4)/(n (n - 1)),
 *   E d_i^2 d_j d_k = (2 s4 - s2^2)/(n (n - 1) (n - 2)),
 *   E d_i d_j d_k d_l = (3 s2^2 - 6 s4)/(n (n - 1) (n - 2) (n - 3)),
 * of which D^2 has n - 1, 2 (n - 2) and (n - 2) (n - 3) terms; and d_first + d_last has the
 * variance 2 s2 (n - 2)/(n (n - 1)) and the covariance 2 s3/(n (n - 1)) with D. */
void cf_lag1_moments(const double r[], size_t n, double *mean, double *variance)
{
    struct shape s = shape_of(r, n);
    double pairs = s.n * (s.n - 1), square = s.s2 * s.s2;
    double inner = (square - s.s4) / s.n + (square - 2 * s.s4) / pairs - square / (s.n * s.n);
    double ends = 2 * s.s2 * (s.n - 2) / pairs, both = 2 * s.s3 / pairs;

    *mean = (s.n - 1) * s.mean * s.mean - s.s2 / s.n;
    *variance = inner + s.mean * s.mean * ends - 2 * s.mean * both;
}

double cf_lag1_limit(const double r[], size_t n)
{
    struct shape s = shape_of(r, n);
    double mean, variance;

    if (!(s.s2 > 0) || !is_normal(&s, &s))
        return (double) NAN;
    cf_lag1_moments(r, n, &mean, &variance);
    return gsl_cdf_ugaussian_Q((product_sum(r, n) - mean) / sqrt(variance));
}

double cf_lag1_drawn(const struct cf_orders *how, const double r[], size_t n, double work[])
{
    size_t as_large = 1, orders = 1;
    double observed = cf_lag1(r, n);

    for (size_t i = 0; i < n; i++)
        work[i] = r[i];
    for (; orders <= how->orders && as_large < how->enough; orders++) {
        gsl_ran_shuffle(how->rng, work, n, sizeof *work);
        as_large += cf_lag1(work, n) >= observed;
    }
    return (double) as_large / (double) orders;
}

double cf_lag1_p(const struct cf_orders *how, const double r[], size_t n, double work[])
{
    double p;

    if (n <= CF_MOST_ORDERED)
        return cf_lag1_drawn(how, r, n, work);
    p = cf_lag1_limit(r, n);
    if (isnan(p)) {
        const struct cf_orders fewer = bounded(how, n);
        p = cf_lag1_drawn(&fewer, r, n, work);
    }
    return p;
}

void cf_ranks(const double x[], size_t n, size_t order[], double rank[])
{
    gsl_sort_index(order, x, 1, n);
    for (size_t i = 0, j; i < n; i = j) {
        for (j = i + 1; j < n && x[order[j]] == x[order[i]]; j++)
            ;
        /* those from i to j - 1 have the ranks i + 1 to j */
        for (size_t k = i; k < j; k++)
            rank[order[k]] = (double) i + ((double) (j - i) + 1) / 2;
    }
}

static double flipped_sum(const double d[], size_t n, bool all, size_t way, gsl_rng *rng)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++) {
        bool flip = all ? way >> i & 1u : gsl_rng_uniform(rng) < 0.5;
        sum += flip ? -d[i] : d[i];
    }
    return sum;
}

/* All 2^n ways, or so many at random with the observed one among them. */
static double flip(const double d[], size_t n, bool all, size_t ways, gsl_rng *rng)
{
    size_t as_large = all ? 0 : 1;
    double observed = 0;

    for (size_t i = 0; i < n; i++)
        observed += d[i];
    for (size_t way = 0; way < ways; way++)
        as_large += fabs(flipped_sum(d, n, all, way, rng)) >= fabs(observed) * (1 - 1e-12);
    return (double) as_large / (double) (all ? ways : ways + 1);
}

double cf_sign_flip_drawn(gsl_rng *rng, const double d[], size_t n, size_t ways)
{
    return flip(d, n, false, ways, rng);
}

/* The fourth cumulant of a sum of +-d[i] is -2 times the sum of d[i]^4; the third is 0. */
double cf_sign_flip_limit(const double d[], size_t n)
{
    double sum = 0, s2 = 0, s4 = 0;

    for (size_t i = 0; i < n; i++) {
        sum += d[i];
        s2 += gsl_pow_2(d[i]);
        s4 += gsl_pow_4(d[i]);
    }
    if (!(s2 > 0) || -2 * s4 / gsl_pow_2(s2) < least_excess)
        return (double) NAN;
    return 2 * gsl_cdf_ugaussian_Q(fabs(sum) / sqrt(s2));
}

int cf_sign_flip_p(const double d[], size_t n, uint64_t seed, double *p, struct cf_error *err)
{
    gsl_rng *rng = cf_random_stream(seed, 2);
    struct cf_orders how = {rng, CF_ORDERS, CF_ORDERS + 1};

    *p = (double) NAN;
    if (!rng)
        return cf_fail(err, CF_ENOMEM, "no memory for a random stream");
    if (n > CF_MOST_ORDERED) {
        how = bounded(&how, n);
        *p = cf_sign_flip_limit(d, n);
    }
    if (n && isnan(*p))
        *p = flip(d, n, n <= ALL_FLIPS, n <= ALL_FLIPS ? (size_t) 1 << n : how.orders, rng);
    gsl_rng_free(rng);
    return CF_OK;
}
