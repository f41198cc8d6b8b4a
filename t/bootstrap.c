/* The bootstrap against results known without resampling: the standard error of a mean and of a
 * straight line, the share of samples that miss a parameter, special cases of BCa. */

#include "resample/bootstrap.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/random.h"
#include "identify/fit.h"
#include "lab.h"
#include "tap.h"

enum { N = 12, MANY = 8000, FEW = 600 };

/* 4 standard errors of a standard deviation of MANY draws, and of an end of their interval */
static const double se_tolerance = 0.032, end_tolerance = 0.12;

static const double speed[N] = {0.11, 0.17, 0.26, 0.39, 0.55, 0.83, 1.2, 1.7, 2.4, 3.1, 4.3, 5.9};
static const double scatter[N] = {-1.7, -3.6, -0.6, -3.5, 0.3, 4.4, -2.6, 1.2, 0.3, 7.5, 0.5, 3.4};

/* All that was drawn, to be cleared at the end. */
static struct cf_bootstrap drawn[80];
static size_t ndrawn;

static struct cf_bootstrap draw(const struct cf_fit *fit, enum cf_bootstrap_kind kind, size_t n,
                                size_t jobs)
{
    const struct cf_workers workers = {.jobs = jobs};
    struct cf_bootstrap b;
    struct cf_error err = {""};
    ok(cf_bootstrap(&fit->optimum, fit->status != CF_VERDICT_FAILED, kind, n, &workers, &b, &err) ==
           CF_OK,
       "%s, %zu jobs: %s", cf_bootstrap_name[kind], jobs, err.text);
    if (ndrawn < sizeof drawn / sizeof *drawn)
        drawn[ndrawn++] = b;
    return b;
}

static bool same_bits(const struct cf_bootstrap *a, const struct cf_bootstrap *b, size_t n)
{
    return a->failed == b->failed && a->shown == b->shown &&
           memcmp(a->parameter, b->parameter, n * sizeof *a->parameter) == 0;
}

/* Replicates that lie at the quantiles of a normal distribution. */
static void bca_by_hand(void)
{
    enum { n = 1999 };
    double x[n], low, high;

    for (size_t i = 0; i < n; i++)
        x[i] = gsl_cdf_ugaussian_Pinv((double) (i + 1) / (n + 1));
    ok(cf_bootstrap_bca(x, n, 0, 0, 0.95, &low, &high), "a centred normal");
    is_near(low, -1.959963985, 1e-4, "lower end: the normal's quantile");
    is_near(high, 1.959963985, 1e-4, "upper end");
    /* z0 = 0, a = 0.05: z/(1 - a z) */
    cf_bootstrap_bca(x, n, 0, 0.05, 0.95, &low, &high);
    is_near(low, -1.959963985 / 1.09799819925, 1e-4, "acceleration draws the lower end in");
    is_near(high, 1.959963985 / 0.90200180075, 2e-4, "and the upper one out");
    /* the estimate 0.3 below the replicates' median: z0 = -0.3, both ends move by 2 z0 */
    cf_bootstrap_bca(x, n, -0.3, 0, 0.95, &low, &high);
    is_near(low, -2.559963985, 0.01, "bias moves the lower end by twice itself");
    is_near(high, 1.359963985, 0.01, "and the upper end");
    ok(!cf_bootstrap_bca(x, n, -9, 0, 0.95, &low, &high), "no BCa outside of all replicates");
    ok(!cf_bootstrap_bca(x, n, 9, 0, 0.95, &low, &high), "on either side");
    ok(!cf_bootstrap_bca(x, 19, x[2], 0, 0.95, &low, &high), "nor with ends beyond the outermost");
    ok(!cf_bootstrap_bca(x, n, 0, 0.6, 0.95, &low, &high), "nor with too large an acceleration");
}

