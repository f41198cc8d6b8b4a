/* Which rows of a data set are excluded, and where its values stand in files. */

#define _POSIX_C_SOURCE 200809L

#include <stdlib.h>
#include <string.h>

#include "experiment/dataset.h"

int cf_dataset_exclude_rows(struct cf_dataset *d, size_t row, size_t count, const char *because,
                            struct cf_error *err)
{
    size_t n = d->nexclusion;
    struct cf_exclusion *more = d->exclusion;
    char *text = strdup(because);

    if ((n & (n - 1)) == 0) /* room doubles at powers of two */
        more = realloc(d->exclusion, (n ? 2 * n : 1) * sizeof *more);
    if (!more || !text) {
        d->exclusion = more ? more : d->exclusion;
        free(text);
        return cf_fail(err, CF_ENOMEM, "no memory for %zu excluded rows", n + 1);
    }
    d->exclusion = more;
    while (n > 0 && more[n - 1].row > row)
        n--;
    memmove(&more[n + 1], &more[n], (d->nexclusion - n) * sizeof *more);
    more[n] = (struct cf_exclusion){row, count, text};
    d->nexclusion++;
    memset(&d->use[row], CF_ROW_EXCLUDED, count);
    return CF_OK;
}

int cf_dataset_exclude(struct cf_dataset *d, size_t row, const char *because, struct cf_error *err)
{
    return cf_dataset_exclude_rows(d, row, 1, because, err);
}

static int compare_row(const void *row, const void *exclusion)
{
    const struct cf_exclusion *x = exclusion;
    size_t at = *(const size_t *) row;
    return at < x->row ? -1 : at >= x->row + x->count;
}

const char *cf_dataset_because(const struct cf_dataset *d, size_t row)
{
    const struct cf_exclusion *found = d->nexclusion ? bsearch(&row, d->exclusion, d->nexclusion,
                                                               sizeof *d->exclusion, compare_row)
                                                     : NULL;
    return found ? found->because : NULL;
}

static int compare_place(const void *row, const void *place)
{
    size_t a = *(const size_t *) row, b = *(const uint32_t *) place;
    return (a > b) - (a < b);
}

size_t cf_dataset_line(const struct cf_dataset *d, size_t row, size_t channel)
{
    const struct cf_file_part *part = d->npart ? &d->part[d->series[channel].part] : NULL;
    const uint32_t *found =
        part && part->nrow ? bsearch(&row, part->row, part->nrow, sizeof *part->row, compare_place)
                           : NULL;
    return found ? part->line[found - part->row] : d->line[row];
}

const char *cf_dataset_file(const struct cf_dataset *d, size_t channel)
{
    return d->npart ? d->part[d->series[channel].part].file : d->file;
}
