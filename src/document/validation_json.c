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
    cf_json_put(&j, "agrees", json_boolean(v->agrees));
    cf_json_put(&j, "summary", json_string(v->summary));
    cf_json_put(&j, "reasons", cf_json_statements(&v->reasons));
    cf_json_put(&j, "cautions", cf_json_statements(&v->cautions));
    cf_json_put(&j, "counts", cf_json_statements(&v->accounts));
    return j;
}

static json_t *coverage_json(const struct cf_validation *v)
{
    json_t *j = json_object();
    cf_json_put(&j, "level", cf_json_number(v->model->spec.options.level));
    cf_json_put(&j, "n", json_integer((json_int_t) v->problem.nobservation));
    cf_json_put(&j, "inside", json_integer((json_int_t) v->inside));
    cf_json_put(&j, "parameter_share", cf_json_number(v->parameter_share));
    cf_json_put(&j, "rms_sigma", cf_json_number(v->rms_sigma));
    cf_json_put(&j, "rms_predictive", cf_json_number(v->rms_predictive));
    cf_json_put(&j, "unjudged", json_integer((json_int_t) v->unjudged));
    return j;
}

/* All channels of the protocol, in its order, with how many rows are judged. */
static json_t *channels_json(const struct cf_validation *v, size_t data)
{
    const struct cf_protocol *protocol = v->spec.data[data].protocol;
    json_t *all = json_array();

    for (size_t i = 0; i < protocol->nchannel; i++) {
        json_t *j = json_object();
        size_t c = cf_channel_of(&v->problem, data, i);
        size_t n = c == CF_NO_CHANNEL ? 0 : v->problem.channel[c].n;
        cf_json_channel_words(protocol, i, &j);
        cf_json_put(&j, "n", json_integer((json_int_t) n));
        cf_json_add(&all, j);
    }
    return all;
}

static json_t *data_json(const struct cf_validation *v)
{
    json_t *all = json_array();

    for (size_t i = 0; i < v->spec.ndata; i++) {
        const struct cf_dataset *d = &v->spec.data[i];
        json_t *j = json_object();
        cf_json_put(&j, "name", json_string(d->name));
        cf_json_put(&j, "protocol", json_string(d->protocol->name));
        cf_json_put(&j, "file", cf_json_shown(d->file ? base_name(d->file) : NULL));
        cf_json_put(&j, "sha256", json_string(d->sha256));
        cf_json_put(&j, "rows", json_integer((json_int_t) d->nrow));
        cf_json_put(&j, "mass_kg", cf_json_number(d->pair.mass_kg));
        cf_json_put(&j, "radius_m", cf_json_number(d->pair.radius_m));
        cf_json_put(&j, "like", json_string(v->model->spec.data[v->set[i].data].name));
        cf_json_put(&j, "axis", cf_json_axis(&d->protocol->axis));
        cf_json_put(&j, "headline", json_string(d->protocol->channel[d->protocol->headline].name));
        cf_json_put(&j, "channels", channels_json(v, i));
        cf_json_add(&all, j);
    }
    return all;
}

/* A curve with its band, or the points of one. */
struct band {
    double x[CF_NCURVE], y[CF_NCURVE], low[CF_NCURVE], high[CF_NCURVE];
};

static int predict_band(const struct cf_validation *v, struct cf_curves *curves, size_t data,
                        size_t column, struct band *b, struct cf_error *err)
{
    struct cf_dataset along;
    size_t n = v->model->problem.nfree, row[CF_NCURVE], channel[CF_NCURVE];
    double *gradient = calloc(CF_NCURVE * n + 1, sizeof *gradient);
    struct cf_model_prediction predicted[CF_NCURVE];
    int status = cf_dataset_along(&v->spec.data[data], CF_NCURVE, b->x, &along, err);

    for (size_t i = 0; i < CF_NCURVE; i++) {
        row[i] = i;
        channel[i] = column;
        predicted[i].gradient = gradient + i * n;
    }
    if (!status && !gradient)
        status = cf_fail(err, CF_ENOMEM, "no memory for a curve");
    if (!status)
        status = cf_model_predict(v->model, curves, v->set[data].data, &along, CF_NCURVE, row,
                                  channel, predicted, err);
    for (size_t i = 0; i < CF_NCURVE && !status; i++) {
        double half = cf_model_half_width(v->model, predicted[i].gradient, 0, NULL);
        b->y[i] = predicted[i].value;
        b->low[i] = b->y[i] - half;
        b->high[i] = b->y[i] + half;
    }
    free(gradient);
    cf_dataset_clear(&along);
    return status;
}

