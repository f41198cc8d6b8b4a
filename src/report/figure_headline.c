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
#include "report/headline_flags.h"
#include "report/headline_points.h"
#include "report/headline_series.h"
#include "report/html.h"
#include "report/law_style.h"
#include "report/layout.h"
#include "report/panels.h"

/* Entries of the key: laws first, then data sets, then rivals. */
enum { RANK_SETS = 16, RANK_RIVALS = 1 << 20 };

/* What every step here needs for one panel: the fit, and what is found out once. */
struct headline_figure {
    const json_t *fit;
    struct cf_headline_points points;
    size_t nbranch; /* each with curves, and points of a colour */
    const char *branch[CF_BRANCHES_APART];
    struct cf_curve_choice curves[CF_BRANCHES_APART];
    bool several; /* panels */
    bool plain;   /* the law and what it was fitted to, and no more */
    struct cf_scaling by;
    struct cf_panel *panel;
};

/* Has a main channel measurements to draw? */
static bool has_points(const json_t *fit, const struct cf_shown_channel *shown)
{
    size_t i;
    json_t *point;

    json_array_foreach(json_object_get(fit, "headline_points"), i, point)
    {
        if (cf_point_use(point) != CF_POINT_EXCLUDED &&
            cf_shown_in(fit, shown, cf_view_count(point, "data")) &&
            cf_shown_on(&shown->axis, cf_view_number(point, "abscissa")) &&
            isfinite(cf_view_number(point, "value")))
            return true;
    }
    return false;
}

/* A main channel with measurements, which the figure shows: all of them, or (logarithmic) those
 * whose axis has logarithms. */
static bool has_panel(const json_t *fit, const struct cf_shown_channel *shown, bool logarithmic)
{
    return has_points(fit, shown) && !(logarithmic && shown->axis.linear);
}

static size_t panels(const json_t *fit, bool logarithmic)
{
    struct cf_shown_channel shown;
    size_t n = 0;

    for (size_t i = 0; cf_shown_main(fit, i, &shown); i++)
        n += has_panel(fit, &shown, logarithmic);
    return n;
}

static bool applies(const json_t *fit)
{
    return panels(fit, false) > 0;
}

static bool applies_log(const json_t *fit)
{
    struct cf_shown_channel shown;
    return panels(fit, true) > 0 && cf_shown_headline(fit, &shown) && !shown.axis.linear;
}

static bool tells(const json_t *fit, const struct cf_shown_channel *shown, const json_t *curve)
{
    return cf_shown_has(fit, shown, curve) &&
           json_array_size(json_object_get(curve, "abscissa")) > 1;
}

/* A rival that can be drawn: one with a curve, and with a name that is plain; else NULL. A
 * tournament has a figure of its own. */
static const char *drawable(const json_t *fit, const struct cf_shown_channel *shown,
                            const json_t *rival)
{
    const char *law = cf_view_text(rival, "law");

    if (json_object_get(fit, "tournament") || cf_view_true(rival, "own") ||
        !tells(fit, shown, json_object_get(rival, "curve")))
        return NULL;
    return cf_view_plain(law) ? law : NULL;
}

