#include "judge/identifiability.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/solve.h"
#include "judge/interval.h"

/* Assumed relative sigma of a hypothetical measurement. */
static const double thought_sigma = 0.01;

static bool full(const struct cf_rank *rank)
{
    return rank->rank == rank->n;
}

/* The rows of data set `data` that a problem's observations come from, in row[]. */
static size_t rows_of(const struct cf_problem *q, size_t data, size_t row[])
{
    size_t n = 0;

    for (size_t i = 0; i < q->nobservation; i++) {
        const struct cf_observation *o = &q->observation[i];
        if (o->data == data && (n == 0 || row[n - 1] != o->row))
            row[n++] = o->row;
    }
    return n;
}

/* The rows of q's observations with one more column measured on each, in all data sets that have it
 * in their protocol; the values predicted there affect the rank only by their scale. */
static int think_of(const struct cf_problem *q, const double theta[], size_t column,
                    struct cf_dataset data[], struct cf_error *err)
{
    size_t *row = malloc((2 * q->nobservation + 1) * sizeof *row), *own = row + q->nobservation;
    double *y = malloc((q->nobservation + 1) * sizeof *y);
    int status =
        row && y ? CF_OK : cf_fail(err, CF_ENOMEM, "no memory for %zu rows", q->nobservation);

    for (size_t i = 0; i < q->spec->ndata && !status; i++) {
        size_t n = rows_of(q, i, row);
        status = cf_dataset_choose(&data[i], &q->spec->data[i], n, row, err);
        for (size_t k = 0; k < n; k++)
            own[k] = k;
        if (status || q->spec->data[i].protocol != q->spec->data[0].protocol)
            continue;
        data[i].series[column].kind = CF_SIGMA_GIVEN;
        status = cf_problem_predict_rows(q, i, &data[i], n, own, 1, &column, 0, theta, y, NULL,
                                         NULL, err);
        for (size_t k = 0; k < n && !status; k++)
            if (!isnan(y[k]))
                status = cf_dataset_put(&data[i], k, column, y[k], thought_sigma * fabs(y[k]), err);
    }
    free(row);
    free(y);
    return status;
}

static int would_help(const struct cf_problem *q, const double theta[], size_t column, bool *helps,
                      struct cf_error *err)
{
    struct cf_dataset *data = calloc(q->spec->ndata, sizeof *data);
    struct cf_spec spec = *q->spec;
    struct cf_problem thought = {0};
    struct cf_rank rank = {0};
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
    cf_rank_clear(&rank);
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

/* Would everything be identified with k known? */
static int try_k(const struct cf_problem *q, struct cf_identifiability *f, struct cf_error *err)
{
    size_t k = cf_law_k(q->law), n = 0;
    bool *held = calloc(q->nfree + 1, sizeof *held);
    struct cf_rank rank = {0};
    int status = held ? CF_OK : cf_fail(err, CF_ENOMEM, "no memory for %zu unknowns", q->nfree);

    for (size_t j = 0; j < q->nfree && held; j++) {
        held[j] = q->unknown[j].kind == CF_UNKNOWN_LAW && q->unknown[j].target == k;
        n += held[j];
    }
    if (!status && n && n < q->nfree) {
        status = cf_rank_problem(q, f->theta, held, &rank, err);
        f->hertz_helps = !status && full(&rank);
    }
    cf_rank_clear(&rank);
    free(held);
    return status;
}

static int look_for_help(const struct cf_problem *q, struct cf_identifiability *f,
                         struct cf_error *err)
{
    const struct cf_protocol *protocol = q->spec->data[0].protocol;
    struct cf_problem some;
    int status = try_k(q, f, err);

    /* whether a channel would help shows on some of the rows */
    if (!status)
        status = cf_problem_thin(&some, q, cf_most_searched, err);
    if (status)
        return status;
    for (size_t j = 0; j < protocol->nchannel && !status; j++) {
        if (protocol->channel[j].role != CF_ROLE_MEASURED || measured_somewhere(q, j) ||
            !cf_channel_predicted(&protocol->channel[j], q->law->family))
            continue;
        status = would_help(&some, f->theta, j, &f->helpful[j], err);
    }
    cf_problem_free(&some);
    return status;
}

void cf_identifiability_clear(struct cf_identifiability *identifiability)
{
    cf_rank_clear(&identifiability->rank);
    free(identifiability->theta);
    free(identifiability->combination);
    free(identifiability->helpful);
    free(identifiability->foreseen);
    *identifiability = (struct cf_identifiability){0};
}

int cf_identifiability_at(struct cf_problem *problem, const double theta[],
                          struct cf_identifiability *out, struct cf_error *err)
{
    size_t n = problem->nfree;
    int status = CF_OK;

