/* The smoothing spline against its definition: the minimum of its sum over all cubics with knots at
 * the samples, by dense equations; the trace of its influence matrix one unit vector at a time;
 * both ends of its range; the wave that it halves; and the sd of noise that was put in. */

#include "core/smoothing.h"

#include <gsl/gsl_linalg.h>
#include <gsl/gsl_math.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <string.h>

#include "core/random.h"
#include "tap.h"

enum { FEW = 12, MANY = 4000 };

static const double uneven[FEW] = {0, 0.3, 0.4, 0.9, 1.1, 1.2, 1.9, 2.4, 2.5, 3.1, 3.3, 4};

static double f_of(double t)
{
    return sin(2 * t) + 0.3 * t * t;
}

/* The natural spline through g[] at the samples has int g''^2 = g' K g. K by columns: the bending
 * energy is a quadratic form, and its polar form gives its entries. */
static double energy(const double t[], const double g[])
{
    struct cf_error err;
    struct cf_smoothing *s = cf_smoothing_make(FEW, t, g, (double) INFINITY, &err);
    double sum = 0, a[3], b[3];

    for (size_t i = 0; i + 1 < FEW; i++) { /* g'' is linear in each interval */
        double h = t[i + 1] - t[i];
        cf_smoothing_at(s, t[i], a);
        cf_smoothing_at(s, t[i + 1], b);
        sum += h * (a[2] * a[2] + a[2] * b[2] + b[2] * b[2]) / 3;
    }
    cf_smoothing_free(s);
    return sum;
}

static void dense(const double t[], const double x[], double L, double g[])
{
    gsl_matrix *A = gsl_matrix_alloc(FEW, FEW);
    gsl_vector_const_view b = gsl_vector_const_view_array(x, FEW);
    gsl_vector_view out = gsl_vector_view_array(g, FEW);

    for (size_t i = 0; i < FEW; i++)
        for (size_t j = 0; j < FEW; j++) {
            double plus[FEW] = {0}, minus[FEW] = {0};
            plus[i] += 1;
            plus[j] += 1;
            minus[i] += 1;
            minus[j] -= 1;
            gsl_matrix_set(A, i, j, (i == j) + L * (energy(t, plus) - energy(t, minus)) / 4);
        }
    gsl_linalg_cholesky_decomp1(A);
    gsl_linalg_cholesky_solve(A, &b.vector, &out.vector);
    gsl_matrix_free(A);
}

static void against_its_definition(double cutoff_Hz)
{
    double x[FEW], g[FEW], out[3], trace = 0, rss = 0, worst = 0;
    double L = 1 / (4. / (FEW - 1) * gsl_pow_4(2 * M_PI * cutoff_Hz));
    struct cf_error err;
    struct cf_smoothing *s;

    for (size_t i = 0; i < FEW; i++)
        x[i] = f_of(uneven[i]) + 0.2 * cos(17. * (double) i);
    dense(uneven, x, L, g);
    s = cf_smoothing_make(FEW, uneven, x, cutoff_Hz, &err);
    for (size_t i = 0; i < FEW; i++) {
        cf_smoothing_at(s, uneven[i], out);
        worst = fmax(worst, fabs(out[0] - g[i]));
        rss += gsl_pow_2(x[i] - g[i]);
    }
    ok(worst < 1e-10, "%g Hz: the minimum of its sum, to %.1e", cutoff_Hz, worst);
    for (size_t i = 0; i < FEW; i++) {
        double unit[FEW] = {0}, h[FEW];
        unit[i] = 1;
        dense(uneven, unit, L, h);
        trace += h[i];
    }
    is_near(cf_smoothing_freedom(s), trace, 1e-9, "%g Hz: the trace of its influence", cutoff_Hz);
    is_near(cf_smoothing_noise(s), sqrt(rss / (FEW - trace)), 1e-9, "%g Hz: the sd about it",
            cutoff_Hz);
    is_near(cf_smoothing_cutoff_Hz(s), cutoff_Hz, 0, "%g Hz: as asked for", cutoff_Hz);
    cf_smoothing_free(s);
}