/* A constant e is the mean, whose bootstrap error is sqrt(sum (x - mean)^2)/n. */
static void mean(struct cf_curves *curves)
{
    static const char *const names[] = {"e", NULL};
    double e[N], m = 0, square = 0, cube = 0, se, a, z;
    struct cf_dataset d;
    struct cf_bootstrap b;

    for (size_t i = 0; i < N; i++) {
        e[i] = 0.7 + 0.004 * scatter[i];
        m += e[i] / N;
    }
    for (size_t i = 0; i < N; i++) {
        square += pow(e[i] - m, 2);
        cube += pow(e[i] - m, 3);
    }
    se = sqrt(square) / N;
    lab_dataset(&d, "restitution", N, speed, e, 0, lab_pair(0.1, 0.02));
    struct cf_spec spec = lab_spec("e-constant", names, &d, 1);
    struct cf_fit *fit = lab_fit(&spec, curves);
    if (fit) {
        b = draw(fit, CF_BOOTSTRAP_ROWS, MANY, 2);
        const struct cf_resampled *r = &b.parameter[0];
        ok(b.shown && b.failed == 0 && r->known && r->bca, "rows: shown, by BCa");
        is_near(r->standard_error / se, 1, se_tolerance, "rows: error of a mean");
        is_within(r->bias / se, 0, 0.045, "rows: a mean has no bias");
        /* BCa of a mean to the order of the skewness (Hall 1992, 3.10): (1 + 2 z^2)/6 of it */
        z = 1.959963985;
        a = cube / pow(square, 1.5) / 6;
        is_near((r->low - m) / se, -z + a * (1 + 2 * z * z), end_tolerance, "rows: lower end");
        is_near((r->high - m) / se, z + a * (1 + 2 * z * z), end_tolerance, "rows: upper end");
        b = draw(fit, CF_BOOTSTRAP_PARAMETRIC, MANY, 2);
        se = sqrt(square / (N - 1) / N);
        is_near(b.parameter[0].standard_error / se, 1, se_tolerance,
                "parametric: error by the estimated sigma");
        is_near((b.parameter[0].low - m) / se, -z, end_tolerance, "parametric: lower end");
        is_near((b.parameter[0].high - m) / se, z, end_tolerance, "parametric: upper end");
    }
    cf_fit_free(fit);
    cf_dataset_clear(&d);
}

/* Rows of which one in each data set is far above the others, at nearly 1 m/s; the same rows
 * wherever that one is. */
static void skewed_rows(size_t sets, size_t far, double v[], double e[])
{
    size_t n = N / sets;

    for (size_t i = 0; i < N; i++) {
        size_t row = i % n == far ? 0 : 1 + (i % n + n - far - 1) % n;
        v[i] = speed[(row + 6) % N];
        e[i] = 0.7 + (row == 0 ? 0.02 : 0.001 * scatter[row]);
    }
}

/* The mean, or the value of a line in ln v at 1 m/s, of rows with these counts. */
static double estimate(bool line, const double v[], const double e[], const double count[])
{
    double n = 0, x = 0, y = 0, xx = 0, xy = 0;

    for (size_t i = 0; i < N; i++) {
        double u = log(v[i]);
        n += count[i], x += count[i] * u, y += count[i] * e[i];
        xx += count[i] * u * u, xy += count[i] * u * e[i];
    }
    return line ? (xx * y - x * xy) / (n * xx - x * x) : y / n;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *) a, y = *(const double *) b;
    return (x > y) - (x < y);
}

/* The ends of BCa less the estimate, from independent draws and refits. */
static void ends_by_hand(bool line, size_t sets, double end[2])
{
    static double again[MANY];
    double v[N], e[N], count[N], without[N], whole, second = 0, third = 0;
    size_t n = N / sets;
    gsl_rng *rng = cf_random_stream(99, 0);

    skewed_rows(sets, 0, v, e);
    for (size_t i = 0; i < N; i++) {
        for (size_t k = 0; k < N; k++)
            count[k] = k != i;
        without[i] = estimate(line, v, e, count);
        count[i] = 1;
    }
    whole = estimate(line, v, e, count);
    for (size_t i = 0; i < N; i++) {
        double mean = 0, l;
        for (size_t k = i - i % n; k < i - i % n + n; k++)
            mean += without[k] / (double) n;
        l = mean - without[i];
        second += l * l, third += l * l * l;
    }
    for (size_t r = 0; r < MANY; r++) {
        memset(count, 0, sizeof count);
        for (size_t i = 0; i < N; i++)
            count[i - i % n + gsl_rng_uniform_int(rng, n)]++;
        again[r] = estimate(line, v, e, count);
    }
    gsl_rng_free(rng);
    qsort(again, MANY, sizeof *again, ascending);
    cf_bootstrap_bca(again, MANY, whole, third / (6 * pow(second, 1.5)), 0.95, &end[0], &end[1]);
    end[0] -= whole, end[1] -= whole;
}

/* BCa of skewed rows: as computed here, wherever the row is that makes them skewed. The upper ends
 * are quantiles near 99 %, known to 0.06 of the error from two times MANY draws. */
