/* Where the segments of new data begin: what no fit of others can tell is fitted to them, by
 * Gauss-Newton at the fit's parameters. Predictions, and their derivatives as the starts follow the
 * parameters, are then those of the best starts.
 */

#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/gsl_guard.h"
#include "identify/validation.h"

enum { ROUNDS = 30, HALVINGS = 12 };

/* A step that would lower chi^2 by less is none. */
static const double LEAST_FALL = 1e-6;

/* One segment's observations. */
struct segment {
    struct cf_validation *v;
    const struct cf_dataset *d;
    struct cf_curves *curves;
    size_t first, n, nstart, from; /* from: index of the first start among the values */
    double *value, *y, *by, *kept; /* by: n * nstart */
    size_t *row, *start;
};

/* Predictions at the values, and their derivatives by the starts; chi^2. */
static int predict(struct segment *s, double *chi2, struct cf_error *err)
{
    const struct cf_observation *o = &s->v->problem.observation[s->first];
    int status = CF_OK;
    size_t n;

    *chi2 = 0;
    for (size_t i = 0; i < s->n && !status; i += n) { /* of one channel after the other */
        size_t channel = o[i].column;
        struct cf_request q = {.data = s->d,
                               .law = s->v->model->law,
                               .value = s->value,
                               .row = s->row,
                               .nchannel = 1,
                               .channel = &channel,
                               .nby = s->nstart,
                               .by = s->start};
        struct cf_response out = {s->y + i, s->by + i * s->nstart, NULL};
        for (n = 0; i + n < s->n && o[i + n].column == channel; n++)
            s->row[n] = o[i + n].row;
        q.nrow = n;
        status = cf_protocol_predict(s->curves, &q, &out, err);
    }
    for (size_t i = 0; i < s->n; i++)
        *chi2 += (o[i].value - s->y[i]) * (o[i].value - s->y[i]) / (o[i].sigma * o[i].sigma);
    return status;
}

/* The normal equations of the starts, factorised; false: the data tell nothing of one. */
static bool factor(const struct segment *s, gsl_matrix *N)
{
    const struct cf_observation *o = &s->v->problem.observation[s->first];

    gsl_matrix_set_zero(N);
    for (size_t i = 0; i < s->n; i++)
        for (size_t a = 0; a < s->nstart; a++)
            for (size_t b = 0; b < s->nstart; b++)
                *gsl_matrix_ptr(N, a, b) +=
                    s->by[i * s->nstart + a] * s->by[i * s->nstart + b] / (o[i].sigma * o[i].sigma);
    return gsl_linalg_cholesky_decomp1(N) == GSL_SUCCESS;
}

/* What the starts follow a change of predictions by: x = N^-1 J^T (change/sigma^2). */
static void solve(const struct segment *s, const gsl_matrix *N, const double change[],
                  size_t stride, gsl_vector *x)
{
    const struct cf_observation *o = &s->v->problem.observation[s->first];

    gsl_vector_set_zero(x);
    for (size_t i = 0; i < s->n; i++)
        for (size_t a = 0; a < s->nstart; a++)
            *gsl_vector_ptr(x, a) +=
                s->by[i * s->nstart + a] * change[i * stride] / (o[i].sigma * o[i].sigma);
    gsl_linalg_cholesky_svx(N, x);
}

static int search(struct segment *s, gsl_matrix *N, gsl_vector *x, struct cf_error *err)
{
    const struct cf_observation *o = &s->v->problem.observation[s->first];
    double *at = s->value + s->from, chi2, now, share;
    int status = predict(s, &chi2, err);

    for (int k = 0; k < ROUNDS && !status && factor(s, N); k++) {
        double *left = s->kept + s->nstart;
        memcpy(s->kept, at, s->nstart * sizeof *at);
        for (size_t i = 0; i < s->n; i++)
            left[i] = o[i].value - s->y[i];
        solve(s, N, left, 1, x);
        now = (double) INFINITY;
        share = 1;
        for (int h = 0; h < HALVINGS && !status && !(now < chi2); h++, share /= 2) {
            for (size_t a = 0; a < s->nstart; a++)
                at[a] = s->kept[a] + share * gsl_vector_get(x, a);
            status = predict(s, &now, err);
        }
        if (status)
            return status;
        if (!(now < chi2)) { /* no step helps: back to where it was */
            memcpy(at, s->kept, s->nstart * sizeof *at);
            return predict(s, &chi2, err);
        }
        if (chi2 - now < LEAST_FALL)
            break;
        chi2 = now;
    }
    return status;
}

