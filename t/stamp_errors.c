/* Errors of stamps: the likelihood of a throw's intervals against a Kalman filter that follows the
 * errors from stamp to stamp, with what a throw shares, with bounces left out and with throws that
 * fall from a height of which something is known; and triggers. */

#include <gsl/gsl_math.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "estimate/effects.h"
#include "estimate/evaluate.h"
#include "estimate/records.h"
#include "estimate/solve.h"
#include "estimate/variance_stream.h"
#include "experiment/bounce_channels.h"
#include "experiment/rows.h"
#include "resample/posterior_density.h"
#include "tap.h"

enum { NTHROW = 3, NSTAMP = 8, NROW = NTHROW * NSTAMP };

static const double gravity = 9.80665, e_at_1 = 0.82, fall = 0.04;
static const double scatter = 0.01, power = -0.4, jitter_s = 7e-4, shift = 0.006;

/* Of the heights of the first throw and of the last one, and what they are off by. */
static const double height_sigma[NTHROW] = {0.01, 0, 1e-3}, height_error = 4e-3;

/* Something like noise, the same everywhere. */
static double wobble(size_t i)
{
    return sin(12.9898 * (double) (i + 1)) + cos(78.233 * (double) (i * i + 1));
}

static void make(struct cf_dataset *d, struct cf_grouping *grouping, bool falls)
{
    struct cf_error err;
    size_t level;

    *d = (struct cf_dataset){.pair = {.mass_kg = 0.05, .radius_m = 0.02, .gravity_m_s2 = gravity}};
    cf_dataset_alloc(d, &cf_protocol_bounce, NROW, &err);
    d->apparatus[CF_BOUNCE_DRAG] = 0;
    for (size_t i = 0; i < NTHROW; i++) {
        double v = 3 + 0.3 * (double) i, t = 0.1;
        if (falls && height_sigma[i] > 0)
            cf_dataset_put(d, i * NSTAMP + 2, CF_BOUNCE_RELEASE,
                           v * v / (2 * gravity) + height_error, height_sigma[i], &err);
        for (size_t k = 0; k < NSTAMP; k++) {
            size_t row = i * NSTAMP + k;
            cf_dataset_put(d, row, CF_BOUNCE_TIME, t + jitter_s * wobble(row), 0, &err);
            cf_dataset_put(d, row, CF_BOUNCE_THROW, (double) i + 1, 0, &err);
            v *= e_at_1 - fall * log(v) + scatter * wobble(row + 100);
            t += 2 * v / gravity;
        }
    }
    d->series[CF_BOUNCE_TIME].kind = CF_SIGMA_ESTIMATE;
    if (cf_bounce_derive(d, NULL, &err))
        printf("# %s\n", err.text);
    d->series[CF_BOUNCE_RATIO].kind = CF_SIGMA_ESTIMATE;
    cf_grouping_level(grouping, "throw", SIZE_MAX, &level, &err);
    cf_dataset_group_room(d, 1, &err);
    for (size_t row = 0; row < NROW; row++) {
        char text[20];
        snprintf(text, sizeof text, "%zu", row / NSTAMP);
        cf_grouping_number(grouping, level, CF_NO_GROUP, text, &d->group[row], &err);
    }
}

/* e-log without drag: the next interval by the one before. */
static double next_interval(double interval)
{
    double v = gravity * interval / 2;
    return 2 * v * (e_at_1 - fall * log(v)) / gravity;
}

/* A reading of the state x[4] with covariance P joins: H x + noise of variance S = residual r. Adds
 * its part of -2 ln L to *cost. */
static void join(double x[4], double P[4][4], const double H[4], double S, double r, double *cost)
{
    double PH[4] = {0};

    for (size_t a = 0; a < 4; a++)
        for (size_t b = 0; b < 4; b++)
            PH[a] += P[a][b] * H[b];
    for (size_t a = 0; a < 4; a++) {
        S += H[a] * PH[a];
        r -= H[a] * x[a];
    }
    *cost += log(S) + r * r / S;
    for (size_t a = 0; a < 4; a++) {
        x[a] += PH[a] * r / S;
        for (size_t b = 0; b < 4; b++)
            P[a][b] -= PH[a] * PH[b] / S;
    }
}

