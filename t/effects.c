/* Errors that rows share: whitening against dense matrices; variances by REML against the analysis
 * of variance of balanced groups and against a dense function; degrees of freedom; the likelihood
 * by which laws are compared; and a fit whose groups hold the truth. */

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_math.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/random.h"
#include "estimate/effects.h"
#include "estimate/evaluate.h"
#include "estimate/reml.h"
#include "estimate/solve.h"
#include "judge/groups.h"
#include "lab.h"
#include "tap.h"

static const char *const line_names[] = {"e_at_1", "b", NULL};

/* Put row i of the data set into the group of these texts, outermost first. */
static void put_group(struct cf_spec *spec, struct cf_dataset *d, size_t row, size_t n,
                      const char *const name[], const char *const text[])
{
    size_t within = SIZE_MAX;
    uint32_t outer = CF_NO_GROUP;

    spec->grouping.origin = CF_GROUPS_STATED;
    for (size_t i = 0; i < n; i++) {
        size_t level;
        cf_grouping_level(&spec->grouping, name[i], within, &level, NULL);
        cf_dataset_group_room(d, level + 1, NULL);
        cf_grouping_number(&spec->grouping, level, outer, text[i], &outer, NULL);
        d->group[level * d->nrow + row] = outer;
        within = level;
    }
}

/* Days of sessions of unequal size, two quantities of which the speed's error is shared. */
enum { NESTED = 13 };
static const char *const nested[NESTED][2] = {
    {"mon", "1"}, {"mon", "1"}, {"mon", "2"}, {"tue", "1"}, {"tue", "1"},
    {"tue", "1"}, {"mon", "1"}, {"wed", "4"}, {"wed", "4"}, {"wed", "5"},
    {"tue", "2"}, {"mon", "2"}, {"wed", "4"}};

static void nested_rows(struct cf_dataset *d, struct cf_spec *spec, double speed_sigma)
{
    static const char *const free_names[] = {"k", "lambda", NULL};
    static const char *const level[] = {"day", "session"};
    double v[NESTED], e[NESTED];

    for (size_t i = 0; i < NESTED; i++) {
        v[i] = 0.4 * pow(1.2, (double) ((i * 5) % NESTED));
        e[i] = 0.87 - 0.05 * log(v[i]) + 0.004 * sin(7.0 * (double) i);
    }
    lab_dataset(d, "restitution", NESTED, v, e, 0.006, lab_pair(0.1, 0.02));
    for (size_t i = 0; i < NESTED; i++) {
        size_t duration = cf_protocol_channel(d->protocol, "duration");
        size_t speed = cf_protocol_channel(d->protocol, "speed");
        cf_dataset_put(d, i, duration, 2e-3 * pow(v[i], -0.2) * (1 + 0.02 * cos(3.0 * (double) i)),
                       3e-5, NULL);
        d->series[duration].kind = CF_SIGMA_GIVEN;
        if (speed_sigma > 0)
            cf_dataset_put(d, i, speed, v[i], speed_sigma * v[i], NULL);
    }
    if (speed_sigma > 0)
        d->series[cf_protocol_channel(d->protocol, "speed")].kind = CF_SIGMA_GIVEN;
    *spec = lab_spec("azad-featherstone", free_names, d, 1);
    for (size_t i = 0; i < NESTED; i++)
        put_group(spec, d, i, 2, level, nested[i]);
}

/* Covariance of all observations, entry by entry from its definition. */
static gsl_matrix *dense(const struct cf_problem *q)
{
    size_t n = q->nobservation;
    gsl_matrix *V = gsl_matrix_calloc(n, n);

    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            const struct cf_observation *a = &q->observation[i], *b = &q->observation[j];
            double sum = i == j ? a->sigma * a->sigma : 0;
            if (i != j && a->row == b->row)
                sum += a->sigma * a->shared * b->sigma * b->shared;
            for (size_t e = 0; e < q->neffect; e++) {
                size_t level = q->effect[e].level;
                if (a->column == q->effect[e].column && b->column == a->column &&
                    cf_dataset_group(q->spec->data, a->row, level) ==
                        cf_dataset_group(q->spec->data, b->row, level))
                    sum += q->effect[e].variance;
            }
            gsl_matrix_set(V, i, j, sum);
        }
    return V;
}

