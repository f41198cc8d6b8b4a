#include "report/headline_series.h"

#include <string.h>

#include "document/view.h"
#include "report/observation.h"
#include "report/set_points.h"

static bool is_of(const struct cf_headline_series *s, const json_t *point, size_t branch)
{
    return s->nbranch < 2 || strcmp(cf_view_text(point, "branch"), s->branch[branch]) == 0;
}

/* Those of a branch of one data set. */
static void add_datums(const struct cf_headline_series *s, size_t set, enum cf_point_use use,
                       size_t branch, struct cf_chart_series *series)
{
    size_t i;
    json_t *point;

    json_array_foreach(json_object_get(s->fit, "headline_points"), i, point)
    {
        struct cf_datum datum = cf_observation_datum(point, s->by);
        if (!cf_headline_shown(s->points, point) || cf_point_use(point) != use ||
            !is_of(s, point, branch) || cf_view_count(point, "data") != set)
            continue;
        datum.data = set;
        datum.line = cf_view_count(point, "line");
        cf_series_add(series, datum);
    }
}

/* Has a use of a data set an entry in the key? Those that are excluded have one, and sets that are
 * too many to be named share theirs. */
static bool has_entry(const struct cf_headline_series *s, size_t set, enum cf_point_use use)
{
    bool first = true;

    for (size_t i = 0; i < set; i++)
        first = first && !s->points->set[i].n[use];
    return first || (s->points->named && use != CF_POINT_EXCLUDED);
}

static void add_title(const struct cf_headline_series *s, size_t set, enum cf_point_use use,
                      struct cf_chart_series *series)
{
    bool many = !s->points->named;

    cf_set_title(s->fit, series, CF_KEY_PANEL, set, use,
                 many || (s->points->nset == 1 && !s->several));
    if (many && use == CF_POINT_FIT)
        cf_text_add(&series->title, ", %zu sets", s->points->nset);
    series->rank += s->rank;
}

static void add_points(const struct cf_headline_series *s, size_t set, enum cf_point_use use,
                       struct cf_panel *panel)
{
    enum { MAX_BARS = 30 };
    const size_t *n = s->points->set[set].n;
    size_t own = n[CF_POINT_FIT] + n[CF_POINT_HELD_OUT];
    size_t all = s->points->n[CF_POINT_FIT] + s->points->n[CF_POINT_HELD_OUT];
    double size = cf_set_points_size(all);

    for (size_t branch = 0; branch < (s->nbranch ? s->nbranch : 1); branch++) {
        struct cf_style style = cf_set_style(set, use, branch > 0);
        style.size *= size;
        /* many bars on top of each other hide the points that they belong to */
        struct cf_chart_series *series =
            cf_panel_add_series(panel, own <= MAX_BARS ? CF_SERIES_BARS : CF_SERIES_POINTS, style);
        add_datums(s, set, use, branch, series);
        if (branch == 0 && has_entry(s, set, use))
            add_title(s, set, use, series);
    }
}

void cf_headline_add_points(const struct cf_headline_series *series, struct cf_panel *panel)
{
    for (size_t set = 0; set < series->points->ndata; set++)
        for (int use = 0; use < CF_NPOINT_USE; use++)
            if (series->points->set[set].n[use] && (series->excluded || use != CF_POINT_EXCLUDED))
                add_points(series, set, (enum cf_point_use) use, panel);
}
