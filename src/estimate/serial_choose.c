#include "estimate/serial_choose.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/serial_search.h"
#include "estimate/triangle.h"
#include "estimate/variance_work.h"
#include "estimate/whiten.h"

/* Numbers are settled where -2 ln L_R falls by less than this: a tenth of a standard error. */
static const double least_fall = 1e-2;

/* ---- of a problem */

/* The rows of a channel out of the raw ones of w, and the triangle of all others, whitened. */
static int search_make(const struct cf_problem *q, const struct cf_serial *serial,
                       struct cf_variance_work *w, struct cf_serial_search *s, struct cf_error *err)
{
    size_t n = serial->n, m = w->columns, all = w->n;
    int status;

    *s = (struct cf_serial_search){.estimated = q->channel[serial->channel].estimated,
                                   .n = n,
                                   .most = serial->most,
                                   .place = serial->place,
                                   .m = m};
    status = cf_serial_search_room(s, err);
    if (status)
        return status;
    memcpy(w->whitened, w->A, all * m * sizeof *w->A);
    status = cf_whiten(q, w->whitened, m, all, NULL, err);
    for (size_t k = 0; k < n; k++) {
        const struct cf_observation *o = &q->observation[serial->member[k]];
        for (size_t j = 0; j < m; j++) {
            s->rows[j * n + k] = w->A[j * all + serial->member[k]] / o->sigma;
            w->whitened[j * all + serial->member[k]] = 0;
        }
    }
    cf_triangle_add(s->others, m, w->whitened, all, all);
    for (size_t i = 0; i < q->nprior; i++) {
        memcpy(w->whitened, &w->prior[i * m], m * sizeof *w->whitened);
        cf_triangle_add(s->others, m, w->whitened, 1, 1);
    }
    s->alone = true;
    for (size_t i = 0; i < m * m; i++)
        s->alone = s->alone && s->others[i] == 0;
    return status;
}

/* The numbers of a model once more, kind and order staying. */
static int find_again(struct cf_serial_search *s, const struct cf_serial_model *model,
                      struct cf_serial_model *best, double *cost)
{
    double least = INFINITY;
    int status = CF_OK;

    memcpy(s->model.partial, model->partial, model->order * sizeof *model->partial);
    s->model.kind = model->kind;
    s->model.order = model->order;
    s->model.share = model->share;
    *cost = cf_serial_cost(s, model);
    if (model->kind != CF_SERIAL_WHITE && model->order <= CF_MOST_REFINED)
        status = cf_serial_refine(s, cost);
    cf_serial_keep(s, *cost, best, &least);
    return status ? status : s->status;
}

static int choose_one(struct cf_problem *q, struct cf_serial *serial, struct cf_variance_work *w,
                      bool same, bool *changed, struct cf_error *err)
{
    struct cf_serial_search s;
    struct cf_serial_model *model = &serial->model;
    struct cf_serial_model best = {.partial = calloc(serial->most, sizeof *best.partial)};
    double before, cost = 0;
    int status = search_make(q, serial, w, &s, err);

    if (!status && !best.partial)
        status = cf_fail(err, CF_ENOMEM, "no memory for a model of %zu numbers", serial->most);
    before = status ? 0 : cf_serial_cost(&s, model);
    if (!status)
        status = same ? find_again(&s, model, &best, &cost) : cf_serial_find(&s, &best, &cost);
    /* another model may have the better BIC with the lower likelihood */
    if (!status &&
        (before - cost > least_fall || best.kind != model->kind || best.order != model->order)) {
        memcpy(model->partial, best.partial, best.order * sizeof *best.partial);
        model->kind = best.kind;
        model->order = best.order;
        model->share = best.share;
        *changed = true;
    }
    free(best.partial);
    cf_serial_search_clear(&s);
    return status;
}

int cf_serial_choose(struct cf_problem *problem, const double theta[], bool same, bool *changed,
                     struct cf_error *err)
{
    struct cf_problem *q = problem;
    struct cf_fold fold = {0};
    struct cf_rank rank = {0};
    struct cf_variance_work w = {0};
    int status;

    *changed = false;
    if (!q->nserial || q->loss.kind != CF_LOSS_SQUARES)
        return CF_OK;
    status = cf_fold_alloc(&fold, q, err);
    if (!status)
        status = cf_problem_fold(q, theta, &fold, err);
    if (!status)
        status = cf_rank_within_bounds(q, theta, &fold, &rank, err);
    if (!status)
        status = cf_variance_work_at(q, theta, &rank, &w, err);
    for (size_t s = 0; s < q->nserial && !status; s++)
        status = choose_one(q, &q->serial[s], &w, same, changed, err);
    cf_variance_work_free(&w);
    cf_rank_clear(&rank);
    cf_fold_clear(&fold);
    return status;
}
