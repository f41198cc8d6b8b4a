/* The segments of a record over the record: what was fitted of it, what was held out, and in grey
 * what was excluded and why. A panel a data set whose record was cut. */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "document/view.h"
#include "report/axis.h"
#include "report/figures.h"
#include "report/html.h"
#include "report/layout.h"
#include "report/set_style.h"

enum { MOST_PANELS = 6 };

/* As the file has it: from EXCLUDED on the reason. */
enum { FITTED, HELD_OUT, EXCLUDED };

enum { RANK_STARTS = 100 }; /* in the key, behind all uses */

/* What is drawn of a data set. */
struct record {
    const json_t *set, *of, *channel, *along; /* along: NULL, by rows */
    struct cf_range x, y;
    struct cf_prefix px, py;
};

/* The record of the i-th data set that has one; false: there are fewer. */
static bool record_of(const json_t *fit, size_t i, struct record *r)
{
    size_t k;
    json_t *set;

    json_array_foreach(json_object_get(fit, "data"), k, set)
    {
        const json_t *of = json_object_get(set, "record");
        const json_t *x = json_object_get(of, "abscissa"), *y = json_object_get(of, "value");
        if (json_array_size(x) < 2 || i-- > 0)
            continue;
        *r = (struct record){.set = set,
                             .of = of,
                             .channel = cf_view_channel(set, cf_view_text(of, "channel")),
                             .along = cf_view_channel(set, cf_view_text(of, "along")),
                             .x = CF_RANGE_EMPTY,
                             .y = CF_RANGE_EMPTY};
        for (size_t j = 0; j < json_array_size(x); j++) {
            cf_range_include(&r->x, cf_view_item(x, j));
            cf_range_include(&r->y, cf_view_item(y, j));
        }
        return r->channel != NULL;
    }
    return false;
}

static size_t count(const json_t *fit)
{
    struct record r;
    size_t n = 0;

    while (record_of(fit, n, &r))
        n++;
    return n;
}

static bool applies(const json_t *fit)
{
    return count(fit) > 0;
}

static size_t use_of(const struct record *r, size_t i)
{
    double use = cf_view_item(json_object_get(r->of, "use"), i);
    return use >= 0 ? (size_t) use : FITTED;
}

static const char *reason_of(const json_t *reasons, size_t i)
{
    const char *text = json_string_value(json_array_get(reasons, i));
    return text ? text : "";
}

/* Does a segment begin at place i of the record, or between it and the one before? */
static bool begins(const struct record *r, size_t i)
{
    const json_t *x = json_object_get(r->of, "abscissa"),
                 *starts = json_object_get(r->of, "starts");

    for (size_t k = 0; k < json_array_size(starts) && i > 0; k++)
        if (cf_view_item(starts, k) > cf_view_item(x, i - 1) &&
            cf_view_item(starts, k) <= cf_view_item(x, i))
            return true;
    return false;
}

/* The rows of one use, as a line that is parted where others lie between and where a segment
 * begins, before which there may be none; it reaches to the row behind, so that no piece of the
 * record is missing. */
static void add_use(const struct record *r, size_t use, struct cf_style style, const char *title,
                    struct cf_panel *panel)
{
    const struct cf_datum parting = {.x = NAN, .y = NAN};
    const json_t *x = json_object_get(r->of, "abscissa"), *y = json_object_get(r->of, "value");
    struct cf_chart_series *series = cf_panel_add_series(panel, CF_SERIES_LINE, style);
    bool on = false;

    for (size_t i = 0; i < json_array_size(x); i++) {
        bool own = use_of(r, i) == use;
        if (on && begins(r, i)) {
            cf_series_add(series, parting);
            on = false;
        }
        if (own || on)
            cf_series_add(series, (struct cf_datum){.x = r->px.factor * cf_view_item(x, i),
                                                    .y = r->py.factor * cf_view_item(y, i)});
        if (on && !own)
            cf_series_add(series, parting);
        on = own;
    }
    if (series->n)
        cf_series_title(series, CF_KEY_PANEL, use, "%s", title);
}

/* A stroke where each segment begins. */
static void add_starts(const struct record *r, struct cf_panel *panel)
{
    const struct cf_style style = {.colour = CF_BLUE, .width = 0.9, .dash = "3,3"};
    const json_t *starts = json_object_get(r->of, "starts");
    struct cf_chart_series *series = cf_panel_add_series(panel, CF_SERIES_LINE, style);

    for (size_t i = 0; i < json_array_size(starts); i++) {
        double x = r->px.factor * cf_view_item(starts, i);
        cf_series_add(series, (struct cf_datum){.x = x, .y = panel->y.range.low});
        cf_series_add(series, (struct cf_datum){.x = x, .y = panel->y.range.high});
        cf_series_add(series, (struct cf_datum){.x = NAN, .y = NAN});
    }
    if (series->n)
        cf_series_title(series, CF_KEY_PANEL, RANK_STARTS, "a segment begins");
}

