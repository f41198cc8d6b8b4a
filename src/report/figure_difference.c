/* How far the fitted curve is from the smoothed measurements, along the axis: their difference with
 * its band, what is left of each measurement, and how far off the curve is at most. A panel for
 * each range that is judged by itself.
 */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "document/view.h"
#include "report/axis.h"
#include "report/figures.h"
#include "report/fit_curve.h"
#include "report/html.h"
#include "report/law_style.h"
#include "report/layout.h"
#include "report/set_points.h"
#include "report/set_style.h"

/* Entries of the key: lines, then data sets, then the worst place. */
enum { RANK_CURVE, RANK_REFERENCE, RANK_LIMIT, RANK_NEED, RANK_SETS, RANK_WORST = 1 << 20 };

/* A need that is so many times wider than all else would leave nothing of it to see. */
static const double widest = 3;

/* A measurement of it. */
struct left_over {
    size_t set;
    enum cf_point_use use;
    struct cf_datum datum; /* in the file's units */
};

/* What is drawn in one panel. */
struct difference {
    const json_t *fit, *entry, *reference;
    struct cf_shown_channel shown;
    size_t n, nset;
    struct left_over *row; /* n of them */
    struct cf_range x, y;  /* in the file's units; y: of all but the need */
    struct cf_scaling by;
    struct cf_panel *panel;
};

/* The i-th of a fit's entries, if it has something to draw; row is not filled. */
static bool find(const json_t *fit, size_t i, struct difference *d)
{
    const json_t *entry = json_array_get(json_object_get(fit, "adequacy"), i);

    *d = (struct difference){.fit = fit,
                             .entry = entry,
                             .reference = json_object_get(entry, "reference"),
                             .x = CF_RANGE_EMPTY};
    cf_range_include(&d->x, cf_view_number(entry, "low"));
    cf_range_include(&d->x, cf_view_number(entry, "high"));
    return json_array_size(json_object_get(d->reference, "abscissa")) > 1 && d->x.low < d->x.high &&
           cf_shown_judged(fit, entry, &d->shown) && cf_shown_on(&d->shown.axis, d->x.low) &&
           cf_shown_on(&d->shown.axis, d->x.high);
}

static size_t panels(const json_t *fit)
{
    struct difference d;
    size_t n = 0;

    for (size_t i = 0; i < json_array_size(json_object_get(fit, "adequacy")); i++)
        n += find(fit, i, &d);
    return n;
}

static bool applies(const json_t *fit)
{
    return panels(fit) > 0;
}

/* ---- measurements */

static bool same_number(const json_t *a, const json_t *b, const char *key)
{
    double x = cf_view_number(a, key), y = cf_view_number(b, key);

    return x == y || (isnan(x) && isnan(y));
}

/* Are data sets judged together? Those of one protocol and of alike bodies are. */
static bool is_alike(const struct difference *d, size_t set)
{
    const json_t *all = json_object_get(d->fit, "data");
    const json_t *own = json_array_get(all, cf_view_count(d->entry, "data")),
                 *other = json_array_get(all, set);

    return own == other ||
           (strcmp(cf_view_text(own, "protocol"), cf_view_text(other, "protocol")) == 0 &&
            same_number(own, other, "mass_kg") && same_number(own, other, "radius_m") &&
            same_number(own, other, "modulus_Pa"));
}

/* point: the row as one of the main channel; NULL: it is none. */
static bool is_of(const struct difference *d, const json_t *row, const json_t *point)
{
    const double rounding = 1e-9; /* of the ends of the range */
    const json_t *own = json_array_get(json_object_get(d->fit, "data"), cf_view_count(row, "data"));
    const char *branch = cf_view_text(d->entry, "branch");
    double at = cf_view_number(row, "abscissa");
    double room = rounding * fmax(fabs(d->x.low), fabs(d->x.high));

    if (!is_alike(d, cf_view_count(row, "data")) || !(at >= d->x.low - room) ||
        !(at <= d->x.high + room))
        return false;
    if (*branch && strcmp(branch, cf_view_text(point, "branch")) != 0)
        return false;
    /* another channel may tell the main one */
    return strcmp(cf_view_text(row, "channel"), d->shown.name) == 0 ||
           (point && strcmp(cf_view_text(own, "headline"), d->shown.name) == 0);
}

