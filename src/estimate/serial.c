#include "estimate/serial.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The largest order looked at is 10 log10 n, as the R function ar() has it, but no more than one of
 * so many rows: with fewer, any order describes them and means nothing. */
static const double orders_per_decade = 10;
enum { ROWS_PER_ORDER = 10 };

/* Rows further apart than so many of their usual steps have a gap between them. */
static const double gap_steps = 1.5;

/* A block that is drawn or left out has the errors of so many correlation times, so that its ends,
 * where rows are taken as independent, matter little; but there are so many blocks at least. */
static const double times_per_block = 5;
enum { LEAST_BLOCKS = 20 };

void cf_serial_free(struct cf_problem *problem)
{
    for (size_t s = 0; s < problem->nserial; s++) {
        free(problem->serial[s].model.partial);
        free(problem->serial[s].member);
        free(problem->serial[s].place);
    }
    free(problem->serial);
    problem->serial = NULL;
    problem->nserial = 0;
}

/* ---- runs */

/* The time of an observation, or its row where there is no clock. */
static double time_of(const struct cf_problem *q, size_t observation)
{
    const struct cf_observation *o = &q->observation[observation];
    const struct cf_dataset *d = &q->spec->data[o->data];
    double t = d->protocol->clock == CF_NO_CHANNEL
                   ? (double) NAN
                   : cf_dataset_value(d, o->row, d->protocol->clock);

    return isnan(t) ? (double) o->row : t;
}

/* The median of the steps; work[n]. */
static double usual_step(const struct cf_problem *q, const struct cf_serial *s, double work[])
{
    for (size_t k = 1; k < s->n; k++)
        work[k - 1] = time_of(q, s->member[k]) - time_of(q, s->member[k - 1]);
    if (s->n < 2)
        return 1;
    gsl_sort(work, 1, s->n - 1);
    return gsl_stats_median_from_sorted_data(work, 1, s->n - 1);
}

static bool same_groups(const struct cf_dataset *d, size_t a, size_t b)
{
    for (size_t level = 0; level < d->ngroup_level; level++)
        if (cf_dataset_group(d, a, level) != cf_dataset_group(d, b, level))
            return false;
    return true;
}

/* Where runs begin: part[k] is that of member k. */
static void find_runs(const struct cf_problem *q, struct cf_serial *s, const uint32_t part[],
                      double step)
{
    const struct cf_dataset *d = &q->spec->data[q->channel[s->channel].data];

    for (size_t k = 1; k < s->n; k++) {
        size_t here = s->member[k], last = s->member[k - 1];
        double gone = time_of(q, here) - time_of(q, last);
        bool on = part[k] == part[k - 1] && gone > 0 && gone < gap_steps * step &&
                  same_groups(d, q->observation[last].row, q->observation[here].row);
        s->place[k] = on ? s->place[k - 1] + 1 : 0;
    }
}

size_t cf_serial_most_order(size_t n)
{
    size_t most = (size_t) (orders_per_decade * log10(fmax((double) n, 1)));

    most = most < n / ROWS_PER_ORDER ? most : n / ROWS_PER_ORDER;
    return most > 1 ? most : 1;
}

static int find_members(const struct cf_problem *q, struct cf_serial *s, struct cf_error *err)
{
    size_t n = q->channel[s->channel].n;
    uint32_t *part = calloc(n + 1, sizeof *part);
    double *work = malloc((n + 1) * sizeof *work), step;
    const struct cf_dataset *d = &q->spec->data[q->channel[s->channel].data];

    s->member = calloc(n + 1, sizeof *s->member);
    s->place = calloc(n + 1, sizeof *s->place);
    s->model.partial = calloc(s->most, sizeof *s->model.partial);
    if (part && work && s->member && s->place && s->model.partial) {
        for (size_t p = 0; p < q->npart; p++)
            for (size_t i = q->part[p].first; i < q->part[p].first + q->part[p].count; i++)
                if (q->observation[i].channel == s->channel) {
                    part[s->n] = (uint32_t) p;
                    s->member[s->n++] = i;
                }
        step = usual_step(q, s, work);
        find_runs(q, s, part, step);
        s->step_s = d->protocol->clock != CF_NO_CHANNEL && d->series[d->protocol->clock].value
                        ? step
                        : (double) NAN;
    }
    free(part);
    free(work);
    return s->model.partial && s->n == n
               ? CF_OK
               : cf_fail(err, CF_ENOMEM, "no memory for the errors of %zu rows", n);
}

