/* How well the numbers of a model of errors are known. */

#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdlib.h>

#include "estimate/serial_search.h"

/* Differences of a number, as it is looked for, whose standard deviation is about n^(-1/2). */
static const double difference = 0.02;

/* A curvature below this identifies nothing: the number could have any value. */
static const double least_curvature = 1e-2;

/* -2 ln L_R with number k moved by a and l by b. */
static double cost_at(struct cf_serial_search *s, const double x[], double y[], size_t n, size_t k,
                      double a, size_t l, double b)
{
    for (size_t j = 0; j < n; j++)
        y[j] = x[j];
    y[k] += a;
    y[l] += b;
    cf_serial_put_numbers(&s->model, y);
    return cf_serial_cost(s, &s->model);
}

static void curve(struct cf_serial_search *s, const double x[], double y[], size_t n, gsl_matrix *H)
{
    double h = difference, here = n ? cost_at(s, x, y, n, 0, 0, 0, 0) : 0;

    for (size_t k = 0; k < n; k++) {
        double up = cost_at(s, x, y, n, k, h, k, 0), down = cost_at(s, x, y, n, k, -h, k, 0);
        gsl_matrix_set(H, k, k, (up + down - 2 * here) / (h * h));
        for (size_t l = 0; l < k; l++) {
            double more = cost_at(s, x, y, n, k, h, l, h), less = cost_at(s, x, y, n, k, h, l, -h);
            double mixed =
                more - less - cost_at(s, x, y, n, k, -h, l, h) + cost_at(s, x, y, n, k, -h, l, -h);
            gsl_matrix_set(H, k, l, mixed / (4 * h * h));
            gsl_matrix_set(H, l, k, mixed / (4 * h * h));
        }
    }
    cf_serial_put_numbers(&s->model, x);
}

/* What is not identified is held, and so adds no uncertainty. */
static void hold(gsl_matrix *H, size_t n, bool held[])
{
    for (size_t k = 0; k < n; k++) {
        held[k] = !(gsl_matrix_get(H, k, k) > least_curvature);
        for (size_t l = 0; l < n && held[k]; l++) {
            gsl_matrix_set(H, k, l, k == l);
            gsl_matrix_set(H, l, k, k == l);
        }
    }
}

int cf_serial_spread(struct cf_serial_search *s, double V[])
{
    size_t n = cf_serial_parameters(&s->model);
    double *x = calloc(2 * n + 1, sizeof *x), *y = x + n;
    bool *held = calloc(n + 1, sizeof *held), definite;
    gsl_matrix *H = gsl_matrix_alloc(n ? n : 1, n ? n : 1), *diagonal = NULL;

    if (H)
        diagonal = gsl_matrix_alloc(H->size1, H->size1);
    if (!x || !held || !H || !diagonal) {
        s->status = cf_fail(s->err, CF_ENOMEM, "no memory for the errors of %zu rows", s->n);
    } else if (n) {
        cf_serial_numbers(&s->model, x);
        curve(s, x, y, n, H);
        hold(H, n, held);
        gsl_matrix_memcpy(diagonal, H);
        definite = gsl_linalg_cholesky_decomp1(H) == GSL_SUCCESS &&
                   gsl_linalg_cholesky_invert(H) == GSL_SUCCESS;
        for (size_t k = 0; k < n; k++)
            for (size_t l = 0; l < n; l++) { /* the curvature is twice the information */
                double alone = k == l ? 1 / gsl_matrix_get(diagonal, k, k) : 0;
                double v = definite ? gsl_matrix_get(H, k, l) : alone;
                V[k * n + l] = held[k] || held[l] ? 0 : 2 * v;
            }
    }
    gsl_matrix_free(H);
    gsl_matrix_free(diagonal);
    free(held);
    free(x);
    return s->status;
}
