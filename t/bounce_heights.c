/* Heights over time: noise, impacts and flights of a track against one that is followed by its
 * equation of motion; ratios of highest points against a bounce by closed forms and by the law, all
 * derivatives against differences; the errors of highest points against a dense covariance. */

#include <gsl/gsl_linalg.h>
#include <gsl/gsl_math.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "estimate/effects.h"
#include "estimate/evaluate.h"
#include "estimate/records.h"
#include "experiment/bounce_heights.h"
#include "experiment/bounce_track.h"
#include "experiment/flight.h"
#include "experiment/rows.h"
#include "lab.h"
#include "tap.h"

static const double gravity = 9.80665;

/* ---- flights */

enum { NSAMPLE = 400 };

/* A flight that is launched at t = 0.1 s, sampled at 1 kHz, by Runge and Kutta's method. */
static size_t fly(double launch, double kappa, double t[], double z[], double *apex, double *at)
{
    const double dt = 1e-3;
    double v = launch, h = 0;
    size_t n = 0;

    *apex = 0;
    for (size_t i = 0; i < NSAMPLE && h >= 0; i++) {
        double k[4], w = v, old = v;
        t[n] = 0.1 + (double) i * dt;
        z[n++] = h;
        for (int j = 0; j < 4; j++) {
            k[j] = -gravity - kappa * w * fabs(w);
            w = v + k[j] * (j < 2 ? dt / 2 : dt);
        }
        v += dt / 6 * (k[0] + 2 * k[1] + 2 * k[2] + k[3]);
        if (old > 0 && v <= 0) { /* the rest of the way, without drag to speak of */
            *apex = h + old * old / (2 * gravity);
            *at = t[n - 1] + old / gravity;
        }
        /* the cubic through both speeds and their slopes */
        h += dt * (old + v) / 2 + dt * dt / 12 * (kappa * (v * fabs(v) - old * fabs(old)));
    }
    return n;
}

static void test_flight(double kappa)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    double t[NSAMPLE], z[NSAMPLE], apex = 0, at = 0, work[NSAMPLE];
    struct cf_track track = {
        .time_s = t, .height_m = z, .gravity_m_s2 = gravity, .drag_1_m = kappa};
    struct cf_track_flight f;

    track.n = fly(1.8, kappa, t, z, &apex, &at);
    ok(cf_track_fit(&track, 0, track.n, -INFINITY, INFINITY, 0, 5, &f) && f.n == track.n,
       "kappa %g /m: a flight", kappa);
    is_near(f.apex_m, apex, 1e-6, "its highest point");
    is_near(f.time_s, at, 1e-6, "and when");
    ok(sqrt(f.square / (double) f.n) < 1e-7 && fabs(f.scale) < 1e-5, "nothing is left over");
    is_near(f.apex_m, cf_rise_height(1.8, gravity, kappa).value, 1e-6, "as the closed form has it");
    ok(cf_track_fit(&track, 0, track.n / 3, -INFINITY, INFINITY, 0, 5, &f) &&
           fabs(f.apex_m / apex - 1) < 1e-5,
       "a third of it tells the same");
    ok(cf_track_fit(&track, 0, track.n, t[0], t[track.n - 1], 0.0105, 5, &f) && f.n == track.n - 22,
       "both ends are left out");
    ok(!cf_track_fit(&track, 0, 4, -INFINITY, INFINITY, 0, 5, &f), "four samples are too few");
    for (size_t i = 0; i < track.n; i++)
        z[i] *= 1.03;
    ok(cf_track_fit(&track, 0, track.n, -INFINITY, INFINITY, 0, 5, &f) &&
           fabs(f.scale - 0.03) < 1e-3,
       "heights of another scale curve otherwise");
    for (size_t i = 0; i < track.n; i++)
        z[i] += gsl_ran_gaussian(rng, 1e-3);
    gsl_rng_free(rng);
    ok(fabs(cf_track_noise(&track, work) / 1e-3 - 1) < 0.25, "noise of a track");
}

/* Variances of the fit against those of the two unknowns of a parabola. */
static void test_variances(void)
{
    double t[21], z[21], n = 0, squares = 0;
    struct cf_track track = {.n = 21, .time_s = t, .height_m = z, .gravity_m_s2 = gravity};
    struct cf_track_flight f;

    for (size_t i = 0; i < 21; i++) {
        t[i] = 0.02 * ((double) i - 10);
        z[i] = 0.3 - gravity * t[i] * t[i] / 2;
        n++;
        squares += gsl_pow_2(gravity * t[i]);
    }
    cf_track_fit(&track, 0, 21, -INFINITY, INFINITY, 0, 5, &f);
    is_near(f.apex_v, 1 / n, 1e-9, "variance of a symmetrical flight's highest point");
    is_near(f.time_v, 1 / squares, 1e-9, "and of its time");
}

/* ---- impacts of a track */

