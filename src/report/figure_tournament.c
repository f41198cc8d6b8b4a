/* The curves of a tournament over the data, in the main channel: the study's own law and the first
 * few in colour, all other curves grey. A curve that several laws draw is there once. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "document/view.h"
#include "report/axis.h"
#include "report/figures.h"
#include "report/fit_curve.h"
#include "report/headline_points.h"
#include "report/headline_series.h"
#include "report/law_style.h"
#include "report/layout.h"

enum { NCOLOURED = 5 };

/* The law of a row of the table that has a curve of its own, by a plain name; else NULL. */
static const char *drawable(const json_t *fit, size_t i)
{
    const json_t *rival = json_array_get(json_object_get(fit, "rivals"), i);
    const json_t *contender = json_array_get(cf_view(fit, "tournament.contenders"), i);

    if (cf_view_text(contender, "same_as")[0] ||
        json_array_size(cf_view(rival, "curve.abscissa")) < 2)
        return NULL;
    return cf_view_plain(cf_view_text(rival, "law")) ? cf_view_text(rival, "law") : NULL;
}

/* Are there points to draw the curves over? */
static bool has_points(const json_t *fit)
{
    struct cf_headline_points points;
    bool has = !cf_headline_find(fit, 0, &points, NULL) &&
               points.n[CF_POINT_FIT] + points.n[CF_POINT_HELD_OUT] > 0;

    free(points.set);
    return has;
}

static bool applies(const json_t *fit)
{
    bool curves = false;

    for (size_t i = 0; i < json_array_size(json_object_get(fit, "rivals")); i++)
        curves = curves || drawable(fit, i);
    return json_is_object(json_object_get(fit, "tournament")) && curves && has_points(fit);
}

/* Which colour a law gets: its place among the others, or NCOLOURED and more for grey. */
struct cast {
    size_t n, ngrey, left; /* those drawn; the grey of them; those left out */
    struct {
        size_t index, place;
        bool own;
        const char *name;
    } part[64];
};

static struct cast assign(const json_t *fit)
{
    const json_t *rivals = json_object_get(fit, "rivals");
    struct cast cast = {.n = 0};
    size_t place = 0;

    for (size_t i = 0; i < json_array_size(rivals); i++) {
        const char *law = drawable(fit, i);
        bool own = cf_view_true(json_array_get(rivals, i), "own");
        if (!law)
            continue;
        if (cast.n == sizeof cast.part / sizeof cast.part[0]) {
            cast.left++;
            continue;
        }
        cast.part[cast.n].index = i;
        cast.part[cast.n].own = own;
        cast.part[cast.n].name = law;
        cast.part[cast.n].place = own ? 0 : place++;
        cast.ngrey += !own && cast.part[cast.n].place >= NCOLOURED;
        cast.n++;
    }
    return cast;
}

/* Entries of the key: the curves in colour, and one for all others. */
static size_t curve_entries(const struct cast *cast)
{
    return cast->n - cast->ngrey + (cast->ngrey > 0);
}

/* Grey below, then the coloured from the last to the first, the own law over all. */
static void add_laws(const json_t *fit, const struct cast *cast, struct cf_scaling by,
                     struct cf_panel *panel)
{
    bool named = false;

    for (size_t k = cast->n; k-- > 0;) {
        bool own = cast->part[k].own, grey = !own && cast->part[k].place >= NCOLOURED;
        struct cf_style style = cf_law_style(cast->part[k].name);
        if (grey)
            style = (struct cf_style){.colour = "#BBBBBB", .width = 1};
        else
            style.width = own ? 2.4 : 1.8;
        const json_t *rival = json_array_get(json_object_get(fit, "rivals"), cast->part[k].index);
        struct cf_chart_series *series =
            cf_fit_curve(panel, CF_SERIES_LINE, style, json_object_get(rival, "curve"), by);
        if (!grey)
            cf_series_title(series, CF_KEY_PANEL, k, "%s", cast->part[k].name);
        else if (!named)
            cf_series_title(series, CF_KEY_PANEL, cast->n - cast->ngrey, "other curves");
        named = named || grey;
    }
}

static void add_all(const json_t *fit, const struct cf_headline_points *points,
                    struct cf_chart *chart)
{
    const struct cf_stack stack = {.height = 3.7, .count = 1, .above = 0.12};
    const struct cast cast = assign(fit);
    const struct cf_shown_channel *shown = &points->shown;
    const struct cf_headline_series series = {
        .fit = fit,
        .points = points,
        .by = cf_fit_headline_scaling(shown, points->x, points->y),
        .rank = curve_entries(&cast),
    };

    cf_stack_chart(&stack, chart);
    chart->one_panel = true;
    struct cf_panel *panel = cf_stack_add_panel(&stack, chart);
    cf_axis_abscissa(&panel->x, &shown->axis, points->x, !shown->axis.linear);
    cf_fit_headline_axis(&panel->y, shown, points->y, 0.25);
    add_laws(fit, &cast, series.by, panel);
    cf_headline_add_points(&series, panel);
}

static int make_chart(const json_t *fit, struct cf_chart *chart, struct cf_error *err)
{
    struct cf_headline_points points;
    int status = cf_headline_find(fit, 0, &points, err);

    if (!status && points.n[CF_POINT_FIT] + points.n[CF_POINT_HELD_OUT] == 0)
        status = cf_fail(err, CF_EINPUT, "no measurement of what the laws are compared in to draw");
    if (!status)
        add_all(fit, &points, chart);
    free(points.set);
    return status;
}

static void caption(const json_t *fit, FILE *html)
{
    struct cast cast = assign(fit);
    struct cf_headline_points points;
    struct cf_shown_channel shown;
    bool logarithmic = cf_shown_headline(fit, &shown) && !shown.axis.linear;

    fprintf(html, "The %zu different curves of the tournament over the data", cast.n + cast.left);
    cf_words_html(fit, logarithmic ? ", the {axis} on a logarithmic axis" : "", html);
    fprintf(html,
            ". In colour: the study&rsquo;s own law (thick) and the first of the others by "
            "AICc, in the order of the table%s.%s",
            cast.ngrey ? "; grey: the rest, which may leave the frame" : "",
            json_is_object(cf_view(fit, "tournament.held_out"))
                ? " Open points were held out of the fits."
                : "");
    if (cast.left)
        fprintf(html, " The last %zu by AICc are not drawn.", cast.left);
    if (!cf_headline_find(fit, 0, &points, NULL))
        cf_headline_readings_caption(fit, &points, html);
    free(points.set);
    cf_caption_points(fit, html);
}

const struct cf_figure cf_figure_tournament = {
    .name = "tournament",
    .title = "All curves over the data",
    .what = "{y} against log {x}: every different curve of a tournament",
    .applies = applies,
    .chart = make_chart,
    .caption = caption,
};
