/* How throws end by their heights, and the places of their flights. */

#include <math.h>
#include <stdlib.h>

#include "experiment/bounce_end.h"
#include "experiment/bounce_heights_record.h"

size_t cf_heights_row(const struct cf_dataset *d, const struct cf_heights_flight *f)
{
    size_t nearest = f->first_row;

    for (size_t row = f->first_row; row <= f->last_row; row++)
        if (d->use[row] != CF_ROW_EXCLUDED &&
            fabs(cf_dataset_value(d, row, CF_HEIGHTS_TIME) - f->fit.time_s) <
                fabs(cf_dataset_value(d, nearest, CF_HEIGHTS_TIME) - f->fit.time_s))
            nearest = row;
    return nearest;
}

double cf_heights_above_contact(const struct cf_heights_record *r,
                                const struct cf_heights_flight *f)
{
    return f->fit.apex_m - r->d->apparatus[CF_HEIGHTS_CONTACT];
}

/* The next flight would be as much lower as the last ratio says, and so much shorter. */
static enum cf_bounce_end_kind kind_of(const struct cf_heights_record *r,
                                       const struct cf_heights_flight *last, double ratio)
{
    double g = r->d->pair.gravity_m_s2, height = cf_heights_above_contact(r, last);
    double down = last->fit.time_s + sqrt(2 * height / g);
    double next = 2 * ratio * sqrt(2 * height / g);

    if (!last->is_last)
        return CF_BOUNCE_END_UNKNOWN;
    if (last->end_s < down + next)
        return CF_BOUNCE_END_RECORD;
    return ratio * ratio * height > last->rise_m && last->high_m - last->lowest_m < last->rise_m
               ? CF_BOUNCE_END_REST
               : CF_BOUNCE_END_UNRESOLVED;
}

/* Of the throw that ends with flight i; false: no impact of it had a rebound. */
static bool end_of(const struct cf_heights_record *r, size_t i, struct cf_bounce_end *out)
{
    const struct cf_dataset *d = r->d;
    const struct cf_heights_flight *last = &r->flight[i];
    size_t row = SIZE_MAX;

    for (size_t k = i + 1; k-- > 0 && r->flight[k].throw == last->throw &&row == SIZE_MAX;)
        if (cf_dataset_has(d, cf_heights_row(d, &r->flight[k]), CF_HEIGHTS_RATIO))
            row = cf_heights_row(d, &r->flight[k]);
    if (row == SIZE_MAX)
        return false;
    *out = (struct cf_bounce_end){
        .kind = kind_of(r, last, cf_dataset_value(d, row, CF_HEIGHTS_RATIO)),
        .seen_m_s = cf_dataset_value(d, row, CF_HEIGHTS_SPEED),
        .last_m_s = cf_dataset_value(d, cf_heights_row(d, last), CF_HEIGHTS_SPEED),
        .line = d->line[row]};
    return true;
}

int cf_heights_tell_ends(struct cf_heights_record *r, struct cf_error *err)
{
    struct cf_bounce_end *end = malloc((r->n + 1) * sizeof *end);
    size_t n = 0;
    int status = end ? CF_OK : cf_fail(err, CF_ENOMEM, "no memory for the ends of throws");

    for (size_t i = 0; i < r->n && !status; i++)
        if (i + 1 == r->n || r->flight[i + 1].throw != r->flight[i].throw)
            n += end_of(r, i, &end[n]);
    if (!status)
        status = cf_bounce_tell_ends(r->d, n, end,
                                     "lower than its rules' rise, or shorter than least_samples",
                                     r->remarks, err);
    free(end);
    return status;
}
