/* Whatever else was measured (contact duration, compression, force), a panel a quantity, against
 * the approach speed, with the fitted law and its band. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "document/view.h"
#include "report/axis.h"
#include "report/figures.h"
#include "report/fit_curve.h"
#include "report/html.h"
#include "report/layout.h"
#include "report/quantity.h"

/* From so many rows on, points are small and have no bars, which would hide them. */
enum { MANY = 80, VERY_MANY = 800 };

static bool is_of(const json_t *item, const struct cf_quantity *quantity)
{
    return strcmp(cf_view_text(item, "quantity"), quantity->name) == 0;
}

/* Restitution has figures of its own. */
static bool has_panel(const json_t *fit, const struct cf_quantity *quantity)
{
    size_t i;
    json_t *row;

    if (strcmp(quantity->name, "restitution") == 0)
        return false;
    json_array_foreach(json_object_get(fit, "observations"), i, row)
    {
        if (is_of(row, quantity) && strcmp(cf_view_text(row, "use"), "excluded") != 0)
            return true;
    }
    return false;
}

static size_t panels(const json_t *fit)
{
    size_t n = 0;
    for (const struct cf_quantity *q = cf_quantities; q->name; q++)
        n += has_panel(fit, q);
    return n;
}

static bool applies(const json_t *fit)
{
    return panels(fit) > 0;
}

static size_t count_rows(const json_t *fit, const struct cf_quantity *quantity)
{
    size_t i, n = 0;
    json_t *row;

    json_array_foreach(json_object_get(fit, "observations"), i, row)
    {
        n += is_of(row, quantity);
    }
    return n;
}

/* Nothing when there are none of this use. */
static void add_points(const json_t *fit, const struct cf_quantity *quantity, const char *use,
                       double factor, struct cf_style style, struct cf_panel *panel)
{
    struct cf_series *series = NULL;
    size_t i, all = count_rows(fit, quantity);
    bool bars = all < MANY;
    json_t *row;

    if (!bars)
        style.size *= all < VERY_MANY ? 0.6 : 0.35;

    json_array_foreach(json_object_get(fit, "observations"), i, row)
    {
        double value = factor * cf_view_number(row, "measured");
        double sigma = cf_view_number(row, "sigma"), half = isfinite(sigma) ? factor * sigma : 0;
        if (!is_of(row, quantity) || strcmp(cf_view_text(row, "use"), use) != 0)
            continue;
        if (!series)
            series = cf_panel_add_series(panel, bars ? CF_SERIES_BARS : CF_SERIES_POINTS, style);
        cf_series_add(series, (struct cf_datum){.x = cf_view_number(row, "speed_m_s"),
                                                .y = value,
                                                .low = value - half,
                                                .high = value + half});
    }
}

/* Ranges from the measurements and from the law between them. */
static void find_ranges(const json_t *fit, const struct cf_quantity *quantity,
                        struct cf_range *speed, struct cf_range *y)
{
    size_t i;
    json_t *item;

    json_array_foreach(json_object_get(fit, "observations"), i, item)
    {
        double value = cf_view_number(item, "measured"), sigma = cf_view_number(item, "sigma");
        double predicted = cf_view_number(item, "predicted");
        if (!is_of(item, quantity) || strcmp(cf_view_text(item, "use"), "excluded") == 0)
            continue;
        cf_range_include(speed, cf_view_number(item, "speed_m_s"));
        cf_range_include(y, value - (isfinite(sigma) ? sigma : 0));
        cf_range_include(y, value + (isfinite(sigma) ? sigma : 0));
        cf_range_include(y, predicted);
    }
}

static int add_panel(const json_t *fit, const struct cf_quantity *quantity,
                     const struct cf_stack *stack, struct cf_chart *chart, struct cf_error *err)
{
    static const struct cf_style fitted = {.colour = CF_INK,
                                           .width = 1.2,
                                           .marker = CF_MARKER_CIRCLE,
                                           .filled = true,
                                           .size = 0.75},
                                 held_out = {.colour = CF_VERMILION,
                                             .width = 1.2,
                                             .marker = CF_MARKER_CIRCLE,
                                             .size = 0.95};
    struct cf_panel *panel = cf_stack_add_panel(stack, chart);
    struct cf_range speed = CF_RANGE_EMPTY, y = CF_RANGE_EMPTY;
    bool composed = strchr(quantity->unit, '/') != NULL;
    struct cf_curve_choice curves;

    find_ranges(fit, quantity, &speed, &y);
    struct cf_prefix prefix = cf_prefix_for(quantity->unit, fmax(fabs(y.low), fabs(y.high)));
    y.low *= prefix.factor;
    y.high *= prefix.factor;
    cf_range_pad(&y, 0.15);
    cf_axis_linear(&panel->y, y);
    cf_axis_speed(&panel->x, speed, speed.high > 1.5 * speed.low);
    cf_text_add(&panel->y.label, "%s / %s%s%s%s", quantity->label, composed ? "(" : "",
                prefix.symbol, quantity->unit, composed ? ")" : "");
    int status = cf_fit_curves_choose(fit, quantity->name, NULL, NULL, &curves, err);
    for (size_t i = 0; !status && i < curves.n; i++)
        cf_fit_curve_own(panel, NULL, curves.curve[i], prefix.factor);
    free(curves.curve);
    add_points(fit, quantity, "fit", prefix.factor, fitted, panel);
    add_points(fit, quantity, "held-out", prefix.factor, held_out, panel);
    return status;
}

static int make_chart(const json_t *fit, struct cf_chart *chart, struct cf_error *err)
{
    const struct cf_stack stack = {.height = 3.2, .count = panels(fit), .above = 0.15};

    int status = CF_OK;

    cf_stack_chart(&stack, chart);
    for (const struct cf_quantity *q = cf_quantities; q->name && !status; q++)
        if (has_panel(fit, q))
            status = add_panel(fit, q, &stack, chart, err);
    return status;
}

static void caption(const json_t *fit, FILE *html)
{
    bool begun = false;

    for (const struct cf_quantity *q = cf_quantities; q->name; q++) {
        if (!has_panel(fit, q))
            continue;
        fprintf(html, "%s%s", begun ? ", " : "Measured ", q->label);
        begun = true;
    }
    fputs(" against approach speed, where they are few with one &sigma; each way; open points were "
          "held out. The line is ",
          html);
    cf_html_text(html, cf_view_text(fit, "law"));
    fputs(" as fitted, with the confidence band of the curve.", html);
    for (const struct cf_quantity *q = cf_quantities; q->name; q++) {
        struct cf_curve_choice curves;
        if (!has_panel(fit, q) || cf_fit_curves_choose(fit, q->name, NULL, NULL, &curves, NULL))
            continue;
        cf_fit_curves_caption(&curves, html);
        free(curves.curve);
    }
}

const struct cf_figure cf_figure_measurements = {
    .name = "measurements",
    .title = "Other measured quantities",
    .what = "contact duration, compression, force, rebound against speed, a panel each",
    .applies = applies,
    .chart = make_chart,
    .caption = caption,
};
