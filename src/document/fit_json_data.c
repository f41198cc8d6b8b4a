/* Data sets in a fit file: where they come from, and what their protocol says of them. */

#include <gsl/gsl_math.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "document/fit_json.h"
#include "document/press_json.h"

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* The root mean square of the residuals of a data set's column. */
static double rms_of(const struct cf_fit *fit, size_t data, size_t column)
{
    const struct cf_problem *q = &fit->optimum.problem;
    double sum = 0, n = 0;

    for (size_t i = 0; i < q->nobservation; i++) {
        const struct cf_observation *o = &q->observation[i];
        if (o->data != data || o->column != column)
            continue;
        sum += gsl_pow_2(o->value - fit->predicted[i].value);
        n++;
    }
    return sqrt(sum / n);
}

static size_t rows_with(const struct cf_dataset *d, size_t column)
{
    size_t n = 0;

    for (size_t row = 0; row < d->nrow; row++)
        n += d->use[row] == CF_ROW_FIT && cf_dataset_has(d, row, column);
    return n;
}

void cf_json_channel_words(const struct cf_protocol *protocol, size_t channel, json_t **j)
{
    const struct cf_channel_row *c = &protocol->channel[channel];

    cf_json_put(j, "name", json_string(c->name));
    cf_json_put(j, "unit", json_string(c->unit));
    cf_json_put(j, "label", json_string(c->label));
    if (c->symbol)
        cf_json_put(j, "symbol", json_string(c->symbol));
    cf_json_put(j, "role", json_string(c->role == CF_ROLE_MEASURED ? "measured" : "imposed"));
    if (c->role == CF_ROLE_MEASURED)
        cf_json_put(j, "all_laws", json_boolean(cf_channel_common(protocol, channel)));
}

/* The root mean square of what is known of each row's sigma. */
static double floor_of(const struct cf_problem *q, size_t channel)
{
    double squares = 0;

    for (size_t i = 0; i < q->nobservation; i++)
        if (q->observation[i].channel == channel)
            squares += gsl_pow_2(q->observation[i].sigma0);
    return sqrt(squares / (double) q->channel[channel].n);
}

/* How an estimated sigma goes with the axis, and what it is beside, where it is no one number. */
static void put_model(const struct cf_problem *q, size_t channel, json_t **j)
{
    const struct cf_channel *c = &q->channel[channel];

    if (cf_channel_is_plain(c))
        return;
    cf_json_put(j, "sigma_model", json_string(cf_sigma_model_name[c->model]));
    cf_json_put(j, "sigma_base", cf_json_number(sqrt(c->base2)));
    cf_json_put(j, "sigma_slope", cf_json_number(sqrt(c->slope2)));
    if (c->model == CF_SIGMA_POWER)
        cf_json_put(j, "sigma_exponent", cf_json_number(c->exponent));
    if (c->floored)
        cf_json_put(j, "sigma_floor", cf_json_number(floor_of(q, channel)));
    if (c->carries)
        cf_json_put(j, "sigma_imposed", cf_json_number(cf_channel_carried(q, channel)));
}

/* All channels of the protocol, in its order, with what was fitted of them. */
static json_t *channels(const struct cf_fit *fit, size_t data)
{
    const struct cf_problem *q = &fit->optimum.problem;
    const struct cf_dataset *d = &q->spec->data[data];
    json_t *all = json_array();

    for (size_t i = 0; i < d->protocol->nchannel; i++) {
        size_t c = cf_channel_of(q, data, i);
        json_t *j = json_object();
        cf_json_channel_words(d->protocol, i, &j);
        cf_json_put(&j, "n", json_integer((json_int_t) rows_with(d, i)));
        if (c != CF_NO_CHANNEL) {
            const struct cf_channel *ch = &q->channel[c];
            cf_json_put(&j, "sigma_kind", json_string(ch->estimated ? "estimated" : "given"));
            cf_json_put(&j, "sigma", cf_json_number(ch->sigma));
            if (ch->estimated)
                put_model(q, c, &j);
            cf_json_put(&j, "rms", cf_json_number(rms_of(fit, data, i)));
        }
        cf_json_add(&all, j);
    }
    return all;
}

json_t *cf_json_axis(const struct cf_axis *axis)
{
    json_t *j = json_object();

    cf_json_put(&j, "name", json_string(axis->name));
    cf_json_put(&j, "unit", json_string(axis->unit));
    cf_json_put(&j, "scale", json_string(axis->linear ? "linear" : "log"));
    cf_json_put(&j, "label", json_string(axis->label));
    if (axis->symbol)
        cf_json_put(&j, "symbol", json_string(axis->symbol));
    return j;
}

/* With the range of the rows that were fitted; null where none was. */
static json_t *axis_json(const struct cf_problem *q, size_t data)
{
    json_t *j = cf_json_axis(&q->spec->data[data].protocol->axis);
    double low = (double) INFINITY, high = -(double) INFINITY;

    for (size_t i = 0; i < q->nobservation; i++)
        if (q->observation[i].data == data) {
            low = fmin(low, q->observation[i].abscissa);
            high = fmax(high, q->observation[i].abscissa);
        }
    cf_json_put(&j, "low", cf_json_number(low));
    cf_json_put(&j, "high", cf_json_number(high));
    return j;
}