/* Is a point of the main channel made from a row? They stand in the same order. */
static bool is_from(const json_t *point, const json_t *row)
{
    return cf_view_count(point, "data") == cf_view_count(row, "data") &&
           cf_view_count(point, "line") == cf_view_count(row, "line") &&
           strcmp(cf_view_text(point, "from"), cf_view_text(row, "channel")) == 0 &&
           same_number(point, row, "abscissa");
}

/* One sigma of the row, in the unit of the quantity. */
static double sigma_of(const json_t *row, const json_t *point)
{
    bool corrected = json_object_get(row, "true_sigma") != NULL;

    return point ? cf_view_number(point, "sigma")
                 : cf_view_number(row, corrected ? "true_sigma" : "sigma");
}

static int compare_set(const void *a, const void *b)
{
    const struct left_over *x = a, *y = b;

    if (x->set != y->set)
        return x->set < y->set ? -1 : 1;
    if (x->use != y->use)
        return x->use < y->use ? -1 : 1;
    return (x->datum.x > y->datum.x) - (x->datum.x < y->datum.x);
}

/* Of a number of runs, those that the file holds. */
static int gather_runs(struct difference *d, struct cf_error *err)
{
    const json_t *runs = cf_view(d->entry, "number.runs"), *run;
    size_t i;

    d->row = calloc(json_array_size(runs) + 1, sizeof *d->row);
    if (!d->row)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu runs", json_array_size(runs));
    json_array_foreach(runs, i, run)
    {
        double left = cf_view_number(run, "measured") - cf_view_number(run, "predicted");
        d->row[d->n++] = (struct left_over){.set = cf_view_count(run, "data"),
                                            .use = CF_POINT_FIT,
                                            .datum = {.x = cf_view_number(run, "place"),
                                                      .y = left,
                                                      .data = cf_view_count(run, "data")}};
    }
    return CF_OK;
}

/* Every channel that tells the headline rises with it, so that residuals keep their signs. */
static int gather_rows(struct difference *d, struct cf_error *err)
{
    const json_t *rows = json_object_get(d->fit, "observations"), *row,
                 *points = json_object_get(d->fit, "headline_points");
    size_t i, next = 0;

    d->row = calloc(json_array_size(rows) + 1, sizeof *d->row);
    if (!d->row)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu residuals", json_array_size(rows));
    json_array_foreach(rows, i, row)
    {
        const json_t *point = json_array_get(points, next);
        bool is_main = point && is_from(point, row);
        double left = cf_view_number(row, "residual") * sigma_of(row, is_main ? point : NULL);
        next += is_main;
        if (cf_point_use(row) == CF_POINT_EXCLUDED || !isfinite(left) ||
            !is_of(d, row, is_main ? point : NULL))
            continue;
        d->row[d->n++] = (struct left_over){.set = cf_view_count(row, "data"),
                                            .use = cf_point_use(row),
                                            .datum = {.x = cf_view_number(row, "abscissa"),
                                                      .y = left,
                                                      .data = cf_view_count(row, "data"),
                                                      .line = cf_view_count(row, "line")}};
    }
    return CF_OK;
}

static int gather(struct difference *d, struct cf_error *err)
{
    int status = json_object_get(d->entry, "number") ? gather_runs(d, err) : gather_rows(d, err);

    if (status)
        return status;
    qsort(d->row, d->n, sizeof *d->row, compare_set);
    for (size_t i = 0; i < d->n; i++)
        d->nset += i == 0 || d->row[i].set != d->row[i - 1].set;
    return CF_OK;
}

/* ---- lines */

static double item(const struct difference *d, const char *key, size_t i)
{
    return cf_view_item(json_object_get(d->reference, key), i);
}

/* The difference at point i of the reference, with its band. */
static struct cf_datum difference_at(const struct difference *d, size_t i)
{
    double half = cf_view_number(d->reference, "simultaneous") * item(d, "standard_error", i);
    double y = item(d, "difference", i);

    return (struct cf_datum){
        .x = item(d, "abscissa", i), .y = y, .low = y - half, .high = y + half};
}

static struct cf_datum scaled(const struct difference *d, struct cf_datum datum)
{
    datum.x *= d->by.x;
    datum.y *= d->by.y;
    datum.low *= d->by.y;
    datum.high *= d->by.y;
    return datum;
}

static const json_t *need_of(const struct difference *d)
{
    return json_object_get(d->entry, "needed");
}

/* A limit of the difference at point i: of a need that is a share of the curve, as all are drawn
 * then, it is that of the curve there. */
static double limit_at(const struct difference *d, double in_unit, double relative, size_t i)
{
    return cf_view_true(need_of(d), "relative") ? relative * fabs(item(d, "law", i)) : in_unit;
}

