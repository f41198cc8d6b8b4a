/* Leave-one-group-out: by refits where these are cheap, else by the influence of the groups.
 *
 * With J the derivatives of the independent residuals r and C = root root^T the covariance, B = J
 * root has orthonormal columns (priors being rows of it), and in its coordinates z the optimum
 * without group g lies at z = (1 - B_g^T B_g)^-1 B_g^T r_g. That is exact where the law is linear
 * in its parameters and the variances stay, so it is compared with refits.
 */

#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/evaluate.h"
#include "estimate/left_out_fit.h"
#include "estimate/rank.h"
#include "estimate/rows.h"

/* Each refit costs all observations: all groups are refitted where that takes no more than so many
 * in all. */
static const double most_refitted = 1e5;

/* The influence formula is checked on no more than that, but on these at least; and where it is
 * wrong for one of them so many groups are refitted, and the rest is left. */
enum { LEAST_CHECKED = 3, MORE = 20 };

/* Variances converge to this share of their scale: the unknowns then to a thousandth of their
 * errors, which are less than those of a measurement. */
static const double tolerance = 1e-4;

/* ---- refits */

/* Refit without a group, and predict its observations. */
static int refit(const struct cf_problem *q, struct cf_left_out_fit *b, const struct cf_rows *rows,
                 size_t row, double theta[], double predicted[], unsigned char how[],
                 struct cf_error *err)
{
    struct cf_solution solution = {.theta = theta, .end = CF_END_CONVERGED};
    int status;

    cf_problem_restore(&b->problem, q);
    for (size_t i = 0; i < q->nobservation; i++) {
        struct cf_observation *o = &b->problem.observation[i];
        o->weight = rows->row[i] == row ? 0 : o->weight;
    }
    status = cf_polish(b->solver, &b->problem, NULL, tolerance, &solution, err);
    for (size_t i = 0; i < q->nobservation && !status; i++) {
        if (rows->row[i] != row)
            continue;
        how[i] = CF_LEFT_OUT_REFIT;
        predicted[i] = (double) NAN;
        if (solution.end != CF_END_FAILED)
            status = cf_left_out_predict(&b->problem, i, theta, &predicted[i], err);
    }
    return status;
}

/* ---- influence */

/* Observations of a problem at theta in coordinates in which the covariance of theta is 1. */
struct linear {
    const struct cf_rank *rank;
    size_t p;    /* its rank */
    double *B;   /* p + 1 for each observation: derivatives of the residual, and it */
    double *D;   /* p for each: those of the prediction */
    double *y;   /* predictions */
    double *z;   /* p for each group: where the optimum lies without it; NAN: nowhere */
    size_t *at;  /* observations, group by group */
    size_t *end; /* of each group, in at[] */
};

static double along(const struct linear *l, const struct cf_stretch *s, size_t i, size_t k)
{
    const struct cf_set *set = &s->problem->set[s->problem->part[s->part].data];
    double sum = 0;

    for (size_t j = 0; j < set->nactive; j++)
        sum += s->A[j * s->ld + i] * l->rank->root[set->active[j] * l->p + k];
    return sum;
}

static void take_residuals(void *context, size_t unit, const struct cf_stretch *s)
{
    struct linear *l = context;

    (void) unit;
    for (size_t i = 0; i < s->count; i++) {
        double *B = &l->B[(s->first + i) * (l->p + 1)];
        for (size_t k = 0; k < l->p; k++)
            B[k] = along(l, s, i, k);
        B[l->p] = s->A[s->ncolumn * s->ld + i];
    }
}

static void take_slopes(void *context, size_t unit, const struct cf_stretch *s)
{
    struct linear *l = context;

    (void) unit;
    for (size_t i = 0; i < s->count; i++) {
        for (size_t k = 0; k < l->p; k++)
            l->D[(s->first + i) * l->p + k] = along(l, s, i, k);
        l->y[s->first + i] = s->y[i];
    }
}

