/* What a block's force does over its way, measured and predicted: of protocols that have loops. */

#include <gsl/gsl_math.h>
#include <math.h>

#include "document/fit_json.h"

/* Rows that all loops have in the file together, and one at least; of more every n-th. */
enum { LOOP_ROWS = 4800, LOOP_ROWS_MOST = 1200, LOOP_ROWS_LEAST = 60 };

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

static bool is_of(const struct cf_problem *q, const struct cf_part *part, size_t i)
{
    return q->observation[i].column == q->spec->data[part->data].protocol->headline;
}

/* Every step-th row of a segment; *n rows of its data set came before. */
static void add_segment(const struct cf_fit *fit, const struct cf_reading reading[],
                        const struct cf_part *part, size_t step, size_t *n, struct loop *to)
{
    const struct cf_problem *q = &fit->optimum.problem;
    const struct cf_dataset *d = &q->spec->data[part->data];

    for (size_t i = part->first; i < part->first + part->count; i++) {
        const struct cf_observation *o = &q->observation[i];
        double value = o->value, predicted = fit->predicted[i].value, none = 0;
        if (!is_of(q, part, i) || (*n)++ % step)
            continue;
        cf_reading_undo(reading[i], &value, &none);
        none = 0;
        cf_reading_undo(reading[i], &predicted, &none);
        add_row(to, cf_dataset_value(d, o->row, d->protocol->loop), value, predicted);
    }
}

/* Row by row, with a null where a gap parts segments. */
static void fill(const struct cf_fit *fit, const struct cf_reading reading[], size_t data,
                 size_t step, struct loop *to)
{
    const struct cf_problem *q = &fit->optimum.problem;
    size_t n = 0;

    for (size_t p = 0; p < q->npart; p++) {
        if (q->part[p].data != data)
            continue;
        if (n)
            add_row(to, (double) NAN, (double) NAN, (double) NAN);
        add_segment(fit, reading, &q->part[p], step, &n, to);
    }
}

static size_t count(const struct cf_problem *q, size_t data)
{
    size_t n = 0;

    for (size_t p = 0; p < q->npart; p++)
        for (size_t i = 0; q->part[p].data == data && i < q->part[p].count; i++)
            n += is_of(q, &q->part[p], q->part[p].first + i);
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
    const struct cf_spec *spec = fit->optimum.problem.spec;
    json_t *all = json_array();
    size_t nloop = 0, most;

    for (size_t i = 0; i < spec->ndata; i++)
        nloop += spec->data[i].protocol->loop != 0;
    most = GSL_MIN(LOOP_ROWS_MOST, GSL_MAX(LOOP_ROWS_LEAST, LOOP_ROWS / GSL_MAX(nloop, 1)));
    for (size_t i = 0; i < spec->ndata; i++) {
        size_t n = spec->data[i].protocol->loop ? count(&fit->optimum.problem, i) : 0;
        if (n)
            cf_json_add(&all, loop_json(fit, reading, i, (n + most - 1) / most));
    }
    return all;
}
