/* The main channel along its axis: what was measured, the fitted law with its band, and the rivals.
 * Points that were measured as another channel come converted, and the caption says so.
 */

#include <math.h>
#include <string.h>

#include "document/view.h"
#include "report/axis.h"
#include "report/figures.h"
#include "report/fit_curve.h"
#include "report/html.h"
#include "report/layout.h"

enum { MAX_BARS = 30 };
enum use { FIT, HELD_OUT, EXCLUDED, NUSE };

/* What every step here needs: the fit, and what is found out once. */
struct headline_figure {
    const json_t *fit;
    struct cf_shown_channel shown;
    size_t ndata, nset; /* data sets; those that tell the headline */
    struct cf_range x, y;
    struct cf_scaling by;
    struct cf_stack stack;
    struct cf_chart *chart;
    struct cf_panel *panel;
    size_t nkey, nrival; /* entries of the key made so far; rivals, at its end */
};

static enum use use_of(const json_t *point)
{
    const char *use = cf_view_text(point, "use");
    return strcmp(use, "fit") == 0 ? FIT : strcmp(use, "held-out") == 0 ? HELD_OUT : EXCLUDED;
}

/* What a point was computed from; NULL when the data set has none, or another protocol. */
static const char *source(const json_t *fit, size_t set)
{
    struct cf_shown_channel shown;
    size_t i;
    json_t *point;

    if (!cf_shown_headline(fit, &shown) || !cf_shown_in(fit, &shown, set))
        return NULL;
    json_array_foreach(json_object_get(fit, "headline_points"), i, point)
    {
        if (cf_view_count(point, "data") == set)
            return cf_view_text(point, "from");
    }
    return NULL;
}

static bool applies(const json_t *fit)
{
    struct cf_shown_channel shown;
    size_t i;
    json_t *point;

    if (!cf_shown_headline(fit, &shown))
        return false;

    json_array_foreach(json_object_get(fit, "headline_points"), i, point)
    {
        if (use_of(point) != EXCLUDED && cf_shown_in(fit, &shown, cf_view_count(point, "data")) &&
            cf_shown_on(&shown.axis, cf_view_number(point, "abscissa")))
            return true;
    }
    return false;
}

static bool applies_log(const json_t *fit)
{
    struct cf_shown_channel shown;
    return applies(fit) && cf_shown_headline(fit, &shown) && !shown.axis.linear;
}

static bool is_shown(const struct headline_figure *figure, const json_t *point, size_t set,
                     enum use use)
{
    return cf_view_count(point, "data") == set && use_of(point) == use &&
           isfinite(cf_view_number(point, "value")) &&
           cf_shown_on(&figure->shown.axis, cf_view_number(point, "abscissa"));
}

/* Value and standard deviation, 0 where that is not known. */
static struct cf_datum datum_of(const json_t *point, struct cf_scaling by)
{
    double y = cf_view_number(point, "value"), sigma = cf_view_number(point, "sigma");
    double half = isfinite(sigma) ? sigma : 0;

    return (struct cf_datum){.x = by.x * cf_view_number(point, "abscissa"),
                             .y = by.y * y,
                             .low = by.y * (y - half),
                             .high = by.y * (y + half)};
}

/* The points of one data set and use: how many there are. The ranges grow with those that count. */
static size_t find_ranges(struct headline_figure *figure, size_t set, enum use use)
{
    size_t i, n = 0;
    json_t *point;

    json_array_foreach(json_object_get(figure->fit, "headline_points"), i, point)
    {
        if (!is_shown(figure, point, set, use))
            continue;
        struct cf_datum datum = datum_of(point, (struct cf_scaling){1, 1});
        n++;
        if (use == EXCLUDED)
            continue;
        cf_range_include(&figure->x, datum.x);
        cf_range_include(&figure->y, datum.low);
        cf_range_include(&figure->y, datum.high);
    }
    return n;
}

static bool tells(const json_t *fit, const json_t *curve)
{
    struct cf_shown_channel shown;
    return cf_shown_headline(fit, &shown) && cf_shown_has(fit, &shown, curve) &&
           json_array_size(json_object_get(curve, "abscissa")) > 1;
}

/* The fitted law's curve for a data set, NULL for none. */
static const json_t *own_curve(const json_t *fit, size_t set)
{
    size_t i;
    json_t *curve;

    json_array_foreach(json_object_get(fit, "curves"), i, curve)
    {
        if (tells(fit, curve) && cf_view_count(curve, "data") == set)
            return curve;
    }
    return NULL;
}

/* A rival that can be drawn: one with a curve, and with a name that is plain; else NULL. A
 * tournament has a figure of its own. */
static const char *drawable(const json_t *fit, const json_t *rival)
{
    const char *law = cf_view_text(rival, "law");

    if (json_object_get(fit, "tournament") || cf_view_true(rival, "own") ||
        !tells(fit, json_object_get(rival, "curve")))
        return NULL;
    return cf_view_plain(law) ? law : NULL;
}

