#include "report/headline_points.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "document/view.h"
#include "report/observation.h"

bool cf_headline_shown(const struct cf_headline_points *points, const json_t *point)
{
    return isfinite(cf_view_number(point, "value")) &&
           cf_shown_on(&points->shown.axis, cf_view_number(point, "abscissa"));
}

static void count(struct cf_headline_points *points, const json_t *point)
{
    struct cf_headline_set *set = &points->set[cf_view_count(point, "data")];
    struct cf_datum datum = cf_observation_datum(point, (struct cf_scaling){1, 1});
    enum cf_point_use use = cf_point_use(point);

    points->nset += set->from == NULL;
    set->from = set->from ? set->from : cf_view_text(point, "from");
    if (!cf_headline_shown(points, point))
        return;
    set->n[use]++;
    points->n[use]++;
    if (use == CF_POINT_EXCLUDED)
        return;
    cf_range_include(&points->x, datum.x);
    cf_range_include(&points->y, datum.low);
    cf_range_include(&points->y, datum.high);
}

int cf_headline_find(const json_t *fit, size_t which, struct cf_headline_points *points,
                     struct cf_error *err)
{
    size_t i;
    json_t *point;

    *points = (struct cf_headline_points){.x = CF_RANGE_EMPTY, .y = CF_RANGE_EMPTY};
    if (!cf_shown_main(fit, which, &points->shown))
        return cf_fail(err, CF_EINPUT, "no data set to draw");
    points->ndata = json_array_size(json_object_get(fit, "data"));
    points->set = calloc(points->ndata + 1, sizeof *points->set);
    if (!points->set)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu data sets", points->ndata);
    json_array_foreach(json_object_get(fit, "headline_points"), i, point)
    {
        size_t data = cf_view_count(point, "data");
        if (data < points->ndata && cf_shown_in(fit, &points->shown, data))
            count(points, point);
    }
    points->named = points->nset <= CF_SETS_NAMED;
    return CF_OK;
}

bool cf_headline_has(const void *context, size_t data)
{
    const struct cf_headline_points *points = context;
    return data < points->ndata && points->set[data].from;
}

size_t cf_headline_from(const json_t *fit, const struct cf_headline_points *points,
                        const struct cf_shown_channel *channel)
{
    size_t n = 0;

    for (size_t i = 0; i < points->ndata; i++)
        n += points->set[i].from && strcmp(points->set[i].from, channel->name) == 0 &&
             cf_shown_in(fit, channel, i);
    return n;
}

void cf_headline_readings_caption(const json_t *fit, const struct cf_headline_points *points,
                                  FILE *html)
{
    struct cf_shown_channel c;

    for (size_t i = 0; cf_shown_channel(fit, i, &c); i++)
        if (cf_headline_from(fit, points, &c))
            cf_observation_caption(fit, &c, html);
}
