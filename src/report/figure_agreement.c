/* The estimate of a parameter by each data set, or each measured channel, alone, beside that by all
 * together: a panel a parameter. Here shows which of them identified it, and whether they agree. */

#include <math.h>
#include <string.h>

#include "document/view.h"
#include "report/axis.h"
#include "report/figures.h"
#include "report/html.h"
#include "report/law_style.h"
#include "report/layout.h"
#include "report/set_style.h"

enum { MOST_PANELS = 8 };

/* One parameter, asked of data sets or of channels. */
struct question {
    const json_t *told, *parameter;
    const char *name;
    bool ratio; /* to the value from all, on a logarithmic axis; else in its unit */
    double by;  /* what numbers of the file are multiplied by */
};

static bool has_value(const json_t *answer)
{
    return isfinite(cf_view_number(answer, "value"));
}

/* false: there is nothing to be set beside each other. */
static bool ask(const json_t *fit, const json_t *row, struct question *q)
{
    const json_t *answer;
    size_t i, n = 0;

    q->told = json_object_get(row, "told");
    q->name = cf_view_text(row, "parameter");
    q->parameter = json_object_get(json_object_get(fit, "parameters"), q->name);
    double all = cf_view_number(q->parameter, "value");
    json_array_foreach(q->told, i, answer)
    {
        n += has_value(answer);
    }
    q->ratio = strcmp(cf_view_text(q->parameter, "scale"), "log") == 0 && all > 0;
    q->by = q->ratio ? 1 / all : 1;
    return n > 0 && isfinite(all);
}

static size_t questions(const json_t *fit)
{
    const json_t *row;
    struct question q;
    size_t i, n = 0;

    json_array_foreach(json_object_get(fit, "agreement"), i, row)
    {
        n += ask(fit, row, &q);
    }
    return n;
}

static bool applies(const json_t *fit)
{
    return questions(fit) > 0;
}

/* An interval as a line, as far as it has ends, and the value as a point. */
struct answer {
    double value, low, high;
};

static struct answer read_answer(const struct question *q, const json_t *from,
                                 const json_t *interval)
{
    return (struct answer){q->by * cf_view_number(from, "value"),
                           q->by * cf_view_number(interval, "low"),
                           q->by * cf_view_number(interval, "high")};
}

static void include(struct cf_range *range, struct answer a)
{
    const double value[] = {a.value, a.low, a.high};

    for (int i = 0; i < 3; i++)
        if (isfinite(value[i]))
            cf_range_include(range, value[i]);
}

static void add_answer(struct cf_panel *panel, struct answer a, double y, struct cf_style style)
{
    double low = isfinite(a.low) ? a.low : panel->x.range.low;
    double high = isfinite(a.high) ? a.high : panel->x.range.high;
    struct cf_chart_series *line = cf_panel_add_series(panel, CF_SERIES_LINE, style);

    cf_series_add(line, (struct cf_datum){.x = low, .y = y});
    cf_series_add(line, (struct cf_datum){.x = high, .y = y});
    cf_series_add(cf_panel_add_series(panel, CF_SERIES_POINTS, style),
                  (struct cf_datum){.x = a.value, .y = y});
}

static void name_row(const json_t *answer, size_t i, double y, struct cf_panel *panel)
{
    const char *label = cf_view_text(answer, "label");

    if (cf_readable(label))
        cf_axis_add_tic(&panel->y, y, "%s", label);
    else
        cf_axis_add_tic(&panel->y, y, "no. %zu", i + 1);
}

static void make_axis(const struct question *q, struct cf_range x, struct cf_panel *panel)
{
    const double narrow = 20; /* factor spanned up to which 2 and 5 are labelled, too */
    const char *unit = cf_view_text(q->parameter, "unit");
    struct cf_text *label = &panel->x.label;

    cf_range_include(&x, q->by * cf_view_number(q->parameter, "value"));
    if (q->ratio && x.low > 0) {
        double room = pow(x.high / x.low, 0.06);
        cf_axis_log(&panel->x, (struct cf_range){x.low / room, x.high * room}, narrow);
    } else {
        cf_range_pad(&x, 0.06);
        cf_axis_linear(&panel->x, x);
    }
    if (!cf_text_parameter(label, q->name))
        cf_text_add(label, "parameter");
    if (q->ratio) {
        cf_text_add(label, " over its value from all");
    } else if (strcmp(unit, "1") != 0) {
        cf_text_add(label, " / (");
        cf_text_unit(label, unit);
        cf_text_add(label, ")");
    }
}

