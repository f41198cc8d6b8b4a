/* Least squares with a split unknown: by one triangle, or data set by data set. */

#include <gsl/gsl_blas.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_math.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/split_work.h"
#include "estimate/triangle.h"
#include "estimate/whiten.h"

const double cf_split_least = 1e-6;

double *cf_split_column(const struct cf_linear *l, size_t j)
{
    return &l->X[j * l->n];
}

int cf_split_room(struct cf_linear *l, size_t columns, struct cf_error *err)
{
    double *X;

    if (columns <= l->room)
        return CF_OK;
    X = realloc(l->X, (l->n * columns + 1) * sizeof *X);
    if (!X)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu columns of %zu observations", columns,
                       l->n);
    l->X = X;
    l->room = columns;
    return CF_OK;
}

void cf_split_priors(const struct cf_linear *l, size_t split, double R[], size_t m, double row[])
{
    const struct cf_optimum *o = l->optimum;
    size_t to = 0;

    for (size_t j = 0; j < l->p; j++) {
        const struct cf_unknown *u = &l->problem.unknown[j];
        if (l->held[j] || j == split)
            continue;
        if (u->has_prior) {
            memset(row, 0, m * sizeof *row);
            row[to] = 1 / u->prior_sigma;
            row[m - 1] = (u->prior - o->theta[j]) / u->prior_sigma;
            cf_triangle_add(R, m, row, 1, 1);
        }
        to++;
    }
}

/* The columns of R at the size of 1: unit[p] is what they were divided by. */
static bool scale(const double R[], size_t p, const double norm[], gsl_matrix *U, gsl_vector *unit)
{
    for (size_t j = 0; j < p; j++) {
        gsl_vector_view x = gsl_matrix_column(U, j);
        for (size_t i = 0; i < p; i++)
            gsl_matrix_set(U, i, j, R[i * (p + 1) + j]);
        gsl_vector_set(unit, j, norm ? norm[j] : gsl_blas_dnrm2(&x.vector));
        if (!(gsl_vector_get(unit, j) > 0))
            return false;
        gsl_vector_scale(&x.vector, 1 / gsl_vector_get(unit, j));
    }
    return true;
}

/* Places of a solution of p unknowns; one more, so that none is empty. */
struct solution {
    gsl_matrix *U, *V;
    gsl_vector *S, *unit;
};

static int solution_make(struct solution *x, size_t p, struct cf_error *err)
{
    *x = (struct solution){gsl_matrix_alloc(p + 1, p + 1), gsl_matrix_alloc(p + 1, p + 1),
                           gsl_vector_alloc(p + 1), gsl_vector_alloc(p + 1)};
    return x->U && x->V && x->S && x->unit
               ? CF_OK
               : cf_fail(err, CF_ENOMEM, "no memory for the least squares of %zu unknowns", p);
}

static void solution_free(struct solution *x)
{
    gsl_matrix_free(x->U);
    gsl_matrix_free(x->V);
    gsl_vector_free(x->S);
    gsl_vector_free(x->unit);
}

/* R = U S V' unit. False: some column is not identified. */
static bool decompose(struct solution *x, const double R[], size_t p, const double norm[])
{
    gsl_matrix_view u = gsl_matrix_submatrix(x->U, 0, 0, p, p);
    gsl_matrix_view v = gsl_matrix_submatrix(x->V, 0, 0, p, p);
    gsl_vector_view s = gsl_vector_subvector(x->S, 0, p);

    return scale(R, p, norm, &u.matrix, x->unit) &&
           !gsl_linalg_SV_decomp_jacobi(&u.matrix, &v.matrix, &s.vector) &&
           gsl_vector_get(x->S, p - 1) > cf_split_least * gsl_vector_get(x->S, 0);
}

int cf_split_solve(const double R[], size_t p, const double norm[], double step[],
                   double variance[], double *fall, bool *solved, struct cf_error *err)
{
    struct solution x;
    int status = solution_make(&x, p, err);

    *fall = 0;
    memset(step, 0, p * sizeof *step);
    memset(variance, 0, p * sizeof *variance);
    *solved = !status && (p == 0 || decompose(&x, R, p, norm));
    for (size_t s = 0; s < p && *solved; s++) {
        double along = 0;
        for (size_t i = 0; i < p; i++)
            along += gsl_matrix_get(x.U, i, s) * R[i * (p + 1) + p];
        *fall += along * along;
        for (size_t k = 0; k < p; k++) {
            double share = gsl_matrix_get(x.V, k, s) /
                           (gsl_vector_get(x.S, s) * gsl_vector_get(x.unit, k));
            step[k] += share * along;
            variance[k] += share * share;
        }
    }
    solution_free(&x);
    return status;
}

/* ---- data sets one by one */

/* The split unknown, the other ones, the residuals: whitened columns of all observations. */
static int whiten(struct cf_linear *l, size_t unknown, size_t columns, struct cf_error *err)
{
    size_t to = 0;
    int status = cf_split_room(l, columns, err);

    if (status)
        return status;
    memcpy(cf_split_column(l, to++), &l->J[unknown * l->n], l->n * sizeof *l->J);
    for (size_t j = 0; j < l->p; j++)
        if (!l->held[j] && j != unknown)
            memcpy(cf_split_column(l, to++), &l->J[j * l->n], l->n * sizeof *l->J);
    memcpy(cf_split_column(l, to), l->r, l->n * sizeof *l->r);
    return cf_whiten(&l->problem, l->X, columns, l->n, NULL, err);
}

