#include "estimate/rank.h"

#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdlib.h>

/* Derivatives of the curves are right to 1e-9; singular values below ten times that are noise. */
const double cf_rank_noise = 1e-8;

/* Components of a null vector below this count as 0. */
static const double share_threshold = 1e-4;

struct rank_work {
    gsl_matrix *U, *V;
    gsl_vector *S;
};

static void work_free(struct rank_work *w)
{
    gsl_matrix_free(w->U);
    gsl_matrix_free(w->V);
    gsl_vector_free(w->S);
}

static bool work_alloc(struct rank_work *w, size_t m, size_t n)
{
    size_t rows = m > n ? m : n; /* GSL wants no more columns than rows: pad with zeros */
    w->U = gsl_matrix_calloc(rows, n);
    w->V = gsl_matrix_alloc(n, n);
    w->S = gsl_vector_alloc(n);
    return w->U && w->V && w->S;
}

void cf_rank_clear(struct cf_rank *rank)
{
    free(rank->room);
    *rank = (struct cf_rank){0};
}

static bool rank_alloc(struct cf_rank *out, size_t n)
{
    double *x;

    *out = (struct cf_rank){.n = n};
    out->room = calloc(1, (n * (2 + 3 * n) + 1) * sizeof *x + 2 * (n + 1) * sizeof(bool));
    x = out->room;
    if (!x)
        return false;
    out->norm = x;
    out->singular = out->norm + n;
    out->direction = out->singular + n;
    out->root = out->direction + n * n;
    out->covariance = out->root + n * n;
    out->dead = (bool *) (out->covariance + n * n);
    out->flat = out->dead + n;
    return true;
}

static void scale_columns(const double J[], size_t m, size_t ld, const double norm[],
                          struct cf_rank *out, gsl_matrix *U)
{
    for (size_t j = 0; j < out->n; j++) {
        double sum = 0;
        for (size_t i = 0; i < m && !norm; i++)
            sum = hypot(sum, J[i * ld + j]);
        out->norm[j] = norm ? norm[j] : sum;
        out->dead[j] = !(out->norm[j] > 0);
        for (size_t i = 0; i < m && !out->dead[j]; i++)
            gsl_matrix_set(U, i, j, J[i * ld + j] / out->norm[j]);
    }
}

/* Which of a null vector's parameters does it tie together? In the scaled space it is one of
 * unit length; a dead column alone makes one, which is no tie. */
static void note_null(const gsl_matrix *V, size_t j, struct cf_rank *out)
{
    double *d = &out->direction[out->nnull * out->n], length = 0;
    bool live = false;

    for (size_t i = 0; i < out->n; i++) {
        double v = gsl_matrix_get(V, i, j);
        bool takes_part = !out->dead[i] && fabs(v) > share_threshold;
        d[i] = takes_part ? v / out->norm[i] : 0;
        length = hypot(length, d[i]);
        live = live || takes_part;
        out->flat[i] = out->flat[i] || takes_part;
    }
    if (!live)
        return;
    for (size_t i = 0; i < out->n; i++)
        d[i] /= length;
    out->nnull++;
}

static void covariance(const struct rank_work *w, struct cf_rank *out)
{
    size_t n = out->n, rank = out->rank;

    for (size_t a = 0; a < n; a++)
        for (size_t j = 0; j < rank && !out->dead[a]; j++)
            out->root[a * rank + j] =
                gsl_matrix_get(w->V, a, j) / (out->singular[j] * out->norm[a]);
    for (size_t a = 0; a < n; a++)
        for (size_t b = 0; b < n; b++) {
            double sum = 0;
            for (size_t j = 0; j < rank; j++)
                sum += out->root[a * rank + j] * out->root[b * rank + j];
            out->covariance[a * n + b] = sum;
        }
}

