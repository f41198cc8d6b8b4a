#include "estimate/problem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/effects.h"
#include "estimate/records.h"
#include "estimate/serial.h"

/* Scatter below the accuracy of the predictions cannot be seen. */
static const double model_accuracy = 1e-10;

static void sets_free(struct cf_problem *q)
{
    for (size_t d = 0; q->set && d < q->spec->ndata; d++) {
        free(q->set[d].channel);
        free(q->set[d].index);
        free(q->set[d].fitted);
        free(q->set[d].active);
        free(q->set[d].own);
        free(q->set[d].column);
        free(q->set[d].local);
        free(q->set[d].by);
    }
    free(q->set);
}

void cf_problem_free(struct cf_problem *problem)
{
    free(problem->observation);
    free(problem->channel);
    free(problem->unknown);
    free(problem->part);
    free(problem->local);
    cf_effects_free(problem);
    cf_records_free(problem);
    cf_serial_free(problem);
    if (!problem->borrowed) {
        for (size_t i = 0; i < problem->nname; i++)
            free(problem->name[i]);
        free(problem->name);
        free(problem->assignment);
        sets_free(problem);
    }
    *problem = (struct cf_problem){0};
}

/* ---- what is observed */

/* What is collected. */
struct selection {
    enum cf_row_use use;
    enum cf_scope scope;
};

static bool is_observed(const struct selection *s, const struct cf_dataset *d, size_t row,
                        size_t column)
{
    return d->use[row] == s->use && d->protocol->channel[column].role == CF_ROLE_MEASURED &&
           (s->scope != CF_SCOPE_COMMON || cf_channel_common(d->protocol, column)) &&
           cf_dataset_has(d, row, column);
}

/* The segment i of a data set; all rows are one where it has none. */
static struct cf_segment segment_of(const struct cf_dataset *d, size_t i)
{
    return d->nsegment ? d->segment[i] : (struct cf_segment){0, d->nrow};
}

/* Count the observations of each channel, which become set->channel in their order. */
static int find_channels(struct cf_problem *q, size_t data, const struct selection *s, size_t *n,
                         struct cf_error *err)
{
    const struct cf_dataset *d = &q->spec->data[data];
    size_t nchannel = d->protocol->nchannel, nsegment = d->nsegment ? d->nsegment : 1;
    struct cf_set *set = &q->set[data];
    size_t *count = calloc(nchannel + 1, sizeof *count);

    set->nvalue = q->law->nparam + d->protocol->napparatus + d->protocol->nstart;
    set->channel = calloc(nchannel + 1, sizeof *set->channel);
    set->index = calloc(nchannel + 1, sizeof *set->index);
    set->fitted = calloc(nchannel + 1, sizeof *set->fitted);
    set->own = calloc(q->law->nparam + q->spec->nfree + 1, sizeof *set->own);
    set->column = calloc(q->law->nparam + q->spec->nfree + 1, sizeof *set->column);
    set->local = calloc(q->spec->nnuisance + d->protocol->nstart + 1, sizeof *set->local);
    if (!count || !set->channel || !set->index || !set->fitted || !set->own || !set->column ||
        !set->local) {
        free(count);
        return cf_fail(err, CF_ENOMEM, "no memory for the channels of %zu data sets",
                       q->spec->ndata);
    }
    for (size_t i = 0; i < nsegment; i++) {
        struct cf_segment g = segment_of(d, i);
        for (size_t row = g.first; row < g.first + g.count; row++)
            for (size_t j = 0; j < nchannel; j++)
                count[j] += is_observed(s, d, row, j);
    }
    for (size_t j = 0; j < nchannel; j++)
        if (count[j]) {
            set->channel[set->nchannel++] = j;
            *n += count[j];
        }
    for (size_t j = 0, at = 0; j < nchannel; j++)
        set->index[j] = count[j] ? at++ : set->nchannel;
    set->nplace = set->nvalue + 2 * set->nchannel;
    free(count);
    return CF_OK;
}

