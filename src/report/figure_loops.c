/* Loops: the main channel over the way that the block went, a panel a data set. Here friction's
 * stiffness shows behind each turn, and its level where the force stays. */

#include <math.h>

#include "document/view.h"
#include "report/axis.h"
#include "report/figures.h"
#include "report/fit_curve.h"
#include "report/html.h"
#include "report/law_style.h"
#include "report/layout.h"

static const json_t *loops_of(const json_t *fit)
{
    return json_object_get(fit, "loops");
}

static size_t drawn(const json_t *fit)
{
    size_t n = json_array_size(loops_of(fit));

    return n < CF_SETS_APART ? n : CF_SETS_APART;
}

static bool applies(const json_t *fit)
{
    return drawn(fit) > 0;
}

static const json_t *set_of(const json_t *fit, const json_t *loop)
{
    return json_array_get(json_object_get(fit, "data"), (size_t) cf_view_number(loop, "data"));
}

static const json_t *channel_of(const json_t *fit, const json_t *loop, const char *key)
{
    return cf_view_channel(set_of(fit, loop), cf_view_text(loop, key));
}

static void include(struct cf_range *range, const json_t *list)
{
    for (size_t i = 0; i < json_array_size(list); i++)
        cf_range_include(range, cf_view_item(list, i));
}

static struct cf_prefix prefix_of(const json_t *channel, struct cf_range range)
{
    return cf_unit_for(cf_view_text(channel, "unit"), fmax(fabs(range.low), fabs(range.high)));
}

static void name_axis(struct cf_chart_axis *axis, const json_t *channel, struct cf_range range,
                      struct cf_prefix prefix)
{
    range.low *= prefix.factor;
    range.high *= prefix.factor;
    cf_range_pad(&range, 0.06);
    cf_axis_linear(axis, range);
    cf_axis_label(&axis->label, cf_view_text(channel, "label"), cf_view_text(channel, "symbol"),
                  prefix.symbol, prefix.unit);
}

static struct cf_chart_series *add(struct cf_panel *panel, enum cf_series_kind kind,
                                   struct cf_style style, const json_t *loop, const char *key,
                                   struct cf_scaling by)
{
    const json_t *x = json_object_get(loop, "abscissa"), *y = json_object_get(loop, key);
    struct cf_chart_series *series = cf_panel_add_series(panel, kind, style);

    for (size_t i = 0; i < json_array_size(x); i++)
        cf_series_add(series, (struct cf_datum){.x = by.x * cf_view_item(x, i),
                                                .y = by.y * cf_view_item(y, i)});
    return series;
}

static void add_panel(const json_t *fit, const json_t *loop, const struct cf_stack *stack,
                      struct cf_chart *chart)
{
    static const struct cf_style dots = {.colour = CF_INK, .marker = CF_MARKER_CIRCLE, .size = 0.3};
    const struct cf_style line = cf_law_style(cf_view_text(fit, "law"));
    const json_t *along = channel_of(fit, loop, "along"),
                 *channel = channel_of(fit, loop, "channel");
    struct cf_panel *panel = cf_stack_add_panel(stack, chart);
    struct cf_range x = CF_RANGE_EMPTY, y = CF_RANGE_EMPTY;
    struct cf_prefix of_x, of_y;
    struct cf_scaling by;

    include(&x, json_object_get(loop, "abscissa"));
    include(&y, json_object_get(loop, "value"));
    include(&y, json_object_get(loop, "predicted"));
    of_x = prefix_of(along, x);
    of_y = prefix_of(channel, y);
    by = (struct cf_scaling){of_x.factor, of_y.factor};
    name_axis(&panel->x, along, x, of_x);
    name_axis(&panel->y, channel, y, of_y);
    if (stack->count > 1)
        cf_stack_heading(panel, cf_view_text(set_of(fit, loop), "name"));
    cf_series_title(add(panel, CF_SERIES_POINTS, dots, loop, "value", by), CF_KEY_HEADING, 0,
                    "measured");
    cf_series_title(add(panel, CF_SERIES_LINE, line, loop, "predicted", by), CF_KEY_HEADING, 1,
                    "%s", cf_view_text(fit, "law"));
}

static int make_chart(const json_t *fit, struct cf_chart *chart, struct cf_error *err)
{
    const struct cf_stack stack = {.height = 3.6, .count = drawn(fit), .above = 0.35};

    (void) err;
    cf_stack_chart(&stack, chart);
    for (size_t i = 0; i < stack.count; i++)
        add_panel(fit, json_array_get(loops_of(fit), i), &stack, chart);
    return CF_OK;
}

static void caption(const json_t *fit, FILE *html)
{
    const json_t *first = json_array_get(loops_of(fit), 0);
    size_t all = json_array_size(loops_of(fit));
    double step = cf_view_number(first, "step");

    cf_words_html(fit, "{Label} over ", html);
    cf_html_text(html, cf_view_text(channel_of(fit, first, "along"), "label"));
    fputs(", what instruments add taken off: dots as measured, the line as ", html);
    cf_html_text(html, cf_view_text(fit, "law"));
    fputs(" has it on the same rows, in their order.", html);
    if (step > 1)
        fprintf(html, " Of the first data set one row of %.0f is drawn.", step);
    if (all > drawn(fit))
        fprintf(html, " Drawn are the first %zu of %zu data sets.", drawn(fit), all);
}

const struct cf_figure cf_figure_loops = {
    .name = "loops",
    .title = "Loops",
    .what = "{y} over displacement, measured and fitted, a panel a data set",
    .applies = applies,
    .chart = make_chart,
    .caption = caption,
};
