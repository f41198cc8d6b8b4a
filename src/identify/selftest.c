#include "identify/selftest.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_math.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "identify/fit.h"

/* A `good` fit whose truth lies outside of the region of this probability is a false success. */
static const double region = 0.9999;

/* Streams below are those of the fits' own starts, tests and resamples, which may have the same
 * seed. */
static const uint64_t first_stream = UINT64_C(8) << 32;

struct test_run {
    const struct cf_selftest_plan *plan;
    const double *theta;          /* the truth in the fitted law's parameters, or NULL */
    struct cf_curves **curves;    /* by worker */
    struct cf_replicate *outcome; /* by task */
};

static bool covers(const struct cf_interval *i, double x)
{
    return i->known && i->low <= x && x <= i->high;
}

/* Is the truth outside of the region that the rise of chi^2 bounds? With estimated sigmas its
 * mean square is F distributed, on no more than the fewest degrees of freedom of a parameter. */
static int outside(const struct cf_fit *fit, const double theta[], bool *is, struct cf_error *err)
{
    const struct cf_problem *q = &fit->optimum.problem;
    double p = (double) q->nfree, dof = INFINITY, rise;
    struct cf_fold fold;
    int status = cf_fold_alloc(&fold, q, err);

    if (!status)
        status = cf_problem_fold(q, theta, &fold, err);
    rise = fold.chi2 - fit->optimum.chi2;
    for (size_t i = 0; i < q->nfree; i++)
        dof = fmin(dof, fit->estimate[i].dof);
    *is = !status && !(rise <= (isinf(dof) ? gsl_cdf_chisq_Pinv(region, p)
                                           : p * gsl_cdf_fdist_Pinv(region, p, dof)));
    cf_fold_clear(&fold);
    return status;
}

static void see(const struct cf_fit *fit, size_t i, const double theta[], struct cf_recovered *s)
{
    const struct cf_estimate *e = &fit->estimate[i];
    double truth =
        theta ? cf_unknown_value(&fit->optimum.problem.unknown[i], theta[i]) : (double) NAN;

    *s = (struct cf_recovered){.worth = e->worth,
                               .identified = e->likelihood.known,
                               .low = e->likelihood.low,
                               .high = e->likelihood.high};
    if (!s->identified || !theta)
        return;
    s->covered = covers(&e->likelihood, truth);
    s->wald_covered = covers(&e->wald, truth);
    s->below = e->likelihood.high < truth;
    for (size_t k = 0; k < fit->resamples.nbootstrap; k++) {
        const struct cf_bootstrap *b = &fit->resamples.bootstrap[k];
        const struct cf_resampled *r = &b->parameter[i];
        s->resampled[b->kind] = b->shown && r->known;
        s->resampled_covered[b->kind] =
            s->resampled[b->kind] && r->low <= truth && truth <= r->high;
    }
    s->z = (fit->optimum.theta[i] - theta[i]) / e->standard_error;
}

static int judge(const struct test_run *run, const struct cf_fit *fit, struct cf_replicate *o,
                 struct cf_error *err)
{
    o->status = fit->status;
    for (size_t i = 0; i < fit->findings.n; i++)
        o->found[fit->findings.item[i].rule] = true;
    for (size_t i = 0; i < fit->optimum.problem.nfree; i++)
        see(fit, i, run->theta, &o->parameter[i]);
    return run->theta && fit->status == CF_VERDICT_GOOD
               ? outside(fit, run->theta, &o->false_success, err)
               : CF_OK;
}

static int replicate(void *context, size_t i, size_t worker, struct cf_error *err)
{
    struct test_run *run = context;
    const struct cf_selftest_plan *plan = run->plan;
    size_t index = plan->first + i;
    struct cf_problem truth = *plan->truth;
    struct cf_spec spec = *plan->fitted;
    struct cf_dataset *data = calloc(truth.spec->ndata, sizeof *data);
    struct cf_fit *fit = NULL;
    int status;

    if (!data)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu data sets", truth.spec->ndata);
    truth.curves = run->curves[worker];
    spec.data = data;
    spec.ndata = truth.spec->ndata;
    spec.options.bootstrap = run->theta && index < plan->bootstrapped ? plan->bootstrap : 0;
    spec.options.posterior = 0;
    spec.uncertain = (struct cf_uncertains){.n = 0}; /* no study stands behind these data */
    if (plan->generator)
        status = plan->generator->make(plan->generator->owner, truth.curves, plan->seed,
                                       first_stream + index, &spec, err);
    else
        status = cf_simulate(&truth, plan->theta, plan->sigma, plan->disturbance, plan->seed,
                             first_stream + index, data, err);
    if (!status) {
        status = cf_fit_run(&spec, plan->rival, plan->nrival, truth.curves, NULL, &fit, err);
        if (!status)
            status = judge(run, fit, &run->outcome[i], err);
        else if (!cf_status_ends(status)) {
            run->outcome[i].broken = true;
            run->outcome[i].why = cf_format("%s", err->text);
            run->outcome[i].status = CF_VERDICT_FAILED;
            status = run->outcome[i].why ? CF_OK : CF_ENOMEM;
        }
    }
    cf_fit_free(fit);
    for (size_t k = 0; k < spec.ndata; k++)
        cf_dataset_clear(&data[k]);
    if (plan->generator)
        cf_grouping_clear(&spec.grouping);
    free(data);
    return status;
}