static void observe(struct cf_problem *q, size_t data, size_t row, size_t column)
{
    const struct cf_dataset *d = &q->spec->data[data];
    size_t channel = cf_channel_of(q, data, column);
    struct cf_channel *c = &q->channel[channel];
    double value = cf_dataset_value(d, row, column);
    double sigma = c->estimated && !c->floored ? 0 : cf_dataset_sigma(d, row, column);

    /* until it is estimated, a tenth of the values' size */
    c->sigma = c->estimated ? fmax(c->sigma, 0.1 * fabs(value)) : hypot(c->sigma, sigma);
    c->floor = fmax(c->floor, model_accuracy * fabs(value));
    c->n++;
    q->observation[q->nobservation++] = (struct cf_observation){
        .data = (uint32_t) data,
        .row = (uint32_t) row,
        .column = (uint32_t) column,
        .channel = (uint32_t) channel,
        .abscissa = d->protocol->abscissa(d, row),
        .value = value,
        .sigma0 = sigma,
        .sigma = sigma,
        .weight = 1,
        .robust = 1,
    };
}

/* Chosen ones begin as constant; robust losses know no others, nor do laws that are compared in
 * what they have in common. */
static enum cf_sigma_model model_of(const struct cf_problem *q, const struct cf_series *series)
{
    bool plain = series->kind != CF_SIGMA_ESTIMATE || series->model == CF_SIGMA_CHOSEN ||
                 q->loss.kind != CF_LOSS_SQUARES;
    return plain ? CF_SIGMA_CONSTANT : series->model;
}

/* May a data set's column share an estimated sigma with those of others? The errors of a record are
 * its own. */
static bool may_share(const struct cf_dataset *d, size_t column)
{
    const struct cf_series *s = &d->series[column];
    return s->kind == CF_SIGMA_ESTIMATE && !s->apart && !s->dense && !d->protocol->recording &&
           !d->protocol->record;
}

/* Is the error of what is imposed known beside an estimated sigma of the column? A dense trace has
 * it in its noise, readings of records have it in theirs (estimate/carried.h), and a robust loss
 * takes one sigma of all rows. */
static bool carries(const struct cf_problem *q, const struct cf_dataset *d, size_t column)
{
    const struct cf_derived *recording = d->protocol->recording;

    if (d->series[column].kind != CF_SIGMA_ESTIMATE || d->series[column].dense ||
        q->loss.kind != CF_LOSS_SQUARES || (recording && recording->reading == column))
        return false;
    for (size_t row = 0; row < d->nrow; row++)
        if (cf_dataset_sigma(d, row, d->protocol->imposed(d, row)) > 0)
            return true;
    return false;
}

static struct cf_channel describe_channel(const struct cf_problem *q, size_t data, size_t column)
{
    const struct cf_dataset *d = &q->spec->data[data];
    const struct cf_series *series = &d->series[column];
    bool estimated = series->kind == CF_SIGMA_ESTIMATE;

    return (struct cf_channel){
        .data = data,
        .column = column,
        .estimated = estimated,
        .model = model_of(q, series),
        .floored = estimated && series->floored,
        .carries = carries(q, d, column),
        .exponent = 1,
        .partner = CF_NO_CHANNEL,
    };
}

/* The channel of an earlier data set that is the same; nchannel: none. */
static size_t shared_channel(const struct cf_problem *q, const struct cf_channel *own)
{
    const struct cf_dataset *d = &q->spec->data[own->data];
    size_t i = may_share(d, own->column) ? 0 : q->nchannel;

    for (; i < q->nchannel; i++) {
        const struct cf_channel *c = &q->channel[i];
        const struct cf_dataset *other = &q->spec->data[c->data];
        if (c->column == own->column && may_share(other, c->column) &&
            cf_protocol_same(other->protocol, d->protocol) &&
            other->series[c->column].model == d->series[c->column].model &&
            c->floored == own->floored && c->carries == own->carries)
            break;
    }
    return i;
}

/* The channels of one data set. */
static void make_channels(struct cf_problem *q, size_t data, const struct selection *s)
{
    struct cf_set *set = &q->set[data];

    for (size_t j = 0; j < set->nchannel; j++) {
        struct cf_channel own = describe_channel(q, data, set->channel[j]);
        set->fitted[j] = s->scope == CF_SCOPE_EACH ? q->nchannel : shared_channel(q, &own);
        if (set->fitted[j] == q->nchannel)
            q->channel[q->nchannel++] = own;
    }
}