/* The first interval of a throw that falls: it has two stamps, and the height's error. */
static void join_fall(const struct cf_dataset *d, size_t row, double x[4], double P[4][4],
                      double *cost)
{
    double h = cf_dataset_value(d, row, CF_BOUNCE_RELEASE), dh = 1e-5 * h;
    double interval =
        cf_dataset_value(d, row + 1, CF_BOUNCE_TIME) - cf_dataset_value(d, row, CF_BOUNCE_TIME);
    double D = 2 * sqrt(2 * h / gravity), H[4] = {-1 / D, 1 / D, 0, 1};
    double by_height = (next_interval(2 * sqrt(2 * (h + dh) / gravity)) -
                        next_interval(2 * sqrt(2 * (h - dh) / gravity))) /
                       (2 * dh * D);
    double own = scatter * pow(sqrt(2 * gravity * h), power);
    double height = by_height * cf_dataset_sigma(d, row, CF_BOUNCE_RELEASE);

    join(x, P, H, own * own + height * height, (interval - next_interval(D)) / D, cost);
}

/* -2 ln L without constants: the state is the errors of the last two stamps and the throw's shift,
 * the next stamp's joins it, the ratio is observed, the first leaves. */
static double by_kalman(const struct cf_dataset *d, double s_t, double s_b)
{
    double cost = 0;

    for (size_t i = 0; i < NTHROW; i++) {
        double x[4] = {0}, P[4][4] = {{0}};
        P[0][0] = P[1][1] = P[2][2] = s_t * s_t; /* stamps k - 1, k, k + 1 */
        P[3][3] = s_b * s_b;
        if (cf_dataset_has(d, i * NSTAMP, CF_BOUNCE_RELEASE))
            join_fall(d, i * NSTAMP, x, P, &cost);
        for (size_t k = 1; k + 1 < NSTAMP; k++) {
            size_t row = i * NSTAMP + k;
            double t0 = cf_dataset_value(d, row - 1, CF_BOUNCE_TIME),
                   t1 = cf_dataset_value(d, row, CF_BOUNCE_TIME),
                   t2 = cf_dataset_value(d, row + 1, CF_BOUNCE_TIME), F = t1 - t0, h = 1e-5 * F;
            double g = (next_interval(F + h) - next_interval(F - h)) / (2 * h);
            double H[4] = {g / F, -(1 + g) / F, 1 / F, 1};
            double own = scatter * pow(gravity * F / 2, power);

            if (d->use[row] == CF_ROW_FIT)
                join(x, P, H, own * own, (t2 - t1 - next_interval(F)) / F, &cost);
            /* on to the next stamp */
            const size_t from[4] = {1, 2, 2, 3};
            double y[4], Q[4][4];
            for (size_t a = 0; a < 4; a++)
                for (size_t b = 0; b < 4; b++)
                    Q[a][b] = a == 2 || b == 2 ? 0 : P[from[a]][from[b]];
            for (size_t a = 0; a < 4; a++)
                y[a] = a == 2 ? 0 : x[from[a]];
            Q[2][2] = s_t * s_t;
            memcpy(x, y, sizeof y);
            memcpy(P, Q, sizeof Q);
        }
    }
    return cost;
}

/* The same by the problem. */
static double by_problem(struct cf_problem *q, double s_t, double s_b, const double theta[])
{
    double y[NROW], by[NROW], r[NROW], cost;
    struct cf_error err;

    cf_problem_predict(q, theta, y, by, &err);
    for (size_t i = 0; i < q->nobservation; i++) {
        struct cf_observation *o = &q->observation[i];
        o->sigma = scatter * pow(o->abscissa, power);
    }
    cf_records_link(q, y, by);
    q->record[0].variance = s_t * s_t;
    q->effect[0].variance = s_b * s_b;
    cf_problem_residuals(q, theta, r, NULL, &err);
    cf_effects_whiten(q, NULL, 0, 0, &cost, &err);
    for (size_t i = 0; i < q->nobservation; i++)
        cost += r[i] * r[i] + 2 * log(q->observation[i].sigma);
    return cost;
}