static int compare(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static double median(double x[], size_t n)
{
    if (n == 0)
        return NAN;
    qsort(x, n, sizeof *x, compare);
    return n % 2 ? x[n / 2] : (x[n / 2 - 1] + x[n / 2]) / 2;
}

/* Sums over the replicates in their order: the same bits for every number of workers. */
static void count(const struct cf_replicates *seen, size_t j, double work[], struct cf_recovery *r)
{
    size_t n = seen->n;
    double sum = 0, squares = 0, *low = work, *high = work + n;

    for (size_t i = 0; i < n; i++) {
        const struct cf_recovered *s = &seen->replicate[i].parameter[j];
        if (seen->replicate[i].broken)
            continue;
        r->worth[s->worth]++;
        if (s->worth == CF_WORTH_FINE) {
            r->covered += s->covered;
            r->wald_covered += s->wald_covered;
            r->below += !s->covered && s->below;
            r->above += !s->covered && !s->below;
            for (size_t k = 0; k < CF_NBOOTSTRAP; k++) {
                r->resampled[k] += s->resampled[k];
                r->resampled_covered[k] += s->resampled_covered[k];
            }
        }
        if (!s->identified)
            continue;
        low[r->identified] = s->low;
        high[r->identified++] = s->high;
        r->usable_covered += s->covered && (s->worth == CF_WORTH_FINE || s->worth == CF_WORTH_WEAK);
        sum += s->z;
        squares += s->z * s->z;
    }
    r->low = median(low, r->identified);
    r->high = median(high, r->identified);
    r->bias = r->bias_error = NAN;
    if (r->known && r->identified > 1) {
        double m = (double) r->identified;
        r->bias = sum / m;
        r->bias_error = sqrt(fmax(squares / m - gsl_pow_2(sum / m), 0) / (m - 1));
    }
}

/* The fitted law's problem on the design's own data: for its parameters. */
static int fitted_problem(const struct cf_selftest_plan *plan, struct cf_spec *spec,
                          struct cf_curves *curves, struct cf_problem *fitted, struct cf_error *err)
{
    *spec = *plan->fitted;
    spec->data = plan->truth->spec->data;
    spec->ndata = plan->truth->spec->ndata;
    return cf_problem_init(fitted, spec, spec->law, curves, CF_ROW_FIT, CF_SCOPE_ALL, err);
}

static int gather(const struct cf_problem *fitted, const double theta[],
                  const struct cf_replicates *seen, struct cf_selftest *out, struct cf_error *err)
{
    double *work = calloc(2 * seen->n + 1, sizeof *work);
    int status = CF_OK;

    *out = (struct cf_selftest){
        .replicates = seen->n, .same_law = theta != NULL, .nfree = fitted->nfree};
    out->parameter = calloc(out->nfree + 1, sizeof *out->parameter);
    if (!work || !out->parameter) {
        free(work);
        return cf_fail(err, CF_ENOMEM, "no memory for %zu replicates", seen->n);
    }
    for (size_t i = 0; i < seen->n; i++) {
        const struct cf_replicate *r = &seen->replicate[i];
        out->broken += r->broken;
        if (r->broken && !out->why && !(out->why = cf_format("%s", r->why)))
            status = cf_fail(err, CF_ENOMEM, "no memory for the reason of a failure");
        out->verdict[r->status]++;
        for (int k = 0; k < CF_NRULE; k++)
            out->told[k] += r->found[k] && cf_rules[k].word == r->status;
        out->false_success += r->false_success;
    }
    for (size_t j = 0; j < out->nfree; j++) {
        const struct cf_unknown *w = &fitted->unknown[j];
        out->parameter[j] = (struct cf_recovery){
            .name = cf_format("%s", w->name),
            .unit = w->unit,
            .known = theta != NULL,
            .truth = theta ? cf_unknown_value(w, theta[j]) : (double) NAN,
        };
        count(seen, j, work, &out->parameter[j]);
        if (!out->parameter[j].name)
            status = cf_fail(err, CF_ENOMEM, "no memory for the name of a parameter");
    }
    free(work);
    return status;
}

static const double *truth_of(const struct cf_selftest_plan *plan)
{
    return plan->fitted->law == plan->truth->law ? plan->theta : NULL;
}

int cf_selftest_count(const struct cf_selftest_plan *plan, const struct cf_replicates *seen,
                      struct cf_selftest *out, struct cf_error *err)
{
    struct cf_problem fitted = {0};
    struct cf_spec spec;
    int status = fitted_problem(plan, &spec, plan->truth->curves, &fitted, err);

    *out = (struct cf_selftest){0};
    if (!status)
        status = gather(&fitted, truth_of(plan), seen, out, err);
    cf_problem_free(&fitted);
    return status;
}

void cf_selftest_clear(struct cf_selftest *selftest)
{
    for (size_t i = 0; selftest->parameter && i < selftest->nfree; i++)
        free(selftest->parameter[i].name);
    free(selftest->parameter);
    free(selftest->why);
    *selftest = (struct cf_selftest){0};
}

int cf_selftest_parameters(const struct cf_selftest_plan *plan, size_t *n, struct cf_error *err)
{
    struct cf_problem fitted = {0};
    struct cf_spec spec;
    int status = fitted_problem(plan, &spec, plan->truth->curves, &fitted, err);

    *n = fitted.nfree;
    cf_problem_free(&fitted);
    return status;
}

int cf_replicates_alloc(struct cf_replicates *replicates, size_t n, size_t nfree,
                        struct cf_error *err)
{
    *replicates = (struct cf_replicates){.n = n, .nfree = nfree};
    replicates->replicate = calloc(n + 1, sizeof *replicates->replicate);
    replicates->room = calloc(n * nfree + 1, sizeof *replicates->room);
    if (!replicates->replicate || !replicates->room)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu replicates", n);
    for (size_t i = 0; i < n; i++)
        replicates->replicate[i].parameter = replicates->room + i * nfree;
    return CF_OK;
}

void cf_replicates_clear(struct cf_replicates *replicates)
{
    for (size_t i = 0; replicates->replicate && i < replicates->n; i++)
        free(replicates->replicate[i].why);
    free(replicates->replicate);
    free(replicates->room);
    *replicates = (struct cf_replicates){0};
}

static int make_curves(struct test_run *run, size_t jobs, struct cf_error *err)
{
    run->curves = calloc(jobs, sizeof *run->curves);
    if (!run->curves)
        return cf_fail(err, CF_ENOMEM, "no memory for the curves");
    for (size_t i = 0; i < jobs; i++) {
        int status;
        run->curves[i] = cf_curves_alloc();
        if (!run->curves[i])
            return cf_fail(err, CF_ENOMEM, "no memory for the curves");
        status = cf_curves_prepare(run->curves[i], run->plan->truth->law, err);
        if (status)
            return status;
    }
    return CF_OK;
}

int cf_selftest_run(const struct cf_selftest_plan *plan, const struct cf_workers *workers,
                    struct cf_replicates *out, struct cf_error *err)
{
    struct test_run run = {.plan = plan, .theta = truth_of(plan)};
    struct cf_problem fitted = {0};
    struct cf_spec spec;
    size_t jobs = cf_workers_count(workers);
    int status = make_curves(&run, jobs, err);

    *out = (struct cf_replicates){0};
    if (!status)
        status = fitted_problem(plan, &spec, run.curves[0], &fitted, err);
    if (!status)
        status = cf_replicates_alloc(out, plan->replicates, fitted.nfree, err);
    for (size_t i = 0; i < out->n && !status; i++)
        out->replicate[i].index = plan->first + i;
    run.outcome = out->replicate;
    if (!status)
        status = cf_parallel(workers, "self-test", plan->replicates, replicate, &run, err);
    cf_problem_free(&fitted);
    for (size_t i = 0; run.curves && i < jobs; i++)
        cf_curves_free(run.curves[i]);
    free(run.curves);
    return status;
}

int cf_selftest(const struct cf_selftest_plan *plan, const struct cf_workers *workers,
                struct cf_selftest *out, struct cf_error *err)
{
    struct cf_replicates seen;
    int status = cf_selftest_run(plan, workers, &seen, err);

    *out = (struct cf_selftest){0};
    if (!status)
        status = cf_selftest_count(plan, &seen, out, err);
    cf_replicates_clear(&seen);
    return status;
}
