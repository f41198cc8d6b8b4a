/* What was measured, what is predicted, and how rivals fit. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "document/fit_json.h"

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static const struct cf_channel_row *column_of(const struct cf_fit *fit, size_t data, size_t column)
{
    return &fit->optimum.problem.spec->data[data].protocol->channel[column];
}

/* Sums of squares by channel; NULL without memory. */
static double *channel_squares(const struct cf_fit *fit)
{
    const struct cf_problem *q = &fit->optimum.problem;
    double *sum = calloc(q->nchannel + 1, sizeof *sum);

    for (size_t i = 0; i < q->nobservation && sum; i++)
        sum[q->observation[i].channel] += pow(q->observation[i].value - fit->predicted[i].value, 2);
    return sum;
}

static json_t *channels(const struct cf_fit *fit, const double squares[], size_t data)
{
    json_t *all = json_array();

    for (size_t c = 0; c < fit->optimum.problem.nchannel; c++) {
        const struct cf_channel *ch = &fit->optimum.problem.channel[c];
        if (ch->data != data)
            continue;
        json_array_append_new(all,
                              json_pack("{s:s,s:s,s:s,s:o,s:I,s:o}", "quantity",
                                        column_of(fit, data, ch->column)->name, "unit",
                                        column_of(fit, data, ch->column)->unit, "sigma_kind",
                                        ch->estimated ? "estimated" : "given", "sigma",
                                        cf_json_number(ch->sigma), "n", (json_int_t) ch->n, "rms",
                                        cf_json_number(sqrt(squares[c] / (double) ch->n))));
    }
    return all;
}

json_t *cf_fit_json_data(const struct cf_fit *fit)
{
    json_t *all = json_array();
    double *squares = channel_squares(fit);

    for (size_t i = 0; squares && i < fit->optimum.problem.spec->ndata; i++) {
        const struct cf_dataset *d = &fit->optimum.problem.spec->data[i];
        json_t *j = json_object(), *provenance = json_array(), *excluded = json_array();
        size_t held = 0, out = 0;
        for (size_t row = 0; row < d->nrow; row++) {
            held += d->use[row] == CF_ROW_HELD_OUT;
            out += d->use[row] == CF_ROW_EXCLUDED;
            if (d->use[row] == CF_ROW_EXCLUDED)
                json_array_append_new(excluded,
                                      json_pack("{s:I,s:s}", "line", (json_int_t) d->line[row],
                                                "because", cf_dataset_because(d, row)));
        }
        for (size_t k = 0; k < d->nprovenance; k++)
            json_array_append_new(provenance, json_string(d->provenance[k]));
        json_object_set_new(j, "name", json_string(d->name));
        json_object_set_new(j, "protocol", json_string(d->protocol->name));
        json_object_set_new(j, "file", d->file ? json_string(base_name(d->file)) : json_null());
        json_object_set_new(j, "sha256", json_string(d->sha256));
        json_object_set_new(j, "rows", json_integer((json_int_t) d->nrow));
        json_object_set_new(j, "rows_held_out", json_integer((json_int_t) held));
        json_object_set_new(j, "rows_excluded", json_integer((json_int_t) out));
        json_object_set_new(j, "mass_kg", cf_json_number(d->pair.mass_kg));
        json_object_set_new(j, "radius_m", cf_json_number(d->pair.radius_m));
        if (d->pair.modulus_Pa > 0)
            json_object_set_new(j, "modulus_Pa", cf_json_number(d->pair.modulus_Pa));
        json_object_set_new(j, "provenance", provenance);
        json_object_set_new(j, "excluded", excluded);
        json_object_set_new(j, "channels", channels(fit, squares, i));
        json_array_append_new(all, j);
    }
    if (!squares) {
        json_decref(all);
        all = NULL;
    }
    free(squares);
    return all;
}

