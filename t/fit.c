/* The fit against what is known without it: ordinary regression in closed form for a law that is
 * linear in its parameters, recovery of the true parameters, and the textbook's t. */

#include "identify/fit.h"

#include <gsl/gsl_errno.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "judge/interval.h"
#include "lab.h"
#include "tap.h"

enum { N = 14 };

/* Speeds, and a scatter that follows no law: digits of pi less their mean. */
static const double speed[N] = {0.11, 0.17, 0.26, 0.39, 0.55, 0.83, 1.2,
                                1.7,  2.4,  3.1,  4.3,  5.9,  7.7,  9.4};
static const double scatter[N] = {-1.7, -3.6, -0.6, -3.5, 0.3, 4.4, -2.6,
                                  1.2,  0.3,  -1.5, 0.5,  3.4, 4.3, 2.1};

static struct cf_fit *fit_of(const struct cf_spec *spec, struct cf_curves *curves,
                             const struct cf_law *const rival[], size_t nrival)
{
    struct cf_error err = {""};
    struct cf_fit *fit = NULL;
    if (cf_fit_run(spec, rival, nrival, curves, NULL, &fit, &err))
        ok(false, "the fit failed: %s", err.text);
    return fit;
}

/* e = a - b ln v is a straight line in ln v: slope, intercept, their errors by the textbook. */
static void regression(struct cf_curves *curves, double sigma)
{
    static const char *const free_names[] = {"e_at_1", "b", NULL};
    double e[N], sx = 0, sy = 0, sxx = 0, sxy = 0, rss = 0, b, a, s, quantile;
    struct cf_dataset d;

    for (size_t i = 0; i < N; i++) {
        double x = log(speed[i]);
        e[i] = 0.82 - 0.03 * x + 0.001 * scatter[i];
        sx += x, sy += e[i], sxx += x * x, sxy += x * e[i];
    }
    b = (N * sxy - sx * sy) / (N * sxx - sx * sx);
    a = (sy - b * sx) / N;
    for (size_t i = 0; i < N; i++)
        rss += pow(e[i] - a - b * log(speed[i]), 2);
    s = sigma > 0 ? sigma : sqrt(rss / (N - 2));
    /* Student's t at 97.5 % for 12 degrees of freedom, and the normal's, from printed tables */
    quantile = sigma > 0 ? 1.959963985 : 2.178812830;

    lab_dataset(&d, "restitution", N, speed, e, sigma, lab_pair(0.1, 0.02));
    struct cf_spec spec = lab_spec("e-log", free_names, &d, 1);
    struct cf_fit *fit = fit_of(&spec, curves, NULL, 0);
    const char *which = sigma > 0 ? "given" : "estimated";
    if (fit) {
        double se_b = s * sqrt(N / (N * sxx - sx * sx)), se_a = s * sqrt(sxx / (N * sxx - sx * sx));
        const struct cf_unknown *w = fit->optimum.problem.unknown;
        double scale_a = w[0].scale == CF_SCALE_LOG ? a : 1,
               scale_b = w[1].scale == CF_SCALE_LOG ? -b : 1;
        is_near(fit->optimum.value[0], a, 1e-9, "sigma %s: intercept", which);
        is_near(fit->optimum.value[1], -b, 1e-9, "sigma %s: slope", which);
        is_near(fit->estimate[0].standard_error * scale_a / se_a, 1, 1e-6,
                "sigma %s: error of the intercept", which);
        is_near(fit->estimate[1].standard_error * scale_b / se_b, 1, 1e-6,
                "sigma %s: error of the slope", which);
        is_near(fit->estimate[1].likelihood.low, -b - quantile * se_b, 1e-7,
                "sigma %s: lower end of the profile interval", which);
        is_near(fit->estimate[1].likelihood.high, -b + quantile * se_b, 1e-7,
                "sigma %s: upper end of the profile interval", which);
        is_near(fit->optimum.problem.channel[0].sigma, s, 1e-8, "sigma %s: sigma", which);
        is_near(fit->optimum.cost,
                sigma > 0 ? rss / (sigma * sigma) + N * log(2 * acos(-1) * sigma * sigma)
                          : N * (log(2 * acos(-1) * rss / N) + 1),
                1e-9, "sigma %s: -2 ln L", which);
        /* two parameters, and sigma where it is estimated; n = 14 */
        double K = sigma > 0 ? 2 : 3;
        is_near(fit->rival[0].bic - fit->optimum.cost, K * 2.639057329615259, 1e-9, "sigma %s: BIC",
                which);
        is_near(fit->rival[0].aicc - fit->optimum.cost, sigma > 0 ? 4 + 12. / 11 : 6 + 24. / 10,
                1e-9, "sigma %s: AICc", which);
    }
    cf_fit_free(fit);
    cf_dataset_clear(&d);
}