/* The observations of one data set, segment by segment. */
static void observe_set(struct cf_problem *q, size_t data, const struct selection *s)
{
    const struct cf_dataset *d = &q->spec->data[data];
    const struct cf_set *set = &q->set[data];
    size_t nsegment = d->nsegment ? d->nsegment : 1;

    make_channels(q, data, s);
    for (size_t i = 0; i < nsegment; i++) {
        struct cf_segment g = segment_of(d, i);
        struct cf_part *part = &q->part[q->npart];
        *part = (struct cf_part){
            .data = data, .first = q->nobservation, .segment = i, .whole = d->protocol->whole};
        for (size_t row = g.first; row < g.first + g.count; row++)
            for (size_t j = 0; j < set->nchannel; j++)
                if (is_observed(s, d, row, set->channel[j]))
                    observe(q, data, row, set->channel[j]);
        part->count = q->nobservation - part->first;
        q->npart += part->count > 0;
    }
}

/* The step of the digits that the readings of each channel have: the largest power of ten of which
 * all are multiples. None, where they have more digits than anything is read to. */
static double step_of_digits(const struct cf_problem *q, size_t channel)
{
    enum { MOST_DIGITS = 9 };
    const double rounding = 1e-5; /* of a number of so many digits that has been converted to SI */
    double largest = 0;

    for (size_t i = 0; i < q->nobservation; i++)
        if (q->observation[i].channel == channel)
            largest = fmax(largest, fabs(q->observation[i].value));
    for (int digit = 0; digit < MOST_DIGITS && largest > 0; digit++) {
        double step = pow(10, floor(log10(largest)) - digit);
        bool all = true;
        for (size_t i = 0; i < q->nobservation && all; i++) {
            double times = q->observation[i].value / step;
            all = q->observation[i].channel != channel || fabs(times - round(times)) < rounding;
        }
        if (all)
            return step;
    }
    return 0;
}

static int collect(struct cf_problem *q, const struct selection *s, struct cf_error *err)
{
    const struct cf_spec *spec = q->spec;
    size_t n = 0, nchannel = 0, npart = 0;

    q->set = calloc(spec->ndata + 1, sizeof *q->set);
    if (!q->set)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu data sets", spec->ndata);
    for (size_t i = 0; i < spec->ndata; i++) {
        int status = find_channels(q, i, s, &n, err);
        if (status)
            return status;
        if (spec->data[i].nrow > UINT32_MAX)
            return cf_fail(err, CF_ERANGE, "data set %s: %zu rows: at most %lu", spec->data[i].name,
                           spec->data[i].nrow, (unsigned long) UINT32_MAX);
        nchannel += q->set[i].nchannel;
        npart += spec->data[i].nsegment ? spec->data[i].nsegment : 1;
    }
    q->observation = calloc(n + 1, sizeof *q->observation);
    q->channel = calloc(nchannel + 1, sizeof *q->channel);
    q->part = calloc(npart + 1, sizeof *q->part);
    if (!q->observation || !q->channel || !q->part)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu observations", n);
    for (size_t i = 0; i < spec->ndata; i++)
        observe_set(q, i, s);
    for (size_t i = 0; i < q->nobservation; i++) {
        struct cf_observation *o = &q->observation[i];
        if (q->channel[o->channel].estimated)
            o->sigma = hypot(q->channel[o->channel].sigma, o->sigma0);
    }
    for (size_t i = 0; i < q->nchannel; i++) {
        struct cf_channel *c = &q->channel[i];
        if (c->estimated) /* what is rounded is off by so much, evenly */
            c->floor = fmax(c->floor, step_of_digits(q, i) / sqrt(12));
        else
            c->sigma /= sqrt((double) c->n);
    }
    return CF_OK;
}