/* ln det V, and r' V^-1 r. */
static double dense_square(const struct cf_problem *q, const double r[], double *log_det)
{
    size_t n = q->nobservation;
    gsl_matrix *V = dense(q);
    gsl_vector *x = gsl_vector_alloc(n);
    double square = 0;

    gsl_linalg_cholesky_decomp1(V);
    *log_det = 0;
    for (size_t i = 0; i < n; i++) {
        *log_det += 2 * log(gsl_matrix_get(V, i, i));
        gsl_vector_set(x, i, r[i]);
    }
    gsl_linalg_cholesky_svx(V, x);
    for (size_t i = 0; i < n; i++)
        square += r[i] * gsl_vector_get(x, i);
    gsl_vector_free(x);
    gsl_matrix_free(V);
    return square;
}

/* Nested groups, with and without an error that a row's quantities share. */
static void whitening(struct cf_curves *curves, double speed_sigma)
{
    double theta[2] = {log(1e7), log(600)}, y[2 * NESTED], raw[2 * NESTED], r[2 * NESTED] = {0};
    double change, by_hand, log_det, more, own = 0, square = 0;
    struct cf_dataset d;
    struct cf_spec spec;
    struct cf_problem q;
    struct cf_fold fold;

    nested_rows(&d, &spec, speed_sigma);
    ok(!cf_problem_init(&q, &spec, spec.law, curves, CF_ROW_FIT, CF_SCOPE_ALL, NULL), "a problem");
    ok(q.neffect == 4, "two levels by two quantities");
    cf_sigma_reset(&q);
    cf_sigma_update(&q, theta, &change, NULL);
    for (size_t e = 0; e < q.neffect; e++)
        q.effect[e].variance =
            q.effect[e].column == q.observation[0].column ? 3e-5 + 1e-5 * (double) e : 2e-10;
    cf_problem_predict(&q, theta, y, NULL, NULL);
    for (size_t i = 0; i < q.nobservation; i++)
        raw[i] = q.observation[i].value - y[i];
    by_hand = dense_square(&q, raw, &log_det);
    cf_problem_residuals(&q, theta, r, NULL, NULL);
    for (size_t i = 0; i < q.nobservation; i++)
        square += r[i] * r[i];
    is_near(square / by_hand, 1, 1e-12, "r' V^-1 r with %g of the speed", speed_sigma);
    cf_effects_whiten(&q, NULL, 0, 0, &more, NULL);
    for (size_t i = 0; i < q.nobservation; i++)
        own += 2 * log(q.observation[i].sigma);
    if (speed_sigma == 0)
        is_near(own + more, log_det, 1e-11, "ln det V");
    cf_fold_alloc(&fold, &q, NULL);
    ok(!cf_problem_fold(&q, theta, &fold, NULL), "folded");
    is_near(fold.chi2 / by_hand, 1, 1e-12, "and so the fold has it");
    cf_fold_clear(&fold);
    cf_problem_free(&q);
    cf_grouping_clear(&spec.grouping);
    cf_dataset_clear(&d);
}

/* Balanced groups at one speed each: the analysis of variance. */
struct balance {
    size_t groups, rows;
    double between; /* digits of the groups' means, in sigmas */
};

