/* Clusters: a spring that hardens, on specimens that each have a stiffness of their own, which no
 * noise model knows. The covariance is held against the jackknife by refits of whole specimens,
 * which are closed forms here because the law is linear in its parameters; a prior is known beside
 * it. Intervals by the residuals' scatter would be several times too narrow. All data are
 * synthetic.
 */

#define _POSIX_C_SOURCE 200809L
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_math.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/clusters.h"
#include "lab.h"
#include "tap.h"

enum { STIFFNESS, HARDENING, NPARAM };
enum { EXTENSION, SPECIMEN, FORCE, NCHANNEL };
enum { NSPECIMEN = 7, EACH = 9, NROW = NSPECIMEN * EACH };

static const struct cf_param params[NPARAM] = {
    [STIFFNESS] = {"k", "N/m", -1e9, 1e9, -1e4, 1e4, 100, CF_SCALE_LINEAR, "stiffness"},
    [HARDENING] = {"c", "N/m^3", -1e9, 1e9, -1e6, 1e6, 10, CF_SCALE_LINEAR, "hardening"},
};

static double force(const struct cf_law *law, const double p[], const struct cf_contact *at)
{
    (void) law;
    return at->depth_m * p[STIFFNESS] + gsl_pow_3(at->depth_m) * p[HARDENING];
}

static void slope(const struct cf_law *law, const double p[], const struct cf_contact *at,
                  struct cf_force_slope *out)
{
    (void) law;
    *out = (struct cf_force_slope){.by_depth =
                                       p[STIFFNESS] + 3 * gsl_pow_2(at->depth_m) * p[HARDENING]};
    out->by_param[STIFFNESS] = at->depth_m;
    out->by_param[HARDENING] = gsl_pow_3(at->depth_m);
}

static const struct cf_law spring = {
    .name = "test-spring",
    .cite = "Duffing 1918",
    .what = "a spring that grows stiffer",
    .formula = "k z + c z^3",
    .family = CF_FAMILY_COEFFICIENT, /* a formula: nothing is integrated */
    .nparam = NPARAM,
    .param = params,
    .force = force,
    .slope = slope,
};

static const struct cf_channel_row channel[NCHANNEL] = {
    [EXTENSION] = {"extension", "m", "how far", CF_ROLE_IMPOSED, 0, 10, 0, NULL, "extension", "x",
                   false},
    [SPECIMEN] = {"specimen", "1", "its number", CF_ROLE_IMPOSED, 0, 1e6, 0, NULL, "specimen", NULL,
                  false},
    [FORCE] = {"force", "N", "reading", CF_ROLE_MEASURED, -1e6, 1e6, 1u << CF_FAMILY_COEFFICIENT,
               NULL, "force", "F", true},
};

static size_t imposed(const struct cf_dataset *d, size_t row)
{
    (void) d;
    (void) row;
    return EXTENSION;
}

static double extension(const struct cf_dataset *d, size_t row)
{
    return cf_dataset_value(d, row, EXTENSION);
}

static int predict(void *work, const struct cf_request *q, struct cf_response *out,
                   struct cf_error *err)
{
    (void) work;
    (void) err;
    for (size_t i = 0; i < q->nrow; i++) {
        struct cf_contact at = {.depth_m = extension(q->data, q->row[i])};
        struct cf_force_slope by;
        slope(q->law, q->value, &at, &by);
        out->y[i] = force(q->law, q->value, &at);
        if (out->by_imposed)
            out->by_imposed[i] = by.by_depth;
        for (size_t k = 0; out->by_value && k < q->nby; k++)
            out->by_value[i * q->nby + k] = by.by_param[q->by[k]];
    }
    return CF_OK;
}

static struct cf_protocol balance = {
    .name = "balance",
    .what = "springs on a balance",
    .nchannel = NCHANNEL,
    .channel = channel,
    .axis = {"extension", "m", true, 0, 10, "extensions", "extension", "x", false},
    .axis_channel = EXTENSION,
    .headline = FORCE,
    .clock = CF_NO_CHANNEL,
    .cluster = SPECIMEN,
    .bodiless = true,
    .imposed = imposed,
    .abscissa = extension,
    .predict = predict,
};

static const double sigma = 0.02;