/* Each part's locals, where their descriptions have them start. */
static int start_locals(struct cf_problem *q, struct cf_error *err)
{
    for (size_t i = 0; i < q->npart; i++) {
        q->part[i].local = q->nlocal;
        q->nlocal += q->set[q->part[i].data].nlocal;
    }
    q->local = calloc(q->nlocal + 1, sizeof *q->local);
    if (!q->local)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu locals", q->nlocal);
    cf_problem_reset_locals(q);
    return CF_OK;
}

void cf_problem_reset_locals(struct cf_problem *problem)
{
    struct cf_problem *q = problem;

    for (size_t i = 0; i < q->npart; i++) {
        const struct cf_set *set = &q->set[q->part[i].data];
        for (size_t j = 0; j < set->nlocal; j++) {
            const struct cf_unknown *w = &set->local[j];
            double start = isnan(w->start) ? (w->has_prior ? w->prior : 0) : w->start;
            q->local[q->part[i].local + j] = fmin(fmax(start, w->lower), w->upper);
        }
    }
}

int cf_problem_init(struct cf_problem *problem, const struct cf_spec *spec,
                    const struct cf_law *law, struct cf_curves *curves, enum cf_row_use use,
                    enum cf_scope scope, struct cf_error *err)
{
    const struct selection selection = {use, scope};
    int status;

    *problem = (struct cf_problem){
        .law = law,
        .spec = spec,
        .curves = curves,
        .loss = cf_loss_make(spec->options.loss, spec->options.loss_scale),
    };
    status = collect(problem, &selection, err);
    if (!status)
        status = cf_effects_make(problem, NULL, 0, err);
    if (!status)
        status = cf_records_make(problem, err);
    if (!status)
        status = cf_serial_make(problem, NULL, 0, err);
    if (!status)
        status = cf_pivot_choose(spec, &problem->pivot_m, err);
    if (!status)
        status = cf_problem_choose(problem, err);
    if (!status) { /* which parameters groups differ in is known now */
        cf_effects_free(problem);
        status = cf_effects_make(problem, NULL, 0, err);
    }
    if (!status)
        status = start_locals(problem, err);
    problem->nresidual = problem->nobservation + problem->nprior;
    return status || !curves ? status : cf_curves_prepare(curves, law, err);
}

/* ---- copies */

static void *copy_of(const void *x, size_t n, size_t size)
{
    void *copy = calloc(n + 1, size);
    return copy && n ? memcpy(copy, x, n * size) : copy;
}

int cf_problem_copy(struct cf_problem *copy, const struct cf_problem *from, struct cf_error *err)
{
    *copy = *from;
    copy->borrowed = true;
    copy->observation = copy_of(from->observation, from->nobservation, sizeof *from->observation);
    copy->channel = copy_of(from->channel, from->nchannel, sizeof *from->channel);
    copy->unknown = copy_of(from->unknown, from->nfree, sizeof *from->unknown);
    copy->part = copy_of(from->part, from->npart, sizeof *from->part);
    copy->local = copy_of(from->local, from->nlocal, sizeof *from->local);
    copy->neffect = copy->nrecord = copy->nserial = 0;
    copy->effect = NULL;
    copy->record = NULL;
    copy->link = NULL;
    copy->serial = NULL;
    if (copy->observation && copy->channel && copy->unknown && copy->part && copy->local &&
        cf_effects_make(copy, from->effect, from->neffect, err) == CF_OK &&
        cf_records_copy(copy, from, err) == CF_OK &&
        cf_serial_make(copy, from->serial, from->nserial, err) == CF_OK)
        return CF_OK;
    cf_problem_free(copy);
    return cf_fail(err, CF_ENOMEM, "no memory for %zu observations once more", from->nobservation);
}

void cf_problem_restore(struct cf_problem *copy, const struct cf_problem *from)
{
    bool changed;

    memcpy(copy->observation, from->observation, from->nobservation * sizeof *from->observation);
    memcpy(copy->channel, from->channel, from->nchannel * sizeof *from->channel);
    memcpy(copy->unknown, from->unknown, from->nfree * sizeof *from->unknown);
    memcpy(copy->local, from->local, from->nlocal * sizeof *from->local);
    cf_effects_restore(copy, from);
    cf_records_restore(copy, from);
    cf_serial_take(copy, from, &changed);
}