/* Between the measurements the fitted law is seen as a whole. */
static void include_curve(struct headline_figure *figure, const json_t *curve)
{
    const json_t *abscissa = json_object_get(curve, "abscissa");

    for (size_t i = 0; i < json_array_size(abscissa); i++) {
        double x = cf_view_item(abscissa, i);
        if (x >= figure->x.low && x <= figure->x.high)
            cf_range_include(&figure->y, cf_view_item(json_object_get(curve, "value"), i));
    }
}

static void add_rivals(struct headline_figure *figure)
{
    static const struct {
        const char *colour, *dash;
    } style[] = {
        {CF_VERMILION, "12,5"}, {CF_GREEN, "3,3"},        {CF_ORANGE, "12,4,3,4"},
        {CF_PURPLE, "6,3"},     {CF_SKY, "12,4,3,4,3,4"}, {CF_GREY, "2,5"},
    };
    enum { NSTYLE = sizeof style / sizeof style[0] };
    size_t i, n = 0;
    json_t *rival;

    json_array_foreach(json_object_get(figure->fit, "rivals"), i, rival)
    {
        const char *law = drawable(figure->fit, rival);
        if (!law)
            continue;
        const struct cf_style broken = {
            .colour = style[n % NSTYLE].colour, .width = 1.6, .dash = style[n % NSTYLE].dash};
        struct cf_chart_series *series = cf_fit_curve(figure->panel, CF_SERIES_LINE, broken,
                                                      json_object_get(rival, "curve"), figure->by);
        cf_stack_title(&figure->stack, figure->chart, series,
                       figure->stack.nkey - figure->nrival + n++, law);
    }
}

static void add_own(struct headline_figure *figure, size_t set, bool first)
{
    static const char *const dash[] = {NULL, "14,4", "8,4", "4,4"};
    const char *law = cf_view_text(figure->fit, "law");
    const json_t *curve = own_curve(figure->fit, set);

    if (!curve)
        return;
    struct cf_chart_series *line =
        cf_fit_curve_own(figure->panel, dash[set % 4], curve, figure->by);
    if (first)
        cf_stack_title(&figure->stack, figure->chart, line, figure->nkey++,
                       cf_view_plain(law) ? law : "fitted law");
}

static void add_points(struct headline_figure *figure, size_t set, const size_t n[NUSE])
{
    static const enum cf_marker marker[] = {CF_MARKER_CIRCLE, CF_MARKER_SQUARE, CF_MARKER_TRIANGLE,
                                            CF_MARKER_TRIANGLE_DOWN, CF_MARKER_DIAMOND};
    static const char *const colour[NUSE] = {CF_INK, CF_VERMILION, CF_GREY};
    static const char *const title[NUSE] = {"measured", "held out", "excluded"};
    size_t all = n[FIT] + n[HELD_OUT], i;
    double size = all < 80 ? 0.75 : all < 800 ? 0.45 : 0.25;
    json_t *point;

    for (int use = 0; use < NUSE; use++) {
        if (!n[use])
            continue;
        /* many bars on top of each other hide the points that they belong to */
        struct cf_chart_series *series = cf_panel_add_series(
            figure->panel, all <= MAX_BARS ? CF_SERIES_BARS : CF_SERIES_POINTS,
            (struct cf_style){.colour = colour[use],
                              .width = 1.2,
                              .marker = use == EXCLUDED ? CF_MARKER_CROSS : marker[set % 5],
                              .filled = use == FIT,
                              .size = use == HELD_OUT ? size * 1.25 : size});
        json_array_foreach(json_object_get(figure->fit, "headline_points"), i, point)
        {
            if (is_shown(figure, point, set, (enum use) use))
                cf_series_add(series, datum_of(point, figure->by));
        }
        cf_stack_title(&figure->stack, figure->chart, series, figure->nkey++, title[use]);
        if (figure->nset > 1)
            cf_text_add(&series->title, ", set %zu", set + 1);
    }
}

enum { MAX_SETS = 64 };

/* Curves below points. */
static void add_all(struct headline_figure *figure, bool logarithmic, size_t n[][NUSE])
{
    bool first = true;

    cf_stack_chart(&figure->stack, figure->chart);
    figure->chart->one_panel = true;
    figure->panel = cf_stack_add_panel(&figure->stack, figure->chart);
    figure->by = cf_fit_headline_scaling(&figure->shown, figure->x, figure->y);
    cf_axis_abscissa(&figure->panel->x, &figure->shown.axis, figure->x, logarithmic);
    cf_fit_headline_axis(&figure->panel->y, &figure->shown, figure->y, 0.08);
    add_rivals(figure);
    for (size_t set = 0; set < figure->ndata; set++) {
        if (!source(figure->fit, set))
            continue;
        add_own(figure, set, first);
        first = false;
    }
    for (size_t set = 0; set < figure->ndata; set++)
        if (source(figure->fit, set))
            add_points(figure, set, n[set]);
}

