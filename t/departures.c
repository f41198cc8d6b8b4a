/* Departures of a law that is linear in its parameters against least squares of both models by
 * GSL: statistics, their probabilities, the size of what is missed and its place. */

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_multifit.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab.h"
#include "tap.h"

enum { N = 14, MOST = 6 };

static const char *const line_names[] = {"e_at_1", "b", NULL};

/* Rows in an order of their own: speeds, and a curve that no line in ln v is, with scatter. */
static void make_rows(double v[N], double e[N], double bend)
{
    for (size_t i = 0; i < N; i++) {
        v[i] = 0.4 * pow(1.25, (double) ((i * 5 + 3) % N));
        e[i] = 0.8 - 0.04 * log(v[i]) - bend * log(v[i]) * log(v[i]) +
               0.004 * sin(11.0 * (double) i + 1);
    }
}

/* The fit of y by the first p columns of x[N * MOST], row by row: squares that are left, and y. */
static double fit_columns(const double x[], const double y[], size_t n, size_t p, double fitted[])
{
    gsl_multifit_linear_workspace *w = gsl_multifit_linear_alloc(n, p);
    gsl_matrix *X = gsl_matrix_alloc(n, p), *C = gsl_matrix_alloc(p, p);
    gsl_vector_const_view Y = gsl_vector_const_view_array(y, n);
    gsl_vector *c = gsl_vector_alloc(p);
    double left;

    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < p; j++)
            gsl_matrix_set(X, i, j, x[i * MOST + j]);
    gsl_multifit_linear(X, &Y.vector, c, C, &left, w);
    for (size_t i = 0; i < n; i++) {
        fitted[i] = 0;
        for (size_t j = 0; j < p; j++)
            fitted[i] += x[i * MOST + j] * gsl_vector_get(c, j);
    }
    gsl_matrix_free(X);
    gsl_matrix_free(C);
    gsl_vector_free(c);
    gsl_multifit_linear_free(w);
    return left;
}

/* What the test of this name ought to be, of columns p0 and p1 behind each other; sigma 0: not
 * given. */
static void compare(const struct cf_fit *fit, const char *name, const double x[], const double y[],
                    size_t n, size_t p0, size_t p1, double sigma)
{
    double *of = calloc(2 * n, sizeof *of), drop, left, size = 0, F, p;
    const struct cf_test *t = NULL;
    char text[60];

    drop = fit_columns(x, y, n, p0, of);
    left = fit_columns(x, y, n, p1, of + n);
    drop -= left;
    for (size_t i = 0; i < n; i++)
        size = fmax(size, fabs(of[n + i] - of[i]));
    F = sigma > 0 ? drop / (sigma * sigma) : drop / (double) (p1 - p0) / (left / (double) (n - p1));
    p = sigma > 0 ? gsl_cdf_chisq_Q(F, (double) (p1 - p0))
                  : gsl_cdf_fdist_Q(F, (double) (p1 - p0), (double) (n - p1));
    for (size_t i = 0; fit && i < fit->tests.n; i++)
        if (strcmp(fit->tests.item[i].name, name) == 0)
            t = &fit->tests.item[i];
    if (ok(t != NULL, "%s is tested", name)) {
        is_near(t->statistic, F, 1e-6, "its statistic");
        is_near(t->p, p, 1e-5, "its probability");
        snprintf(text, sizeof text, "depart from the law by up to %.2g, at speed", size);
        ok(strstr(t->text, text) != NULL, "its size: %s", t->text);
    }
    free(of);
}

static bool is_tested(const struct cf_fit *fit, const char *name)
{
    for (size_t i = 0; fit && i < fit->tests.n; i++)
        if (strcmp(fit->tests.item[i].name, name) == 0)
            return true;
    return false;
}

/* Columns of a row: 1, ln v, and what is added. */
static void put(double x[], size_t row, double v, size_t n, const double more[])
{
    x[row * MOST] = 1;
    x[row * MOST + 1] = log(v);
    for (size_t k = 0; k < n; k++)
        x[row * MOST + 2 + k] = more[k];
}

