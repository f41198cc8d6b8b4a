/* Differences of AICc: how much worse than the best of the compared laws each one is, on a scale of
 * log(1 + Delta) that has a place for 0 and for thousands. The usual readings, 2 and 10, are those
 * of Burnham & Anderson, Model Selection and Multimodel Inference, 2002, section 2.6. */

#include <math.h>
#include <string.h>

#include "document/view.h"
#include "report/figures.h"
#include "report/html.h"
#include "report/law_style.h"
#include "report/layout.h"

enum { MOST_LAWS = 40 };
static const double close_to = 2, far_from = 10;

/* The law of a row that has a difference, by a plain name; else NULL. */
static const char *law_of(const json_t *rival)
{
    double delta = cf_view_number(rival, "delta_aicc");
    const char *law = cf_view_text(rival, "law");

    return isfinite(delta) && delta >= 0 && cf_view_plain(law) ? law : NULL;
}

static size_t count(const json_t *fit)
{
    const json_t *rival;
    size_t i, n = 0;

    json_array_foreach(json_object_get(fit, "rivals"), i, rival)
    {
        n += law_of(rival) != NULL;
    }
    return n;
}

static bool applies(const json_t *fit)
{
    return count(fit) > 1;
}

static double scale(double delta)
{
    return log10(1 + delta);
}

static double unscale(double at)
{
    return pow(10, at) - 1;
}

/* 0, 1, 10, 100, ... */
static void make_axis(struct cf_chart_axis *axis, double most)
{
    axis->range = (struct cf_range){0, scale(fmax(most, 2 * far_from)) * 1.04};
    axis->tics = CF_TICS_LIST;
    axis->stated = unscale;
    cf_axis_add_tic(axis, 0, "0");
    for (double delta = 1; scale(delta) < axis->range.high; delta *= 10)
        cf_axis_add_tic(axis, scale(delta), "%.0f", delta);
    cf_text_add(&axis->label, "AICc above the best law");
}

static void add_rule(struct cf_panel *panel, double delta)
{
    cf_panel_add_rule(panel,
                      (struct cf_rule){.x1 = scale(delta),
                                       .y1 = -HUGE_VAL,
                                       .x2 = scale(delta),
                                       .y2 = HUGE_VAL,
                                       .style = {.colour = CF_GREY, .width = 1, .dash = "4,4"}});
}

/* A line from 0 in the law's look, and a point at its end, filled for the study's own law. */
static void add_law(const json_t *rival, const char *law, double y, struct cf_panel *panel)
{
    bool own = cf_view_true(rival, "own");
    struct cf_style style = cf_law_style(law);
    double x = scale(cf_view_number(rival, "delta_aicc"));

    style.width = own ? 2.4 : 1.6;
    struct cf_chart_series *line = cf_panel_add_series(panel, CF_SERIES_LINE, style);
    cf_series_add(line, (struct cf_datum){.x = 0, .y = y});
    cf_series_add(line, (struct cf_datum){.x = x, .y = y});
    style.dash = NULL;
    style.marker = CF_MARKER_CIRCLE;
    style.filled = own;
    cf_series_add(cf_panel_add_series(panel, CF_SERIES_POINTS, style),
                  (struct cf_datum){.x = x, .y = y});
}

/* Names from below, as tics ascend: the last law first. */
static void name_laws(const json_t *fit, size_t shown, struct cf_panel *panel)
{
    const json_t *rivals = json_object_get(fit, "rivals");
    size_t k = count(fit);

    for (size_t i = json_array_size(rivals); i-- > 0;) {
        const char *law = law_of(json_array_get(rivals, i));
        if (law && --k < shown)
            cf_axis_add_tic(&panel->y, (double) (shown - k), "%s", law);
    }
}

static int make_chart(const json_t *fit, struct cf_chart *chart, struct cf_error *err)
{
    const double line_in = 0.24;
    size_t i, n = count(fit), shown = n < MOST_LAWS ? n : MOST_LAWS, k = 0;
    const struct cf_stack stack = {
        .height = 0.95 + line_in * (double) shown, .count = 1, .above = 0.12};
    const json_t *rival;
    double most = 0;

    (void) err;
    cf_stack_chart(&stack, chart);
    chart->one_panel = true;
    struct cf_panel *panel = cf_stack_add_panel(&stack, chart);
    panel->y.range = (struct cf_range){0.4, (double) shown + 0.6};
    panel->y.tics = CF_TICS_LIST;
    json_array_foreach(json_object_get(fit, "rivals"), i, rival)
    {
        const char *law = law_of(rival);
        if (!law || k == shown)
            continue;
        most = fmax(most, cf_view_number(rival, "delta_aicc"));
        add_law(rival, law, (double) (shown - k++), panel);
    }
    name_laws(fit, shown, panel);
    make_axis(&panel->x, most);
    add_rule(panel, close_to);
    add_rule(panel, far_from);
    return CF_OK;
}

static void caption(const json_t *fit, FILE *html)
{
    size_t n = count(fit);

    fprintf(html,
            "How much larger the AICc of each law is than that of the best, &Delta;, drawn as "
            "log(1&#8239;+&#8239;&Delta;); filled: the study&rsquo;s own. Laws left of the first "
            "broken line (%.0f) describe these data about "
            "as well as the best; those right of the second (%.0f) do not.",
            close_to, far_from);
    if (n > MOST_LAWS)
        fprintf(html, " Of %zu laws the best %d are drawn.", n, MOST_LAWS);
}

const struct cf_figure cf_figure_evidence = {
    .name = "evidence",
    .title = "Laws compared by AICc",
    .what = "differences of AICc between the law and its rivals",
    .applies = applies,
    .chart = make_chart,
    .caption = caption,
};
