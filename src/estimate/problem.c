#include "estimate/problem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/shared_error.h"

/* Scatter below the accuracy of the predictions cannot be seen. */
static const double model_accuracy = 1e-10;

void cf_problem_free(struct cf_problem *problem)
{
    free(problem->observation);
    free(problem->channel);
    *problem = (struct cf_problem){0};
}

static struct cf_channel *channel_of(struct cf_problem *q, size_t data, size_t column)
{
    for (size_t i = 0; i < q->nchannel; i++)
        if (q->channel[i].data == data && q->channel[i].column == column)
            return &q->channel[i];
    q->channel[q->nchannel] = (struct cf_channel){
        .data = data,
        .column = column,
        .estimated = q->spec->data[data].series[column].kind == CF_SIGMA_ESTIMATE,
    };
    return &q->channel[q->nchannel++];
}

static void observe(struct cf_problem *q, size_t data, size_t row, size_t column)
{
    const struct cf_dataset *d = &q->spec->data[data];
    struct cf_channel *c = channel_of(q, data, column);
    double value = cf_dataset_value(d, row, column);
    double sigma = c->estimated ? 0 : cf_dataset_sigma(d, row, column);

    /* until it is estimated, a tenth of the values' size */
    c->sigma = c->estimated ? fmax(c->sigma, 0.1 * fabs(value)) : hypot(c->sigma, sigma);
    c->floor = fmax(c->floor, model_accuracy * fabs(value));
    c->n++;
    q->observation[q->nobservation++] = (struct cf_observation){
        .data = data,
        .row = row,
        .column = column,
        .channel = (size_t) (c - q->channel),
        .abscissa = d->protocol->abscissa(d, row),
        .value = value,
        .sigma0 = sigma,
        .sigma = sigma,
        .weight = 1,
        .robust = 1,
    };
}

static int collect(struct cf_problem *q, enum cf_row_use use, enum cf_scope scope,
                   struct cf_error *err)
{
    const struct cf_spec *spec = q->spec;
    size_t nobservation = 1, nchannel = 1;

    for (size_t i = 0; i < spec->ndata; i++) {
        nobservation += spec->data[i].nrow * spec->data[i].protocol->nchannel;
        nchannel += spec->data[i].protocol->nchannel;
    }
    q->observation = calloc(nobservation, sizeof *q->observation);
    q->channel = calloc(nchannel, sizeof *q->channel);
    if (!q->observation || !q->channel)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu observations", nobservation);
    for (size_t i = 0; i < spec->ndata; i++) {
        const struct cf_dataset *d = &spec->data[i];
        for (size_t row = 0; row < d->nrow; row++)
            for (size_t j = 0; j < d->protocol->nchannel && d->use[row] == use; j++) {
                const struct cf_channel_row *c = &d->protocol->channel[j];
                if (c->role == CF_ROLE_MEASURED && cf_dataset_has(d, row, j) &&
                    (scope == CF_SCOPE_ALL || cf_channel_common(d->protocol, j)))
                    observe(q, i, row, j);
            }
    }
    for (size_t i = 0; i < q->nobservation; i++) {
        struct cf_observation *o = &q->observation[i];
        if (q->channel[o->channel].estimated)
            o->sigma = q->channel[o->channel].sigma;
    }
    for (size_t i = 0; i < q->nchannel; i++) {
        struct cf_channel *c = &q->channel[i];
        if (!c->estimated)
            c->sigma /= sqrt((double) c->n);
    }
    return CF_OK;
}

int cf_problem_init(struct cf_problem *problem, const struct cf_spec *spec,
                    const struct cf_law *law, struct cf_curves *curves, enum cf_row_use use,
                    enum cf_scope scope, struct cf_error *err)
{
    int status;

    *problem = (struct cf_problem){
        .law = law,
        .spec = spec,
        .curves = curves,
        .loss = cf_loss_make(spec->options.loss, spec->options.loss_scale),
    };
    status = collect(problem, use, scope, err);
    if (!status)
        status = cf_pivot_choose(spec, &problem->pivot_m, err);
    if (status)
        return status;
    status = cf_problem_choose(problem, err);
    problem->nresidual = problem->nobservation + problem->nprior;
    return status ? status : cf_curves_prepare(curves, law, err);
}

/* One observation from the prediction of its row. */
static int pick(const struct cf_problem *q, size_t i, const struct cf_prediction *row,
                const double dp[], double y[], double slope[], double by_imposed[],
                struct cf_error *err)
{
    size_t column = q->observation[i].column, nparam = q->law->nparam;
    const struct cf_protocol *protocol = q->spec->data[q->observation[i].data].protocol;

