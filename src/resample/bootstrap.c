#include "resample/bootstrap.h"

#include <gsl/gsl_math.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/random.h"
#include "resample/bootstrap_interval.h"
#include "resample/workspace.h"

const char *const cf_bootstrap_name[CF_NBOOTSTRAP] = {
    [CF_BOOTSTRAP_ROWS] = "rows",
    [CF_BOOTSTRAP_PARAMETRIC] = "parametric",
};

/* With more failures than this the replicates that are left are a choice, not a sample. */
static const double most_failed = 0.05;

/* Streams of replicate 0; starts and tests of residuals use the streams near 0. */
static const uint64_t first_stream[CF_NBOOTSTRAP] = {
    [CF_BOOTSTRAP_ROWS] = UINT64_C(1) << 32,
    [CF_BOOTSTRAP_PARAMETRIC] = UINT64_C(2) << 32,
};

struct shop {
    const struct cf_fit *fit;
    struct cf_rows rows;
    uint64_t stream;
    enum cf_bootstrap_kind kind;
    double *predicted; /* at the optimum */
    struct cf_refit_workspace *workspace;
    size_t nworkspace, replicates;
    enum cf_outcome *outcome; /* of the replicates, then of the fits without a row */
    double *shift;            /* (replicates + nrow) * nfree: theta less the optimum's */
};

static void draw_rows(struct cf_refit_workspace *d, const struct shop *shop, gsl_rng *rng)
{
    const struct cf_rows *rows = &shop->rows;

    memset(d->count, 0, rows->nrow * sizeof *d->count);
    for (size_t s = 0; s < rows->nset; s++) {
        size_t from = rows->set[s], n = rows->set[s + 1] - from;
        for (size_t i = 0; i < n; i++)
            d->count[from + gsl_rng_uniform_int(rng, n)]++;
    }
}

/* Observations of a row that share the error of what was imposed get one error together. */
static void draw_noise(struct cf_refit_workspace *d, const struct shop *shop, gsl_rng *rng)
{
    const struct cf_observation *last = NULL; /* that shared */
    double imposed = 0;

    for (size_t i = 0; i < d->problem.nobservation; i++) {
        struct cf_observation *o = &d->problem.observation[i];
        double own = sqrt(1 - o->shared * o->shared);
        if (o->shared != 0 && !(last && last->data == o->data && last->row == o->row))
            imposed = gsl_ran_gaussian_ziggurat(rng, 1);
        last = o->shared != 0 ? o : last;
        o->value = shop->predicted[i] + gsl_ran_gaussian_ziggurat(rng, o->sigma * own) +
                   o->sigma * o->shared * imposed;
    }
}

static void draw_priors(struct cf_refit_workspace *d, const struct shop *shop, gsl_rng *rng)
{
    for (size_t i = 0; i < d->problem.nfree; i++) {
        struct cf_unknown *w = &d->problem.unknown[i];
        double about = shop->kind == CF_BOOTSTRAP_ROWS ? w->prior : shop->fit->theta[i];
        if (w->has_prior)
            w->prior = about + gsl_ran_gaussian_ziggurat(rng, w->prior_sigma);
    }
}

static int replicate(void *context, size_t i, size_t worker, struct cf_error *err)
{
    struct shop *shop = context;
    struct cf_refit_workspace *d = &shop->workspace[worker];
    const struct cf_fit *fit = shop->fit;
    gsl_rng *rng = cf_random_stream(fit->problem.spec->options.seed, shop->stream + i);

    if (!rng)
        return cf_fail(err, CF_ENOMEM, "no memory for a random stream");
    cf_refit_reset(d, &fit->problem);
    if (shop->kind == CF_BOOTSTRAP_ROWS) {
        draw_rows(d, shop, rng);
        cf_refit_weigh(d, &shop->rows);
    } else {
        draw_noise(d, shop, rng);
    }
    draw_priors(d, shop, rng);
    gsl_rng_free(rng);
    shop->outcome[i] = CF_OUTCOME_UNIDENTIFIED;
    if (shop->kind == CF_BOOTSTRAP_ROWS && !cf_refit_identifies(d, shop->fit, &shop->rows))
        return CF_OK;
    return cf_refit(d, fit, &shop->outcome[i], &shop->shift[i * fit->problem.nfree], err);
}

/* The fit without a row. */
static int leave_out(void *context, size_t row, size_t worker, struct cf_error *err)
{
    struct shop *shop = context;
    struct cf_refit_workspace *d = &shop->workspace[worker];
    size_t i = shop->replicates + row;

    cf_refit_reset(d, &shop->fit->problem);
    for (size_t k = 0; k < shop->rows.nrow; k++)
        d->count[k] = k != row;
    cf_refit_weigh(d, &shop->rows);
    shop->outcome[i] = CF_OUTCOME_UNIDENTIFIED;
    if (!cf_refit_identifies(d, shop->fit, &shop->rows))
        return CF_OK;
    return cf_refit(d, shop->fit, &shop->outcome[i], &shop->shift[i * shop->fit->problem.nfree],
                    err);
}

static void shop_clear(struct shop *shop)
{
    for (size_t i = 0; shop->workspace && i < shop->nworkspace; i++)
        cf_refit_workspace_clear(&shop->workspace[i]);
    cf_rows_clear(&shop->rows);
    free(shop->workspace);
    free(shop->predicted);
    free(shop->outcome);
    free(shop->shift);
}

