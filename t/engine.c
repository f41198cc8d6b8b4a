/* The engine of a fit against oracles that are not its own code: dense least squares by GSL, and
 * closed forms. Folded and dense residuals, unknowns and locals in number, threads, rows thinned
 * and left out. */

#include <gsl/gsl_blas.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_math.h>
#include <gsl/gsl_multifit_nlinear.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/leave_one_out.h"
#include "estimate/leverage.h"
#include "estimate/optimum.h"
#include "estimate/triangle.h"
#include "lab.h"
#include "tap.h"

/* Even noise of unit size, the same in every run. */
static double noise(size_t i)
{
    double x = sin(12.9898 * (double) (i + 1)) * 43758.5453;
    return 3.4 * (x - floor(x) - 0.5); /* of variance 0.96 */
}

/* ---- R against J */

/* Columns that are all but parallel: condition 1e10. */
static void condition(void)
{
    enum { M = 4000, N = 3 };
    double *J = calloc(M * N, sizeof *J), R[N * N] = {0}, A[N * 512];
    struct cf_rank dense, folded;

    for (size_t i = 0; i < M; i++) {
        J[i * N] = noise(i);
        J[i * N + 1] = noise(i + M) * 1e3;
        J[i * N + 2] = J[i * N] * 2 - J[i * N + 1] / 700 + 1e-10 * noise(i + 2 * M);
    }
    for (size_t from = 0; from < M; from += 512) {
        size_t m = from + 512 < M ? 512 : M - from;
        for (size_t i = 0; i < m; i++)
            for (size_t j = 0; j < N; j++)
                A[j * m + i] = J[(from + i) * N + j];
        cf_triangle_add(R, N, A, m, m);
    }
    cf_rank_analyse(J, M, N, N, NULL, cf_rank_noise, &dense, NULL);
    cf_rank_analyse(R, N, N, N, NULL, cf_rank_noise, &folded, NULL);
    ok(dense.rank == 2 && folded.rank == 2, "of rank 2 at 1e-8, dense and folded");
    is_near(folded.singular[2] / dense.singular[2], 1, 1e-3, "the same least singular value %.3g",
            dense.singular[2]);
    ok(dense.singular[2] < 1e-9 * dense.singular[0], "ten orders below the first");
    for (size_t j = 0; j < N; j++)
        is_near(folded.direction[j] * folded.direction[0], dense.direction[j] * dense.direction[0],
                1e-9, "null direction %zu", j);
    cf_rank_clear(&dense);
    cf_rank_clear(&folded);
    free(J);
}

/* ---- 40 unknowns */

enum { SETS = 12, ROWS = 14 };

/* Impacts on 3 pairs in 12 data sets: restitution and duration, each set with an offset of e. */
static void make_sets(struct cf_dataset d[], const double offset[])
{
    static const struct cf_pair pair[3] = {
        {0.1, 0.02, 0, 9.81, {0}}, {0.25, 0.03, 0, 9.81, {0}}, {0.6, 0.05, 0, 9.81, {0}}};
    const struct cf_protocol *impact = cf_protocol_find("impact");
    size_t v = cf_protocol_channel(impact, "speed"), e = cf_protocol_channel(impact, "restitution");
    size_t t = cf_protocol_channel(impact, "duration");

    for (size_t k = 0; k < SETS; k++) {
        const double p[2] = {2e7 * (1 + 0.1 * (double) k), 4e3 * (1 + 0.05 * (double) k)};
        d[k] = (struct cf_dataset){.pair = pair[k % 3]};
        if (cf_dataset_alloc(&d[k], impact, ROWS, NULL) || !(d[k].name = malloc(8)))
            abort();
        d[k].name[0] = (char) ('a' + k);
        d[k].name[1] = '\0';
        d[k].series[e].kind = d[k].series[t].kind = CF_SIGMA_GIVEN;
        for (size_t i = 0; i < ROWS; i++) {
            double speed = 0.2 * pow(20, (double) i / (ROWS - 1)), value[CF_NIMPACT];
            cf_impact_integrate(cf_law_find("azad-featherstone"), p, d[k].pair.mass_kg, speed,
                                1e-13, value, NULL);
            lab_put(&d[k], i, v, speed, 0);
            lab_put(&d[k], i, e,
                    value[CF_IMPACT_RESTITUTION] + offset[k] + 1e-3 * noise(k * ROWS + i), 1e-3);
            lab_put(&d[k], i, t, value[CF_IMPACT_DURATION] * (1 + 1e-3 * noise(999 + k * ROWS + i)),
                    1e-3 * value[CF_IMPACT_DURATION]);
        }
    }
}