static void balanced(struct cf_curves *curves, const struct balance *b, const double mean[])
{
    static const double digit[] = {1.3, -0.7, -0.4, 0.9, -1.1, 0.2, 0.5, -0.7};
    static const char *const level[] = {"session"};
    size_t n = b->groups * b->rows;
    double v[100], e[100], within = 0, between = 0, sigma2, tau2;
    struct cf_dataset d;
    struct cf_fit *fit;

    for (size_t i = 0; i < n; i++) {
        size_t g = i / b->rows, k = i % b->rows;
        /* every group has the same speeds: the line is orthogonal to the groups */
        v[i] = 0.5 * pow(1.7, (double) k);
        e[i] = 0.8 - 0.04 * log(v[i]) + 0.003 * digit[(k * 3 + g * 5) % 8] +
               0.003 * b->between * mean[g];
    }
    lab_dataset(&d, "restitution", n, v, e, 0, lab_pair(0.1, 0.02));
    struct cf_spec spec = lab_spec("e-log", line_names, &d, 1);
    for (size_t i = 0; i < n; i++) {
        char name[20];
        const char *text[] = {name};
        snprintf(name, sizeof name, "%zu", i / b->rows);
        put_group(&spec, &d, i, 1, level, text);
    }
    /* by hand: ordinary least squares, then residuals' means */
    double x = 0, y = 0, xx = 0, xy = 0;
    for (size_t i = 0; i < n; i++)
        x += log(v[i]), y += e[i], xx += log(v[i]) * log(v[i]), xy += log(v[i]) * e[i];
    double slope = (xy - x * y / (double) n) / (xx - x * x / (double) n);
    double at = (y - slope * x) / (double) n;
    for (size_t g = 0; g < b->groups; g++) {
        double m = 0;
        for (size_t k = 0; k < b->rows; k++)
            m += (e[g * b->rows + k] - at - slope * log(v[k])) / (double) b->rows;
        between += (double) b->rows * m * m;
        for (size_t k = 0; k < b->rows; k++)
            within += pow(e[g * b->rows + k] - at - slope * log(v[k]) - m, 2);
    }
    sigma2 = within / (double) (n - b->groups - 1);
    tau2 = (between / (double) (b->groups - 1) - sigma2) / (double) b->rows;
    fit = lab_fit(&spec, curves);
    if (fit) {
        const struct cf_optimum *o = &fit->optimum;
        double ratio = o->problem.effect[0].variance / tau2, mean_variance;
        is_near(o->value[0], at, 1e-7, "%zu groups of %zu: the line", b->groups, b->rows);
        is_near(o->value[1], -slope, 1e-7, "its slope");
        is_near(pow(o->problem.channel[0].sigma, 2) / sigma2, 1, 1e-6, "sigma^2");
        is_near(ratio, 1, 1e-6, "tau^2 = %g", tau2);
        ok(o->variance_fall < 1e-8, "no other variances are likelier: %g", o->variance_fall);
        /* the slope lies within groups, the mean between them */
        double left = (double) (n - b->groups - 1);
        is_near(fit->estimate[1].dof, left, 0.01 * (double) n,
                "degrees of freedom of the slope: %g", fit->estimate[1].dof);
        mean_variance = (sigma2 / (double) b->rows + tau2) / (double) b->groups;
        double g[2] = {1, -x / (double) n};
        is_near(cf_linear_variance(&o->rank, g) / mean_variance, 1, 1e-6, "variance of the mean");
        is_near(cf_variances_dof(&o->variances, &o->rank, g), (double) (b->groups - 1), 1e-3,
                "on groups less one degrees of freedom");
        cf_fit_free(fit);
    }
    cf_grouping_clear(&spec.grouping);
    cf_dataset_clear(&d);
}

/* Groups that differ in the slope, at speeds about 1 m/s: each has a slope of its own, with the
 * variance of tau and of its rows' known errors. One look at a point finds tau, since the law is
 * linear. */