static void skewed(struct cf_curves *curves, bool line, size_t sets)
{
    static const char *const names[][3] = {{"e", NULL}, {"e_at_1", "b", NULL}};
    size_t n = N / sets;
    double want[2], v[N], e[N];

    ends_by_hand(line, sets, want);
    for (int place = 0; place < 3; place++) {
        size_t far = (size_t) place * (n - 1) / 2;
        struct cf_dataset d[2];
        skewed_rows(sets, far, v, e);
        for (size_t k = 0; k < sets; k++)
            lab_dataset(&d[k], "restitution", n, &v[k * n], &e[k * n], 0.01, lab_pair(0.1, 0.02));
        struct cf_spec spec = lab_spec(line ? "e-log" : "e-constant", names[line], d, sets);
        struct cf_fit *fit = lab_fit(&spec, curves);
        if (fit) {
            struct cf_bootstrap b = draw(fit, CF_BOOTSTRAP_ROWS, MANY, 2);
            const struct cf_resampled *r = &b.parameter[0];
            double at = fit->optimum.value[0], se = r->standard_error;
            ok(r->bca && fabs((want[0] + want[1]) / se) > 0.5 &&
                   fabs(r->low - at - want[0]) < 2 * end_tolerance * se &&
                   fabs(r->high - at - want[1]) < 2 * end_tolerance * se,
               "%s, %zu data sets, row %zu far off: %.2f to %.2f, by hand %.2f to %.2f",
               line ? "line" : "constant", sets, far + 1, (r->low - at) / se, (r->high - at) / se,
               want[0] / se, want[1] / se);
        }
        cf_fit_free(fit);
        for (size_t k = 0; k < sets; k++)
            cf_dataset_clear(&d[k]);
    }
}

/* Known sigma and a prior: 1/variance = n/sigma^2 + 1/tau^2, whichever is drawn anew. */
static void prior(struct cf_curves *curves)
{
    static const char *const names[] = {"e", NULL};
    const double sigma = 0.01, tau = 0.004;
    double e[N];
    struct cf_dataset d;

    for (size_t i = 0; i < N; i++)
        e[i] = 0.7 + 0.004 * scatter[i];
    lab_dataset(&d, "restitution", N, speed, e, sigma, lab_pair(0.1, 0.02));
    struct cf_spec spec = lab_spec("e-constant", names, &d, 1);
    spec.free[0].prior_value = 0.71;
    spec.free[0].prior_sigma = tau;
    struct cf_fit *fit = lab_fit(&spec, curves);
    if (fit) {
        struct cf_bootstrap b = draw(fit, CF_BOOTSTRAP_PARAMETRIC, MANY, 2);
        double se = 1 / sqrt(N / (sigma * sigma) + 1 / (tau * tau));
        is_near(b.parameter[0].standard_error / se, 1, se_tolerance, "error with a prior");
        is_within(b.parameter[0].bias / se, 0, 0.045, "the prior is drawn about the optimum");
    }
    cf_fit_free(fit);
    cf_dataset_clear(&d);
}

/* Three rows, two parameters: of 27 samples 3 hold one row only. */
static void too_few(struct cf_curves *curves)
{
    static const char *const names[] = {"e_at_1", "b", NULL};
    const double e[3] = {0.91, 0.84, 0.80}, v[3] = {0.1, 0.9, 5};
    struct cf_dataset d[2];
    struct cf_bootstrap b;
    char want[400];

    lab_dataset(&d[0], "restitution", 3, v, e, 0.01, lab_pair(0.1, 0.02));
    lab_dataset(&d[1], "restitution", 1, v, e, 0.01, lab_pair(0.1, 0.02));
    struct cf_spec spec = lab_spec("e-log", names, d, 1);
    struct cf_fit *fit = lab_fit(&spec, curves);
    if (fit) {
        b = draw(fit, CF_BOOTSTRAP_ROWS, FEW, 2);
        is_within((double) b.failed / FEW, 1. / 9, 4 * sqrt(8. / 81 / FEW), "a ninth fails");
        snprintf(want, sizeof want,
                 "%zu of 600 replicates failed (%zu had too few distinct rows, 0 reached no "
                 "optimum, in 0 an estimated sigma went to nothing): of more than 5 %% the rest is "
                 "no fair sample",
                 b.failed, b.failed);
        ok(!b.shown && !b.parameter[0].known, "then nothing is shown");
        is_str(b.why, want, "but the reason");
        b = draw(fit, CF_BOOTSTRAP_PARAMETRIC, FEW, 2);
        ok(b.shown && b.failed == 0, "the parametric bootstrap keeps all rows");
        spec.options.level = 0.9995;
        b = draw(fit, CF_BOOTSTRAP_PARAMETRIC, FEW, 1);
        is_str(b.why,
               "600 replicates do not reach the ends of a 99.95 % interval: at least 3999 do",
               "too few replicates");
        spec.options.level = 0.95;
    }
    cf_fit_free(fit);
    spec.ndata = 2;
    fit = lab_fit(&spec, curves);
    if (fit) {
        b = draw(fit, CF_BOOTSTRAP_ROWS, FEW, 1);
        is_str(b.why,
               "data set restitution has a single row: drawing rows cannot show how it scatters",
               "a single row");
    }
    cf_fit_free(fit);
    cf_dataset_clear(&d[0]);
    cf_dataset_clear(&d[1]);
}

