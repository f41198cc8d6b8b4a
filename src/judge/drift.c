/* What the number of rows cannot show: errors that follow each other. Of few rows a law takes most
 * of what they have in common, and no test of the residuals sees the rest. How often is counted, on
 * errors that are drawn: an autoregression of order 1 in the order of the rows, less what the law
 * takes of them, the test of neighbours by its moments (judge/permutation.h), and a cubic. */

#include "judge/drift.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_math.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/random.h"
#include "estimate/clusters.h"
#include "estimate/effects.h"
#include "estimate/records.h"
#include "estimate/variance_work.h"
#include "estimate/whiten.h"
#include "judge/departure_columns.h"
#include "judge/permutation.h"
#include "judge/residual_series.h"

/* Neighbours with this correlation are what a session that warms up, or an instrument that creeps,
 * gives; and so many experiments are drawn. What is missed less often than this is not said. */
static const double correlation = 0.8, least_missed = 0.05;
enum { DRAWN = 400, LEAST_ROWS = 6, MOST_ROWS = 100 };

/* Its random stream: beyond those of the tests. */
static const uint64_t stream = UINT64_C(1) << 42;

/* Columns of length 1 at right angles: those of the derivatives in the rows, behind them a cubic in
 * the order of the rows, as judge/departures.c tests it. */
struct basis {
    size_t n, law, all; /* rows; columns of the law, and with the cubic */
    double *column;     /* all * n */
};

static size_t append_column(const struct basis *b, size_t have)
{
    return cf_append_column(b->column, have, b->n, cf_length(&b->column[have * b->n], b->n));
}

static void make_basis(const struct cf_variance_work *w, const struct cf_measured row[],
                       struct basis *b)
{
    for (size_t j = 0; j + 1 < w->columns; j++) {
        for (size_t i = 0; i < b->n; i++)
            b->column[b->law * b->n + i] =
                w->A[j * w->n + row[i].at] / w->problem.observation[row[i].at].sigma;
        b->law = append_column(b, b->law);
    }
    size_t most = b->law + cf_columns_held(CF_DEPARTURE_DEGREE, (double) b->n, (double) b->law);
    b->all = b->law;
    for (size_t k = 1; k <= CF_DEPARTURE_DEGREE && b->all < most; k++) {
        for (size_t i = 0; i < b->n; i++)
            b->column[b->all * b->n + i] =
                gsl_pow_int(2 * (double) i / ((double) b->n - 1) - 1, (int) k);
        b->all = append_column(b, b->all);
    }
}

/* Take the columns from `from` up to `to` off e[n]; by how much its square falls. */
static double take_off(const struct basis *b, size_t from, size_t to, double e[])
{
    double fall = 0;

    for (size_t k = from; k < to; k++) {
        double dot = 0;
        for (size_t i = 0; i < b->n; i++)
            dot += e[i] * b->column[k * b->n + i];
        for (size_t i = 0; i < b->n; i++)
            e[i] -= dot * b->column[k * b->n + i];
        fall += dot * dot;
    }
    return fall;
}

/* Do neighbours and the cubic pass errors that are drawn? */
static bool is_missed(const struct basis *b, double level, gsl_rng *rng, double e[])
{
    double squares = 0, mean, variance, m = (double) (b->all - b->law);
    double left = (double) (b->n - b->all);

    for (size_t i = 0; i < b->n; i++)
        e[i] = i == 0 ? gsl_ran_gaussian(rng, 1)
                      : correlation * e[i - 1] +
                            sqrt(1 - correlation * correlation) * gsl_ran_gaussian(rng, 1);
    take_off(b, 0, b->law, e);
    for (size_t i = 0; i < b->n; i++)
        squares += e[i] * e[i];
    cf_lag1_moments(e, b->n, &mean, &variance);
    if (gsl_cdf_ugaussian_Q((cf_lag1(e, b->n) * squares - mean) / sqrt(variance)) < level)
        return false;
    if (m < CF_LEAST_COLUMNS)
        return true;
    double fall = take_off(b, b->law, b->all, e);
    return !(gsl_cdf_fdist_Q(fall / m / ((squares - fall) / left), m, left) < level);
}

/* The share of drawn experiments in which drift is missed. */
static int count_missed(const struct cf_fit *fit, const struct cf_variance_work *w,
                        const struct cf_measured row[], size_t n, double *missed,
                        struct cf_error *err)
{
    const struct cf_fit_options *options = &fit->optimum.problem.spec->options;
    struct basis b = {
        .n = n, .column = calloc(n * (w->columns + CF_DEPARTURE_DEGREE + 1) + 1, sizeof *b.column)};
    double level = options->p_reject / fmax(1, (double) fit->tests.n);
    gsl_rng *rng = cf_random_stream(options->seed, stream);
    size_t count = 0;

    *missed = 1;
    if (!b.column || !rng) {
        free(b.column);
        return cf_fail(err, CF_ENOMEM, "no memory for %zu residuals", n);
    }
    make_basis(w, row, &b);
    for (int i = 0; i < DRAWN && n >= LEAST_ROWS; i++)
        count += is_missed(&b, level, rng, b.column + n * (w->columns + CF_DEPARTURE_DEGREE));
    if (n >= LEAST_ROWS)
        *missed = (double) count / DRAWN;
    gsl_rng_free(rng);
    free(b.column);
    return CF_OK;
}

/* Of rows that are each an experiment: no record, and none that shares errors with others. */
static bool are_experiments(const struct cf_problem *q)
{
    for (size_t d = 0; d < q->spec->ndata; d++)
        if (q->spec->data[d].protocol->record || q->spec->data[d].protocol->recording)
            return false;
    return q->loss.kind == CF_LOSS_SQUARES && !q->nlocal && !cf_shares_errors(q) &&
           !cf_is_clustered(q);
}

/* The quantity of which there are most rows. */
static size_t find_longest(const struct cf_problem *q, struct cf_measured row[], size_t *n)
{
    size_t longest = 0;

    *n = 0;
    for (size_t c = 0; c < q->nchannel; c++) {
        size_t rows = cf_tested_with(q, c) == c ? cf_measured_with(q, c, row) : 0;
        longest = rows > *n ? c : longest;
        *n = rows > *n ? rows : *n;
    }
    cf_measured_with(q, longest, row);
    return longest;
}

int cf_judge_drift(struct cf_fit *fit, struct cf_error *err)
{
    const struct cf_problem *q = &fit->optimum.problem;
    struct cf_measured *row = calloc(q->nobservation + 1, sizeof *row);
    struct cf_variance_work w = {0};
    double missed = 0;
    size_t n = 0;
    int status = row ? CF_OK : cf_fail(err, CF_ENOMEM, "no memory for %zu rows", q->nobservation);

    if (!status && are_experiments(q) && q->nobservation)
        find_longest(q, row, &n);
    if (!status && n > 1 && n <= MOST_ROWS) {
        status = cf_variance_work_at(q, fit->optimum.theta, &fit->optimum.rank, &w, err);
        if (!status)
            status = count_missed(fit, &w, row, n, &missed, err);
        cf_variance_work_free(&w);
    }
    if (!status && missed > least_missed) {
        struct cf_finding *f = cf_add_finding(
            &fit->findings, CF_RULE_DRIFT,
            "note: %zu rows cannot show drift: errors of a quantity that follow each other with a "
            "correlation of %g would be missed in some %.0f %% of such experiments, and intervals "
            "are "
            "too narrow there",
            n, correlation, 100 * missed);
        f->size = missed;
        f->unit = "1";
        f->level = least_missed;
    }
    free(row);
    return status;
}
