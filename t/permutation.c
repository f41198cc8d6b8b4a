/* Statistics under random order: exact moments by listing every order, limit laws against drawn
 * orders where both hold, and a million residuals. Numbers here are drawn, nobody's measurements.
 */

#include "judge/permutation.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_permutation.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_sf_gamma.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/random.h"
#include "judge/residual_tests.h"
#include "judge/runs.h"
#include "lab.h"
#include "tap.h"

#define LENGTH(table) (sizeof table / sizeof table[0])

enum { FEW = 7, MANY = CF_MOST_ORDERED, HUGE_N = 1000000 };

static const double twice_tied[FEW] = {1.7, -0.4, 0.3, 0.3, 2.9, -1.1, 0.3};

/* Mean and variance of a statistic over all orders of x[FEW]. */
static void list_orders(const double x[], double (*statistic)(const double y[]), double *mean,
                        double *variance)
{
    gsl_permutation *order = gsl_permutation_calloc(FEW);
    double n = 0, sum = 0, squares = 0;

    do {
        double y[FEW], s;
        for (size_t i = 0; i < FEW; i++)
            y[i] = x[gsl_permutation_get(order, i)];
        s = statistic(y);
        n++, sum += s, squares += s * s;
    } while (!gsl_permutation_next(order));
    gsl_permutation_free(order);
    *mean = sum / n;
    *variance = squares / n - *mean * *mean;
}

static double products(const double y[])
{
    double sum = 0;
    for (size_t i = 1; i < FEW; i++)
        sum += y[i] * y[i - 1];
    return sum;
}

static void test_moments(void)
{
    double mean, variance, listed_mean, listed_variance;

    list_orders(twice_tied, products, &listed_mean, &listed_variance);
    cf_lag1_moments(twice_tied, FEW, &mean, &variance);
    is_near(mean, listed_mean, 1e-12, "lag-1: the mean over all orders of seven numbers");
    is_near(variance / listed_variance, 1, 1e-12, "lag-1: the variance");
}

/* Ranks as they are defined: by counting. */
static void test_ranks(void)
{
    enum { N = 400 };
    gsl_rng *rng = cf_random_stream(5, 0);
    double x[N], rank[N];
    size_t order[N], wrong = 0;

    for (size_t i = 0; i < N; i++)
        x[i] = i % 3 ? (double) gsl_rng_uniform_int(rng, 60) : gsl_rng_uniform(rng);
    cf_ranks(x, N, order, rank);
    for (size_t i = 0; i < N; i++) {
        double below = 0, same = 0;
        for (size_t j = 0; j < N; j++) {
            below += x[j] < x[i];
            same += x[j] == x[i];
        }
        wrong += rank[i] != below + (same + 1) / 2;
    }
    ok(wrong == 0, "ties share the average rank: %zu of %d are wrong", wrong, N);
    gsl_rng_free(rng);
}

/* Residuals of mean 0.2 with a skewness of 1, a gamma distribution, whose neighbours share a part.
 */
static void residuals(uint64_t seed, double shared, double r[])
{
    gsl_rng *rng = cf_random_stream(seed, 1);
    double before = 0;

    for (size_t i = 0; i < MANY; i++) {
        double fresh = (gsl_ran_gamma(rng, 4, 1) - 4) / 2;
        r[i] = 0.2 + fresh + shared * before;
        before = fresh;
    }
    gsl_rng_free(rng);
}

/* Is a p that was drawn the limit law's within four standard deviations of the drawing? */
static bool agrees(double drawn, double limit)
{
    return fabs(drawn - limit) < 4 * sqrt(limit * (1 - limit) / CF_ORDERS) + 1. / CF_ORDERS;
}

/* What was compared: the least and the largest p, and for how many a limit law whose variance is a
 * fifth too large or too small would have agreed as well. */
struct compared {
    size_t n, wide, narrow;
    double least, most;
};

static void compare(struct compared *c, double drawn, double limit, double sides, const char *what,
                    double by)
{
    double z = gsl_cdf_ugaussian_Qinv(limit / sides);

    ok(agrees(drawn, limit), "%s of %d, by %g: p = %.4f drawn, %.4f by the limit law", what, MANY,
       by, drawn, limit);
    c->least = c->n ? fmin(c->least, limit) : limit;
    c->most = fmax(c->most, limit);
    c->wide += agrees(drawn, sides * gsl_cdf_ugaussian_Q(z / sqrt(1.2)));
    c->narrow += agrees(drawn, sides * gsl_cdf_ugaussian_Q(z / sqrt(0.8)));
    c->n++;
}