/* Each specimen's stiffness is off by some percent; scatter within it is much smaller. */
static void measure(struct cf_dataset *d)
{
    struct cf_error err;

    *d = (struct cf_dataset){.pair = lab_pair(1, 1)};
    cf_dataset_alloc(d, &balance, NROW, &err);
    d->name = strdup("springs");
    for (size_t i = 0; i < NROW; i++) {
        size_t g = i / EACH, k = i % EACH;
        double x = 0.1 + 0.11 * (double) k + 0.005 * (double) g;
        double own = 1 + 0.06 * sin(2.399963 * (double) ((g + 1) * (g + 3)));
        double noise = sigma * sin(2.399963 * (double) ((i + 1) * (i + 2)));
        lab_put(d, i, EXTENSION, x, 0);
        lab_put(d, i, SPECIMEN, 10 + (double) g, 0);
        lab_put(d, i, FORCE, own * (20 * x + 3 * x * x * x) + noise, sigma);
    }
}

/* ---- by hand: y on x and x^3 without one specimen, with a prior on c of this precision */

static void by_hand(const struct cf_dataset *d, size_t without, double precision, double prior,
                    double beta[2], double A[2][2])
{
    double a = 0, b = 0, c = precision, u = 0, v = precision * prior, det;

    for (size_t i = 0; i < NROW; i++) {
        double x = extension(d, i), z = x * x * x, y = cf_dataset_value(d, i, FORCE);
        double w = 1 / (sigma * sigma);
        if (i / EACH == without)
            continue;
        a += w * x * x;
        b += w * x * z;
        c += w * z * z;
        u += w * x * y;
        v += w * z * y;
    }
    det = a * c - b * b;
    beta[0] = (c * u - b * v) / det;
    beta[1] = (a * v - b * u) / det;
    A[0][0] = c / det; /* the inverse */
    A[0][1] = A[1][0] = -b / det;
    A[1][1] = a / det;
}

static void test_covariance(double prior_sigma)
{
    static const char *const both[] = {"k", "c", NULL};
    const double prior = 3.4;
    double precision = prior_sigma > 0 ? 1 / gsl_pow_2(prior_sigma) : 0;
    double all[2], one[2], inverse[2][2], spare[2][2], C[2][2] = {{0}}, t;
    struct cf_dataset d;
    struct cf_spec spec;
    struct cf_fit *fit;
    const char *what = prior_sigma > 0 ? "with a prior" : "without";

    measure(&d);
    spec = lab_spec("linear", both, &d, 1);
    spec.law = &spring;
    if (prior_sigma > 0) {
        spec.free[1].prior_value = prior;
        spec.free[1].prior_sigma = prior_sigma;
    }
    fit = lab_fit(&spec, NULL);
    by_hand(&d, NSPECIMEN, precision, prior, all, inverse);
    for (size_t g = 0; g < NSPECIMEN; g++) {
        by_hand(&d, g, precision, prior, one, spare);
        for (int a = 0; a < 2; a++)
            for (int b = 0; b < 2; b++)
                C[a][b] += (NSPECIMEN - 1.0) / NSPECIMEN * (one[a] - all[a]) * (one[b] - all[b]);
    }
    for (int a = 0; a < 2; a++) /* A^-1 P A^-1 of the prior */
        for (int b = 0; b < 2; b++)
            C[a][b] += precision * inverse[a][1] * inverse[1][b];
    if (fit) {
        const struct cf_rank *spread = cf_optimum_spread(&fit->optimum);
        double least = sqrt(cf_rank_variance(&fit->optimum.rank, 0));
        ok(fit->optimum.ncluster == NSPECIMEN, "%s: %d clusters", what, NSPECIMEN);
        for (int a = 0; a < 2; a++) {
            is_near(fit->optimum.theta[a], all[a], 1e-7, "%s: %s by hand", what, both[a]);
            for (int b = 0; b < 2; b++)
                is_near(spread->covariance[2 * a + b] / C[a][b], 1, 1e-7,
                        "%s: covariance of %s and %s by refits without each specimen", what,
                        both[a], both[b]);
        }
        ok(fit->estimate[0].standard_error > 5 * least,
           "%s: far more than what scatter within specimens says", what);
        t = gsl_cdf_tdist_Pinv(0.975, NSPECIMEN - 1);
        is_near(fit->estimate[0].likelihood.high, all[0] + t * sqrt(C[0][0]), 1e-7,
                "%s: the interval is that of t with %d degrees of freedom", what, NSPECIMEN - 1);
        is_near(fit->left_out[0],
                (by_hand(&d, 0, precision, prior, one, spare),
                 one[0] * extension(&d, 0) + one[1] * gsl_pow_3(extension(&d, 0))),
                1e-6, "%s: specimens are left out as wholes", what);
    }
    cf_fit_free(fit);
    cf_dataset_clear(&d);
}

