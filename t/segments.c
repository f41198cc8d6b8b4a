/* Segments with starts of their own: two thousand of four locals each. The protocol and the law are
 * defined here: a reading that decays within each segment at a rate that all share, from a start
 * that no other has. */

#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/evaluate.h"
#include "estimate/leverage.h"
#include "estimate/optimum.h"
#include "lab.h"
#include "tap.h"

enum { TIME, READING, NCHANNEL };
enum { LEVEL, SLOPE, BEND, SWING, NSTART };

static const struct cf_channel_row channel[NCHANNEL] = {
    [TIME] = {"time", "s", "since the segment began", CF_ROLE_IMPOSED, 0, 100, 0, NULL, "time",
              NULL, false},
    [READING] = {"reading", "V", "what was read", CF_ROLE_MEASURED, -1e6, 1e6,
                 1u << CF_FAMILY_NORMAL, NULL, "reading", NULL, true},
};

static const struct cf_param start[NSTART] = {
    [LEVEL] = {"level", "V", -1e6, 1e6, -1e3, 1e3, 0, CF_SCALE_LINEAR, "at the start"},
    [SLOPE] = {"slope", "V/s", -1e6, 1e6, -1e3, 1e3, 0, CF_SCALE_LINEAR, "of the line"},
    [BEND] = {"bend", "V/s^2", -1e6, 1e6, -1e3, 1e3, 0, CF_SCALE_LINEAR, "of the parabola"},
    [SWING] = {"swing", "V", 1e-6, 1e6, 1e-2, 1e2, 1, CF_SCALE_LOG, "of what decays"},
};

static size_t imposed(const struct cf_dataset *d, size_t row)
{
    (void) d;
    (void) row;
    return TIME;
}

static double abscissa(const struct cf_dataset *d, size_t row)
{
    return cf_dataset_value(d, row, TIME);
}

/* level + slope t + bend t^2 + swing exp(-rate t) */
static int predict(void *work, const struct cf_request *q, struct cf_response *out,
                   struct cf_error *err)
{
    const double *at = &q->value[q->law->nparam];

    (void) work;
    (void) err;
    for (size_t i = 0; i < q->nrow; i++) {
        double t = cf_dataset_value(q->data, q->row[i], TIME), decay = exp(-q->value[0] * t);
        const double by[1 + NSTART] = {-t * at[SWING] * decay, 1, t, t * t, decay};
        out->y[i] = at[LEVEL] + at[SLOPE] * t + at[BEND] * t * t + at[SWING] * decay;
        if (out->by_imposed)
            out->by_imposed[i] = 0;
        for (size_t k = 0; out->by_value && k < q->nby; k++)
            out->by_value[i * q->nby + k] = by[q->by[k]];
    }
    return CF_OK;
}

static const struct cf_protocol strokes = {
    .name = "strokes",
    .what = "segments that decay",
    .nchannel = NCHANNEL,
    .channel = channel,
    .axis = {"time", "s", true, 0, 100, "times", "time", NULL, false},
    .axis_channel = TIME,
    .headline = READING,
    .nstart = NSTART,
    .start = start,
    .imposed = imposed,
    .abscissa = abscissa,
    .predict = predict,
};

static const struct cf_param rate_row[1] = {
    {"rate", "1/s", 1e-3, 1e3, 0.1, 50, 2, CF_SCALE_LOG, "of the decay"}};
static const struct cf_law decay_law = {
    .name = "decay",
    .cite = "test",
    .what = "an exponential decay",
    .formula = "exp(-rate t)",
    .family = CF_FAMILY_NORMAL,
    .nparam = 1,
    .param = rate_row,
};

static double noise(size_t i)
{
    double x = sin(12.9898 * (double) (i + 1)) * 43758.5453;
    return 3.4 * (x - floor(x) - 0.5);
}

static double level_of(size_t segment)
{
    return 3 * noise(segment + 5000);
}

static double swing_of(size_t segment)
{
    return exp(0.3 * noise(segment + 9000));
}

enum { ROWS = 12 };
static const double true_rate = 1.7, sigma = 0.01;

