#include "estimate/evaluate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/effects.h"
#include "estimate/own_values.h"
#include "estimate/shared_error.h"

/* Stretches of a unit: work for a few milliseconds, beside which handing it to a thread is little.
 */
enum { UNIT = 16 * CF_STRETCH };

/* With fewer observations than this a second thread costs more than it saves. */
enum { LEAST_FOR_THREADS = 4 * CF_STRETCH };

/* One part at one theta, and room for a stretch of it. */
struct evaluation {
    const struct cf_problem *problem;
    const struct cf_set *set;
    const struct cf_dataset *data;
    const double *theta, *local; /* local: of the part */
    double *mine;                /* nfree: theta of a group; NULL: groups have none of their own */
    size_t part, ncolumn;
    enum cf_wanted wanted;
    bool predicted;                     /* all rows of a part that is predicted whole, */
    size_t done;                        /* of which so many have been handed on */
    void *work;                         /* of the protocol */
    double *value, *dvalue;             /* nplace; nplace * ncolumn */
    size_t *row;                        /* of the stretch, or of a part that is predicted whole */
    double *y, *by_value, *by_imposed;  /* of all its cells */
    double *out_y, *out_by_imposed, *A; /* of the observations of the stretch */
    double *room;
};

static void evaluation_close(struct evaluation *e)
{
    if (e->work)
        e->data->protocol->close(e->work);
    free(e->room);
    free(e->row);
}

/* Room for stretches of at most `most` observations, and predictions of so many rows. */
static int evaluation_room(struct evaluation *e, size_t most, size_t rows, struct cf_error *err)
{
    const struct cf_set *set = e->set;
    size_t cells = rows * set->nchannel, slopes = e->wanted == CF_WANT_VALUES ? 0 : set->nby;
    size_t columns = e->wanted == CF_WANT_VALUES ? 0 : e->ncolumn + 1;
    size_t nfree = e->problem->nfree;

    e->room = malloc(
        (set->nplace * (e->ncolumn + 1) + cells * (slopes + 2) + most * (columns + 2) + nfree + 1) *
        sizeof *e->room);
    e->row = malloc((rows + 1) * sizeof *e->row);
    if (!e->room || !e->row)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu observations", most);
    e->value = e->room;
    e->dvalue = e->value + set->nplace;
    e->y = e->dvalue + set->nplace * e->ncolumn;
    e->by_imposed = e->y + cells;
    e->out_y = e->by_imposed + cells;
    e->out_by_imposed = e->out_y + most;
    e->by_value = e->out_by_imposed + most;
    e->A = e->by_value + cells * slopes;
    e->mine = e->problem->neffect ? e->A + most * columns : NULL;
    return CF_OK;
}

static int evaluation_open(struct evaluation *e, const struct cf_problem *q, size_t part,
                           const double theta[], const double local[], enum cf_wanted wanted,
                           struct cf_error *err)
{
    const struct cf_part *at = &q->part[part];
    size_t stretch;
    int status;

    *e = (struct evaluation){.problem = q,
                             .set = &q->set[at->data],
                             .data = &q->spec->data[at->data],
                             .theta = theta,
                             .local = &(local ? local : q->local)[at->local],
                             .part = part,
                             .ncolumn = q->set[at->data].nlocal + q->set[at->data].nactive,
                             .wanted = wanted};
    stretch = at->count < CF_STRETCH ? at->count : CF_STRETCH;
    status = evaluation_room(e, stretch, at->whole ? at->count : stretch, err);
    if (!status)
        status = cf_set_values(q, at->data, at->segment, theta, e->local, e->value,
                               wanted == CF_WANT_VALUES ? NULL : e->dvalue, err);
    if (!status && e->data->protocol->open && !(e->work = e->data->protocol->open(q->curves)))
        status = cf_fail(err, CF_ENOMEM, "no memory for predictions");
    return status;
}

