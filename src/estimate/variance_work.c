#include "estimate/variance_work.h"

#include <gsl/gsl_linalg.h>
#include <gsl/gsl_math.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/effects.h"
#include "estimate/evaluate.h"
#include "estimate/records.h"
#include "estimate/triangle.h"
#include "estimate/variance_stream.h"
#include "estimate/whiten.h"

/* A negative variance takes no more than this share of that of the largest group's mean. */
static const double most_negative = 0.9;

/* Columns of a row correlate by no more than this, and a part of a sigma that goes with the axis is
 * looked at in steps of no less than this share of the whole. */
static const double most_correlated = 0.99, least_share = 0.1;

/* The least share that readings keep of their variance as their own, beside what records and what
 * is imposed add: a step of differences is less. */
static const double least_own_share = 1e-4;

void cf_variance_work_free(struct cf_variance_work *w)
{
    cf_variance_stream_free(w->stream);
    cf_problem_free(&w->problem);
    free(w->A);
    free(w->part);
    free(w->at);
    free(w->spans);
    free(w->related);
}

/* What the observations of each effect's groups weigh. */
static void weigh_groups(struct cf_variance_work *w)
{
    const struct cf_problem *q = &w->problem;

    memset(w->load, 0, q->neffect * q->nchannel * sizeof *w->load);
    for (size_t c = 0; c < q->nchannel; c++)
        w->at[c] = SIZE_MAX;
    for (size_t k = 0; k < w->nvariance; k++)
        if (w->part[k].kind == CF_VARIANCE_SIGMA)
            w->at[w->part[k].index] = k;
    for (size_t e = 0; e < q->neffect; e++)
        for (size_t g = 0; g < q->effect[e].ngroup; g++) {
            const struct cf_effect *effect = &q->effect[e];
            size_t from = effect->first[g], first = q->observation[effect->member[from]].channel;
            for (size_t c = 0; c < q->nchannel; c++) {
                double sum = 0;
                for (size_t i = from; i < effect->first[g + 1]; i++) {
                    const struct cf_observation *o = &q->observation[effect->member[i]];
                    w->spans[e] = w->spans[e] || o->channel != first;
                    if (o->channel == c)
                        sum += o->weight * gsl_pow_2(effect->load[effect->member[i]]) /
                               (w->at[c] < SIZE_MAX ? 1 : gsl_pow_2(o->sigma));
                }
                w->load[e * q->nchannel + c] = fmax(w->load[e * q->nchannel + c], sum);
            }
        }
}

/* What the mean of the heaviest group of variance k, an effect's, varies by without it, or hardly
 * less: groups of several channels may each have the most of another one. */
static double unit_of(const struct cf_variance_work *w, const double v[], size_t k)
{
    size_t e = w->part[k].index, n = w->problem.nchannel;
    double most = 0;

    for (size_t c = 0; c < n; c++) {
        double weight = w->load[e * n + c] / (w->at[c] < SIZE_MAX ? v[w->at[c]] : 1);
        most = w->spans[e] ? most + weight : fmax(most, weight);
    }
    return most > 0 ? 1 / most : 1;
}

void cf_variance_plain(const struct cf_variance_work *w, const double v[], double plain[])
{
    memmove(plain, v, w->nvariance * sizeof *v);
    for (size_t k = 0; k < w->nvariance; k++)
        if (w->related[k])
            plain[k] *= unit_of(w, plain, k);
}

void cf_variance_relate(struct cf_variance_work *w)
{
    w->relative = true;
}

void cf_variance_unrelate(struct cf_variance_work *w)
{
    for (size_t k = 0; k < w->nvariance; k++) {
        double unit = w->related[k] ? unit_of(w, w->v, k) : 1;
        w->v[k] *= unit;
        w->scale[k] *= unit;
        w->related[k] = false;
    }
    w->relative = false;
}

/* Room for `columns` columns; A and prior are to be filled. */
int cf_variance_work_make(const struct cf_problem *q, size_t columns, struct cf_variance_work *w,
                          struct cf_error *err)
{
    size_t n = q->nobservation, m = 3 * q->nchannel + q->neffect + q->nrecord,
           all = n + q->nprior + columns;
    int status;

