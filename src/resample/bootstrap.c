#include "resample/bootstrap.h"

#include <gsl/gsl_math.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/random.h"
#include "estimate/own_settle.h"
#include "estimate/records.h"
#include "estimate/serial.h"
#include "resample/bootstrap_interval.h"
#include "resample/workspace.h"

const char *const cf_bootstrap_name[CF_NBOOTSTRAP] = {
    [CF_BOOTSTRAP_ROWS] = "rows",
    [CF_BOOTSTRAP_PARAMETRIC] = "parametric",
};

/* With more failures than this the remaining replicates are a selection, not a sample. */
static const double most_failed = 0.05;

/* Streams of replicate 0; starts and tests of residuals use the streams near 0. */
static const uint64_t first_stream[CF_NBOOTSTRAP] = {
    [CF_BOOTSTRAP_ROWS] = UINT64_C(1) << 32,
    [CF_BOOTSTRAP_PARAMETRIC] = UINT64_C(2) << 32,
};

struct bootstrap_work {
    bool usable; /* the optimum can be started from */
    const struct cf_optimum *optimum;
    struct cf_rows rows;
    uint64_t stream;
    enum cf_bootstrap_kind kind;
    double *predicted; /* at the optimum */
    struct cf_refit_workspace *workspace;
    size_t nworkspace, replicates;
    enum cf_outcome *outcome; /* of the replicates, then of the fits without a row */
    double *shift;            /* (replicates + nrow) * nfree: theta less the optimum's */
};

static void draw_rows(struct cf_refit_workspace *d, const struct bootstrap_work *work, gsl_rng *rng)
{
    const struct cf_rows *rows = &work->rows;

    memset(d->count, 0, rows->nrow * sizeof *d->count);
    for (size_t s = 0; s < rows->nset; s++) {
        size_t from = rows->set[s], n = rows->set[s + 1] - from;
        for (size_t i = 0; i < n; i++)
            d->count[from + gsl_rng_uniform_int(rng, n)]++;
    }
}

/* Observations of a row that share the error of the imposed quantity get the same draw of it. */
static void draw_noise(struct cf_refit_workspace *d, const struct bootstrap_work *work,
                       gsl_rng *rng)
{
    const struct cf_observation *last = NULL; /* that shared */
    double imposed = 0;

    for (size_t i = 0; i < d->problem.nobservation; i++) {
        struct cf_observation *o = &d->problem.observation[i];
        double own = sqrt(1 - o->shared * o->shared);
        if (o->shared != 0 && !(last && last->data == o->data && last->row == o->row))
            imposed = gsl_ran_gaussian_ziggurat(rng, 1);
        last = o->shared != 0 ? o : last;
        o->value = work->predicted[i] + o->sigma * o->shared * imposed;
        if (!cf_serial_of(&d->problem, o->channel))
            o->value += gsl_ran_gaussian_ziggurat(rng, o->sigma * own);
    }
}

static double normal(void *rng)
{
    return gsl_ran_gaussian_ziggurat(rng, 1);
}

/* What groups share, for all their rows; what records share, for all readings that are made of
 * them; and the errors of dense channels. */
static int draw_along(struct cf_refit_workspace *d, const struct bootstrap_work *work, gsl_rng *rng,
                      struct cf_error *err)
{
    const struct cf_problem *q = &d->problem;
    size_t n = q->nobservation;
    double *error;
    int status;

    if (!cf_shares_errors(q))
        return CF_OK;
    error = calloc(2 * n + 1, sizeof *error);
    if (!error)
        return cf_fail(err, CF_ENOMEM, "no memory for the errors of %zu readings", n);
    for (size_t i = 0; i < n; i++)
        error[n + i] = q->observation[i].sigma;
    status = cf_own_draw(&work->optimum->problem, work->optimum->theta, work->predicted, normal,
                         rng, error, err);
    if (!status)
        status = cf_records_draw(q, normal, rng, error, err);
    if (!status)
        status = cf_serial_draw(q, normal, rng, error + n, error, err);
    for (size_t i = 0; i < n && !status; i++)
        d->problem.observation[i].value += error[i];
    free(error);
    return status;
}

static void draw_priors(struct cf_refit_workspace *d, const struct bootstrap_work *work,
                        gsl_rng *rng)
{
    for (size_t i = 0; i < d->problem.nfree; i++) {
        struct cf_unknown *w = &d->problem.unknown[i];
        double about = work->kind == CF_BOOTSTRAP_ROWS ? w->prior : work->optimum->theta[i];
        if (w->has_prior)
            w->prior = about + gsl_ran_gaussian_ziggurat(rng, w->prior_sigma);
    }
}

