#include "estimate/clusters.h"

#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/evaluate.h"
#include "estimate/records.h"

static size_t cluster_of(const struct cf_problem *q, size_t data)
{
    return q->spec->data[data].protocol->cluster;
}

bool cf_is_clustered(const struct cf_problem *problem)
{
    bool any = false;

    for (size_t d = 0; d < problem->spec->ndata; d++)
        any = any || (cluster_of(problem, d) && problem->set && problem->set[d].nchannel);
    return any && problem->loss.kind == CF_LOSS_SQUARES && !problem->nlocal &&
           !cf_shares_errors(problem);
}

bool cf_cluster_links(const struct cf_problem *problem, size_t observation)
{
    const struct cf_observation *o = &problem->observation[observation];
    const struct cf_dataset *d = &problem->spec->data[o->data];
    size_t channel = cluster_of(problem, o->data);

    return observation && channel && o[-1].data == o->data && cf_is_clustered(problem) &&
           cf_dataset_value(d, o->row, channel) == cf_dataset_value(d, o[-1].row, channel);
}

/* ---- the jackknife: n unknowns, matrices n * n, row-major */

struct jackknife {
    size_t n, ncluster;
    double *A;     /* of everything */
    double *rest;  /* A less the shares of all clusters: P */
    double *share; /* A_g of the cluster at hand */
    double *score; /* n: J_g^T r_g */
    double *sum;   /* of d_g d_g^T */
    double *spare;
    bool fails; /* a parameter is identified by one cluster alone */
};

static bool make_room(struct jackknife *j, size_t n)
{
    double *room = calloc(5 * n * n + n + 1, sizeof *room);

    *j = (struct jackknife){.n = n, .A = room};
    if (!room)
        return false;
    j->rest = j->A + n * n;
    j->share = j->rest + n * n;
    j->sum = j->share + n * n;
    j->spare = j->sum + n * n;
    j->score = j->spare + n * n;
    return true;
}

/* R^T R of a fold's factor, without its last column. */
static void add_square(const double R[], size_t n, double A[])
{
    for (size_t a = 0; a < n; a++)
        for (size_t b = 0; b < n; b++)
            for (size_t k = 0; k <= (a < b ? a : b); k++)
                A[a * n + b] += R[k * (n + 1) + a] * R[k * (n + 1) + b];
}

/* x <- M^-1 x for a positive definite M, which is used up; false: it is none. */
static bool solve(double M[], size_t n, double x[])
{
    gsl_matrix_view m = gsl_matrix_view_array(M, n, n);
    gsl_vector_view v = gsl_vector_view_array(x, n);

    return gsl_linalg_cholesky_decomp1(&m.matrix) == 0 &&
           gsl_linalg_cholesky_svx(&m.matrix, &v.vector) == 0;
}

/* The cluster at hand is whole. */
static void close_cluster(struct jackknife *j)
{
    size_t n = j->n;

    for (size_t i = 0; i < n * n; i++) {
        j->spare[i] = j->A[i] - j->share[i];
        j->rest[i] -= j->share[i];
    }
    j->fails = j->fails || !solve(j->spare, n, j->score);
    for (size_t a = 0; a < n; a++)
        for (size_t b = 0; b < n; b++)
            j->sum[a * n + b] += j->score[a] * j->score[b];
    j->ncluster++;
    memset(j->share, 0, n * n * sizeof *j->share);
    memset(j->score, 0, n * sizeof *j->score);
}

/* Residuals with their derivatives, by observations: (n + 1) each. */
struct rows {
    size_t n;
    double *A;
};

static void take(void *context, size_t unit, const struct cf_stretch *at)
{
    struct rows *rows = context;
    const struct cf_set *set = &at->problem->set[at->problem->part[at->part].data];

    (void) unit;
    for (size_t i = 0; i < at->count; i++) {
        double *to = &rows->A[(at->first + i) * (rows->n + 1)];
        for (size_t a = 0; a < set->nactive; a++)
            to[set->active[a]] = at->A[(set->nlocal + a) * at->ld + i];
        to[rows->n] = at->A[at->ncolumn * at->ld + i];
    }
}

