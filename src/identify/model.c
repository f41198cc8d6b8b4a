#define _POSIX_C_SOURCE 200809L

#include "identify/model.h"

#include <gsl/gsl_math.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/nearest.h"
#include "core/text.h"
#include "judge/interval.h"
#include "law/radius.h"

/* A gradient with a component along a null direction below this, relative to its size, does not
 * depend on it: derivatives are right to 1e-9, null directions to 1e-8. */
static const double lean = 1e-5;

void cf_model_free(struct cf_model *model)
{
    if (!model)
        return;
    for (size_t i = 0; i < model->spec.ndata; i++)
        cf_dataset_clear(&model->spec.data[i]);
    free(model->spec.data);
    for (size_t i = 0; i < model->nchannel; i++) {
        free(model->channel[i].share);
        free(model->channel[i].of);
        free(model->channel[i].serial.partial);
    }
    cf_problem_free(&model->problem);
    for (size_t i = 0; i < model->nrig; i++)
        cf_rig_free(model->rig[i]);
    free(model->rig);
    cf_contact_laws_clear(&model->made);
    free(model->theta);
    free(model->covariance);
    free(model->null);
    free(model->dead);
    free(model->differ);
    free(model->differ_dof);
    free(model->channel);
    free(model->path);
    free(model->title);
    free(model->status);
    free(model->verdict);
    free(model->reasons);
    free(model->fitted);
    cf_references_free(model->reference, model->nreference);
    free(model);
}

int cf_model_data(const struct cf_model *model, const char *name, size_t *data,
                  struct cf_error *err)
{
    const char **known, *nearest;
    char shown[CF_SHOWN], list[512], other[CF_SHOWN];
    size_t n = model->spec.ndata;

    for (*data = 0; name && *data < n; (*data)++)
        if (strcmp(model->spec.data[*data].name, name) == 0)
            return CF_OK;
    if (!name)
        return CF_OK;
    known = calloc(n + 1, sizeof *known);
    if (!known)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu names", n);
    for (size_t i = 0; i < n; i++)
        known[i] = model->spec.data[i].name;
    nearest = cf_nearest(name, known, n);
    cf_join_some(list, sizeof list, known, n);
    free(known);
    if (nearest)
        return cf_fail(err, CF_EUSAGE, "no data set %s in %s: did you mean %s?",
                       cf_show(name, shown), model->path, cf_show(nearest, other));
    return cf_fail(err, CF_EUSAGE, "no data set %s in %s: it has %s", cf_show(name, shown),
                   model->path, list);
}

static int scale_radius(const struct cf_model *model, double from, double to, double p[],
                        double slope[], struct cf_error *err)
{
    size_t n = model->problem.nfree;
    double factor[CF_MAX_PARAM];
    int status = cf_radius_factors(model->law, p, from, to, factor, err);

    for (size_t i = 0; i < model->law->nparam && !status; i++) {
        p[i] *= factor[i];
        for (size_t j = 0; j < n && slope; j++)
            slope[i * n + j] *= factor[i];
    }
    return status;
}

int cf_model_params(const struct cf_model *model, size_t data, double radius_m, double p[],
                    double slope[], struct cf_error *err)
{
    int status = cf_problem_params(&model->problem, data, model->theta, p, slope, err);
    return status
               ? status
               : scale_radius(model, model->spec.data[data].pair.radius_m, radius_m, p, slope, err);
}

/* Is a value with this gradient independent of all that the data do not identify? */
static bool is_identified(const struct cf_model *model, const double g[])
{
    for (size_t i = 0; i < model->problem.nfree; i++)
        if (model->dead[i] && g[i] != 0)
            return false;
    for (size_t k = 0; k < model->nnull; k++) {
        double dot = 0, size = 0;
        for (size_t i = 0; i < model->problem.nfree; i++) {
            dot += g[i] * model->null[k * model->problem.nfree + i];
            size += fabs(g[i] * model->null[k * model->problem.nfree + i]);
        }
        if (fabs(dot) > lean * size)
            return false;
    }
    return true;
}

