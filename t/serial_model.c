/* Models of errors that follow each other, against covariance matrices that are written out: of an
 * autoregression from its moving average, of white noise beside one from its formula. */

#include "estimate/serial_model.h"

#include <gsl/gsl_linalg.h>
#include <gsl/gsl_math.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <string.h>

#include "tap.h"

enum { N = 24, FAR = 20000 };

/* Autocorrelation of e_k = sum c_j e_(k-1-j) + noise from the weights of its moving average. */
static void correlate(const double c[], size_t p, double rho[N])
{
    static double w[FAR];

    for (size_t k = 0; k < FAR; k++) {
        w[k] = k == 0;
        for (size_t j = 0; j < p && j < k; j++)
            w[k] += c[j] * w[k - 1 - j];
    }
    for (size_t lag = 0; lag < N; lag++) {
        rho[lag] = 0;
        for (size_t k = 0; k + lag < FAR; k++)
            rho[lag] += w[k] * w[k + lag];
    }
    for (size_t lag = N; lag-- > 0;)
        rho[lag] /= rho[0];
}

/* x' C^-1 y and ln det C of N rows, of which some begin a run. */
static void by_matrix(const double rho[N], const uint32_t place[N], const double x[N],
                      const double y[N], double *product, double *log_det)
{
    double m[N * N], z[N];
    gsl_matrix_view C = gsl_matrix_view_array(m, N, N);
    gsl_vector_const_view b = gsl_vector_const_view_array(y, N);
    gsl_vector_view solved = gsl_vector_view_array(z, N);
    size_t run[N];

    for (size_t i = 0; i < N; i++)
        run[i] = i == 0 ? 0 : run[i - 1] + (place[i] == 0);
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < N; j++)
            m[i * N + j] = run[i] == run[j] ? rho[i > j ? i - j : j - i] : 0;
    gsl_linalg_cholesky_decomp1(&C.matrix);
    gsl_linalg_cholesky_solve(&C.matrix, &b.vector, &solved.vector);
    *product = *log_det = 0;
    for (size_t i = 0; i < N; i++) {
        *product += x[i] * z[i];
        *log_det += 2 * log(m[i * N + i]);
    }
}

static void is_filter(const struct cf_serial_model *model, const double rho[N], const char *name)
{
    uint32_t place[N];
    size_t at[N];
    double x[2 * N], y[N], a[N], product, log_det, sum = 0, logs = 0;
    struct cf_serial_filter f;

    for (size_t k = 0; k < N; k++) { /* rows lie apart in x, as those of two channels do */
        place[k] = (uint32_t) (k < 3 ? k : k < 17 ? k - 3 : k - 17);
        at[k] = 2 * k;
        a[k] = x[2 * k] = sin(3.1 * (double) k * (double) k) + 0.3;
        x[2 * k + 1] = -7;
        y[k] = cos(1.7 * (double) k);
    }
    by_matrix(rho, place, a, y, &product, &log_det);
    cf_serial_filter_make(model, N, place, &f, NULL);
    cf_serial_filter_apply(&f, at, x);
    for (size_t k = 0; k < N; k++)
        at[k] = k;
    cf_serial_filter_apply(&f, at, y);
    for (size_t k = 0; k < N; k++) {
        sum += x[2 * k] * y[k];
        logs += log(cf_serial_filter_variance(&f, k));
    }
    cf_serial_filter_clear(&f);
    is_near(sum, product, 1e-11, "%s: products of independent rows", name);
    is_near(logs, log_det, 1e-11, "%s: log determinant", name);
    ok(x[1] == -7 && x[2 * N - 1] == -7, "%s: other channels stay", name);
}

static double normal(void *rng)
{
    return gsl_ran_gaussian_ziggurat(rng, 1);
}

