/* A clipped sensor stays at its extreme from row to row, and the signal still moved towards it when
 * it got there, or away from it when it left: one that comes to rest at its extreme slows down
 * before. */

#include "study/record_values.h"

#include <math.h>

/* Rows of a channel that are at one of its extremes. */
struct clipped {
    size_t nrow, nrun, first; /* in all, in so many runs, and where the first of these begins */
};

static bool counts(const struct cf_dataset *d, size_t row, size_t channel)
{
    return d->use[row] != CF_ROW_EXCLUDED && cf_dataset_has(d, row, channel);
}

/* The range of a channel; *n, how many rows have it. */
static void range_of(const struct cf_dataset *d, size_t channel, double *low, double *high,
                     size_t *n)
{
    *low = (double) INFINITY;
    *high = (double) -INFINITY;
    *n = 0;
    for (size_t row = 0; row < d->nrow; row++) {
        double x = cf_dataset_value(d, row, channel);
        if (!counts(d, row, channel))
            continue;
        *low = fmin(*low, x);
        *high = fmax(*high, x);
        ++*n;
    }
}

/* A signal that is clipped moved by this share of the channel's range within as many rows as it
 * stays at the extreme, and in the last quarter of them at no less than this share of its pace. */
static const double least_way = 0.01, least_pace = 0.25;

/* Did it move so over the n rows that lie beside the one at the extreme, in a direction? */
static bool moved(const struct cf_dataset *d, size_t channel, size_t at, int direction, size_t n,
                  double range)
{
    size_t near = n < 8 ? 1 : n / 8;
    size_t room = direction < 0 ? at : d->nrow - 1 - at;
    double x = cf_dataset_value(d, at, channel), far_way, near_way;

    if (n > room)
        n = room;
    if (n < 2 || near >= n)
        return false;
    far_way = fabs(cf_dataset_value(d, direction < 0 ? at - n : at + n, channel) - x);
    near_way = fabs(cf_dataset_value(d, direction < 0 ? at - near : at + near, channel) - x);
    return far_way >= least_way * range &&
           near_way / (double) near >= least_pace * far_way / (double) n;
}

static struct clipped find_clipped(const struct cf_dataset *d, size_t channel, double extreme,
                                   double range, size_t least)
{
    struct clipped found = {0};
    size_t n = 0;

    for (size_t row = 0; row <= d->nrow; row++) {
        bool at = row < d->nrow && counts(d, row, channel) &&
                  cf_dataset_value(d, row, channel) == extreme;
        if (!at && n >= least &&
            (moved(d, channel, row - n, -1, n, range) || moved(d, channel, row - 1, 1, n, range))) {
            found.first = found.nrun++ ? found.first : row - n;
            found.nrow += n;
        }
        n = at ? n + 1 : 0;
    }
    return found;
}

static int tell_clipped(struct cf_study *study, const char *file, const struct cf_dataset *d,
                        size_t channel, double extreme, bool greatest, const struct clipped *c,
                        double rule, struct cf_error *err)
{
    const struct cf_channel_row *row = &d->protocol->channel[channel];
    const struct cf_channel_row *clock = &d->protocol->channel[d->protocol->clock];

    if (!c->nrun)
        return CF_OK;
    return cf_study_note(
        study, err,
        "%s:%zu: %s: %zu rows in %zu run%s at its %s value, %.6g %s, the first from "
        "here on, at %.9g %s: is the sensor at its limit? exclude: [{from: , to: , "
        "because: }] leaves them out (rules: {clipped: %g})",
        file, d->line[c->first], row->name, c->nrow, c->nrun, c->nrun == 1 ? "" : "s",
        greatest ? "greatest" : "least", extreme, row->unit,
        cf_dataset_value(d, c->first, d->protocol->clock), clock->unit, rule);
}

static int tell_channel(struct cf_study *study, const char *file, const struct cf_dataset *d,
                        size_t channel, const double rule[], struct cf_error *err)
{
    enum { LEAST = 10 };
    const struct cf_channel_row *c = &d->protocol->channel[channel];
    size_t n, least = (size_t) rule[CF_RECORD_CLIPPED];
    struct clipped found;
    double low, high;
    int status;

    range_of(d, channel, &low, &high, &n);
    if (n < LEAST)
        return CF_OK;
    if (low == high)
        return cf_study_note(
            study, err, "%s: %s: %.6g %s in all %zu rows: is the sensor dead, or not connected?",
            file, c->name, low, c->unit, n);
    found = find_clipped(d, channel, high, high - low, least);
    status =
        tell_clipped(study, file, d, channel, high, true, &found, rule[CF_RECORD_CLIPPED], err);
    if (status)
        return status;
    found = find_clipped(d, channel, low, high - low, least);
    return tell_clipped(study, file, d, channel, low, false, &found, rule[CF_RECORD_CLIPPED], err);
}

int cf_record_tell_values(struct cf_study *study, const struct cf_source *source,
                          const struct cf_dataset *d, const double rule[CF_RECORD_NRULE],
                          struct cf_error *err)
{
    const char *file = source->csv ? source->csv->path : source->set->file;
    int status = CF_OK;

    for (size_t i = 0; i < d->protocol->nchannel && !status; i++)
        if (source->column[i].node && d->series[i].value &&
            d->protocol->channel[i].role == CF_ROLE_MEASURED)
            status = tell_channel(study, file, d, i, rule, err);
    return status;
}
