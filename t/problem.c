/* Derivatives of predictions through aliases, heights and pairs, by central differences; priors;
 * the rank of known matrices; groups of parameters; the pivot depth; starts that stall
 * alike. */

#include "estimate/problem.h"

#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/combination.h"
#include "estimate/rank.h"
#include "estimate/solve.h"
#include "lab.h"
#include "tap.h"

enum { N = 3 };
static const double speed[N] = {0.3, 1.1, 2.7};

/* Largest relative error of the Jacobian at the given natural values. */
static double slope_error(const struct cf_problem *q, const double theta[])
{
    double y[N], r[N], J[N * CF_MAX_PARAM], below[N], above[N], worst = 0;

    cf_problem_predict(q, theta, y, NULL, NULL);
    cf_problem_residuals(q, theta, r, J, NULL);
    for (size_t j = 0; j < q->nfree; j++) {
        double moved[CF_MAX_PARAM], h = 1e-4;
        memcpy(moved, theta, q->nfree * sizeof *theta);
        moved[j] = theta[j] - h;
        cf_problem_predict(q, moved, below, NULL, NULL);
        moved[j] = theta[j] + h;
        cf_problem_predict(q, moved, above, NULL, NULL);
        for (size_t i = 0; i < q->nobservation; i++) {
            double difference = (above[i] - below[i]) / (2 * h);
            double got = -J[i * q->nfree + j] * q->observation[i].sigma;
            worst = fmax(worst, fabs(got - difference) / (fabs(difference) + 1e-6 * fabs(y[i])));
        }
    }
    return worst;
}

static void slopes(struct cf_curves *curves)
{
    static const struct {
        const char *law, *column, *free[4];
        double value[3];
    } row[] = {
        {"azad-featherstone", "restitution", {"k", "lambda", NULL}, {2e7, 3e3}},
        {"azad-featherstone", "duration", {"k", "lambda_star", NULL}, {2e7, 2e4}},
        {"azad-featherstone",
         "rebound_height",
         {"effective_modulus", "kk_time", NULL},
         {1e8, 2e-4}},
        {"azad-featherstone", "rebound_speed", {"k", "kk_time", NULL}, {2e7, 2e-4}},
        {"azad-featherstone", "peak_force", {"k", "lambda", NULL}, {2e7, 3e3}},
        {"hunt-crossley", "depth", {"k", "hc_slope", NULL}, {2e7, 0.1}},
        {"hunt-crossley", "restitution", {"k", "lambda", NULL}, {2e7, 2e6}},
        {"lee-wang", "restitution", {"k", "lambda", NULL}, {2e7, 3e5}},
        {"tsuji", "duration", {"k", "alpha", NULL}, {2e7, 0.2}},
        {"linear", "peak_force", {"k", "lambda", NULL}, {2e5, 30}},
        {"gonthier", "duration", {"k", "e", "v_small", NULL}, {2e7, 0.6, 0.5}},
        {"flores", "restitution", {"k", "e", "v_small", NULL}, {2e7, 0.6, 0.5}},
        {"e-power", "restitution", {"e_at_1", "q", NULL}, {0.8, 0.05}},
    };

    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        double value[N] = {0.5, 0.5, 0.5}, theta[CF_MAX_PARAM];
        struct cf_dataset d;
        struct cf_problem q;
        struct cf_error err = {""};
        lab_dataset(&d, row[i].column, N, speed, value, 0.1, lab_pair(0.2, 0.03));
        struct cf_spec spec = lab_spec(row[i].law, row[i].free, &d, 1);
        int status = cf_problem_init(&q, &spec, spec.law, curves, CF_ROW_FIT, CF_SCOPE_ALL, &err);
        for (size_t j = 0; j < q.nfree; j++)
            theta[j] = cf_unknown_theta(&q.unknown[j], row[i].value[j]);
        double error = status ? (double) NAN : slope_error(&q, theta);
        ok(error < 1e-6, "%s, %s by %s and %s: derivatives right to %.1g %s", row[i].law,
           row[i].column, row[i].free[0], row[i].free[1], error, err.text);
        cf_problem_free(&q);
        cf_dataset_clear(&d);
    }
}