/* ---- models */

static bool put_model(struct cf_serial *to, const struct cf_serial_model *from)
{
    size_t order = from->order < to->most ? from->order : to->most;
    bool changed = to->model.kind != from->kind || to->model.order != order ||
                   to->model.share != from->share ||
                   memcmp(to->model.partial, from->partial, order * sizeof *from->partial) != 0;

    memcpy(to->model.partial, from->partial, order * sizeof *from->partial);
    to->model.kind = from->kind;
    to->model.order = order;
    to->model.share = from->share;
    return changed;
}

/* The model of the same column of the same data. */
static const struct cf_serial *same_of(const struct cf_problem *q, size_t data, size_t column)
{
    for (size_t s = 0; s < q->nserial; s++) {
        const struct cf_channel *c = &q->channel[q->serial[s].channel];
        if (c->data == data && c->column == column)
            return &q->serial[s];
    }
    return NULL;
}

void cf_serial_take(struct cf_problem *problem, const struct cf_problem *from, bool *changed)
{
    *changed = false;
    for (size_t s = 0; s < problem->nserial; s++) {
        const struct cf_channel *c = &problem->channel[problem->serial[s].channel];
        const struct cf_serial *old = same_of(from, c->data, c->column);
        if (old && put_model(&problem->serial[s], &old->model))
            *changed = true;
        if (old)
            problem->serial[s].settled = old->settled;
    }
}

int cf_serial_append(struct cf_problem *problem, size_t channel,
                     const struct cf_serial_model *model, struct cf_error *err)
{
    struct cf_serial *s = &problem->serial[problem->nserial++];
    size_t most = cf_serial_most_order(problem->channel[channel].n);

    *s = (struct cf_serial){.channel = channel, .settled = true};
    s->most = model && model->order > most ? model->order : most;
    int status = find_members(problem, s, err);
    if (!status && model)
        put_model(s, model);
    return status;
}

int cf_serial_make(struct cf_problem *problem, const struct cf_serial old[], size_t nold,
                   struct cf_error *err)
{
    struct cf_problem *q = problem;
    int status = CF_OK;

    q->nserial = 0;
    q->serial = calloc(q->nchannel + 1, sizeof *q->serial);
    if (!q->serial)
        return cf_fail(err, CF_ENOMEM, "no memory for the errors of %zu channels", q->nchannel);
    for (size_t c = 0; c < q->nchannel && !status; c++) {
        const struct cf_channel *channel = &q->channel[c];
        if (!q->spec->data[channel->data].series[channel->column].dense)
            continue;
        status = cf_serial_append(q, c, NULL, err);
    }
    for (size_t s = 0; s < q->nserial && !status; s++)
        for (size_t k = 0; k < nold; k++)
            if (old[k].channel == q->serial[s].channel) {
                put_model(&q->serial[s], &old[k].model);
                q->serial[s].settled = old[k].settled;
            }
    return status;
}

const struct cf_serial *cf_serial_of(const struct cf_problem *problem, size_t channel)
{
    for (size_t s = 0; s < problem->nserial; s++)
        if (problem->serial[s].channel == channel)
            return &problem->serial[s];
    return NULL;
}

bool cf_serial_any(const struct cf_problem *problem)
{
    for (size_t s = 0; s < problem->nserial; s++)
        if (problem->serial[s].model.kind != CF_SERIAL_WHITE)
            return true;
    return false;
}

/* ---- the filter */

/* Runs as they are with the weights of the observations: rows that count more or less often than
 * the one before them begin one. */