static double at_most_at(const struct difference *d, size_t i)
{
    return limit_at(d, cf_view_number(json_object_get(d->entry, "in_unit"), "at_most"),
                    cf_view_number(json_object_get(d->entry, "relative"), "at_most"), i);
}

static double needed_at(const struct difference *d, size_t i)
{
    double within = cf_view_number(need_of(d), "within");

    return limit_at(d, within, within, i);
}

static size_t count(const struct difference *d)
{
    return json_array_size(json_object_get(d->reference, "abscissa"));
}

static void find_range(struct difference *d)
{
    d->y = (struct cf_range) CF_RANGE_EMPTY;
    for (size_t i = 0; i < count(d); i++) {
        struct cf_datum at = difference_at(d, i);
        cf_range_include(&d->y, at.low);
        cf_range_include(&d->y, at.high);
        cf_range_include(&d->y, at_most_at(d, i));
        cf_range_include(&d->y, -at_most_at(d, i));
    }
    for (size_t i = 0; i < d->n; i++)
        cf_range_include(&d->y, d->row[i].datum.y);
}

/* The need's lines, where they leave room for the rest: false, they lie beyond the frame. */
static bool include_need(const struct difference *d, struct cf_range *y)
{
    struct cf_range need = CF_RANGE_EMPTY;

    for (size_t i = 0; i < count(d); i++) {
        cf_range_include(&need, needed_at(d, i));
        cf_range_include(&need, -needed_at(d, i));
    }
    if (need.high > widest * fmax(fabs(d->y.low), fabs(d->y.high)))
        return false;
    cf_range_include(y, need.low);
    cf_range_include(y, need.high);
    return true;
}

/* A line above the curve, and one as far below it. */
static void add_limits(struct difference *d, double (*limit)(const struct difference *, size_t),
                       struct cf_style style, size_t rank, const char *title)
{
    struct cf_chart_series *series = cf_panel_add_series(d->panel, CF_SERIES_LINE, style);

    for (int side = 1; side >= -1; side -= 2) {
        for (size_t i = 0; i < count(d); i++)
            cf_series_add(series, scaled(d, (struct cf_datum){.x = item(d, "abscissa", i),
                                                              .y = side * limit(d, i)}));
        cf_series_add(series, (struct cf_datum){.x = NAN, .y = NAN});
    }
    cf_series_title(series, CF_KEY_PANEL, rank, "%s", title);
}

static void add_reference(struct difference *d)
{
    const struct cf_style style = {.colour = CF_INK, .width = 1.8, .opacity = 0.15};
    struct cf_chart_series *band = cf_panel_add_series(d->panel, CF_SERIES_BAND, style);
    struct cf_chart_series *line = cf_panel_add_series(d->panel, CF_SERIES_LINE, style);

    for (size_t i = 0; i < count(d); i++) {
        cf_series_add(band, scaled(d, difference_at(d, i)));
        cf_series_add(line, scaled(d, difference_at(d, i)));
    }
    cf_series_title(line, CF_KEY_PANEL, RANK_REFERENCE, "smoothed");
}

static void add_curve(struct difference *d)
{
    const char *law = cf_view_text(d->fit, "law");
    struct cf_style style = cf_law_style(law);

    style.width = 2.4;
    style.dash = NULL;
    struct cf_chart_series *series = cf_panel_add_series(d->panel, CF_SERIES_LINE, style);
    cf_series_add(series, (struct cf_datum){.x = d->by.x * d->x.low});
    cf_series_add(series, (struct cf_datum){.x = d->by.x * d->x.high});
    cf_series_title(series, CF_KEY_PANEL, RANK_CURVE, "%s",
                    cf_view_plain(law) ? law : "fitted law");
}

static void add_points(struct difference *d)
{
    struct cf_chart_series *series = NULL;
    bool many = d->nset > CF_SETS_NAMED, titled[CF_NPOINT_USE] = {false};

    for (size_t i = 0; i < d->n; i++) {
        const struct left_over *row = &d->row[i];
        if (i == 0 || row->set != row[-1].set || row->use != row[-1].use) {
            struct cf_style style = cf_set_style(row->set, row->use, false);
            style.size *= cf_set_points_size(d->n);
            series = cf_panel_add_series(d->panel, CF_SERIES_POINTS, style);
            if (!many || !titled[row->use]) {
                cf_set_title(d->fit, series, CF_KEY_PANEL, row->set, row->use,
                             many || d->nset == 1);
                series->rank += RANK_SETS;
            }
            titled[row->use] = true;
        }
        cf_series_add(series, scaled(d, row->datum));
    }
}