/* GSL's own fit of the same residuals, theta with the offsets behind. */
struct dense_problem {
    const struct cf_problem *problem;
    size_t nlocal;
};

static int dense_f(const gsl_vector *x, void *data, gsl_vector *f)
{
    const struct dense_problem *dense = data;
    struct cf_problem q = *dense->problem;
    double *r = malloc((q.nresidual + 1) * sizeof *r), theta[64], local[64];

    for (size_t i = 0; i < q.nfree; i++)
        theta[i] = gsl_vector_get(x, i);
    for (size_t i = 0; i < q.nlocal; i++)
        local[i] = gsl_vector_get(x, q.nfree + i);
    q.local = local;
    int status = cf_problem_residuals(&q, theta, r, NULL, NULL);
    for (size_t i = 0; i < q.nresidual; i++)
        gsl_vector_set(f, i, status ? 1e10 : r[i]);
    free(r);
    return GSL_SUCCESS;
}

static double dense_chi2(const struct cf_problem *q, double x[])
{
    struct dense_problem dense = {q, q->nlocal};
    size_t n = q->nfree + q->nlocal;
    gsl_multifit_nlinear_parameters how = gsl_multifit_nlinear_default_parameters();
    gsl_multifit_nlinear_fdf fdf = {.f = dense_f, .n = q->nresidual, .p = n, .params = &dense};
    double chi2;
    int info;
    how.fdtype = GSL_MULTIFIT_NLINEAR_CTRDIFF;
    how.h_df = 1e-6;
    gsl_multifit_nlinear_workspace *w =
        gsl_multifit_nlinear_alloc(gsl_multifit_nlinear_trust, &how, q->nresidual, n);
    gsl_vector_view start = gsl_vector_view_array(x, n);
    gsl_multifit_nlinear_init(&start.vector, &fdf, w);
    gsl_multifit_nlinear_driver(100, 1e-12, 1e-12, 0, NULL, NULL, &info, w);
    gsl_blas_ddot(gsl_multifit_nlinear_residual(w), gsl_multifit_nlinear_residual(w), &chi2);
    for (size_t i = 0; i < n; i++)
        x[i] = gsl_vector_get(gsl_multifit_nlinear_position(w), i);
    gsl_multifit_nlinear_free(w);
    return chi2;
}