/* Predictions and gradients at the best starts. */
static void take(struct segment *s, gsl_matrix *N, gsl_vector *x)
{
    struct cf_validation *v = s->v;
    size_t nfree = v->model->problem.nfree;
    bool told = factor(s, N);

    for (size_t j = 0; j < nfree && told; j++) {
        double *g = &v->gradient[s->first * nfree + j];
        solve(s, N, g, nfree, x);
        for (size_t i = 0; i < s->n; i++)
            for (size_t a = 0; a < s->nstart; a++)
                g[i * nfree] -= s->by[i * s->nstart + a] * gsl_vector_get(x, a);
    }
    for (size_t i = 0; i < s->n; i++) {
        const struct cf_observation *o = &v->problem.observation[s->first + i];
        double half = cf_model_half_width(v->model, &v->gradient[(s->first + i) * nfree],
                                          o->sigma * o->sigma, v->channel[s->first + i]);
        v->predicted[s->first + i] = (struct cf_predicted){s->y[i], s->y[i] - half, s->y[i] + half};
    }
}

static int settle_part(struct cf_validation *v, struct cf_curves *curves, size_t part,
                       struct cf_error *err)
{
    const struct cf_part *p = &v->problem.part[part];
    const struct cf_dataset *d = &v->spec.data[p->data];
    const struct cf_protocol *protocol = d->protocol;
    size_t nstart = protocol->nstart, from = v->model->law->nparam + protocol->napparatus;
    size_t n = p->count;
    struct segment s = {.v = v,
                        .d = d,
                        .curves = curves,
                        .first = p->first,
                        .n = n,
                        .nstart = nstart,
                        .from = from};
    gsl_matrix *N = gsl_matrix_alloc(nstart, nstart);
    gsl_vector *x = gsl_vector_alloc(nstart);
    int status = CF_OK;

    s.value = malloc((from + nstart + n * (2 + nstart) + nstart) * sizeof *s.value);
    s.row = malloc((n + nstart) * sizeof *s.row);
    if (!N || !x || !s.value || !s.row)
        status = cf_fail(err, CF_ENOMEM, "no memory for a segment of %zu rows", n);
    if (!status)
        status =
            cf_model_params(v->model, v->set[p->data].data, d->pair.radius_m, s.value, NULL, err);
    if (!status) {
        s.y = s.value + from + nstart;
        s.by = s.y + n;
        s.kept = s.by + n * nstart;
        s.start = s.row + n;
        memcpy(s.value + v->model->law->nparam, d->apparatus,
               protocol->napparatus * sizeof *d->apparatus);
        for (size_t a = 0; a < nstart; a++) {
            s.value[from + a] = protocol->start[a].typical;
            s.start[a] = from + a;
        }
        status = search(&s, N, x, err);
    }
    if (!status)
        take(&s, N, x);
    free(s.value);
    free(s.row);
    if (N)
        gsl_matrix_free(N);
    if (x)
        gsl_vector_free(x);
    return status;
}

int cf_validate_starts(struct cf_validation *v, struct cf_curves *curves, struct cf_error *err)
{
    int status = CF_OK;

    cf_gsl_enter(); /* a factor that is not there is an answer */
    for (size_t p = 0; p < v->problem.npart && !status; p++)
        if (v->spec.data[v->problem.part[p].data].protocol->nstart && v->problem.part[p].count)
            status = settle_part(v, curves, p, err);
    cf_gsl_leave();
    return status;
}