/* All together on top; below, in their order, those that say something alone. */
static void add_panel(const json_t *fit, const struct question *q, const struct cf_stack *stack,
                      struct cf_chart *chart)
{
    struct cf_style all = cf_law_style(cf_view_text(fit, "law")),
                    one = {.colour = CF_INK, .width = 1.4, .marker = CF_MARKER_CIRCLE, .size = 0.8};
    struct cf_panel *panel = cf_stack_add_panel(stack, chart);
    struct answer together =
        read_answer(q, q->parameter, json_object_get(q->parameter, "interval"));
    struct cf_range x = CF_RANGE_EMPTY;
    size_t n = json_array_size(q->told);
    const double index_in = 0.05; /* below the letters of a name, an index of an index */

    panel->x.label_at += index_in;
    include(&x, together);
    for (size_t i = 0; i < n; i++) {
        const json_t *told = json_array_get(q->told, i);
        if (has_value(told))
            include(&x, read_answer(q, told, told));
    }
    make_axis(q, x, panel);
    panel->y.range = (struct cf_range){0.3, (double) n + 1.7};
    panel->y.tics = CF_TICS_LIST;
    for (size_t i = n; i-- > 0;) {
        const json_t *told = json_array_get(q->told, i);
        double y = (double) (n - i);
        name_row(told, i, y, panel);
        if (has_value(told))
            add_answer(panel, read_answer(q, told, told), y, one);
    }
    cf_axis_add_tic(&panel->y, (double) n + 1, "all together");
    all.width = 2.4;
    all.dash = NULL;
    all.marker = CF_MARKER_CIRCLE;
    all.filled = true;
    add_answer(panel, together, (double) n + 1, all);
}

static size_t most_rows(const json_t *fit)
{
    const json_t *row;
    struct question q;
    size_t i, most = 0;

    json_array_foreach(json_object_get(fit, "agreement"), i, row)
    {
        if (ask(fit, row, &q) && json_array_size(q.told) > most)
            most = json_array_size(q.told);
    }
    return most;
}

static int make_chart(const json_t *fit, struct cf_chart *chart, struct cf_error *err)
{
    const double line_in = 0.24, labels_in = 0.95;
    size_t i, n = questions(fit);
    const struct cf_stack stack = {.height = labels_in + line_in * ((double) most_rows(fit) + 1),
                                   .count = n < MOST_PANELS ? n : MOST_PANELS,
                                   .above = 0.12};
    const json_t *row;
    struct question q;

    (void) err;
    cf_stack_chart(&stack, chart);
    json_array_foreach(json_object_get(fit, "agreement"), i, row)
    {
        if (chart->npanel < stack.count && ask(fit, row, &q))
            add_panel(fit, &q, &stack, chart);
    }
    return CF_OK;
}

static void caption(const json_t *fit, FILE *html)
{
    size_t n = questions(fit);

    fputs("The estimate of a parameter by each data set or channel alone, with its interval, below "
          "the estimate by all (filled). A short line: this part identifies the parameter; a long "
          "one, or none: the other parts do. Where lines do not overlap, the parts disagree. A "
          "line that reaches the frame is open there.",
          html);
    if (n > MOST_PANELS)
        fprintf(html, " Of %zu such comparisons the first %d are drawn.", n, MOST_PANELS);
}

const struct cf_figure cf_figure_agreement = {
    .name = "agreement",
    .title = "Which data identified what",
    .what = "parameters by each data set or channel alone, beside all together",
    .applies = applies,
    .chart = make_chart,
    .caption = caption,
};
