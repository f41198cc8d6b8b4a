/* The sampler against answers in closed form: chains whose effective size is known, targets whose
 * moments are known, and straight lines, whose posterior is normal or Student's t. */

#include "resample/posterior.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_randist.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/random.h"
#include "identify/fit.h"
#include "lab.h"
#include "resample/convergence.h"
#include "resample/ensemble.h"
#include "resample/predictive.h"
#include "tap.h"

enum { N = 14, CHAINS = 4, STEPS = 5000 };

static const double speed[N] = {0.11, 0.17, 0.26, 0.39, 0.55, 0.83, 1.2,
                                1.7,  2.4,  3.1,  4.3,  5.9,  7.7,  9.4};
static const double scatter[N] = {-1.7, -3.6, -0.6, -3.5, 0.3, 4.4, -2.6,
                                  1.2,  0.3,  -1.5, 0.5,  3.4, 4.3, 2.1};

/* x[chains][steps][walkers] of the recursion x' = rho x + noise, of unit variance, shifted and
 * widened by chain. */
static void recursion(double x[], size_t steps, size_t walkers, double rho, double shift,
                      double widen)
{
    for (size_t c = 0; c < CHAINS; c++) {
        gsl_rng *rng = cf_random_stream(11, c);
        for (size_t w = 0; w < walkers; w++) {
            double v = gsl_ran_gaussian(rng, 1);
            for (size_t t = 0; t < steps; t++) {
                x[(c * steps + t) * walkers + w] = (c == 0 ? shift : 0) + v * (c == 0 ? widen : 1);
                v = rho * v + sqrt(1 - rho * rho) * gsl_ran_gaussian(rng, 1);
            }
        }
        gsl_rng_free(rng);
    }
}

/* n (1 - rho)/(1 + rho) independent draws. */
static void diagnostics(void)
{
    enum { WALKERS = 4 };
    static double x[CHAINS * STEPS * WALKERS];
    struct cf_convergence v;
    double n = CHAINS * STEPS;

    recursion(x, STEPS, 1, 0, 0, 1);
    cf_convergence(x, CHAINS, STEPS, 1, &v, NULL);
    ok(v.rhat < 1.002, "independent draws: R-hat %g", v.rhat);
    is_near(v.ess_bulk / n, 1, 0.1, "independent draws: all count");
    is_near(v.ess_tail / n, 1, 0.1, "also in the tails");
    recursion(x, STEPS, 1, 0.6, 0, 1);
    cf_convergence(x, CHAINS, STEPS, 1, &v, NULL);
    is_near(v.ess_bulk / n, 0.25, 0.025, "correlation 0.6: a quarter");
    recursion(x, STEPS, 1, -0.5, 0, 1);
    cf_convergence(x, CHAINS, STEPS, 1, &v, NULL);
    is_near(v.ess_bulk / n, 3, 0.3, "correlation -0.5: three times as many");
    recursion(x, STEPS, WALKERS, 0.6, 0, 1);
    cf_convergence(x, CHAINS, STEPS, WALKERS, &v, NULL);
    is_near(v.ess_bulk / n, 0.25 * WALKERS, 0.1, "independent walkers: each as one chain");
    /* identical walkers count as one */
    for (size_t i = 0; i < CHAINS * STEPS; i++)
        for (size_t w = 1; w < WALKERS; w++)
            x[i * WALKERS + w] = x[i * WALKERS];
    cf_convergence(x, CHAINS, STEPS, WALKERS, &v, NULL);
    is_near(v.ess_bulk / n, 0.25, 0.025, "walkers that all do the same count once");

    /* one chain of four off by two: W = 1, B/n = 4/4 about */
    recursion(x, STEPS, 1, 0, 2, 1);
    cf_convergence(x, CHAINS, STEPS, 1, &v, NULL);
    ok(v.rhat > 1.1, "a chain that is elsewhere: R-hat %g", v.rhat);
    ok(v.ess_bulk < 100, "and hardly any effective size: %g", v.ess_bulk);
    recursion(x, STEPS, 1, 0, 0, 4);
    cf_convergence(x, CHAINS, STEPS, 1, &v, NULL);
    ok(v.rhat > 1.1, "a chain at the same place, but wider: R-hat %g", v.rhat);
    /* all chains drift alike: whole chains agree, their halves do not */
    recursion(x, STEPS, 1, 0, 0, 1);
    for (size_t i = 0; i < CHAINS * STEPS; i++)
        x[i] += i % STEPS < STEPS / 2 ? 0 : 2;
    cf_convergence(x, CHAINS, STEPS, 1, &v, NULL);
    ok(v.rhat > 1.1, "halves that differ: R-hat %g", v.rhat);
    for (size_t i = 0; i < CHAINS * STEPS; i++)
        x[i] = 3.7;
    cf_convergence(x, CHAINS, STEPS, 1, &v, NULL);
    ok(isnan(v.rhat) && isnan(v.ess_bulk), "what never moves gives no number");
}