static int replicate(void *context, size_t i, size_t worker, struct cf_error *err)
{
    struct bootstrap_work *work = context;
    struct cf_refit_workspace *d = &work->workspace[worker];
    const struct cf_optimum *optimum = work->optimum;
    gsl_rng *rng = cf_random_stream(optimum->problem.spec->options.seed, work->stream + i);
    bool identifies = true;
    int status = CF_OK;

    if (!rng)
        return cf_fail(err, CF_ENOMEM, "no memory for a random stream");
    cf_refit_reset(d, &optimum->problem);
    if (work->kind == CF_BOOTSTRAP_ROWS) {
        draw_rows(d, work, rng);
        cf_refit_weigh(d, &work->rows);
    } else {
        draw_noise(d, work, rng);
        status = draw_along(d, work, rng, err);
    }
    draw_priors(d, work, rng);
    gsl_rng_free(rng);
    work->outcome[i] = CF_OUTCOME_UNIDENTIFIED;
    if (!status && work->kind == CF_BOOTSTRAP_ROWS)
        status = cf_refit_identifies(d, optimum, &identifies, err);
    if (status || !identifies)
        return status;
    return cf_refit(d, optimum, &work->outcome[i], &work->shift[i * optimum->problem.nfree], err);
}

/* The fit without a row. */
static int leave_out(void *context, size_t row, size_t worker, struct cf_error *err)
{
    struct bootstrap_work *work = context;
    struct cf_refit_workspace *d = &work->workspace[worker];
    size_t i = work->replicates + row;
    bool identifies;
    int status;

    cf_refit_reset(d, &work->optimum->problem);
    for (size_t k = 0; k < work->rows.nrow; k++)
        d->count[k] = k != row;
    cf_refit_weigh(d, &work->rows);
    work->outcome[i] = CF_OUTCOME_UNIDENTIFIED;
    status = cf_refit_identifies(d, work->optimum, &identifies, err);
    if (status || !identifies)
        return status;
    return cf_refit(d, work->optimum, &work->outcome[i],
                    &work->shift[i * work->optimum->problem.nfree], err);
}

static void work_clear(struct bootstrap_work *work)
{
    for (size_t i = 0; work->workspace && i < work->nworkspace; i++)
        cf_refit_workspace_clear(&work->workspace[i]);
    cf_rows_clear(&work->rows);
    free(work->workspace);
    free(work->predicted);
    free(work->outcome);
    free(work->shift);
}

static int work_init(struct bootstrap_work *work, const struct cf_workers *workers,
                     struct cf_error *err)
{
    const struct cf_problem *q = &work->optimum->problem;
    int status = cf_rows_init(&work->rows, q, err);
    size_t most = work->replicates + work->rows.nrow;
    bool room;

    if (status)
        return status;
    work->nworkspace = cf_workers_count(workers);
    work->workspace = calloc(work->nworkspace, sizeof *work->workspace);
    work->predicted = calloc(q->nobservation, sizeof *work->predicted);
    work->outcome = calloc(most, sizeof *work->outcome);
    work->shift = calloc(most * q->nfree, sizeof *work->shift);
    room = work->workspace && work->predicted && work->outcome && work->shift;
    for (size_t i = 0; room && i < work->nworkspace; i++)
        room = cf_refit_workspace_init(&work->workspace[i], work->optimum, work->rows.nrow);
    if (!room)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu replicates", work->replicates);
    return cf_problem_predict(q, work->optimum->theta, work->predicted, NULL, err);
}

/* Whether drawing makes sense at all. */
static bool can_begin(const struct bootstrap_work *work, struct cf_bootstrap *out)
{
    const struct cf_spec *spec = work->optimum->problem.spec;
    /* (n + 1)(1 - level)/2 is the rank of the lower end; whole in spite of rounding */
    double least = ceil((2 / (1 - spec->options.level) - 1) * (1 - cf_rank_slack));

    if (!work->usable)
        snprintf(out->why, sizeof out->why, "the optimum cannot serve as a start");
    else if (work->optimum->rank.rank == 0)
        snprintf(out->why, sizeof out->why, "the data identify no parameter");
    else if ((double) work->replicates < least)
        snprintf(out->why, sizeof out->why,
                 "%zu replicates do not reach the ends of a %g %% interval: at least %.0f do",
                 work->replicates, 100 * spec->options.level, least);
    for (size_t s = 0; s < work->rows.nset && work->kind == CF_BOOTSTRAP_ROWS; s++)
        if (work->rows.set[s + 1] - work->rows.set[s] == 1 && !out->why[0])
            snprintf(
                out->why, sizeof out->why,
                cf_shares_errors(&work->optimum->problem)
                    ? "data set %s has a single group of rows: drawing groups cannot show how it "
                      "scatters"
                    : "data set %s has a single row: drawing rows cannot show how it scatters",
                spec->data[work->optimum->problem.observation[work->rows.first[work->rows.set[s]]]
                               .data]
                    .name);
    return !out->why[0];
}