static size_t rivals_of(const json_t *fit)
{
    size_t i, n = 0;
    json_t *rival;
    struct cf_shown_channel shown;

    json_array_foreach(json_object_get(fit, "rivals"), i, rival)
    {
        n += cf_shown_headline(fit, &shown) && drawable(fit, &shown, rival);
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
    size_t i, n = 0;
    json_t *rival;

    json_array_foreach(json_object_get(figure->fit, "rivals"), i, rival)
    {
        const char *law = drawable(figure->fit, &figure->points.shown, rival);
        if (!law)
            continue;
        struct cf_chart_series *series =
            cf_fit_curve(figure->panel, CF_SERIES_LINE, cf_law_style(law),
                         json_object_get(rival, "curve"), figure->by);
        cf_series_title(series, CF_KEY_PANEL, RANK_RIVALS + n++, "%s", law);
    }
}

/* The line that a curve goes on: the first before it that agrees with it as far as both reach, or
 * itself. Data sets of the same bodies have one line, over ranges of their own. */
static size_t line_of(const struct cf_curve_choice *curves, size_t i)
{
    size_t k = 0;

    while (k < i && !cf_fit_curves_agree(curves->curve[k], curves->curve[i]))
        k++;
    return k;
}

static size_t lines_of(const struct cf_curve_choice *curves)
{
    size_t n = 0;

    for (size_t i = 0; i < curves->n; i++)
        n += line_of(curves, i) == i;
    return n;
}

/* The law's own colour and dash. Of several lines each has a dash of its own, and rows of the
 * second kind, strokes of a loop, another colour. */
static struct cf_style own_style(const char *law, size_t branch, size_t line, size_t several)
{
    static const char *const dash[] = {NULL, "14,4", "8,4", "4,4"};
    struct cf_style style = cf_law_style(law);

    if (branch > 0)
        style.colour = strcmp(style.colour, CF_PURPLE) == 0 ? CF_BLUE : CF_PURPLE;
    if (several > 1)
        style.dash = dash[line % 4];
    return style;
}

/* The fitted law along one branch: the first of its curves is in the key. */
static void add_own(struct headline_figure *figure, size_t branch)
{
    const struct cf_curve_choice *curves = &figure->curves[branch];
    const char *law = cf_view_text(figure->fit, "law");
    size_t several = lines_of(curves);
    size_t nline = 0;

    for (size_t i = 0; i < curves->n; i++) {
        const json_t *curve = curves->curve[i];
        size_t line = line_of(curves, i);
        struct cf_range but = CF_RANGE_EMPTY;
        if (line < i)
            but = cf_fit_curve_range(curves->curve[line]);
        else
            nline++;
        struct cf_chart_series *series = cf_fit_curve_own(
            figure->panel, own_style(law, branch, line < i ? line : nline - 1, several), curve, but,
            figure->by);
        if (i == 0)
            cf_series_title(series, CF_KEY_PANEL, branch, "%s",
                            *figure->branch[branch] ? figure->branch[branch]
                            : cf_view_plain(law)    ? law
                                                    : "fitted law");
    }
    if (curves->n < curves->distinct) {
        struct cf_chart_series *few = cf_panel_add_series(
            figure->panel, CF_SERIES_LINE,
            (struct cf_style){.colour = own_style(law, branch, 0, several).colour, .width = 2.4});
        cf_series_title(few, CF_KEY_PANEL, CF_BRANCHES_APART + branch, "%zu of %zu curves",
                        curves->n, curves->distinct);
    }
}

/* Curves below points. */
static void add_all(struct headline_figure *figure, bool logarithmic)
{
    const struct cf_shown_channel *shown = &figure->points.shown;

    figure->by = cf_fit_headline_scaling(shown, figure->points.x, figure->points.y);
    cf_axis_abscissa(&figure->panel->x, &shown->axis, figure->points.x,
                     logarithmic && !shown->axis.linear);
    cf_fit_headline_axis(&figure->panel->y, shown, figure->points.y, 0.08);
    if (!figure->plain)
        add_rivals(figure);
    for (size_t k = 0; k < figure->nbranch; k++)
        add_own(figure, k);
    const struct cf_headline_series series = {.fit = figure->fit,
                                              .points = &figure->points,
                                              .nbranch = figure->nbranch,
                                              .branch = figure->branch,
                                              .excluded = !figure->plain,
                                              .several = figure->several,
                                              .by = figure->by,
                                              .rank = RANK_SETS};
    cf_headline_add_points(&series, figure->panel);
    if (!figure->plain)
        cf_headline_add_flags(&series, figure->panel);
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

/* What is drawn of the i-th main channel, in its panel. */
static int fill_panel(struct headline_figure *figure, size_t i, bool logarithmic,
                      struct cf_error *err)
{
    int status = cf_headline_find(figure->fit, i, &figure->points, err);

    if (!status)
        status = choose_curves(figure, err);
    if (!status) {
        for (size_t k = 0; k < figure->nbranch; k++)
            for (size_t c = 0; c < figure->curves[k].n; c++)
                include_curve(figure, figure->curves[k].curve[c]);
        add_all(figure, logarithmic);
    }
    free(figure->points.set);
    for (size_t k = 0; k < figure->nbranch; k++)
        free(figure->curves[k].curve);
    return status;
}

int cf_headline_add_prediction(const json_t *fit, size_t which, bool logarithmic,
                               struct cf_panel *panel, struct cf_range *x, struct cf_error *err)
{
    struct headline_figure figure = {.fit = fit, .plain = true, .panel = panel};
    int status = fill_panel(&figure, which, logarithmic, err);

    *x = figure.points.x;
    return status;
}

static int make_chart(const json_t *fit, bool logarithmic, struct cf_chart *chart,
                      struct cf_error *err)
{
    const struct cf_stack stack = {
        .height = 3.7, .count = panels(fit, logarithmic), .above = 0.12, .abreast = true};
    struct cf_shown_channel shown;
    int status = CF_OK;

    if (!stack.count)
        return cf_fail(err, CF_EINPUT, "no measurement of a main channel to draw");
    cf_stack_chart(&stack, chart);
    chart->one_panel = stack.count == 1;
    for (size_t i = 0; !status && cf_shown_main(fit, i, &shown); i++)
        if (has_panel(fit, &shown, logarithmic)) {
            struct headline_figure figure = {
                .fit = fit, .several = stack.count > 1, .panel = cf_stack_add_panel(&stack, chart)};
            status = fill_panel(&figure, i, logarithmic, err);
        }
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
    .title = "{Label} against the logarithm of {axis label}",
    .what = "{y} against log {x}: data, fitted law with band, rivals",
    .applies = applies_log,
    .chart = make_chart_log,
    .caption = caption_log,
};

const struct cf_figure cf_figure_headline = {
    .name = "{headline}",
    .title = "{Label} against {axis label}",
    .what = "{y} against {x}: the same on a linear axis",
    .applies = applies,
    .chart = make_chart_linear,
    .caption = caption_linear,
};