static void add_curve(json_t **all, size_t data, const char *channel, size_t n, const double x[],
                      const double y[], const double low[], const double high[])
{
    cf_json_add(all, json_pack("{s:I,s:s,s:o,s:o,s:o,s:o}", "data", (json_int_t) data, "channel",
                               channel, "abscissa", cf_json_numbers(x, n), "value",
                               cf_json_numbers(y, n), "low", cf_json_numbers(low, n), "high",
                               cf_json_numbers(high, n)));
}

/* One curve with its band, over the range of the data of its protocol. */
static int curve_json(const struct cf_validation *v, struct cf_curves *curves, size_t data,
                      size_t column, json_t **all, struct cf_error *err)
{
    const struct cf_problem *q = &v->problem;
    const struct cf_protocol *protocol = v->spec.data[data].protocol;
    double low = (double) INFINITY, high = -(double) INFINITY;
    struct band b;
    int status;

    for (size_t i = 0; i < q->nobservation; i++)
        if (v->spec.data[q->observation[i].data].protocol == protocol) {
            low = fmin(low, q->observation[i].abscissa);
            high = fmax(high, q->observation[i].abscissa);
        }
    cf_axis_widen(&protocol->axis, beyond, &low, &high);
    cf_axis_curve_points(&protocol->axis, low, high, CF_NCURVE, b.x);
    status = predict_band(v, curves, data, column, &b, err);
    if (!status)
        add_curve(all, data, protocol->channel[column].name, CF_NCURVE, b.x, b.y, b.low, b.high);
    return status;
}

/* So many points of a curve along rows, about: more would not be seen. */
enum { MOST_ALONG = 2000 };

/* The curve of a data set that numbers of its own were fitted to is known at its rows: every
 * step-th of them, parted where the axis begins again, with the band of the fitted parameters.
 * Returns the number of points; of NULL, an upper bound. */
static size_t along_rows(const struct cf_validation *v, size_t data, size_t column, size_t step,
                         double *x, double *y, double *low, double *high)
{
    const struct cf_problem *q = &v->problem;
    double last = -(double) INFINITY;
    size_t n = 0, seen = 0;

    for (size_t i = 0; i < q->nobservation; i++) {
        const struct cf_observation *o = &q->observation[i];
        if (o->data != data || o->column != column)
            continue;
        bool again = o->abscissa < last;
        last = o->abscissa;
        if (seen++ % step && !again)
            continue;
        if (x && again) {
            x[n] = o->abscissa;
            y[n] = low[n] = high[n] = (double) NAN;
        }
        n += again;
        if (x) {
            double half =
                cf_model_half_width(v->model, &v->gradient[i * v->model->problem.nfree], 0, NULL);
            x[n] = o->abscissa;
            y[n] = v->predicted[i].value;
            low[n] = y[n] - half;
            high[n] = y[n] + half;
        }
        n++;
    }
    return n;
}

static int rows_json(const struct cf_validation *v, size_t data, size_t column, json_t **all,
                     struct cf_error *err)
{
    size_t step = along_rows(v, data, column, 1, NULL, NULL, NULL, NULL) / MOST_ALONG + 1;
    size_t n = along_rows(v, data, column, step, NULL, NULL, NULL, NULL);
    double *x = malloc((4 * n + 1) * sizeof *x), *y = x + n, *low = y + n, *high = low + n;

