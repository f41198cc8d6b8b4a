/* Do data sets agree: means against closed forms, a slope that one set has from another's mean;
 * what is known without a set; and how often sets that do agree are said not to, where sigmas and
 * what groups share are estimated. */

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/random.h"
#include "judge/agreement.h"
#include "lab.h"
#include "tap.h"

enum { MOST = 128 };

static void set(struct cf_dataset *d, const char *name, size_t n, const double v[],
                const double e[], double sigma)
{
    lab_dataset(d, "restitution", n, v, e, sigma, lab_pair(0.1, 0.02));
    snprintf(d->name, 8, "%s", name);
}

static const struct cf_agreement *about(const struct cf_fit *fit, const char *name)
{
    for (size_t i = 0; i < fit->nagreement; i++)
        if (!strcmp(fit->optimum.problem.unknown[fit->agreement[i].unknown].name, name))
            return &fit->agreement[i];
    return NULL;
}

/* Two means. */
static void test_means(struct cf_curves *curves)
{
    static const char *const names[] = {"e", NULL};
    static const double v[] = {1, 1.2, 1.4, 1.6, 1.8, 2};
    static const double first[] = {0.60, 0.61, 0.62, 0.61},
                        second[] = {0.63, 0.62, 0.64, 0.62, 0.63, 0.66};
    double m1 = 0.61, m2 = 3.80 / 6, s = 0.01,
           chi2 = (m1 - m2) * (m1 - m2) / (s * s / 4 + s * s / 6);
    struct cf_dataset d[2];
    struct cf_spec spec;
    struct cf_fit *fit;
    const struct cf_agreement *a;
    char *text;

    set(&d[0], "first", 4, v, first, s);
    set(&d[1], "second", 6, v, second, s);
    spec = lab_spec("e-constant", names, d, 2);
    fit = lab_fit(&spec, curves);
    a = about(fit, "e");
    ok(a && a->n == 2 && a->by == CF_SPLIT_BY_DATA, "two data sets say something of e");
    is_near(a->told[0].value, m1, 1e-9, "the mean of the first");
    is_near(a->told[1].value, m2, 1e-9, "and of the second");
    is_near(a->told[0].high - m1, 1.959964 * s / 2, 1e-6, "its interval");
    is_near(a->statistic, chi2, 1e-7, "chi^2 falls by what they differ");
    is_near(a->p, gsl_cdf_chisq_Q(chi2, 1), 1e-7, "p of chi^2 on one degree of freedom");
    is_near(a->told[0].widens, sqrt(10.0 / 6), 1e-9, "without the first");
    is_near(a->told[1].widens, sqrt(10.0 / 4), 1e-9, "without the second");
    ok(a->disagrees, "they disagree");
    text = cf_agreement_text(fit, a);
    is_str(text, "first 0.61, second 0.633", "in words");
    free(text);
    cf_fit_free(fit);
    cf_dataset_clear(&d[0]);
    cf_dataset_clear(&d[1]);
}

/* A set at one speed has a slope from the other's value at 1 m/s, and nothing without it. */
static void test_slope(struct cf_curves *curves)
{
    static const char *const names[] = {"e_at_1", "b", NULL};
    static const double v[] = {0.5, 1, 2, 4}, e[] = {0.66, 0.61, 0.57, 0.50};
    static const double at_2[] = {2, 2, 2}, e_at_2[] = {0.56, 0.57, 0.58};
    double mean = (0.66 + 0.61 + 0.57 + 0.50) / 4, x[4], mx = 0, xx = 0, xe = 0, at_1, b;
    struct cf_dataset d[2];
    struct cf_spec spec;
    struct cf_fit *fit;
    const struct cf_agreement *a;

    for (size_t i = 0; i < 4; i++)
        mx += (x[i] = log(v[i])) / 4;
    for (size_t i = 0; i < 4; i++) {
        xx += (x[i] - mx) * (x[i] - mx);
        xe += (x[i] - mx) * (e[i] - mean);
    }
    b = -xe / xx;
    at_1 = mean + b * mx;
    set(&d[0], "line", 4, v, e, 0.01);
    set(&d[1], "point", 3, at_2, e_at_2, 0.01);
    spec = lab_spec("e-log", names, d, 2);
    fit = lab_fit(&spec, curves);
    a = about(fit, "b");
    is_near(a->told[0].value, b, 1e-7, "the line has its own slope");
    is_near(a->told[1].value, (at_1 - 0.57) / log(2), 1e-7, "the point one from there");
    is_near((a->told[0].high - b) / (0.01 / sqrt(xx)), 1.959964, 1e-6, "as well as it knows it");
    is_near((a->told[1].high - a->told[1].value) * log(2) /
                (0.01 * sqrt(1.0 / 3 + 1.0 / 4 + mx * mx / xx)),
            1.959964, 1e-6, "and as well as that value is known");
    ok(isinf(a->told[0].widens), "no slope without the line");
    ok(a->told[1].widens > 1 && a->told[1].widens < 1.5, "nearly as good without the point");
    cf_fit_free(fit);
    cf_dataset_clear(&d[0]);
    cf_dataset_clear(&d[1]);
}

/* Two sets that were measured on the same days, which differ by more than the sets do: what a day
 * shares cancels from their difference. */
