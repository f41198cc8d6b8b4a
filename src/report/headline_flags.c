#include "report/headline_flags.h"

#include <stdlib.h>
#include <string.h>

#include "document/view.h"
#include "report/observation.h"

/* More names than this hide what they name. */
enum { MOST_NAMES = 12 };

/* What rows are flagged for; those of `kind` are rows of the list of outliers. */
static const struct flag {
    const char *kind;
    enum cf_point_use use; /* without a kind */
    const char *colour;    /* of the ring; NULL: the marker is different anyway */
    const char *title;
    const char *many; /* for the caption */
} flags[] = {
    {"outlier", CF_POINT_FIT, CF_VERMILION, "outlier", "outliers"},
    {"influential", CF_POINT_FIT, CF_VIOLET, "influential", "influential rows"},
    {NULL, CF_POINT_HELD_OUT, NULL, NULL, "rows held out"},
    {NULL, CF_POINT_EXCLUDED, NULL, NULL, "excluded rows"},
};
enum { NFLAG = sizeof flags / sizeof *flags };

/* Is the row that a point was made of in the list, for this? */
static bool is_listed(const json_t *fit, const json_t *point, const char *kind)
{
    const json_t *set = json_array_get(json_object_get(fit, "data"), cf_view_count(point, "data"));
    const json_t *row;
    size_t i;

    json_array_foreach(json_object_get(fit, "outliers"), i, row)
    {
        if (strcmp(cf_view_text(row, "kind"), kind) == 0 &&
            strcmp(cf_view_text(row, "data"), cf_view_text(set, "name")) == 0 &&
            strcmp(cf_view_text(row, "channel"), cf_view_text(point, "from")) == 0 &&
            cf_view_count(row, "line") == cf_view_count(point, "line"))
            return true;
    }
    return false;
}

static bool has(const json_t *fit, const json_t *point, const struct flag *flag)
{
    return flag->kind ? is_listed(fit, point, flag->kind) : cf_point_use(point) == flag->use;
}

static bool is_drawn(const json_t *fit, const struct cf_headline_points *points,
                     const json_t *point)
{
    return cf_shown_in(fit, &points->shown, cf_view_count(point, "data")) &&
           cf_headline_shown(points, point);
}

static size_t count(const json_t *fit, const struct cf_headline_points *points,
                    const struct flag *flag)
{
    const json_t *point;
    size_t i, n = 0;

    json_array_foreach(json_object_get(fit, "headline_points"), i, point)
    {
        n += is_drawn(fit, points, point) && has(fit, point, flag);
    }
    return n;
}

static void add_flag(const struct cf_headline_series *s, const struct flag *flag, size_t rank,
                     struct cf_panel *panel)
{
    const struct cf_style ring = {.colour = flag->colour ? flag->colour : CF_INK,
                                  .width = 1.6,
                                  .marker = CF_MARKER_CIRCLE,
                                  .size = 1.9};
    size_t i, n = count(s->fit, s->points, flag);
    struct cf_chart_series *rings =
        flag->colour && n ? cf_panel_add_series(panel, CF_SERIES_POINTS, ring) : NULL;
    const json_t *point;

    if (rings) {
        cf_text_add(&rings->title, "%s", flag->title);
        rings->key = CF_KEY_PANEL;
        rings->rank = rank;
    }
    json_array_foreach(json_object_get(s->fit, "headline_points"), i, point)
    {
        if (!is_drawn(s->fit, s->points, point) || !has(s->fit, point, flag))
            continue;
        struct cf_datum datum = cf_observation_datum(point, s->by);
        if (rings)
            cf_series_add(rings, datum);
        if (n <= MOST_NAMES)
            cf_panel_add_note(panel, datum.x, datum.y, "line %zu", cf_view_count(point, "line"));
    }
}

void cf_headline_add_flags(const struct cf_headline_series *series, struct cf_panel *panel)
{
    /* behind the data sets, which have an entry a use */
    size_t rank = series->rank + CF_NPOINT_USE * series->points->ndata;

    for (size_t i = 0; i < NFLAG; i++)
        if (series->excluded || flags[i].use != CF_POINT_EXCLUDED)
            add_flag(series, &flags[i], rank + i, panel);
}

/* In all main channels. */
static size_t count_all(const json_t *fit, const struct flag *flag)
{
    struct cf_headline_points points;
    size_t n = 0;

    for (size_t i = 0; !cf_headline_find(fit, i, &points, NULL); i++) {
        n += count(fit, &points, flag);
        free(points.set);
    }
    return n;
}

void cf_headline_flags_caption(const json_t *fit, FILE *html)
{
    size_t n[NFLAG], named = 0, ringed = 0;

    for (size_t i = 0; i < NFLAG; i++) {
        n[i] = count_all(fit, &flags[i]);
        ringed += flags[i].colour ? n[i] : 0;
        named += n[i] <= MOST_NAMES ? n[i] : 0;
    }
    if (ringed)
        fputs(" Rings mark outliers and influential rows.", html);
    if (named)
        fputs(" &ldquo;Line&rdquo; and its number name a row by its line in the table or study, "
              "where the name has room beside the points.",
              html);
    for (size_t i = 0; i < NFLAG; i++)
        if (n[i] > MOST_NAMES)
            fprintf(html, " The %zu %s are too many to be named.", n[i], flags[i].many);
}