/* k from Hertz and from a prior. */
static void hertz(struct cf_curves *curves)
{
    static const char *const free_names[] = {"lambda", NULL}, *const both[] = {"k", "lambda", NULL};
    double value[N] = {0.5, 0.5, 0.5}, theta[2] = {log(3e3), 0}, p[CF_MAX_PARAM], r[N + 1];
    struct cf_pair pair = lab_pair(0.2, 0.03);
    struct cf_dataset d;
    struct cf_problem q;

    pair.modulus_Pa = 6e8;
    lab_dataset(&d, "restitution", N, speed, value, 0.1, pair);
    struct cf_spec spec = lab_spec("azad-featherstone", free_names, &d, 1);
    spec.given[spec.ngiven++] = (struct cf_given){"k", 0, true};
    cf_problem_init(&q, &spec, spec.law, curves, CF_ROW_FIT, CF_SCOPE_ALL, NULL);
    cf_problem_params(&q, 0, theta, p, NULL, NULL);
    is_near(p[0], 138564064.6055102, 1e-12, "k from Hertz is (4/3) E* sqrt(R)");
    cf_problem_free(&q);

    spec = lab_spec("azad-featherstone", both, &d, 1);
    spec.free[0].prior_hertz = true;
    spec.free[0].prior_sigma = 138564064.6055102 / 10;
    cf_problem_init(&q, &spec, spec.law, curves, CF_ROW_FIT, CF_SCOPE_ALL, NULL);
    theta[0] = log(138564064.6055102) + 0.2;
    theta[1] = log(3e3);
    cf_problem_residuals(&q, theta, r, NULL, NULL);
    ok(q.nresidual == N + 1, "a prior is one more residual");
    is_near(r[N], -2, 1e-9, "20 %% above a prior of 10 %% is two sigma");
    cf_problem_free(&q);
    cf_dataset_clear(&d);
}

static void ranks(void)
{
    /* columns 1 and 2 are parallel, column 3 is 0 */
    static const double J[4 * 3] = {1, 2, 0, -1, -2, 0, 3, 6, 0, 0.5, 1, 0};
    struct cf_rank rank;

    cf_rank_analyse(J, 4, 3, 3, NULL, cf_rank_noise, &rank, NULL);
    ok(rank.rank == 1 && rank.nnull == 1, "rank 1, one null direction");
    ok(rank.dead[2] && !rank.dead[0], "the third is dead");
    ok(rank.flat[0] && rank.flat[1] && !rank.flat[2], "the first two are flat");
    is_near(rank.direction[0] / rank.direction[1], -2, 1e-12, "along (-2, 1)");
    cf_rank_clear(&rank);
    ok(cf_rank_analyse((double[]){1, NAN}, 2, 1, 1, NULL, cf_rank_noise, &rank, NULL) == CF_ESOLVE,
       "NaN is refused");
    cf_rank_clear(&rank);

    /* orthogonal columns: variances are 1/norm^2 */
    static const double I[3 * 2] = {2, 0, 0, 4, 0, 0};
    cf_rank_analyse(I, 3, 2, 2, NULL, cf_rank_noise, &rank, NULL);
    is_near(rank.covariance[0], 0.25, 1e-14, "variance of the first");
    is_near(rank.covariance[3], 0.0625, 1e-14, "variance of the second");
    is_near(rank.covariance[1], 0, 1e-14, "they do not correlate");
    is_near(rank.root[0] * rank.root[0] + rank.root[1] * rank.root[1], 0.25, 1e-14,
            "the covariance is its root times itself");
    cf_rank_clear(&rank);

    /* lengths from before something was eliminated: what is left of a column is nothing */
    static const double left[1] = {1e-12}, length[1] = {1};
    cf_rank_analyse(left, 1, 1, 1, length, cf_rank_noise, &rank, NULL);
    ok(rank.rank == 0 && rank.flat[0] && !rank.dead[0], "a column that went with another is flat");
    cf_rank_clear(&rank);
}