    if (!(row->known >> column & 1u) || !isfinite(row->value[column]))
        return cf_fail(err, CF_ESOLVE, "%s predicts no %s at %g %s with these parameters",
                       q->law->name, protocol->channel[column].name, q->observation[i].abscissa,
                       protocol->axis.unit);
    y[i] = row->value[column];
    if (by_imposed)
        by_imposed[i] = row->by_imposed[column];
    for (size_t j = 0; slope && j < q->nfree; j++) {
        double sum = 0;
        for (size_t m = 0; m < nparam; m++)
            if (dp[m * q->nfree + j] != 0)
                sum += row->by_param[column][m] * dp[m * q->nfree + j];
        slope[i * q->nfree + j] = sum;
    }
    return CF_OK;
}

/* For a law that is integrated impact by impact: all speeds of data set d in advance. */
static int sweep(const struct cf_problem *q, size_t data, const double p[], bool slopes,
                 struct cf_curves *own, struct cf_error *err)
{
    double *speed = calloc(q->nobservation, sizeof *speed);
    size_t n = 0;
    int status;

    if (!speed)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu speeds", q->nobservation);
    for (size_t i = 0; i < q->nobservation; i++)
        if (q->observation[i].data == data)
            speed[n++] = q->observation[i].abscissa;
    status =
        cf_curves_sweep(own, q->law, p, q->spec->data[data].pair.mass_kg, n, speed, slopes, err);
    free(speed);
    return status;
}

static int predict_with(const struct cf_problem *problem, struct cf_curves *curves, bool sweeps,
                        const double theta[], double y[], double slope[], double by_imposed[],
                        struct cf_error *err)
{
    const struct cf_observation *o = problem->observation;
    double p[CF_MAX_PARAM], dp[CF_MAX_PARAM * CF_MAX_PARAM];
    struct cf_prediction row;
    int status = CF_OK;

    for (size_t i = 0; i < problem->nobservation && !status; i++) {
        const struct cf_dataset *d = &problem->spec->data[o[i].data];
        if (i == 0 || o[i].data != o[i - 1].data)
            status = cf_problem_params(problem, o[i].data, theta, p, dp, err);
        if (!status && sweeps && (i == 0 || o[i].data != o[i - 1].data))
            status = sweep(problem, o[i].data, p, slope || by_imposed, curves, err);
        if (!status && (i == 0 || o[i].data != o[i - 1].data || o[i].row != o[i - 1].row))
            status = cf_predict_row(curves, problem->law, p, d, o[i].row, 0, &row, err);
        if (!status)
            status = pick(problem, i, &row, dp, y, slope, by_imposed, err);
    }
    return status;
}

/* The problem's curves are shared by threads; a sweep at these parameters belongs to this call. */
int cf_problem_predict(const struct cf_problem *problem, const double theta[], double y[],
                       double slope[], double by_imposed[], struct cf_error *err)
{
    struct cf_curves *own;
    int status;

    if (!problem->law->regular)
        return predict_with(problem, problem->curves, false, theta, y, slope, by_imposed, err);
    own = cf_curves_alloc();
    if (!own)
        return cf_fail(err, CF_ENOMEM, "no memory for predictions");
    status = predict_with(problem, own, true, theta, y, slope, by_imposed, err);
    cf_curves_free(own);
    return status;
}

int cf_problem_residuals(const struct cf_problem *problem, const double theta[], double r[],
                         double J[], struct cf_error *err)
{
    size_t n = problem->nobservation, nfree = problem->nfree;
    int status = cf_problem_predict(problem, theta, r, J, NULL, err);

    if (status)
        return status;
    for (size_t i = 0; i < n; i++) {
        const struct cf_observation *o = &problem->observation[i];
        double scale = sqrt(o->weight * o->robust) / o->sigma;
        r[i] = (o->value - r[i]) * scale;
        for (size_t j = 0; J && j < nfree; j++)
            J[i * nfree + j] *= -scale;
    }
    cf_shared_whiten(problem, r, 1);
    for (size_t j = 0; J && j < nfree; j++)
        cf_shared_whiten(problem, &J[j], nfree);
    for (size_t j = 0; j < nfree; j++) {
        const struct cf_unknown *w = &problem->unknown[j];
        if (!w->has_prior)
            continue;
        r[n] = (w->prior - theta[j]) / w->prior_sigma;
        for (size_t m = 0; J && m < nfree; m++)
            J[n * nfree + m] = m == j ? -1 / w->prior_sigma : 0;
        n++;
    }
    return CF_OK;
}