/* Sort the observations by groups. */
static void sort(const struct cf_rows *rows, size_t n, struct linear *l)
{
    for (size_t i = 0; i < n; i++)
        l->end[rows->row[i]]++;
    for (size_t g = 1; g < rows->nrow; g++)
        l->end[g] += l->end[g - 1];
    for (size_t i = n; i-- > 0;)
        l->at[--l->end[rows->row[i]]] = i;
    for (size_t g = 0; g < rows->nrow; g++) /* each began where the one before it ends */
        l->end[g] = g + 1 < rows->nrow ? l->end[g + 1] : n;
}

static size_t begin_of(const struct linear *l, size_t g)
{
    return g ? l->end[g - 1] : 0;
}

/* z of a group. M[p * p] is spare. */
static void move(const struct linear *l, size_t g, double M[])
{
    size_t p = l->p;
    double *z = &l->z[g * p];
    gsl_matrix_view m = gsl_matrix_view_array(M, p, p);
    gsl_vector_view v = gsl_vector_view_array(z, p);
    bool fails;

    for (size_t a = 0; a < p; a++) {
        z[a] = 0;
        for (size_t b = 0; b < p; b++)
            M[a * p + b] = a == b;
    }
    for (size_t k = begin_of(l, g); k < l->end[g]; k++) {
        const double *B = &l->B[l->at[k] * (p + 1)];
        for (size_t a = 0; a < p; a++) {
            z[a] += B[a] * B[p];
            for (size_t b = 0; b < p; b++)
                M[a * p + b] -= B[a] * B[b];
        }
    }
    /* fails for a group without which nothing is left to fit */
    fails = gsl_linalg_cholesky_decomp1(&m.matrix) || gsl_linalg_cholesky_svx(&m.matrix, &v.vector);
    for (size_t a = 0; a < p && fails; a++)
        z[a] = (double) NAN;
}

static void linear_free(struct linear *l)
{
    free(l->B);
    free(l->at);
}

static int linear_make(const struct cf_problem *q, const struct cf_rows *rows, const double theta[],
                       const struct cf_rank *rank, struct linear *l, struct cf_error *err)
{
    size_t n = q->nobservation, p = rank->rank;
    double *M;
    int status;

    *l = (struct linear){.rank = rank, .p = p};
    l->B = calloc(n * (2 * p + 2) + rows->nrow * p + p * p + 1, sizeof *l->B);
    l->at = calloc(n + rows->nrow + 1, sizeof *l->at);
    if (!l->B || !l->at)
        return cf_fail(err, CF_ENOMEM, "no memory for the influence of %zu groups", rows->nrow);
    l->D = l->B + n * (p + 1);
    l->y = l->D + n * p;
    l->z = l->y + n;
    M = l->z + rows->nrow * p;
    l->end = l->at + n;
    sort(rows, n, l);
    status = cf_problem_visit(q, theta, NULL, CF_WANT_RESIDUALS, take_residuals, l, err);
    if (!status)
        status = cf_visit_ungrouped(q, theta, NULL, CF_WANT_SLOPES, take_slopes, l, err);
    for (size_t g = 0; g < rows->nrow && !status && p; g++)
        move(l, g, M);
    return status;
}

/* Predictions of all groups by their influence, and how far each moves the fit: size[nrow],
 * infinite where it is unknown. */
static void predict(const struct linear *l, size_t ngroup, double predicted[], double size[])
{
    for (size_t g = 0; g < ngroup; g++) {
        const double *z = &l->z[g * l->p];
        size[g] = 0;
        for (size_t a = 0; a < l->p; a++)
            size[g] += z[a] * z[a];
        size[g] = isfinite(size[g]) ? size[g] : (double) INFINITY;
        for (size_t k = begin_of(l, g); k < l->end[g]; k++) {
            size_t i = l->at[k];
            predicted[i] = l->y[i];
            for (size_t a = 0; a < l->p; a++)
                predicted[i] += l->D[i * l->p + a] * z[a];
        }
    }
}