/* On the limit that it sets, on the side of the smoothed measurements. */
static void add_worst(struct difference *d)
{
    const struct cf_style style = {
        .colour = CF_VERMILION, .width = 1.8, .marker = CF_MARKER_DIAMOND, .filled = true};
    double at = cf_view_number(d->entry, "worst_at");
    size_t nearest = 0;

    if (isnan(at))
        return; /* of a mean there is none */

    for (size_t i = 0; i < count(d); i++)
        if (fabs(item(d, "abscissa", i) - at) < fabs(item(d, "abscissa", nearest) - at))
            nearest = i;
    double side = item(d, "difference", nearest) < 0 ? -1 : 1;
    struct cf_chart_series *series = cf_panel_add_series(d->panel, CF_SERIES_POINTS, style);
    cf_series_add(series,
                  scaled(d, (struct cf_datum){.x = at, .y = side * at_most_at(d, nearest)}));
    cf_series_title(series, CF_KEY_PANEL, RANK_WORST, "worst place");
}

static void add_all(struct difference *d)
{
    struct cf_range y = d->y;
    bool needed = need_of(d) != NULL, shown = needed && include_need(d, &y);
    struct cf_shown_channel words = d->shown;

    words.label = "measured minus curve";
    words.symbol = "";
    d->by = cf_fit_headline_scaling(&d->shown, d->x, y);
    cf_axis_abscissa(&d->panel->x, &d->shown.axis, d->x, !d->shown.axis.linear);
    cf_fit_headline_axis(&d->panel->y, &words, y, 0.08);
    add_curve(d);
    add_limits(d, at_most_at, (struct cf_style){.colour = CF_INK, .width = 1.4, .dash = "5,4"},
               RANK_LIMIT, "off by at most");
    if (needed)
        add_limits(d, needed_at,
                   (struct cf_style){.colour = CF_VERMILION, .width = 1.8, .dash = "12,5"},
                   RANK_NEED, shown ? "needed" : "needed, beyond the frame");
    add_points(d);
    add_reference(d);
    add_worst(d);
}

static int add_panel(struct difference *d, const struct cf_stack *stack, struct cf_chart *chart,
                     struct cf_error *err)
{
    const char *branch = cf_view_text(d->entry, "branch");
    struct cf_text heading = {0};
    int status = gather(d, err);

    if (!status) {
        d->panel = cf_stack_add_panel(stack, chart);
        cf_text_add(&heading, "%s%s%s", d->shown.label, *branch ? ", " : "", branch);
        cf_stack_heading(d->panel, cf_text_letters(&heading, 0));
        find_range(d);
        add_all(d);
    }
    free(d->row);
    return status;
}

static int make_chart(const json_t *fit, struct cf_chart *chart, struct cf_error *err)
{
    const struct cf_stack stack = {
        .height = 3.4, .count = panels(fit), .above = 0.35, .abreast = true};
    struct difference d;
    int status = CF_OK;

    cf_stack_chart(&stack, chart);
    for (size_t i = 0; i < json_array_size(json_object_get(fit, "adequacy")) && !status; i++)
        if (find(fit, i, &d))
            status = add_panel(&d, &stack, chart, err);
    return status;
}

static void caption(const json_t *fit, FILE *html)
{
    bool need = false;

    for (size_t i = 0; i < json_array_size(json_object_get(fit, "adequacy")); i++)
        need =
            need || json_object_get(json_array_get(json_object_get(fit, "adequacy"), i), "needed");
    fputs("How far the measurements lie above the fitted curve, which is the line at 0. Points are "
          "the measurements, the dark line is their smooth course. The shaded band holds all of it "
          "at once at ",
          html);
    cf_html_number(html, 100 * cf_view_number(cf_view(fit, "study.options"), "level"), 4);
    fputs("&#8239;%, so that it may be wider than the limit of the largest difference, which the "
          "short dashes show",
          html);
    fputs(need ? "; long dashes show what is needed." : ".", html);
    cf_caption_points(fit, html);
}

const struct cf_figure cf_figure_difference = {
    .name = "difference",
    .title = "Measurements minus curve",
    .what = "how far the measurements, smoothed, are from the curve against {axis}",
    .applies = applies,
    .chart = make_chart,
    .caption = caption,
};
