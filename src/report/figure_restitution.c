/* Restitution against speed: what was measured, the fitted law with its band, and the rivals.
 * Points that were measured as a rebound speed or height come converted, and the caption says so.
 */

#include <math.h>
#include <string.h>

#include "document/view.h"
#include "law/law.h"
#include "report/axis.h"
#include "report/figures.h"
#include "report/fit_curve.h"
#include "report/html.h"
#include "report/layout.h"
#include "report/quantity.h"

enum { MAX_BARS = 30 };
enum use { FIT, HELD_OUT, EXCLUDED, NUSE };

/* What every step here needs: the fit, and what is found out once. */
struct restitution_figure {
    const json_t *fit;
    size_t ndata, nset; /* data sets; those that give a restitution */
    struct cf_range speed, e;
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

/* What a point was computed from; NULL when the data set has none. */
static const char *source(const json_t *fit, size_t set)
{
    size_t i;
    json_t *point;

    json_array_foreach(json_object_get(fit, "restitution_points"), i, point)
    {
        if (cf_view_count(point, "data") == set)
            return cf_view_text(point, "from");
    }
    return NULL;
}

static bool applies(const json_t *fit)
{
    size_t i;
    json_t *point;

    json_array_foreach(json_object_get(fit, "restitution_points"), i, point)
    {
        if (use_of(point) != EXCLUDED && cf_view_number(point, "speed_m_s") > 0)
            return true;
    }
    return false;
}

static bool is_shown(const json_t *point, size_t set, enum use use)
{
    return cf_view_count(point, "data") == set && use_of(point) == use &&
           isfinite(cf_view_number(point, "e")) && cf_view_number(point, "speed_m_s") > 0;
}

/* Value and standard deviation, 0 where that is not known. */
static struct cf_datum datum_of(const json_t *point)
{
    double e = cf_view_number(point, "e"), sigma = cf_view_number(point, "sigma");
    double half = isfinite(sigma) ? sigma : 0;

    return (struct cf_datum){
        .x = cf_view_number(point, "speed_m_s"), .y = e, .low = e - half, .high = e + half};
}

/* The points of one data set and use: how many there are. The ranges grow with those that count. */
static size_t find_ranges(struct restitution_figure *figure, size_t set, enum use use)
{
    size_t i, n = 0;
    json_t *point;

    json_array_foreach(json_object_get(figure->fit, "restitution_points"), i, point)
    {
        if (!is_shown(point, set, use))
            continue;
        struct cf_datum datum = datum_of(point);
        n++;
        if (use == EXCLUDED)
            continue;
        cf_range_include(&figure->speed, datum.x);
        cf_range_include(&figure->e, datum.low);
        cf_range_include(&figure->e, datum.high);
    }
    return n;
}

static bool tells_e(const json_t *curve)
{
    return strcmp(cf_view_text(curve, "quantity"), "restitution") == 0 &&
           json_array_size(json_object_get(curve, "speed_m_s")) > 1;
}

/* The fitted law's curve for a data set, NULL for none. */
static const json_t *own_curve(const json_t *fit, size_t set)
{
    size_t i;
    json_t *curve;

    json_array_foreach(json_object_get(fit, "curves"), i, curve)
    {
        if (tells_e(curve) && cf_view_count(curve, "data") == set)
            return curve;
    }
    return NULL;
}

/* A rival that can be drawn: one with a curve, and with a name that is a law's. A tournament has a
 * figure of its own. */
static const struct cf_law *drawable(const json_t *fit, const json_t *rival)
{
    if (json_object_get(fit, "tournament") || cf_view_true(rival, "own") ||
        !tells_e(json_object_get(rival, "curve")))
        return NULL;
    return cf_law_find(cf_view_text(rival, "law"));
}

/* Between the measured speeds the fitted law is seen as a whole. */
static void include_curve(struct restitution_figure *figure, const json_t *curve)
{
    const json_t *speeds = json_object_get(curve, "speed_m_s");

    for (size_t i = 0; i < json_array_size(speeds); i++) {
        double speed = cf_view_item(speeds, i);
        if (speed >= figure->speed.low && speed <= figure->speed.high)
            cf_range_include(&figure->e, cf_view_item(json_object_get(curve, "value"), i));
    }
}

static void add_rivals(struct restitution_figure *figure)
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
        const struct cf_law *law = drawable(figure->fit, rival);
        if (!law)
            continue;
        const struct cf_style broken = {
            .colour = style[n % NSTYLE].colour, .width = 1.6, .dash = style[n % NSTYLE].dash};
        struct cf_chart_series *series =
            cf_fit_curve(figure->panel, CF_SERIES_LINE, broken, json_object_get(rival, "curve"), 1);
        cf_stack_title(&figure->stack, figure->chart, series,
                       figure->stack.nkey - figure->nrival + n++, law->name);
    }
}