/* The reading of observation i from cell `cell` of its stretch. */
static int read_cell(struct evaluation *e, size_t i, size_t to, size_t cell, struct cf_error *err)
{
    const struct cf_observation *o = &e->problem->observation[i];
    size_t c = e->set->index[o->column];
    double gain = e->value[cf_set_gain(e->set, c)], bias = e->value[cf_set_bias(e->set, c)];

    if (!isfinite(e->y[cell]))
        return cf_fail(err, CF_ESOLVE, "%s predicts no %s at %g %s with these parameters",
                       e->problem->law->name, e->data->protocol->channel[o->column].name,
                       o->abscissa, e->data->protocol->axis.unit);
    e->out_y[to] = gain * e->y[cell] + bias;
    e->out_by_imposed[to] = e->wanted == CF_WANT_VALUES ? 0 : gain * e->by_imposed[cell];
    return CF_OK;
}

/* Derivatives of observation i, at place `to` of n, by all columns. */
static void differentiate(struct evaluation *e, size_t i, size_t to, size_t n, size_t cell)
{
    const struct cf_set *set = e->set;
    size_t c = set->index[e->problem->observation[i].column];
    size_t gain = cf_set_gain(set, c), bias = cf_set_bias(set, c);
    const double *by = &e->by_value[cell * set->nby];

    for (size_t j = 0; j < e->ncolumn; j++) {
        double sum = 0;
        for (size_t k = 0; k < set->nby; k++)
            if (e->dvalue[set->by[k] * e->ncolumn + j] != 0)
                sum += by[k] * e->dvalue[set->by[k] * e->ncolumn + j];
        sum = e->value[gain] * sum + e->y[cell] * e->dvalue[gain * e->ncolumn + j] +
              e->dvalue[bias * e->ncolumn + j];
        e->A[j * n + to] = sum;
    }
}

static double per_sigma(const struct cf_observation *o)
{
    return sqrt(o->weight * o->robust) / o->sigma;
}

void cf_residuals_of(const struct cf_observation o[], size_t n, const double y[], double r[])
{
    for (size_t i = 0; i < n; i++)
        r[i] = (o[i].value - y[i]) * per_sigma(&o[i]);
    cf_shared_whiten(o, n, r);
}

/* From predictions and slopes to residuals in sigmas, independent of each other. */
static void make_residuals(struct evaluation *e, size_t first, size_t n)
{
    const struct cf_observation *o = &e->problem->observation[first];

    for (size_t i = 0; i < n; i++) {
        double scale = per_sigma(&o[i]);
        for (size_t j = 0; j < e->ncolumn; j++)
            e->A[j * n + i] *= -scale;
    }
    for (size_t j = 0; j < e->ncolumn; j++)
        cf_shared_whiten(o, n, &e->A[j * n]);
    cf_residuals_of(o, n, e->out_y, &e->A[e->ncolumn * n]);
}

/* Predict the rows of observations first to first + n. */
static int predict(struct evaluation *e, size_t first, size_t n, struct cf_error *err)
{
    const struct cf_observation *o = &e->problem->observation[first];
    struct cf_request request = {.data = e->data,
                                 .law = e->problem->law,
                                 .value = e->value,
                                 .row = e->row,
                                 .nchannel = e->set->nchannel,
                                 .channel = e->set->channel,
                                 .nby = e->wanted == CF_WANT_VALUES ? 0 : e->set->nby,
                                 .by = e->set->by};
    struct cf_response response = {.y = e->y,
                                   .by_value = e->wanted == CF_WANT_VALUES ? NULL : e->by_value,
                                   .by_imposed =
                                       e->wanted == CF_WANT_VALUES ? NULL : e->by_imposed};

    for (size_t i = 0; i < n; i++)
        if (i == 0 || o[i].row != o[i - 1].row)
            e->row[request.nrow++] = o[i].row;
    return e->data->protocol->predict(e->work, &request, &response, err);
}

/* The same, once for all rows of a part that is predicted whole; *row is where those of this
 * stretch begin. */
static int predict_stretch(struct evaluation *e, size_t first, size_t n, size_t *row,
                           struct cf_error *err)
{
    const struct cf_part *part = &e->problem->part[e->part];
    int status = CF_OK;

