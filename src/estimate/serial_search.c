#include "estimate/serial_search.h"

#include <gsl/gsl_math.h>
#include <math.h>
#include <nlopt.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/triangle.h"

/* A search ends at less, within so many evaluations. */
static const double search_fall = 1e-3;
enum { MOST_EVALUATIONS = 400 };

/* Transformed: atanh of a partial autocorrelation, logit of a share; no data determine values
 * beyond these. */
static const double most_atanh = 7, most_logit = 7, first_step = 0.1;

/* sigma's factor is looked for within these, in steps of the golden section. */
static const double widest_factor = 2;
enum { GOLDEN_STEPS = 40 };

int cf_serial_search_room(struct cf_serial_search *s, struct cf_error *err)
{
    size_t n = s->n, m = s->m;

    s->rows = calloc(2 * n * m + 5 * m * m + 1, sizeof *s->rows);
    s->at = calloc(n + 1, sizeof *s->at);
    s->model.partial = calloc(s->most + 1, sizeof *s->model.partial);
    if (!s->rows || !s->at || !s->model.partial)
        return cf_fail(err, CF_ENOMEM, "no memory for the errors of %zu rows", n);
    s->white = s->rows + n * m;
    s->others = s->white + n * m;
    s->own = s->others + m * m;
    s->both = s->own + m * m;
    s->work = s->both + m * m;
    for (size_t k = 0; k < n; k++)
        s->at[k] = k;
    s->alone = true;
    s->fall = search_fall;
    s->most_evaluations = MOST_EVALUATIONS;
    s->err = err;
    return CF_OK;
}

void cf_serial_search_clear(struct cf_serial_search *s)
{
    free(s->rows);
    free(s->at);
    free(s->model.partial);
}

/* ---- -2 ln L_R of a model */

/* Of the triangle that the channel's rows have with sigma times `factor`, and all others. */
static double joint_cost(const struct cf_serial_search *s, double factor)
{
    size_t m = s->m;
    double cost = 2 * (double) s->n * log(factor);

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
static double best_cost(const struct cf_serial_search *s)
{
    double n = (double) s->n, dof = fmax(n - (double) (s->m - 1), 1);
    double factor = fabs(s->own[s->m * s->m - 1]) / sqrt(dof);
    double low, high;

    if (!s->estimated)
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
double cf_serial_cost(struct cf_serial_search *s, const struct cf_serial_model *model)
{
    size_t n = s->n, m = s->m;
    struct cf_serial_filter filter;
    double log_det = 0;

    if (cf_status_ends(s->status))
        return (double) NAN;
    s->status = cf_serial_filter_make(model, n, s->place, &filter, s->err);
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

void cf_serial_put_numbers(struct cf_serial_model *model, const double x[])
{
    for (size_t j = 0; j < model->order; j++)
        model->partial[j] = tanh(x[j]);
    if (model->kind == CF_SERIAL_WHITE_AR)
        model->share = 1 / (1 + exp(-x[model->order]));
}

/* Within the ends of what is looked at. */
void cf_serial_numbers(const struct cf_serial_model *model, double x[])
{
    for (size_t j = 0; j < model->order; j++)
        x[j] = fmin(fmax(atanh(model->partial[j]), -most_atanh), most_atanh);
    if (model->kind == CF_SERIAL_WHITE_AR) {
        x[0] = fmax(x[0], 0);
        x[1] = fmin(fmax(log(model->share / (1 - model->share)), -most_logit), most_logit);
    }
}

static double at_numbers(unsigned n, const double x[], double slope[], void *owner)
{
    struct cf_serial_search *s = owner;
    double cost;

    (void) n;
    (void) slope;
    cf_serial_put_numbers(&s->model, x);
    cost = cf_serial_cost(s, &s->model);
    return isfinite(cost) ? cost : HUGE_VAL;
}

/* Search from s->model, which becomes the best; *cost is its -2 ln L_R. */
int cf_serial_refine(struct cf_serial_search *s, double *cost)
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
    }
    if (!status) {
        cf_serial_numbers(model, x);
        memcpy(begin, x, n * sizeof *x);
    }
    if (!status &&
        (nlopt_set_min_objective(opt, at_numbers, s) < 0 || nlopt_set_lower_bounds(opt, low) < 0 ||
         nlopt_set_upper_bounds(opt, high) < 0 || nlopt_set_initial_step1(opt, first_step) < 0 ||
         nlopt_set_ftol_abs(opt, s->fall) < 0 || nlopt_set_maxeval(opt, s->most_evaluations) < 0))
        status = CF_ENOMEM;
    if (!status) {
        *cost = at_numbers((unsigned) n, begin, NULL, s);
        nlopt_optimize(opt, x, &found); /* what it returns is not relied upon: */
        found = at_numbers((unsigned) n, x, NULL, s);
        if (!(found < *cost))
            cf_serial_put_numbers(model, begin);
        *cost = fmin(found, *cost);
    }
    nlopt_destroy(opt);
    free(x);
    return status ? cf_fail(s->err, status, "no memory for the search of a noise model")
                  : s->status;
}

/* ---- candidates */

/* The autoregression of Burg with the order of the least BIC. */
static int begin_ar(struct cf_serial_search *s)
{
    size_t n = s->n, most = s->most;
    double *work = malloc((2 * n + most + 1) * sizeof *work), *power = work ? work + 2 * n : NULL;
    double least = INFINITY;

    if (!work)
        return cf_fail(s->err, CF_ENOMEM, "no memory for the errors of %zu rows", n);
    cf_serial_burg(n, &s->rows[(s->m - 1) * n], s->place, most, s->model.partial, power, work);
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
static void begin_white_ar(struct cf_serial_search *s)
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
            cost = cf_serial_cost(s, &s->model);
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
void cf_serial_keep(struct cf_serial_search *s, double cost, struct cf_serial_model *best,
                    double *least)
{
    double bic = cost + (double) cf_serial_parameters(&s->model) * log((double) s->n);

    if (!(bic < *least))
        return;
    *least = bic;
    memcpy(best->partial, s->model.partial, s->model.order * sizeof *best->partial);
    best->kind = s->model.kind;
    best->order = s->model.order;
    best->share = s->model.share;
}

/* The model of the least BIC; *cost is its -2 ln L_R. */
int cf_serial_find(struct cf_serial_search *s, struct cf_serial_model *best, double *cost)
{
    double least = INFINITY, here;
    int status;

    s->model.kind = CF_SERIAL_WHITE;
    s->model.order = 0;
    cf_serial_keep(s, cf_serial_cost(s, &s->model), best, &least);
    status = begin_ar(s);
    if (!status && s->model.order) {
        here = cf_serial_cost(s, &s->model);
        if (s->model.order <= CF_MOST_REFINED)
            status = cf_serial_refine(s, &here);
        cf_serial_keep(s, here, best, &least);
    }
    if (!status) {
        begin_white_ar(s);
        status = cf_serial_refine(s, &here);
    }
    if (!status)
        cf_serial_keep(s, here, best, &least);
    *cost = least - (double) cf_serial_parameters(best) * log((double) s->n);
    return status ? status : s->status;
}