/* Data without scatter, made by direct integration: k and lambda come back. */
static void recovery(struct cf_curves *curves)
{
    static const char *const free_names[] = {"k", "lambda", NULL};
    const double p[2] = {3.1e7, 4.7e3}, m = 0.31;
    double e[N], t[N];
    struct cf_dataset d[2];

    /* signs in no order, far below sigma: the tests of residuals look at signs, too */
    lab_impacts("azad-featherstone", p, m, N, speed, scatter, 1e-9, 1e-9, e, t);
    lab_dataset(&d[0], "restitution", N, speed, e, 0.002, lab_pair(m, 0.05));
    lab_dataset(&d[1], "duration", N, speed, t, 1e-5, lab_pair(m, 0.05));
    struct cf_spec spec = lab_spec("azad-featherstone", free_names, d, 2);
    struct cf_fit *fit = fit_of(&spec, curves, NULL, 0);
    if (fit) {
        is_near(fit->optimum.value[0] / p[0], 1, 1e-7, "k comes back");
        is_near(fit->optimum.value[1] / p[1], 1, 1e-7, "lambda comes back");
        ok(fit->status == CF_VERDICT_GOOD, "the verdict is good: %s %s",
           cf_verdict_text(fit->status), fit->findings.n ? fit->findings.item[0].text : "");
        ok(fit->optimum.confirmed >= 2, "%zu of %zu starts agree", fit->optimum.confirmed,
           fit->optimum.nstart);
        ok(fit->bias_over_sigma < 1e-6, "solver bias %g sigma", fit->bias_over_sigma);
    }
    cf_fit_free(fit);

    /* the restitutions alone: neither k nor lambda, but their group */
    spec.ndata = 1;
    fit = fit_of(&spec, curves, NULL, 0);
    if (fit) {
        double group = p[1] / (pow(p[0], 0.6) * pow(m, 0.4));
        ok(fit->status == CF_VERDICT_UNDETERMINED, "e(v) alone is undetermined");
        ok(!cf_fit_trusted(fit), "and not trusted");
        ok(fit->estimate[0].worth == CF_WORTH_FLAT && fit->estimate[1].worth == CF_WORTH_FLAT,
           "both parameters are flat");
        ok(!fit->estimate[0].likelihood.known && !fit->estimate[1].wald.known,
           "no interval is given for either");
        ok(fit->optimum.ncombination == 1, "one combination is identified");
        is_str(fit->optimum.combination[0].name, "lambda/(k^0.6 m^0.4)",
               "it is the group of the paper");
        is_str(fit->optimum.combination[0].unit, "s^0.2/m^0.2", "with its unit");
        is_near(fit->optimum.combination[0].value / group, 1, 1e-7, "with its value");
        is_str(
            fit->findings.item[0].text,
            "these data identify k and lambda only as lambda/(k^0.6 m^0.4): every pair that keeps "
            "it fits as well",
            "the reason names it");
        ok(strstr(fit->advice.text[0], "duration") && strstr(fit->advice.text[0], "peak_force") &&
               strstr(fit->advice.text[0], "hertz"),
           "the advice names contact time, force and Hertz: %s", fit->advice.text[0]);
    }
    cf_fit_free(fit);
    cf_dataset_clear(&d[0]);
    cf_dataset_clear(&d[1]);
}