static void test_paired(struct cf_curves *curves)
{
    enum { DAYS = 20 };
    static const char *const names[] = {"e", NULL};
    struct cf_dataset d[2];
    struct cf_spec spec;
    struct cf_fit *fit;
    const struct cf_agreement *a;
    double v[DAYS], e[2][DAYS], mean[2] = {0}, sum = 0;
    size_t level;

    for (size_t i = 0; i < DAYS; i++)
        for (size_t s = 0; s < 2; s++) {
            v[i] = 1 + (double) i / DAYS;
            e[s][i] = 0.6 + 0.05 * sin(1.7 * (double) (i * i)) + 0.004 * (double) s +
                      0.002 * cos(2.9 * (double) (i * i + 7 * s));
            mean[s] += e[s][i] / DAYS;
        }
    set(&d[0], "before", DAYS, v, e[0], 0.002);
    set(&d[1], "after", DAYS, v, e[1], 0.002);
    spec = lab_spec("e-constant", names, d, 2);
    spec.grouping.origin = CF_GROUPS_STATED;
    cf_grouping_level(&spec.grouping, "day", SIZE_MAX, &level, NULL);
    for (size_t s = 0; s < 2; s++) {
        cf_dataset_group_room(&d[s], 1, NULL);
        for (size_t i = 0; i < DAYS; i++) {
            char name[24];
            uint32_t number = CF_NO_GROUP;
            snprintf(name, sizeof name, "%zu", i);
            cf_grouping_number(&spec.grouping, level, CF_NO_GROUP, name, &number, NULL);
            d[s].group[i] = number;
        }
    }
    fit = lab_fit(&spec, curves);
    a = about(fit, "e");
    sum = pow((mean[1] - mean[0]) / 0.002, 2) * DAYS / 2;
    is_near(a->statistic / sum, 1, 1e-6, "sets of the same days: chi^2 of their difference alone");
    is_near(a->told[1].value - a->told[0].value, mean[1] - mean[0], 1e-9, "which is that of means");
    cf_fit_free(fit);
    cf_dataset_clear(&d[0]);
    cf_dataset_clear(&d[1]);
    cf_grouping_clear(&spec.grouping);
}

/* Sets of groups with errors of their own, sigmas and what groups share estimated. */
struct level {
    const char *what;
    size_t n[2], rows; /* rows of each set, rows of a group */
    double sigma[2], tau;
};

static const struct level levels[] = {
    {"few rows, of different scatter", {5, 12}, 1, {0.01, 0.02}, 0},
    {"many rows", {30, 40}, 1, {0.01, 0.01}, 0},
    {"few groups against many", {12, 60}, 4, {0.01, 0.01}, 0.02},
};
enum { NLEVEL = sizeof levels / sizeof levels[0] };

static bool rejected(const struct level *l, gsl_rng *rng, struct cf_curves *curves)
{
    static const char *const names[] = {"e", NULL};
    struct cf_dataset d[2];
    struct cf_spec spec;
    struct cf_fit *fit;
    double v[MOST], e[MOST], shared = 0;
    bool rejects;
    size_t level, group = 0;

    for (size_t s = 0; s < 2; s++) {
        for (size_t i = 0; i < l->n[s]; i++) {
            if (i % l->rows == 0)
                shared = gsl_ran_gaussian(rng, l->tau + 1e-300);
            v[i] = 1 + (double) i / MOST;
            e[i] = 0.6 + shared + gsl_ran_gaussian(rng, l->sigma[s]);
        }
        set(&d[s], s ? "b" : "a", l->n[s], v, e, 0);
    }
    spec = lab_spec("e-constant", names, d, 2);
    if (l->rows > 1) {
        spec.grouping.origin = CF_GROUPS_STATED;
        cf_grouping_level(&spec.grouping, "day", SIZE_MAX, &level, NULL);
    }
    for (size_t s = 0; s < 2 && l->rows > 1; s++) {
        cf_dataset_group_room(&d[s], 1, NULL);
        for (size_t i = 0; i < l->n[s]; i++) {
            char name[24];
            uint32_t number = CF_NO_GROUP;
            group += i % l->rows == 0;
            snprintf(name, sizeof name, "%zu", group);
            cf_grouping_number(&spec.grouping, level, CF_NO_GROUP, name, &number, NULL);
            d[s].group[i] = number;
        }
    }
    fit = lab_fit(&spec, curves);
    rejects = about(fit, "e")->p < 0.05;
    cf_fit_free(fit);
    cf_dataset_clear(&d[0]);
    cf_dataset_clear(&d[1]);
    cf_grouping_clear(&spec.grouping);
    return rejects;
}

TEST(agreement)
{
    struct cf_curves *curves = cf_curves_alloc();
    gsl_rng *rng = cf_random_stream(7, 0);
    /* 5 % are rejected; 99.9 % of all counts are no larger than `most` */
    size_t replicates = is_full_check() ? 100 : 30, most = is_full_check() ? 13 : 6;

    gsl_set_error_handler_off();
    plan(10 + 6 + 2 + NLEVEL);
    test_means(curves);
    test_slope(curves);
    test_paired(curves);
    for (size_t i = 0; i < NLEVEL; i++) {
        size_t n = 0;
        for (size_t k = 0; k < replicates; k++)
            n += rejected(&levels[i], rng, curves);
        ok(n <= most, "%s: %zu of %zu sets that agree are rejected at 5 %%", levels[i].what, n,
           replicates);
    }
    gsl_rng_free(rng);
    cf_curves_free(curves);
    return done();
}