/* Count the failures; false when they are too many. */
static bool enough(const struct bootstrap_work *work, struct cf_bootstrap *out)
{
    size_t n[CF_NOUTCOME] = {0};

    for (size_t i = 0; i < work->replicates; i++)
        n[work->outcome[i]]++;
    out->failed = work->replicates - n[CF_OUTCOME_FITTED];
    if ((double) out->failed <= most_failed * (double) work->replicates)
        return true;
    snprintf(out->why, sizeof out->why,
             "%zu of %zu replicates failed (%zu had too few distinct rows, %zu reached no optimum, "
             "in %zu an estimated sigma went to nothing): of more than %g %% the rest is no fair "
             "sample",
             out->failed, work->replicates, n[CF_OUTCOME_UNIDENTIFIED], n[CF_OUTCOME_LOST],
             n[CF_OUTCOME_COLLAPSED], 100 * most_failed);
    return false;
}

/* Replicates in the order of their index, failed ones left out: ready for the intervals. */
static size_t gather(struct bootstrap_work *work)
{
    size_t n = 0, nfree = work->optimum->problem.nfree;

    for (size_t i = 0; i < work->replicates; i++)
        if (work->outcome[i] == CF_OUTCOME_FITTED)
            memmove(&work->shift[n++ * nfree], &work->shift[i * nfree],
                    nfree * sizeof *work->shift);
    return n;
}

/* What BCa needs of the fits without a row; they must all have succeeded. */
static int make_jackknife(struct bootstrap_work *work, const struct cf_workers *workers,
                          struct cf_jackknife *out, struct cf_error *err)
{
    int status = cf_parallel(workers, "jackknife", work->rows.nrow, leave_out, work, err);

    out->known = true;
    out->rows = &work->rows;
    out->shift = &work->shift[work->replicates * work->optimum->problem.nfree];
    for (size_t i = 0; i < work->rows.nrow; i++)
        out->known = out->known && work->outcome[work->replicates + i] == CF_OUTCOME_FITTED;
    return status;
}

static int run(struct bootstrap_work *work, const struct cf_workers *workers,
               struct cf_bootstrap *out, struct cf_error *err)
{
    struct cf_jackknife jackknife = {.known = true};
    int status = CF_OK;

    if (!can_begin(work, out))
        return CF_OK;
    if (work->kind == CF_BOOTSTRAP_ROWS)
        status = make_jackknife(work, workers, &jackknife, err);
    if (!status)
        status = cf_parallel(workers, "bootstrap", work->replicates, replicate, work, err);
    if (status || !enough(work, out))
        return status;
    out->shown = true;
    return cf_bootstrap_intervals(work->optimum, &jackknife, work->shift, gather(work), out, err);
}

void cf_bootstrap_clear(struct cf_bootstrap *bootstrap)
{
    free(bootstrap->parameter);
    bootstrap->parameter = bootstrap->combination = NULL;
}

int cf_bootstrap(const struct cf_optimum *optimum, bool usable, enum cf_bootstrap_kind kind,
                 size_t replicates, const struct cf_workers *workers, struct cf_bootstrap *out,
                 struct cf_error *err)
{
    struct bootstrap_work work = {.usable = usable,
                                  .optimum = optimum,
                                  .kind = kind,
                                  .stream = first_stream[kind],
                                  .replicates = replicates};
    int status;

    *out = (struct cf_bootstrap){.kind = kind, .replicates = replicates};
    out->parameter =
        calloc(optimum->problem.nfree + optimum->ncombination + 1, sizeof *out->parameter);
    if (!out->parameter)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu replicates", replicates);
    out->combination = out->parameter + optimum->problem.nfree;
    status = work_init(&work, workers, err);
    if (!status)
        status = run(&work, workers, out, err);
    work_clear(&work);
    return status;
}