/* A banana: x0 ~ N(0, 1), x1 = x0^2 + N(0, 0.5). */
static double banana(void *context, const double x[], size_t worker)
{
    double off = (x[1] - x[0] * x[0]) / 0.5;
    (void) context;
    (void) worker;
    return -0.5 * (x[0] * x[0] + off * off);
}

/* Two modes of weight 0.3 and 0.7, ten of their widths apart; cut off at 12. */
static double hills(void *context, const double x[], size_t worker)
{
    (void) context;
    (void) worker;
    if (x[0] > 12)
        return -INFINITY;
    return log(0.3 * exp(-0.5 * x[0] * x[0]) + 0.7 * exp(-0.5 * (x[0] - 10) * (x[0] - 10)));
}

/* Mean of f over the steps of an ensemble that starts scattered over [-2, 12]. */
static void average(cf_log_density *density, size_t dim, size_t steps, double sum[4])
{
    struct cf_ensemble e;

    cf_ensemble_init(&e, dim, 20, 5, 0);
    for (size_t i = 0; i < e.walkers; i++) {
        for (size_t j = 0; j < dim; j++)
            e.x[i * dim + j] = -2 + 13.9 * gsl_rng_uniform(e.rng);
        e.log_density[i] = density(NULL, &e.x[i * dim], 0);
    }
    memset(sum, 0, 4 * sizeof *sum);
    for (size_t t = 0; t < steps + steps / 4; t++) {
        cf_ensemble_step(&e, density, NULL, 0);
        for (size_t i = 0; i < e.walkers && t >= steps / 4; i++) {
            const double *x = &e.x[i * dim], share = 1. / (double) (steps * e.walkers);
            sum[0] += share * x[0];
            sum[1] += share * x[0] * x[0];
            sum[2] += share * x[dim - 1];
            sum[3] += share * x[dim - 1] * x[dim - 1];
        }
    }
    cf_ensemble_clear(&e);
}

static void targets(void)
{
    double m[4];

    average(banana, 2, 20000, m);
    is_within(m[0], 0, 0.03, "banana: mean of the first");
    is_near(m[1], 1, 0.07, "banana: its variance");
    is_near(m[2], 1, 0.07, "banana: mean of the second");
    is_near(m[3], 3.25, 0.35, "banana: E x0^4 + 0.25");
    /* the normal at 10 loses Q(2) to the cut-off: 0.7 * 0.97725 of it is left */
    double left = 0.7 * 0.977249868, loss = 0.7 * 0.053990967;
    average(hills, 1, 20000, m);
    is_near(m[0], (10 * left - loss) / (0.3 + left), 0.2, "two hills and a cliff: mean");
}

/* All that was sampled, to be cleared at the end. */
static struct cf_posterior sampled[20];
static size_t nsampled;