void cf_json_observations(const struct cf_problem *q, const struct cf_predicted predicted[],
                          const char *use, json_t *all)
{
    for (size_t i = 0; i < q->nobservation; i++) {
        const struct cf_observation *o = &q->observation[i];
        const struct cf_channel_row *c = &q->spec->data[o->data].protocol->channel[o->column];
        json_t *j = json_object();
        json_object_set_new(j, "data", json_integer((json_int_t) o->data));
        json_object_set_new(j, "quantity", json_string(c->name));
        json_object_set_new(j, "unit", json_string(c->unit));
        json_object_set_new(j, "line",
                            json_integer((json_int_t) q->spec->data[o->data].line[o->row]));
        json_object_set_new(j, "speed_m_s", cf_json_number(o->abscissa));
        json_object_set_new(j, "measured", cf_json_number(o->value));
        json_object_set_new(j, "sigma", cf_json_number(o->sigma));
        json_object_set_new(j, "predicted", cf_json_number(predicted[i].value));
        json_object_set_new(j, "residual",
                            cf_json_number((o->value - predicted[i].value) / o->sigma));
        json_object_set_new(j, "low", cf_json_number(predicted[i].low));
        json_object_set_new(j, "high", cf_json_number(predicted[i].high));
        json_object_set_new(j, "use", json_string(use));
        json_array_append_new(all, j);
    }
}

/* What only the fit knows of the rows that it was made from. */
static void fitted_rows(const struct cf_fit *fit, json_t *all)
{
    const struct cf_problem *q = &fit->optimum.problem;

    for (size_t i = 0; i < q->nobservation; i++) {
        json_t *j = json_array_get(all, i);
        double whole = cf_loss_weight(&q->loss, 0);
        if (q->loss.kind != CF_LOSS_SQUARES)
            json_object_set_new(j, "weight", cf_json_number(q->observation[i].robust / whole));
        if (!isnan(fit->left_out[i]))
            json_object_set_new(j, "leave_one_out", cf_json_number(fit->left_out[i]));
    }
}

json_t *cf_fit_json_observations(const struct cf_fit *fit)
{
    json_t *all = json_array();
    cf_json_observations(&fit->optimum.problem, fit->predicted, "fit", all);
    fitted_rows(fit, all);
    cf_json_observations(&fit->held_out, fit->held_out_predicted, "held-out", all);
    return all;
}

/* Restitution from any quantity that gives it: e itself, u/v, sqrt(h_1/h_0), with its sigma. */
static void restitution_of(const struct cf_problem *q, const struct cf_observation *o, double *e,
                           double *sigma, bool *known)
{
    const struct cf_dataset *d = &q->spec->data[o->data];
    const char *name = d->protocol->channel[o->column].name;
    double v = o->abscissa, h0 = v * v / (2 * d->pair.gravity_m_s2);

    *known = true;
    if (strcmp(name, "restitution") == 0) {
        *e = o->value;
        *sigma = o->sigma;
    } else if (strcmp(name, "rebound_speed") == 0) {
        *e = o->value / v;
        *sigma = o->sigma / v;
    } else if (strcmp(name, "rebound_height") == 0) {
        *e = sqrt(o->value / h0);
        *sigma = o->sigma / (2 * *e * h0);
    } else {
        *known = false;
    }
}

void cf_json_restitution_points(const struct cf_problem *q, const char *use, json_t *all)
{
    for (size_t i = 0; i < q->nobservation; i++) {
        const struct cf_observation *o = &q->observation[i];
        double e, sigma;
        bool known;
        restitution_of(q, o, &e, &sigma, &known);
        if (known)
            json_array_append_new(
                all, json_pack("{s:I,s:I,s:o,s:o,s:o,s:s,s:s}", "data", (json_int_t) o->data,
                               "line", (json_int_t) q->spec->data[o->data].line[o->row],
                               "speed_m_s", cf_json_number(o->abscissa), "e", cf_json_number(e),
                               "sigma", cf_json_number(sigma), "use", use, "from",
                               q->spec->data[o->data].protocol->channel[o->column].name));
    }
}

json_t *cf_fit_json_restitution_points(const struct cf_fit *fit)
{
    json_t *all = json_array();
    cf_json_restitution_points(&fit->optimum.problem, "fit", all);
    cf_json_restitution_points(&fit->held_out, "held-out", all);
    return all;
}

