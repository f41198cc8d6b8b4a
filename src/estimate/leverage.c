#include "estimate/leverage.h"

#include <gsl/gsl_math.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/triangle.h"

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
        const struct cf_set *set = &problem->set[problem->part[p].data];
        for (size_t k = 0; k < part->nlocal + rank->rank; k++) {
            root_column(problem, fold, rank, p, k, x, column);
            for (size_t c = 0; c < set->nchannel; c++)
                share[set->fitted[c]] += cf_channel_square(part, c, column);
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
        const struct cf_set *set = &problem->set[problem->part[p].data];
        cf_part_follow(problem, fold, p, x, column);
        for (size_t c = 0; c < set->nchannel; c++)
            share[set->fitted[c]] += cf_channel_square(&fold->part[p], c, column);
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
        size_t data = problem->part[p].data, of = problem->channel[channel].column;
        if (cf_channel_of(problem, data, of) != channel)
            continue;
        for (size_t a = 0; a < n; a++) {
            cf_part_follow(problem, fold, p, &rank->covariance[a * n], column);
            cf_channel_times(part, problem->set[data].index[of], column, &moved[a * part->ncolumn]);
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

/* Put the rows of a part's factor of a channel that are left without its locals into R over all
 * unknowns. Returns how many of its locals the channel determines. */
static size_t add_factor(const struct cf_problem *q, const struct cf_part_fold *part, size_t p,
                         size_t channel_index, double R[], double row[])
{
    const struct cf_set *set = &q->set[q->part[p].data];
    size_t n = part->ncolumn + 1, all = q->nfree + 1, determined = 0;
    const double *F = &part->channel[channel_index * n * n];

    for (size_t i = 0; i < part->nlocal; i++) {
        double norm = 0;
        for (size_t k = 0; k <= i; k++)
            norm = fmax(norm, fabs(F[k * n + i]));
        determined += fabs(F[i * n + i]) > cf_rank_noise * norm;
    }
    for (size_t i = part->nlocal; i < n; i++) {
        memset(row, 0, all * sizeof *row);
        for (size_t j = 0; j < set->nactive; j++)
            row[set->active[j]] = F[i * n + part->nlocal + j];
        row[q->nfree] = F[i * n + n - 1];
        cf_triangle_add(R, all, row, 1, 1);
    }
    return determined;
}

int cf_channel_alone(const struct cf_problem *problem, const struct cf_fold *fold, size_t channel,
                     size_t data, size_t *rank, double *chi2, struct cf_error *err)
{
    size_t n = problem->nfree, all = n + 1, of = problem->channel[channel].column;
    double *R = calloc(all * all + all, sizeof *R);
    struct cf_rank own = {0};
    int status = R ? CF_OK : cf_fail(err, CF_ENOMEM, "no memory for %zu unknowns", n);

    *rank = 0;
    *chi2 = 0;
    for (size_t p = 0; p < fold->npart && !status; p++) {
        size_t from = problem->part[p].data;
        if ((data == from || data == SIZE_MAX) && cf_channel_of(problem, from, of) == channel)
            *rank += add_factor(problem, &fold->part[p], p, problem->set[from].index[of], R,
                                R + all * all);
    }
    if (!status)
        status = cf_rank_analyse(R, n, n, all, NULL, cf_rank_noise, &own, err);
    if (!status) {
        *rank += own.rank;
        for (size_t i = 0; i < all; i++)
            *chi2 += gsl_pow_2(R[i * all + n]);
        for (size_t k = 0; k < own.rank; k++) { /* what the unknowns explain: |root^T J^T r|^2 */
            double along = 0;
            for (size_t j = 0; j < n; j++)
                for (size_t i = 0; i <= j; i++)
                    along += own.root[j * own.rank + k] * R[i * all + j] * R[i * all + n];
            *chi2 -= along * along;
        }
        *chi2 = fmax(*chi2, 0);
    }
    cf_rank_clear(&own);
    free(R);
    return status;
}