/* n segments of ROWS readings. */
static void make(struct cf_dataset *d, size_t n)
{
    *d = (struct cf_dataset){.pair = lab_pair(1, 1)};
    if (cf_dataset_alloc(d, &strokes, n * ROWS, NULL))
        abort();
    d->name = calloc(1, 8);
    d->segment = calloc(n, sizeof *d->segment);
    if (!d->segment || !d->name)
        abort();
    d->nsegment = n;
    d->series[READING].kind = CF_SIGMA_GIVEN;
    for (size_t k = 0; k < n; k++) {
        d->segment[k] = (struct cf_segment){k * ROWS, ROWS};
        for (size_t i = 0; i < ROWS; i++) {
            double t = 3 * (double) i / (ROWS - 1), slope = noise(k + 100), bend = noise(k + 200);
            double y = level_of(k) + slope * t + bend * t * t + swing_of(k) * exp(-true_rate * t) +
                       sigma * noise(7 * k * ROWS + i);
            lab_put(d, k * ROWS + i, TIME, t, 0);
            lab_put(d, k * ROWS + i, READING, y, sigma);
        }
    }
}

static struct cf_spec spec_of(struct cf_dataset *d)
{
    struct cf_spec spec = {.law = &decay_law, .data = d, .ndata = 1, .options = cf_fit_defaults};
    if (!is_full_check()) { /* the search for one unknown takes most of the time */
        spec.options.screen /= 4;
        spec.options.starts /= 4;
    }
    spec.free[spec.nfree++] =
        (struct cf_free){"rate", NAN, NAN, NAN, NAN, NAN, false, CF_SHARED_BY_ALL};
    return spec;
}

/* What a linear fit of the three others and the swing leaves of one segment at a rate: the swing
 * is linear, too. By QR of the rows themselves. */
static double left_over(const struct cf_dataset *d, size_t segment, double rate)
{
    gsl_matrix *A = gsl_matrix_alloc(ROWS, NSTART);
    gsl_vector *y = gsl_vector_alloc(ROWS), *tau = gsl_vector_alloc(NSTART),
               *x = gsl_vector_alloc(NSTART), *r = gsl_vector_alloc(ROWS);
    double sum = 0;

    for (size_t i = 0; i < ROWS; i++) {
        double t = cf_dataset_value(d, segment * ROWS + i, TIME);
        gsl_matrix_set(A, i, 0, 1 / sigma);
        gsl_matrix_set(A, i, 1, t / sigma);
        gsl_matrix_set(A, i, 2, t * t / sigma);
        gsl_matrix_set(A, i, 3, exp(-rate * t) / sigma);
        gsl_vector_set(y, i, cf_dataset_value(d, segment * ROWS + i, READING) / sigma);
    }
    gsl_linalg_QR_decomp(A, tau);
    gsl_linalg_QR_lssolve(A, tau, y, x, r);
    for (size_t i = 0; i < ROWS; i++)
        sum += gsl_vector_get(r, i) * gsl_vector_get(r, i);
    gsl_matrix_free(A);
    gsl_vector_free(y);
    gsl_vector_free(tau);
    gsl_vector_free(x);
    gsl_vector_free(r);
    return sum;
}

static double profile(const struct cf_dataset *d, size_t n, double rate)
{
    double sum = 0;
    for (size_t k = 0; k < n; k++)
        sum += left_over(d, k, rate);
    return sum;
}

/* The lowest point of a parabola through three of the profile's. */
static double best_rate(const struct cf_dataset *d, size_t n, double near, double *width)
{
    double h = 1e-3 * near, low, middle, high;

    for (int k = 0; k < 4; k++, h /= 4) {
        low = profile(d, n, near - h);
        middle = profile(d, n, near);
        high = profile(d, n, near + h);
        near -= h * (high - low) / (2 * (high - 2 * middle + low));
        *width = sqrt(2 * h * h / (high - 2 * middle + low));
    }
    return near;
}