static void one_set(struct cf_curves *curves, double sigma)
{
    double v[N], e[N], x[N * MOST];
    struct cf_dataset d;

    make_rows(v, e, 0.006);
    lab_dataset(&d, "restitution", N, v, e, sigma, lab_pair(0.1, 0.02));
    struct cf_spec spec = lab_spec("e-log", line_names, &d, 1);
    struct cf_fit *fit = lab_fit(&spec, curves);
    for (size_t i = 0; i < N; i++)
        put(x, i, v[i], 2, (double[]){pow(log(v[i]), 2), pow(log(v[i]), 3)});
    compare(fit, "departure with speed", x, e, N, 2, 4, sigma);
    for (size_t i = 0; i < N; i++) {
        double at = (double) i / N;
        put(x, i, v[i], 3, (double[]){at, at * at, at * at * at});
    }
    compare(fit, "departure by row", x, e, N, 2, 5, sigma);
    ok(!is_tested(fit, "signed departure by row") && !is_tested(fit, "departure by direction") &&
           !is_tested(fit, "departure by set"),
       "speeds and readings of one sign, and one set, have no other");
    cf_fit_free(fit);
    cf_dataset_clear(&d);
}

/* The second half of the rows in a set of their own, 4 % higher. */
static void two_sets(struct cf_curves *curves)
{
    double v[N], e[N], x[N * MOST];
    struct cf_dataset d[2];

    make_rows(v, e, 0);
    for (size_t i = N / 2; i < N; i++)
        e[i] *= 1.04;
    for (size_t s = 0; s < 2; s++)
        lab_dataset(&d[s], "restitution", N / 2, v + s * (N / 2), e + s * (N / 2), 0.005,
                    lab_pair(0.1, 0.02));
    struct cf_spec spec = lab_spec("e-log", line_names, d, 2);
    struct cf_fit *fit = lab_fit(&spec, curves);
    for (size_t i = 0; i < N; i++) {
        double second = i >= N / 2;
        put(x, i, v[i], 2, (double[]){second, second * log(v[i])});
    }
    compare(fit, "departure by set", x, e, N, 2, 4, 0.005);
    cf_fit_free(fit);
    for (size_t s = 0; s < 2; s++)
        cf_dataset_clear(&d[s]);
}

/* Two sets, the second with an offset of its own that is eliminated with it: departures are what a
 * line, the offset and columns leave, as least squares of all at once has them. */
static void with_offset(struct cf_curves *curves, double sigma)
{
    double v[N], e[N], x[N * MOST];
    struct cf_dataset d[2];
    struct cf_nuisance bias = {1, CF_NUISANCE_BIAS, 0, NAN, NAN, NAN, NAN, NAN};

    make_rows(v, e, 0.006);
    for (size_t i = N / 2; i < N; i++)
        e[i] += 0.03;
    for (size_t s = 0; s < 2; s++)
        lab_dataset(&d[s], "restitution", N / 2, v + s * (N / 2), e + s * (N / 2), sigma,
                    lab_pair(0.1, 0.02));
    struct cf_spec spec = lab_spec("e-log", line_names, d, 2);
    bias.index = cf_protocol_channel(d[1].protocol, "restitution");
    spec.nuisance = &bias;
    spec.nnuisance = 1;
    struct cf_fit *fit = lab_fit(&spec, curves);
    ok(fit && fit->optimum.problem.nlocal == 1, "the offset is eliminated");
    for (size_t i = 0; i < N; i++)
        put(x, i, v[i], 3, (double[]){i >= N / 2, pow(log(v[i]), 2), pow(log(v[i]), 3)});
    compare(fit, "departure with speed", x, e, N, 3, 5, sigma);
    ok(!is_tested(fit, "departure by set"), "which leaves a set one column, too few");
    cf_fit_free(fit);
    for (size_t s = 0; s < 2; s++)
        cf_dataset_clear(&d[s]);
}

/* Of six rows a line leaves no room for two columns and three residuals. */
static void few(struct cf_curves *curves)
{
    double v[N], e[N];
    struct cf_dataset d;

    make_rows(v, e, 0.01);
    lab_dataset(&d, "restitution", 6, v, e, 0, lab_pair(0.1, 0.02));
    struct cf_spec spec = lab_spec("e-log", line_names, &d, 1);
    struct cf_fit *fit = lab_fit(&spec, curves);
    ok(fit && !is_tested(fit, "departure with speed"), "six rows are too few");
    cf_fit_free(fit);
    cf_dataset_clear(&d);
}

TEST(departures)
{
    struct cf_curves *curves = cf_curves_alloc();

    gsl_set_error_handler_off();
    plan(9 + 9 + 4 + 2 * 6 + 1);
    one_set(curves, 0);
    one_set(curves, 0.004);
    two_sets(curves);
    with_offset(curves, 0);
    with_offset(curves, 0.004);
    few(curves);
    cf_curves_free(curves);
    return done();
}