static void add_own(struct restitution_figure *figure, size_t set, bool first)
{
    static const char *const dash[] = {NULL, "14,4", "8,4", "4,4"};
    const struct cf_law *law = cf_law_find(cf_view_text(figure->fit, "law"));
    const json_t *curve = own_curve(figure->fit, set);

    if (!curve)
        return;
    struct cf_chart_series *line = cf_fit_curve_own(figure->panel, dash[set % 4], curve, 1);
    if (first)
        cf_stack_title(&figure->stack, figure->chart, line, figure->nkey++,
                       law ? law->name : "fitted law");
}

static void add_points(struct restitution_figure *figure, size_t set, const size_t n[NUSE])
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
        json_array_foreach(json_object_get(figure->fit, "restitution_points"), i, point)
        {
            if (is_shown(point, set, (enum use) use))
                cf_series_add(series, datum_of(point));
        }
        cf_stack_title(&figure->stack, figure->chart, series, figure->nkey++, title[use]);
        if (figure->nset > 1)
            cf_text_add(&series->title, ", set %zu", set + 1);
    }
}

enum { MAX_SETS = 64 };

/* Curves below points. */
static void add_all(struct restitution_figure *figure, bool logarithmic, size_t n[][NUSE])
{
    bool first = true;

    cf_stack_chart(&figure->stack, figure->chart);
    figure->chart->one_panel = true;
    figure->panel = cf_stack_add_panel(&figure->stack, figure->chart);
    cf_axis_speed(&figure->panel->x, figure->speed, logarithmic);
    cf_fit_restitution_axis(&figure->panel->y, figure->e, 0.08);
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
    struct restitution_figure figure = {
        .fit = fit,
        .ndata = json_array_size(json_object_get(fit, "data")),
        .speed = CF_RANGE_EMPTY,
        .e = CF_RANGE_EMPTY,
        .stack = {.height = 4.3, .count = 1, .above = 0.12},
        .chart = chart,
    };
    size_t n[MAX_SETS][NUSE] = {{0}}, i, keys = 1;
    json_t *rival;

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
    if (!(figure.speed.high > 0) || !isfinite(figure.e.low))
        return cf_fail(err, CF_EINPUT, "no measured restitution to draw");
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

/* Which data set is which, and where e was computed from something else. */
static void caption_sets(const json_t *fit, FILE *html)
{
    const json_t *data = json_object_get(fit, "data");
    size_t nset = 0;

    for (size_t i = 0; i < json_array_size(data); i++)
        nset += source(fit, i) != NULL;
    for (size_t i = 0; i < json_array_size(data); i++) {
        const char *quantity = source(fit, i);
        if (!quantity)
            continue;
        if (nset > 1) {
            fprintf(html, " Set %zu: ", i + 1);
            cf_html_text(html, cf_view_text(json_array_get(data, i), "name"));
            fputs(".", html);
        }
        if (strcmp(quantity, "restitution") != 0)
            fprintf(html, " <i>e</i> is computed from the measured %s.",
                    cf_quantity_label(quantity));
    }
}

static void caption_log(const json_t *fit, FILE *html)
{
    fputs("Coefficient of restitution against approach speed, the speed on a logarithmic axis. "
          "Points are measurements, where they are few with one &sigma; each way; open points "
          "were held out of the fit. The thick solid line is ",
          html);
    cf_html_text(html, cf_view_text(fit, "law"));
    fputs(" as fitted, with the confidence band of the curve", html);
    fputs(json_object_get(fit, "tournament")
              ? "."
              : "; broken lines are its rivals, each fitted to the same rows.",
          html);
    caption_sets(fit, html);
}

static void caption_linear(const json_t *fit, FILE *html)
{
    fputs("The same points and curves against the speed itself, on a linear axis.", html);
    caption_sets(fit, html);
}

const struct cf_figure cf_figure_restitution_log = {
    .name = "restitution-log",
    .title = "Restitution against the logarithm of speed",
    .what = "e against log v: data, fitted law with band, rivals",
    .applies = applies,
    .chart = make_chart_log,
    .caption = caption_log,
};

const struct cf_figure cf_figure_restitution = {
    .name = "restitution",
    .title = "Restitution against speed",
    .what = "e against v: the same on a linear axis",
    .applies = applies,
    .chart = make_chart_linear,
    .caption = caption_linear,
};