/* The request's values at a data set's parameters, and their slopes by theta. */
static int model_values(const struct cf_model *model, size_t data, const struct cf_dataset *d,
                        double value[], double slope[], struct cf_error *err)
{
    size_t nparam = model->law->nparam;

    for (size_t i = 0; i < d->protocol->napparatus; i++)
        value[nparam + i] = d->apparatus[i];
    for (size_t i = 0; i < d->protocol->nstart; i++)
        value[nparam + d->protocol->napparatus + i] = d->protocol->start[i].typical;
    return cf_model_params(model, data, d->pair.radius_m, value, slope, err);
}

/* Distinct rows and channels of the wanted cells: one request for all of them. */
struct grid {
    size_t nrow, *row, nchannel, *channel, *at; /* at[channel of the protocol]: its place */
};

static int compare_sizes(const void *a, const void *b)
{
    const size_t *s = a, *t = b;
    return (*s > *t) - (*s < *t);
}

static size_t distinct(size_t n, size_t list[])
{
    size_t kept = 0;

    qsort(list, n, sizeof *list, compare_sizes);
    for (size_t i = 0; i < n; i++)
        if (!kept || list[kept - 1] != list[i])
            list[kept++] = list[i];
    return kept;
}

/* grid->row has room for all of them. */
static void make_grid(struct grid *grid, size_t n, const size_t row[], const size_t channel[])
{
    memcpy(grid->row, row, n * sizeof *row);
    memcpy(grid->channel, channel, n * sizeof *channel);
    grid->nrow = distinct(n, grid->row);
    grid->nchannel = distinct(n, grid->channel);
    for (size_t i = 0; i < grid->nchannel; i++)
        grid->at[grid->channel[i]] = i;
}

/* One prediction of the response, with its slopes by theta. */
static void take(const struct cf_model *model, const double by_value[], const double slope[],
                 struct cf_model_prediction *out)
{
    size_t n = model->problem.nfree;

    out->known = isfinite(out->value);
    for (size_t j = 0; j < n && out->known; j++) {
        out->gradient[j] = 0;
        for (size_t i = 0; i < model->law->nparam; i++)
            if (slope[i * n + j] != 0)
                out->gradient[j] += by_value[i] * slope[i * n + j];
    }
    out->identified = out->known && is_identified(model, out->gradient);
}

static int predict_grid(const struct cf_model *model, struct cf_curves *curves, size_t data,
                        const struct cf_dataset *d, struct grid *grid, size_t ncell,
                        const size_t row[], const size_t channel[],
                        struct cf_model_prediction out[], struct cf_error *err)
{
    size_t n = model->problem.nfree, nparam = model->law->nparam;
    size_t cells = grid->nrow * grid->nchannel;
    size_t nvalue = nparam + d->protocol->napparatus + d->protocol->nstart, by[CF_MAX_PARAM];
    double *value = calloc(nvalue + nparam * n + cells * (nparam + 2) + 1, sizeof *value);
    double *slope = value + nvalue, *y = slope + nparam * n, *by_imposed = y + cells;
    double *by_value = by_imposed + cells;
    struct cf_request request = {.data = d,
                                 .law = model->law,
                                 .value = value,
                                 .nrow = grid->nrow,
                                 .row = grid->row,
                                 .nchannel = grid->nchannel,
                                 .channel = grid->channel,
                                 .nby = nparam,
                                 .by = by};
    struct cf_response response = {y, by_value, by_imposed};
    int status = value ? model_values(model, data, d, value, slope, err)
                       : cf_fail(err, CF_ENOMEM, "no memory for %zu predictions", cells);