static void segments(size_t n)
{
    struct cf_dataset d;
    struct cf_optimum o;
    double rate, width, worst = 0, chi2, hat = 0;
    struct cf_fold again;

    make(&d, n);
    struct cf_spec spec = spec_of(&d);
    ok(!cf_optimum_init(&o, &spec, NULL, NULL, NULL) && o.problem.nfree == 1 &&
           o.problem.nlocal == NSTART * n,
       "%zu segments: one unknown, %zu locals", n, NSTART * n);
    struct cf_solver *solver = cf_solver_alloc(&o.problem);
    ok(!cf_optimum_find(&o, solver, NULL) && o.confirmed >= 2, "the optimum is found");
    rate = best_rate(&d, n, o.value[0], &width);
    is_within((o.value[0] - rate) / width, 0, 1e-4, "the rate is that of the profile");
    is_near(sqrt(cf_rank_variance(&o.rank, 0)) * o.value[0] / width, 1, 0.1,
            "with its standard error");
    chi2 = profile(&d, n, rate);
    is_near(o.fold.chi2 / chi2, 1, 1e-9, "and its chi^2");
    is_near(o.dof, (double) (n * (ROWS - NSTART)) - 1, 1e-12, "each local costs a degree");
    for (size_t k = 0; k < n; k++) {
        const double *at = &o.problem.local[o.problem.part[k].local];
        worst = fmax(worst, fabs(exp(at[SWING]) - swing_of(k)) / swing_of(k));
    }
    ok(worst < 1, "every segment has its own swing: at most %.2g off", worst);
    double *h = malloc((n * ROWS + 1) * sizeof *h);
    cf_leverages(&o.problem, o.theta, &o.fold, &o.rank, h, NULL);
    for (size_t i = 0; i < n * ROWS; i++)
        hat += h[i];
    is_near(hat / (double) (NSTART * n + 1), 1, 1e-6, "leverages add up to the unknowns");
    free(h);
    const struct cf_workers workers = {.jobs = 3};
    cf_fold_alloc(&again, &o.problem, NULL);
    o.problem.workers = &workers;
    ok(!cf_problem_fold(&o.problem, o.theta, &again, NULL) &&
           memcmp(again.R, o.fold.R, 4 * sizeof *again.R) == 0,
       "three threads: the same bits");
    cf_fold_clear(&again);
    cf_solver_free(solver);
    cf_optimum_clear(&o);
    cf_dataset_clear(&d);
}

/* Segments in another order: each has the same locals to the last bit. */
static void permuted(void)
{
    enum { N = 30 };
    struct cf_dataset d, e;
    struct cf_problem p, q;
    struct cf_fold f, g;
    const double theta[1] = {log(true_rate)};
    size_t same = 0;

    make(&d, N);
    make(&e, N);
    for (size_t k = 0; k < N; k++)
        for (size_t i = 0; i < ROWS; i++)
            for (size_t c = 0; c < NCHANNEL; c++)
                lab_put(&e, (N - 1 - k) * ROWS + i, c, cf_dataset_value(&d, k * ROWS + i, c),
                        c == READING ? sigma : 0);
    struct cf_spec one = spec_of(&d), other = spec_of(&e);
    cf_problem_init(&p, &one, one.law, NULL, CF_ROW_FIT, CF_SCOPE_ALL, NULL);
    cf_problem_init(&q, &other, other.law, NULL, CF_ROW_FIT, CF_SCOPE_ALL, NULL);
    cf_fold_alloc(&f, &p, NULL);
    cf_fold_alloc(&g, &q, NULL);
    ok(!cf_problem_fold(&p, theta, &f, NULL) && !cf_problem_fold(&q, theta, &g, NULL),
       "two orders");
    for (size_t k = 0; k < N; k++)
        same += memcmp(&f.local[p.part[k].local], &g.local[q.part[N - 1 - k].local],
                       NSTART * sizeof *f.local) == 0;
    ok(same == N, "every segment is the same in both");
    cf_fold_clear(&f);
    cf_fold_clear(&g);
    cf_problem_free(&p);
    cf_problem_free(&q);
    cf_dataset_clear(&d);
    cf_dataset_clear(&e);
}

/* Fewer rows: a segment that is kept stays the one that it is. */
static void thinned(void)
{
    enum { N = 300 };
    struct cf_dataset d;
    struct cf_problem all, some;
    size_t same = 0, rows = 0;

    make(&d, N);
    struct cf_spec spec = spec_of(&d);
    cf_problem_init(&all, &spec, spec.law, NULL, CF_ROW_FIT, CF_SCOPE_ALL, NULL);
    ok(!cf_problem_thin(&some, &all, 1500, NULL) && some.npart < N, "some segments of many");
    for (size_t k = 0; k < some.npart; k++) {
        const struct cf_part *part = &some.part[k];
        size_t segment = some.observation[part->first].row / ROWS;
        same += part->segment == segment && part->local == all.part[segment].local;
        rows += part->count;
    }
    ok(same == some.npart, "%zu of %zu are what they were", same, some.npart);
    ok(rows == some.nobservation && rows < N * ROWS, "of %zu rows", rows);
    cf_problem_free(&some);
    cf_problem_free(&all);
    cf_dataset_clear(&d);
}

