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
    gsl_vector *S, *spare;
};

static void work_free(struct rank_work *w)
{
    gsl_matrix_free(w->U);
    gsl_matrix_free(w->V);
    gsl_vector_free(w->S);
    gsl_vector_free(w->spare);
}

static bool work_alloc(struct rank_work *w, size_t m, size_t n)
{
    size_t rows = m > n ? m : n; /* GSL wants no more columns than rows: pad with zeros */
    w->U = gsl_matrix_calloc(rows, n);
    w->V = gsl_matrix_alloc(n, n);
    w->S = gsl_vector_alloc(n);
    w->spare = gsl_vector_alloc(n);
    return w->U && w->V && w->S && w->spare;
}

static void scale_columns(const double J[], size_t m, size_t n, struct cf_rank *out, gsl_matrix *U)
{
    for (size_t j = 0; j < n; j++) {
        double sum = 0;
        for (size_t i = 0; i < m; i++)
            sum = hypot(sum, J[i * n + j]);
        out->norm[j] = sum;
        out->dead[j] = !(sum > 0);
        for (size_t i = 0; i < m && !out->dead[j]; i++)
            gsl_matrix_set(U, i, j, J[i * n + j] / sum);
    }
}

/* Which of a null vector's parameters does it tie together? In the scaled space it is one of
 * unit length; a dead column alone makes one, which is no tie. */
static void note_null(const gsl_matrix *V, size_t j, struct cf_rank *out)
{
    double *d = out->direction[out->nnull], length = 0;
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
    for (size_t a = 0; a < out->n; a++)
        for (size_t b = 0; b < out->n; b++) {
            double sum = 0;
            for (size_t j = 0; j < out->rank; j++)
                sum += gsl_matrix_get(w->V, a, j) * gsl_matrix_get(w->V, b, j) /
                       (out->singular[j] * out->singular[j]);
            out->covariance[a][b] =
                out->dead[a] || out->dead[b] ? 0 : sum / (out->norm[a] * out->norm[b]);
        }
}

static void leverages(const struct rank_work *w, size_t m, size_t rank, double hat[])
{
    for (size_t i = 0; i < m; i++) {
        hat[i] = 0;
        for (size_t j = 0; j < rank; j++) {
            double u = gsl_matrix_get(w->U, i, j);
            hat[i] += u * u;
        }
    }
}

int cf_rank_analyse(const double J[], size_t m, size_t n, double noise, struct cf_rank *out,
                    double hat[], struct cf_error *err)
{
    struct rank_work w = {0};
    int status = CF_OK;

    *out = (struct cf_rank){.n = n};
    if (n == 0)
        return CF_OK;
    for (size_t i = 0; i < m * n; i++)
        if (!isfinite(J[i]))
            return cf_fail(err, CF_ESOLVE, "a derivative is not finite");
    if (!work_alloc(&w, m, n)) {
        work_free(&w);
        return cf_fail(err, CF_ENOMEM, "no memory for a %zu by %zu Jacobian", m, n);
    }
    scale_columns(J, m, n, out, w.U);
    if (gsl_linalg_SV_decomp(w.U, w.V, w.S, w.spare)) {
        status = cf_fail(err, CF_ESOLVE, "the singular values of the Jacobian were not found");
    } else {
        for (size_t j = 0; j < n; j++) {
            out->singular[j] = gsl_vector_get(w.S, j);
            out->rank += out->singular[j] > noise * out->singular[0];
        }
        for (size_t j = out->rank; j < n; j++)
            note_null(w.V, j, out);
        covariance(&w, out);
        if (hat)
            leverages(&w, m, out->rank, hat);
    }
    work_free(&w);
    return status;
}

int cf_rank_problem(const struct cf_problem *problem, const double theta[], const bool held[],
                    struct cf_rank *out, struct cf_error *err)
{
    size_t m = problem->nresidual, n = problem->nfree, count = 0;
    double *r = calloc(m * (n + 1) + 1, sizeof *r), *J = r + m;
    int status = r ? cf_problem_residuals(problem, theta, r, J, err)
                   : cf_fail(err, CF_ENOMEM, "no memory for %zu residuals", m);

    /* close up over the columns that are held, in place */
    for (size_t i = 0; i < m && !status; i++)
        for (size_t j = 0; j < n; j++)
            if (!held || !held[j])
                J[count++] = J[i * n + j];
    if (!status)
        status = cf_rank_analyse(J, m, m ? count / m : 0, cf_rank_noise, out, NULL, err);
    free(r);
    return status;
}

double cf_linear_variance(const struct cf_rank *rank, const double g[])
{
    double sum = 0;
    for (size_t a = 0; a < rank->n; a++)
        for (size_t b = 0; b < rank->n; b++)
            sum += g[a] * rank->covariance[a][b] * g[b];
    return sum;
}
