/* Standardised residuals against speed, a panel a channel: where a law fails it shows here. */

#include <math.h>
#include <string.h>

#include "document/view.h"
#include "report/axis.h"
#include "report/figures.h"
#include "report/layout.h"
#include "report/quantity.h"

static const struct {
    const char *name, *title, *colour;
    enum cf_marker marker;
    bool filled;
} uses[] = {
    {"fit", "fitted", CF_INK, CF_MARKER_CIRCLE, true},
    {"held-out", "held out", CF_VERMILION, CF_MARKER_CIRCLE, false},
    {"excluded", "excluded", CF_GREY, CF_MARKER_CROSS, false},
};
enum { NUSE = sizeof uses / sizeof uses[0] };

/* Is this a row of the panel, and of this use if one is asked for? */
static bool is_shown(const json_t *row, const struct cf_quantity *quantity, const char *use)
{
    return strcmp(cf_view_text(row, "quantity"), quantity->name) == 0 &&
           isfinite(cf_view_number(row, "residual")) &&
           (!use || strcmp(cf_view_text(row, "use"), use) == 0);
}

static size_t rows_of(const json_t *fit, const struct cf_quantity *quantity, const char *use)
{
    size_t i, n = 0;
    json_t *row;
    json_array_foreach(json_object_get(fit, "observations"), i, row)
    {
        n += is_shown(row, quantity, use);
    }
    return n;
}

static size_t panels(const json_t *fit)
{
    size_t n = 0;
    for (const struct cf_quantity *q = cf_quantities; q->name; q++)
        n += rows_of(fit, q, NULL) > 0;
    return n;
}

static bool applies(const json_t *fit)
{
    return panels(fit) > 0;
}

static void add_points(const json_t *fit, const struct cf_quantity *quantity, size_t use,
                       struct cf_panel *panel)
{
    struct cf_chart_series *series = cf_panel_add_series(
        panel, CF_SERIES_POINTS,
        (struct cf_style){.colour = uses[use].colour,
                          .width = 1.4,
                          .marker = uses[use].marker,
                          .filled = uses[use].filled,
                          .size = rows_of(fit, quantity, uses[use].name) < 80 ? 0.8 : 0.4});
    size_t i;
    json_t *row;

    json_array_foreach(json_object_get(fit, "observations"), i, row)
    {
        if (is_shown(row, quantity, uses[use].name))
            cf_series_add(series, (struct cf_datum){.x = cf_view_number(row, "speed_m_s"),
                                                    .y = cf_view_number(row, "residual")});
    }
}

/* At least three standard deviations each way, and as far as the residuals reach. */
static struct cf_range find_range(const json_t *fit, const struct cf_quantity *quantity)
{
    struct cf_range y = {-3, 3};
    size_t i;
    json_t *row;

    json_array_foreach(json_object_get(fit, "observations"), i, row)
    {
        if (!is_shown(row, quantity, NULL) || strcmp(cf_view_text(row, "use"), "excluded") == 0)
            continue;
        double r = fabs(cf_view_number(row, "residual")) * 1.15;
        cf_range_include(&y, r);
        cf_range_include(&y, -r);
    }
    return y;
}

static void add_panel(const json_t *fit, const struct cf_quantity *quantity, struct cf_range speed,
                      const struct cf_stack *stack, struct cf_chart *chart)
{
    struct cf_panel *panel = cf_stack_add_panel(stack, chart);
    size_t shown[NUSE], n = 0;

    cf_stack_heading(panel, quantity->label);
    cf_axis_speed(&panel->x, speed, speed.high > 1.5 * speed.low);
    cf_axis_linear(&panel->y, find_range(fit, quantity));
    cf_text_add(&panel->y.label, "residual / σ");
    panel->strip = (struct cf_strip){-2, 2, CF_SKY, 0.18};
    cf_panel_add_rule(panel, (struct cf_rule){.x1 = -HUGE_VAL,
                                              .x2 = HUGE_VAL,
                                              .style = {.colour = CF_BLUE, .width = 1.2}});
    for (size_t use = 0; use < NUSE; use++) {
        if (!rows_of(fit, quantity, uses[use].name))
            continue;
        add_points(fit, quantity, use, panel);
        shown[n++] = use;
    }
    for (size_t i = 0; i < panel->nseries && n > 1; i++)
        cf_stack_title(stack, chart, panel->series[i], i, uses[shown[i]].title);
}

static int make_chart(const json_t *fit, struct cf_chart *chart, struct cf_error *err)
{
    const struct cf_stack stack = {.height = 2.7, .count = panels(fit), .above = 0.35};
    struct cf_range speed = CF_RANGE_EMPTY;
    size_t i;
    json_t *row;

    (void) err;
    json_array_foreach(json_object_get(fit, "observations"), i, row)
    {
        cf_range_include(&speed, cf_view_number(row, "speed_m_s"));
    }
    cf_stack_chart(&stack, chart);
    chart->key_sample = CF_SAMPLE_MARKER;
    for (const struct cf_quantity *q = cf_quantities; q->name; q++)
        if (rows_of(fit, q, NULL))
            add_panel(fit, q, speed, &stack, chart);
    return CF_OK;
}

static void caption(const json_t *fit, FILE *html)
{
    (void) fit;
    fputs("Measured minus predicted, divided by &sigma;. Of the points of a law that holds, 95 in "
          "100 lie in the shaded strip of &plusmn;2, without order in speed; a slope or a bow is "
          "the law&rsquo;s failure and not the measurement&rsquo;s.",
          html);
}

const struct cf_figure cf_figure_residuals = {
    .name = "residuals",
    .title = "Residuals",
    .what = "(measured - predicted) / sigma against speed, a panel a channel",
    .applies = applies,
    .chart = make_chart,
    .caption = caption,
};
