/* New rows of a record whose errors follow each other. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/serial.h"
#include "identify/validation.h"

/* Rows that lie as far apart as those of the fit, within this share of it, have its model as it is;
 * of others an autoregression of order 1 has its memory. */
static const double same_step = 0.05;

static const struct cf_model_channel *fitted_channel(const struct cf_validation *v, size_t channel)
{
    const struct cf_channel *c = &v->problem.channel[channel];
    return cf_model_channel_of(v->model, v->set[c->data].data, c->column);
}

/* Put the fit's model on a channel of the problem, for the step that its rows have. */
static int put_model(struct cf_validation *v, size_t channel, const struct cf_model_channel *fit,
                     struct cf_error *err)
{
    struct cf_problem *q = &v->problem;
    int status = cf_serial_append(q, channel, &fit->serial, err);
    struct cf_serial *s = &q->serial[q->nserial - 1];
    double ratio = status ? 1 : s->step_s / fit->serial_step_s;

    if (!status && fabs(ratio - 1) > same_step) /* NAN: no clock, and rows are what is counted */
        cf_serial_rescale(&fit->serial, ratio, &s->model);
    return status;
}

int cf_validate_whiten(struct cf_validation *v, struct cf_error *err)
{
    struct cf_problem *q = &v->problem;
    size_t n = q->nobservation, nfree = v->model->problem.nfree;
    int status;

    v->white = calloc((1 + nfree) * n + 1, sizeof *v->white);
    if (!v->white)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu rows", n);
    for (size_t i = 0; i < n; i++) {
        const struct cf_observation *o = &q->observation[i];
        v->white[i] = (o->value - v->predicted[i].value) / o->sigma;
        for (size_t j = 0; j < nfree; j++)
            v->white[(1 + j) * n + i] = v->gradient[i * nfree + j] / o->sigma;
    }
    cf_serial_free(q); /* rows may have been dropped since */
    status = cf_serial_make(q, NULL, 0, err);
    q->nserial = 0;
    for (size_t c = 0; c < q->nchannel && !status; c++) {
        const struct cf_model_channel *fit = fitted_channel(v, c);
        if (!fit || fit->serial.kind == CF_SERIAL_WHITE || !q->channel[c].n)
            continue;
        status = put_model(v, c, fit, err);
    }
    return status ? status : cf_serial_whiten(q, v->white, 1 + nfree, n, NULL, err);
}