static struct cf_posterior posterior_of(const struct cf_fit *fit, size_t steps, size_t jobs)
{
    const struct cf_workers workers = {.jobs = jobs};
    struct cf_posterior p;
    struct cf_error err = {""};
    ok(cf_posterior(&fit->optimum, fit->status != CF_VERDICT_FAILED, steps, &workers, &p, &err) ==
           CF_OK,
       "a posterior, %zu jobs: %s", jobs, err.text);
    if (nsampled < sizeof sampled / sizeof *sampled)
        sampled[nsampled++] = p;
    return p;
}

static bool same_bits(const struct cf_posterior *p, const struct cf_posterior *q)
{
    size_t n = p->nfree;
    return p->rhat_max == q->rhat_max && p->ess_min == q->ess_min && p->steps == q->steps &&
           memcmp(p->parameter, q->parameter, n * sizeof *p->parameter) == 0 &&
           memcmp(p->correlation, q->correlation, n * n * sizeof *p->correlation) == 0 &&
           memcmp(p->draw, q->draw, CF_NDRAW * n * sizeof *p->draw) == 0;
}

/* An interval's end to within Monte Carlo error: the sampling error of a 2.5 % quantile of a normal
 * is 2.67 standard deviations/sqrt(n). */
static void ends(const struct cf_posterior_number *p, double centre, double half, double se,
                 const char *what)
{
    double tolerance = 4 * 3.5 * se / sqrt(p->ess);
    ok(p->ess > 400 && p->rhat < 1.01, "%s: converged", what);
    ok(fabs(p->median - centre) < 4 * 1.26 * se / sqrt(p->ess), "%s: median %g, exactly %g", what,
       p->median, centre);
    ok(fabs(p->low - centre + half) < tolerance, "%s: low %g, exactly %g", what, p->low,
       centre - half);
    ok(fabs(p->high - centre - half) < tolerance, "%s: high %g, exactly %g", what, p->high,
       centre + half);
}

/* e = a - b ln v: normal with sigma given, Student's t with n - 2 degrees of freedom else. */
static void line(struct cf_curves *curves, double sigma)
{
    static const char *const names[] = {"e_at_1", "b", NULL};
    double e[N], sx = 0, sy = 0, sxx = 0, sxy = 0, rss = 0;
    struct cf_dataset d;
    struct cf_error err = {""};
    struct cf_fit *fit = NULL;

    for (size_t i = 0; i < N; i++) {
        double x = log(speed[i]);
        e[i] = 0.82 - 0.03 * x + 0.001 * scatter[i];
        sx += x, sy += e[i], sxx += x * x, sxy += x * e[i];
    }
    double D = N * sxx - sx * sx, b = (N * sxy - sx * sy) / D, a = (sy - b * sx) / N;
    for (size_t i = 0; i < N; i++)
        rss += pow(e[i] - a - b * log(speed[i]), 2);
    double s = sigma > 0 ? sigma : sqrt(rss / (N - 2)), t = sigma > 0 ? 1.959963985 : 2.178812830;
    double se_a = s * sqrt(sxx / D), se_b = s * sqrt(N / D);

    lab_dataset(&d, "restitution", N, speed, e, sigma, lab_pair(0.1, 0.02));
    struct cf_spec spec = lab_spec("e-log", names, &d, 1);
    ok(cf_fit_run(&spec, NULL, 0, curves, NULL, &fit, &err) == CF_OK, "the fit: %s", err.text);
    if (fit) {
        struct cf_posterior p = posterior_of(fit, 1000, 1), q = posterior_of(fit, 1000, 3);
        ok(p.converged, "converged: %s", p.why);
        ends(&p.parameter[0], a, t * se_a, se_a, sigma > 0 ? "intercept, given" : "intercept");
        ends(&p.parameter[1], -b, t * se_b, se_b, sigma > 0 ? "slope, given" : "slope");
        /* of a and -b: sum x/sqrt(n sum x^2) */
        is_near(p.correlation[0 * p.nfree + 1], sx / sqrt(N * sxx), 0.05, "correlation");
        double mean = 0;
        for (size_t i = 0; i < CF_NDRAW; i++)
            mean += p.draw[i * p.nfree + 1] / CF_NDRAW;
        is_within((mean + b) / se_b, 0, 0.25, "the thinned draws lie about the same place");
        ok(same_bits(&p, &q), "the same bits from three threads");
        ok(p.nreplicated == N && memcmp(p.replicated, q.replicated, N * sizeof *p.replicated) == 0,
           "and of what it predicts");
        for (size_t i = 0; i < p.nreplicated && i < N; i += 4) {
            /* normal or Student's t about the line, of variance s^2 (1 + leverage) */
            double x = log(speed[i]), leverage = 1.0 / N + pow(x - sx / N, 2) * N / D;
            double half = t * s * sqrt(1 + leverage), off = 0.2 * s * sqrt(leverage);
            const struct cf_replicated *r = &p.replicated[i];
            ok(fabs(r->median - a - b * x) < off &&
                   fabs(r->low - a - b * x + half) < off + 0.04 * half &&
                   fabs(r->high - a - b * x - half) < off + 0.04 * half,
               "replicates at %g: %g to %g, exactly %g to %g", speed[i], r->low, r->high,
               a + b * x - half, a + b * x + half);
        }
    }
    cf_fit_free(fit);
    cf_dataset_clear(&d);
}

