/* Noise that is not one sigma a column: its variances by REML against dense matrices on a grid;
 * what is chosen, and what is not; and the tests of what the noise is taken to be. */

#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_math.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <string.h>

#include "core/random.h"
#include "judge/noise_tests.h"
#include "lab.h"
#include "tap.h"

enum { N = 24 };
static const char *const line_names[] = {"e_at_1", "b", NULL};

static double speed_at(size_t i)
{
    return 0.3 * pow(16, (double) i / (N - 1));
}

/* -2 ln L_R of a straight line in ln x with these variances of N rows, dense. */
static double restricted(const double x[], const double y[], const double variance[])
{
    double a = 0, b = 0, c = 0, u = 0, v = 0, yy = 0, logs = 0;

    for (size_t i = 0; i < N; i++) {
        double w = 1 / variance[i], l = log(x[i]);
        a += w, b += w * l, c += w * l * l, u += w * y[i], v += w * l * y[i];
        yy += w * y[i] * y[i];
        logs += log(variance[i]);
    }
    double det = a * c - b * b;
    return logs + log(det) + yy - (c * u * u - 2 * b * u * v + a * v * v) / det;
}

/* e about a line with errors of sigma = base + growth x, from a stream. */
static void draw(unsigned stream, double base, double growth, double x[], double e[])
{
    gsl_rng *rng = cf_random_stream(11, stream);

    for (size_t i = 0; i < N; i++) {
        x[i] = speed_at(i);
        e[i] = 0.85 - 0.03 * log(x[i]) + gsl_ran_gaussian(rng, hypot(base, growth * x[i]));
    }
    gsl_rng_free(rng);
}

static struct cf_fit *fit_of(struct cf_dataset *d, struct cf_spec *spec, struct cf_curves *curves,
                             const double x[], const double e[], enum cf_sigma_model model)
{
    lab_dataset(d, "restitution", N, x, e, 0, lab_pair(0.1, 0.02));
    d->series[cf_protocol_channel(d->protocol, "restitution")].model = model;
    *spec = lab_spec("e-log", line_names, d, 1);
    spec->options.starts = 4;
    spec->options.screen = 64;
    return lab_fit(spec, curves);
}

/* REML's variances are the least of a grid about them. */
static void growing(struct cf_curves *curves)
{
    double x[N], e[N], variance[N], least = INFINITY, own;
    struct cf_dataset d;
    struct cf_spec spec;

    draw(1, 0.002, 0.004, x, e);
    struct cf_fit *fit = fit_of(&d, &spec, curves, x, e, CF_SIGMA_BOTH);
    if (fit) {
        const struct cf_channel *c = &fit->optimum.problem.channel[0];
        ok(c->model == CF_SIGMA_BOTH && c->slope2 > 0, "a part of sigma grows: %g",
           sqrt(c->slope2));
        for (size_t i = 0; i < N; i++)
            variance[i] = c->base2 + c->slope2 * x[i] * x[i];
        own = restricted(x, e, variance);
        for (int a = -20; a <= 20; a++)
            for (int b = -20; b <= 20; b++) {
                for (size_t i = 0; i < N; i++)
                    variance[i] = c->base2 * pow(1.1, a) + c->slope2 * pow(1.1, b) * x[i] * x[i];
                least = fmin(least, restricted(x, e, variance));
            }
        ok(own <= least + 1e-9, "no variances about them are likelier: %.9f, %.9f", own, least);
        ok(fit->optimum.variance_fall < 1e-6, "as the gate finds: %g", fit->optimum.variance_fall);
        for (size_t i = 0; i < N; i += N - 1)
            is_near(fit->optimum.problem.observation[i].sigma /
                        sqrt(c->base2 + c->slope2 * x[i] * x[i]),
                    1, 1e-12, "row %zu has its own sigma", i + 1);
        is_within(c->sigma, sqrt(c->base2 + c->slope2 * (x[0] * x[0] + x[N - 1] * x[N - 1]) / 2),
                  0.02, "the column's is about their mean");
    }
    cf_fit_free(fit);
    cf_dataset_clear(&d);
}

/* What is chosen: of constant noise and of growing noise; one bad row at the end is no growth. */
static void chosen(struct cf_curves *curves)
{
    size_t constant = 0, both = 0, kept = 0, named = 0, compared = 0;

    for (unsigned s = 0; s < 40; s++)
        for (int kind = 0; kind < 3; kind++) {
            double x[N], e[N];
            struct cf_dataset d;
            struct cf_spec spec;
            draw(100 + s, kind == 1 ? 0.0005 : 0.004, kind == 1 ? 0.004 : 0, x, e);
            if (kind == 2)
                e[N - 1] -= 0.05;
            struct cf_fit *fit = fit_of(&d, &spec, curves, x, e, CF_SIGMA_CHOSEN);
            bool grows = fit && fit->optimum.problem.channel[0].model == CF_SIGMA_BOTH;
            constant += kind == 0 && fit && !grows;
            both += kind == 1 && grows;
            compared += kind == 1 && grows && fit->nrival == 1 &&
                        fabs(fit->rival[0].aicc - fit->optimum.aicc) < 1e-6;
            kept += kind == 2 && fit && !grows;
            named += kind == 2 && fit && fit->outliers.noutlier == 1 &&
                     fit->outliers.item[0].observation == N - 1;
            cf_fit_free(fit);
            cf_dataset_clear(&d);
        }
    ok(constant >= 39, "constant noise is taken as such: %zu of 40", constant);
    ok(both >= 36, "growing noise is seen: %zu of 40", both);
    ok(both > 0 && compared == both, "and is that of the comparison of laws: %zu", compared);
    ok(kept >= 33 && named >= 33,
       "a bad row at the end is an outlier, and no growth: %zu, %zu of 40", named, kept);
}