static void forty(struct cf_curves *curves)
{
    static const char *const names[] = {"k", "lambda", NULL};
    double offset[SETS], x[64], worst = 0, chi2, off = 0;
    struct cf_dataset d[SETS];
    struct cf_nuisance nuisance[SETS + 4];
    struct cf_optimum o;
    size_t e = cf_protocol_channel(cf_protocol_find("impact"), "restitution");
    size_t t = cf_protocol_channel(cf_protocol_find("impact"), "duration");

    for (size_t k = 0; k < SETS; k++)
        offset[k] = 0.01 * noise(k + 77);
    make_sets(d, offset);
    struct cf_spec spec = lab_spec("azad-featherstone", names, d, SETS);
    spec.free[0].per = spec.free[1].per = CF_SHARED_BY_DATA;
    for (size_t k = 0; k < SETS + 4; k++)
        nuisance[k] = (struct cf_nuisance){.data = k % SETS,
                                           .kind = k < SETS ? CF_NUISANCE_BIAS : CF_NUISANCE_GAIN,
                                           .index = k < SETS ? e : t,
                                           .min = NAN,
                                           .max = NAN,
                                           .start = k < SETS ? 0 : 1,
                                           .prior_value = k < SETS ? NAN : 1,
                                           .prior_sigma = k < SETS ? (double) NAN : 0.01};
    spec.nuisance = nuisance;
    spec.nnuisance = SETS + 4;
    ok(!cf_optimum_init(&o, &spec, curves, NULL, NULL) && o.problem.nfree == 24 &&
           o.problem.nlocal == 16,
       "24 unknowns of 12 data sets and 16 locals");
    is_str(o.problem.unknown[13].name, "lambda[b]", "which say whose they are");
    struct cf_solver *solver = cf_solver_alloc(&o.problem);
    ok(!cf_optimum_find(&o, solver, NULL) && o.confirmed >= 2, "found, from two starts or more");
    memcpy(x, o.theta, 24 * sizeof *x);
    memcpy(x + 24, o.problem.local, 16 * sizeof *x);
    for (size_t i = 0; i < 40; i++)
        x[i] += i < 24 ? 1e-3 : 1e-4;
    chi2 = dense_chi2(&o.problem, x);
    for (size_t p = 0; p < o.problem.npart; p++) /* priors of locals are no residuals there */
        for (size_t j = 0; j < o.fold.part[p].nlocal; j++) {
            const struct cf_unknown *w = &o.problem.set[o.problem.part[p].data].local[j];
            if (w->has_prior)
                off += gsl_pow_2((w->prior - o.problem.local[o.problem.part[p].local + j]) /
                                 w->prior_sigma);
        }
    ok(chi2 <= o.fold.chi2 - off + 1e-9, "GSL's fit of all 40 without the priors is no worse");
    for (size_t i = 4; i < 12; i++) { /* sets without a gain */
        worst = fmax(worst, fabs(x[i] - o.theta[i]) / sqrt(cf_rank_variance(&o.rank, i)));
        worst = fmax(worst,
                     fabs(x[12 + i] - o.theta[12 + i]) / sqrt(cf_rank_variance(&o.rank, 12 + i)));
    }
    ok(worst < 1e-4, "and the same optimum to %.1g standard errors", worst);
    worst = 0;
    for (size_t k = 4; k < SETS; k++) {
        size_t at = o.problem.part[k].local;
        worst = fmax(worst, fabs(o.problem.local[at] - x[24 + at]) / 1e-3);
        off = fmax(off, fabs(o.problem.local[at] - offset[k]) / 1e-3);
    }
    ok(worst < 1e-4, "the same offsets, to %.1g sigma", worst);
    ok(off < 6, "which are those that were put in, to %.2g sigma", off);
    is_near(o.dof, 2 * SETS * ROWS + 4 - 40, 1e-12, "degrees of freedom: 4 priors, 40 unknowns");
    cf_solver_free(solver);
    cf_optimum_clear(&o);
    for (size_t k = 0; k < SETS; k++)
        cf_dataset_clear(&d[k]);
}

/* ---- threads and rows */

enum { MANY = 40000 };

static void make_many(struct cf_dataset *d, size_t n)
{
    const double p[2] = {2e7, 4e3};
    double v = 0, *speed = malloc(n * sizeof *speed), *e = malloc(n * sizeof *e);
    struct cf_curves *curves = cf_curves_alloc();

    for (size_t i = 0; i < n; i++) {
        struct cf_impact out;
        v = 0.2 * pow(20, (double) ((i * 7919) % n) / (double) n);
        cf_impact(curves, cf_law_find("azad-featherstone"), p, 0.1, v, &out, NULL);
        speed[i] = v;
        e[i] = out.value[CF_IMPACT_RESTITUTION] + 0.01 * noise(i);
    }
    lab_dataset(d, "restitution", n, speed, e, 0.01, lab_pair(0.1, 0.02));
    cf_curves_free(curves);
    free(speed);
    free(e);
}