/* The group that moves the fit most, which is then taken as done. */
static size_t next_largest(double size[], size_t n)
{
    size_t largest = 0;

    for (size_t g = 1; g < n; g++)
        largest = size[g] > size[largest] ? g : largest;
    size[largest] = -1;
    return largest;
}

/* Do predictions by refits agree with those by influence, by[]? */
static bool agrees(const struct cf_problem *q, const struct linear *l, size_t g, const double by[],
                   const double predicted[])
{
    for (size_t k = begin_of(l, g); k < l->end[g]; k++) {
        size_t i = l->at[k];
        if (!(fabs(by[i] - predicted[i]) < cf_left_out_agreement * q->observation[i].sigma))
            return false;
    }
    return true;
}

/* Refit those that move the fit most; where they do not agree more of them, and drop the rest. */
static int check(const struct cf_problem *q, struct cf_left_out_fit *b, const struct cf_rows *rows,
                 const struct linear *l, const double theta[], double without[], double predicted[],
                 unsigned char how[], struct cf_error *err)
{
    double *size = malloc((rows->nrow + q->nobservation + 1) * sizeof *size), *by;
    size_t paid = (size_t) (most_refitted / (double) (q->nobservation + 1));
    size_t most = paid < LEAST_CHECKED ? LEAST_CHECKED : paid;
    bool good = true;
    int status = size ? CF_OK : cf_fail(err, CF_ENOMEM, "no memory for %zu groups", rows->nrow);

    most = most > CF_LEFT_OUT_CHECKED ? CF_LEFT_OUT_CHECKED : most;
    by = size ? size + rows->nrow : NULL;
    if (!status) {
        predict(l, rows->nrow, predicted, size);
        memcpy(by, predicted, q->nobservation * sizeof *by);
        memset(how, CF_LEFT_OUT_INFLUENCE, q->nobservation);
    }
    for (size_t k = 0; k < most && k < rows->nrow && !status; k++) {
        size_t g = next_largest(size, rows->nrow);
        memcpy(without, theta, q->nfree * sizeof *theta);
        status = refit(q, b, rows, g, without, predicted, how, err);
        good = good && agrees(q, l, g, by, predicted);
        most = good || cf_problem_is_motion(q) ? most : MORE; /* each refit takes long there */
    }
    for (size_t i = 0; i < q->nobservation && !status && !good; i++)
        if (how[i] == CF_LEFT_OUT_INFLUENCE) {
            how[i] = CF_LEFT_OUT_NONE;
            predicted[i] = (double) NAN;
        }
    free(size);
    return status;
}

static int by_influence(const struct cf_problem *q, struct cf_left_out_fit *b,
                        const struct cf_rows *rows, const double theta[], double without[],
                        double predicted[], unsigned char how[], struct cf_error *err)
{
    struct cf_fold fold;
    struct cf_rank rank = {0};
    struct linear l = {0};
    int status = cf_fold_alloc(&fold, q, err);

    if (!status)
        status = cf_problem_fold(q, theta, &fold, err);
    if (!status)
        status = cf_rank_within_bounds(q, theta, &fold, &rank, err);
    if (!status)
        status = linear_make(q, rows, theta, &rank, &l, err);
    if (!status)
        status = check(q, b, rows, &l, theta, without, predicted, how, err);
    linear_free(&l);
    cf_rank_clear(&rank);
    cf_fold_clear(&fold);
    return status;
}

int cf_leave_groups(const struct cf_problem *q, struct cf_left_out_fit *b, const double theta[],
                    size_t most, double without[], double predicted[], unsigned char how[],
                    struct cf_error *err)
{
    struct cf_rows rows;
    int status = cf_rows_init(&rows, q, err);
    bool each = rows.nrow <= most && (double) rows.nrow * (double) q->nobservation <= most_refitted;

    for (size_t g = 0; g < rows.nrow && !status && each; g++) {
        memcpy(without, theta, q->nfree * sizeof *theta);
        status = refit(q, b, &rows, g, without, predicted, how, err);
    }
    if (!status && !each)
        status = by_influence(q, b, &rows, theta, without, predicted, how, err);
    cf_rows_clear(&rows);
    return status;
}