static void test_impacts(void)
{
    /* held, falls, two flights, at rest */
    static const double z[] = {1.0, 1.01, 1.0, .8, .5, .1, .3,  .5, .52, .4, .2,
                               .0,  .2,   .3,  .2, 0,  0,  .01, 0,  .01, 0};
    double height[sizeof z / sizeof *z];
    struct cf_track track = {.n = sizeof z / sizeof *z, .height_m = height};
    size_t low[sizeof z / sizeof *z], begin, end, n;

    memcpy(height, z, sizeof z);
    n = cf_track_impacts(&track, 0.05, low, &begin, &end);
    ok(n == 2 && low[0] == 5 && low[1] == 11, "two impacts");
    ok(begin == 2 && end == 15, "what is held and what rests is no flight");
    track.n = 14;
    n = cf_track_impacts(&track, 0.05, low, &begin, &end);
    ok(n == 2 && end == 14, "a record that ends in flight");
    n = cf_track_impacts(&track, 2, low, &begin, &end);
    ok(n == 0, "no flight rises so far");
    track.n = 0;
    ok(cf_track_impacts(&track, 0.05, low, &begin, &end) == 0, "nothing at all");
}

/* ---- readings */

enum { MOST_VALUE = CF_MAX_PARAM + CF_HEIGHTS_NAPPARATUS };

/* The largest error of derivatives, relative to the reading over the value. A drag of 0 has another
 * side of no drag, where a difference is half of the derivative. */
static double worst_derivative(struct cf_curves *curves, struct cf_dataset *d,
                               const struct cf_law *law, size_t channel, size_t imposed,
                               double value[])
{
    double by[MOST_VALUE], by_imposed, worst = 0, up, h;
    double y = lab_reading(curves, d, law, channel, value, 0, by, &by_imposed);
    double *x = &d->series[imposed].value[0], kept;

    for (size_t k = 0; k <= law->nparam + CF_HEIGHTS_NAPPARATUS; k++) {
        bool last = k == law->nparam + CF_HEIGHTS_NAPPARATUS;
        double *at = last ? x : &value[k];
        kept = *at;
        h = 1e-5 * (fabs(kept) + 1e-4);
        *at = kept + h;
        up = lab_reading(curves, d, law, channel, value, 0, NULL, NULL);
        *at = kept - h;
        up -= lab_reading(curves, d, law, channel, value, 0, NULL, NULL);
        *at = kept;
        worst =
            fmax(worst, fabs((last ? by_imposed : by[k]) - up / (2 * h)) * (fabs(kept) + 1e-4) / y);
    }
    return worst;
}

static const struct {
    const char *law;
    double p[3], drag;
} cases[] = {
    {"e-constant", {0.8}, 0},
    {"e-log", {0.8, 0.05}, 0.5},
    {"azad-featherstone", {1e5, 100}, 0.4},
};
enum { NCASE = sizeof cases / sizeof cases[0] };

static void test_readings(struct cf_curves *curves, int i)
{
    const struct cf_law *law = cf_law_find(cases[i].law);
    const double contact = 0.021, stated = 0.02, apex = 0.4;
    struct cf_dataset d = {.pair = {.mass_kg = 0.05, .radius_m = 0.02, .gravity_m_s2 = gravity}};
    double value[MOST_VALUE] = {0}, kappa = cases[i].drag * 1.2 * M_PI * 0.02 * 0.02 / (2 * 0.05);
    double v, next;
    struct cf_impact impact;
    struct cf_error err;

    cf_curves_prepare(curves, law, &err);
    memcpy(value, cases[i].p, law->nparam * sizeof *value);
    value[law->nparam + CF_HEIGHTS_DRAG] = cases[i].drag;
    value[law->nparam + CF_HEIGHTS_AIR_DENSITY] = 1.2;
    value[law->nparam + CF_HEIGHTS_CONTACT] = contact;
    cf_dataset_alloc(&d, &cf_protocol_bounce_heights, 1, &err);
    d.apparatus[CF_HEIGHTS_CONTACT] = stated;
    cf_dataset_put(&d, 0, CF_HEIGHTS_HEIGHT, apex, 0, &err);
    v = cf_fall_speed(apex - contact, gravity, kappa).value;
    cf_impact(curves, law, value, 0.05, v, &impact, &err);
    next = contact + cf_rise_height(impact.value[CF_IMPACT_RESTITUTION] * v, gravity, kappa).value;
    is_near(lab_reading(curves, &d, law, CF_HEIGHTS_RATIO, value, 0, NULL, NULL),
            sqrt((next - stated) / (apex - stated)), 1e-12, "%s: the next highest point",
            law->name);
    ok(worst_derivative(curves, &d, law, CF_HEIGHTS_RATIO, CF_HEIGHTS_HEIGHT, value) < 5e-7,
       "derivatives of the ratio");
    ok(worst_derivative(curves, &d, law, CF_HEIGHTS_RESTITUTION, CF_HEIGHTS_HEIGHT, value) < 5e-7,
       "and of e");
    cf_dataset_drop(&d, CF_HEIGHTS_HEIGHT);
    cf_dataset_put(&d, 0, CF_HEIGHTS_SPEED, v, 0, &err);
    is_near(lab_reading(curves, &d, law, CF_HEIGHTS_RATIO, value, 0, NULL, NULL),
            sqrt((next - stated) / (apex - stated)), 1e-9, "the same of the speed");
    ok(worst_derivative(curves, &d, law, CF_HEIGHTS_RATIO, CF_HEIGHTS_SPEED, value) < 5e-7,
       "whose derivatives are right, too");
    cf_dataset_clear(&d);
}