/* Two columns whose errors correlate. */
static void correlated(struct cf_curves *curves)
{
    static const char *const free_names[] = {"k", "lambda", NULL};
    double x[N], e[N], t[N], p[] = {1e7, 632.5}, scatter[N] = {0}, ee = 0, tt = 0, et = 0;
    gsl_rng *rng = cf_random_stream(5, 3);
    struct cf_dataset d;
    struct cf_fit *fit;

    for (size_t i = 0; i < N; i++)
        x[i] = speed_at(i);
    lab_impacts("azad-featherstone", p, 0.1, N, x, scatter, 0, 0, e, t);
    for (size_t i = 0; i < N; i++) {
        double both = gsl_ran_gaussian(rng, 1);
        e[i] += 0.004 * (0.9 * both + gsl_ran_gaussian(rng, sqrt(1 - 0.81)));
        t[i] += 2e-5 * (0.9 * both + gsl_ran_gaussian(rng, sqrt(1 - 0.81)));
    }
    gsl_rng_free(rng);
    lab_dataset(&d, "restitution", N, x, e, 0, lab_pair(0.1, 0.02));
    size_t duration = cf_protocol_channel(d.protocol, "duration");
    for (size_t i = 0; i < N; i++)
        lab_put(&d, i, duration, t[i], 0);
    d.series[duration].kind = CF_SIGMA_ESTIMATE;
    struct cf_spec spec = lab_spec("azad-featherstone", free_names, &d, 1);
    fit = lab_fit(&spec, curves);
    if (fit) {
        const struct cf_channel *c = fit->optimum.problem.channel;
        double rho = c[0].covariance / (c[0].sigma * c[1].sigma);
        ok(c[0].partner == 1 && c[1].partner == CF_NO_CHANNEL, "the second is the first's partner");
        for (size_t i = 0; i < N; i++) {
            double a = e[i] - fit->predicted[2 * i].value,
                   b = t[i] - fit->predicted[2 * i + 1].value;
            ee += a * a, tt += b * b, et += a * b;
        }
        is_near(rho, et / sqrt(ee * tt), 0.03, "the correlation of the residuals");
        ok(rho > 0.6 && fit->optimum.variance_fall < 1e-6, "is the likeliest: %g", rho);
        ok(fit->noise_tests.n && !fit->noise_tests.item[0].rejects, "nothing is left to see");
    }
    cf_fit_free(fit);
    cf_dataset_clear(&d);
}

/* The p of skewness: of the examples of scipy.stats.skewtest(). */
static void skewness(void)
{
    static const double even[] = {2, 8, 0, 4, 1, 9, 9, 0}, far[] = {1, 2, 3, 4, 5, 6, 7, 8000};
    double g;

    is_near(cf_skewness_p(even, 8, &g), 0.6554066631275459, 1e-9, "skewness, an even sample");
    is_near(cf_skewness_p(far, 8, &g), 0.0003545719905823133, 1e-12, "and one with a far value");
}

static bool is_advised(const struct cf_fit *fit, const char *words)
{
    for (size_t i = 0; i < fit->advice.n; i++)
        if (strstr(fit->advice.text[i], words))
            return true;
    return false;
}

/* How often the tests cry of normal noise, and that they see what is there. */
static void rates(struct cf_curves *curves)
{
    size_t cried = 0, skewed = 0, shrinking = 0, advised = 0;

    static const char *const name_of[] = {"", "skewness", "scatter with speed"};
    static const char *const advice_of[] = {"", "rows that share a defect", "a sigma for each row"};

    for (unsigned s = 0; s < 100; s++)
        for (int kind = 0; kind < 3; kind++) {
            double x[N], e[N];
            struct cf_dataset d;
            struct cf_spec spec;
            gsl_rng *rng = cf_random_stream(77, s);
            for (size_t i = 0; i < N; i++) {
                x[i] = speed_at(i);
                double z = kind == 1 ? 1 - gsl_ran_exponential(rng, 1) : gsl_ran_gaussian(rng, 1);
                e[i] = 0.85 - 0.03 * log(x[i]) + 0.004 * z * (kind == 2 ? 1 / x[i] : 1);
            }
            gsl_rng_free(rng);
            struct cf_fit *fit = fit_of(&d, &spec, curves, x, e, CF_SIGMA_CHOSEN);
            for (size_t i = 0; fit && i < fit->noise_tests.n; i++) {
                const struct cf_test *t = &fit->noise_tests.item[i];
                bool found = t->rejects && kind && strcmp(t->name, name_of[kind]) == 0;
                cried += kind == 0 && t->rejects;
                skewed += kind == 1 && found;
                shrinking += kind == 2 && found;
                advised += found && is_advised(fit, advice_of[kind]);
            }
            cf_fit_free(fit);
            cf_dataset_clear(&d);
        }
    ok(advised && advised == skewed + shrinking, "each with its own advice: %zu", advised);
    ok(cried <= 5, "normal noise: %zu of 100 fits cry", cried);
    ok(skewed >= 35, "exponential noise: %zu of 100 see it", skewed);
    ok(shrinking >= 85, "noise that shrinks along the axis: %zu of 100 see it", shrinking);
}

TEST(noise)
{
    struct cf_curves *curves = cf_curves_alloc();

    plan(20);
    gsl_set_error_handler_off();
    growing(curves);
    chosen(curves);
    correlated(curves);
    skewness();
    rates(curves);
    cf_curves_free(curves);
    return done();
}