/* Some of the rows: whole runs, each with the links that it has among all. */
static void test_thinned(const struct cf_problem *q, const char *what)
{
    struct cf_problem some;
    size_t linked = 0, wrong = 0;

    cf_problem_thin(&some, q, q->nobservation / 3, NULL);
    for (size_t i = 0, j = 0; i < some.nobservation; i++, j++) {
        while (q->observation[j].row != some.observation[i].row)
            j++;
        linked += cf_record_links(&some, i);
        for (size_t k = 0; k <= CF_RECORD_BAND; k++)
            wrong += some.link[i].band[k] != q->link[j].band[k];
    }
    ok(some.nobservation < q->nobservation / 2 && 2 * linked > some.nobservation,
       "%s: %zu of %zu rows, %zu linked", what, some.nobservation, q->nobservation, linked);
    ok(wrong == 0, "%s: each with all its links", what);
    cf_problem_free(&some);
}

/* Places about the variances of a problem, in one walk and one by one. */
static void test_stream(const struct cf_problem *q, const double theta[], const char *what)
{
    enum { PLACES = 7, MOST = 4 };
    struct cf_variance_value at[PLACES], alone;
    struct cf_variance_work w;
    struct cf_rank rank;
    double v[PLACES * MOST], worst = 0;

    cf_rank_problem(q, theta, NULL, &rank, NULL);
    ok(!cf_variance_work_at(q, theta, &rank, &w, NULL) && w.stream, "%s: side by side", what);
    cf_variance_scales(&w);
    for (size_t k = 0; k < w.nvariance; k++)
        for (size_t i = 0; i < PLACES; i++)
            v[i * w.nvariance + k] = w.v[k] + w.scale[k] * 0.1 * (double) ((i + k) % PLACES);
    cf_variance_stream(&w, v, PLACES, at, NULL);
    for (size_t i = 0; i < PLACES; i++) {
        cf_variance_evaluate(&w, &v[i * w.nvariance], &alone, NULL);
        worst = fmax(worst, fabs(at[i].log_det - alone.log_det) / fabs(alone.log_det));
        worst = fmax(worst, fabs(at[i].square - alone.square) / alone.square);
    }
    ok(worst < 1e-12, "%s: %zu variances in one walk: %.1g", what, w.nvariance, worst);
    v[0] = -1;
    cf_variance_stream(&w, v, 1, at, NULL);
    ok(!isfinite(at[0].log_det), "%s: none below 0", what);
    cf_variance_work_free(&w);
    cf_rank_clear(&rank);
}

static void test_streams(struct cf_problem *q, const double theta[], const char *what)
{
    struct cf_variance_work w;

    cf_sigma_reset(q);
    test_stream(q, theta, what);
    q->channel[0].model = CF_SIGMA_POWER;
    q->channel[0].exponent = power;
    cf_channel_begin(q, 0);
    q->observation[3].weight = 0;
    test_stream(q, theta, what);
    q->record[0].estimated = false;
    for (size_t i = 0; i < q->nobservation; i++) /* bands of stamps with a sigma that is stated */
        for (size_t k = 0; k <= CF_RECORD_BAND; k++)
            q->link[i].band[k] *= jitter_s * jitter_s;
    test_stream(q, theta, what);
    q->observation[3].weight = 2;
    ok(!cf_variance_work_make(q, 1, &w, NULL) && !w.stream, "%s: no row counts twice", what);
    cf_variance_work_free(&w);
}

/* What is sampled where the errors are other ones, by the filter: in the coordinates of readings'
 * own scatter and of stamps the prior is flat, so that only that of throws is left of it. */