/* Hunt-Crossley's e(v) identifies a and nothing about k. */
static void dead(struct cf_curves *curves)
{
    static const char *const free_names[] = {"k", "a", NULL};
    const double p[2] = {1e7, 0.2};
    double e[N];
    struct cf_dataset d;

    lab_impacts("hunt-crossley", p, 0.1, N, speed, scatter, 0, 0, e, NULL);
    lab_dataset(&d, "restitution", N, speed, e, 0.002, lab_pair(0.1, 0.05));
    struct cf_spec spec = lab_spec("hunt-crossley", free_names, &d, 1);
    struct cf_fit *fit = fit_of(&spec, curves, NULL, 0);
    if (fit) {
        ok(fit->estimate[0].worth == CF_WORTH_DEAD, "k is dead");
        is_near(fit->optimum.value[1], 0.2, 1e-7, "a is identified");
        ok(fit->status == CF_VERDICT_UNDETERMINED, "as k was asked for, undetermined");
        is_str(fit->findings.item[0].text, "k has no influence on anything that was measured",
               "and why");
    }
    cf_fit_free(fit);
    cf_dataset_clear(&d);
}

/* Data of one law, fitted with another: the verdict is misfit, and the rival that made them wins.
 */
static void misfit(struct cf_curves *curves, double sigma)
{
    static const char *const free_names[] = {"a", NULL};
    const struct cf_law *rival[] = {cf_law_find("e-log"), cf_law_find("azad-featherstone")};
    double e[N];
    struct cf_dataset d;

    for (size_t i = 0; i < N; i++)
        e[i] = 0.8 - 0.04 * log(speed[i]) + 0.0005 * scatter[i];
    lab_dataset(&d, "restitution", N, speed, e, sigma, lab_pair(0.1, 0.05));
    struct cf_spec spec = lab_spec("hunt-crossley", free_names, &d, 1);
    struct cf_fit *fit = fit_of(&spec, curves, rival, 2);
    if (fit) {
        ok(!cf_fit_trusted(fit), "and it is not trusted");
        ok(fit->status == CF_VERDICT_MISFIT, "a wrong law is a misfit (sigma %g): %s", sigma,
           cf_verdict_text(fit->status));
        ok(fit->nrival == 3 && fit->rival[0].law == rival[0], "e-log wins among %zu", fit->nrival);
        ok(fit->rival[0].delta_aicc == 0 && fit->rival[1].delta_aicc > 0, "by its AICc");
    }
    cf_fit_free(fit);
    cf_dataset_clear(&d);
}

/* With a given k, e(v) identifies lambda; two seeds agree. */
static void given_k(struct cf_curves *curves)
{
    static const char *const free_names[] = {"lambda", NULL};
    const double p[2] = {3.1e7, 4.7e3}, m = 0.31;
    double e[N], first = 0;
    struct cf_dataset d;

    lab_impacts("azad-featherstone", p, m, N, speed, scatter, 0.0004, 0, e, NULL);
    lab_dataset(&d, "restitution", N, speed, e, 0.001, lab_pair(m, 0.05));
    struct cf_spec spec = lab_spec("azad-featherstone", free_names, &d, 1);
    spec.given[spec.ngiven++] = (struct cf_given){"k", 3.1e7, false};
    for (unsigned seed = 1; seed <= 2; seed++) {
        spec.options.seed = seed;
        struct cf_fit *fit = fit_of(&spec, curves, NULL, 0);
        if (fit && seed == 1) {
            first = fit->optimum.value[0];
            ok(fit->estimate[0].likelihood.low < 4.7e3 && 4.7e3 < fit->estimate[0].likelihood.high,
               "the truth is in the interval");
            double ratio = fit->estimate[0].likelihood.high / fit->estimate[0].likelihood.low;
            ok(fit->estimate[0].worth == CF_WORTH_FINE && fit->status == CF_VERDICT_GOOD,
               "an interval of a factor %.3f is fine", ratio);
            spec.options.weak_factor = 1 + (ratio - 1) / 2;
        } else if (fit) {
            ok(fit->estimate[0].worth == CF_WORTH_WEAK && fit->status == CF_VERDICT_WEAK &&
                   cf_fit_trusted(fit),
               "and weak where half of that is asked for; it is to be used with care");
            is_near(fit->optimum.value[0] / first, 1, 1e-9, "another seed, the same optimum");
        }
        cf_fit_free(fit);
    }
    cf_dataset_clear(&d);
}

