/* One record, one impact after the other: where they are cut.
 *
 * Rows of one number `impact` belong together, else those of one speed; and where several impacts
 * of one speed follow each other without a number, the force separates them: stretches above a
 * share of its greatest value, which lie further apart than `apart` times their length, are cut
 * midway.
 */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiment/pulse_channels.h"

/* The share; of impacts at one speed none is less. */
static const double TALL_SHARE = 0.3;

static bool counts(const struct cf_dataset *d, size_t row)
{
    return d->use[row] != CF_ROW_EXCLUDED;
}

static bool has_numbers(const struct cf_dataset *d)
{
    return d->series[CF_PULSE_IMPACT].value != NULL;
}

/* A segment begins at this row. */
static int begin_at(struct cf_dataset *d, size_t row, struct cf_error *err)
{
    struct cf_segment *grown = realloc(d->segment, (d->nsegment + 1) * sizeof *grown);

    if (!grown)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu impacts", d->nsegment + 1);
    d->segment = grown;
    if (d->nsegment)
        grown[d->nsegment - 1].count = row - grown[d->nsegment - 1].first;
    grown[d->nsegment++] = (struct cf_segment){row, d->nrow - row};
    return CF_OK;
}

/* By what is said of rows. Excluded ones belong to the impact before them. */
static int cut_by(struct cf_dataset *d, enum cf_pulse_channel channel, size_t *row,
                  struct cf_error *err)
{
    double before = (double) NAN;
    int status = begin_at(d, 0, err);

    for (size_t i = 0; i < d->nrow && !status; i++) {
        double now = cf_dataset_value(d, i, channel);
        if (!counts(d, i))
            continue;
        *row = i;
        if (isnan(now))
            return cf_fail(err, CF_EINPUT,
                           "no %s, which other rows have: give it, or exclude the "
                           "row",
                           d->protocol->channel[channel].name);
        if (!isnan(before) && now != before)
            status = begin_at(d, i, err);
        before = now;
    }
    return status;
}

/* A number that comes back belongs to two impacts. */
static int check_numbers(const struct cf_dataset *d, size_t *row, struct cf_error *err)
{
    for (size_t i = 0; i < d->nsegment; i++)
        for (size_t j = 0; j < i; j++) {
            size_t now = d->segment[i].first, before = d->segment[j].first;
            double number = cf_dataset_value(d, now, CF_PULSE_IMPACT);
            if (number != cf_dataset_value(d, before, CF_PULSE_IMPACT))
                continue;
            *row = now;
            return cf_fail(err, CF_EINPUT,
                           "impact %g begins anew, and has begun in line %zu: rows of one impact "
                           "stand behind each other, and each has a number of its own",
                           number, d->line[before]);
        }
    return CF_OK;
}

/* All rows of an impact have one speed. */
static int check_speeds(const struct cf_dataset *d, size_t *row, struct cf_error *err)
{
    for (size_t i = 0; i < cf_pulse_count(d); i++) {
        struct cf_segment g = cf_pulse_segment(d, i);
        size_t first = g.first;
        while (first < g.first + g.count && !counts(d, first))
            first++;
        for (size_t k = first; k < g.first + g.count; k++) {
            double now = cf_dataset_value(d, k, CF_PULSE_SPEED);
            double before = cf_dataset_value(d, first, CF_PULSE_SPEED);
            *row = k;
            if (counts(d, k) && now != before)
                return cf_fail(err, CF_EINPUT,
                               "speed %.6g m/s, and %.6g m/s in line %zu of the same impact: an "
                               "impact has one approach speed, in all of its rows",
                               now, before, d->line[first]);
        }
    }
    return CF_OK;
}

/* ---- by the force */

/* A stretch of rows above the share. */
struct tall {
    size_t first, last;
};

static size_t find_tall(const struct cf_dataset *d, struct cf_segment g, double force,
                        struct tall tall[])
{
    size_t n = 0, last = SIZE_MAX;

    for (size_t i = g.first; i < g.first + g.count; i++) {
        double F = cf_dataset_value(d, i, CF_PULSE_FORCE);
        if (!counts(d, i) || isnan(F))
            continue;
        if (F >= force && tall && (n == 0 || last != tall[n - 1].last))
            tall[n++] = (struct tall){i, i};
        else if (F >= force && tall)
            tall[n - 1].last = i;
        last = i;
    }
    return n;
}

static double time_at(const struct cf_dataset *d, size_t row)
{
    return cf_dataset_value(d, row, CF_PULSE_TIME);
}

/* Cut one segment, whose impacts have one speed; the new ones go to into[]. */
static int cut_by_force(struct cf_dataset *d, struct cf_segment g, struct cf_error *err)
{
    double apart = d->apparatus[CF_PULSE_APART], longest = 0;
    struct cf_pulse_seen s;
    struct tall *tall;
    size_t n, end;
    int status = begin_at(d, g.first, err);

    if (status || !d->series[CF_PULSE_TIME].value)
        return status;
    status = cf_pulse_see(d, g, &s, err);
    if (status || !s.seen || !(s.peak_N > s.least_N) ||
        -s.lowest_N > s.peak_N) /* none, or turned: check_impact() says so */
        return status;
    tall = malloc((g.count + 1) * sizeof *tall);
    if (!tall)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu rows", g.count);
    n = find_tall(d, g, s.level_N + TALL_SHARE * s.peak_N, tall);
    for (size_t k = 0; k < n; k++)
        longest = fmax(longest, time_at(d, tall[k].last) - time_at(d, tall[k].first));
    for (size_t k = 1; k < n && !status; k++) {
        double from = time_at(d, tall[k - 1].last), to = time_at(d, tall[k].first);
        if (!(to - from > apart * longest))
            continue;
        for (end = tall[k - 1].last; time_at(d, end) < (from + to) / 2;)
            end++;
        status = begin_at(d, end, err);
    }
    free(tall);
    return status;
}

static int cut_each_by_force(struct cf_dataset *d, char note[], size_t size, struct cf_error *err)
{
    struct cf_segment *by_speed = d->segment;
    size_t n = d->nsegment, m = 0;
    int status = CF_OK;

    d->segment = NULL;
    d->nsegment = 0;
    for (size_t i = 0; i < n && !status; i++)
        status = cut_by_force(d, by_speed[i], err);
    for (size_t i = 0; i + 1 < d->nsegment && m < n; i++)
        m += d->segment[i].first == by_speed[m].first;
    free(by_speed);
    if (!status && d->nsegment > n && size)
        snprintf(note, size,
                 "%zu impacts, cut midway between pulses more than %g of their lengths apart "
                 "(apparatus: {apart: }); a column `impact` cuts otherwise",
                 d->nsegment, d->apparatus[CF_PULSE_APART]);
    return status;
}

int cf_pulse_cut(struct cf_dataset *d, size_t *row, char note[], size_t size, struct cf_error *err)
{
    int status;

    free(d->segment);
    d->segment = NULL;
    d->nsegment = 0;
    status = cut_by(d, has_numbers(d) ? CF_PULSE_IMPACT : CF_PULSE_SPEED, row, err);
    if (!status && has_numbers(d))
        status = check_numbers(d, row, err);
    else if (!status)
        status = cut_each_by_force(d, note, size, err);
    if (!status)
        status = check_speeds(d, row, err);
    if (!status && d->nsegment == 1) { /* all rows are one */
        free(d->segment);
        d->segment = NULL;
        d->nsegment = 0;
    }
    return status;
}