static void test_posterior(struct cf_problem *q, const struct cf_dataset *d, const double theta[],
                           const char *what)
{
    struct cf_optimum optimum = {.problem = *q};
    struct cf_density density;
    double shift_of = 0;

    if (cf_density_init(&density, &optimum, 1, NULL))
        return;
    const struct cf_noise_number *number = density.noise.number;
    ok(density.noise.n == 3 && number[1].part.kind == CF_VARIANCE_RECORD, "%s: 3 numbers", what);
    for (int k = 0; k < 4; k++) {
        double s_t = jitter_s * (0.3 + k), s_b = shift * k / 2, information, got, want;
        double own = number[0].weight * scatter * scatter, more = number[1].weight * s_t * s_t;
        double x[] = {theta[0], theta[1], log(own + more) / 2, more / (own + more),
                      log(s_b * s_b + number[2].beside) / 2};
        got = cf_density_at(&density, x, 0);
        cf_effects_inform(&density.worker[0].problem, &information, NULL);
        want =
            -by_kalman(d, s_t, s_b) / 2 + log(information) / 2 + log(s_b * s_b + number[2].beside);
        shift_of = k ? shift_of : got - want;
        is_within(got - want, shift_of, 1e-7, "%s: the density with stamps of %g s", what, s_t);
    }
    cf_density_clear(&density);
}

static void test_likelihood(struct cf_dataset *d, const struct cf_grouping *grouping,
                            const char *what)
{
    static const double s_t[] = {jitter_s, 3 * jitter_s, 0, jitter_s / 30};
    static const double s_b[] = {shift, 0, shift, 10 * shift};
    struct cf_curves *curves = cf_curves_alloc();
    struct cf_spec spec = {.law = cf_law_find("e-log"),
                           .nfree = 2,
                           .free = {{.name = "e_at_1", .min = NAN, .max = NAN, .start = NAN},
                                    {.name = "b", .min = NAN, .max = NAN, .start = NAN}},
                           .ndata = 1,
                           .data = d,
                           .grouping = *grouping,
                           .options = cf_fit_defaults};
    const double theta[] = {e_at_1, fall};
    struct cf_problem q;
    struct cf_error err;

    for (size_t j = 0; j < 2; j++)
        spec.free[j].prior_value = spec.free[j].prior_sigma = NAN;
    ok(cf_problem_init(&q, &spec, spec.law, curves, CF_ROW_FIT, CF_SCOPE_ALL, &err) == CF_OK,
       "%s: a problem", what);
    for (size_t k = 0; k < sizeof s_t / sizeof s_t[0]; k++)
        is_near(by_problem(&q, s_t[k], s_b[k], theta), by_kalman(d, s_t[k], s_b[k]), 1e-9,
                "%s: -2 ln L with stamps of %g s, throws of %g", what, s_t[k], s_b[k]);
    ok(!cf_record_links(&q, 0) && cf_record_links(&q, 1), "the second bounce shares stamps");
    test_thinned(&q, what);
    if (!cf_dataset_has(d, 0, CF_BOUNCE_RELEASE)) {
        q.channel[0].model = CF_SIGMA_POWER;
        q.channel[0].exponent = power;
        q.channel[0].slope2 = scatter * scatter;
        test_posterior(&q, d, theta, what);
        q.channel[0].model = CF_SIGMA_CONSTANT;
    }
    test_streams(&q, theta, what);
    cf_problem_free(&q);
    cf_curves_free(curves);
}

/* ---- triggers */

/* What happens to eight stamps of e = 0.8, and what is to be said of it: S spurious, 1 and 2 that
 * many missed before it, L lost, . an impact. */
