#include "estimate/serial_model.h"

#include <gsl/gsl_math.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const cf_serial_name[CF_NSERIAL] = {
    [CF_SERIAL_WHITE] = "white", [CF_SERIAL_AR] = "ar", [CF_SERIAL_WHITE_AR] = "white-ar"};

/* A partial autocorrelation stays this far from 1, where rows would determine each other exactly.
 */
static const double least_left = 1e-9;

size_t cf_serial_parameters(const struct cf_serial_model *model)
{
    return model->order + (model->kind == CF_SERIAL_WHITE_AR);
}

/* Predictors of orders 0 to p, p numbers each, and the variances that they leave. */
static void durbin(const double partial[], size_t p, double predictor[], double variance[])
{
    variance[0] = 1;
    for (size_t m = 1; m <= p; m++) {
        const double *last = &predictor[(m - 1) * p], k = partial[m - 1];
        double *here = &predictor[m * p];
        for (size_t j = 0; j + 1 < m; j++)
            here[j] = last[j] - k * last[m - 2 - j];
        here[m - 1] = k;
        variance[m] = variance[m - 1] * (1 - k * k);
    }
}

int cf_serial_coefficients(const struct cf_serial_model *model, double coefficient[],
                           struct cf_error *err)
{
    size_t p = model->order;
    double *predictor = calloc((p + 1) * (p + 1) + 1, sizeof *predictor);

    if (!predictor)
        return cf_fail(err, CF_ENOMEM, "no memory for an autoregression of order %zu", p);
    durbin(model->partial, p, predictor, predictor + (p + 1) * p);
    memcpy(coefficient, &predictor[p * p], p * sizeof *coefficient);
    free(predictor);
    return CF_OK;
}

int cf_serial_from_coefficients(struct cf_serial_model *model, double coefficient[],
                                struct cf_error *err)
{
    for (size_t m = model->order; m > 0; m--) {
        double k = coefficient[m - 1], left = 1 - k * k;
        if (!(left > 0))
            return cf_fail(err, CF_EINPUT, "an autoregression that is not stationary");
        model->partial[m - 1] = k;
        for (size_t j = 0; 2 * j + 2 <= m; j++) { /* the recursion of durbin(), undone in pairs */
            double a = coefficient[j], b = coefficient[m - 2 - j];
            coefficient[j] = (a + k * b) / left;
            coefficient[m - 2 - j] = (b + k * a) / left;
        }
    }
    return CF_OK;
}

/* Of an autoregression: 1 - sum of coefficients is the product of 1 - partial autocorrelation, for
 * a polynomial of order m at 1 is that of order m - 1 times 1 - its last coefficient. */
static double growth_of(const double partial[], size_t p)
{
    double growth = 1;

    for (size_t m = 0; m < p; m++)
        growth *= (1 + partial[m]) / (1 - partial[m]);
    return growth;
}

double cf_serial_growth(const struct cf_serial_model *model)
{
    double growth = growth_of(model->partial, model->order);

    return model->kind == CF_SERIAL_WHITE_AR ? 1 - model->share + model->share * growth : growth;
}

double cf_serial_time(const struct cf_serial_model *model)
{
    return growth_of(model->partial, model->order) / 2;
}

void cf_serial_rescale(const struct cf_serial_model *from, double ratio, struct cf_serial_model *to)
{
    double time = cf_serial_time(from) / ratio, growth = 2 * time;

    to->kind = from->kind == CF_SERIAL_WHITE || !(growth > 1) ? CF_SERIAL_WHITE : from->kind;
    to->order = to->kind != CF_SERIAL_WHITE;
    to->share = from->share;
    to->partial[0] = (growth - 1) / (growth + 1); /* (1 + phi)/(1 - phi) is the growth */
}

/* ---- the filter */

void cf_serial_filter_clear(struct cf_serial_filter *filter)
{
    free(filter->predictor);
    *filter = (struct cf_serial_filter){0};
}

static void make_kalman(const struct cf_serial_model *model, struct cf_serial_filter *f)
{
    double slow = model->share, white = 1 - slow, before = 0;

    f->phi = model->partial[0];
    for (size_t k = 0; k < f->n; k++) {
        double known = f->place[k] == 0 ? slow : before; /* variance of the slow part */
        f->variance[k] = known + white;
        f->gain[k] = known / f->variance[k];
        before = gsl_pow_2(f->phi) * known * (1 - f->gain[k]) + slow * (1 - gsl_pow_2(f->phi));
    }
}