static void differ_in_slope(void)
{
    enum { GROUPS = 5, ROWS = 4 };
    static const double sigma = 0.002, own[GROUPS] = {0.02, -0.013, 0.004, -0.017, 0.009};
    static const char *const level[] = {"specimen"};
    double v[GROUPS * ROWS], e[GROUPS * ROWS], xx = 0, sum = 0, squares = 0, change = 0;
    struct cf_dataset d;
    struct cf_problem q;

    for (size_t i = 0; i < GROUPS * ROWS; i++) {
        v[i] = pow(1.5, 2 * (double) (i % ROWS) - (ROWS - 1));
        e[i] = 0.7 - (0.05 + own[i / ROWS]) * log(v[i]) + sigma * sin(5.0 * (double) i);
    }
    for (size_t k = 0; k < ROWS; k++)
        xx += gsl_pow_2(log(v[k]));
    for (size_t g = 0; g < GROUPS; g++) {
        double slope = 0;
        for (size_t k = 0; k < ROWS; k++)
            slope += log(v[k]) * e[g * ROWS + k] / xx;
        sum += slope;
        squares += slope * slope;
    }
    double between = (squares - sum * sum / GROUPS) / (GROUPS - 1);
    lab_dataset(&d, "restitution", GROUPS * ROWS, v, e, sigma, lab_pair(0.1, 0.02));
    struct cf_spec spec = lab_spec("e-log", line_names, &d, 1);
    for (size_t i = 0; i < GROUPS * ROWS; i++)
        put_group(&spec, &d, i, 1, level, &(const char *[]){"a", "b", "c", "d", "e"}[i / ROWS]);
    cf_grouping_parameter(&spec.grouping, 0, "b", NULL);
    cf_problem_init(&q, &spec, spec.law, NULL, CF_ROW_FIT, CF_SCOPE_ALL, NULL);
    const double theta[] = {cf_unknown_theta(&q.unknown[0], 0.6),
                            cf_unknown_theta(&q.unknown[1], 0.02)};
    cf_sigma_reset(&q);
    ok(q.neffect == 1 && !cf_sigma_update(&q, theta, &change, NULL), "groups differ in b");
    is_near(q.effect[0].variance, between - sigma * sigma / xx, 1e-6, "tau^2 at any point");
    cf_problem_free(&q);
    cf_grouping_clear(&spec.grouping);
    cf_dataset_clear(&d);
}

/* -2 ln L at the most likely variances: no others are likelier, and its constants are right. */
static void most_likely(void)
{
    static const char *const level[] = {"session"};
    double v[12], e[12], raw[12], cost, log_det, least = INFINITY;
    struct cf_dataset d;
    struct cf_problem q;

    for (size_t i = 0; i < 12; i++) {
        v[i] = 1 + (double) i;
        raw[i] = 0.004 * sin(5.0 * (double) i) + 0.003 * cos((double) (i / 3));
        e[i] = 0.7 + raw[i];
    }
    lab_dataset(&d, "restitution", 12, v, e, 0, lab_pair(0.1, 0.02));
    struct cf_spec spec = lab_spec("e-log", line_names, &d, 1);
    for (size_t i = 0; i < 12; i++) {
        const char *text[] = {(const char *[]){"a", "b", "c", "d"}[i / 3]};
        put_group(&spec, &d, i, 1, level, text);
    }
    cf_problem_init(&q, &spec, spec.law, NULL, CF_ROW_FIT, CF_SCOPE_ALL, NULL);
    cf_sigma_reset(&q);
    ok(!cf_ml_cost(&q, raw, &cost, NULL), "the most likely variances");
    for (int a = 0; a < 400; a++)
        for (int b = 0; b < 200; b++) {
            double sigma = 0.001 * pow(1.01, a);
            for (size_t i = 0; i < 12; i++)
                q.observation[i].sigma = sigma;
            q.effect[0].variance = pow(0.0001 * b, 2);
            double square = dense_square(&q, raw, &log_det);
            least = fmin(least, square + log_det + 12 * log(2 * M_PI));
        }
    ok(cost <= least && cost > least - 1e-3, "-2 ln L %.6f, on a grid %.6f", cost, least);
    cf_problem_free(&q);
    cf_grouping_clear(&spec.grouping);
    cf_dataset_clear(&d);
}

/* What each study's groups have: rows within groups scatter as stated, whatever the groups do. */
static void within(struct cf_curves *curves)
{
    struct cf_dataset d;
    struct cf_spec spec;
    double chi2, dof;

    nested_rows(&d, &spec, 0);
    struct cf_fit *fit = lab_fit(&spec, curves);
    if (fit) {
        struct cf_problem *q = &fit->optimum.problem;
        ok(!cf_scatter_within(q, fit->optimum.theta, &chi2, &dof, NULL), "scatter within groups");
        is_near(dof, 2 * NESTED - 2 * 6 - 2, 0, "its degrees of freedom");
        for (size_t e = 0; e < q->neffect; e++)
            q->effect[e].variance *= 7;
        double again;
        cf_scatter_within(q, fit->optimum.theta, &again, &dof, NULL);
        is_near(again / chi2, 1, 1e-6, "the groups' own errors do not matter");
        ok(isnan(fit->optimum.chi2_p), "chi^2 of all has no p");
        cf_fit_free(fit);
    }
    cf_grouping_clear(&spec.grouping);
    cf_dataset_clear(&d);
}