/* Two parameters from two specimens: nothing is left to scatter. */
static void test_few(void)
{
    static const char *const both[] = {"k", "c", NULL};
    struct cf_dataset d, few;
    struct cf_spec spec;
    struct cf_fit *fit;
    struct cf_error err;
    size_t row[2 * EACH];

    measure(&d);
    for (size_t i = 0; i < 2 * EACH; i++)
        row[i] = i;
    cf_dataset_choose(&few, &d, 2 * EACH, row, &err);
    spec = lab_spec("linear", both, &few, 1);
    spec.law = &spring;
    fit = lab_fit(&spec, NULL);
    ok(fit && fit->optimum.ncluster == 0, "two clusters do not tell how two parameters scatter");
    ok(fit && cf_optimum_spread(&fit->optimum) == &fit->optimum.rank,
       "and intervals are those of the rows");
    cf_fit_free(fit);
    cf_dataset_clear(&few);
    cf_dataset_clear(&d);
}

/* Springs that are all alike, whose readings scatter by less than `stated` or by more. */
static void test_sigmas(double stated, bool fits)
{
    static const char *const both[] = {"k", "c", NULL};
    struct cf_dataset d;
    struct cf_spec spec;
    struct cf_fit *fit;

    measure(&d);
    for (size_t i = 0; i < NROW; i++) {
        double x = extension(&d, i);
        double noise = sigma * sin(2.399963 * (double) ((i + 1) * (i + 2)));
        lab_put(&d, i, FORCE, 20 * x + 3 * x * x * x + noise, stated);
    }
    spec = lab_spec("linear", both, &d, 1);
    spec.law = &spring;
    fit = lab_fit(&spec, NULL);
    ok(fit && (fit->status == CF_VERDICT_WEAK) == !fits && fit->status != CF_VERDICT_MISFIT,
       "a stated sigma of %g N beside a scatter of %g N: %s", stated, sigma / M_SQRT2,
       fits ? "no word" : "weak, and no misfit: a run carries on what its start was off by");
    for (size_t i = 0; fit && i < fit->findings.n && !fits; i++)
        if (fit->findings.item[i].rule == CF_RULE_RUN_SIGMAS) {
            is_near(gsl_pow_2(fit->findings.item[i].size), fit->optimum.chi2 / fit->optimum.dof,
                    1e-12, "by how much: %s", fit->findings.item[i].text);
            ok(strstr(fit->findings.item[i].text, "those of a specimen carry on") != NULL,
               "and what may be behind it");
        }
    ok(fit && cf_found(&fit->findings, CF_RULE_RUN_SIGMAS) == !fits, "by its rule");
    cf_fit_free(fit);
    cf_dataset_clear(&d);
}

/* Every other reading stands a second time: in its own line, as windows that overlap have it, or
 * entered again. */
static void test_overlap(bool entered)
{
    static const char *const both[] = {"k", "c", NULL};
    struct cf_dataset d;
    struct cf_spec spec;
    struct cf_fit *fit;

    measure(&d);
    for (size_t i = 0; i + 1 < NROW; i += 2) {
        if (i / EACH != (i + 1) / EACH)
            continue;
        lab_put(&d, i + 1, EXTENSION, extension(&d, i), 0);
        lab_put(&d, i + 1, FORCE, cf_dataset_value(&d, i, FORCE), sigma);
        d.line[i] = 2 * i + 1;
        d.line[i + 1] = entered ? 2 * i + 2 : 2 * i + 1;
    }
    spec = lab_spec("linear", both, &d, 1);
    spec.law = &spring;
    fit = lab_fit(&spec, NULL);
    ok(fit && cf_found(&fit->findings, CF_RULE_TWICE) == entered, "a reading that stands twice: %s",
       entered ? "entered twice" : "of one line");
    cf_fit_free(fit);
    cf_dataset_clear(&d);
}

TEST(clusters)
{
    gsl_set_error_handler_off();
    plan(30);
    test_covariance(0);
    test_covariance(0.05);
    test_few();
    test_sigmas(sigma, true);
    test_sigmas(sigma / 10, false);
    test_overlap(true);
    test_overlap(false);
    return done();
}