int cf_rank_analyse(const double J[], size_t m, size_t n, size_t ld, const double norm[],
                    double noise, struct cf_rank *out, struct cf_error *err)
{
    struct rank_work w = {0};
    int status = CF_OK;

    if (!rank_alloc(out, n))
        return cf_fail(err, CF_ENOMEM, "no memory for a %zu by %zu Jacobian", m, n);
    if (n == 0)
        return CF_OK;
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < n; j++)
            if (!isfinite(J[i * ld + j]))
                return cf_fail(err, CF_ESOLVE, "a derivative is not finite");
    if (!work_alloc(&w, m, n)) {
        work_free(&w);
        return cf_fail(err, CF_ENOMEM, "no memory for a %zu by %zu Jacobian", m, n);
    }
    scale_columns(J, m, ld, norm, out, w.U);
    /* by Jacobi's rotations: GSL's other decompositions allocate, and do not look whether they
     * could */
    if (gsl_linalg_SV_decomp_jacobi(w.U, w.V, w.S)) {
        status = cf_fail(err, CF_ESOLVE, "the singular values of the Jacobian were not found");
    } else {
        for (size_t j = 0; j < n; j++) {
            out->singular[j] = gsl_vector_get(w.S, j);
            out->rank += out->singular[j] > noise * fmax(out->singular[0], 1);
        }
        for (size_t j = out->rank; j < n; j++)
            note_null(w.V, j, out);
        covariance(&w, out);
    }
    work_free(&w);
    return status;
}

int cf_rank_fold(const struct cf_fold *fold, const bool held[], struct cf_rank *out,
                 struct cf_error *err)
{
    size_t n = fold->n, count = 0;
    double *R = malloc((n * n + n + 1) * sizeof *R), *norm = R + n * n;
    int status;

    if (!R) {
        *out = (struct cf_rank){0};
        return cf_fail(err, CF_ENOMEM, "no memory for a %zu by %zu factor", n, n);
    }
    for (size_t j = 0; j < n; j++) { /* the columns that are not held, side by side */
        if (held && held[j])
            continue;
        for (size_t i = 0; i < n; i++)
            R[i * n + count] = fold->R[i * (n + 1) + j];
        norm[count++] = fold->norm[j];
    }
    status = cf_rank_analyse(R, n, count, n, norm, cf_rank_noise, out, err);
    free(R);
    return status;
}

/* Does the cost fall on beyond the bound at which unknown j is? */
static bool is_kept(const struct cf_problem *problem, const double theta[],
                    const struct cf_fold *fold, size_t j)
{
    size_t all = fold->n + 1;
    double slope = 0;

    for (size_t i = 0; i <= j; i++)
        slope += fold->R[i * all + j] * fold->R[i * all + fold->n];
    return cf_unknown_at_bound(&problem->unknown[j], theta[j]) * slope < 0;
}

int cf_rank_within_bounds(const struct cf_problem *problem, const double theta[],
                          const struct cf_fold *fold, struct cf_rank *out, struct cf_error *err)
{
    size_t n = fold->n;
    double *R = calloc(n * n + n + 1, sizeof *R), *norm = R + n * n;
    int status;

    if (!R) {
        *out = (struct cf_rank){0};
        return cf_fail(err, CF_ENOMEM, "no memory for a %zu by %zu factor", n, n);
    }
    for (size_t j = 0; j < n; j++) {
        if (is_kept(problem, theta, fold, j))
            continue;
        norm[j] = fold->norm[j];
        for (size_t i = 0; i < n; i++)
            R[i * n + j] = fold->R[i * (n + 1) + j];
    }
    status = cf_rank_analyse(R, n, n, n, norm, cf_rank_noise, out, err);
    free(R);
    return status;
}

int cf_rank_problem(const struct cf_problem *problem, const double theta[], const bool held[],
                    struct cf_rank *out, struct cf_error *err)
{
    struct cf_fold fold;
    int status = cf_fold_alloc(&fold, problem, err);

    *out = (struct cf_rank){0};
    if (!status)
        status = cf_problem_fold(problem, theta, &fold, err);
    if (!status)
        status = cf_rank_fold(&fold, held, out, err);
    cf_fold_clear(&fold);
    return status;
}

bool cf_rank_identifies(const struct cf_rank *rank, size_t i)
{
    return !rank->dead[i] && !rank->flat[i];
}

double cf_linear_variance(const struct cf_rank *rank, const double g[])
{
    double sum = 0;
    for (size_t a = 0; a < rank->n; a++)
        for (size_t b = 0; b < rank->n; b++)
            sum += g[a] * rank->covariance[a * rank->n + b] * g[b];
    return sum;
}

double cf_rank_variance(const struct cf_rank *rank, size_t i)
{
    return rank->covariance[i * rank->n + i];
}
