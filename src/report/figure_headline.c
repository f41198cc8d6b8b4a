/* The main channel along its axis: what was measured, the fitted law with its band, and the rivals.
 * Points that were measured as another channel come converted, and the caption says so.
 */

#include <math.h>
#include <string.h>

#include "document/view.h"
#include "report/axis.h"
#include "report/figures.h"
#include "report/fit_curve.h"
#include "report/headline_caption.h"
#include "report/headline_points.h"
#include "report/html.h"
#include "report/layout.h"
#include "report/observation.h"

enum { MAX_BARS = 30 };
/* What every step here needs: the fit, and what is found out once. */
struct headline_figure {
    const json_t *fit;
    struct cf_headline_points points;
    size_t nbranch; /* each with curves, and points of a colour */
    const char *branch[CF_BRANCHES_APART];
    struct cf_curve_choice curves[CF_BRANCHES_APART];
    struct cf_scaling by;
    struct cf_stack stack;
    struct cf_chart *chart;
    struct cf_panel *panel;
    size_t nkey, nrival; /* entries of the key made so far; rivals, at its end */
};

static bool applies(const json_t *fit)
{
    struct cf_shown_channel shown;
    size_t i;
    json_t *point;

    if (!cf_shown_headline(fit, &shown))
        return false;

    json_array_foreach(json_object_get(fit, "headline_points"), i, point)
    {
        if (cf_headline_use(point) != CF_HEADLINE_EXCLUDED &&
            cf_shown_in(fit, &shown, cf_view_count(point, "data")) &&
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

static bool tells(const json_t *fit, const json_t *curve)
{
    struct cf_shown_channel shown;
    return cf_shown_headline(fit, &shown) && cf_shown_has(fit, &shown, curve) &&
           json_array_size(json_object_get(curve, "abscissa")) > 1;
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

static size_t rivals_of(const json_t *fit)
{
    size_t i, n = 0;
    json_t *rival;

    json_array_foreach(json_object_get(fit, "rivals"), i, rival)
    {
        n += drawable(fit, rival) != NULL;
    }
    return n;
}

/* Between the measurements the fitted law is seen as a whole. */
static void include_curve(struct headline_figure *figure, const json_t *curve)
{
    const json_t *abscissa = json_object_get(curve, "abscissa");

    for (size_t i = 0; i < json_array_size(abscissa); i++) {
        double x = cf_view_item(abscissa, i);
        if (x >= figure->points.x.low && x <= figure->points.x.high)
            cf_range_include(&figure->points.y, cf_view_item(json_object_get(curve, "value"), i));
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

/* The fitted law along one branch: the first of its curves is in the key. */
static void add_own(struct headline_figure *figure, size_t branch)
{
    static const char *const dash[] = {NULL, "14,4", "8,4", "4,4"};
    const struct cf_curve_choice *curves = &figure->curves[branch];
    const char *law = cf_view_text(figure->fit, "law");
    bool first = true;

    for (size_t i = 0; i < curves->n; i++) {
        const json_t *curve = curves->curve[i];
        size_t set = cf_view_count(curve, "data");
        struct cf_chart_series *line = cf_fit_curve_own(
            figure->panel, dash[(figure->points.apart ? set : i) % 4], branch, curve, figure->by);
        if (first)
            cf_stack_title(&figure->stack, figure->chart, line, figure->nkey++,
                           *figure->branch[branch] ? figure->branch[branch]
                           : cf_view_plain(law)    ? law
                                                   : "fitted law");
        first = false;
    }
    if (curves->n < curves->distinct) {
        struct cf_chart_series *few = cf_panel_add_series(
            figure->panel, CF_SERIES_LINE,
            (struct cf_style){.colour = CF_BLUE, .width = 2.4, .dash = dash[1]});
        cf_stack_title(&figure->stack, figure->chart, few, figure->nkey++, "");
        cf_text_add(&few->title, "%zu of %zu curves", curves->n, curves->distinct);
    }
}

static bool is_of(const struct headline_figure *figure, const json_t *point, size_t branch)
{
    return figure->nbranch < 2 ||
           strcmp(cf_view_text(point, "branch"), figure->branch[branch]) == 0;
}

/* Those of a branch of one data set, or of all sets. */
static void add_datums(struct headline_figure *figure, size_t set, enum cf_headline_use use,
                       size_t branch, struct cf_chart_series *series)
{
    size_t i;
    json_t *point;

    json_array_foreach(json_object_get(figure->fit, "headline_points"), i, point)
    {
        size_t of = cf_view_count(point, "data");
        if (cf_headline_shown(&figure->points, point) && cf_headline_use(point) == use &&
            is_of(figure, point, branch) && of < figure->points.ndata &&
            (of == set || !figure->points.apart))
            cf_series_add(series, cf_observation_datum(point, figure->by));
    }
}

/* The points of a use: those of one data set, or those of all for set = ndata. */
static void add_points(struct headline_figure *figure, size_t set, enum cf_headline_use use,
                       size_t all)
{
    static const enum cf_marker marker[CF_SETS_APART] = {
        CF_MARKER_CIRCLE, CF_MARKER_SQUARE, CF_MARKER_TRIANGLE, CF_MARKER_TRIANGLE_DOWN,
        CF_MARKER_DIAMOND};
    static const char *const colour[CF_NHEADLINE_USE] = {CF_INK, CF_VERMILION, CF_GREY};
    static const char *const title[CF_NHEADLINE_USE] = {"measured", "held out", "excluded"};
    double size = all < 80 ? 0.75 : all < 800 ? 0.45 : 0.25;

    for (size_t branch = 0; branch < figure->nbranch; branch++) {
        /* many bars on top of each other hide the points that they belong to */
        struct cf_chart_series *series = cf_panel_add_series(
            figure->panel, all <= MAX_BARS ? CF_SERIES_BARS : CF_SERIES_POINTS,
            (struct cf_style){.colour = colour[use],
                              .width = 1.2,
                              .marker = use == CF_HEADLINE_EXCLUDED ? CF_MARKER_CROSS
                                                                    : marker[set % CF_SETS_APART],
                              .filled = use == CF_HEADLINE_FIT && !branch,
                              .size = use == CF_HEADLINE_HELD_OUT ? size * 1.25 : size});
        add_datums(figure, set, use, branch, series);
        if (branch)
            continue;
        cf_stack_title(&figure->stack, figure->chart, series, figure->nkey++,
                       figure->points.apart || use != CF_HEADLINE_FIT ? title[use] : "");
        if (figure->points.apart && figure->points.nset > 1)
            cf_text_add(&series->title, ", set %zu", set + 1);
        else if (!figure->points.apart && use == CF_HEADLINE_FIT)
            cf_text_add(&series->title, "data of %zu sets", figure->points.nset);
    }
}

/* Curves below points. */
static void add_all(struct headline_figure *figure, bool logarithmic)
{
    cf_stack_chart(&figure->stack, figure->chart);
    figure->chart->one_panel = true;
    figure->panel = cf_stack_add_panel(&figure->stack, figure->chart);
    figure->by = cf_fit_headline_scaling(&figure->points.shown, figure->points.x, figure->points.y);
    cf_axis_abscissa(&figure->panel->x, &figure->points.shown.axis, figure->points.x, logarithmic);
    cf_fit_headline_axis(&figure->panel->y, &figure->points.shown, figure->points.y, 0.08);
    add_rivals(figure);
    for (size_t k = 0; k < figure->nbranch; k++)
        add_own(figure, k);
    for (size_t set = 0; set < figure->points.ndata && figure->points.apart; set++)
        for (int use = 0; use < CF_NHEADLINE_USE; use++)
            if (figure->points.set[set].n[use])
                add_points(figure, set, (enum cf_headline_use) use,
                           figure->points.set[set].n[CF_HEADLINE_FIT] +
                               figure->points.set[set].n[CF_HEADLINE_HELD_OUT]);
    for (int use = 0; use < CF_NHEADLINE_USE && !figure->points.apart; use++)
        if (figure->points.n[use])
            add_points(figure, 0, (enum cf_headline_use) use,
                       figure->points.n[CF_HEADLINE_FIT] + figure->points.n[CF_HEADLINE_HELD_OUT]);
}

/* Of each branch. */
static int choose_curves(struct headline_figure *figure, struct cf_error *err)
{
    const struct cf_shown_channel *shown = &figure->points.shown;
    size_t n = cf_fit_branches(figure->fit, shown, figure->branch);
    int status = CF_OK;

    for (; figure->nbranch < n && !status; figure->nbranch++)
        status = cf_fit_curves_choose(
            figure->fit, shown, *figure->branch[0] ? figure->branch[figure->nbranch] : NULL,
            cf_headline_has, &figure->points, &figure->curves[figure->nbranch], err);
    return status;
}

/* Room for the key: its entries, and the longest of them. */
static void find_key(struct headline_figure *figure)
{
    size_t i, keys = 0;
    json_t *rival;

    for (size_t k = 0; k < figure->nbranch; k++)
        keys += 1 + (figure->curves[k].n < figure->curves[k].distinct);

    for (size_t set = 0; set < figure->points.ndata; set++)
        for (int use = 0; use < CF_NHEADLINE_USE && figure->points.apart; use++)
            keys += figure->points.set[set].n[use] > 0;
    for (int use = 0; use < CF_NHEADLINE_USE && !figure->points.apart; use++)
        keys += figure->points.n[use] > 0;
    cf_stack_make_room(&figure->stack, cf_view_text(figure->fit, "law"));
    json_array_foreach(json_object_get(figure->fit, "rivals"), i, rival)
    {
        if (!drawable(figure->fit, rival))
            continue;
        cf_stack_make_room(&figure->stack, cf_view_text(rival, "law"));
        figure->nrival++;
    }
    figure->stack.nkey = keys + figure->nrival;
}

static int make_chart(const json_t *fit, bool logarithmic, struct cf_chart *chart,
                      struct cf_error *err)
{
    struct headline_figure figure = {
        .fit = fit,
        .stack = {.height = 4.3, .count = 1, .above = 0.12},
        .chart = chart,
    };
    int status = cf_headline_find(fit, &figure.points, err);

    if (!status)
        status = choose_curves(&figure, err);
    if (!status && (!isfinite(figure.points.x.low) || !isfinite(figure.points.y.low)))
        status = cf_fail(err, CF_EINPUT, "no measured %s to draw", figure.points.shown.name);
    if (!status) {
        for (size_t k = 0; k < figure.nbranch; k++)
            for (size_t i = 0; i < figure.curves[k].n; i++)
                include_curve(&figure, figure.curves[k].curve[i]);
        find_key(&figure);
        add_all(&figure, logarithmic);
    }
    free(figure.points.set);
    for (size_t k = 0; k < figure.nbranch; k++)
        free(figure.curves[k].curve);
    return status;
}

static int make_chart_log(const json_t *fit, struct cf_chart *chart, struct cf_error *err)
{
    return make_chart(fit, true, chart, err);
}

static int make_chart_linear(const json_t *fit, struct cf_chart *chart, struct cf_error *err)
{
    return make_chart(fit, false, chart, err);
}

static void caption_log(const json_t *fit, FILE *html)
{
    cf_headline_caption(fit, "{Label} against {axis label}, the {axis} on a logarithmic axis. ",
                        rivals_of(fit), html);
}

static void caption_linear(const json_t *fit, FILE *html)
{
    if (!applies_log(fit)) {
        cf_headline_caption(fit, "{Label} against {axis label}. ", rivals_of(fit), html);
        return;
    }
    cf_words_html(fit, "The same points and curves against the {axis} itself, on a linear axis.",
                  html);
    cf_headline_caption_sets(fit, html);
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
