/* What residuals of a record hang on: the F of generalised least squares against covariance
 * matrices that are written out; how often it rejects errors that hang on nothing, and finds what
 * is put into them; cycles of signals that are drawn here. */

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_math.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <string.h>

#include "estimate/serial_regression.h"
#include "judge/cycles.h"
#include "tap.h"

enum { N = 30, ROWS = 500, REPEATS = 100 };

/* ---- the sum of squares that generalised least squares leaves: r' V^-1 r, by the normal equations
 * of all m columns, the last being the response */
static double left_by(const double C[N * N], size_t m, double column[])
{
    double v[N * N], solved[8 * N], normal[8 * 8], right[8], x[8], left = 0;
    gsl_matrix_view V = gsl_matrix_view_array(v, N, N), A;
    gsl_vector_view b = gsl_vector_view_array(right, m - 1), at = gsl_vector_view_array(x, m - 1);

    memcpy(v, C, sizeof v);
    gsl_linalg_cholesky_decomp1(&V.matrix);
    for (size_t j = 0; j < m; j++) {
        gsl_vector_view c = gsl_vector_view_array(&column[j * N], N);
        gsl_vector_view s = gsl_vector_view_array(&solved[j * N], N);
        gsl_linalg_cholesky_solve(&V.matrix, &c.vector, &s.vector);
    }
    for (size_t i = 0; i + 1 < m; i++) {
        right[i] = 0;
        for (size_t k = 0; k < N; k++)
            right[i] += column[i * N + k] * solved[(m - 1) * N + k];
        for (size_t j = 0; j + 1 < m; j++) {
            normal[i * (m - 1) + j] = 0;
            for (size_t k = 0; k < N; k++)
                normal[i * (m - 1) + j] += column[i * N + k] * solved[j * N + k];
        }
    }
    A = gsl_matrix_view_array(normal, m - 1, m - 1);
    gsl_linalg_HH_solve(&A.matrix, &b.vector, &at.vector);
    for (size_t k = 0; k < N; k++) {
        double r = column[(m - 1) * N + k], s = solved[(m - 1) * N + k];
        for (size_t i = 0; i + 1 < m; i++)
            s -= x[i] * solved[i * N + k];
        left += r * s; /* what is left is orthogonal to the columns */
    }
    return left;
}

static void by_matrix(gsl_rng *rng)
{
    double C[N * N], column[5 * N], reduced[3 * N], partial[1] = {0.7}, F;
    uint32_t place[N];
    struct cf_serial_regression g = {.n = N,
                                     .place = place,
                                     .model = {CF_SERIAL_WHITE_AR, 1, partial, 0.6},
                                     .variance = 2.3,
                                     .dof = 17};
    struct cf_serial_addition added;
    struct cf_error err;

    for (size_t i = 0; i < N; i++) {
        place[i] = (uint32_t) (i < 18 ? i : i - 18);
        for (size_t j = 0; j < N; j++)
            C[i * N + j] = i == j                 ? 1
                           : (i < 18) == (j < 18) ? 0.6 * pow(0.7, fabs((double) i - (double) j))
                                                  : 0;
        column[i] = 1;
        column[N + i] = (double) i;
        column[2 * N + i] = sin((double) i);
        column[3 * N + i] = 3 * sin((double) i) - (double) i; /* nothing new */
        column[4 * N + i] = gsl_ran_gaussian(rng, 1) + column[2 * N + i];
    }
    ok(cf_serial_add(&g, 5, 1, column, &added, &err) == CF_OK, "columns are added");
    is_near(added.columns, 2, 1e-12, "two of three are new");
    memcpy(reduced, column, N * sizeof *column);
    memcpy(&reduced[N], &column[4 * N], N * sizeof *column);
    F = left_by(C, 2, reduced);
    memcpy(&column[3 * N], &column[4 * N], N * sizeof *column);
    F = (F - left_by(C, 4, column)) / 2 / 2.3;
    is_near(added.F, F, 1e-9, "F as by the matrix");
    is_near(added.p, gsl_cdf_fdist_Q(F, 2, 17), 1e-9, "its p");
}

/* ---- rates */

enum kind { AR1, AR3, WHITE_AR, NKIND };

static void draw(gsl_rng *rng, enum kind kind, double e[])
{
    double phi = 0.8, s[3] = {0};

    for (int k = -500; k < ROWS; k++) {
        double c[3] = {phi, 0, 0}, next = gsl_ran_gaussian(rng, 1);
        if (kind == AR3) { /* partial autocorrelations 0.7, -0.4, 0.3 */
            c[0] = 0.98 + 0.3 * 0.4;
            c[1] = -0.4 - 0.3 * 0.98;
            c[2] = 0.3;
        }
        for (int j = 0; j < 3; j++)
            next += c[j] * s[j];
        memmove(&s[1], &s[0], 2 * sizeof *s);
        s[0] = next;
        if (k >= 0)
            e[k] = next + (kind == WHITE_AR ? 2 * gsl_ran_gaussian(rng, 1) : 0);
    }
}

