#include "identify/design.h"

#include <gsl/gsl_math.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/leverage.h"
#include "judge/interval.h"

void cf_design_clear(struct cf_design *design)
{
    cf_fold_clear(&design->fold);
    for (size_t i = 0; i < design->ncandidate; i++)
        free(design->candidate[i].g);
    free(design->candidate);
    free(design->missed);
    free(design->sigmaless);
    *design = (struct cf_design){.ncandidate = 0};
}

struct cf_candidate *cf_design_append(struct cf_design *design, size_t kind, size_t nrow)
{
    size_t n = design->ncandidate;
    struct cf_candidate *more = realloc(design->candidate, (n + 1) * sizeof *more);

    if (!more)
        return NULL;
    design->candidate = more;
    more[n] = (struct cf_candidate){.kind = kind, .nrow = nrow};
    more[n].g = calloc(nrow * design->problem->nfree + 1, sizeof *more[n].g);
    if (!more[n].g)
        return NULL;
    design->ncandidate++;
    design->nkind = kind >= design->nkind ? kind + 1 : design->nkind;
    return &more[n];
}

int cf_expected_alloc(struct cf_expected *expected, size_t nfree, struct cf_error *err)
{
    *expected = (struct cf_expected){.half = calloc(3 * nfree + 1, sizeof *expected->half),
                                     .identified = calloc(nfree + 1, sizeof *expected->identified)};
    if (!expected->half || !expected->identified) {
        cf_expected_clear(expected);
        return cf_fail(err, CF_ENOMEM, "no memory for %zu parameters", nfree);
    }
    expected->standard_error = expected->half + nfree;
    expected->dof = expected->standard_error + nfree;
    return CF_OK;
}

void cf_expected_clear(struct cf_expected *expected)
{
    free(expected->half);
    free(expected->identified);
    *expected = (struct cf_expected){.rank = 0};
}

/* The rank of the design's factor with the rows of the picked measurements below it. */
static int rank_with(const struct cf_design *d, const size_t pick[], size_t n, struct cf_rank *rank,
                     struct cf_error *err)
{
    size_t p = d->problem->nfree, m = p;
    double *J, *norm;
    int status;

    *rank = (struct cf_rank){0};
    for (size_t i = 0; i < n; i++)
        m += d->candidate[pick[i]].nrow;
    J = calloc(m * p + p + 1, sizeof *J);
    if (!J)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu measurements", n);
    norm = J + m * p;
    for (size_t i = 0; i < p; i++)
        for (size_t j = 0; j < p; j++)
            J[i * p + j] = d->fold.R[i * (p + 1) + j];
    for (size_t j = 0; j < p; j++)
        norm[j] = d->fold.norm[j];
    for (size_t i = 0, row = p; i < n; row += d->candidate[pick[i++]].nrow) {
        const struct cf_candidate *c = &d->candidate[pick[i]];
        memcpy(&J[row * p], c->g, c->nrow * p * sizeof *J);
        for (size_t j = 0; j < c->nrow * p; j++)
            norm[j % p] = hypot(norm[j % p], c->g[j]);
    }
    status = cf_rank_analyse(J, m, p, p, norm, cf_rank_noise, rank, err);
    free(J);
    return status;
}

/* g . x[* step] */
static double along(const double g[], const double x[], size_t n, size_t step)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += g[i] * x[i * step];
    return sum;
}

/* The channels with what the picked measurements add, degrees of freedom by the leverages. */
static int share_dof(const struct cf_design *d, const size_t pick[], size_t n,
                     const struct cf_rank *rank, struct cf_channel channel[], double hat[],
                     struct cf_error *err)
{
    const struct cf_problem *q = d->problem;
    int status = cf_channel_leverages(q, &d->fold, rank, hat, err);

    memcpy(channel, q->channel, q->nchannel * sizeof *channel);
    for (size_t c = 0; c < q->nchannel; c++)
        channel[c].dof = -hat[c];
    for (size_t i = 0; i < q->nobservation; i++)
        channel[q->observation[i].channel].dof += q->observation[i].weight;
    for (size_t i = 0; i < n; i++) {
        const struct cf_candidate *c = &d->candidate[pick[i]];
        double leverage = 0;
        for (size_t row = 0; row < c->nrow; row++)
            for (size_t k = 0; k < rank->rank; k++)
                leverage +=
                    gsl_pow_2(along(c->g + row * q->nfree, &rank->root[k], q->nfree, rank->rank));
        if (c->estimated)
            channel[c->channel].dof += c->count - leverage;
    }
    return status;
}