json_t *cf_fit_json_curves(const struct cf_fit *fit)
{
    json_t *all = json_array();

    for (size_t i = 0; i < fit->ncurve; i++) {
        const struct cf_predicted_curve *c = &fit->curve[i];
        const struct cf_channel_row *column = column_of(fit, c->data, c->column);
        json_t *j = json_object();
        json_object_set_new(j, "data", json_integer((json_int_t) c->data));
        json_object_set_new(j, "quantity", json_string(column->name));
        json_object_set_new(j, "unit", json_string(column->unit));
        json_object_set_new(j, "speed_m_s", cf_json_numbers(c->abscissa, CF_NCURVE));
        json_object_set_new(j, "value", cf_json_numbers(c->value, CF_NCURVE));
        json_object_set_new(j, "low", cf_json_numbers(c->low, CF_NCURVE));
        json_object_set_new(j, "high", cf_json_numbers(c->high, CF_NCURVE));
        json_array_append_new(all, j);
    }
    return all;
}

/* Of the channels that all laws predict. */
static json_t *rival_rms(const struct cf_fit *fit, const struct cf_rival *v)
{
    const struct cf_problem *q = &fit->optimum.problem;
    double *mean_square = calloc(q->nchannel + 1, sizeof *mean_square);
    size_t n = 0;
    json_t *j;

    for (size_t c = 0; mean_square && c < q->nchannel; c++) {
        bool common = cf_channel_common(column_of(fit, q->channel[c].data, q->channel[c].column));
        mean_square[c] = common ? pow(v->rms[n++], 2) : (double) NAN;
    }
    j = mean_square ? cf_json_rms(q, mean_square) : NULL;
    free(mean_square);
    return j;
}

static json_t *rival_parameters(const struct cf_rival *v)
{
    json_t *j = json_object();
    for (size_t i = 0; i < v->nfree; i++)
        json_object_set_new(j, v->parameter[i].name,
                            json_pack("{s:o,s:s}", "value",
                                      v->parameter[i].identified
                                          ? cf_json_number(v->parameter[i].value)
                                          : json_null(),
                                      "unit", v->parameter[i].unit));
    return j;
}

static json_t *rival_json(const struct cf_fit *fit, const struct cf_rival *v)
{
    json_t *j = json_object();

    json_object_set_new(j, "law", json_string(v->law->name));
    json_object_set_new(j, "own", json_boolean(v->law == fit->optimum.problem.law));
    json_object_set_new(j, "status", json_string(v->failed ? "failed" : "ok"));
    if (v->failed) {
        json_object_set_new(j, "why", json_string(v->why));
        return j;
    }
    json_object_set_new(j, "n", json_integer((json_int_t) v->n));
    json_object_set_new(j, "rank", json_integer((json_int_t) (v->rank + v->nsigma)));
    json_object_set_new(j, "minus_2_log_likelihood", cf_json_number(v->cost));
    json_object_set_new(j, "aicc", cf_json_number(v->aicc));
    json_object_set_new(j, "bic", cf_json_number(v->bic));
    json_object_set_new(j, "delta_aicc", cf_json_number(v->delta_aicc));
    json_object_set_new(j, "weight", cf_json_number(v->weight));
    json_object_set_new(j, "rms_sigma", cf_json_number(v->rms_sigma));
    json_object_set_new(j, "rms", rival_rms(fit, v));
    json_object_set_new(j, "held_out_rms_sigma", cf_json_number(v->held_out_rms_sigma));
    json_object_set_new(j, "leave_one_out_rms_sigma", cf_json_number(v->loo_rms_sigma));
    json_object_set_new(j, "parameters", rival_parameters(v));
    json_object_set_new(j, "curve",
                        json_pack("{s:i,s:s,s:o,s:o}", "data", 0, "quantity", "restitution",
                                  "speed_m_s", cf_json_numbers(fit->curve_abscissa, CF_NCURVE),
                                  "value", cf_json_numbers(v->curve, CF_NCURVE)));
    return j;
}

json_t *cf_fit_json_rivals(const struct cf_fit *fit)
{
    json_t *all = json_array();
    for (size_t i = 0; i < fit->nrival; i++)
        json_array_append_new(all, rival_json(fit, &fit->rival[i]));
    return all;
}