/* What e(v) alone identifies of each law, by dimensional analysis (the curves' beta). */
static void combinations(struct cf_curves *curves)
{
    static const struct {
        const char *law, *free[3], *name, *unit;
        double value[2];
    } row[] = {
        {"azad-featherstone", {"k", "lambda"}, "lambda/(k^0.6 m^0.4)", "s^0.2/m^0.2", {2e7, 3e3}},
        {"lee-wang", {"k", "lambda"}, "lambda/(k^0.8 m^0.2)", "s^0.6/m^0.6", {2e7, 3e5}},
        {"linear", {"k", "lambda"}, "lambda/(k^0.5 m^0.5)", "1", {2e5, 30}},
        {"azad-featherstone",
         {"effective_modulus", "lambda_star"},
         "lambda_star/effective_modulus^0.6",
         "kg^0.4 s^0.2/m^0.4",
         {1e8, 2e4}},
    };

    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        double value[N] = {0.5, 0.5, 0.5}, theta[2];
        const char *names[] = {row[i].free[0], row[i].free[1], NULL};
        struct cf_dataset d;
        struct cf_problem q;
        struct cf_rank rank;
        struct cf_combination *combination;
        size_t n;
        lab_dataset(&d, "restitution", N, speed, value, 0.1, lab_pair(0.2, 0.03));
        struct cf_spec spec = lab_spec(row[i].law, names, &d, 1);
        cf_problem_init(&q, &spec, spec.law, curves, CF_ROW_FIT, CF_SCOPE_ALL, NULL);
        cf_sigma_reset(&q);
        for (size_t j = 0; j < 2; j++)
            theta[j] = cf_unknown_theta(&q.unknown[j], row[i].value[j]);
        cf_rank_problem(&q, theta, NULL, &rank, NULL);
        ok(!cf_combinations(&q, &rank, theta, &combination, &n, NULL) && n == 1, "%s: one",
           row[i].law);
        is_str(combination[0].name, row[i].name, "%s: its name", row[i].law);
        is_str(combination[0].unit, row[i].unit, "%s: its unit", row[i].law);
        free(combination);
        cf_rank_clear(&rank);
        cf_problem_free(&q);
        cf_dataset_clear(&d);
    }
}

static double pivot_of(struct cf_dataset d[], size_t n, double stated_m)
{
    struct cf_spec spec = {.data = d, .ndata = n, .options.pivot_m = stated_m};
    double pivot_m = NAN;

    return cf_pivot_choose(&spec, &pivot_m, NULL) == CF_OK ? pivot_m : (double) NAN;
}

/* The median depth of the rows that are fitted, to two digits; rows that are held out or excluded
 * do not take part. */
static void pivot_by_depth(void)
{
    static const double v[6] = {1, 2, 3, 4, 5, 6};
    static const double z[6] = {1.14e-4, 5.26e-4, 3.07e-4, 2.03e-4, 4.11e-4, 6.35e-4};
    struct cf_dataset d[2];

    lab_dataset(&d[0], "depth", 4, v, z, 1e-6, lab_pair(0.2, 0.03));
    lab_dataset(&d[1], "depth", 2, v + 4, z + 4, 1e-6, lab_pair(0.2, 0.03));
    is_near(pivot_of(d, 1, 0) / 2.55e-4, 1, 0.02, "between the middle ones of four depths");
    is_near(pivot_of(d, 2, 0) / 3.59e-4, 1, 0.02, "of six, in two data sets");
    d[1].use[1] = CF_ROW_EXCLUDED;
    is_near(pivot_of(d, 2, 0) * 1e4, 3.1, 1e-9, "the middle one of the five that are left");
    d[1].use[0] = d[0].use[1] = CF_ROW_HELD_OUT;
    is_near(pivot_of(d, 2, 0) * 1e4, 2.0, 1e-9, "and of the three that are fitted");
    d[0].use[0] = d[0].use[2] = CF_ROW_HELD_OUT;
    d[0].use[3] = CF_ROW_EXCLUDED;
    is_near(pivot_of(d, 2, 0), 1e-3, 1e-12, "1 mm where none is fitted");
    is_near(pivot_of(d, 2, 7.77e-4), 7.77e-4, 1e-15, "what the study states stands");
    cf_dataset_clear(&d[0]);
    cf_dataset_clear(&d[1]);
}

