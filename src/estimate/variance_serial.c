/* The numbers of models of errors that follow each other, among what is estimated of the noise:
 * they make intervals wider and their degrees of freedom fewer, as variances do. */

#include <gsl/gsl_math.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/serial.h"
#include "estimate/serial_search.h"
#include "estimate/variance_work.h"

/* Differences of a number as it is looked for, whose standard deviation is about n^(-1/2). */
static const double difference = 0.01;

static size_t numbers_of(const struct cf_serial *s)
{
    size_t n = cf_serial_parameters(&s->model);
    return n <= CF_MOST_REFINED ? n : 0;
}

size_t cf_variance_numbers(const struct cf_problem *q)
{
    size_t n = 0;

    for (size_t s = 0; s < q->nserial; s++)
        n += numbers_of(&q->serial[s]);
    return n;
}

/* V[n * n] of one channel's numbers, by its residuals. */
static int find_spread(const struct cf_variance_work *w, const struct cf_serial *serial, double V[],
                       struct cf_error *err)
{
    const struct cf_serial_model *model = &serial->model;
    struct cf_serial_search s = {
        .estimated = w->problem.channel[serial->channel].estimated,
        .n = serial->n,
        .most = serial->most,
        .place = serial->place,
        .m = 1,
    };
    int status = cf_serial_search_room(&s, err);

    for (size_t k = 0; k < serial->n && !status; k++)
        s.rows[k] = w->A[(w->columns - 1) * w->n + serial->member[k]] /
                    w->problem.observation[serial->member[k]].sigma;
    if (!status) {
        memcpy(s.model.partial, model->partial, model->order * sizeof *model->partial);
        s.model.kind = model->kind;
        s.model.order = model->order;
        s.model.share = model->share;
        status = cf_serial_spread(&s, V);
    }
    cf_serial_search_clear(&s);
    return status;
}

/* The place of the sigma^2 of a channel among the variances; nvariance: it is given, or several. */
static size_t sigma_of(const struct cf_variance_work *w, size_t channel)
{
    for (size_t k = 0; k < w->nvariance; k++)
        if (w->part[k].kind == CF_VARIANCE_SIGMA && w->part[k].index == channel)
            return k;
    return w->nvariance;
}

/* C with a channel's numbers at x[], and sigma where it is at its best with them. */
static int covariance_at(struct cf_variance_work *w, const struct cf_rank *rank, size_t s,
                         const double x[], double square, double half[], double C[],
                         struct cf_error *err)
{
    struct cf_serial *serial = &w->problem.serial[s];
    size_t k = sigma_of(w, serial->channel);
    double v = k < w->nvariance ? w->v[k] : 0;
    struct cf_variance_value value;
    int status;

    cf_serial_put_numbers(&serial->model, x);
    status = cf_variance_evaluate(w, w->v, &value, err);
    if (!status && k < w->nvariance) {
        w->v[k] *= 1 + (value.square - square) / fmax((double) (serial->n - rank->rank), 1);
        status = cf_variance_evaluate(w, w->v, &value, err);
        w->v[k] = v;
    }
    if (!status)
        cf_variance_covariance(w, rank, half, C);
    return status;
}

/* One channel: its numbers stand from `from` on. x[n] is where they are. */
static int put_channel(struct cf_variance_work *w, const struct cf_rank *rank, size_t s,
                       size_t from, double x[], double room[], struct cf_variances *out,
                       struct cf_error *err)
{
    size_t n = numbers_of(&w->problem.serial[s]), size = rank->n * rank->n;
    double *here = room, *up = here + size, *down = up + size, *half = down + size;
    struct cf_variance_value value;
    int status = cf_variance_evaluate(w, w->v, &value, err);

    if (!status)
        cf_variance_covariance(w, rank, half, here);
    for (size_t k = 0; k < n && !status; k++) {
        double by = out->covariance[(from + k) * out->n + from + k] / gsl_pow_2(difference);
        double at = x[k];
        x[k] = at + difference;
        status = covariance_at(w, rank, s, x, value.square, half, up, err);
        x[k] = at - difference;
        if (!status)
            status = covariance_at(w, rank, s, x, value.square, half, down, err);
        x[k] = at;
        for (size_t i = 0; i < size && !status; i++) {
            out->slope[(from + k) * size + i] = (up[i] - down[i]) / (2 * difference);
            out->more[i] -= by * (up[i] + down[i] - 2 * here[i]);
        }
    }
    cf_serial_put_numbers(&w->problem.serial[s].model, x);
    return status;
}

int cf_variance_serial(struct cf_variance_work *w, const struct cf_rank *rank, double room[],
                       struct cf_variances *out, struct cf_error *err)
{
    double x[CF_MOST_REFINED], V[CF_MOST_REFINED * CF_MOST_REFINED];
    size_t from = out->n - cf_variance_numbers(&w->problem);
    int status = CF_OK;

    for (size_t s = 0; s < w->problem.nserial && !status; s++) {
        size_t n = numbers_of(&w->problem.serial[s]);
        if (n == 0)
            continue;
        status = find_spread(w, &w->problem.serial[s], V, err);
        for (size_t k = 0; k < n && !status; k++)
            for (size_t l = 0; l < n; l++)
                out->covariance[(from + k) * out->n + from + l] = V[k * n + l];
        cf_serial_numbers(&w->problem.serial[s].model, x);
        if (!status)
            status = put_channel(w, rank, s, from, x, room, out, err);
        from += n;
    }
    return status;
}