/* A prior separates k and lambda where e(v) alone does not, and the verdict says so. */
static void by_prior(struct cf_curves *curves)
{
    static const char *const free_names[] = {"k", "lambda", NULL};
    const double p[2] = {3.1e7, 4.7e3}, m = 0.31;
    double e[N];
    struct cf_dataset d;

    lab_impacts("azad-featherstone", p, m, N, speed, scatter, 1e-9, 0, e, NULL);
    lab_dataset(&d, "restitution", N, speed, e, 0.0001, lab_pair(m, 0.05));
    struct cf_spec spec = lab_spec("azad-featherstone", free_names, &d, 1);
    spec.free[0].prior_value = 3.1e7;
    spec.free[0].prior_sigma = 3.1e6;
    struct cf_fit *fit = fit_of(&spec, curves, NULL, 0);
    if (fit) {
        is_near(fit->estimate[0].standard_error, 0.1, 1e-6, "the error of k is that of its prior");
        is_near(fit->estimate[1].standard_error, 0.06, 1e-3, "0.6 of it goes to lambda");
        ok(fit->status == CF_VERDICT_WEAK && fit->estimate[0].worth == CF_WORTH_WEAK &&
               fit->estimate[1].worth == CF_WORTH_WEAK,
           "both are weak");
        is_str(fit->findings.item[0].text, "k is identified only with the help of a prior",
               "and why");
    }
    cf_fit_free(fit);
    cf_dataset_clear(&d);
}

/* Impacts without loss: lambda goes to its lower bound, and only a limit is given. */
static void at_bound(struct cf_curves *curves)
{
    static const char *const free_names[] = {"lambda", NULL};
    double e[N], beta, limit;
    struct cf_dataset d;

    for (size_t i = 0; i < N; i++)
        e[i] = 1;
    lab_dataset(&d, "restitution", N, speed, e, 0.001, lab_pair(0.31, 0.05));
    struct cf_spec spec = lab_spec("azad-featherstone", free_names, &d, 1);
    spec.given[spec.ngiven++] = (struct cf_given){"k", 3.1e7, false};
    struct cf_fit *fit = fit_of(&spec, curves, NULL, 0);
    if (fit) {
        /* 1 - e = 1.15345 beta: chi^2 = 1.96^2 where sum (1.15345 beta_i)^2 = (1.96 sigma)^2 */
        double sum = 0;
        for (size_t i = 0; i < N; i++) {
            beta = pow(speed[i], 0.2) / (pow(3.1e7, 0.6) * pow(0.31, 0.4));
            sum += pow(1.153448858 * beta, 2);
        }
        limit = 1.959963985 * 0.001 / sqrt(sum);
        ok(fit->estimate[0].worth == CF_WORTH_AT_BOUND && fit->status == CF_VERDICT_WEAK,
           "a lossless impact leaves lambda at its bound");
        ok(fit->estimate[0].likelihood.open_low, "its interval is open below");
        is_near(fit->estimate[0].likelihood.high / limit, 1, 2e-3, "and limited above");
        ok(strstr(fit->findings.item[0].text,
                  "lambda is not seen: these data show only that it is below") != NULL,
           "the reason says so: %s", fit->findings.item[0].text);
    }
    cf_fit_free(fit);
    cf_dataset_clear(&d);
}

TEST(fit)
{
    struct cf_curves *curves = cf_curves_alloc();

    gsl_set_error_handler_off();
    plan(10 + 10 + 5 + 10 + 4 + 4 + 4 + 4 + 4 + 4);
    regression(curves, 0.004);
    regression(curves, 0);
    recovery(curves);
    dead(curves);
    misfit(curves, 0.001);
    misfit(curves, 0);
    given_k(curves);
    by_prior(curves);
    at_bound(curves);
    cf_curves_free(curves);
    return done();
}
