#include "judge/identifiability.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "estimate/solve.h"
#include "judge/interval.h"

/* Assumed relative sigma of a hypothetical measurement. */
static const double thought_sigma = 0.01;

static bool full(const struct cf_rank *rank)
{
    return rank->rank == rank->n;
}

/* The data sets with one more column measured on every row of all sets that have it in their
 * protocol; the values predicted there affect the rank only by their scale. */
static int think_of(const struct cf_problem *q, const double theta[], size_t column,
                    struct cf_dataset data[], struct cf_error *err)
{
    double p[CF_MAX_PARAM];
    int status = CF_OK;

    for (size_t i = 0; i < q->spec->ndata && !status; i++) {
        const struct cf_dataset *from = &q->spec->data[i];
        status = cf_dataset_copy(&data[i], from, err);
        if (!status)
            status = cf_problem_params(q, i, theta, p, NULL, err);
        if (!status)
            data[i].series[column].kind = CF_SIGMA_GIVEN;
        for (size_t row = 0; row < from->nrow && !status; row++) {
            struct cf_prediction y;
            status = cf_predict_row(q->curves, q->law, p, from, row, 0, &y, err);
            if (!status && y.known >> column & 1u)
                status = cf_dataset_put(&data[i], row, column, y.value[column],
                                        thought_sigma * y.value[column], err);
        }
    }
    return status;
}

static int would_help(const struct cf_problem *q, const double theta[], size_t column, bool *helps,
                      struct cf_error *err)
{
    struct cf_dataset *data = calloc(q->spec->ndata, sizeof *data);
    struct cf_spec spec = *q->spec;
    struct cf_problem thought = {0};
    struct cf_rank rank;
    int status = data ? think_of(q, theta, column, data, err)
                      : cf_fail(err, CF_ENOMEM, "no memory for %zu data sets", spec.ndata);

    spec.data = data;
    if (!status)
        status =
            cf_problem_init(&thought, &spec, spec.law, q->curves, CF_ROW_FIT, CF_SCOPE_ALL, err);
    if (!status) {
        cf_sigma_reset(&thought);
        status = cf_rank_problem(&thought, theta, NULL, &rank, err);
    }
    *helps = !status && full(&rank);
    cf_problem_free(&thought);
    for (size_t i = 0; data && i < spec.ndata; i++)
        cf_dataset_clear(&data[i]);
    free(data);
    return status;
}

static bool measured_somewhere(const struct cf_problem *q, size_t column)
{
    for (size_t c = 0; c < q->nchannel; c++)
        if (q->channel[c].column == column)
            return true;
    return false;
}

static int look_for_help(const struct cf_problem *q, struct cf_identifiability *f,
                         struct cf_error *err)
{
    const struct cf_protocol *protocol = q->spec->data[0].protocol;
    size_t k = cf_law_k(q->law);
    bool held[CF_MAX_PARAM] = {false}, has_k = false;
    struct cf_rank rank;
    int status = CF_OK;

    for (size_t j = 0; j < q->nfree; j++) {
        held[j] = q->unknown[j].target == k;
        has_k = has_k || held[j];
    }
    if (has_k && q->nfree > 1) {
        status = cf_rank_problem(q, f->theta, held, &rank, err);
        f->hertz_helps = !status && full(&rank);
    }
    for (size_t j = 0; j < protocol->nchannel && !status; j++) {
        bool helps = false;
        if (protocol->channel[j].role != CF_ROLE_MEASURED || measured_somewhere(q, j))
            continue;
        status = would_help(q, f->theta, j, &helps, err);
        f->helpful |= (unsigned) helps << j;
    }
    return status;
}

int cf_identifiability_at(struct cf_problem *problem, const double theta[],
                          struct cf_identifiability *out, struct cf_error *err)
{
    int status;

    *out = (struct cf_identifiability){
        .nfree = problem->nfree, .unknown = problem->unknown, .sigma_known = true};
    memcpy(out->theta, theta, problem->nfree * sizeof *theta);
    status = cf_rank_problem(problem, theta, NULL, &out->rank, err);
    if (status)
        return status;
    for (size_t c = 0; c < problem->nchannel; c++)
        out->sigma_known = out->sigma_known && !problem->channel[c].estimated;
    for (size_t j = 0; j < problem->nfree; j++) {
        double g[CF_MAX_PARAM] = {0};
        g[j] = 1;
        out->identified[j] = !out->rank.dead[j] && !out->rank.flat[j];
        out->expected[j] = sqrt(cf_linear_variance(&out->rank, g));
    }
    out->ncombination = cf_combinations(problem, &out->rank, theta, out->combination);
    return full(&out->rank) ? CF_OK : look_for_help(problem, out, err);
}

int cf_identifiability_before_fit(struct cf_problem *problem, struct cf_identifiability *out,
                                  struct cf_error *err)
{
    double theta[CF_MAX_PARAM];
    int status;

    cf_sigma_reset(problem);
    status = cf_screen_best(problem, theta, err);
    return status ? status : cf_identifiability_at(problem, theta, out, err);
}

void cf_identifiability_advice(const struct cf_problem *problem, const struct cf_identifiability *f,
                               char text[], size_t size)
{
    const struct cf_protocol *protocol = problem->spec->data[0].protocol;
    char item[CF_MAX_COLUMN + 1][160];
    const char *name[CF_MAX_COLUMN + 1];
    size_t n = 0;

    for (size_t j = 0; j < protocol->nchannel; j++)
        if (f->helpful >> j & 1u)
            snprintf(item[n++], sizeof item[0], "%s (%s)", protocol->channel[j].name,
                     protocol->channel[j].what);
    if (f->hertz_helps)
        snprintf(item[n++], sizeof item[0], "k from Hertz (fixed: {k: hertz} with the materials)");
    for (size_t i = 0; i < n; i++)
        name[i] = item[i];
    cf_join(text, size, name, n, " or ");
}