static json_t *apparatus_json(const struct cf_dataset *d)
{
    json_t *all = json_object();

    for (size_t i = 0; i < d->protocol->napparatus; i++) {
        const struct cf_param *row = &d->protocol->apparatus[i];
        cf_json_put(&all, row->name,
                    json_pack("{s:o,s:s,s:b}", "value", cf_json_number(d->apparatus[i]), "unit",
                              row->unit, "usual", d->apparatus[i] == row->typical));
    }
    return all;
}

static json_t *conditions_json(const struct cf_dataset *d)
{
    json_t *all = json_object();

    for (size_t i = 0; i < d->protocol->ncondition; i++)
        if (!isnan(d->condition[i]))
            cf_json_put(&all, d->protocol->channel[d->protocol->condition[i]].name,
                        cf_json_number(d->condition[i]));
    return all;
}

static json_t *provenance_json(const struct cf_dataset *d)
{
    json_t *all = json_array();

    for (size_t k = 0; k < d->nprovenance; k++)
        cf_json_add(&all, json_string(d->provenance[k]));
    return all;
}

/* Excluded rows with the reasons; many that stand one behind the other as one. */
static json_t *excluded_json(const struct cf_dataset *d)
{
    json_t *all = json_array();

    for (size_t i = 0; i < d->nexclusion; i++) {
        const struct cf_exclusion *x = &d->exclusion[i];
        json_t *j =
            json_pack("{s:I,s:s}", "line", (json_int_t) d->line[x->row], "because", x->because);
        if (x->count > 1) {
            cf_json_put(&j, "to_line", json_integer((json_int_t) d->line[x->row + x->count - 1]));
            cf_json_put(&j, "rows", json_integer((json_int_t) x->count));
        }
        cf_json_add(&all, j);
    }
    return all;
}

static void put_rows(const struct cf_dataset *d, json_t **j)
{
    size_t held = 0, out = 0;

    for (size_t row = 0; row < d->nrow; row++) {
        held += d->use[row] == CF_ROW_HELD_OUT;
        out += d->use[row] == CF_ROW_EXCLUDED;
    }
    cf_json_put(j, "rows", json_integer((json_int_t) d->nrow));
    cf_json_put(j, "rows_held_out", json_integer((json_int_t) held));
    cf_json_put(j, "rows_excluded", json_integer((json_int_t) out));
    cf_json_put(j, "excluded", excluded_json(d));
}

/* Is the channel one that was read of a file, and not the clock of all, nor made of others? */
static bool is_read(const struct cf_dataset *d, size_t channel)
{
    return d->series[channel].value && d->series[channel].read && channel != d->protocol->clock;
}

/* The files of a record, where it has several. */
static json_t *files_json(const struct cf_dataset *d)
{
    json_t *all = json_array();

    for (size_t k = 0; k < d->npart; k++) {
        json_t *j = json_object(), *channels = json_array();
        for (size_t i = 0; i < d->protocol->nchannel; i++)
            if (is_read(d, i) && d->series[i].part == k)
                cf_json_add(&channels, json_string(d->protocol->channel[i].name));
        cf_json_put(&j, "file", cf_json_shown(base_name(d->part[k].file)));
        cf_json_put(&j, "sha256", json_string(d->part[k].sha256));
        cf_json_put(&j, "rows", json_integer((json_int_t) d->part[k].nrow));
        cf_json_put(&j, "channels", channels);
        cf_json_add(&all, j);
    }
    return all;
}

json_t *cf_fit_json_data(const struct cf_fit *fit)
{
    json_t *all = json_array();

    for (size_t i = 0; i < fit->optimum.problem.spec->ndata; i++) {
        const struct cf_dataset *d = &fit->optimum.problem.spec->data[i];
        json_t *j = json_object();
        cf_json_put(&j, "name", json_string(d->name));
        cf_json_put(&j, "protocol", json_string(d->protocol->name));
        cf_json_put(&j, "file", cf_json_shown(d->file ? base_name(d->file) : NULL));
        cf_json_put(&j, "sha256", json_string(d->sha256));
        if (d->npart)
            cf_json_put(&j, "files", files_json(d));
        put_rows(d, &j);
        if (d->pair.between[0])
            cf_json_put(&j, "between", json_pack("[s,s]", d->pair.between[0], d->pair.between[1]));
        cf_json_put(&j, "mass_kg", cf_json_number(d->pair.mass_kg));
        cf_json_put(&j, "radius_m", cf_json_number(d->pair.radius_m));
        if (d->pair.modulus_Pa > 0)
            cf_json_put(&j, "modulus_Pa", cf_json_number(d->pair.modulus_Pa));
        cf_json_put(&j, "axis", axis_json(&fit->optimum.problem, i));
        cf_json_put(&j, "headline", json_string(d->protocol->channel[d->protocol->headline].name));
        cf_json_put(&j, "channels", channels(fit, i));
        cf_json_put(&j, "apparatus", apparatus_json(d));
        if (d->press)
            cf_json_put(&j, "press", cf_press_json(d->press));
        if (d->protocol->ncondition > 0)
            cf_json_put(&j, "conditions", conditions_json(d));
        cf_fit_json_put_record(d, &j);
        cf_json_put(&j, "provenance", provenance_json(d));
        cf_json_add(&all, j);
    }
    return all;
}