static int shop_init(struct shop *shop, const struct cf_workers *workers, struct cf_error *err)
{
    const struct cf_problem *q = &shop->fit->problem;
    int status = cf_rows_init(&shop->rows, q, err);
    size_t most = shop->replicates + shop->rows.nrow;
    bool room;

    if (status)
        return status;
    shop->nworkspace = cf_workers_count(workers);
    shop->workspace = calloc(shop->nworkspace, sizeof *shop->workspace);
    shop->predicted = calloc(q->nobservation, sizeof *shop->predicted);
    shop->outcome = calloc(most, sizeof *shop->outcome);
    shop->shift = calloc(most * q->nfree, sizeof *shop->shift);
    room = shop->workspace && shop->predicted && shop->outcome && shop->shift;
    for (size_t i = 0; room && i < shop->nworkspace; i++)
        room = cf_refit_workspace_init(&shop->workspace[i], shop->fit, shop->rows.nrow);
    if (!room)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu replicates", shop->replicates);
    return cf_problem_predict(q, shop->fit->theta, shop->predicted, NULL, NULL, err);
}

/* Whether there is a point in drawing at all. */
static bool can_begin(const struct shop *shop, struct cf_bootstrap *out)
{
    const struct cf_spec *spec = shop->fit->problem.spec;
    /* (n + 1)(1 - level)/2 is the rank of the lower end; whole in spite of rounding */
    double least = ceil((2 / (1 - spec->options.level) - 1) * (1 - cf_rank_slack));

    if (shop->fit->status == CF_VERDICT_FAILED)
        snprintf(out->why, sizeof out->why, "the optimum is not one to start from");
    else if (shop->fit->rank.rank == 0)
        snprintf(out->why, sizeof out->why, "the data tell no parameter");
    else if ((double) shop->replicates < least)
        snprintf(out->why, sizeof out->why,
                 "%zu replicates do not reach the ends of a %g %% interval: at least %.0f do",
                 shop->replicates, 100 * spec->options.level, least);
    for (size_t s = 0; s < shop->rows.nset && shop->kind == CF_BOOTSTRAP_ROWS; s++)
        if (shop->rows.set[s + 1] - shop->rows.set[s] == 1 && !out->why[0])
            snprintf(
                out->why, sizeof out->why,
                "data set %s has a single row: drawing rows cannot show how it scatters",
                spec->data[shop->fit->problem.observation[shop->rows.first[shop->rows.set[s]]].data]
                    .name);
    return !out->why[0];
}

/* Count the failures; false when they are too many. */
static bool enough(const struct shop *shop, struct cf_bootstrap *out)
{
    size_t n[CF_NOUTCOME] = {0};

    for (size_t i = 0; i < shop->replicates; i++)
        n[shop->outcome[i]]++;
    out->failed = shop->replicates - n[CF_OUTCOME_FITTED];
    if ((double) out->failed <= most_failed * (double) shop->replicates)
        return true;
    snprintf(out->why, sizeof out->why,
             "%zu of %zu replicates failed (%zu had too few distinct rows, %zu reached no optimum, "
             "in %zu an estimated sigma went to nothing): of more than %g %% the rest is no fair "
             "sample",
             out->failed, shop->replicates, n[CF_OUTCOME_UNIDENTIFIED], n[CF_OUTCOME_LOST],
             n[CF_OUTCOME_COLLAPSED], 100 * most_failed);
    return false;
}

/* Replicates in the order of their index, failed ones left out: ready for the intervals. */
static size_t gather(struct shop *shop)
{
    size_t n = 0, nfree = shop->fit->problem.nfree;

    for (size_t i = 0; i < shop->replicates; i++)
        if (shop->outcome[i] == CF_OUTCOME_FITTED)
            memmove(&shop->shift[n++ * nfree], &shop->shift[i * nfree],
                    nfree * sizeof *shop->shift);
    return n;
}

/* What BCa needs of the fits without a row; they must all have succeeded. */
static int make_jackknife(struct shop *shop, const struct cf_workers *workers,
                          struct cf_jackknife *out, struct cf_error *err)
{
    int status = cf_parallel(workers, "jackknife", shop->rows.nrow, leave_out, shop, err);

    out->known = true;
    out->rows = &shop->rows;
    out->shift = &shop->shift[shop->replicates * shop->fit->problem.nfree];
    for (size_t i = 0; i < shop->rows.nrow; i++)
        out->known = out->known && shop->outcome[shop->replicates + i] == CF_OUTCOME_FITTED;
    return status;
}

static int run(struct shop *shop, const struct cf_workers *workers, struct cf_bootstrap *out,
               struct cf_error *err)
{
    struct cf_jackknife jackknife = {.known = true};
    int status = CF_OK;

    if (!can_begin(shop, out))
        return CF_OK;
    if (shop->kind == CF_BOOTSTRAP_ROWS)
        status = make_jackknife(shop, workers, &jackknife, err);
    if (!status)
        status = cf_parallel(workers, "bootstrap", shop->replicates, replicate, shop, err);
    if (status || !enough(shop, out))
        return status;
    out->shown = true;
    return cf_bootstrap_intervals(shop->fit, &jackknife, shop->shift, gather(shop), out, err);
}

int cf_bootstrap(const struct cf_fit *fit, enum cf_bootstrap_kind kind, size_t replicates,
                 const struct cf_workers *workers, struct cf_bootstrap *out, struct cf_error *err)
{
    struct shop shop = {
        .fit = fit, .kind = kind, .stream = first_stream[kind], .replicates = replicates};
    int status;

    *out = (struct cf_bootstrap){.kind = kind, .replicates = replicates};
    status = shop_init(&shop, workers, err);
    if (!status)
        status = run(&shop, workers, out, err);
    shop_clear(&shop);
    return status;
}