/* Without depths, from durations: an impact on Hertz's spring lasts 2.9432 z/v at its depth z,
 * which the pivot estimates roughly; over the rows that are fitted. */
static void pivot_by_duration(void)
{
    const double v[5] = {0.1, 0.4, 1.6, 6.4, 25.6}, k = 1e8, m = 0.2;
    double z[5], t[5];
    struct cf_dataset d[2];

    for (int i = 0; i < 5; i++) {
        z[i] = pow(1.25 * m * v[i] * v[i] / k, 0.4);
        t[i] = 2.9432 * z[i] / v[i];
    }
    lab_dataset(&d[0], "duration", 5, v, t, 1e-6, lab_pair(m, 0.03));
    lab_dataset(&d[1], "depth", 1, v, z, 1e-6, lab_pair(m, 0.03));
    is_near(pivot_of(d, 1, 0) / z[2], 1, 0.08, "durations: the middle one of five");
    d[0].use[0] = CF_ROW_HELD_OUT;
    d[0].use[1] = CF_ROW_EXCLUDED;
    is_near(pivot_of(d, 1, 0) / z[3], 1, 0.08, "of the three that are fitted");
    is_near(pivot_of(d, 2, 0) / z[0], 1, 0.05, "but a measured depth goes before them");
    d[1].use[0] = CF_ROW_HELD_OUT;
    is_near(pivot_of(d, 2, 0) / z[3], 1, 0.08, "if it is fitted");
    cf_dataset_clear(&d[0]);
    cf_dataset_clear(&d[1]);
}

/* Starts that stall: alike only where the best stalled and the next cost as much, within 1. */
static void stalled(void)
{
    static const struct {
        size_t count;
        enum cf_end end[2];
        double cost[2];
        bool alike;
        const char *name;
    } row[] = {
        {2, {CF_END_STALLED, CF_END_STALLED}, {-1922.67, -1922.31}, true, "stalled together"},
        {2, {CF_END_STALLED, CF_END_STALLED}, {-1922.67, -1921.66}, false, "stalled 1.01 apart"},
        {2, {CF_END_STALLED, CF_END_STALLED}, {-1922.67, -1921.68}, true, "stalled 0.99 apart"},
        {2, {CF_END_STALLED, CF_END_CONVERGED}, {5, 5.5}, true, "the second converged there"},
        {2, {CF_END_CONVERGED, CF_END_STALLED}, {5, 5}, false, "the best converged"},
        {2, {CF_END_STALLED, CF_END_FAILED}, {5, INFINITY}, false, "the second failed"},
        {2, {CF_END_FAILED, CF_END_FAILED}, {INFINITY, INFINITY}, false, "both failed"},
        {1, {CF_END_STALLED}, {5}, false, "one alone"},
        {0, {CF_END_STALLED}, {5}, false, "none"},
    };

    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        struct cf_solution s[2] = {{.end = row[k].end[0], .cost = row[k].cost[0]},
                                   {.end = row[k].end[1], .cost = row[k].cost[1]}};
        ok(cf_solutions_stalled_alike(s, row[k].count) == row[k].alike, "starts: %s", row[k].name);
    }
}

TEST(problem)
{
    struct cf_curves *curves = cf_curves_alloc();

    gsl_set_error_handler_off();
    plan(13 + 3 + 10 + 12 + 6 + 4 + 9);
    slopes(curves);
    hertz(curves);
    ranks();
    combinations(curves);
    pivot_by_depth();
    pivot_by_duration();
    stalled();
    cf_curves_free(curves);
    return done();
}
