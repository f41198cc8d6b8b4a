#include "estimate/leverage.h"

#include <gsl/gsl_math.h>
#include <stdlib.h>
#include <string.h>

size_t cf_part_channel(const struct cf_problem *problem, size_t part)
{
    const struct cf_observation *o = &problem->observation[problem->part[part].first];
    return o->channel - problem->set[o->data].index[o->column];
}

static size_t widest_part(const struct cf_fold *fold)
{
    size_t widest = 0;
    for (size_t p = 0; p < fold->npart; p++)
        widest = fold->part[p].ncolumn > widest ? fold->part[p].ncolumn : widest;
    return widest;
}

/* Column k of the root of the covariance over the columns of a part; x[nfree] is spare. */
static void root_column(const struct cf_problem *q, const struct cf_fold *fold,
                        const struct cf_rank *rank, size_t part, size_t k, double x[],
                        double column[])
{
    const struct cf_part_fold *p = &fold->part[part];

    if (k < p->nlocal) {
        cf_part_local_root(p, k, column);
        return;
    }
    for (size_t i = 0; i < q->nfree; i++)
        x[i] = rank->root[i * rank->rank + k - p->nlocal];
    cf_part_follow(q, fold, part, x, column);
}

int cf_channel_leverages(const struct cf_problem *problem, const struct cf_fold *fold,
                         const struct cf_rank *rank, double share[], struct cf_error *err)
{
    double *x = calloc(problem->nfree + widest_part(fold) + 1, sizeof *x), *column;

    if (!x)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu leverages", problem->nchannel);
    column = x + problem->nfree;
    for (size_t c = 0; c < problem->nchannel; c++)
        share[c] = 0;
    for (size_t p = 0; p < fold->npart; p++) {
        const struct cf_part_fold *part = &fold->part[p];
        size_t first = cf_part_channel(problem, p),
               n = problem->set[problem->part[p].data].nchannel;
        for (size_t k = 0; k < part->nlocal + rank->rank; k++) {
            root_column(problem, fold, rank, p, k, x, column);
            for (size_t c = 0; c < n; c++)
                share[first + c] += cf_channel_square(part, c, column);
        }
    }
    free(x);
    return CF_OK;
}

/* The columns of the root over each part's, and where the leverages go. */
struct leverage_work {
    const double *const *root; /* of each part: ncolumn numbers for each of its columns */
    const size_t *nroot;
    double *hat;
};

static void add_leverages(void *context, size_t unit, const struct cf_stretch *at)
{
    const struct leverage_work *w = context;

    (void) unit;
    for (size_t i = 0; i < at->count; i++) {
        double sum = 0;
        for (size_t k = 0; k < w->nroot[at->part]; k++) {
            const double *root = &w->root[at->part][k * at->ncolumn];
            double along = 0;
            for (size_t j = 0; j < at->ncolumn; j++)
                along += at->A[j * at->ld + i] * root[j];
            sum += along * along;
        }
        w->hat[at->first + i] = sum;
    }
}

int cf_leverages(const struct cf_problem *problem, const double theta[], const struct cf_fold *fold,
                 const struct cf_rank *rank, double hat[], struct cf_error *err)
{
    size_t total = 0;
    double *x = NULL, *at, **root = calloc(fold->npart + 1, sizeof *root);
    size_t *nroot = calloc(fold->npart + 1, sizeof *nroot);
    struct leverage_work w = {(const double *const *) root, nroot, hat};
    int status = CF_OK;

    for (size_t p = 0; nroot && p < fold->npart; p++) {
        nroot[p] = fold->part[p].nlocal + rank->rank;
        total += nroot[p] * fold->part[p].ncolumn;
    }
    x = calloc(problem->nfree + total + 1, sizeof *x);
    if (!x || !root || !nroot)
        status = cf_fail(err, CF_ENOMEM, "no memory for %zu leverages", problem->nobservation);
    at = x ? x + problem->nfree : NULL;
    for (size_t p = 0; p < fold->npart && !status; p++) {
        root[p] = at;
        for (size_t k = 0; k < nroot[p]; k++, at += fold->part[p].ncolumn)
            root_column(problem, fold, rank, p, k, x, at);
    }
    if (!status)
        status = cf_problem_visit(problem, theta, fold->local, CF_WANT_RESIDUALS, add_leverages, &w,
                                  err);
    free(x);
    free(root);
    free(nroot);
    return status;
}

int cf_variance_shares(const struct cf_problem *problem, const struct cf_fold *fold,
                       const struct cf_rank *rank, const double g[], double share[], double *prior,
                       struct cf_error *err)
{
    size_t n = problem->nfree;
    double *x = calloc(n + widest_part(fold) + 1, sizeof *x), *column;

    if (!x)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu channels", problem->nchannel);
    column = x + n;
    /* with residuals of unit variance theta = C J^T r: an observation moves g . theta by J C g */
    for (size_t a = 0; a < n; a++)
        for (size_t b = 0; b < n; b++)
            x[a] += g[b] * rank->covariance[b * n + a];
    for (size_t c = 0; c < problem->nchannel; c++)
        share[c] = 0;
    for (size_t p = 0; p < fold->npart; p++) {
        size_t first = cf_part_channel(problem, p);
        cf_part_follow(problem, fold, p, x, column);
        for (size_t c = 0; c < problem->set[problem->part[p].data].nchannel; c++)
            share[first + c] += cf_channel_square(&fold->part[p], c, column);
    }
    *prior = 0;
    for (size_t i = 0; i < n; i++)
        if (problem->unknown[i].has_prior)
            *prior += gsl_pow_2(x[i] / problem->unknown[i].prior_sigma);
    free(x);
    return CF_OK;
}

int cf_channel_covariance(const struct cf_problem *problem, const struct cf_fold *fold,
                          const struct cf_rank *rank, size_t channel, double gram[],
                          struct cf_error *err)
{
    size_t n = problem->nfree, widest = widest_part(fold);
    double *column = calloc((n + 1) * widest + 1, sizeof *column), *moved = column + widest;

    if (!column)
        return cf_fail(err, CF_ENOMEM, "no memory for the covariance of %zu unknowns", n);
    memset(gram, 0, n * n * sizeof *gram);
    for (size_t p = 0; p < fold->npart; p++) {
        const struct cf_part_fold *part = &fold->part[p];
        if (problem->part[p].data != problem->channel[channel].data)
            continue;
        for (size_t a = 0; a < n; a++) {
            cf_part_follow(problem, fold, p, &rank->covariance[a * n], column);
            cf_channel_times(part, channel - cf_part_channel(problem, p), column,
                             &moved[a * part->ncolumn]);
        }
        for (size_t a = 0; a < n; a++)
            for (size_t b = 0; b < n; b++)
                for (size_t i = 0; i < part->ncolumn; i++)
                    gram[a * n + b] += moved[a * part->ncolumn + i] * moved[b * part->ncolumn + i];
    }
    free(column);
    return CF_OK;
}

void cf_residual_freedom(const struct cf_problem *problem, const double hat[], double dof[])
{
    bool several = cf_uses_reml(problem);

    for (size_t c = 0; c < problem->nchannel; c++)
        dof[c] = several ? 0 : problem->channel[c].dof;
    for (size_t i = 0; i < problem->nobservation && several; i++) {
        const struct cf_observation *o = &problem->observation[i];
        dof[o->channel] += o->weight * (1 - hat[i]);
    }
}
