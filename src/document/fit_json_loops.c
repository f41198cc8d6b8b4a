/* What a block's force does over its way, measured and predicted: of protocols that have loops. */

#include <math.h>

#include "document/fit_json.h"

/* Rows that a loop has in the file; of more every n-th. */
enum { LOOP_ROWS = 1200 };

/* The lists of one loop. */
struct loop {
    json_t *along, *value, *predicted;
};

static void add_row(struct loop *to, double along, double value, double predicted)
{
    cf_json_add(&to->along, cf_json_number(along));
    cf_json_add(&to->value, cf_json_number(value));
    cf_json_add(&to->predicted, cf_json_number(predicted));
}

static bool is_of(const struct cf_problem *q, size_t i, size_t data)
{
    const struct cf_observation *o = &q->observation[i];

    return o->data == data && o->column == q->spec->data[data].protocol->headline;
}

static size_t segment_of(const struct cf_dataset *d, size_t row)
{
    size_t s = 0;

    while (s + 1 < d->nsegment && row >= d->segment[s + 1].first)
        s++;
    return s;
}

/* Row by row, with a null where a gap parts them. */
static void fill(const struct cf_fit *fit, const struct cf_reading reading[], size_t data,
                 size_t step, struct loop *to)
{
    const struct cf_problem *q = &fit->optimum.problem;
    const struct cf_dataset *d = &q->spec->data[data];
    size_t n = 0, segment = 0;

    for (size_t i = 0; i < q->nobservation; i++) {
        const struct cf_observation *o = &q->observation[i];
        double value = o->value, predicted = fit->predicted[i].value, none = 0;
        if (!is_of(q, i, data) || n++ % step)
            continue;
        cf_reading_undo(reading[i], &value, &none);
        none = 0;
        cf_reading_undo(reading[i], &predicted, &none);
        if (segment_of(d, o->row) != segment)
            add_row(to, (double) NAN, (double) NAN, (double) NAN);
        segment = segment_of(d, o->row);
        add_row(to, cf_dataset_value(d, o->row, d->protocol->loop), value, predicted);
    }
}

static size_t count(const struct cf_problem *q, size_t data)
{
    size_t n = 0;

    for (size_t i = 0; i < q->nobservation; i++)
        n += is_of(q, i, data);
    return n;
}

static json_t *loop_json(const struct cf_fit *fit, const struct cf_reading reading[], size_t data,
                         size_t step)
{
    const struct cf_protocol *protocol = fit->optimum.problem.spec->data[data].protocol;
    struct loop loop = {json_array(), json_array(), json_array()};
    json_t *j = json_object();

    fill(fit, reading, data, step, &loop);
    cf_json_put(&j, "data", json_integer((json_int_t) data));
    cf_json_put(&j, "channel", json_string(protocol->channel[protocol->headline].name));
    cf_json_put(&j, "along", json_string(protocol->channel[protocol->loop].name));
    cf_json_put(&j, "step", json_integer((json_int_t) step));
    cf_json_put(&j, "abscissa", loop.along);
    cf_json_put(&j, "value", loop.value);
    cf_json_put(&j, "predicted", loop.predicted);
    return j;
}

json_t *cf_fit_json_loops(const struct cf_fit *fit, const struct cf_reading reading[])
{
    const struct cf_problem *q = &fit->optimum.problem;
    json_t *all = json_array();

    for (size_t i = 0; i < q->spec->ndata; i++) {
        const struct cf_protocol *protocol = q->spec->data[i].protocol;
        size_t n = count(q, i), step = (n + LOOP_ROWS - 1) / LOOP_ROWS;
        if (protocol->loop && n)
            cf_json_add(&all, loop_json(fit, reading, i, step));
    }
    return all;
}