    *row = part->whole ? e->done : 0;
    if (!part->whole)
        return predict(e, first, n, err);
    if (!e->predicted)
        status = predict(e, part->first, part->count, err);
    e->predicted = true;
    return status;
}

/* Make reading i, at place `to` of n, linear from the values on that its group has of its own. */
static void straighten(struct evaluation *e, size_t i, size_t to, size_t n)
{
    for (size_t k = 0; k < e->problem->neffect; k++) {
        const struct cf_effect *effect = &e->problem->effect[k];
        if (!effect->bends || isnan(effect->own[i]))
            continue;
        e->out_y[to] += effect->load[i] * (e->theta[effect->unknown] - effect->own[i]);
        for (size_t j = 0; j < e->set->nactive && e->wanted != CF_WANT_VALUES; j++)
            if (e->set->active[j] == effect->unknown)
                e->A[(e->set->nlocal + j) * n + to] = effect->load[i];
    }
}

/* Predict observations from + [begin, end) of a stretch of n that begins at `from`: those of one
 * group. */
static int evaluate_run(struct evaluation *e, size_t from, size_t begin, size_t end, size_t n,
                        struct cf_error *err)
{
    const struct cf_observation *o = &e->problem->observation[from];
    const struct cf_part *part = &e->problem->part[e->part];
    size_t row = 0;
    int status = CF_OK;

    if (e->mine) {
        cf_own_theta(e->problem, from + begin, e->theta, e->mine);
        status = cf_set_values(e->problem, part->data, part->segment, e->mine, e->local, e->value,
                               e->wanted == CF_WANT_VALUES ? NULL : e->dvalue, err);
    }
    if (!status)
        status = predict_stretch(e, from + begin, end - begin, &row, err);
    for (size_t i = begin; i < end && !status; i++) {
        size_t cell;
        row += i > begin && o[i].row != o[i - 1].row;
        cell = row * e->set->nchannel + e->set->index[o[i].column];
        status = read_cell(e, from + i, i, cell, err);
        if (!status && e->wanted != CF_WANT_VALUES)
            differentiate(e, from + i, i, n, cell);
        if (!status)
            straighten(e, from + i, i, n);
    }
    e->done = row + 1;
    return status;
}

/* Predict observations first to first + n and hand them on. */
static int evaluate(struct evaluation *e, size_t first, size_t n, struct cf_stretch *out,
                    struct cf_error *err)
{
    int status = CF_OK;

    for (size_t at = 0, next; at < n && !status; at = next) {
        next = e->mine ? cf_own_run(e->problem, first + at, first + n) - first : n;
        status = evaluate_run(e, first, at, next, n, err);
    }
    if (!status && e->wanted == CF_WANT_RESIDUALS)
        make_residuals(e, first, n);
    *out = (struct cf_stretch){.problem = e->problem,
                               .part = e->part,
                               .first = first,
                               .count = n,
                               .ncolumn = e->ncolumn,
                               .y = e->out_y,
                               .by_imposed = e->out_by_imposed,
                               .A = e->wanted == CF_WANT_VALUES ? NULL : e->A,
                               .ld = n};
    return status;
}

/* The first observation from i on, before `end`, that begins a row. */
static size_t row_from(const struct cf_problem *q, size_t i, size_t end)
{
    while (i < end && i > 0 && q->observation[i].row == q->observation[i - 1].row &&
           q->observation[i].data == q->observation[i - 1].data)
        i++;
    return i < end ? i : end;
}

/* Observations from begin to end of a part, in stretches that end between rows. */
static int visit_range(const struct cf_problem *q, size_t part, size_t begin, size_t end,
                       size_t unit, const double theta[], const double local[],
                       enum cf_wanted wanted, cf_visit *visit, void *context, struct cf_error *err)
{
    struct evaluation e;
    int status = evaluation_open(&e, q, part, theta, local, wanted, err);

