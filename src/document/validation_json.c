#include "document/validation_json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "document/fit_json.h"

/* Pictures go on beyond the data by this factor on both sides, as those of fits do. */
static const double beyond = 1.25;

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static json_t *verdict_json(const struct cf_validation *v)
{
    json_t *j = json_object();
    json_object_set_new(j, "agrees", json_boolean(v->agrees));
    json_object_set_new(j, "summary", json_string(v->summary));
    json_object_set_new(j, "reasons", cf_json_statements(&v->reasons));
    json_object_set_new(j, "cautions", cf_json_statements(&v->cautions));
    return j;
}

static json_t *coverage_json(const struct cf_validation *v)
{
    json_t *j = json_object();
    json_object_set_new(j, "level", cf_json_number(v->model->spec.options.level));
    json_object_set_new(j, "n", json_integer((json_int_t) v->problem.nobservation));
    json_object_set_new(j, "inside", json_integer((json_int_t) v->inside));
    json_object_set_new(j, "p", cf_json_number(v->coverage_p));
    json_object_set_new(j, "parameter_share", cf_json_number(v->parameter_share));
    json_object_set_new(j, "rms_sigma", cf_json_number(v->rms_sigma));
    json_object_set_new(j, "rms_predictive", cf_json_number(v->rms_predictive));
    json_object_set_new(j, "unjudged", json_integer((json_int_t) v->unjudged));
    return j;
}

static json_t *data_json(const struct cf_validation *v)
{
    json_t *all = json_array();

    for (size_t i = 0; i < v->spec.ndata; i++) {
        const struct cf_dataset *d = &v->spec.data[i];
        json_t *j = json_object();
        json_object_set_new(j, "name", json_string(d->name));
        json_object_set_new(j, "file", d->file ? json_string(base_name(d->file)) : json_null());
        json_object_set_new(j, "sha256", json_string(d->sha256));
        json_object_set_new(j, "rows", json_integer((json_int_t) d->nrow));
        json_object_set_new(j, "mass_kg", cf_json_number(d->pair.mass_kg));
        json_object_set_new(j, "radius_m", cf_json_number(d->pair.radius_m));
        json_object_set_new(j, "like", json_string(v->model->spec.data[v->set[i].data].name));
        json_array_append_new(all, j);
    }
    return all;
}

/* One curve with its band, over the speeds of the data. */
static int curve_json(const struct cf_validation *v, struct cf_curves *curves, size_t channel,
                      double low, double high, json_t *all, struct cf_error *err)
{
    const struct cf_channel *c = &v->problem.channel[channel];
    const struct cf_dataset *like = &v->spec.data[c->data];
    size_t column = cf_protocol_channel(like->protocol, "speed");
    double speed[CF_NCURVE], y[3][CF_NCURVE];
    struct cf_dataset one = {.pair = like->pair};
    struct cf_model_prediction predicted = {
        .gradient = calloc(v->model->problem.nfree + 1, sizeof *predicted.gradient)};
    int status = predicted.gradient ? cf_dataset_alloc(&one, like->protocol, 1, err)
                                    : cf_fail(err, CF_ENOMEM, "no memory for a curve");

    for (size_t i = 0; i < CF_NCURVE && !status; i++) {
        double half;
        speed[i] = low * pow(high / low, (double) i / (CF_NCURVE - 1));
        status = cf_dataset_put(&one, 0, column, speed[i], 0, err);
        if (!status)
            status = cf_model_predict(v->model, curves, v->set[c->data].data, &one, 0, c->column,
                                      &predicted, err);
        if (status)
            break;
        half = cf_model_half_width(v->model, predicted.gradient, 0, NULL);
        y[0][i] = predicted.value;
        y[1][i] = y[0][i] - half;
        y[2][i] = y[0][i] + half;
    }
    if (!status)
        json_array_append_new(all, json_pack("{s:I,s:s,s:s,s:o,s:o,s:o,s:o}", "data",
                                             (json_int_t) c->data, "quantity",
                                             like->protocol->channel[c->column].name, "unit",
                                             like->protocol->channel[c->column].unit, "speed_m_s",
                                             cf_json_numbers(speed, CF_NCURVE), "value",
                                             cf_json_numbers(y[0], CF_NCURVE), "low",
                                             cf_json_numbers(y[1], CF_NCURVE), "high",
                                             cf_json_numbers(y[2], CF_NCURVE)));
    cf_dataset_clear(&one);
    free(predicted.gradient);
    return status;
}

static int curves_json(const struct cf_validation *v, struct cf_curves *curves, json_t *all,
                       struct cf_error *err)
{
    const struct cf_problem *q = &v->problem;
    double low = (double) INFINITY, high = 0;
    int status = CF_OK;

    for (size_t i = 0; i < q->nobservation; i++) {
        low = fmin(low, q->observation[i].abscissa);
        high = fmax(high, q->observation[i].abscissa);
    }
    for (size_t c = 0; c < q->nchannel && !status; c++) {
        const struct cf_channel_row *column =
            &v->spec.data[q->channel[c].data].protocol->channel[q->channel[c].column];
        struct cf_validation as_e = *v;
        struct cf_channel e = q->channel[c];
        if (!e.n)
            continue;
        status = curve_json(v, curves, c, low / beyond, high * beyond, all, err);
        if (status || !cf_channel_common(column) || strcmp(column->name, "restitution") == 0)
            continue;
        /* every quantity that gives a restitution is drawn as one, too */
        e.column = cf_protocol_channel(v->spec.data[e.data].protocol, "restitution");
        as_e.problem.channel = &e;
        status = curve_json(&as_e, curves, 0, low / beyond, high * beyond, all, err);
    }
    return status;
}

int cf_validation_json(const struct cf_validation *v, const struct cf_study *study,
                       struct cf_curves *curves, const char *command, json_t **document,
                       struct cf_error *err)
{
    json_t *j = json_object(), *lines = json_array(), *rows = json_array(), *points = json_array();
    int status = curves_json(v, curves, lines, err);

    cf_json_observations(&v->problem, v->predicted, "fit", rows);
    cf_json_restitution_points(&v->problem, "fit", points);
    json_object_set_new(j, "contactfit", json_string("validation/1"));
    json_object_set_new(j, "version", json_string(PACKAGE_VERSION));
    json_object_set_new(j, "name", json_string(study->name));
    json_object_set_new(j, "title", json_string(study->title));
    json_object_set_new(j, "command", json_string(command));
    json_object_set_new(j, "fit", json_string(base_name(v->model->path)));
    json_object_set_new(j, "fit_title",
                        v->model->title ? json_string(v->model->title) : json_null());
    json_object_set_new(j, "fit_verdict", json_string(v->model->status));
    json_object_set_new(j, "study_sha256", json_string(study->sha256));
    json_object_set_new(j, "law", json_string(v->model->law->name));
    json_object_set_new(j, "verdict", verdict_json(v));
    json_object_set_new(j, "coverage", coverage_json(v));
    json_object_set_new(j, "tests", cf_json_tests(&v->problem, &v->tests));
    json_object_set_new(j, "data", data_json(v));
    json_object_set_new(j, "observations", rows);
    json_object_set_new(j, "restitution_points", points);
    json_object_set_new(j, "curves", lines);
    if (status)
        json_decref(j);
    *document = status ? NULL : j;
    return status;
}
