#include "estimate/serial_regression.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_eigen.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_math.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/serial_search.h"
#include "estimate/triangle.h"

/* A column of which others leave less than this share of its length carries no information of its
 * own. */
static const double least_rest = 1e-3;

/* Numbers beside many columns are looked for from those without, which are near: until -2 ln L_R
 * falls by less than a tenth of a standard error, within so many evaluations. */
static const double refine_fall = 1e-2;
enum { MOST_REFINE = 80 };

/* Slopes by the numbers are from differences of so much. Fewer degrees of freedom make no quantile
 * that could be used. */
static const double difference = 0.01, least_dof = 0.5;

void cf_serial_regression_clear(struct cf_serial_regression *regression)
{
    free(regression->model.partial);
    free(regression->number);
    *regression = (struct cf_serial_regression){0};
}

static double dot(size_t n, const double a[], const double b[])
{
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

/* Make columns orthonormal, one after the other, in place; the last, the response, orthogonal to
 * them. Returns how many are left, of which *nbefore were among the first *nbefore. */
static size_t orthogonalise(size_t n, size_t m, double a[], size_t *nbefore)
{
    size_t kept = 0, before = 0;

    for (size_t j = 0; j < m; j++) {
        double *here = &a[j * n], length = sqrt(dot(n, here, here)), rest;
        for (int pass = 0; pass < 2; pass++) /* the second takes what rounding left */
            for (size_t k = 0; k < kept; k++) {
                double c = dot(n, &a[k * n], here);
                for (size_t i = 0; i < n; i++)
                    here[i] -= c * a[k * n + i];
            }
        rest = sqrt(dot(n, here, here));
        if (j + 1 < m && !(rest > least_rest * length))
            continue;
        for (size_t i = 0; i < n; i++)
            a[kept * n + i] = j + 1 < m ? here[i] / rest : here[i];
        kept++;
        before += j < *nbefore;
    }
    *nbefore = before;
    return kept;
}

static void put_model(struct cf_serial_model *to, const struct cf_serial_model *from)
{
    memcpy(to->partial, from->partial, from->order * sizeof *to->partial);
    to->kind = from->kind;
    to->order = from->order;
    to->share = from->share;
}

/* The model of what the columns leave, by itself. */
static int find_kind(struct cf_serial_search *s, const double residual[],
                     struct cf_serial_model *model, struct cf_error *err)
{
    double cost;
    int status = cf_serial_search_room(s, err);

    if (!status) {
        memcpy(s->rows, residual, s->n * sizeof *residual);
        status = cf_serial_find(s, model, &cost);
    }
    cf_serial_search_clear(s);
    return status;
}

/* Its numbers beside the columns, which take some of the errors with them. */
static int find_numbers(struct cf_serial_search *s, const double column[],
                        struct cf_serial_regression *out, struct cf_error *err)
{
    double cost;
    int status = cf_serial_search_room(s, err);

    if (!status) {
        memcpy(s->rows, column, s->n * s->m * sizeof *column);
        put_model(&s->model, &out->model);
        s->fall = refine_fall;
        s->most_evaluations = MOST_REFINE;
        if (s->model.kind != CF_SERIAL_WHITE && s->model.order <= CF_MOST_REFINED)
            status = cf_serial_refine(s, &cost);
    }
    if (!status) {
        cf_serial_cost(s, &s->model);
        put_model(&out->model, &s->model);
        out->dof = fmax((double) s->n - (double) (s->m - 1), 1);
        out->variance = gsl_pow_2(s->own[s->m * s->m - 1]) / out->dof;
        status = s->status;
    }
    cf_serial_search_clear(s);
    return status;
}

/* How well they are known: as if the columns took nothing, which changes little. */
static int find_spread(struct cf_serial_search *s, const double residual[],
                       struct cf_serial_regression *out, struct cf_error *err)
{
    size_t n = cf_serial_parameters(&out->model);
    int status;

    if (n == 0 || n > CF_MOST_REFINED)
        return CF_OK;
    out->number = calloc(n + n * n, sizeof *out->number);
    if (!out->number)
        return cf_fail(err, CF_ENOMEM, "no memory for a regression of %zu rows", s->n);
    out->spread = out->number + n;
    status = cf_serial_search_room(s, err);
    if (!status) {
        memcpy(s->rows, residual, s->n * sizeof *residual);
        put_model(&s->model, &out->model);
        cf_serial_numbers(&out->model, out->number);
        status = cf_serial_spread(s, out->spread);
    }
    cf_serial_search_clear(s);
    return status;
}

int cf_serial_regress(size_t n, const uint32_t place[], size_t m, const double column[],
                      size_t most, struct cf_serial_regression *out, struct cf_error *err)
{
    struct cf_serial_search alone = {
        .estimated = true, .n = n, .most = most, .place = place, .m = 1};
    struct cf_serial_search beside = alone, again = alone;
    double *room = malloc((n * m + 1) * sizeof *room);
    size_t none = 0;
    int status;

    *out = (struct cf_serial_regression){.n = n, .place = place};
    out->model.partial = calloc(most + 1, sizeof *out->model.partial);
    if (!room || !out->model.partial) {
        free(room);
        return cf_fail(err, CF_ENOMEM, "no memory for a regression of %zu rows", n);
    }
    memcpy(room, column, n * m * sizeof *room);
    beside.m = orthogonalise(n, m, room, &none);
    status = find_kind(&alone, &room[(beside.m - 1) * n], &out->model, err);
    if (!status)
        status = find_numbers(&beside, room, out, err);
    if (!status)
        status = find_spread(&again, &room[(beside.m - 1) * n], out, err);
    free(room);
    return status;
}

/* ---- what columns add */

/* Orthonormal columns, of which some come first, and the response, under the model. */
struct whitened {
    const struct cf_serial_regression *regression;
    size_t n, m, before, own; /* rows; all columns; those before, those that are added */
    double *column;           /* n * m */
    double *room;             /* n * m */
    double *R;                /* m * m: the triangle of columns whose errors are independent */
    size_t *at;               /* 0 to n - 1 */
};

static int whiten(struct whitened *w, const struct cf_serial_model *model, struct cf_error *err)
{
    struct cf_serial_filter filter;
    int status = cf_serial_filter_make(model, w->n, w->regression->place, &filter, err);

    if (status)
        return status;
    memcpy(w->room, w->column, w->n * w->m * sizeof *w->room);
    for (size_t j = 0; j < w->m; j++)
        cf_serial_filter_apply(&filter, w->at, &w->room[j * w->n]);
    memset(w->R, 0, w->m * w->m * sizeof *w->R);
    cf_triangle_add(w->R, w->m, w->room, w->n, w->n);
    cf_serial_filter_clear(&filter);
    return CF_OK;
}

/* The covariance of what is added, up to sigma^2: (T^T T)^-1 of its triangle T. */
static int covariance(const struct whitened *w, gsl_matrix *C, struct cf_error *err)
{
    size_t m = w->m, k = w->own, b = w->before;
    gsl_matrix *T = gsl_matrix_calloc(k, k);

    if (!T)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu columns", k);
    for (size_t i = 0; i < k; i++)
        for (size_t j = i; j < k; j++)
            gsl_matrix_set(T, i, j, w->R[(b + i) * m + b + j]);
    gsl_linalg_tri_upper_invert(T);
    gsl_blas_dgemm(CblasNoTrans, CblasTrans, 1, T, T, 0, C);
    gsl_matrix_free(T);
    return CF_OK;
}

/* Sum of the squares that are added, in the direction of which each row of the triangle is. */
static double added(const struct whitened *w)
{
    double sum = 0;

    for (size_t k = w->before; k < w->before + w->own; k++)
        sum += gsl_pow_2(w->R[k * w->m + w->m - 1]);
    return sum;
}

/* What the logarithm of the variance of each direction, along the axes P of C, gains with each
 * number: slope[own * nnumber]. The variance of the errors goes with the numbers, too. */
static int slopes(struct whitened *w, const gsl_matrix *P, const gsl_vector *size, double slope[],
                  struct cf_error *err)
{
    const struct cf_serial_regression *g = w->regression;
    size_t n = cf_serial_parameters(&g->model), k = w->own;
    struct cf_serial_model moved = g->model;
    double *x = calloc(n + g->model.order + 1, sizeof *x), left;
    gsl_matrix *C = gsl_matrix_alloc(k, k);
    int status = x && C ? CF_OK : cf_fail(err, CF_ENOMEM, "no memory for %zu columns", k);

    moved.partial = x + n;
    left = gsl_pow_2(w->R[w->m * w->m - 1]);
    for (size_t j = 0; j < n && !status; j++) {
        memcpy(x, g->number, n * sizeof *x);
        x[j] += difference;
        cf_serial_put_numbers(&moved, x);
        status = whiten(w, &moved, err);
        if (!status)
            status = covariance(w, C, err);
        for (size_t i = 0; i < k && !status; i++) {
            gsl_vector_const_view p = gsl_matrix_const_column(P, i);
            double along = 0;
            for (size_t a = 0; a < k; a++)
                for (size_t b = 0; b < k; b++)
                    along += gsl_vector_get(&p.vector, a) * gsl_matrix_get(C, a, b) *
                             gsl_vector_get(&p.vector, b);
            slope[i * n + j] =
                log(along / gsl_vector_get(size, i) * gsl_pow_2(w->R[w->m * w->m - 1]) / left) /
                difference;
        }
    }
    gsl_matrix_free(C);
    free(x);
    return status;
}

/* Degrees of freedom of F, from those of each direction. */
static double combine(const struct whitened *w, const double slope[])
{
    const struct cf_serial_regression *g = w->regression;
    size_t n = cf_serial_parameters(&g->model);
    double expected = 0, k = (double) w->own;

    for (size_t i = 0; i < w->own; i++) {
        double spread = 2 / g->dof, dof;
        for (size_t a = 0; a < n; a++)
            for (size_t b = 0; b < n; b++)
                spread += slope[i * n + a] * slope[i * n + b] * g->spread[a * n + b];
        dof = 2 / spread;
        if (w->own == 1)
            return fmax(dof, least_dof);
        expected += dof > 2 ? dof / (dof - 2) : 0;
    }
    return expected > k ? fmax(2 * expected / (expected - k), least_dof) : least_dof;
}

static int freedom(struct whitened *w, double *dof, struct cf_error *err)
{
    const struct cf_serial_regression *g = w->regression;
    size_t k = w->own, n = cf_serial_parameters(&g->model);
    gsl_matrix *C = gsl_matrix_alloc(k, k), *P = gsl_matrix_alloc(k, k);
    gsl_vector *size = gsl_vector_alloc(k);
    gsl_eigen_symmv_workspace *work = gsl_eigen_symmv_alloc(k);
    double *slope = calloc(k * n + 1, sizeof *slope);
    int status = C && P && size && work && slope
                     ? covariance(w, C, err)
                     : cf_fail(err, CF_ENOMEM, "no memory for %zu columns", k);

    if (!status) {
        gsl_eigen_symmv(C, size, P, work);
        status = slopes(w, P, size, slope, err);
    }
    if (!status)
        *dof = combine(w, slope);
    gsl_matrix_free(C);
    gsl_matrix_free(P);
    gsl_vector_free(size);
    gsl_eigen_symmv_free(work);
    free(slope);
    return status;
}

/* Columns as they are tested: orthonormal, but for the response, which keeps what it has of them.
 */
static int whitened_make(const struct cf_serial_regression *g, size_t m, size_t nbefore,
                         const double column[], struct whitened *w, double *share,
                         struct cf_error *err)
{
    size_t n = g->n;
    double explained = 0, left;

    *w = (struct whitened){.regression = g, .n = n, .before = nbefore};
    w->column = malloc((2 * n * m + m * m + 1) * sizeof *w->column);
    w->at = malloc((n + 1) * sizeof *w->at);
    if (!w->column || !w->at)
        return cf_fail(err, CF_ENOMEM, "no memory for a regression of %zu rows", n);
    w->room = w->column + n * m;
    w->R = w->room + n * m;
    for (size_t i = 0; i < n; i++)
        w->at[i] = i;
    memcpy(w->column, column, n * m * sizeof *column);
    w->m = orthogonalise(n, m, w->column, &w->before);
    w->own = w->m - 1 - w->before;
    left = dot(n, &w->column[(w->m - 1) * n], &w->column[(w->m - 1) * n]);
    for (size_t k = w->before; k + 1 < w->m; k++)
        explained += gsl_pow_2(dot(n, &w->column[k * n], &column[(m - 1) * n]));
    *share = explained + left > 0 ? explained / (explained + left) : 0;
    memcpy(&w->column[(w->m - 1) * n], &column[(m - 1) * n], n * sizeof *column);
    return CF_OK;
}

int cf_serial_add(const struct cf_serial_regression *regression, size_t m, size_t nbefore,
                  const double column[], struct cf_serial_addition *out, struct cf_error *err)
{
    struct whitened w;
    int status;

    *out = (struct cf_serial_addition){.dof = regression->dof, .p = (double) NAN};
    status = whitened_make(regression, m, nbefore, column, &w, &out->share, err);
    if (!status)
        status = whiten(&w, &regression->model, err);
    if (!status && w.own) {
        out->columns = (double) w.own;
        out->F = added(&w) / out->columns / regression->variance;
        if (regression->spread)
            status = freedom(&w, &out->dof, err);
        out->p = gsl_cdf_fdist_Q(out->F, out->columns, out->dof);
    }
    free(w.column);
    free(w.at);
    return status;
}