/* Drawn errors have the autocorrelation of the model, and Burg's method finds it again. */
static void is_drawn(const struct cf_serial_model *model, const double rho[N], const char *name)
{
    enum { LONG = 200000, MOST = 6 };
    static double e[LONG], work[2 * LONG];
    static uint32_t place[LONG];
    double partial[MOST], power[MOST + 1], worst = 0;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    struct cf_serial_filter f;

    for (size_t k = 0; k < LONG; k++)
        place[k] = (uint32_t) (k % 50000);
    cf_serial_filter_make(model, LONG, place, &f, NULL);
    cf_serial_filter_draw(&f, normal, rng, e);
    cf_serial_filter_clear(&f);
    for (size_t lag = 0; lag < 5; lag++) {
        double sum = 0;
        for (size_t k = 0; k + lag < LONG; k++)
            sum += e[k] * e[k + lag] / LONG;
        worst = fmax(worst, fabs(sum - rho[lag]));
    }
    ok(worst < 0.03, "%s: drawn errors resemble each other as they should (off by %g)", name,
       worst);
    cf_serial_burg(LONG, e, place, MOST, partial, power, work);
    worst = 0;
    for (size_t j = 0; j < model->order && model->kind == CF_SERIAL_AR; j++)
        worst = fmax(worst, fabs(partial[j] - model->partial[j]));
    ok(worst < 0.01, "%s: found again (off by %g)", name, worst);
    gsl_rng_free(rng);
}

/* The sum of all autocorrelations: of each model by hand. */
static void grows(void)
{
    double phi[] = {0.9}, none[] = {0};
    struct cf_serial_model ar = {CF_SERIAL_AR, 1, phi, 0}, white = {CF_SERIAL_WHITE, 0, none, 0},
                           both = {CF_SERIAL_WHITE_AR, 1, phi, 0.25};

    is_near(cf_serial_growth(&ar), 19, 1e-13, "AR(1): (1 + phi)/(1 - phi)");
    is_near(cf_serial_time(&ar), 9.5, 1e-13, "which is twice its time");
    is_near(cf_serial_growth(&white), 1, 0, "white");
    is_near(cf_serial_growth(&both), 0.75 + 0.25 * 19, 1e-13, "white and AR(1)");
    is_near(cf_serial_time(&both), 9.5, 1e-13, "forgets as its slow part does");
    ok(cf_serial_parameters(&ar) == 1 && cf_serial_parameters(&both) == 2 &&
           cf_serial_parameters(&white) == 0,
       "numbers");
}

TEST(serial_model)
{
    static const double c3[] = {0.7, -0.2, 0.3};
    double partial[3], c[3], rho[N], sum = 0;
    struct cf_serial_model ar3 = {CF_SERIAL_AR, 3, partial, 0};
    double phi[] = {0.93};
    struct cf_serial_model slow = {CF_SERIAL_WHITE_AR, 1, phi, 0.4};
    static const char *const name[] = {"AR(3)", "white and AR(1)"};

    plan(19);
    correlate(c3, 3, rho);
    /* partial autocorrelations of order 1 to 3 by their definition */
    partial[0] = rho[1];
    partial[1] = (rho[2] - rho[1] * rho[1]) / (1 - rho[1] * rho[1]);
    partial[2] = c3[2];
    cf_serial_coefficients(&ar3, c, NULL);
    ok(fabs(c[0] - 0.7) < 1e-12 && fabs(c[1] + 0.2) < 1e-12 && fabs(c[2] - 0.3) < 1e-12,
       "coefficients of AR(3)");
    is_filter(&ar3, rho, name[0]);
    is_drawn(&ar3, rho, name[0]);
    for (size_t k = 0; k < N; k++)
        rho[k] = k ? 0.4 * pow(0.93, (double) k) : 1;
    is_filter(&slow, rho, name[1]);
    is_drawn(&slow, rho, name[1]);
    correlate(c3, 3, rho);
    for (size_t j = 0; j < 3; j++)
        sum += c3[j];
    is_near(cf_serial_growth(&ar3),
            (1 - 0.7 * rho[1] + 0.2 * rho[2] - 0.3 * (0.7 * rho[2] - 0.2 * rho[1] + 0.3)) /
                gsl_pow_2(1 - sum),
            1e-11, "AR(3): its spectrum at 0");
    grows();
    ok(strcmp(cf_serial_name[CF_SERIAL_WHITE_AR], "white-ar") == 0, "names");
    return done();
}