/* All clusters, whose observations stand behind each other. */
static int leave_out(const struct cf_optimum *optimum, struct jackknife *j, struct cf_error *err)
{
    const struct cf_problem *q = &optimum->problem;
    size_t n = j->n;
    struct rows rows = {n, calloc(q->nobservation * (n + 1) + 1, sizeof *rows.A)};
    int status =
        rows.A ? cf_problem_visit(q, optimum->theta, NULL, CF_WANT_RESIDUALS, take, &rows, err)
               : cf_fail(err, CF_ENOMEM, "no memory for %zu residuals", q->nobservation);

    if (!status) {
        add_square(optimum->fold.R, n, j->A);
        memcpy(j->rest, j->A, n * n * sizeof *j->A);
    }
    for (size_t i = 0; i < q->nobservation && !status; i++) {
        const double *row = &rows.A[i * (n + 1)];
        if (!cluster_of(q, q->observation[i].data))
            continue;
        for (size_t a = 0; a < n; a++) {
            j->score[a] += row[a] * row[n];
            for (size_t b = 0; b < n; b++)
                j->share[a * n + b] += row[a] * row[b];
        }
        if (i + 1 == q->nobservation || !cf_cluster_links(q, i + 1))
            close_cluster(j);
    }
    free(rows.A);
    return status;
}

/* The covariance into j->sum; false: there is none. A^-1 P A^-1 by columns. */
static bool finish(struct jackknife *j)
{
    size_t n = j->n;
    double G = (double) j->ncluster;

    if (j->fails || j->ncluster <= n)
        return false;
    for (size_t i = 0; i < n * n; i++)
        j->sum[i] *= (G - 1) / G;
    for (int side = 0; side < 2; side++)
        for (size_t b = 0; b < n; b++) { /* rows of P A^-1, then of its transpose's */
            double *row = &j->rest[b * n];
            memcpy(j->spare, j->A, n * n * sizeof *j->A);
            if (!solve(j->spare, n, row))
                return false;
            if (b + 1 < n)
                continue;
            for (size_t a = 0; a < n; a++)
                for (size_t c = a + 1; c < n; c++) {
                    double kept = j->rest[a * n + c];
                    j->rest[a * n + c] = j->rest[c * n + a];
                    j->rest[c * n + a] = kept;
                }
        }
    for (size_t i = 0; i < n * n; i++)
        j->sum[i] += j->rest[i];
    return true;
}

/* C as a rank: of the R with R^T R = C^-1. *found is false where C is singular. */
static int put(struct jackknife *j, struct cf_rank *spread, bool *found, struct cf_error *err)
{
    size_t n = j->n;
    double *L = j->sum;
    gsl_matrix_view C = gsl_matrix_view_array(L, n, n);

    *found = gsl_linalg_cholesky_decomp1(&C.matrix) == 0 &&
             gsl_linalg_cholesky_invert(&C.matrix) == 0 &&
             gsl_linalg_cholesky_decomp1(&C.matrix) == 0; /* C^-1 = L L^T, R = L^T */
    if (!*found)
        return CF_OK;
    for (size_t a = 0; a < n; a++)
        for (size_t b = 0; b < n; b++)
            j->spare[a * n + b] = b < a ? 0 : L[b * n + a];
    return cf_rank_analyse(j->spare, n, n, n, NULL, cf_rank_noise, spread, err);
}

int cf_cluster_covariance(struct cf_optimum *optimum, struct cf_error *err)
{
    const struct cf_problem *q = &optimum->problem;
    struct jackknife j;
    bool found = false;
    int status = CF_OK;

    optimum->ncluster = 0;
    cf_rank_clear(&optimum->spread);
    if (!cf_is_clustered(q) || optimum->rank.rank < q->nfree || !q->nfree)
        return CF_OK;
    if (!make_room(&j, q->nfree))
        return cf_fail(err, CF_ENOMEM, "no memory for the covariance of %zu unknowns", q->nfree);
    status = leave_out(optimum, &j, err);
    if (!status && finish(&j))
        status = put(&j, &optimum->spread, &found, err);
    if (found && !status)
        optimum->ncluster = j.ncluster;
    free(j.A);
    return status;
}

const struct cf_rank *cf_optimum_spread(const struct cf_optimum *optimum)
{
    return optimum->ncluster ? &optimum->spread : &optimum->rank;
}
