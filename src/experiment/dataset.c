#include "experiment/dataset.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiment/protocol.h"

const char *const cf_sigma_model_name[CF_NSIGMA_MODEL] = {
    [CF_SIGMA_CHOSEN] = "estimate",
    [CF_SIGMA_CONSTANT] = "constant",
    [CF_SIGMA_PROPORTIONAL] = "proportional",
    [CF_SIGMA_BOTH] = "both",
    [CF_SIGMA_POWER] = "power",
};

static int no_room(struct cf_dataset *d, size_t nrow, struct cf_error *err)
{
    cf_dataset_clear(d);
    return cf_fail(err, CF_ENOMEM, "no memory for a data set of %zu rows", nrow);
}

int cf_dataset_check(const struct cf_protocol *protocol, struct cf_error *err)
{
    return protocol->nchannel <= CF_MAX_COLUMN
               ? CF_OK
               : cf_fail(err, CF_ERANGE, "protocol %s has %zu channels: at most %d have room",
                         protocol->name, protocol->nchannel, CF_MAX_COLUMN);
}

static int alloc_rules(struct cf_dataset *d, const struct cf_derived *recording, size_t nrow,
                       struct cf_error *err)
{
    if (!recording)
        return CF_OK;
    d->rule = calloc(recording->nrule + 1, sizeof *d->rule);
    if (!d->rule)
        return no_room(d, nrow, err);
    for (size_t i = 0; i < recording->nrule; i++)
        d->rule[i] = recording->rule[i].typical;
    return CF_OK;
}

int cf_dataset_alloc(struct cf_dataset *d, const struct cf_protocol *protocol, size_t nrow,
                     struct cf_error *err)
{
    size_t n = nrow ? nrow : 1;

    if (cf_dataset_check(protocol, err))
        return CF_ERANGE;
    d->protocol = protocol;
    d->nrow = nrow;
    d->series = calloc(protocol->nchannel, sizeof *d->series);
    d->line = calloc(n, sizeof *d->line);
    d->use = calloc(n, sizeof *d->use);
    d->apparatus = calloc(protocol->napparatus + 1, sizeof *d->apparatus);
    d->condition = calloc(protocol->ncondition + 1, sizeof *d->condition);
    if (!d->series || !d->line || !d->use || !d->apparatus || !d->condition)
        return no_room(d, nrow, err);
    for (size_t i = 0; i < protocol->ncondition; i++)
        d->condition[i] = (double) NAN;
    for (size_t i = 0; i < protocol->napparatus; i++)
        d->apparatus[i] = protocol->apparatus[i].typical;
    return alloc_rules(d, protocol->recording, nrow, err);
}

/* An array of n numbers that had `old`; the new ones are NAN. false: no room, and it stays. */
static bool resize_numbers(double **x, size_t old, size_t n, double fill)
{
    double *more = *x ? realloc(*x, (n ? n : 1) * sizeof *more) : NULL;

    if (!*x || !more)
        return !*x;
    for (size_t i = old; i < n; i++)
        more[i] = fill;
    *x = more;
    return true;
}

int cf_dataset_resize(struct cf_dataset *d, size_t nrow, struct cf_error *err)
{
    size_t n = nrow ? nrow : 1, old = d->nrow;
    size_t *line = realloc(d->line, n * sizeof *line);
    unsigned char *use = realloc(d->use, n * sizeof *use);
    bool room = line && use;

    d->line = line ? line : d->line;
    d->use = use ? use : d->use;
    for (size_t i = 0; i < d->protocol->nchannel && room; i++)
        room = resize_numbers(&d->series[i].value, old, n, (double) NAN) &&
               resize_numbers(&d->series[i].sigma, old, n, 0);
    if (!room)
        return cf_fail(err, CF_ENOMEM, "no memory for a data set of %zu rows", nrow);
    for (size_t i = old; i < nrow; i++) {
        d->line[i] = 0;
        d->use[i] = CF_ROW_FIT;
    }
    d->nrow = nrow;
    return CF_OK;
}

#define ANY_BRANCH SIZE_MAX

/* Is the row one that counts, of the branch or of any where there are none? */
static bool stands_for(const struct cf_dataset *d, size_t row, size_t branch)
{
    return d->use[row] != CF_ROW_EXCLUDED &&
           (branch == ANY_BRANCH || !d->protocol->nbranch || d->protocol->branch(d, row) == branch);
}

/* The median of a channel over some rows; NAN: none has it. */
static int median(const struct cf_dataset *d, size_t channel, struct cf_segment of, size_t branch,
                  double *value, struct cf_error *err)
{
    double *x = malloc((of.count + 1) * sizeof *x);
    size_t n = 0;

    if (!x)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu values", of.count);
    for (size_t row = of.first; row < of.first + of.count; row++)
        if (stands_for(d, row, branch) && cf_dataset_has(d, row, channel))
            x[n++] = cf_dataset_value(d, row, channel);
    gsl_sort(x, 1, n);
    *value = n ? gsl_stats_median_from_sorted_data(x, 1, n) : (double) NAN;
    free(x);
    return CF_OK;
}

