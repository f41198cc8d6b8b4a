#include "study/exclude.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "study/keys.h"
#include "study/parts.h"

enum { MOST_LINES = 1000000000 };

/* `row`, and `to_row`, a line or the end. */
static int read_lines(const struct cf_yaml *entry, bool several, struct cf_exclude *out,
                      struct cf_error *err)
{
    const struct cf_yaml *to = cf_yaml_get(entry, "to_row");
    unsigned long long first = 0, last;
    int status = cf_schema_check(entry, &cf_study_exclude_lines_schema, err);

    if (status == CF_OK)
        status = cf_yaml_need(entry, "row", &out->at, err);
    if (status == CF_OK && several)
        return cf_yaml_fail_key(out->at, err,
                                "row: is a line of a file, and here are several: state a window of "
                                "time, as in {from: 1.2 s, to: 3.4 s, because: ...}");
    if (status == CF_OK)
        status = cf_yaml_whole(out->at, 1, MOST_LINES, &first, err);
    last = first;
    if (status == CF_OK && to && to->kind == CF_YAML_TEXT && strcmp(to->text, "end") == 0)
        last = MOST_LINES;
    else if (status == CF_OK && to)
        status = cf_yaml_whole(to, first, MOST_LINES, &last, err);
    out->first = (size_t) first;
    out->last = (size_t) last;
    return status;
}

/* `from` and `to`, one of which may be missing. */
static int read_window(const struct cf_yaml *entry, const struct cf_channel_row *clock,
                       struct cf_exclude *out, struct cf_error *err)
{
    const struct cf_yaml *from = cf_yaml_get(entry, "from"), *to = cf_yaml_get(entry, "to");
    int status = cf_schema_check(entry, &cf_study_exclude_window_schema, err);

    *out = (struct cf_exclude){.at = from ? from : to,
                               .window = true,
                               .from_s = (double) -INFINITY,
                               .to_s = (double) INFINITY};
    if (status == CF_OK && from)
        status = cf_yaml_quantity(from, clock->unit, &out->from_s, err);
    if (status == CF_OK && to)
        status = cf_yaml_quantity(to, clock->unit, &out->to_s, err);
    if (status == CF_OK && out->from_s > out->to_s)
        return cf_yaml_fail(from, err, "from: %g %s is behind to: %g %s: no row can be there",
                            out->from_s, clock->unit, out->to_s, clock->unit);
    return status;
}

static int read_entry(const struct cf_yaml *entry, const struct cf_protocol *protocol, bool several,
                      struct cf_exclude *out, struct cf_error *err)
{
    const struct cf_yaml *because;
    bool window = entry->kind == CF_YAML_MAP && cf_is_timed(protocol) &&
                  (cf_yaml_get(entry, "from") || cf_yaml_get(entry, "to"));
    int status = window ? read_window(entry, &protocol->channel[protocol->clock], out, err)
                        : read_lines(entry, several, out, err);

    if (status == CF_OK)
        status = cf_yaml_need(entry, "because", &because, err);
    return status ? status : cf_yaml_text(because, &out->because, err);
}

int cf_excludes_read(const struct cf_yaml *set, const struct cf_protocol *protocol, bool several,
                     struct cf_excludes *out, struct cf_error *err)
{
    const struct cf_yaml *list = cf_yaml_get(set, "exclude");
    int status = list ? cf_yaml_list(list, err) : CF_OK;

    *out = (struct cf_excludes){0};
    if (status || !list)
        return status;
    out->item = calloc(list->n + 1, sizeof *out->item);
    if (!out->item)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu excluded rows", list->n);
    for (size_t i = 0; i < list->n && status == CF_OK; i++) {
        status = read_entry(&list->item[i], protocol, several, &out->item[out->n], err);
        out->window |= out->item[out->n++].window;
    }
    return status;
}

void cf_excludes_clear(struct cf_excludes *excludes)
{
    free(excludes->item);
    *excludes = (struct cf_excludes){0};
}

static bool has(const struct cf_exclude *x, size_t line, double time_s)
{
    return x->window ? time_s >= x->from_s && time_s <= x->to_s
                     : line >= x->first && line <= x->last;
}

bool cf_excludes_has(const struct cf_excludes *excludes, size_t line, double time_s)
{
    for (size_t i = 0; i < excludes->n; i++)
        if (has(&excludes->item[i], line, time_s))
            return true;
    return false;
}

bool cf_exclude_has_line(const struct cf_yaml *set, size_t line)
{
    const struct cf_yaml *list = cf_yaml_get(set, "exclude");

    for (size_t i = 0; list && i < list->n; i++) {
        struct cf_exclude x;
        if (cf_yaml_get(&list->item[i], "row") &&
            read_lines(&list->item[i], false, &x, NULL) == CF_OK && has(&x, line, (double) NAN))
            return true;
    }
    return false;
}

/* The first row that stands in a line of the file or behind it; rows stand in the order of lines.
 */
static size_t row_from(const struct cf_dataset *d, size_t line)
{
    size_t low = 0, high = d->nrow;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (d->line[middle] < line)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static int put_lines(const struct cf_exclude *x, struct cf_dataset *d, struct cf_error *err)
{
    size_t first = row_from(d, x->first), end = row_from(d, x->last + 1);

    if (first == end && x->first == x->last)
        return cf_yaml_fail(x->at, err,
                            "row: no row of data set %s stands in line %zu of its file: the first "
                            "is in line %zu, the last in line %zu",
                            d->name, x->first, d->line[0], d->line[d->nrow - 1]);
    if (first == end)
        return cf_yaml_fail(x->at, err,
                            "row: no row of data set %s stands in line %zu of its file or behind "
                            "it, up to to_row: the first is in line %zu, the last in line %zu",
                            d->name, x->first, d->line[0], d->line[d->nrow - 1]);
    for (size_t i = first; i < end; i++)
        if (d->use[i] == CF_ROW_EXCLUDED)
            return cf_yaml_fail(x->at, err, "row: %zu is excluded already", d->line[i]);
    return cf_dataset_exclude_rows(d, first, end - first, x->because, err);
}

/* Rows of a window, but those that are excluded already. */
static int put_window(const struct cf_exclude *x, struct cf_dataset *d, struct cf_error *err)
{
    const struct cf_channel_row *clock = &d->protocol->channel[d->protocol->clock];
    double low = (double) INFINITY, high = (double) -INFINITY;
    size_t found = 0;
    int status = CF_OK;

    for (size_t i = 0, n = 0; i <= d->nrow && !status; i++) {
        double t = i < d->nrow ? cf_dataset_value(d, i, d->protocol->clock) : (double) NAN;
        bool in = has(x, 0, t), takes = in && d->use[i] != CF_ROW_EXCLUDED;
        low = fmin(low, t);
        high = fmax(high, t);
        found += in;
        if (!takes && n)
            status = cf_dataset_exclude_rows(d, i - n, n, x->because, err);
        n = takes ? n + 1 : 0;
    }
    if (status || found)
        return status;
    return cf_yaml_fail(x->at, err,
                        "%s: no row of data set %s lies in this window: its %s runs from %g to %g "
                        "%s",
                        x->at->key, d->name, clock->name, low, high, clock->unit);
}

int cf_excludes_put(const struct cf_excludes *excludes, bool windows, struct cf_dataset *d,
                    struct cf_error *err)
{
    int status = CF_OK;

    for (size_t i = 0; i < excludes->n && !status; i++) {
        const struct cf_exclude *x = &excludes->item[i];
        if (x->window == windows)
            status = windows ? put_window(x, d, err) : put_lines(x, d, err);
    }
    return status;
}
