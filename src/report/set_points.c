#include "report/set_points.h"

#include "document/view.h"

/* Is an observation one of the points of a data set? */
static bool is_point(const struct cf_set_points *points, size_t set, const json_t *row,
                     struct cf_datum *datum)
{
    return cf_view_count(row, "data") == set && cf_shown_has(points->fit, points->channel, row) &&
           points->datum(row, points->by, datum);
}

/* Which uses a data set has points of, as used[]; false: none. */
static bool find_uses(const struct cf_set_points *points, size_t set, bool used[CF_NPOINT_USE])
{
    bool any = false;
    size_t i;
    json_t *row;

    json_array_foreach(json_object_get(points->fit, "observations"), i, row)
    {
        struct cf_datum datum;
        if (!is_point(points, set, row, &datum))
            continue;
        used[cf_point_use(row)] = any = true;
    }
    return any;
}

static struct cf_chart_series *add_series(const struct cf_set_points *points, size_t set,
                                          enum cf_point_use use, struct cf_panel *panel)
{
    struct cf_style style = cf_set_style(set, use, false);
    size_t i;
    json_t *row;

    style.size *= points->size;
    struct cf_chart_series *series = cf_panel_add_series(panel, points->kind, style);
    json_array_foreach(json_object_get(points->fit, "observations"), i, row)
    {
        struct cf_datum datum;
        if (cf_point_use(row) != use || !is_point(points, set, row, &datum))
            continue;
        datum.data = set;
        datum.line = cf_view_count(row, "line");
        cf_series_add(series, datum);
    }
    return series;
}

double cf_set_points_size(size_t rows)
{
    enum { VERY_MANY = 10 * CF_POINTS_WITHOUT_BARS };

    return rows < CF_POINTS_WITHOUT_BARS ? 0.75 : rows < VERY_MANY ? 0.45 : 0.26;
}

void cf_set_points_add(const struct cf_set_points *points, struct cf_panel *panel)
{
    size_t ndata = json_array_size(json_object_get(points->fit, "data")), nset = 0, nuse = 0;
    bool used[CF_NPOINT_USE] = {false}, titled[CF_NPOINT_USE] = {false};

    for (size_t set = 0; set < ndata; set++)
        nset += find_uses(points, set, used);
    for (int use = 0; use < CF_NPOINT_USE; use++)
        nuse += used[use];
    bool several = points->all_sets ? ndata > 1 : nset > 1,
         named = several && nset <= CF_SETS_NAMED;
    bool key = named || (points->uses && nuse > 1);
    for (size_t set = 0; set < ndata; set++) {
        bool own[CF_NPOINT_USE] = {false};
        find_uses(points, set, own);
        for (int use = 0; use < CF_NPOINT_USE; use++) {
            struct cf_chart_series *series =
                own[use] ? add_series(points, set, (enum cf_point_use) use, panel) : NULL;
            if (!series || !key || (titled[use] && (!named || use == CF_POINT_EXCLUDED)))
                continue;
            cf_set_title(points->fit, series, points->key, set, (enum cf_point_use) use, !named);
            titled[use] = true;
        }
    }
}