    *w = (struct cf_variance_work){.n = n, .columns = columns};
    status = cf_problem_copy(&w->problem, q, err);
    if (status)
        return status;
    w->A = calloc(n * columns + q->nprior * columns + all * columns + columns * columns +
                      (7 + 2 * m) * m + q->neffect * q->nchannel + 1,
                  sizeof *w->A);
    w->part = calloc(m + 1, sizeof *w->part);
    w->at = calloc(q->nchannel + 1, sizeof *w->at);
    w->spans = calloc(q->neffect + 1, sizeof *w->spans);
    w->related = calloc(m + 1, sizeof *w->related);
    if (!w->A || !w->part || !w->at || !w->spans || !w->related)
        return cf_fail(err, CF_ENOMEM, "no memory for the variances of %zu observations", n);
    w->prior = w->A + n * columns;
    w->whitened = w->prior + q->nprior * columns;
    w->R = w->whitened + all * columns;
    w->v = w->R + columns * columns;
    w->scale = w->v + m;
    w->least = w->scale + m;
    w->most = w->least + m;
    w->gradient = w->most + m;
    w->step = w->gradient + m;
    w->hessian = w->step + m;
    w->observed = w->hessian + m * m;
    w->load = w->observed + m * m;
    w->nvariance = cf_variance_list(q, w->part, w->v);
    weigh_groups(w);
    return cf_variance_stream_make(&w->problem, &w->stream, err);
}

int cf_variance_evaluate(struct cf_variance_work *w, const double v[], struct cf_variance_value *at,
                         struct cf_error *err)
{
    struct cf_problem *q = &w->problem;
    size_t n = w->n, m = w->columns, p = m - 1;
    int status;

    cf_variance_put(q, w->part, v, w->nvariance);
    *at = (struct cf_variance_value){0, 0};
    memcpy(w->whitened, w->A, n * m * sizeof *w->A);
    status = cf_whiten(q, w->whitened, m, n, &at->log_det, err);
    if (status)
        return status;
    memset(w->R, 0, m * m * sizeof *w->R);
    cf_triangle_add(w->R, m, w->whitened, n, n);
    for (size_t i = 0; i < q->nprior && p; i++) {
        memcpy(w->whitened, &w->prior[i * m], m * sizeof *w->whitened);
        cf_triangle_add(w->R, m, w->whitened, 1, 1);
    }
    for (size_t j = 0; j < p; j++)
        at->log_det += 2 * log(fabs(w->R[j * m + j]));
    at->square = gsl_pow_2(w->R[m * m - 1]);
    return isfinite(at->log_det) && isfinite(at->square)
               ? CF_OK
               : cf_fail(err, CF_ESOLVE, "the likelihood of the variances is not finite");
}

/* How many effects meet on a quantity: together they may take that share. */
static double effects_on(const struct cf_problem *q, const struct cf_effect *e)
{
    double n = 0;

    for (size_t i = 0; i < q->neffect; i++)
        n += cf_effects_meet(&q->effect[i], e);
    return n;
}

/* Of an effect: what the mean of a group varies by without it, and with it. */
static void effect_scale(struct cf_variance_work *w, size_t k)
{
    const struct cf_problem *q = &w->problem;
    const struct cf_effect *e = &q->effect[w->part[k].index];
    double all = 0, unit = unit_of(w, w->v, k), mean;
    bool positive = false;

    for (size_t i = 0; i < e->first[e->ngroup]; i++) {
        const struct cf_observation *o = &q->observation[e->member[i]];
        const struct cf_channel *c = &q->channel[o->channel];
        all += o->weight * gsl_pow_2(e->load[e->member[i]]) / gsl_pow_2(o->sigma);
        positive = positive || o->shared != 0 || (c->estimated && !cf_channel_is_plain(c));
    }
    /* how far below 0 it may be is known beside one sigma of independent rows: beside one that goes
     * with the axis that end moves, and beside an error that columns of a row share it lies closer
     */
    mean = all > 0 ? (double) e->ngroup / all : 1;
    w->least[k] = positive ? 0 : -most_negative / effects_on(q, e) * (w->related[k] ? 1 : unit);
    w->v[k] = fmax(w->v[k], w->least[k]); /* sigmas may have fallen since */
    w->scale[k] = fmax(w->v[k], 0) + mean / (w->related[k] ? unit : 1);
}

/* Of a sigma that goes with the axis, or is beside what is known of each row: a share of the whole
 * at least. What is imposed never makes all of a reading's error, lest two columns of a row err
 * alike. */