int cf_serial_filter_make(const struct cf_serial_model *model, size_t n, const uint32_t place[],
                          struct cf_serial_filter *filter, struct cf_error *err)
{
    size_t p = model->order, rows = model->kind == CF_SERIAL_WHITE_AR ? n : 0;

    *filter = (struct cf_serial_filter){.kind = model->kind, .n = n, .order = p, .place = place};
    filter->predictor = calloc((p + 1) * (p + 1) + 2 * rows + 1, sizeof *filter->predictor);
    if (!filter->predictor)
        return cf_fail(err, CF_ENOMEM, "no memory for the errors of %zu rows", n);
    filter->variance = filter->predictor + (p + 1) * p;
    filter->gain = filter->variance + rows;
    if (model->kind == CF_SERIAL_WHITE_AR)
        make_kalman(model, filter);
    else
        durbin(model->partial, p, filter->predictor, filter->variance);
    return CF_OK;
}

static size_t order_at(const struct cf_serial_filter *f, size_t k)
{
    return f->place[k] < f->order ? f->place[k] : f->order;
}

double cf_serial_filter_variance(const struct cf_serial_filter *filter, size_t k)
{
    return filter->variance[filter->kind == CF_SERIAL_WHITE_AR ? k : order_at(filter, k)];
}

static void apply_kalman(const struct cf_serial_filter *f, const size_t at[], double x[])
{
    double slow = 0;

    for (size_t k = 0; k < f->n; k++) {
        double *here = &x[at[k]], left;
        slow = f->place[k] == 0 ? 0 : slow;
        left = *here - slow;
        slow = f->phi * (slow + f->gain[k] * left);
        *here = left / sqrt(f->variance[k]);
    }
}

void cf_serial_filter_apply(const struct cf_serial_filter *filter, const size_t at[], double x[])
{
    const struct cf_serial_filter *f = filter;

    if (f->kind == CF_SERIAL_WHITE_AR) {
        apply_kalman(f, at, x);
        return;
    }
    /* from the end, so that those before are as they were */
    for (size_t k = f->n; k-- > 0;) {
        size_t m = order_at(f, k);
        const double *c = &f->predictor[m * f->order];
        double left = x[at[k]];
        for (size_t j = 0; j < m; j++)
            left -= c[j] * x[at[k - 1 - j]];
        x[at[k]] = left / sqrt(f->variance[m]);
    }
}

void cf_serial_filter_draw(const struct cf_serial_filter *filter, double (*normal)(void *owner),
                           void *owner, double e[])
{
    const struct cf_serial_filter *f = filter;
    double slow = 0;

    for (size_t k = 0; k < f->n; k++) {
        double fresh = sqrt(cf_serial_filter_variance(f, k)) * normal(owner);
        size_t m = f->kind == CF_SERIAL_WHITE_AR ? 0 : order_at(f, k);
        e[k] = fresh;
        for (size_t j = 0; j < m; j++)
            e[k] += f->predictor[m * f->order + j] * e[k - 1 - j];
        if (f->kind != CF_SERIAL_WHITE_AR)
            continue;
        slow = f->place[k] == 0 ? 0 : slow;
        e[k] += slow;
        slow = f->phi * (slow + f->gain[k] * fresh);
    }
}

void cf_serial_burg(size_t n, const double e[], const uint32_t place[], size_t most,
                    double partial[], double power[], double work[])
{
    double *ahead = work, *back = work + n, sum = 0;

    for (size_t k = 0; k < n; k++) {
        ahead[k] = back[k] = e[k];
        sum += e[k] * e[k] / (double) n;
    }
    power[0] = sum;
    for (size_t m = 1; m <= most; m++) {
        double product = 0, squares = 0, most_partial = 1 - least_left;
        for (size_t k = m; k < n; k++)
            if (place[k] >= m) {
                product += ahead[k] * back[k - 1];
                squares += ahead[k] * ahead[k] + back[k - 1] * back[k - 1];
            }
        partial[m - 1] = squares > 0 ? 2 * product / squares : 0;
        partial[m - 1] = fmin(fmax(partial[m - 1], -most_partial), most_partial);
        power[m] = power[m - 1] * (1 - gsl_pow_2(partial[m - 1]));
        for (size_t k = n - 1; k >= m; k--) {
            double before = back[k - 1];
            if (place[k] < m)
                continue;
            back[k] = before - partial[m - 1] * ahead[k];
            ahead[k] -= partial[m - 1] * before;
        }
    }
}