/* The likely point before a fit: the stated start, or else the best of those that were screened. */
static void likely(void)
{
    struct cf_dataset d;
    struct cf_problem q;
    double theta[1];

    make(&d, 20);
    for (int stated = 0; stated < 2; stated++) {
        struct cf_spec spec = spec_of(&d);
        spec.free[0].start = stated ? 5 : (double) NAN;
        cf_problem_init(&q, &spec, spec.law, NULL, CF_ROW_FIT, CF_SCOPE_ALL, NULL);
        ok(!cf_screen_best(&q, theta, NULL), "a likely point");
        double near = stated ? 5 : true_rate, within = stated ? 1e-12 : 0.1;
        is_near(exp(theta[0]) / near, 1, within, stated ? "the stated start" : "near the truth");
        cf_problem_free(&q);
    }
    cf_dataset_clear(&d);
}

/* Of the observations, with the problem's locals as they are. */
static double chi2_at(const struct cf_problem *q, double rate)
{
    double *y = malloc(q->nobservation * sizeof *y), theta = log(rate), sum = 0;
    cf_problem_predict(q, &theta, y, NULL, NULL);
    for (size_t i = 0; i < q->nobservation; i++)
        sum += pow((q->observation[i].value - y[i]) / q->observation[i].sigma, 2);
    free(y);
    return sum;
}

/* Locals that follow the rate by the derivatives miss little of chi^2, the less the nearer. */
static void followed(const struct cf_dataset *d, struct cf_problem *q, const struct cf_fold *best)
{
    static const double by[] = {0.1, 0.01};

    for (size_t i = 0; i < 2; i++) {
        double rate = true_rate * exp(by[i]), least = profile(d, d->nsegment, rate), stayed, moved;
        memcpy(q->local, best->local, q->nlocal * sizeof *q->local);
        stayed = chi2_at(q, rate) - least;
        cf_fold_follow(best, q, &by[i], q->local);
        moved = chi2_at(q, rate) - least;
        ok(moved > 0 && moved < 2 * by[i] * stayed,
           "a rate off by %g: %.3g above the best locals, %.3g where they stay", by[i], moved,
           stayed);
    }
    memcpy(q->local, best->local, q->nlocal * sizeof *q->local);
}

/* In a quick fold of a motion locals near their best stay, and chi^2 is that of their best. */
static void quickly(void)
{
    enum { N = 20 };
    static const double off[] = {5e-5, 1};
    struct cf_protocol motion = strokes;
    struct cf_dataset d;
    struct cf_problem q;
    struct cf_fold best, fold;
    const double theta = log(true_rate);

    motion.whole = true;
    make(&d, N);
    d.protocol = &motion;
    struct cf_spec spec = spec_of(&d);
    cf_problem_init(&q, &spec, spec.law, NULL, CF_ROW_FIT, CF_SCOPE_ALL, NULL);
    cf_fold_alloc(&best, &q, NULL);
    cf_fold_alloc(&fold, &q, NULL);
    cf_problem_fold(&q, &theta, &best, NULL);
    followed(&d, &q, &best);
    fold.quick = true;
    for (size_t i = 0; i < 2; i++) {
        for (size_t k = LEVEL; k < q.nlocal; k += NSTART)
            q.local[k] = best.local[k] + off[i];
        cf_problem_fold(&q, &theta, &fold, NULL);
        is_near(fold.chi2 / profile(&d, N, true_rate), 1, 1e-6, "levels off by %g V: chi^2",
                off[i]);
        size_t stay = 0;
        for (size_t k = 0; k < q.nlocal; k += NSTART)
            stay += fold.local[k] == q.local[k];
        ok(i == 0 ? stay > N / 2 : stay == 0, "%zu of %d stay", stay, N);
    }
    cf_fold_clear(&best);
    cf_fold_clear(&fold);
    cf_problem_free(&q);
    cf_dataset_clear(&d);
}

TEST(segments)
{
    gsl_set_error_handler_off();
    plan(9 + 9 + 2 + 3 + 4 + 6);
    segments(5);
    segments(2000);
    permuted();
    thinned();
    likely();
    quickly();
    return done();
}