static void model_scale(struct cf_variance_work *w, size_t k)
{
    const struct cf_problem *q = &w->problem;
    const struct cf_channel *c = &q->channel[w->part[k].index];
    bool slope = w->part[k].kind == CF_VARIANCE_SLOPE;
    double squares = 0, carried = 0, n = 0, by;

    for (size_t i = 0; i < q->nobservation; i++)
        if (q->observation[i].channel == w->part[k].index) {
            squares += cf_channel_growth(c, q->observation[i].abscissa);
            carried += gsl_pow_2(q->observation[i].carried);
            n++;
        }
    by = slope ? squares / n : 1;
    w->scale[k] = fmax(w->v[k], least_share * gsl_pow_2(c->sigma) / by);
    if (c->carries && (!slope || c->model == CF_SIGMA_POWER))
        w->least[k] = fmax(gsl_pow_2(c->floor), least_own_share * carried / n) / by;
    w->v[k] = fmax(w->v[k], w->least[k]);
}

/* Of records: what adds to a reading as much as its own error does. */
static void record_scale(struct cf_variance_work *w, size_t k)
{
    size_t n;
    double weight = cf_record_weight(&w->problem, w->part[k].index, &n);

    w->v[k] = fmax(w->v[k], 0);
    w->scale[k] = w->v[k] + (weight > 0 ? (double) n / weight : 1);
}

/* Readings of records may have no scatter of their own: next to none of what they have in all. */
static void beside_records(struct cf_variance_work *w, size_t k)
{
    double share = cf_record_share(&w->problem, w->part[k].index);

    if (!(share > 0) || w->part[k].kind == CF_VARIANCE_BASE)
        return;
    w->least[k] = fmax(w->least[k], least_own_share * w->v[k] * (1 + share));
    w->scale[k] = fmax(w->scale[k], least_share * w->v[k] * (1 + share));
    w->v[k] = fmax(w->v[k], w->least[k]);
}

void cf_variance_scales(struct cf_variance_work *w)
{
    cf_variance_plain(w, w->v, w->scale);
    cf_variance_put(&w->problem, w->part, w->scale, w->nvariance);
    weigh_groups(w); /* sigmas that are no single number have moved */
    for (size_t k = 0; k < w->nvariance; k++) {
        w->related[k] = w->relative && w->part[k].kind == CF_VARIANCE_EFFECT && !(w->scale[k] > 0);
        w->v[k] = w->scale[k] / (w->related[k] ? unit_of(w, w->v, k) : 1);
    }
    for (size_t k = 0; k < w->nvariance; k++) {
        bool other = w->part[k].kind == CF_VARIANCE_EFFECT || w->part[k].kind == CF_VARIANCE_RECORD;
        const struct cf_channel *c = &w->problem.channel[other ? 0 : w->part[k].index];
        w->least[k] = 0;
        w->most[k] = INFINITY;
        w->scale[k] = w->v[k];
        switch (w->part[k].kind) {
        case CF_VARIANCE_SIGMA:
            w->least[k] = gsl_pow_2(c->floor);
            w->v[k] = fmax(w->v[k], w->least[k]);
            beside_records(w, k);
            break;
        case CF_VARIANCE_BASE:
        case CF_VARIANCE_SLOPE:
            model_scale(w, k);
            beside_records(w, k);
            break;
        case CF_VARIANCE_SHARED:
            w->scale[k] = c->sigma * w->problem.channel[c->partner].sigma;
            w->most[k] = most_correlated * w->scale[k];
            w->least[k] = -w->most[k];
            w->v[k] = fmin(fmax(w->v[k], w->least[k]), w->most[k]);
            break;
        case CF_VARIANCE_EFFECT:
            effect_scale(w, k);
            break;
        case CF_VARIANCE_RECORD:
            record_scale(w, k);
            break;
        }
    }
}

/* Raw derivatives and residuals, where a visit puts them. */
struct raw {
    const struct cf_problem *problem;
    const struct cf_rank *rank;
    double *A;
};

static void take_raw(void *context, size_t unit, const struct cf_stretch *at)
{
    const struct raw *raw = context;
    const struct cf_problem *q = raw->problem;
    const struct cf_set *set = &q->set[q->part[at->part].data];
    size_t n = q->nobservation, p = raw->rank->rank;

    (void) unit;
    for (size_t i = 0; i < at->count; i++) {
        for (size_t k = 0; k < p; k++) {
            double sum = 0;
            for (size_t j = 0; j < set->nactive; j++)
                sum -=
                    at->A[(set->nlocal + j) * at->ld + i] * raw->rank->root[set->active[j] * p + k];
            raw->A[k * n + at->first + i] = sum;
        }
        raw->A[p * n + at->first + i] = q->observation[at->first + i].value - at->y[i];
    }
}