static struct cf_prefix prefix_of(const json_t *channel, struct cf_range range)
{
    return cf_unit_for(channel ? cf_view_text(channel, "unit") : "1",
                       fmax(fabs(range.low), fabs(range.high)));
}

static void add_axis(const json_t *channel, struct cf_range range, struct cf_prefix prefix,
                     double room, struct cf_chart_axis *axis)
{
    range.low *= prefix.factor;
    range.high *= prefix.factor;
    if (!(range.high > range.low))
        cf_range_pad(&range, 0.1);
    cf_range_pad(&range, room);
    cf_axis_linear(axis, range);
    if (channel)
        cf_axis_label(&axis->label, cf_view_text(channel, "label"), cf_view_text(channel, "symbol"),
                      prefix.symbol, prefix.unit);
    else
        cf_text_add(&axis->label, "row of the record");
}

static void add_panel(struct record *r, size_t number, const struct cf_stack *stack,
                      struct cf_chart *chart)
{
    const struct cf_style fitted = {.colour = CF_INK, .width = 1.6},
                          held_out = {.colour = CF_VERMILION, .width = 1.6};
    static const char *const dash[] = {NULL, "6,3", "2,3", "8,3,2,3"};
    enum { NDASH = sizeof dash / sizeof *dash };
    const json_t *reasons = json_object_get(r->of, "reasons");
    struct cf_panel *panel = cf_stack_add_panel(stack, chart);
    const char *name = cf_view_text(r->set, "name");
    char words[40];

    r->px = prefix_of(r->along, r->x);
    r->py = prefix_of(r->channel, r->y);
    add_axis(r->along, r->x, r->px, 0.02, &panel->x);
    add_axis(r->channel, r->y, r->py, 0.08, &panel->y);
    snprintf(words, sizeof words, "set %zu", number);
    cf_stack_heading(panel, cf_readable(name) ? name : words);
    for (size_t i = 0; i < json_array_size(reasons); i++) {
        const char *because = reason_of(reasons, i);
        snprintf(words, sizeof words, "excluded, reason %zu", i + 1);
        add_use(r, EXCLUDED + i,
                (struct cf_style){.colour = CF_GREY, .width = 1.1, .dash = dash[i % NDASH]},
                cf_readable(because) ? because : words, panel);
    }
    add_use(r, HELD_OUT, held_out, "held out", panel);
    add_use(r, FITTED, fitted, "fitted", panel);
    add_starts(r, panel);
}

static int make_chart(const json_t *fit, struct cf_chart *chart, struct cf_error *err)
{
    size_t n = count(fit);
    const struct cf_stack stack = {
        .height = 2.7, .count = n < MOST_PANELS ? n : MOST_PANELS, .above = 0.35};
    struct record r;

    (void) err;
    cf_stack_chart(&stack, chart);
    for (size_t i = 0; i < stack.count && record_of(fit, i, &r); i++)
        add_panel(&r, i + 1, &stack, chart);
    return CF_OK;
}

/* The reasons that have no room in the figure. */
static void put_reasons(const struct record *r, FILE *html)
{
    const json_t *reasons = json_object_get(r->of, "reasons");

    for (size_t i = 0; i < json_array_size(reasons); i++) {
        const char *because = reason_of(reasons, i);
        if (cf_readable(because))
            continue;
        fprintf(html, " Reason %zu: ", i + 1);
        cf_html_text(html, because);
        fputc('.', html);
    }
}

static void caption(const json_t *fit, FILE *html)
{
    struct record r;
    size_t n = count(fit);

    fputs("The record as it was measured, and how it was cut: black what was fitted, grey what was "
          "excluded, with the reason; strokes where a segment begins.",
          html);
    for (size_t i = 0; i < n && i < MOST_PANELS && record_of(fit, i, &r); i++) {
        if (cf_view_count(r.of, "step") > 1)
            fprintf(html, " Of data set %zu one row of %zu is drawn.", i + 1,
                    cf_view_count(r.of, "step"));
        put_reasons(&r, html);
    }
    if (n > MOST_PANELS)
        fprintf(html, " Of %zu records the first %d are drawn.", n, MOST_PANELS);
}

const struct cf_figure cf_figure_segments = {
    .name = "segments",
    .title = "Segments of the record",
    .what = "of records that were cut: the segments over the record, and what was excluded",
    .applies = applies,
    .chart = make_chart,
    .caption = caption,
};