/* Four rows, two parameters, sigma to be estimated: of 256 samples 4 hold one row only and 84 two,
 * which a straight line fits exactly. */
static void vanishing(struct cf_curves *curves)
{
    static const char *const names[] = {"e_at_1", "b", NULL};
    const double e[4] = {0.910437, 0.841263, 0.829318, 0.792851}, v[4] = {0.1, 0.9, 2, 5};
    struct cf_dataset d;
    unsigned all, unidentified = 0, vanished = 0;

    lab_dataset(&d, "restitution", 4, v, e, 0, lab_pair(0.1, 0.02));
    struct cf_spec spec = lab_spec("e-log", names, &d, 1);
    struct cf_fit *fit = lab_fit(&spec, curves);
    if (fit) {
        struct cf_bootstrap b = draw(fit, CF_BOOTSTRAP_ROWS, MANY, 2);
        ok(sscanf(b.why,
                  "%u of 8000 replicates failed (%u had too few distinct rows, 0 reached no "
                  "optimum, in %u an estimated sigma went to nothing)",
                  &all, &unidentified, &vanished) == 3 &&
               all == unidentified + vanished,
           "counted by kind: %s", b.why);
        is_within(unidentified / 8000., 4. / 256, 4 * sqrt(4. / 256 / MANY), "one row");
        is_near(vanished / 8000., 84. / 256, 4 * sqrt(84. / 256 / MANY), "two rows");
    }
    cf_fit_free(fit);
    cf_dataset_clear(&d);
}

/* A curved law on two kinds of data, one sigma estimated: the same bits for all jobs; and without
 * the contact times k and lambda are flat, but their combination has its interval. */
static void curved(struct cf_curves *curves)
{
    static const char *const names[] = {"k", "lambda", NULL};
    const double p[2] = {3.1e7, 4.7e3}, m = 0.31;
    double e[N], t[N];
    struct cf_dataset d[2];
    struct cf_bootstrap one, other;

    lab_impacts("azad-featherstone", p, m, N, speed, scatter, 1e-3, 1e-2, e, t);
    lab_dataset(&d[0], "restitution", N, speed, e, 0, lab_pair(m, 0.05));
    lab_dataset(&d[1], "duration", N, speed, t, 1e-4, lab_pair(m, 0.05));
    struct cf_spec spec = lab_spec("azad-featherstone", names, d, 2);
    struct cf_fit *fit = lab_fit(&spec, curves);
    for (int kind = 0; fit && kind < CF_NBOOTSTRAP; kind++) {
        one = draw(fit, (enum cf_bootstrap_kind) kind, FEW, 1);
        ok(one.shown && one.parameter[0].known && one.parameter[1].known, "both are shown");
        for (size_t jobs = 2; jobs <= 7; jobs += jobs == 3 ? 4 : 1) {
            other = draw(fit, (enum cf_bootstrap_kind) kind, FEW, jobs);
            ok(same_bits(&one, &other, 2), "the same bits");
        }
    }
    cf_fit_free(fit);
    spec.ndata = 1;
    fit = lab_fit(&spec, curves);
    if (fit) {
        one = draw(fit, CF_BOOTSTRAP_PARAMETRIC, FEW, 2);
        const struct cf_interval *wald = &fit->combination[0];
        ok(one.shown && !one.parameter[0].known && !one.parameter[1].known,
           "flat parameters have none");
        ok(one.combination[0].known, "their combination has");
        is_near(log(one.combination[0].high / one.combination[0].low) / log(wald->high / wald->low),
                1.959963985 / 2.200985160, 0.15, "as wide as Wald's, without Student's t");
    }
    cf_fit_free(fit);
    cf_dataset_clear(&d[0]);
    cf_dataset_clear(&d[1]);
}

TEST(bootstrap)
{
    struct cf_curves *curves = cf_curves_alloc();
    gsl_set_error_handler_off();
    plan(58 + 4 * 3 * 2);
    bca_by_hand();
    mean(curves);
    skewed(curves, false, 1);
    skewed(curves, false, 2);
    skewed(curves, true, 1);
    skewed(curves, true, 2);
    prior(curves);
    too_few(curves);
    vanishing(curves);
    curved(curves);
    for (size_t i = 0; i < ndrawn; i++)
        cf_bootstrap_clear(&drawn[i]);
    cf_curves_free(curves);
    return done();
}