    while (begin < end && !status) {
        struct cf_stretch at;
        size_t n = end - begin;
        if (n > CF_STRETCH) {
            n = CF_STRETCH;
            while (n > 1 && q->observation[begin + n].row == q->observation[begin + n - 1].row)
                n--;
        }
        status = cf_workers_check(q->workers, err);
        if (!status)
            status = evaluate(&e, begin, n, &at, err);
        if (!status)
            visit(context, unit, &at);
        begin += n;
    }
    evaluation_close(&e);
    return status;
}

int cf_part_visit(const struct cf_problem *problem, size_t part, const double theta[],
                  const double local[], enum cf_wanted wanted, cf_visit *visit, void *context,
                  struct cf_error *err)
{
    const struct cf_part *at = &problem->part[part];
    return visit_range(problem, part, at->first, at->first + at->count, 0, theta, local, wanted,
                       visit, context, err);
}

/* ---- all parts, on several threads */

size_t cf_part_units(const struct cf_part *part)
{
    return part->whole ? part->count > 0 : (part->count + UNIT - 1) / UNIT;
}

size_t cf_units(const struct cf_problem *problem)
{
    size_t n = 0;
    for (size_t i = 0; i < problem->npart; i++)
        n += cf_part_units(&problem->part[i]);
    return n;
}

size_t cf_threads_for(const struct cf_problem *problem, size_t tasks)
{
    return tasks < 2 || problem->nobservation < LEAST_FOR_THREADS
               ? 1
               : cf_workers_count(problem->workers);
}

/* A visit of all parts. */
struct visit_work {
    const struct cf_problem *problem;
    const double *theta, *local;
    enum cf_wanted wanted;
    cf_visit *visit;
    void *context;
    size_t *part, *number; /* of each unit: its part, and which of that part's it is */
};

/* Unit number `number` of a part. */
static int visit_numbered(const struct visit_work *w, size_t part, size_t number, size_t unit,
                          struct cf_error *err)
{
    const struct cf_part *at = &w->problem->part[part];
    size_t end = at->first + at->count, begin = at->first + number * UNIT;

    if (at->whole)
        return visit_range(w->problem, part, at->first, end, unit, w->theta, w->local, w->wanted,
                           w->visit, w->context, err);
    return visit_range(w->problem, part, number ? row_from(w->problem, begin, end) : begin,
                       row_from(w->problem, begin + UNIT, end), unit, w->theta, w->local, w->wanted,
                       w->visit, w->context, err);
}

static int visit_unit(void *context, size_t unit, size_t worker, struct cf_error *err)
{
    const struct visit_work *w = context;

    (void) worker;
    return visit_numbered(w, w->part[unit], w->number[unit], unit, err);
}

/* The units one after the other: no list of them is needed. */
static int visit_alone(const struct visit_work *w, struct cf_error *err)
{
    size_t unit = 0;
    int status = CF_OK;

    for (size_t p = 0; p < w->problem->npart && !status; p++)
        for (size_t k = 0; k < cf_part_units(&w->problem->part[p]) && !status; k++)
            status = visit_numbered(w, p, k, unit++, err);
    return status;
}

int cf_visit_ungrouped(const struct cf_problem *problem, const double theta[], const double local[],
                       enum cf_wanted wanted, cf_visit *visit, void *context, struct cf_error *err)
{
    struct visit_work w = {problem, theta, local, wanted, visit, context, NULL, NULL};
    size_t units = cf_units(problem), unit = 0;
    struct cf_workers silent = {.jobs = cf_threads_for(problem, units)};
    int status;

    if (silent.jobs < 2)
        return visit_alone(&w, err);
    w.part = malloc(2 * units * sizeof *w.part);
    if (!w.part)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu units", units);
    w.number = w.part + units;
    for (size_t p = 0; p < problem->npart; p++)
        for (size_t k = 0; k < cf_part_units(&problem->part[p]); k++) {
            w.part[unit] = p;
            w.number[unit++] = k;
        }
    status = cf_parallel(&silent, "", units, visit_unit, &w, err);
    free(w.part);
    return status;
}