static const struct {
    const char *what, *words;
    size_t n;
    double t[12];
} sequences[] = {
    {"all there", "......", 6, {0, 1, 1.8, 2.44, 2.952, 3.3616}},
    {"one missed", "..1...", 6, {0, 1, 2.44, 2.952, 3.3616, 3.68928}},
    {"two missed", "..2...", 6, {0, 1, 2.952, 3.3616, 3.68928, 3.951424}},
    {"the second missed", ".1....", 6, {0, 1.8, 2.44, 2.952, 3.3616, 3.68928}},
    {"one too many", "..S....", 7, {0, 1, 1.3, 1.8, 2.44, 2.952, 3.3616}},
    {"one too many in the first flight", ".S.....", 7, {0, 0.4, 1, 1.8, 2.44, 2.952, 3.3616}},
    {"a noise before it", "S......", 7, {-0.3, 0, 1, 1.8, 2.44, 2.952, 3.3616}},
    {"a noise behind it", "......S", 7, {0, 1, 1.8, 2.44, 2.952, 3.3616, 5}},
    {"two too many in a flight", "..SS....", 8, {0, 1, 1.3, 1.5, 1.8, 2.44, 2.952, 3.3616}},
    {"one of each", "..S..1..", 8, {0, 1, 1.3, 1.8, 2.44, 3.3616, 3.68928, 3.951424}},
    {"a bad bounce", "......", 6, {0, 1, 1.7, 2.26, 2.708, 3.0664}},
    {"many missed", "...L...", 7, {0, 1, 1.8, 3.5, 3.6, 3.68, 3.744}},
    {"one alone", ".", 1, {0}},
    {"two", "..", 2, {0, 1}},
};
enum { NSEQUENCE = sizeof sequences / sizeof sequences[0] };

static void test_triggers(int i)
{
    const struct cf_trigger_rules rules = {.penalty = 4.5,
                                           .missed = 2,
                                           .spurious = 2,
                                           .intercept = log(0.8),
                                           .slope = 0,
                                           .scatter = 0.01};
    enum cf_trigger kind[12];
    unsigned char missed[12];
    char words[13] = "";
    struct cf_error err;

    cf_triggers_explain(&rules, sequences[i].n, sequences[i].t, kind, missed, &err);
    for (size_t k = 0; k < sequences[i].n; k++)
        words[k] = kind[k] == CF_TRIGGER_SPURIOUS ? 'S'
                   : missed[k] == CF_TRIGGER_LOST ? 'L'
                   : missed[k]                    ? (char) ('0' + missed[k])
                                                  : '.';
    is_str(words, sequences[i].words, "%s", sequences[i].what);
}

TEST(stamp_errors)
{
    struct cf_grouping grouping = {.origin = CF_GROUPS_STATED};
    struct cf_dataset d;
    struct cf_error err;

    plan(4 * (8 + 10) + 2 * 5 + 1 + NSEQUENCE);
    make(&d, &grouping, true);
    ok(cf_dataset_has(&d, 0, CF_BOUNCE_RELEASE) && !cf_dataset_has(&d, 2, CF_BOUNCE_RELEASE) &&
           !cf_dataset_has(&d, NSTAMP, CF_BOUNCE_RATIO),
       "a height is that of the throw's first impact");
    test_likelihood(&d, &grouping, "falls");
    cf_dataset_exclude(&d, 1, "a test", &err);
    d.use[2 * NSTAMP + 1] = CF_ROW_HELD_OUT;
    test_likelihood(&d, &grouping, "falls, some bounces left out");
    cf_dataset_clear(&d);
    cf_grouping_clear(&grouping);
    grouping = (struct cf_grouping){.origin = CF_GROUPS_STATED};
    make(&d, &grouping, false);
    test_likelihood(&d, &grouping, "all bounces");
    cf_dataset_exclude(&d, 3, "a test", &err);
    cf_dataset_exclude(&d, NSTAMP + 1, "a test", &err);
    d.use[2 * NSTAMP + 4] = d.use[2 * NSTAMP + 5] = CF_ROW_HELD_OUT;
    test_likelihood(&d, &grouping, "some left out");
    for (int i = 0; i < NSEQUENCE; i++)
        test_triggers(i);
    cf_dataset_clear(&d);
    cf_grouping_clear(&grouping);
    return done();
}