    *out = (struct cf_identifiability){.nfree = n, .unknown = problem->unknown};
    out->theta = calloc(n + 1, sizeof *out->theta);
    out->helpful = calloc(problem->spec->data[0].protocol->nchannel + 1, sizeof *out->helpful);
    if (!out->theta || !out->helpful)
        status = cf_fail(err, CF_ENOMEM, "no memory for %zu unknowns", n);
    if (!status) {
        memcpy(out->theta, theta, n * sizeof *theta);
        status = cf_rank_problem(problem, theta, NULL, &out->rank, err);
    }
    if (status)
        return status;
    status =
        cf_combinations(problem, &out->rank, theta, &out->combination, &out->ncombination, err);
    return status || full(&out->rank) ? status : look_for_help(problem, out, err);
}

/* theta nearer to where a fit will end, and the sigmas there: by one descent on some of the rows. A
 * likely point from where none leads on stays. */
static int approach(struct cf_problem *q, double theta[], struct cf_error *err)
{
    static const double coarse_sigma = 1e-2; /* of an interval's width no more is asked */
    struct cf_problem some = {0};
    struct cf_solver *solver = NULL;
    struct cf_solution *at = cf_solutions_alloc(1, q->nfree);
    double change;
    int status = at ? cf_problem_thin(&some, q, cf_most_searched, err)
                    : cf_fail(err, CF_ENOMEM, "no memory for %zu unknowns", q->nfree);

    if (!status && !(solver = cf_solver_alloc(&some)))
        status = cf_fail(err, CF_ENOMEM, "no memory for the optimiser");
    if (!status) {
        memcpy(at->theta, theta, q->nfree * sizeof *theta);
        status = cf_polish(solver, &some, NULL, coarse_sigma, at, err);
    }
    if (!status && at->end != CF_END_FAILED) {
        memcpy(theta, at->theta, q->nfree * sizeof *theta);
        cf_problem_begin_as(q, &some);
        cf_problem_reset_locals(q);
        status = cf_sigma_update(q, theta, &change, err);
    }
    cf_solver_free(solver);
    cf_problem_free(&some);
    free(at);
    return status == CF_ESOLVE || status == CF_ERANGE ? CF_OK : status;
}

/* The interval of unknown j at theta; one that ends at a bound is open there. */
static struct cf_foreseen foreseen_of(const struct cf_problem *q, const struct cf_rank *rank,
                                      size_t j, double theta, double dof)
{
    const struct cf_unknown *w = &q->unknown[j];
    double half = cf_t_quantile(q->spec->options.level, dof) * sqrt(cf_rank_variance(rank, j));
    int bound = cf_unknown_at_bound(w, theta);
    struct cf_foreseen at = {.value = cf_unknown_value(w, theta)};

    at.interval = (struct cf_interval){.known = true,
                                       .low = cf_unknown_value(w, theta - half),
                                       .high = cf_unknown_value(w, theta + half),
                                       .open_low = bound<0, .open_high = bound> 0};
    at.weak = cf_interval_is_wide(q, w, at.value, &at.interval);
    return at;
}

/* Degrees of freedom of the estimated sigmas: of the channel that has fewest, or where groups share
 * errors of all that was measured. */
static double freedom(const struct cf_problem *q, const struct cf_rank *rank)
{
    double dof = (double) INFINITY;

    for (size_t c = 0; c < q->nchannel; c++)
        if (q->channel[c].estimated)
            dof = fmin(dof, cf_uses_reml(q) ? (double) q->nobservation - (double) rank->rank
                                            : q->channel[c].dof);
    return fmax(dof, 0.5);
}

static int foresee(struct cf_problem *q, struct cf_identifiability *out, struct cf_error *err)
{
    double *theta = calloc(q->nfree + 1, sizeof *theta), dof;
    struct cf_rank rank = {0};
    int status = theta ? CF_OK : cf_fail(err, CF_ENOMEM, "no memory for %zu unknowns", q->nfree);

    out->foreseen = calloc(q->nfree + 1, sizeof *out->foreseen);
    if (!status && !out->foreseen)
        status = cf_fail(err, CF_ENOMEM, "no memory for %zu unknowns", q->nfree);
    if (!status) {
        memcpy(theta, out->theta, q->nfree * sizeof *theta);
        status = approach(q, theta, err);
    }
    if (!status)
        status = cf_rank_problem(q, theta, NULL, &rank, err);
    if (!status)
        dof = freedom(q, &rank);
    for (size_t j = 0; j < q->nfree && !status; j++)
        if (cf_rank_identifies(&rank, j) && cf_rank_identifies(&out->rank, j))
            out->foreseen[j] = foreseen_of(q, &rank, j, theta[j], dof);
    cf_rank_clear(&rank);
    free(theta);
    return status;
}

int cf_identifiability_before_fit(struct cf_problem *problem, struct cf_identifiability *out,
                                  struct cf_error *err)
{
    double *theta = calloc(problem->nfree + 1, sizeof *theta);
    int status =
        theta ? CF_OK : cf_fail(err, CF_ENOMEM, "no memory for %zu unknowns", problem->nfree);

    *out = (struct cf_identifiability){0};
    cf_sigma_reset(problem);
    if (!status)
        status = cf_screen_best(problem, theta, err);
    if (!status)
        status = cf_identifiability_at(problem, theta, out, err);
    if (!status)
        status = foresee(problem, out, err);
    free(theta);
    return status;
}

/* Needs no memory, so that advice is never lacking. */
void cf_identifiability_advice(const struct cf_problem *problem, const struct cf_identifiability *f,
                               char text[], size_t size)
{
    static const char hertz[] = "k from Hertz as a prior (fit: {k: {prior: {value: hertz, sigma: "
                                "20 %}}} with the materials; fixed: {k: hertz} takes it as exact)";
    const struct cf_protocol *protocol = problem->spec->data[0].protocol;
    size_t n = f->hertz_helps, used = 0;

    text[0] = '\0';
    for (size_t j = 0; j < protocol->nchannel; j++)
        n += f->helpful[j];
    for (size_t j = 0, k = 0; j <= protocol->nchannel && used < size; j++) {
        bool last = j == protocol->nchannel;
        if (!(last ? f->hertz_helps : f->helpful[j]))
            continue;
        used += (size_t) snprintf(text + used, size - used, "%s%s%s%s%s",
                                  k == 0       ? ""
                                  : k + 1 == n ? " or "
                                               : ", ",
                                  last ? hertz : protocol->channel[j].name, last ? "" : " (",
                                  last ? "" : protocol->channel[j].what, last ? "" : ")");
        k++;
    }
}
