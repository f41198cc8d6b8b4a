/* Rows of several files beside each other: in the order of their times, each row of all files at
 * most once. Times that agree to a share of a step, or to the rounding of doubles, are one. */

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "study/record_read.h"

static const double near_step = 1e-9, near_rounding = 4, most_step = 1e-3;

struct merge {
    const struct cf_dataset *part;
    size_t n;
    size_t *next; /* n: the next row of each */
    double step;  /* the shortest of their median steps */
};

/* The next row of a part that has a time; SIZE_MAX: none. */
static size_t next_of(const struct merge *m, size_t k)
{
    const struct cf_dataset *d = &m->part[k];

    while (m->next[k] < d->nrow && isnan(cf_dataset_value(d, m->next[k], d->protocol->clock)))
        m->next[k]++;
    return m->next[k] < d->nrow ? m->next[k] : SIZE_MAX;
}

/* The parts that have the row that comes next, in[n], and its time, that of the first of them;
 * false: there is none. */
static bool next_row(const struct merge *m, bool in[], double *time_s)
{
    double first = (double) INFINITY, near;
    size_t clock = m->part[0].protocol->clock, n = 0;

    for (size_t k = 0; k < m->n; k++)
        if (next_of(m, k) != SIZE_MAX)
            first = fmin(first, cf_dataset_value(&m->part[k], m->next[k], clock));
    near = fmin(near_rounding * DBL_EPSILON * fabs(first), most_step * m->step);
    near = fmax(near, near_step * m->step);
    for (size_t k = 0; k < m->n; k++) {
        double t = next_of(m, k) != SIZE_MAX ? cf_dataset_value(&m->part[k], m->next[k], clock)
                                             : (double) INFINITY;
        in[k] = isfinite(t) && t <= first + near;
        if (in[k] && !n++)
            *time_s = t;
        m->next[k] += in[k];
    }
    return n > 0;
}

static size_t count_rows(const struct merge *m, bool in[])
{
    size_t n = 0;
    double time_s;

    memset(m->next, 0, m->n * sizeof *m->next);
    while (next_row(m, in, &time_s))
        n++;
    memset(m->next, 0, m->n * sizeof *m->next);
    return n;
}

/* One row of a part goes into a row of all. */
static int put_row(const struct cf_dataset *from, size_t from_row, struct cf_dataset *d, size_t row,
                   size_t k, struct cf_error *err)
{
    struct cf_file_part *part = &d->part[k];
    int status = CF_OK;

    for (size_t i = 0; i < d->protocol->nchannel && !status; i++)
        if (i != d->protocol->clock && cf_dataset_has(from, from_row, i))
            status = cf_dataset_put(d, row, i, cf_dataset_value(from, from_row, i),
                                    cf_dataset_sigma(from, from_row, i), err);
    if (!d->line[row])
        d->line[row] = from->line[from_row];
    part->row[part->nrow] = (uint32_t) row;
    part->line[part->nrow++] = (uint32_t) from->line[from_row];
    return status;
}

static int put_rows(const struct merge *m, struct cf_dataset *d, bool in[], struct cf_error *err)
{
    double time_s = 0;
    int status = CF_OK;

    for (size_t row = 0; row < d->nrow && !status && next_row(m, in, &time_s); row++) {
        status = cf_dataset_put(d, row, d->protocol->clock, time_s, 0, err);
        for (size_t k = 0; k < m->n && !status; k++)
            if (in[k])
                status = put_row(&m->part[k], m->next[k] - 1, d, row, k, err);
    }
    return status;
}

static int make_room(const struct merge *m, struct cf_dataset *d, bool in[], struct cf_error *err)
{
    int status = cf_dataset_resize(d, count_rows(m, in), err);

    for (size_t k = 0; k < m->n && !status; k++) {
        d->part[k].row = malloc((m->part[k].nrow + 1) * sizeof *d->part[k].row);
        d->part[k].line = malloc((m->part[k].nrow + 1) * sizeof *d->part[k].line);
        if (!d->part[k].row || !d->part[k].line)
            status = cf_fail(err, CF_ENOMEM, "no memory for the lines of %zu rows", d->nrow);
    }
    return status;
}

int cf_record_merge(const struct cf_dataset part[], size_t n, struct cf_dataset *d,
                    struct cf_error *err)
{
    struct merge m = {part, n, calloc(n + 1, sizeof *m.next), (double) INFINITY};
    bool *in = calloc(n + 1, sizeof *in);
    int status = m.next && in ? CF_OK : cf_fail(err, CF_ENOMEM, "no memory for %zu files", n);

    for (size_t k = 0; k < n; k++) {
        double step = cf_record_median_step(&part[k], false);
        m.step = step > 0 ? fmin(m.step, step) : m.step;
    }
    if (!isfinite(m.step))
        m.step = 0;
    if (!status)
        status = make_room(&m, d, in, err);
    if (!status)
        status = put_rows(&m, d, in, err);
    free(m.next);
    free(in);
    return status;
}