/* ---- likelihood */

enum { NFLIGHT = 7 };

/* Highest points of one throw without drag, each with its sd, against the covariance of all ratios
 * written out. */
static void test_likelihood(void)
{
    const double e = 0.8, own = 0.004, sd = 8e-4, theta[] = {0.8};
    struct cf_dataset d = {.pair = {.mass_kg = 0.05, .radius_m = 0.02, .gravity_m_s2 = gravity}};
    struct cf_curves *curves = cf_curves_alloc();
    struct cf_spec spec = {.law = cf_law_find("e-constant"),
                           .nfree = 1,
                           .free = {{.name = "e",
                                     .min = NAN,
                                     .max = NAN,
                                     .start = NAN,
                                     .prior_value = NAN,
                                     .prior_sigma = NAN}},
                           .ndata = 1,
                           .data = &d,
                           .options = cf_fit_defaults};
    double A[NFLIGHT], r[NFLIGHT], y[NFLIGHT], by[NFLIGHT], cost, wanted = 0;
    gsl_matrix *C = gsl_matrix_alloc(NFLIGHT - 1, NFLIGHT - 1);
    struct cf_problem q;
    struct cf_error err;

    cf_dataset_alloc(&d, &cf_protocol_bounce_heights, NFLIGHT, &err);
    d.apparatus[CF_HEIGHTS_DRAG] = 0;
    for (size_t i = 0; i < NFLIGHT; i++) {
        A[i] = 0.6 * pow(e, 2 * (double) i) + sd * sin(5.0 * (double) i);
        cf_dataset_put(&d, i, CF_HEIGHTS_HEIGHT, A[i], sd * (1 + (double) i / 3), &err);
    }
    d.series[CF_HEIGHTS_HEIGHT].kind = CF_SIGMA_GIVEN;
    for (size_t i = 0; i + 1 < NFLIGHT; i++)
        cf_dataset_put(&d, i, CF_HEIGHTS_RATIO, sqrt(A[i + 1] / A[i]), 0, &err);
    d.series[CF_HEIGHTS_RATIO].kind = CF_SIGMA_ESTIMATE;
    ok(cf_problem_init(&q, &spec, spec.law, curves, CF_ROW_FIT, CF_SCOPE_ALL, &err) == CF_OK &&
           q.nobservation == NFLIGHT - 1,
       "a problem");
    cf_problem_predict(&q, theta, y, by, &err);
    for (size_t i = 0; i < q.nobservation; i++)
        q.observation[i].sigma = own;
    cf_records_link(&q, y, by);
    cf_problem_residuals(&q, theta, r, NULL, &err);
    cf_effects_whiten(&q, NULL, 0, 0, &cost, &err);
    for (size_t i = 0; i < q.nobservation; i++)
        cost += r[i] * r[i] + 2 * log(own);

    /* r_i = sqrt(A_(i+1)/A_i) - e: -e/(2 A_i) dA_i + dA_(i+1)/(2 e A_i) */
    for (size_t i = 0; i + 1 < NFLIGHT; i++)
        for (size_t j = 0; j + 1 < NFLIGHT; j++) {
            double sum = i == j ? own * own : 0;
            for (size_t k = 0; k < NFLIGHT; k++) {
                double s = sd * (1 + (double) k / 3);
                double a = k == i ? -e / (2 * A[i]) : k == i + 1 ? 1 / (2 * e * A[i]) : 0;
                double b = k == j ? -e / (2 * A[j]) : k == j + 1 ? 1 / (2 * e * A[j]) : 0;
                sum += a * b * s * s;
            }
            gsl_matrix_set(C, i, j, sum);
        }
    gsl_linalg_cholesky_decomp1(C);
    for (size_t i = 0; i + 1 < NFLIGHT; i++) {
        double z = sqrt(A[i + 1] / A[i]) - e;
        for (size_t j = 0; j < i; j++)
            z -= gsl_matrix_get(C, i, j) * y[j];
        y[i] = z / gsl_matrix_get(C, i, i);
        wanted += y[i] * y[i] + 2 * log(gsl_matrix_get(C, i, i));
    }
    is_near(cost, wanted, 1e-10, "-2 ln L of all ratios of a throw");
    gsl_matrix_free(C);
    cf_problem_free(&q);
    cf_curves_free(curves);
    cf_dataset_clear(&d);
}

TEST(bounce_heights)
{
    struct cf_curves *curves = cf_curves_alloc();

    plan(2 * 10 + 2 + 5 + 5 * NCASE + 2);
    test_flight(0);
    test_flight(0.05);
    test_variances();
    test_impacts();
    for (int i = 0; i < NCASE; i++)
        test_readings(curves, i);
    test_likelihood();
    cf_curves_free(curves);
    return done();
}
