/* What a fit takes the errors of its rows to be: who shares them. */

#include <gsl/gsl_math.h>
#include <math.h>
#include <stdlib.h>

#include "document/fit_json.h"
#include "estimate/effects.h"
#include "estimate/records.h"
#include "estimate/serial.h"

static const char *const origin_text[] = {
    [CF_GROUPS_ABSENT] = "silent",       [CF_GROUPS_STATED] = "stated",
    [CF_GROUPS_BY_RECORD] = "by record", [CF_GROUPS_BY_PLACE] = "by place",
    [CF_GROUPS_DENIED] = "none",
};

static const char *const of_text[] = {
    [CF_GROUPS_SHIFT] = "shift",
    [CF_GROUPS_SHARE] = "reading",
    [CF_GROUPS_PARAMETER] = "parameter",
};

static json_t *effect_json(const struct cf_fit *fit, size_t i)
{
    const struct cf_problem *q = &fit->optimum.problem;
    const struct cf_effect *e = &q->effect[i];
    json_t *j = json_object();
    double low, high;

    cf_tau_interval(&fit->optimum.variances, i, q->spec->options.level, &low, &high);

    cf_json_put(&j, "level", cf_json_shown(q->spec->grouping.level[e->level].name));
    cf_json_put(&j, "of", json_string(of_text[e->of]));
    if (e->of != CF_GROUPS_PARAMETER)
        cf_json_put(&j, "protocol", json_string(e->protocol->name));
    cf_json_put(&j, e->of == CF_GROUPS_PARAMETER ? "parameter" : "channel",
                json_string(cf_effect_name(q, e)));
    cf_json_put(&j, "unit", json_string(cf_effect_unit(q, e)));
    cf_json_put(&j, "relative", json_boolean(cf_effect_is_relative(q, e)));
    cf_json_put(&j, "groups", json_integer((json_int_t) e->ngroup));
    cf_json_put(&j, "rows", json_integer((json_int_t) e->first[e->ngroup]));
    cf_json_put(&j, "identified", json_boolean(e->identified));
    cf_json_put(&j, "sigma",
                cf_json_number(e->identified ? sqrt(fmax(e->variance, 0)) : (double) NAN));
    cf_json_put(&j, "low", cf_json_number(e->identified ? low : (double) NAN));
    cf_json_put(&j, "high", cf_json_number(e->identified ? high : (double) NAN));
    return j;
}

/* Columns whose errors in the same rows go together. */
static json_t *correlated_json(const struct cf_problem *q)
{
    json_t *all = json_array();

    for (size_t i = 0; i < q->nchannel; i++) {
        const struct cf_channel *c = &q->channel[i], *other;
        const struct cf_dataset *d = &q->spec->data[c->data];
        if (c->partner == CF_NO_CHANNEL)
            continue;
        other = &q->channel[c->partner];
        cf_json_add(&all, json_pack("{s:s,s:s,s:s,s:o}", "data",
                                    cf_channel_sets(q, i) > 1 ? "all" : d->name, "channel",
                                    d->protocol->channel[c->column].name, "with",
                                    d->protocol->channel[other->column].name, "correlation",
                                    cf_json_number(c->covariance / (c->sigma * other->sigma))));
    }
    return all;
}

/* The root mean square of the stated sigmas of records. */
static double stated(const struct cf_dataset *d, size_t channel)
{
    double sum = 0, n = 0;

    for (size_t row = 0; row < d->nrow; row++)
        if (d->use[row] != CF_ROW_EXCLUDED && cf_dataset_has(d, row, channel)) {
            sum += gsl_pow_2(cf_dataset_sigma(d, row, channel));
            n++;
        }
    return sqrt(sum / n);
}

/* Records whose errors neighbouring rows share. */
static json_t *records_json(const struct cf_problem *q)
{
    json_t *all = json_array();

    for (size_t i = 0; i < q->nrecord; i++) {
        const struct cf_record *r = &q->record[i];
        const struct cf_dataset *d = &q->spec->data[r->data];
        size_t channel = d->protocol->recording->record;
        double sigma = r->estimated ? sqrt(fmax(r->variance, 0)) : stated(d, channel);
        bool known = !r->estimated || r->identified;
        cf_json_add(&all, json_pack("{s:s,s:s,s:s,s:s,s:b,s:o}", "data", d->name, "record",
                                    d->protocol->channel[channel].name, "unit",
                                    d->protocol->channel[channel].unit, "sigma_kind",
                                    r->estimated ? "estimated" : "given", "identified", known,
                                    "sigma", cf_json_number(known ? sigma : (double) NAN)));
    }
    return all;
}

/* Of dense channels: how errors follow each other. */
static int serial_json(const struct cf_problem *q, const struct cf_serial *s, json_t **all,
                       struct cf_error *err)
{
    const struct cf_channel *c = &q->channel[s->channel];
    const struct cf_dataset *d = &q->spec->data[c->data];
    double *coefficient = calloc(s->model.order + 1, sizeof *coefficient), runs = 0;
    json_t *j = json_object(), *list = json_array();
    int status = coefficient ? cf_serial_coefficients(&s->model, coefficient, err)
                             : cf_fail(err, CF_ENOMEM, "no memory for a noise model");

    for (size_t k = 0; k < s->n; k++)
        runs += s->place[k] == 0;
    for (size_t k = 0; k < s->model.order && !status; k++)
        cf_json_add(&list, cf_json_number(coefficient[k]));
    cf_json_put(&j, "data", json_string(d->name));
    cf_json_put(&j, "channel", json_string(d->protocol->channel[c->column].name));
    cf_json_put(&j, "model", json_string(cf_serial_name[s->model.kind]));
    cf_json_put(&j, "order", json_integer((json_int_t) s->model.order));
    cf_json_put(&j, "coefficients", list);
    if (s->model.kind == CF_SERIAL_WHITE_AR)
        cf_json_put(&j, "share", cf_json_number(s->model.share));
    cf_json_put(&j, "rows", json_integer((json_int_t) s->n));
    cf_json_put(&j, "runs", json_integer((json_int_t) runs));
    cf_json_put(&j, "effective_rows", cf_json_number((double) s->n / cf_serial_growth(&s->model)));
    cf_json_put(&j, "correlation_rows", cf_json_number(cf_serial_time(&s->model)));
    cf_json_put(&j, "step_s", cf_json_number(s->step_s));
    cf_json_put(&j, "settled", json_boolean(s->settled));
    cf_json_add(all, j);
    free(coefficient);
    return status;
}

json_t *cf_fit_json_errors(const struct cf_fit *fit)
{
    const struct cf_problem *q = &fit->optimum.problem;
    json_t *j = json_object(), *effects = json_array(), *serial = json_array();
    struct cf_error no_memory;

    for (size_t i = 0; i < q->neffect; i++)
        cf_json_add(&effects, effect_json(fit, i));
    cf_json_put(&j, "group", json_string(origin_text[q->spec->grouping.origin]));
    cf_json_put(&j, "shared", effects);
    cf_json_put(&j, "correlated", correlated_json(q));
    cf_json_put(&j, "records", records_json(q));
    for (size_t i = 0; i < q->nserial; i++)
        if (serial_json(q, &q->serial[i], &serial, &no_memory))
            cf_json_add(&serial, NULL);
    cf_json_put(&j, "serial", serial);
    return j;
}