/* Of records with errors of a kind and `height` of a square wave, of a period of 100 rows, that is
 * tested: how many are rejected at 1 %, and how many a sine of it is seen in that is not there. */
static void rates(gsl_rng *rng, enum kind kind, double height, size_t *square, size_t *other)
{
    static double column[5 * ROWS], part[5 * ROWS];
    static uint32_t place[ROWS];
    struct cf_serial_regression g;
    struct cf_serial_addition added;
    struct cf_error err;
    double e[ROWS];

    *square = *other = 0;
    for (size_t k = 0; k < REPEATS; k++) {
        draw(rng, kind, e);
        for (size_t i = 0; i < ROWS; i++) {
            double phase = 2 * M_PI * (double) i / 100;
            place[i] = (uint32_t) i;
            column[i] = 1;
            column[ROWS + i] = i % 100 < 50 ? 1 : -1;
            column[2 * ROWS + i] = cos(phase);
            column[3 * ROWS + i] = cos(2 * phase);
            column[4 * ROWS + i] = e[i] + height * column[ROWS + i];
        }
        if (cf_serial_regress(ROWS, place, 5, column, 20, &g, &err))
            continue;
        memcpy(part, column, sizeof part);
        memcpy(&part[2 * ROWS], &column[4 * ROWS], ROWS * sizeof *part);
        if (!cf_serial_add(&g, 3, 1, part, &added, &err))
            *square += added.p < 0.01;
        memcpy(&part[ROWS], &column[2 * ROWS], 3 * ROWS * sizeof *part);
        if (!cf_serial_add(&g, 4, 1, part, &added, &err))
            *other += added.p < 0.01;
        cf_serial_regression_clear(&g);
    }
}

static void are_rates(gsl_rng *rng)
{
    static const char *const name[NKIND] = {"AR(1)", "AR(3)", "white + AR(1)"};
    size_t all = 0, square, other;

    for (enum kind kind = 0; kind < NKIND; kind++) {
        rates(rng, kind, 0, &square, &other);
        all += square + other;
        /* 1 % of 100: 6 or more have the probability 5e-4 */
        ok(square < 6 && other < 6,
           "%s: of 100 records that hang on nothing %zu and %zu are rejected", name[kind], square,
           other);
    }
    ok(all <= 14, "of 600 tests at 1 %%: %zu reject", all); /* more: 1e-3 */
    rates(rng, AR1, 2, &square, &other);
    ok(square > 90, "a square wave in AR(1) is seen in %zu of 100", square);
    rates(rng, WHITE_AR, 2, &square, &other);
    ok(square > 90, "and in white + AR(1) in %zu", square);
}

/* ---- cycles */

static void are_cycles(void)
{
    enum { PER = 80, CYCLES = 5, ALL = PER * CYCLES + PER / 2 };
    double signal[ALL], t[ALL], phase[ALL], direction[ALL], cycles, worst = 0, turned = 0;

    /* falls first, dwells at its ends, drifts away; noise as of a sensor */
    for (size_t i = 0; i < ALL; i++) {
        double x = 2 * M_PI * (double) i / PER, c = 1.3 * cos(x);
        t[i] = 0.01 * (double) i;
        signal[i] = fmax(fmin(c, 1), -1) + 0.2 * t[i] + 0.003 * sin(1e3 * (double) i);
    }
    cycles = cf_cycle_phases(signal, t, ALL, phase);
    cf_cycle_directions(signal, ALL, 0.1, direction);
    ok(cycles > 5 && cycles <= 5.5, "cycles are counted: %g", cycles);
    for (size_t i = 0; i < ALL; i++) {
        /* it rises through the middle at three quarters */
        double want = (double) i / PER - 0.75, off;
        want -= floor(want);
        off = fabs(phase[i] - want);
        if (!isnan(phase[i]))
            worst = fmax(worst, fmin(off, 1 - off));
        turned += fabs(sin(2 * M_PI * (double) i / PER)) > 0.9 &&
                  direction[i] * sin(2 * M_PI * (double) i / PER) > 0;
    }
    ok(worst < 0.02, "a row's place in its cycle is known to %g of it", worst);
    is_near(turned, 0, 0, "it rises and falls where it should");
    ok(!isnan(phase[0]) && !isnan(phase[ALL - 1]),
       "rows before the first cycle and behind the last, too");
    for (size_t i = 0; i < ALL; i++)
        signal[i] = -fabs((double) i - ALL / 2);
    is_near(cf_cycle_phases(signal, t, ALL, phase), 0, 0,
            "one stroke there and back is no cycle that repeats");
    ok(isnan(phase[ALL / 3]), "and no row has a place in one");
    memset(signal, 0, sizeof signal);
    is_near(cf_cycle_phases(signal, t, ALL, phase), 0, 0, "nor has rest");
}

TEST(patterns)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

    plan(17);
    gsl_rng_set(rng, 77);
    by_matrix(rng);
    are_rates(rng);
    are_cycles();
    gsl_rng_free(rng);
    return done();
}