static int make_chart(const json_t *fit, bool logarithmic, struct cf_chart *chart,
                      struct cf_error *err)
{
    struct headline_figure figure = {
        .fit = fit,
        .ndata = json_array_size(json_object_get(fit, "data")),
        .x = CF_RANGE_EMPTY,
        .y = CF_RANGE_EMPTY,
        .stack = {.height = 4.3, .count = 1, .above = 0.12},
        .chart = chart,
    };
    size_t n[MAX_SETS][NUSE] = {{0}}, i, keys = 1;
    json_t *rival;

    if (!cf_shown_headline(fit, &figure.shown))
        return cf_fail(err, CF_EINPUT, "no data set to draw");
    if (figure.ndata > MAX_SETS)
        return cf_fail(err, CF_ERANGE, "%zu data sets in a figure: at most %d", figure.ndata,
                       MAX_SETS);
    for (size_t set = 0; set < figure.ndata; set++) {
        figure.nset += source(fit, set) != NULL;
        for (int use = 0; use < NUSE && source(fit, set); use++) {
            n[set][use] = find_ranges(&figure, set, (enum use) use);
            keys += n[set][use] > 0;
        }
    }
    if (!isfinite(figure.x.low) || !isfinite(figure.y.low))
        return cf_fail(err, CF_EINPUT, "no measured %s to draw", figure.shown.name);
    for (size_t set = 0; set < figure.ndata; set++)
        if (source(fit, set) && own_curve(fit, set))
            include_curve(&figure, own_curve(fit, set));
    cf_stack_make_room(&figure.stack, cf_view_text(fit, "law"));
    json_array_foreach(json_object_get(fit, "rivals"), i, rival)
    {
        if (!drawable(fit, rival))
            continue;
        cf_stack_make_room(&figure.stack, cf_view_text(rival, "law"));
        figure.nrival++;
    }
    figure.stack.nkey = keys + figure.nrival;
    add_all(&figure, logarithmic, n);
    return CF_OK;
}

static int make_chart_log(const json_t *fit, struct cf_chart *chart, struct cf_error *err)
{
    return make_chart(fit, true, chart, err);
}

static int make_chart_linear(const json_t *fit, struct cf_chart *chart, struct cf_error *err)
{
    return make_chart(fit, false, chart, err);
}

/* Which data set is which, and where the headline was computed from something else. */
static void caption_sets(const json_t *fit, FILE *html)
{
    const json_t *data = json_object_get(fit, "data");
    size_t nset = 0;

    for (size_t i = 0; i < json_array_size(data); i++)
        nset += source(fit, i) != NULL;
    for (size_t i = 0; i < json_array_size(data); i++) {
        const json_t *set = json_array_get(data, i);
        const char *from = source(fit, i);
        if (!from)
            continue;
        if (nset > 1) {
            fprintf(html, " Set %zu: ", i + 1);
            cf_html_text(html, cf_view_text(set, "name"));
            fputs(".", html);
        }
        if (strcmp(from, cf_view_text(set, "headline")) == 0)
            continue;
        cf_words_html(fit, " <i>{y}</i> is computed from the measured ", html);
        cf_html_text(html, cf_channel_label(fit, from));
        fputs(".", html);
    }
}

/* Where the axis is, then what is drawn. */
static void caption_whole(const json_t *fit, const char *along, FILE *html)
{
    cf_words_html(fit, along, html);
    fputs("Points are measurements, where they are few with one &sigma; each way; open points "
          "were held out of the fit. The thick solid line is ",
          html);
    cf_html_text(html, cf_view_text(fit, "law"));
    fputs(" as fitted, with the confidence band of the curve", html);
    fputs(json_object_get(fit, "tournament")
              ? "."
              : "; broken lines are its rivals, each fitted to the same rows.",
          html);
    caption_sets(fit, html);
    cf_caption_points(fit, html);
}

static void caption_log(const json_t *fit, FILE *html)
{
    caption_whole(fit, "{Label} against {axis label}, the {axis} on a logarithmic axis. ", html);
}

static void caption_linear(const json_t *fit, FILE *html)
{
    if (!applies_log(fit)) {
        caption_whole(fit, "{Label} against {axis label}. ", html);
        return;
    }
    cf_words_html(fit, "The same points and curves against the {axis} itself, on a linear axis.",
                  html);
    caption_sets(fit, html);
}

const struct cf_figure cf_figure_headline_log = {
    .name = "{headline}-log",
    .title = "{Headline} against the logarithm of {axis}",
    .what = "{y} against log {x}: data, fitted law with band, rivals",
    .applies = applies_log,
    .chart = make_chart_log,
    .caption = caption_log,
};

const struct cf_figure cf_figure_headline = {
    .name = "{headline}",
    .title = "{Headline} against {axis}",
    .what = "{y} against {x}: the same on a linear axis",
    .applies = applies,
    .chart = make_chart_linear,
    .caption = caption_linear,
};