int cf_variance_work_at(const struct cf_problem *q, const double theta[],
                        const struct cf_rank *rank, struct cf_variance_work *w,
                        struct cf_error *err)
{
    size_t columns = rank->rank + 1, row = 0;
    int status = cf_variance_work_make(q, columns, w, err);

    if (!status) {
        struct raw raw = {q, rank, w->A};
        status = cf_visit_ungrouped(q, theta, NULL, CF_WANT_SLOPES, take_raw, &raw, err);
    }
    for (size_t j = 0; j < q->nfree && !status; j++) {
        const struct cf_unknown *u = &q->unknown[j];
        if (!u->has_prior)
            continue;
        for (size_t k = 0; k < rank->rank; k++)
            w->prior[row * columns + k] = -rank->root[j * rank->rank + k] / u->prior_sigma;
        w->prior[row++ * columns + rank->rank] = (u->prior - theta[j]) / u->prior_sigma;
    }
    return status;
}

/* C = root (R^T R)^-1 root^T */
void cf_variance_covariance(const struct cf_variance_work *w, const struct cf_rank *rank,
                            double half[], double C[])
{
    size_t n = rank->n, p = rank->rank, m = w->columns;

    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < p; k++) { /* half R = root */
            double sum = rank->root[i * p + k];
            for (size_t l = 0; l < k; l++)
                sum -= half[i * p + l] * w->R[l * m + k];
            half[i * p + k] = sum / w->R[k * m + k];
        }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            C[i * n + j] = 0;
            for (size_t k = 0; k < p; k++)
                C[i * n + j] += half[i * p + k] * half[j * p + k];
        }
}

/* ---- which of them matter */

/* An effect is identified where the data have this much of the information in one group's mean. */
static const double least_information = 0.1;

bool cf_variance_matters(const struct cf_variance_work *w, size_t k)
{
    double information = w->hessian[k * w->nvariance + k];
    bool shared = w->part[k].kind == CF_VARIANCE_EFFECT || w->part[k].kind == CF_VARIANCE_RECORD;
    return information > (shared ? least_information : 0);
}

int cf_variance_invert(const struct cf_variance_work *w, const double H[], const bool use[],
                       double out[], bool *is_definite, struct cf_error *err)
{
    size_t n = w->nvariance, m = 0;
    size_t *of = calloc(n + 1, sizeof *of);
    gsl_matrix *M = gsl_matrix_alloc(n ? n : 1, n ? n : 1);
    bool definite;

    if (!of || !M) {
        free(of);
        if (M)
            gsl_matrix_free(M);
        return cf_fail(err, CF_ENOMEM, "no memory for %zu variances", n);
    }
    memset(out, 0, n * n * sizeof *out);
    for (size_t k = 0; k < n; k++)
        if (use[k])
            of[m++] = k;
    for (size_t a = 0; a < m; a++)
        for (size_t b = 0; b < m; b++)
            gsl_matrix_set(M, a, b, H[of[a] * n + of[b]]);
    gsl_matrix_view part = gsl_matrix_submatrix(M, 0, 0, m ? m : 1, m ? m : 1);
    definite = m && gsl_linalg_cholesky_decomp1(&part.matrix) == GSL_SUCCESS &&
               gsl_linalg_cholesky_invert(&part.matrix) == GSL_SUCCESS;
    for (size_t a = 0; a < m; a++)
        for (size_t b = 0; b < m; b++) {
            double diagonal = a == b ? 1 / H[of[a] * n + of[a]] : 0;
            out[of[a] * n + of[b]] = definite ? gsl_matrix_get(&part.matrix, a, b) : diagonal;
        }
    gsl_matrix_free(M);
    free(of);
    if (is_definite)
        *is_definite = definite || !m;
    return CF_OK;
}

int cf_variance_inverse(const struct cf_variance_work *w, double inverse[], struct cf_error *err)
{
    bool *use = calloc(w->nvariance + 1, sizeof *use);
    int status = use ? CF_OK : cf_fail(err, CF_ENOMEM, "no memory for the variances");

    for (size_t k = 0; k < w->nvariance && !status; k++)
        use[k] = cf_variance_matters(w, k);
    if (!status)
        status = cf_variance_invert(w, w->hessian, use, inverse, NULL, err);
    free(use);
    return status;
}