static void compare_end(const struct compared *c, const char *what)
{
    ok(c->least < 0.005 && c->most > 0.5, "%s over a range of p: %.2g to %.2g", what, c->least,
       c->most);
    ok(c->wide < c->n && c->narrow < c->n, "%s: a variance off by a fifth would be seen", what);
}

/* Every other case, the last one among them; all of them by CHECK_FULL. */
static size_t every(void)
{
    return is_full_check() ? 1 : 2;
}

static size_t first(size_t n)
{
    return (n - 1) % every();
}

static void test_lag1(void)
{
    static const double shared[] = {-0.02, -0.01, 0, 0.01, 0.02, 0.04, 0.06};
    static double r[MANY + 1], work[MANY + 1];
    struct cf_orders how = {cf_random_stream(6, 0), CF_ORDERS, CF_ORDERS + 1};
    struct compared compared = {0};
    double p;

    for (size_t k = first(LENGTH(shared)); k < LENGTH(shared); k += every()) {
        residuals(20, shared[k], r);
        compare(&compared, cf_lag1_drawn(&how, r, MANY, work), cf_lag1_limit(r, MANY), 1, "lag-1",
                shared[k]);
    }
    compare_end(&compared, "lag-1");
    p = (CF_ORDERS + 1) * cf_lag1_p(&how, r, MANY, work);
    ok(fabs(p - round(p)) < 1e-9, "of %d residuals orders are drawn", MANY);
    r[MANY] = 0.1;
    ok(cf_lag1_p(&how, r, MANY + 1, work) == cf_lag1_limit(r, MANY + 1),
       "of one more the limit law is taken");
    gsl_rng_free(how.rng);
}

static void test_flips(void)
{
    static const double mean[] = {0, 0.01, -0.02, 0.03, 0.05, 0.08};
    static double d[MANY];
    gsl_rng *rng = cf_random_stream(8, 0);
    struct compared compared = {0};

    for (size_t k = first(LENGTH(mean)); k < LENGTH(mean); k += every()) {
        residuals(60, 0, d);
        for (size_t i = 0; i < MANY; i++)
            d[i] += mean[k] - 0.2;
        compare(&compared, cf_sign_flip_drawn(rng, d, MANY, CF_ORDERS), cf_sign_flip_limit(d, MANY),
                2, "signs", mean[k]);
    }
    compare_end(&compared, "signs");
    gsl_rng_free(rng);
}

/* Where few numbers make the statistic there is no limit law, however many stand beside them. */
static void test_no_limit(void)
{
    static double r[MANY + 1], work[MANY + 1];
    struct cf_orders how = {cf_random_stream(9, 0), CF_ORDERS, CF_ORDERS + 1};
    double p;

    residuals(80, 0, r);
    r[MANY] = 0;
    for (size_t i = 0; i < 10; i++)
        r[i * 190] = 60; /* none beside another */
    ok(isnan(cf_lag1_limit(r, MANY + 1)), "ten gross residuals: lag-1 has no limit law");
    p = cf_lag1_p(&how, r, MANY + 1, work);
    ok(p > 0.3 && p <= 1, "and is drawn: p = %.2f", p);
    memset(r, 0, sizeof r);
    r[3] = 2, r[4] = -1;
    cf_sign_flip_p(r, MANY + 1, 1, &p, NULL);
    ok(isnan(cf_sign_flip_limit(r, MANY + 1)) && p == 1,
       "nor two differences among zeros, 2 and -1: p = %g", p);
    gsl_rng_free(how.rng);
}

/* Fewer terms than all, of many signs: with all of them, and with the normal distribution. */
static void test_runs(void)
{
    static const struct {
        unsigned plus, minus, runs;
    } row[] = {{2500, 2500, 2501}, {2500, 2500, 2350}, {2500, 2500, 4000}, {4500, 500, 870},
               {4950, 50, 97},     {4999, 1, 2},       {100, 4900, 101},   {3000, 1000, 1300}};
    double p, z;

    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        unsigned a = row[i].plus, b = row[i].minus;
        double sum = 0, total = gsl_sf_lnchoose(a + b, a);
        for (unsigned r = 2; r <= row[i].runs; r++) {
            unsigned k = r / 2, l = (r + 1) / 2;
            if (l <= a && k <= b)
                sum += exp(gsl_sf_lnchoose(a - 1, l - 1) + gsl_sf_lnchoose(b - 1, k - 1) - total);
            if (k <= a && l <= b)
                sum += exp(gsl_sf_lnchoose(a - 1, k - 1) + gsl_sf_lnchoose(b - 1, l - 1) - total);
        }
        p = cf_runs_probability(a, b, row[i].runs);
        is_near(p / fmin(sum, 1), 1, 1e-8, "at most %u runs of %u and %u signs: p = %.3g",
                row[i].runs, a, b, p);
    }
    p = cf_runs_probability(HUGE_N / 2, HUGE_N / 2, HUGE_N / 2 - 1500);
    z = (HUGE_N / 2 - 1500 + 0.5 - (1 + HUGE_N / 2)) / sqrt(HUGE_N / 4.);
    is_near(p / gsl_cdf_ugaussian_P(z), 1, 1e-2, "of a million signs: p = %.3g, as the limit law",
            p);
}