static void threads(struct cf_curves *curves)
{
    static const char *const names[] = {"lambda", NULL};
    struct cf_dataset d;
    struct cf_problem q;
    struct cf_fold one, many;
    const double theta[1] = {log(4.1e3)};
    size_t all;

    make_many(&d, MANY);
    struct cf_spec spec = lab_spec("azad-featherstone", names, &d, 1);
    spec.given[spec.ngiven++] = (struct cf_given){"k", 2e7, false};
    cf_problem_init(&q, &spec, spec.law, curves, CF_ROW_FIT, CF_SCOPE_ALL, NULL);
    cf_fold_alloc(&one, &q, NULL);
    cf_fold_alloc(&many, &q, NULL);
    all = (q.nfree + 1) * (q.nfree + 1) * sizeof *one.R;
    ok(!cf_problem_fold(&q, theta, &one, NULL), "%d rows folded", MANY);
    for (size_t jobs = 2; jobs < 6; jobs++) {
        const struct cf_workers workers = {.jobs = jobs};
        q.workers = &workers;
        ok(!cf_problem_fold(&q, theta, &many, NULL) && memcmp(one.R, many.R, all) == 0 &&
               one.chi2 == many.chi2,
           "%zu threads: the same bits", jobs);
    }
    q.workers = NULL;
    double *r = malloc(q.nresidual * sizeof *r), *J = malloc(q.nresidual * sizeof *J), JJ = 0,
           Jr = 0;
    cf_problem_residuals(&q, theta, r, J, NULL);
    for (size_t i = 0; i < q.nresidual; i++) {
        JJ += J[i] * J[i];
        Jr += J[i] * r[i];
    }
    is_near(one.R[0] * one.R[0] / JJ, 1, 1e-11, "R^T R is J^T J");
    is_near(one.R[0] * one.R[1] / Jr, 1, 1e-9, "and J^T r");
    free(r);
    free(J);
    cf_fold_clear(&one);
    cf_fold_clear(&many);
    cf_problem_free(&q);
    cf_dataset_clear(&d);
}

/* One optimum from few rows and from all; the number of unknowns' own rows does not matter. */
static void thinned(struct cf_curves *curves)
{
    static const char *const names[] = {"lambda", NULL};
    struct cf_dataset d;
    struct cf_problem some;
    struct cf_optimum o;
    size_t n, full = 0;

    make_many(&d, 5000);
    struct cf_spec spec = lab_spec("azad-featherstone", names, &d, 1);
    spec.given[spec.ngiven++] = (struct cf_given){"k", 2e7, false};
    cf_optimum_init(&o, &spec, curves, NULL, NULL);
    ok(!cf_problem_thin(&some, &o.problem, 1000, NULL) && some.nobservation == 1000,
       "1000 of 5000 rows");
    double low = INFINITY, high = 0;
    for (size_t i = 0; i < some.nobservation; i++) {
        low = fmin(low, some.observation[i].abscissa);
        high = fmax(high, some.observation[i].abscissa);
    }
    ok(low < 0.2 * 1.01 && high > 4 * 0.99, "over the whole axis: %.3g to %.3g", low, high);
    cf_problem_free(&some);
    struct cf_solver *solver = cf_solver_alloc(&o.problem);
    ok(!cf_optimum_find(&o, solver, NULL) && o.confirmed > 2, "an optimum of all rows");
    for (n = 0; n < o.nstart; n++)
        full += o.start[n].rows == 5000 && o.start[n].cost - o.cost < cf_same_cost;
    ok(full == 2, "confirmed from two on all");
    is_within((o.theta[0] - log(4e3)) / sqrt(cf_rank_variance(&o.rank, 0)), 0, 3, "near the truth");
    cf_solver_free(solver);
    cf_optimum_clear(&o);
    cf_dataset_clear(&d);
}