    for (size_t i = 0; i < nparam; i++)
        by[i] = i;
    if (!status)
        status = cf_protocol_predict(curves, &request, &response, err);
    for (size_t i = 0; i < ncell && !status; i++) {
        const size_t *found =
            bsearch(&row[i], grid->row, grid->nrow, sizeof *grid->row, compare_sizes);
        size_t cell = (size_t) (found - grid->row) * grid->nchannel + grid->at[channel[i]];
        out[i].value = y[cell];
        out[i].by_imposed = by_imposed[cell];
        take(model, &by_value[cell * nparam], slope, &out[i]);
    }
    free(value);
    return status;
}

int cf_model_predict(const struct cf_model *model, struct cf_curves *curves, size_t data,
                     const struct cf_dataset *d, size_t n, const size_t row[],
                     const size_t channel[], struct cf_model_prediction out[], struct cf_error *err)
{
    size_t *room = calloc(2 * n + d->protocol->nchannel + 1, sizeof *room);
    struct grid grid = {.row = room, .channel = room + n, .at = room + 2 * n};
    int status = CF_OK;

    if (!room)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu predictions", n);
    if (n) {
        make_grid(&grid, n, row, channel);
        status = predict_grid(model, curves, data, d, &grid, n, row, channel, out, err);
    }
    free(room);
    return status;
}

static double quadratic(const double m[], const double g[], size_t n)
{
    double sum = 0;
    for (size_t a = 0; a < n; a++)
        for (size_t b = 0; b < n; b++)
            sum += g[a] * m[a * n + b] * g[b];
    return sum;
}

double cf_model_variance(const struct cf_model *model, const double gradient[])
{
    double sum = quadratic(model->covariance, gradient, model->problem.nfree);

    for (size_t i = 0; i < model->problem.nfree && model->of_new_group; i++)
        sum += gradient[i] * gradient[i] * model->differ[i];
    return sum;
}

/* Satterthwaite: an estimated sigma counts with its degrees of freedom, a stated one as exact. */
double cf_model_dof(const struct cf_model *model, const double gradient[], double variance,
                    const struct cf_model_channel *channel)
{
    double total = cf_model_variance(model, gradient) + variance, denominator = 0;

    for (size_t c = 0; c < model->nchannel; c++) {
        const struct cf_model_channel *ch = &model->channel[c];
        double share = quadratic(ch->share, gradient, model->problem.nfree);
        if (ch == channel)
            share += variance;
        if (ch->estimated)
            denominator += share * share / fmax(ch->dof, 0.5);
    }
    for (size_t i = 0; i < model->problem.nfree && model->of_new_group; i++)
        denominator += gsl_pow_2(gradient[i] * gradient[i] * model->differ[i]) /
                       fmax(model->differ_dof[i], 0.5);
    return denominator > 0 ? total * total / denominator : (double) INFINITY;
}

double cf_model_half_width(const struct cf_model *model, const double gradient[], double variance,
                           const struct cf_model_channel *channel)
{
    return cf_t_quantile(model->spec.options.level,
                         cf_model_dof(model, gradient, variance, channel)) *
           sqrt(cf_model_variance(model, gradient) + variance);
}

const struct cf_model_channel *cf_model_channel_of(const struct cf_model *model, size_t data,
                                                   size_t column)
{
    const struct cf_model_channel *any = NULL;

    for (size_t c = 0; c < model->nchannel; c++) {
        if (model->channel[c].column != column)
            continue;
        if (model->channel[c].of[data])
            return &model->channel[c];
        any = any ? any : &model->channel[c];
    }
    return any;
}

double cf_model_sigma(const struct cf_model_channel *channel, double sigma, double y)
{
    return hypot(hypot(sigma, channel->shared), channel->gain * y);
}

double cf_model_own_sigma(const struct cf_model_channel *channel, double abscissa, double floor,
                          double imposed, double y)
{
    double sigma = hypot(channel->base, floor);

    if (channel->slope > 0)
        sigma = hypot(sigma, channel->slope * pow(fabs(abscissa), channel->exponent));
    if (channel->imposed > 0)
        sigma = hypot(sigma, imposed != 0 ? imposed : channel->imposed);
    return cf_model_sigma(channel, sigma, y);
}