static void at_both_ends(void)
{
    double x[FEW], out[3], next[3], worst = 0;
    struct cf_error err;
    struct cf_smoothing *s;

    for (size_t i = 0; i < FEW; i++)
        x[i] = f_of(uneven[i]);
    s = cf_smoothing_make(FEW, uneven, x, (double) INFINITY, &err);
    for (size_t i = 0; i < FEW; i++) {
        cf_smoothing_at(s, uneven[i], out);
        worst = fmax(worst, fabs(out[0] - x[i]));
    }
    ok(worst < 1e-14 && cf_smoothing_noise(s) == 0, "through the samples: %.1e", worst);
    is_near(cf_smoothing_freedom(s), FEW, 1e-12, "which spends them all");
    cf_smoothing_at(s, 4, out);
    cf_smoothing_at(s, 5, next);
    is_near(next[0], out[0] + out[1], 1e-14, "straight on behind the end");
    is_near(next[1], out[1], 1e-14, "at the slope that it has there");
    cf_smoothing_at(s, 1.55, out);
    cf_smoothing_at(s, 1.55 + 1e-6, next);
    is_near((next[0] - out[0]) / 1e-6, out[1], 1e-5, "the rate is that of the value");
    is_near((next[1] - out[1]) / 1e-6, out[2], 1e-5, "the bend is that of the rate");
    cf_smoothing_free(s);
    s = cf_smoothing_make(FEW, uneven, x, 1e-4, &err);
    is_near(cf_smoothing_freedom(s), 2, 1e-6, "as smooth as can be: a line");
    cf_smoothing_free(s);
}

static double t_many[MANY], x_many[MANY];

static void half_of_a_wave(void)
{
    static const double f[] = {1, 2, 4, 8};
    struct cf_error err;

    for (size_t k = 0; k < sizeof f / sizeof *f; k++) {
        struct cf_smoothing *s;
        double out[3], top = 0.5 / f[k] * floor(10 * f[k]);
        for (size_t i = 0; i < MANY; i++) {
            t_many[i] = 0.005 * (double) i;
            x_many[i] = cos(2 * M_PI * f[k] * t_many[i]);
        }
        s = cf_smoothing_make(MANY, t_many, x_many, 4, &err);
        cf_smoothing_at(s, top, out);
        is_near(out[0] * cos(2 * M_PI * f[k] * top), 1 / (1 + gsl_pow_4(f[k] / 4)), 2e-3,
                "a wave of %g Hz over a cutoff of 4 Hz", f[k]);
        cf_smoothing_free(s);
    }
}

static void noise_that_was_put_in(void)
{
    gsl_rng *random = cf_random_stream(7, 0);
    struct cf_error err;
    struct cf_smoothing *s;
    double out[3], worst = 0;

    for (size_t i = 0; i < MANY; i++) {
        t_many[i] = 0.005 * (double) i;
        x_many[i] = f_of(t_many[i]) + gsl_ran_gaussian(random, 0.05);
    }
    s = cf_smoothing_make(MANY, t_many, x_many, 0, &err);
    is_within(cf_smoothing_noise(s), 0.05, 0.002, "its sd");
    for (size_t i = 100; i < MANY - 100; i++) {
        cf_smoothing_at(s, t_many[i], out);
        worst = fmax(worst, fabs(out[1] - (2 * cos(2 * t_many[i]) + 0.6 * t_many[i])));
    }
    ok(worst < 0.25, "and the rate beneath, to %.3f where noise over spacing is 10", worst);
    cf_smoothing_free(s);
    gsl_rng_free(random);
}

static void what_is_refused(void)
{
    double t[5] = {0, 1, 2, 3, 4}, x[5] = {0, 1, 0, 1, 0};
    struct cf_error err;

    ok(!cf_smoothing_make(4, t, x, 0, &err), "four samples");
    is_str(err.text, "4 samples: at least 5 can be smoothed", "in words");
    t[3] = 2;
    ok(!cf_smoothing_make(5, t, x, 0, &err), "times that stand");
    is_str(err.text, "sample 4: time 2 s after 2 s: times must grow", "in words");
    t[3] = 3;
    x[2] = NAN;
    ok(!cf_smoothing_make(5, t, x, 0, &err), "a place that is not finite");
    is_str(err.text, "sample 3: not finite", "in words");
    x[2] = 0;
    ok(!cf_smoothing_make(5, t, x, -1, &err), "a frequency below 0");
    is_str(err.text, "smoothing at -1 Hz: must be above 0", "in words");
}

TEST(smoothing)
{
    plan(8 + 7 + 4 + 2 + 8);
    against_its_definition(0.2);
    against_its_definition(1.5);
    at_both_ends();
    half_of_a_wave();
    noise_that_was_put_in();
    what_is_refused();
    return done();
}