enum { SETS = 6, EACH = 4 };

/* Sum of squares of e + b x about their mean. */
static double squares(const double x[], const double e[], double b)
{
    double sum = 0, a = 0;

    for (size_t i = 0; i < EACH; i++)
        a += (e[i] + b * x[i]) / EACH;
    for (size_t i = 0; i < EACH; i++)
        sum += pow(e[i] + b * x[i] - a, 2);
    return sum;
}

/* e = a - b ln v in sets of one sigma, all but the first with a bias of their own: where these and
 * ln sigma are integrated out, N readings in m sets leave (sum of squares about the means of the
 * sets)^(-(N - m)/2). It takes most of the time: 600 steps, which are just enough, and 1000 by
 * CHECK_FULL. */
static void biases(struct cf_curves *curves)
{
    static const char *const names[] = {"e_at_1", "b", NULL};
    struct cf_dataset d[SETS];
    struct cf_nuisance nuisance[SETS];
    double x[SETS][EACH], e[SETS][EACH], total = 0, below[3] = {0};
    struct cf_fit *fit = NULL;
    struct cf_error err = {""};

    for (size_t s = 0; s < SETS; s++) {
        double v[EACH];
        for (size_t i = 0; i < EACH; i++) {
            v[i] = 0.4 * pow(1.6, (double) i) * (1 + 0.1 * (double) s);
            x[s][i] = log(v[i]);
            e[s][i] = 0.8 - 0.03 * x[s][i] + 0.004 * (double) s + 0.001 * scatter[(3 * s + i) % N];
        }
        lab_dataset(&d[s], "restitution", EACH, v, e[s], 0, lab_pair(0.1, 0.02));
        nuisance[s] = (struct cf_nuisance){s, CF_NUISANCE_BIAS, 0, NAN, NAN, NAN, NAN, NAN};
        nuisance[s].index = cf_protocol_channel(d[s].protocol, "restitution");
    }
    struct cf_spec spec = lab_spec("e-log", names, d, SETS);
    spec.nuisance = nuisance + 1;
    spec.nnuisance = SETS - 1;
    ok(cf_fit_run(&spec, NULL, 0, curves, NULL, &fit, &err) == CF_OK, "biases: %s", err.text);
    if (fit) {
        struct cf_posterior p = posterior_of(fit, is_full_check() ? 1000 : 600, 1);
        const struct cf_posterior_number *b = &p.parameter[1];
        ok(p.converged && fit->optimum.problem.nlocal == SETS - 1, "biases: converged: %s", p.why);
        /* of the first set, a stands for the bias */
        for (double at = -0.02; at < 0.08; at += 2e-5) {
            double sum = 0, weight;
            for (size_t s = 0; s < SETS; s++)
                sum += squares(x[s], e[s], at);
            weight = exp(-SETS * (EACH - 1) / 2. * log(sum) - 100);
            total += weight;
            below[0] += at < b->low ? weight : 0;
            below[1] += at < b->median ? weight : 0;
            below[2] += at < b->high ? weight : 0;
        }
        for (int k = 0; k < 3; k++) {
            static const double want[] = {0.025, 0.5, 0.975};
            double error = 4 * sqrt(want[k] * (1 - want[k]) / b->ess) + 1e-3;
            ok(fabs(below[k] / total - want[k]) < error, "biases: %.4f of b below, %.3f should be",
               below[k] / total, want[k]);
        }
    }
    cf_fit_free(fit);
    for (size_t s = 0; s < SETS; s++)
        cf_dataset_clear(&d[s]);
}