/* Places for one data set, of m = others + 1 columns without its own, and what all come to. */
struct apart {
    size_t m;
    double *own;    /* (m + 1)^2: triangle of a data set, its own unknown first */
    double *rest;   /* m^2: the same without that */
    double *work;   /* m^2 */
    double *all;    /* m^2: of all data sets */
    double *norm;   /* m: sizes of the columns, squared while they are summed */
    double *step;   /* m: of the other unknowns */
    double *spread; /* m */
    double *first;  /* (m + 1) for each part: the row that its own unknown leaves */
};

static int apart_make(struct apart *a, size_t m, size_t n, struct cf_error *err)
{
    *a = (struct apart){.m = m};
    a->own = calloc((m + 1) * (m + 1) + 3 * m * m + 3 * m + n * (m + 1) + 1, sizeof *a->own);
    if (!a->own)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu data sets", n);
    a->rest = a->own + (m + 1) * (m + 1);
    a->work = a->rest + m * m;
    a->all = a->work + m * m;
    a->norm = a->all + m * m;
    a->step = a->norm + m;
    a->spread = a->step + m;
    a->first = a->spread + m;
    return CF_OK;
}

/* The triangle of observations from..to, whose own unknown leaves first[m + 1]; where that is NULL
 * they have none. */
static void take_data(const struct cf_linear *l, struct apart *a, size_t from, size_t to,
                      double first[])
{
    size_t m = a->m;

    if (!first) {
        cf_triangle_add(a->all, m, cf_split_column(l, 1) + from, to - from, l->n);
        return;
    }
    memset(a->own, 0, (m + 1) * (m + 1) * sizeof *a->own);
    cf_triangle_add(a->own, m + 1, cf_split_column(l, 0) + from, to - from, l->n);
    memcpy(first, a->own, (m + 1) * sizeof *first);
    for (size_t i = 0; i < m; i++)
        memcpy(&a->rest[i * m], &a->own[(i + 1) * (m + 1) + 1], m * sizeof *a->rest);
    cf_triangle_merge(a->all, m, a->rest, a->work);
    for (size_t j = 0; j + 1 < m; j++)
        a->norm[j] += gsl_pow_2(first[j + 1]);
}

/* Of all data sets in turn; those of part[n], ascending, have the unknown for themselves. */
static void take_all(const struct cf_linear *l, struct apart *a, size_t n,
                     const struct cf_split_part part[])
{
    const struct cf_observation *o = l->problem.observation;
    size_t k = 0;

    for (size_t from = 0, to; from < l->n; from = to) {
        for (to = from + 1; to < l->n && o[to].data == o[from].data;)
            to++;
        while (k < n && part[k].source < o[from].data)
            k++;
        take_data(l, a, from, to,
                  k < n && part[k].source == o[from].data ? &a->first[k * (a->m + 1)] : NULL);
    }
}

/* What the errors of the other unknowns add to b' (their step): |z|^2 with T' z = b. */
static double carried(const struct apart *a, const double b[], double z[])
{
    double sum = 0;

    for (size_t j = 0; j + 1 < a->m; j++) {
        z[j] = b[j];
        for (size_t i = 0; i < j; i++)
            z[j] -= a->all[i * a->m + j] * z[i];
        z[j] /= a->all[j * a->m + j];
        sum += z[j] * z[j];
    }
    return sum;
}

/* The others' step, then that of each part: *solved is false where they do not identify it. */
static int substitute(struct apart *a, size_t n, double step[], double variance[], double *fall,
                      bool *solved, struct cf_error *err)
{
    size_t m = a->m, p = m - 1;
    int status;

    for (size_t j = 0; j < p; j++) {
        for (size_t i = 0; i <= j; i++)
            a->norm[j] += gsl_pow_2(a->all[i * m + j]);
        a->norm[j] = sqrt(a->norm[j]);
    }
    status = cf_split_solve(a->all, p, a->norm, a->step, a->spread, fall, solved, err);
    for (size_t k = 0; k < n && *solved; k++) {
        const double *first = &a->first[k * (m + 1)];
        double right = first[m];
        *solved = first[0] != 0;
        *fall += gsl_pow_2(first[m]);
        for (size_t j = 0; j < p; j++)
            right -= first[j + 1] * a->step[j];
        step[k] = right / first[0];
        variance[k] = (1 + carried(a, first + 1, a->spread)) / gsl_pow_2(first[0]);
    }
    return status;
}

int cf_split_apart(struct cf_linear *linear, size_t unknown, size_t n,
                   const struct cf_split_part part[], double step[], double variance[],
                   double *fall, bool *solved, struct cf_error *err)
{
    size_t m = 1;
    struct apart a;
    int status;

    for (size_t j = 0; j < linear->p; j++)
        m += !linear->held[j] && j != unknown;
    status = apart_make(&a, m, n, err);
    *solved = false;
    if (!status)
        status = whiten(linear, unknown, m + 1, err);
    if (!status) {
        take_all(linear, &a, n, part);
        cf_split_priors(linear, unknown, a.all, m, a.step);
        status = substitute(&a, n, step, variance, fall, solved, err);
    }
    free(a.own);
    return status;
}
