/* How throws end by their stamps: in a recording, whose length and dead time are known. */

#define _POSIX_C_SOURCE 200809L

#include <stdlib.h>

#include "core/text.h"
#include "experiment/bounce_channels.h"
#include "experiment/bounce_end.h"

static double at(const struct cf_dataset *d, size_t row, size_t channel)
{
    return cf_dataset_value(d, row, channel);
}

/* The next impact would be as much later as the last ratio says. */
static enum cf_bounce_end_kind kind_of(const struct cf_dataset *d, size_t last, double ratio)
{
    double next = ratio * at(d, last, CF_BOUNCE_INTERVAL);

    if (!(d->record_end > 0))
        return CF_BOUNCE_END_UNKNOWN;
    if (at(d, last, CF_BOUNCE_TIME) + next > d->record_end)
        return CF_BOUNCE_END_RECORD;
    return next < d->record_dead ? CF_BOUNCE_END_UNRESOLVED : CF_BOUNCE_END_SILENT;
}

/* The throw that begins at row `first`; false: no impact of it had a rebound. */
static bool end_of(const struct cf_dataset *d, size_t first, size_t *behind,
                   struct cf_bounce_end *out)
{
    size_t throw = cf_bounce_throw(d, first), last = SIZE_MAX, seen = SIZE_MAX;

    for (*behind = first; *behind < d->nrow && cf_bounce_throw(d, *behind) == throw; ++*behind) {
        if (cf_dataset_has(d, *behind, CF_BOUNCE_INTERVAL))
            last = *behind;
        if (cf_dataset_has(d, *behind, CF_BOUNCE_RATIO))
            seen = *behind;
    }
    if (seen == SIZE_MAX)
        return false;
    *out = (struct cf_bounce_end){.kind = kind_of(d, last, at(d, seen, CF_BOUNCE_RATIO)),
                                  .seen_m_s = at(d, seen, CF_BOUNCE_SPEED),
                                  .last_m_s = at(d, last, CF_BOUNCE_SPEED),
                                  .line = d->line[seen]};
    return true;
}

int cf_bounce_stamps_end(struct cf_dataset *d, const struct cf_remarks *remarks,
                         struct cf_error *err)
{
    struct cf_bounce_end *end = malloc((d->nrow + 1) * sizeof *end);
    char *limit = cf_format("within %.3g s, the dead_time of its rules", d->record_dead);
    size_t n = 0;
    int status = end && limit ? CF_OK : cf_fail(err, CF_ENOMEM, "no memory for the ends of throws");

    for (size_t row = 0; row < d->nrow && !status;)
        n += end_of(d, row, &row, &end[n]);
    if (!status)
        status = cf_bounce_tell_ends(d, n, end, limit, remarks, err);
    free(limit);
    free(end);
    return status;
}