/* Degrees of freedom of parameter i; unit[nfree] holds zeros and is left so. */
static int dof_of(const struct cf_design *d, const size_t pick[], size_t n,
                  const struct cf_rank *rank, const struct cf_channel channel[], size_t i,
                  double unit[], double share[], double *dof, struct cf_error *err)
{
    const struct cf_problem *q = d->problem;
    double rest;
    int status;

    unit[i] = 1;
    status = cf_variance_shares(q, &d->fold, rank, unit, share, &rest, err);
    unit[i] = 0;
    for (size_t k = 0; k < n && !status; k++) {
        const struct cf_candidate *c = &d->candidate[pick[k]];
        double part = 0;
        for (size_t row = 0; row < c->nrow; row++)
            part += gsl_pow_2(
                along(c->g + row * q->nfree, &rank->covariance[i * q->nfree], q->nfree, 1));
        if (c->estimated)
            share[c->channel] += part;
        else
            rest += part;
    }
    *dof = status ? 0 : cf_satterthwaite(channel, q->nchannel, share, rest);
    return status;
}

static int expect(const struct cf_design *d, const size_t pick[], size_t n,
                  const struct cf_rank *rank, struct cf_expected *out, struct cf_error *err)
{
    size_t p = d->problem->nfree, m = d->problem->nchannel;
    struct cf_channel *channel = calloc(m + 1, sizeof *channel);
    double *unit = calloc(p + 2 * m + 1, sizeof *unit), *share = unit + p, *hat = share + m;
    int status = channel && unit ? share_dof(d, pick, n, rank, channel, hat, err)
                                 : cf_fail(err, CF_ENOMEM, "no memory for %zu channels", m);

    for (size_t i = 0; i < p && !status; i++) {
        if (i < rank->rank)
            out->log_det += 2 * log(rank->singular[i]);
        if (!rank->dead[i])
            out->log_det += 2 * log(rank->norm[i]);
        out->identified[i] = cf_rank_identifies(rank, i);
        out->half[i] = out->standard_error[i] = INFINITY;
        if (!out->identified[i])
            continue;
        out->standard_error[i] = sqrt(cf_rank_variance(rank, i));
        status = dof_of(d, pick, n, rank, channel, i, unit, share, &out->dof[i], err);
        if (!status)
            out->half[i] = cf_t_quantile(d->level, out->dof[i]) * out->standard_error[i];
    }
    free(channel);
    free(unit);
    return status;
}

int cf_design_expect(const struct cf_design *design, const size_t pick[], size_t n,
                     struct cf_expected *out, struct cf_error *err)
{
    struct cf_rank rank;
    int status = rank_with(design, pick, n, &rank, err);

    out->rank = rank.rank;
    out->log_det = 0;
    if (!status)
        status = expect(design, pick, n, &rank, out, err);
    cf_rank_clear(&rank);
    return status;
}

int cf_design_sequence(const struct cf_design *design, size_t n, size_t pick[],
                       struct cf_error *err)
{
    struct cf_expected e;
    int status = cf_expected_alloc(&e, design->problem->nfree, err);

    for (size_t k = 0; k < n && !status; k++) {
        size_t chosen = 0, rank = 0;
        double log_det = -INFINITY;
        for (size_t i = 0; i < design->ncandidate && !status; i++) {
            pick[k] = i;
            status = cf_design_expect(design, pick, k + 1, &e, err);
            if (!status && (e.rank > rank || (e.rank == rank && e.log_det > log_det))) {
                rank = e.rank;
                log_det = e.log_det;
                chosen = i;
            }
        }
        pick[k] = chosen;
    }
    cf_expected_clear(&e);
    return status;
}

static void swap_expected(struct cf_expected *a, struct cf_expected *b)
{
    struct cf_expected kept = *a;
    *a = *b;
    *b = kept;
}

int cf_design_best(const struct cf_design *design, size_t kind, size_t i, size_t times,
                   size_t *best, struct cf_expected *what, struct cf_error *err)
{
    size_t *pick = calloc(times + 1, sizeof *pick);
    struct cf_expected e;
    int status = cf_expected_alloc(&e, design->problem->nfree, err);

    if (!status && !pick)
        status = cf_fail(err, CF_ENOMEM, "no memory for %zu measurements", times);
    *best = design->ncandidate;
    for (size_t c = 0; c < design->ncandidate && !status; c++) {
        if (design->candidate[c].kind != kind)
            continue;
        for (size_t k = 0; k < times; k++)
            pick[k] = c;
        status = cf_design_expect(design, pick, times, &e, err);
        if (!status && (*best == design->ncandidate || e.half[i] < what->half[i])) {
            *best = c;
            swap_expected(&e, what);
        }
    }
    cf_expected_clear(&e);
    free(pick);
    return status;
}