/* A million residuals: a correlation of 0.01 is ten standard deviations. */
static void test_million(void)
{
    gsl_rng *rng = cf_random_stream(10, 0);
    struct cf_orders how = {rng, CF_ORDERS, CF_ORDERS + 1};
    double *r = calloc(2 * (size_t) HUGE_N, sizeof *r), *work = r + HUGE_N, p;

    for (size_t i = 0; i < HUGE_N; i++)
        r[i] = gsl_ran_gaussian(rng, 1);
    p = cf_lag1_p(&how, r, HUGE_N, work);
    ok(p > 1e-3 && p < 0.999, "a million independent residuals: lag-1 has p = %.2f", p);
    cf_sign_flip_p(r, HUGE_N, 1, &p, NULL);
    ok(p > 1e-3, "their mean p = %.2f", p);
    for (size_t i = HUGE_N - 1; i > 0; i--)
        r[i] += 0.01 * r[i - 1];
    p = cf_lag1_p(&how, r, HUGE_N, work);
    ok(p < 1e-15 && p > 1e-40, "with a correlation of 0.01 lag-1 has p = %.1g", p);
    free(r);
    gsl_rng_free(rng);
}

/* Forty channels of eight rows about a constant, which is fitted to them. Of so many tests none
 * alone could reject anything after Holm's factor. What is right must still be called right: 4 or
 * more of 40 at 1 % have a probability of 7e-4. */
static bool is_rejected(struct cf_curves *curves, unsigned k, unsigned *together)
{
    enum { SETS = 40, ROWS = 8 };
    static const char *const free_names[] = {"e", NULL};
    gsl_rng *rng = cf_random_stream(21, k);
    struct cf_dataset d[SETS];
    struct cf_tests tests = {0};
    struct cf_problem q;
    double y[SETS * ROWS], theta[CF_MAX_PARAM] = {0}, change;
    bool rejected = false;

    for (size_t s = 0; s < SETS; s++) {
        double speed[ROWS], e[ROWS];
        for (size_t i = 0; i < ROWS; i++) {
            speed[i] = 0.1 * pow(60, (double) i / (ROWS - 1));
            e[i] = 0.7 + gsl_ran_gaussian(rng, 0.004);
            theta[0] += e[i] / (SETS * ROWS);
        }
        lab_dataset(&d[s], "restitution", ROWS, speed, e, k % 2 ? 0 : 0.004, lab_pair(0.3, 0.05));
    }
    struct cf_spec spec = lab_spec("e-constant", free_names, d, SETS);
    spec.options.rough_tests = true;
    cf_problem_init(&q, &spec, spec.law, curves, CF_ROW_FIT, CF_SCOPE_ALL, NULL);
    cf_sigma_update(&q, theta, &change, NULL);
    for (size_t i = 0; i < SETS * ROWS; i++)
        y[i] = theta[0];
    struct cf_fitted of = {.problem = &q, .theta = theta, .y = y};
    if (cf_residual_tests_of(&of, &tests, NULL))
        rejected = true;
    for (size_t i = 0; i < tests.n; i++) {
        rejected = rejected || tests.item[i].rejects;
        *together += tests.item[i].channels == SETS;
    }
    cf_tests_clear(&tests);
    cf_problem_free(&q);
    for (size_t s = 0; s < SETS; s++)
        cf_dataset_clear(&d[s]);
    gsl_rng_free(rng);
    return rejected;
}

static void test_many_channels(void)
{
    enum { REPEATS = 40 };
    struct cf_curves *curves = cf_curves_alloc();
    unsigned rejected = 0, together = 0;

    for (unsigned k = 0; k < REPEATS; k++)
        rejected += is_rejected(curves, k, &together);
    ok(together >= 3 * REPEATS, "forty sets are tested together: %u tests", together);
    ok(rejected < 4, "%u of %d such studies of a true law are rejected", rejected, REPEATS);
    cf_curves_free(curves);
}

TEST(permutation)
{
    gsl_set_error_handler_off();
    plan(2 + 1 + 4 + 2 + 3 + 9 + 3 + 2 + (is_full_check() ? 7 + 6 : 4 + 3));
    test_moments();
    test_ranks();
    test_lag1();
    test_flips();
    test_no_limit();
    test_runs();
    test_million();
    test_many_channels();
    return done();
}