/* Results that must not be shown, and the reasons given. */
static void refusals(struct cf_curves *curves)
{
    static const char start[] =
        "the sampler did not converge: after 64 steps of warm-up and 64 more R-hat is ";
    static const char *const group[] = {"k", "lambda", NULL}, *const two[] = {"e_at_1", "b", NULL};
    double e[N];
    struct cf_dataset d;
    struct cf_fit *fit = NULL;
    struct cf_posterior p;

    for (size_t i = 0; i < N; i++)
        e[i] = 0.82 - 0.03 * log(speed[i]) + 0.001 * scatter[i];
    lab_dataset(&d, "restitution", N, speed, e, 0.004, lab_pair(0.1, 0.02));
    struct cf_spec spec = lab_spec("azad-featherstone", group, &d, 1);
    if (!cf_fit_run(&spec, NULL, 0, curves, NULL, &fit, NULL)) {
        p = posterior_of(fit, 1000, 1);
        ok(!p.converged, "flat parameters have no posterior");
        is_str(p.why,
               "undetermined: the data do not identify k and lambda, whose posterior would be the "
               "bounds that were chosen",
               "and it says so");
    }
    cf_fit_free(fit);
    fit = NULL;
    spec = lab_spec("e-log", two, &d, 1);
    if (!cf_fit_run(&spec, NULL, 0, curves, NULL, &fit, NULL)) {
        p = posterior_of(fit, 8, 1); /* far too few steps, and few times twice as many */
        ok(!p.converged, "8 steps do not converge");
        ok(strncmp(p.why, start, strlen(start)) == 0, "and it says so: %s", p.why);
        ok(p.parameter[0].low == 0 && p.draw[0] == 0, "and shows nothing");
    }
    cf_fit_free(fit);
    cf_dataset_clear(&d);
    fit = NULL;
    lab_dataset(&d, "restitution", 2, speed, e, 0, lab_pair(0.1, 0.02));
    spec = lab_spec("e-log", two, &d, 1);
    if (!cf_fit_run(&spec, NULL, 0, curves, NULL, &fit, NULL)) {
        p = posterior_of(fit, 100, 1);
        is_str(p.why,
               "the parameters can follow all 2 values of restitution in data set restitution, so "
               "that its estimated sigma has no posterior: state that sigma",
               "a sigma that can vanish");
    }
    cf_fit_free(fit);
    cf_dataset_clear(&d);
}

TEST(posterior)
{
    struct cf_curves *curves = cf_curves_alloc();
    gsl_set_error_handler_off();
    plan(56 + 2 * 5 + 6);
    diagnostics();
    targets();
    line(curves, 0.004);
    line(curves, 0);
    biases(curves);
    refusals(curves);
    for (size_t i = 0; i < nsampled; i++)
        cf_posterior_clear(&sampled[i]);
    cf_curves_free(curves);
    return done();
}
