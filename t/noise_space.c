/* The priors of sampled variances: the density that is stated in the variances themselves against
 * that in their coordinates, by differences; and what a reading then varies by. */

#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_math.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "estimate/records.h"
#include "estimate/solve.h"
#include "experiment/bounce_channels.h"
#include "experiment/rows.h"
#include "lab.h"
#include "resample/noise_space.h"
#include "tap.h"

enum { NTHROW = 3, NSTAMP = 8, NROW = NTHROW * NSTAMP };

static const char *const line[] = {"e_at_1", "b", NULL};

/* Stamps of three throws, whose ratios scatter. */
static void make(struct cf_dataset *d)
{
    const double gravity = 9.80665;
    struct cf_error err;

    *d = (struct cf_dataset){.pair = {.mass_kg = 0.05, .radius_m = 0.02, .gravity_m_s2 = gravity}};
    cf_dataset_alloc(d, &cf_protocol_bounce, NROW, &err);
    d->apparatus[CF_BOUNCE_DRAG] = 0;
    for (size_t i = 0; i < NTHROW; i++) {
        double v = 3 + 0.3 * (double) i, t = 0.1;
        for (size_t k = 0; k < NSTAMP; k++) {
            double row = (double) (i * NSTAMP + k);
            cf_dataset_put(d, i * NSTAMP + k, CF_BOUNCE_TIME, t + 7e-4 * sin(13 * row), 0, &err);
            cf_dataset_put(d, i * NSTAMP + k, CF_BOUNCE_THROW, (double) i + 1, 0, &err);
            v *= 0.82 - 0.04 * log(v) + 0.01 * cos(7 * row);
            t += 2 * v / gravity;
        }
    }
    d->series[CF_BOUNCE_TIME].kind = CF_SIGMA_ESTIMATE;
    if (cf_bounce_derive(d, NULL, &err))
        printf("# %s\n", err.text);
    d->series[CF_BOUNCE_RATIO].kind = CF_SIGMA_ESTIMATE;
}

/* ln of the density in the coordinates, less a constant. */
static double ln_prior(const struct cf_noise_space *s, const double x[], struct cf_problem *q)
{
    double room[8], ln = NAN;

    if (cf_noise_put(s, x, q, room, &ln, NULL))
        abort();
    return ln;
}

/* ln |d variances/d coordinates|, of the first n. */
static double ln_jacobian(const struct cf_noise_space *s, size_t n, const double at[])
{
    gsl_matrix *J = gsl_matrix_alloc(n, n);
    gsl_permutation *p = gsl_permutation_alloc(n);
    int sign;
    double ln;

    for (size_t j = 0; j < n; j++) {
        double x[4], h = 1e-5;
        for (size_t i = 0; i < n; i++)
            x[i] = at[i];
        for (size_t i = 0; i < n; i++) {
            double up, down;
            x[j] = at[j] + h;
            up = gsl_pow_2(cf_noise_value(s, i, x));
            x[j] = at[j] - h;
            down = gsl_pow_2(cf_noise_value(s, i, x));
            x[j] = at[j];
            gsl_matrix_set(J, i, j, (up - down) / (2 * h));
        }
    }
    gsl_linalg_LU_decomp(J, p, &sign);
    ln = gsl_linalg_LU_lndet(J);
    gsl_matrix_free(J);
    gsl_permutation_free(p);
    return ln;
}

/* What the readings of the problem's one channel vary by, on average. */
static double total(const struct cf_problem *q)
{
    double sum = 0;

    for (size_t i = 0; i < q->nobservation; i++)
        sum += gsl_pow_2(cf_observation_sigma(q, i)) / (double) q->nobservation;
    return sum;
}

/* Of n variances, with a density of 1/T^n. */
static void check(struct cf_problem *q, size_t n, const char *what)
{
    struct cf_noise_space s;
    struct cf_problem copy;
    double shift = 0;

    cf_problem_copy(&copy, q, NULL);
    if (cf_noise_space_make(&s, q, NULL))
        abort();
    ok(s.n == n && s.wanted == n, "%s: %zu numbers", what, s.n);
    for (int k = 0; k < 5; k++) {
        double x[4] = {s.number[0].low + 0.01 + 0.2 * k, 0.1 + 0.17 * k, 0.9 - 0.2 * k}, ln, want;
        if (!isfinite(s.number[0].low) || s.number[0].beside == 0)
            x[0] = -6 + 0.3 * k;
        ln = ln_prior(&s, x, &copy);
        want = -(double) n * log(total(&copy)) + ln_jacobian(&s, n, x);
        shift = k ? shift : ln - want;
        is_within(ln - want - shift, 0, 1e-6, "%s: the density at place %d", what, k);
        is_near(log(total(&copy)) / 2, x[0], 1e-9, "%s: what readings vary by", what);
    }
    cf_noise_space_clear(&s);
    cf_problem_free(&copy);
}

/* Where the fit is, there are its coordinates. */
static void starts(struct cf_problem *q, const char *what)
{
    struct cf_noise_space s;
    struct cf_problem copy;
    double x[4], far = 0;

    cf_problem_copy(&copy, q, NULL);
    if (cf_noise_space_make(&s, q, NULL))
        abort();
    for (size_t k = 0; k < s.n; k++)
        x[k] = s.number[k].start;
    ln_prior(&s, x, &copy);
    for (size_t i = 0; i < q->nobservation; i++)
        far = fmax(far, fabs(cf_observation_sigma(&copy, i) / cf_observation_sigma(q, i) - 1));
    ok(cf_noise_inside(&s, x) && far < 1e-12, "%s: it begins where the fit is: %g", what, far);
    cf_noise_space_clear(&s);
    cf_problem_free(&copy);
}

TEST(noise_space)
{
    struct cf_curves *curves = cf_curves_alloc();
    struct cf_dataset d;
    struct cf_spec spec;
    struct cf_problem q;

    gsl_set_error_handler_off();
    plan(4 * 12);
    make(&d);
    spec = lab_spec("e-log", line, &d, 1);
    if (cf_problem_init(&q, &spec, spec.law, curves, CF_ROW_FIT, CF_SCOPE_ALL, NULL))
        abort();
    cf_sigma_reset(&q);
    q.record[0].variance = 5e-7;
    check(&q, 2, "one sigma, and stamps");
    starts(&q, "one sigma, and stamps");
    q.channel[0].model = CF_SIGMA_BOTH;
    cf_channel_begin(&q, 0);
    check(&q, 3, "two parts, and stamps");
    starts(&q, "two parts, and stamps");
    q.channel[0].floored = true;
    for (size_t i = 0; i < q.nobservation; i++) {
        q.observation[i].sigma0 = 0.002 * (double) (1 + i % 3);
        q.observation[i].sigma = cf_channel_sigma(&q.channel[0], &q.observation[i]);
    }
    check(&q, 3, "beside floors");
    starts(&q, "beside floors");
    q.record[0].identified = false; /* of which the data say nothing */
    q.record[0].variance = 0;
    check(&q, 2, "without the stamps");
    starts(&q, "without the stamps");
    cf_problem_free(&q);
    cf_dataset_clear(&d);
    cf_curves_free(curves);
    return done();
}