/* Degrees of freedom of what rows have of their own, of each of two quantities whose sigmas are
 * estimated: those within six sessions less what two parameters take at least, and those within
 * three days at most. */
static void own_freedom(struct cf_curves *curves)
{
    struct cf_dataset d;
    struct cf_spec spec;
    double least = INFINITY, most = 0, n = 0;

    nested_rows(&d, &spec, 0);
    for (size_t c = 0; c < d.protocol->nchannel; c++)
        if (d.series[c].kind == CF_SIGMA_GIVEN)
            d.series[c].kind = CF_SIGMA_ESTIMATE;
    struct cf_fit *fit = lab_fit(&spec, curves);
    for (size_t k = 0; fit && k < fit->optimum.variances.n; k++) {
        double dof = fit->optimum.variances.between[k].own_dof;
        if (dof == 0) /* no effect's */
            continue;
        n++;
        least = fmin(least, dof);
        most = fmax(most, dof);
    }
    ok(n >= 2 && least > NESTED - 6 - 2 && most < NESTED - 3,
       "%g effects: rows have %.2f to %.2f degrees of freedom of their own", n, least, most);
    cf_fit_free(fit);
    cf_grouping_clear(&spec.grouping);
    cf_dataset_clear(&d);
}

/* Where groups have one row each, and where there is one group. */
static void ends(struct cf_curves *curves)
{
    static const char *const level[] = {"session"};
    double v[8], e[8];
    struct cf_dataset d;

    for (size_t i = 0; i < 8; i++) {
        v[i] = 0.5 * pow(1.4, (double) i);
        e[i] = 0.8 - 0.05 * log(v[i]) + 0.002 * sin(3.0 * (double) i);
    }
    for (int one = 0; one < 2; one++) {
        lab_dataset(&d, "restitution", 8, v, e, 0.002, lab_pair(0.1, 0.02));
        struct cf_spec spec = lab_spec("e-log", line_names, &d, 1);
        for (size_t i = 0; i < 8; i++) {
            char name[20];
            const char *text[] = {name};
            snprintf(name, sizeof name, "%zu", one ? 0 : i);
            put_group(&spec, &d, i, 1, level, text);
        }
        struct cf_fit *fit = lab_fit(&spec, curves);
        if (fit && one) {
            ok(fit->optimum.problem.neffect == 0, "one group has no error of its own");
            is_str(cf_verdict_text(fit->status), "good", "the fit is as without");
            is_str(fit->findings.item[0].text,
                   "note: the numbers are those of this session: by how much another session "
                   "differs, one cannot show",
                   "and says of what the numbers are");
        } else if (fit) {
            ok(fit->optimum.problem.neffect == 0, "groups of one row are no groups");
            is_str(cf_verdict_text(fit->status), "good", "and the fit is as without");
        }
        cf_fit_free(fit);
        cf_grouping_clear(&spec.grouping);
        cf_dataset_clear(&d);
    }
}

TEST(effects)
{
    static const double apart[] = {1, -1.4, 0.6, 0.8, -1.1, 0.1};
    static const struct balance wide = {6, 5, 2}, narrow = {4, 8, 1.5}, alike = {6, 8, 0.2};
    struct cf_curves *curves = cf_curves_alloc();

    plan(49);
    gsl_set_error_handler_off();
    whitening(curves, 0);
    whitening(curves, 0.03);
    balanced(curves, &wide, apart);
    balanced(curves, &narrow, apart);
    balanced(curves, &alike, apart);
    differ_in_slope();
    most_likely();
    within(curves);
    own_freedom(curves);
    ends(curves);
    cf_curves_free(curves);
    return done();
}
