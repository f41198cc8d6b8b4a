#include "estimate/serial_choose.h"

#include <gsl/gsl_math.h>
#include <math.h>
#include <nlopt.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/triangle.h"
#include "estimate/variance_work.h"
#include "estimate/whiten.h"

/* Numbers are settled where -2 ln L_R falls by less than this: a tenth of a standard error. */
static const double least_fall = 1e-2;

/* A search ends at less, within so many evaluations. */
static const double search_fall = 1e-3;
enum { MOST_EVALUATIONS = 400 };

/* Of more than so many numbers those of Burg stand: what -2 ln L_R would add to them is less than
 * what the choice of their order leaves open. */
enum { MOST_REFINED = 12 };

/* Transformed: atanh of a partial autocorrelation, logit of a share; beyond these no data tell. */
static const double most_atanh = 7, most_logit = 7, first_step = 0.1;

/* sigma's factor is looked for within these, in steps of the golden section. */
static const double widest_factor = 2;
enum { GOLDEN_STEPS = 40 };

/* A channel's rows of [X r], and what all others say. */
struct search {
    const struct cf_problem *problem;
    const struct cf_serial *serial;
    size_t m;                     /* columns */
    double *rows, *white;         /* n * m, by columns: in sigmas; room */
    double *others;               /* m * m: the triangle of all else, */
    bool alone;                   /* and whether there is anything else */
    double *own, *both, *work;    /* m * m */
    size_t *at;                   /* 0 to n - 1 */
    struct cf_serial_model model; /* room to try one */
    size_t evaluations;
    int status;
    struct cf_error *err;
};

/* ---- -2 ln L_R of a model */

/* Of the triangle that the channel's rows have with sigma times `factor`, and all others. */
static double joint_cost(const struct search *s, double factor)
{
    size_t m = s->m;
    double cost = 2 * (double) s->serial->n * log(factor);

    for (size_t i = 0; i < m * m; i++)
        s->work[i] = s->own[i] / factor;
    memcpy(s->both, s->others, m * m * sizeof *s->both);
    double *scaled = s->work + m * m;
    memcpy(scaled, s->work, m * m * sizeof *scaled);
    cf_triangle_merge(s->both, m, scaled, s->work);
    for (size_t j = 0; j + 1 < m; j++)
        cost += 2 * log(fabs(s->both[j * m + j]));
    return cost + gsl_pow_2(s->both[m * m - 1]);
}

/* At the best factor of an estimated sigma. */
static double best_cost(const struct search *s)
{
    double n = (double) s->serial->n, dof = fmax(n - (double) (s->m - 1), 1);
    double factor = fabs(s->own[s->m * s->m - 1]) / sqrt(dof);
    double low, high;

    if (!s->problem->channel[s->serial->channel].estimated)
        return joint_cost(s, 1);
    if (s->alone)
        return joint_cost(s, factor);
    low = log(factor / widest_factor);
    high = log(factor * widest_factor);
    for (int i = 0; i < GOLDEN_STEPS; i++) {
        double share = (sqrt(5) - 1) / 2, a = high - share * (high - low),
               b = low + share * (high - low);
        if (joint_cost(s, exp(a)) < joint_cost(s, exp(b)))
            high = b;
        else
            low = a;
    }
    return joint_cost(s, exp((low + high) / 2));
}

/* NAN where there is none. */
static double cost_of(struct search *s, const struct cf_serial_model *model)
{
    size_t n = s->serial->n, m = s->m;
    struct cf_serial_filter filter;
    double log_det = 0;

    s->evaluations++;
    if (cf_status_ends(s->status))
        return (double) NAN;
    s->status = cf_serial_filter_make(model, n, s->serial->place, &filter, s->err);
    if (s->status)
        return (double) NAN;
    memcpy(s->white, s->rows, n * m * sizeof *s->white);
    for (size_t j = 0; j < m; j++)
        cf_serial_filter_apply(&filter, s->at, &s->white[j * n]);
    for (size_t k = 0; k < n; k++)
        log_det += log(cf_serial_filter_variance(&filter, k));
    cf_serial_filter_clear(&filter);
    memset(s->own, 0, m * m * sizeof *s->own);
    cf_triangle_add(s->own, m, s->white, n, n);
    return log_det + best_cost(s);
}

