/* `segments` of a data set of a scene: pieces of the record, each of which the scene begins anew or
 * runs on into. What lies between them is left out.
 */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "study/keys.h"
#include "study/parts.h"

static const char because[] = "between segments";

static int read_segment(const struct cf_yaml *at, const struct cf_rig_segment *before,
                        struct cf_rig_segment *s, struct cf_error *err)
{
    const char *const *const words = cf_segment_begins;
    const struct cf_yaml *from, *to, *begins = NULL;
    const char *word = words[0];
    int status = cf_schema_check(at, &cf_study_segment_schema, err);

    if (!status)
        status = cf_yaml_need(at, "from", &from, err);
    if (!status)
        status = cf_yaml_need(at, "to", &to, err);
    if (!status)
        status = cf_yaml_quantity(from, "s", &s->from_s, err);
    if (!status)
        status = cf_yaml_quantity(to, "s", &s->to_s, err);
    if (!status)
        begins = cf_yaml_get(at, "begins");
    if (begins)
        status = cf_yaml_text(begins, &word, err);
    if (status)
        return status;
    s->joins = strcmp(word, words[CF_BEGINS_JOINED]) == 0;
    if (!s->joins && strcmp(word, words[0]) != 0)
        return cf_yaml_unknown(begins, "beginning", word, words, CF_NBEGINS, err);
    if (!(s->to_s > s->from_s))
        return cf_yaml_fail(to, err, "to: %s: must be after from: %s", to->text, from->text);
    if (before && !(s->from_s > before->to_s))
        return cf_yaml_fail(from, err,
                            "from: %s: the segment before goes to %.9g s: they are listed "
                            "by time, and none overlap",
                            from->text, before->to_s);
    return CF_OK;
}

int cf_segments_read(const struct cf_yaml *set, struct cf_rig_segment **segment, size_t *n,
                     struct cf_error *err)
{
    const struct cf_yaml *list = cf_yaml_get(set, "segments");
    int status = list ? cf_yaml_list(list, err) : CF_OK;

    *segment = NULL;
    *n = 0;
    if (status || !list)
        return status;
    if (!list->n)
        return cf_yaml_fail(list, err, "segments: none: at least one is wanted");
    *segment = calloc(list->n, sizeof **segment);
    if (!*segment)
        return cf_fail(err, CF_ENOMEM, "no memory for segments");
    for (; *n < list->n && !status; ++*n)
        status =
            read_segment(&list->item[*n], *n ? &(*segment)[*n - 1] : NULL, &(*segment)[*n], err);
    return status;
}

/* ---- of a data set that has its rows */

static double time_of(const struct cf_dataset *d, size_t row)
{
    return cf_dataset_value(d, row, d->protocol->clock);
}

static int check_times(const struct cf_yaml *list, const struct cf_dataset *d, struct cf_error *err)
{
    for (size_t row = 1; row < d->nrow; row++)
        if (!(time_of(d, row) > time_of(d, row - 1)))
            return cf_yaml_fail_key(list, err,
                                    "segments: line %zu: time %.9g s after %.9g s: times must grow "
                                    "from row to row",
                                    d->line[row], time_of(d, row), time_of(d, row - 1));
    return CF_OK;
}

/* Exclude rows [first, end) that are not excluded yet. */
static int leave_out(struct cf_dataset *d, size_t first, size_t end, struct cf_error *err)
{
    int status = CF_OK;

    for (size_t row = first; row < end && !status;) {
        size_t stop = row;
        while (stop < end && d->use[stop] != CF_ROW_EXCLUDED)
            stop++;
        if (stop > row)
            status = cf_dataset_exclude_rows(d, row, stop - row, because, err);
        row = stop + 1;
    }
    return status;
}

static int put_segment(const struct cf_yaml *at, const struct cf_rig_segment *s,
                       struct cf_dataset *d, size_t *row, struct cf_error *err)
{
    struct cf_segment *part = &d->segment[d->nsegment];
    size_t first = *row, end;
    int status;

    while (first < d->nrow && time_of(d, first) < s->from_s)
        first++;
    end = first;
    while (end < d->nrow && time_of(d, end) <= s->to_s)
        end++;
    if (end == first)
        return cf_yaml_fail(at, err, "segments: no row lies from %.9g s to %.9g s", s->from_s,
                            s->to_s);
    status = leave_out(d, *row, first, err);
    if (s->joins && d->nsegment) {
        part[-1].count = end - part[-1].first;
    } else {
        *part = (struct cf_segment){first, end - first};
        d->nsegment++;
    }
    *row = end;
    return status;
}

int cf_source_segments(const struct cf_yaml *set, struct cf_dataset *d, struct cf_error *err)
{
    const struct cf_yaml *list = cf_yaml_get(set, "segments");
    struct cf_rig_segment *segment = NULL;
    size_t n = 0, row = 0;
    int status = list ? cf_segments_read(set, &segment, &n, err) : CF_OK;

    if (!list)
        return CF_OK;
    if (!status)
        status = check_times(list, d, err);
    if (!status) {
        d->segment = calloc(n, sizeof *d->segment);
        if (!d->segment)
            status = cf_fail(err, CF_ENOMEM, "no memory for segments");
    }
    for (size_t i = 0; i < n && !status; i++)
        status = put_segment(&list->item[i], &segment[i], d, &row, err);
    if (!status)
        status = leave_out(d, row, d->nrow, err);
    free(segment);
    return status;
}