static void weighted_runs(const struct cf_problem *q, const struct cf_serial *s, uint32_t place[])
{
    for (size_t k = 0; k < s->n; k++) {
        bool on = k > 0 && s->place[k] > 0 &&
                  q->observation[s->member[k]].weight == q->observation[s->member[k - 1]].weight;
        place[k] = on ? place[k - 1] + 1 : 0;
    }
}

static int whiten_one(const struct cf_problem *q, const struct cf_serial *s, double A[],
                      size_t ncolumn, size_t ld, double *log_det, struct cf_error *err)
{
    uint32_t *place = malloc((s->n + 1) * sizeof *place);
    struct cf_serial_filter filter;
    int status;

    if (!place)
        return cf_fail(err, CF_ENOMEM, "no memory for the errors of %zu rows", s->n);
    weighted_runs(q, s, place);
    status = cf_serial_filter_make(&s->model, s->n, place, &filter, err);
    for (size_t j = 0; j < ncolumn && !status; j++)
        cf_serial_filter_apply(&filter, s->member, &A[j * ld]);
    for (size_t k = 0; k < s->n && log_det && !status; k++)
        *log_det +=
            q->observation[s->member[k]].weight * log(cf_serial_filter_variance(&filter, k));
    cf_serial_filter_clear(&filter);
    free(place);
    return status;
}

int cf_serial_whiten(const struct cf_problem *problem, double A[], size_t ncolumn, size_t ld,
                     double *log_det, struct cf_error *err)
{
    int status = CF_OK;

    for (size_t s = 0; s < problem->nserial && !status; s++)
        if (problem->serial[s].model.kind != CF_SERIAL_WHITE)
            status = whiten_one(problem, &problem->serial[s], A, ncolumn, ld, log_det, err);
    return status;
}

static int draw_one(const struct cf_serial *s, double (*normal)(void *owner), void *owner,
                    double sigma[], double value[], struct cf_error *err)
{
    double *e = malloc((s->n + 1) * sizeof *e);
    struct cf_serial_filter filter = {0};
    int status = e ? cf_serial_filter_make(&s->model, s->n, s->place, &filter, err)
                   : cf_fail(err, CF_ENOMEM, "no memory for the errors of %zu rows", s->n);

    if (!status)
        cf_serial_filter_draw(&filter, normal, owner, e);
    for (size_t k = 0; k < s->n && !status; k++) {
        value[s->member[k]] += sigma[s->member[k]] * e[k];
        sigma[s->member[k]] = 0;
    }
    cf_serial_filter_clear(&filter);
    free(e);
    return status;
}

int cf_serial_draw(const struct cf_problem *problem, double (*normal)(void *owner), void *owner,
                   double sigma[], double value[], struct cf_error *err)
{
    int status = CF_OK;

    for (size_t s = 0; s < problem->nserial && !status; s++)
        status = draw_one(&problem->serial[s], normal, owner, sigma, value, err);
    return status;
}

/* ---- blocks */

/* Rows of a block, of the data set that the channel is of. */
static size_t block_of(const struct cf_problem *q, const struct cf_serial *s)
{
    double members = ceil(times_per_block * cf_serial_time(&s->model));
    double most = floor((double) s->n / LEAST_BLOCKS);
    size_t rows = q->observation[s->member[s->n - 1]].row - q->observation[s->member[0]].row + 1;
    double block = fmax(fmin(members, most), 1) * (double) rows / (double) s->n;

    return block > 1 ? (size_t) block : 1;
}

bool cf_serial_links(const struct cf_problem *problem, size_t observation)
{
    const struct cf_observation *o = &problem->observation[observation];

    if (observation == 0 || o[-1].data != o->data)
        return false;
    for (size_t s = 0; s < problem->nserial; s++) {
        const struct cf_serial *serial = &problem->serial[s];
        size_t block;
        if (problem->channel[serial->channel].data != o->data ||
            serial->model.kind == CF_SERIAL_WHITE)
            continue;
        block = block_of(problem, serial);
        if (o->row / block == o[-1].row / block)
            return true;
    }
    return false;
}
