/* Restitution against speed: what was measured, the fitted law with its band, and the rivals.
 * Points that were measured as a rebound speed or height come converted, and the caption says so.
 */

#include <math.h>
#include <stdlib.h>
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

/* What a data set gives. */
struct measured_set {
    const char *from; /* the quantity that e is computed from; NULL: the set has none */
    size_t n[NUSE];
};

/* What every step here needs: the fit, and what is found out once. Few data sets have markers of
 * their own, more share one: `apart`. */
struct restitution_figure {
    const json_t *fit;
    size_t ndata, nset; /* data sets; those that give a restitution */
    bool apart;
    struct measured_set *set;
    size_t n[NUSE]; /* of all sets */
    struct cf_curve_choice curves;
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

static bool is_shown(const json_t *point)
{
    return isfinite(cf_view_number(point, "e")) && cf_view_number(point, "speed_m_s") > 0;
}

/* Value and standard deviation, 0 where that is not known. */
static struct cf_datum datum_of(const json_t *point)
{
    double e = cf_view_number(point, "e"), sigma = cf_view_number(point, "sigma");
    double half = isfinite(sigma) ? sigma : 0;

    return (struct cf_datum){
        .x = cf_view_number(point, "speed_m_s"), .y = e, .low = e - half, .high = e + half};
}

/* How many points of each use the data sets have, of what they were computed; the ranges grow with
 * those that count. */
static int find_sets(struct restitution_figure *figure, struct cf_error *err)
{
    size_t i;
    json_t *point;

    figure->ndata = json_array_size(json_object_get(figure->fit, "data"));
    figure->set = calloc(figure->ndata + 1, sizeof *figure->set);
    if (!figure->set)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu data sets", figure->ndata);
    json_array_foreach(json_object_get(figure->fit, "restitution_points"), i, point)
    {
        struct cf_datum datum = datum_of(point);
        size_t index = cf_view_count(point, "data");
        if (index >= figure->ndata)
            continue;
        struct measured_set *set = &figure->set[index];
        figure->nset += set->from == NULL;
        set->from = set->from ? set->from : cf_view_text(point, "from");
        if (!is_shown(point))
            continue;
        set->n[use_of(point)]++;
        figure->n[use_of(point)]++;
        if (use_of(point) == EXCLUDED)
            continue;
        cf_range_include(&figure->speed, datum.x);
        cf_range_include(&figure->e, datum.low);
        cf_range_include(&figure->e, datum.high);
    }
    figure->apart = figure->nset <= CF_SETS_APART;
    return CF_OK;
}

static bool tells_e(const json_t *curve)
{
    return strcmp(cf_view_text(curve, "quantity"), "restitution") == 0 &&
           json_array_size(json_object_get(curve, "speed_m_s")) > 1;
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
        struct cf_series *series =
            cf_fit_curve(figure->panel, CF_SERIES_LINE, broken, json_object_get(rival, "curve"), 1);
        cf_stack_title(&figure->stack, figure->chart, series,
                       figure->stack.nkey - figure->nrival + n++, law->name);
    }
}

/* The fitted law: the first of its curves is in the key. */
static void add_own(struct restitution_figure *figure)
{
    static const char *const dash[] = {NULL, "14,4", "8,4", "4,4"};
    const struct cf_law *law = cf_law_find(cf_view_text(figure->fit, "law"));
    bool first = true;

    for (size_t i = 0; i < figure->curves.n; i++) {
        const json_t *curve = figure->curves.curve[i];
        size_t set = cf_view_count(curve, "data");
        struct cf_series *line =
            cf_fit_curve_own(figure->panel, dash[(figure->apart ? set : i) % 4], curve, 1);
        if (first)
            cf_stack_title(&figure->stack, figure->chart, line, figure->nkey++,
                           law ? law->name : "fitted law");
        first = false;
    }
    if (figure->curves.n < figure->curves.distinct) {
        struct cf_series *few = cf_panel_add_series(
            figure->panel, CF_SERIES_LINE,
            (struct cf_style){.colour = CF_BLUE, .width = 2.4, .dash = dash[1]});
        cf_stack_title(&figure->stack, figure->chart, few, figure->nkey++, "");
        cf_text_add(&few->title, "%zu of %zu curves", figure->curves.n, figure->curves.distinct);
    }
}

/* The points of a use: those of one data set, or those of all for set = ndata. */
static void add_points(struct restitution_figure *figure, size_t set, enum use use, size_t all)
{
    static const enum cf_marker marker[CF_SETS_APART] = {
        CF_MARKER_CIRCLE, CF_MARKER_SQUARE, CF_MARKER_TRIANGLE, CF_MARKER_TRIANGLE_DOWN,
        CF_MARKER_DIAMOND};
    static const char *const colour[NUSE] = {CF_INK, CF_VERMILION, CF_GREY};
    static const char *const title[NUSE] = {"measured", "held out", "excluded"};
    double size = all < 80 ? 0.75 : all < 800 ? 0.45 : 0.25;
    size_t i;
    json_t *point;
    /* many bars on top of each other hide the points that they belong to */
    struct cf_series *series = cf_panel_add_series(
        figure->panel, all <= MAX_BARS ? CF_SERIES_BARS : CF_SERIES_POINTS,
        (struct cf_style){.colour = colour[use],
                          .width = 1.2,
                          .marker = use == EXCLUDED ? CF_MARKER_CROSS : marker[set % CF_SETS_APART],
                          .filled = use == FIT,
                          .size = use == HELD_OUT ? size * 1.25 : size});

    json_array_foreach(json_object_get(figure->fit, "restitution_points"), i, point)
    {
        size_t of = cf_view_count(point, "data");
        if (is_shown(point) && use_of(point) == use && of < figure->ndata &&
            (of == set || !figure->apart))
            cf_series_add(series, datum_of(point));
    }
    cf_stack_title(&figure->stack, figure->chart, series, figure->nkey++,
                   figure->apart || use != FIT ? title[use] : "");
    if (figure->apart && figure->nset > 1)
        cf_text_add(&series->title, ", set %zu", set + 1);
    else if (!figure->apart && use == FIT)
        cf_text_add(&series->title, "data of %zu sets", figure->nset);
}