/* Leave-one-out of a linear law in closed form, by influence: e = const. */
static void influence(struct cf_curves *curves)
{
    enum { N = 1500, FEW = 7 };
    static const char *const names[] = {"e", NULL};
    double v[N], e[N], sum = 0, worst = 0, *predicted = malloc(N * sizeof *predicted);
    unsigned char how[N];
    struct cf_dataset d;
    struct cf_problem q;
    size_t refitted = 0;

    for (size_t i = 0; i < N; i++) {
        v[i] = 1 + 1e-3 * (double) i;
        e[i] = 0.5 + 0.01 * noise(i);
        sum += e[i];
    }
    lab_dataset(&d, "restitution", N, v, e, 0.01, lab_pair(0.1, 0.02));
    struct cf_spec spec = lab_spec("e-constant", names, &d, 1);
    cf_problem_init(&q, &spec, spec.law, curves, CF_ROW_FIT, CF_SCOPE_ALL, NULL);
    double theta = sum / N;
    ok(!cf_leave_one_out(&q, &theta, cf_most_left_out, predicted, how, NULL), "%d rows left out",
       N);
    for (size_t i = 0; i < N; i++) {
        worst = fmax(worst, fabs(predicted[i] - (sum - e[i]) / (N - 1)));
        refitted += how[i] == CF_LEFT_OUT_REFIT;
    }
    ok(worst < 1e-9, "as the mean of the others: %.1g", worst);
    ok(refitted == 10, "ten were refitted to see that influence agrees");
    free(predicted);
    cf_problem_free(&q);
    cf_dataset_clear(&d);

    lab_dataset(&d, "restitution", FEW, v, e, 0.01, lab_pair(0.1, 0.02));
    cf_problem_init(&q, &spec, spec.law, curves, CF_ROW_FIT, CF_SCOPE_ALL, NULL);
    predicted = malloc(FEW * sizeof *predicted); /* exactly: a checker sees what is beyond */
    refitted = 0;
    ok(!cf_leave_one_out(&q, &theta, 0, predicted, how, NULL), "fewer rows than are checked");
    for (size_t i = 0; i < FEW; i++)
        refitted += how[i] == CF_LEFT_OUT_REFIT && isfinite(predicted[i]);
    ok(refitted == FEW, "all of them were refitted");
    free(predicted);
    cf_problem_free(&q);
    cf_dataset_clear(&d);
}

static bool at_once(void *listener)
{
    int *left = listener;
    return (*left)-- <= 0;
}

static void cancel(struct cf_curves *curves)
{
    static const char *const names[] = {"k", "lambda", NULL};
    struct cf_dataset d;
    struct cf_optimum o;
    struct cf_error err = {""};
    int left = 100;
    const struct cf_workers workers = {.jobs = 1, .listener = &left, .cancelled = at_once};

    make_many(&d, 2000);
    struct cf_spec spec = lab_spec("azad-featherstone", names, &d, 1);
    cf_optimum_init(&o, &spec, curves, &workers, NULL);
    struct cf_solver *solver = cf_solver_alloc(&o.problem);
    ok(cf_optimum_find(&o, solver, &err) == CF_ECANCELLED, "a search that is to stop stops");
    is_str(err.text, "interrupted", "and says so");
    ok(left > -3, "at once: it asked %d times more", -left);
    cf_solver_free(solver);
    cf_optimum_clear(&o);
    cf_dataset_clear(&d);
}

TEST(engine)
{
    struct cf_curves *curves = cf_curves_alloc();

    gsl_set_error_handler_off();
    plan(6 + 8 + 7 + 5 + 5 + 3);
    condition();
    forty(curves);
    threads(curves);
    thinned(curves);
    influence(curves);
    cancel(curves);
    cf_curves_free(curves);
    return done();
}