int cf_dataset_branch(const struct cf_dataset *d, size_t branch, double condition[], size_t *n,
                      struct cf_error *err)
{
    const struct cf_segment all = {0, d->nrow};
    int status = CF_OK;

    *n = 0;
    for (size_t row = 0; row < d->nrow; row++)
        *n += stands_for(d, row, branch);
    for (size_t k = 0; k < d->protocol->ncondition && !status; k++)
        status = median(d, d->protocol->condition[k], all, branch, &condition[k], err);
    return status;
}

int cf_dataset_segment(const struct cf_dataset *d, size_t segment, double condition[],
                       struct cf_error *err)
{
    int status = CF_OK;

    for (size_t k = 0; k < d->protocol->ncondition && !status; k++)
        status = median(d, d->protocol->condition[k], d->segment[segment], ANY_BRANCH,
                        &condition[k], err);
    return status;
}

int cf_dataset_conditions(struct cf_dataset *d, struct cf_error *err)
{
    size_t branch = 0, n = 0;
    int status;

    do
        status = cf_dataset_branch(d, branch, d->condition, &n, err);
    while (!status && !n && ++branch < d->protocol->nbranch);
    return status;
}

void cf_dataset_clear(struct cf_dataset *d)
{
    for (size_t i = 0; d->series && i < d->protocol->nchannel; i++) {
        free(d->series[i].value);
        free(d->series[i].sigma);
    }
    for (size_t i = 0; i < d->nexclusion; i++)
        free(d->exclusion[i].because);
    for (size_t i = 0; i < d->nprovenance; i++)
        free(d->provenance[i]);
    for (size_t i = 0; i < d->npart; i++) {
        free(d->part[i].file);
        free(d->part[i].row);
        free(d->part[i].line);
    }
    free(d->part);
    free(d->contradiction);
    free(d->name);
    free(d->file);
    free(d->series);
    free(d->line);
    free(d->use);
    free(d->order);
    free(d->exclusion);
    free(d->apparatus);
    free(d->rule);
    free(d->condition);
    free(d->segment);
    cf_recorded_drive_release(d->drive);
    cf_press_release(d->press);
    free(d->group);
    free(d->provenance);
    *d = (struct cf_dataset){0};
}

/* A copy of x[n], or NULL of NULL; *short_of is set where there is no room. */
static void *copy_of(const void *x, size_t n, size_t size, bool *short_of)
{
    void *copy = x ? malloc(n ? n * size : 1) : NULL;

    if (x && !copy)
        *short_of = true;
    else if (x)
        memcpy(copy, x, n * size);
    return copy;
}

int cf_dataset_copy(struct cf_dataset *to, const struct cf_dataset *from, struct cf_error *err)
{
    size_t n = from->nrow;
    bool short_of = false;
    int status;

    *to = (struct cf_dataset){.pair = from->pair};
    status = cf_dataset_alloc(to, from->protocol, n, err);
    if (status)
        return status;
    to->drive = cf_recorded_drive_share(from->drive);
    to->press = cf_press_share(from->press);
    memcpy(to->line, from->line, n * sizeof *from->line);
    memcpy(to->use, from->use, n * sizeof *from->use);
    memcpy(to->apparatus, from->apparatus, from->protocol->napparatus * sizeof *from->apparatus);
    to->steps_stated = from->steps_stated;
    memcpy(to->condition, from->condition, from->protocol->ncondition * sizeof *from->condition);
    if (to->rule)
        memcpy(to->rule, from->rule, from->protocol->recording->nrule * sizeof *from->rule);
    to->name = copy_of(from->name, from->name ? strlen(from->name) + 1 : 0, 1, &short_of);
    to->segment = copy_of(from->segment, from->nsegment, sizeof *from->segment, &short_of);
    to->nsegment = to->segment ? from->nsegment : 0;
    to->order = copy_of(from->order, n, sizeof *from->order, &short_of);
    to->group = copy_of(from->group, from->ngroup_level * n, sizeof *from->group, &short_of);
    to->ngroup_level = to->group ? from->ngroup_level : 0;
    for (size_t i = 0; i < from->protocol->nchannel; i++) {
        const struct cf_series *s = &from->series[i];
        to->series[i] = (struct cf_series){
            .kind = s->kind,
            .model = s->model,
            .floored = s->floored,
            .dense = s->dense,
            .apart = s->apart,
            .value = copy_of(s->value, n, sizeof *s->value, &short_of),
            .sigma = copy_of(s->sigma, n, sizeof *s->sigma, &short_of),
        };
    }
    return short_of ? no_room(to, n, err) : CF_OK;
}