/* Curves below points. */
static void add_all(struct restitution_figure *figure, bool logarithmic)
{
    cf_stack_chart(&figure->stack, figure->chart);
    figure->chart->one_panel = true;
    figure->panel = cf_stack_add_panel(&figure->stack, figure->chart);
    cf_axis_speed(&figure->panel->x, figure->speed, logarithmic);
    cf_fit_restitution_axis(&figure->panel->y, figure->e, 0.08);
    add_rivals(figure);
    add_own(figure);
    for (size_t set = 0; set < figure->ndata && figure->apart; set++)
        for (int use = 0; use < NUSE; use++)
            if (figure->set[set].n[use])
                add_points(figure, set, (enum use) use,
                           figure->set[set].n[FIT] + figure->set[set].n[HELD_OUT]);
    for (int use = 0; use < NUSE && !figure->apart; use++)
        if (figure->n[use])
            add_points(figure, 0, (enum use) use, figure->n[FIT] + figure->n[HELD_OUT]);
}

static bool has_points(const void *context, size_t set)
{
    const struct restitution_figure *figure = context;
    return set < figure->ndata && figure->set[set].from;
}

/* Room for the key: its entries, and the longest of them. */
static void find_key(struct restitution_figure *figure)
{
    size_t i, keys = 1 + (figure->curves.n < figure->curves.distinct);
    json_t *rival;

    for (size_t set = 0; set < figure->ndata; set++)
        for (int use = 0; use < NUSE && figure->apart; use++)
            keys += figure->set[set].n[use] > 0;
    for (int use = 0; use < NUSE && !figure->apart; use++)
        keys += figure->n[use] > 0;
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
    struct restitution_figure figure = {
        .fit = fit,
        .speed = CF_RANGE_EMPTY,
        .e = CF_RANGE_EMPTY,
        .stack = {.height = 4.3, .count = 1, .above = 0.12},
        .chart = chart,
    };
    int status = find_sets(&figure, err);

    if (!status)
        status = cf_fit_curves_choose(fit, "restitution", has_points, &figure, &figure.curves, err);
    if (!status && (!(figure.speed.high > 0) || !isfinite(figure.e.low)))
        status = cf_fail(err, CF_EINPUT, "no measured restitution to draw");
    if (!status) {
        for (size_t i = 0; i < figure.curves.n; i++)
            include_curve(&figure, figure.curves.curve[i]);
        find_key(&figure);
        add_all(&figure, logarithmic);
    }
    free(figure.set);
    free(figure.curves.curve);
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

/* Of how many data sets e was computed from which quantity; "restitution" needs no word. */
static void caption_sources(const struct restitution_figure *figure, FILE *html)
{
    for (const struct cf_quantity *q = cf_quantities; q->name; q++) {
        size_t n = 0;
        for (size_t i = 0; i < figure->ndata; i++)
            n += figure->set[i].from && strcmp(figure->set[i].from, q->name) == 0;
        if (n && strcmp(q->name, "restitution") != 0)
            fprintf(html, " In %zu of them <i>e</i> is computed from the measured %s.", n,
                    q->label);
    }
}

/* Which data set is which, and where e was computed from something else. */
static void caption_sets(const json_t *fit, FILE *html)
{
    struct restitution_figure figure = {.fit = fit};
    struct cf_curve_choice curves = {0};

    if (!find_sets(&figure, NULL) && !figure.apart) {
        fprintf(html, " The %zu data sets share one marker; they are listed below, under Data.",
                figure.nset);
        caption_sources(&figure, html);
        if (!cf_fit_curves_choose(fit, "restitution", has_points, &figure, &curves, NULL))
            cf_fit_curves_caption(&curves, html);
        free(curves.curve);
    }
    for (size_t i = 0; figure.apart && i < figure.ndata; i++) {
        const json_t *data = json_array_get(json_object_get(fit, "data"), i);
        const char *quantity = figure.set[i].from;
        if (!quantity)
            continue;
        if (figure.nset > 1) {
            fprintf(html, " Set %zu: ", i + 1);
            cf_html_text(html, cf_view_text(data, "name"));
            fputs(".", html);
        }
        if (strcmp(quantity, "restitution") != 0)
            fprintf(html, " <i>e</i> is computed from the measured %s.",
                    cf_quantity_label(quantity));
    }
    free(figure.set);
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