    if (!x)
        return cf_fail(err, CF_ENOMEM, "no memory for a curve");
    along_rows(v, data, column, step, x, y, low, high);
    add_curve(all, data, v->spec.data[data].protocol->channel[column].name, n, x, y, low, high);
    free(x);
    return CF_OK;
}

static int curves_json(const struct cf_validation *v, struct cf_curves *curves, json_t **all,
                       struct cf_error *err)
{
    const struct cf_problem *q = &v->problem;
    int status = CF_OK;

    for (size_t c = 0; c < q->nchannel && !status; c++) {
        const struct cf_channel *ch = &q->channel[c];
        const struct cf_protocol *protocol = v->spec.data[ch->data].protocol;
        if (!ch->n)
            continue;
        status = v->set[ch->data].settled ? rows_json(v, ch->data, ch->column, all, err)
                                          : curve_json(v, curves, ch->data, ch->column, all, err);
        /* whatever determines the headline is drawn as such, too */
        if (!status && ch->column != protocol->headline && cf_channel_common(protocol, ch->column))
            status = curve_json(v, curves, ch->data, protocol->headline, all, err);
    }
    return status;
}

/* The judged rows, thinned as those of fits. */
static int put_points(const struct cf_validation *v, json_t **j, struct cf_error *err)
{
    json_t *rows = json_array(), *points = json_array();
    size_t n = v->problem.nobservation;
    bool *hold = calloc(n + 1, sizeof *hold);
    int status = hold ? cf_points_choose(&v->problem, hold, err)
                      : cf_fail(err, CF_ENOMEM, "no memory for %zu observations", n);

    if (!status) {
        for (size_t i = 0; i < v->nworst; i++)
            hold[v->worst[i]] = true;
        const struct cf_told_rows judged = {&v->problem, v->predicted, NULL, hold, "fit"};
        cf_json_observations(&judged, &rows);
        cf_json_headline_points(&judged, &points);
        cf_json_put(j, "points", cf_points_json_of(&v->problem, cf_points_count(hold, n), n));
    }
    cf_json_put(j, "observations", rows);
    cf_json_put(j, "headline_points", points);
    free(hold);
    return status;
}

int cf_validation_json(const struct cf_validation *v, const struct cf_study *study,
                       struct cf_curves *curves, const char *command, json_t **document,
                       struct cf_error *err)
{
    json_t *j = json_object(), *lines = json_array();
    int status = curves_json(v, curves, &lines, err);

    cf_json_put(&j, "contactfit", json_string("validation/2"));
    cf_json_put(&j, "version", json_string(PACKAGE_VERSION));
    cf_json_put(&j, "name", cf_json_shown(study->name));
    cf_json_put(&j, "title", cf_json_shown(study->title));
    cf_json_put(&j, "command", cf_json_shown(command));
    cf_json_put(&j, "fit", cf_json_shown(base_name(v->model->path)));
    cf_json_put(&j, "fit_title", cf_json_text(v->model->title));
    cf_json_put(&j, "fit_verdict", json_string(v->model->status));
    cf_json_put(&j, "fit_trusted", json_boolean(v->model->trusted));
    cf_json_put(&j, "study", cf_json_shown(base_name(study->path)));
    cf_json_put(&j, "study_sha256", json_string(study->sha256));
    cf_json_put(&j, "law", json_string(v->model->law->name));
    cf_json_put(&j, "verdict", verdict_json(v));
    cf_json_put(&j, "coverage", coverage_json(v));
    cf_json_put(&j, "tests", cf_json_tests(&v->problem, &v->tests));
    cf_json_put(&j, "data", data_json(v));
    if (!status)
        status = put_points(v, &j, err);
    cf_json_put(&j, "curves", lines);
    if (!status && !j)
        status = cf_fail(err, CF_ENOMEM, "no memory for the page of %s", study->path);
    if (status)
        json_decref(j);
    *document = status ? NULL : j;
    return status;
}