int cf_dataset_choose(struct cf_dataset *to, const struct cf_dataset *from, size_t n,
                      const size_t row[], struct cf_error *err)
{
    int status;

    *to = (struct cf_dataset){.pair = from->pair};
    status = cf_dataset_alloc(to, from->protocol, n, err);
    if (status)
        return status;
    to->drive = cf_recorded_drive_share(from->drive);
    to->press = cf_press_share(from->press);
    memcpy(to->apparatus, from->apparatus, from->protocol->napparatus * sizeof *from->apparatus);
    to->steps_stated = from->steps_stated;
    memcpy(to->condition, from->condition, from->protocol->ncondition * sizeof *from->condition);
    if (to->rule)
        memcpy(to->rule, from->rule, from->protocol->recording->nrule * sizeof *from->rule);
    for (size_t j = 0; j < from->protocol->nchannel; j++) {
        to->series[j].kind = from->series[j].kind;
        to->series[j].model = from->series[j].model;
        to->series[j].floored = from->series[j].floored;
        to->series[j].dense = from->series[j].dense;
        to->series[j].apart = from->series[j].apart;
    }
    if (from->group)
        status = cf_dataset_group_room(to, from->ngroup_level, err);
    if (from->order && !status)
        status = cf_dataset_order_room(to, err);
    for (size_t i = 0; i < n && !status; i++) {
        for (size_t j = 0; j < to->ngroup_level; j++)
            to->group[j * n + i] = cf_dataset_group(from, row[i], j);
        if (to->order)
            to->order[i] = from->order[row[i]];
        to->line[i] = from->line[row[i]];
        to->use[i] = from->use[row[i]];
        for (size_t j = 0; j < from->protocol->nchannel && !status; j++)
            if (cf_dataset_has(from, row[i], j))
                status = cf_dataset_put(to, i, j, cf_dataset_value(from, row[i], j),
                                        cf_dataset_sigma(from, row[i], j), err);
    }
    return status;
}

size_t cf_dataset_order(const struct cf_dataset *d, size_t row)
{
    return d->order ? d->order[row] : row;
}

int cf_dataset_order_room(struct cf_dataset *d, struct cf_error *err)
{
    d->order = malloc((d->nrow + 1) * sizeof *d->order);
    for (size_t i = 0; d->order && i < d->nrow; i++)
        d->order[i] = i;
    return d->order ? CF_OK : cf_fail(err, CF_ENOMEM, "no memory for the order of the rows");
}

int cf_dataset_put(struct cf_dataset *d, size_t row, size_t channel, double value, double sigma,
                   struct cf_error *err)
{
    struct cf_series *s = &d->series[channel];

    if (!s->value) {
        s->value = calloc(d->nrow, sizeof *s->value);
        for (size_t i = 0; s->value && i < d->nrow; i++)
            s->value[i] = NAN;
    }
    if (!s->sigma && sigma != 0)
        s->sigma = calloc(d->nrow, sizeof *s->sigma);
    if (!s->value || (!s->sigma && sigma != 0))
        return cf_fail(err, CF_ENOMEM, "no memory for a data set of %zu rows", d->nrow);
    s->value[row] = value;
    if (s->sigma)
        s->sigma[row] = sigma;
    return CF_OK;
}

void cf_dataset_drop(struct cf_dataset *d, size_t channel)
{
    free(d->series[channel].value);
    free(d->series[channel].sigma);
    d->series[channel] = (struct cf_series){0};
}

uint32_t cf_dataset_group(const struct cf_dataset *d, size_t row, size_t level)
{
    return level < d->ngroup_level ? d->group[level * d->nrow + row] : CF_NO_GROUP;
}

int cf_dataset_group_room(struct cf_dataset *d, size_t nlevel, struct cf_error *err)
{
    size_t n = d->nrow * nlevel, old = d->nrow * d->ngroup_level;
    uint32_t *more = nlevel > d->ngroup_level ? realloc(d->group, (n + 1) * sizeof *more) : NULL;

    if (nlevel <= d->ngroup_level)
        return CF_OK;
    if (!more)
        return cf_fail(err, CF_ENOMEM, "no memory for the groups of %zu rows", d->nrow);
    for (size_t i = old; i < n; i++)
        more[i] = CF_NO_GROUP;
    d->group = more;
    d->ngroup_level = nlevel;
    return CF_OK;
}

double cf_dataset_value(const struct cf_dataset *d, size_t row, size_t channel)
{
    return d->series[channel].value ? d->series[channel].value[row] : (double) NAN;
}

double cf_dataset_sigma(const struct cf_dataset *d, size_t row, size_t channel)
{
    return d->series[channel].sigma ? d->series[channel].sigma[row] : 0;
}

bool cf_dataset_has(const struct cf_dataset *d, size_t row, size_t channel)
{
    return d->series[channel].value && !isnan(d->series[channel].value[row]);
}