/* ---- the best numbers of a model */

static void put_numbers(struct cf_serial_model *model, const double x[])
{
    for (size_t j = 0; j < model->order; j++)
        model->partial[j] = tanh(x[j]);
    if (model->kind == CF_SERIAL_WHITE_AR)
        model->share = 1 / (1 + exp(-x[model->order]));
}

static double at_numbers(unsigned n, const double x[], double slope[], void *owner)
{
    struct search *s = owner;
    double cost;

    (void) n;
    (void) slope;
    put_numbers(&s->model, x);
    cost = cost_of(s, &s->model);
    return isfinite(cost) ? cost : HUGE_VAL;
}

/* Search from s->model, which becomes the best; *cost is its -2 ln L_R. */
static int refine(struct search *s, double *cost)
{
    struct cf_serial_model *model = &s->model;
    size_t n = cf_serial_parameters(model);
    double *x = calloc(4 * n + 1, sizeof *x), *low = x + n, *high = low + n, *begin = high + n;
    nlopt_opt opt = nlopt_create(n > 1 ? NLOPT_LN_BOBYQA : NLOPT_LN_SBPLX, (unsigned) n);
    double found = 0;
    int status = x && opt ? CF_OK : CF_ENOMEM;

    for (size_t j = 0; j < n && !status; j++) {
        bool share = j == model->order;
        high[j] = share ? most_logit : most_atanh;
        low[j] = model->kind == CF_SERIAL_WHITE_AR && !share ? 0 : -high[j];
        x[j] = share ? log(model->share / (1 - model->share)) : atanh(model->partial[j]);
        x[j] = begin[j] = fmin(fmax(x[j], low[j]), high[j]);
    }
    if (!status &&
        (nlopt_set_min_objective(opt, at_numbers, s) < 0 || nlopt_set_lower_bounds(opt, low) < 0 ||
         nlopt_set_upper_bounds(opt, high) < 0 || nlopt_set_initial_step1(opt, first_step) < 0 ||
         nlopt_set_ftol_abs(opt, search_fall) < 0 || nlopt_set_maxeval(opt, MOST_EVALUATIONS) < 0))
        status = CF_ENOMEM;
    if (!status) {
        *cost = at_numbers((unsigned) n, begin, NULL, s);
        nlopt_optimize(opt, x, &found); /* what it returns is not relied upon: */
        found = at_numbers((unsigned) n, x, NULL, s);
        if (!(found < *cost))
            put_numbers(model, begin);
        *cost = fmin(found, *cost);
    }
    nlopt_destroy(opt);
    free(x);
    return status ? cf_fail(s->err, status, "no memory for the search of a noise model")
                  : s->status;
}

/* ---- candidates */

/* The autoregression of Burg with the order of the least BIC. */
static int begin_ar(struct search *s)
{
    size_t n = s->serial->n, most = s->serial->most;
    double *work = malloc((2 * n + most + 1) * sizeof *work), *power = work ? work + 2 * n : NULL;
    double least = INFINITY;

    if (!work)
        return cf_fail(s->err, CF_ENOMEM, "no memory for the errors of %zu rows", n);
    cf_serial_burg(n, &s->rows[(s->m - 1) * n], s->serial->place, most, s->model.partial, power,
                   work);
    s->model.order = 0;
    for (size_t p = 0; p <= most; p++) {
        double bic = (double) n * log(power[p]) + (double) p * log((double) n);
        if (bic < least) {
            least = bic;
            s->model.order = p;
        }
    }
    s->model.kind = s->model.order ? CF_SERIAL_AR : CF_SERIAL_WHITE;
    free(work);
    return CF_OK;
}

/* White noise beside an autoregression: the likeliest of some. */
static void begin_white_ar(struct search *s)
{
    static const double phi[] = {0.5, 0.9, 0.98, 0.995, 0.999}, share[] = {0.1, 0.4, 0.8};
    double least = INFINITY, best_phi = phi[0], best_share = share[0];

    s->model.kind = CF_SERIAL_WHITE_AR;
    s->model.order = 1;
    for (size_t i = 0; i < sizeof phi / sizeof *phi; i++)
        for (size_t j = 0; j < sizeof share / sizeof *share; j++) {
            double cost;
            s->model.partial[0] = phi[i];
            s->model.share = share[j];
            cost = cost_of(s, &s->model);
            if (cost < least) {
                least = cost;
                best_phi = phi[i];
                best_share = share[j];
            }
        }
    s->model.partial[0] = best_phi;
    s->model.share = best_share;
}

/* Keep s->model in *best where its BIC is the least so far. */
static void keep(struct search *s, double cost, struct cf_serial_model *best, double *least)
{
    double bic = cost + (double) cf_serial_parameters(&s->model) * log((double) s->serial->n);

    if (!(bic < *least))
        return;
    *least = bic;
    memcpy(best->partial, s->model.partial, s->model.order * sizeof *best->partial);
    best->kind = s->model.kind;
    best->order = s->model.order;
    best->share = s->model.share;
}

/* The model of the least BIC; *cost is its -2 ln L_R. */
static int find(struct search *s, struct cf_serial_model *best, double *cost)
{
    double least = INFINITY, here;
    int status;

    s->model.kind = CF_SERIAL_WHITE;
    s->model.order = 0;
    keep(s, cost_of(s, &s->model), best, &least);
    status = begin_ar(s);
    if (!status && s->model.order) {
        here = cost_of(s, &s->model);
        if (s->model.order <= MOST_REFINED)
            status = refine(s, &here);
        keep(s, here, best, &least);
    }
    if (!status) {
        begin_white_ar(s);
        status = refine(s, &here);
    }
    if (!status)
        keep(s, here, best, &least);
    *cost = least - (double) cf_serial_parameters(best) * log((double) s->serial->n);
    return status ? status : s->status;
}

/* ---- of a problem */

static void search_free(struct search *s)
{
    free(s->rows);
    free(s->at);
    free(s->model.partial);
}

/* The rows of a channel out of the raw ones of w, and the triangle of all others, whitened. */
static int search_make(const struct cf_problem *q, const struct cf_serial *serial,
                       struct cf_variance_work *w, struct search *s, struct cf_error *err)
{
    size_t n = serial->n, m = w->columns, all = w->n;
    int status;

    *s = (struct search){.problem = q, .serial = serial, .m = m, .err = err};
    s->rows = calloc(2 * n * m + 5 * m * m + 1, sizeof *s->rows);
    s->at = calloc(n + 1, sizeof *s->at);
    s->model.partial = calloc(serial->most, sizeof *s->model.partial);
    if (!s->rows || !s->at || !s->model.partial)
        return cf_fail(err, CF_ENOMEM, "no memory for the errors of %zu rows", n);
    s->white = s->rows + n * m;
    s->others = s->white + n * m;
    s->own = s->others + m * m;
    s->both = s->own + m * m;
    s->work = s->both + m * m;
    memcpy(w->whitened, w->A, all * m * sizeof *w->A);
    status = cf_whiten(q, w->whitened, m, all, NULL, err);
    for (size_t k = 0; k < n; k++) {
        const struct cf_observation *o = &q->observation[serial->member[k]];
        s->at[k] = k;
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
static int find_again(struct search *s, const struct cf_serial_model *model,
                      struct cf_serial_model *best, double *cost)
{
    double least = INFINITY;
    int status = CF_OK;

    memcpy(s->model.partial, model->partial, model->order * sizeof *model->partial);
    s->model.kind = model->kind;
    s->model.order = model->order;
    s->model.share = model->share;
    *cost = cost_of(s, model);
    if (model->kind != CF_SERIAL_WHITE && model->order <= MOST_REFINED)
        status = refine(s, cost);
    keep(s, *cost, best, &least);
    return status ? status : s->status;
}

static int choose_one(struct cf_problem *q, struct cf_serial *serial, struct cf_variance_work *w,
                      bool same, bool *changed, struct cf_error *err)
{
    struct search s;
    struct cf_serial_model *model = &serial->model;
    struct cf_serial_model best = {.partial = calloc(serial->most, sizeof *best.partial)};
    double before, cost = 0;
    int status = search_make(q, serial, w, &s, err);

    if (!status && !best.partial)
        status = cf_fail(err, CF_ENOMEM, "no memory for a model of %zu numbers", serial->most);
    before = status ? 0 : cost_of(&s, model);
    if (!status)
        status = same ? find_again(&s, model, &best, &cost) : find(&s, &best, &cost);
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
    search_free(&s);
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
