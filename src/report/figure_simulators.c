/* e against speed in simulators: the law, the best that each kind of them can do at fine steps, and
 * what a usual step shows. Rows of the table are named by their numbers. */

#include <math.h>

#include "document/view.h"
#include "report/axis.h"
#include "report/figures.h"
#include "report/fit_curve.h"
#include "report/html.h"
#include "report/layout.h"
#include "report/line_style.h"

enum { USUAL = 1, MOST = 16 }; /* which of the steps; rows drawn */

/* Simulators are shown impacts, whatever the fit was made from. */
static const struct cf_shown_channel impacts = {
    .name = "restitution",
    .label = "coefficient of restitution",
    .symbol = "e",
    .unit = "1",
    .axis = {"speed", "approach speed", "v", "m/s", false},
};

/* Curves nearer than a line is wide are drawn once. */
static const double apart = 1e-4;

struct simulator_curves {
    const json_t *part, *rows, *speeds;
    size_t nrow, drawn[MOST], ndrawn; /* rows with a curve of their own */
    struct cf_range e;
};

static double difference(const json_t *a, const json_t *b)
{
    double largest = 0;
    for (size_t i = 0; i < json_array_size(a); i++)
        largest = fmax(largest, fabs(cf_view_item(a, i) - cf_view_item(b, i)));
    return largest;
}

static const json_t *row_of(const struct simulator_curves *s, size_t i)
{
    return json_array_get(s->rows, i);
}

static const json_t *curve_of(const struct simulator_curves *s, size_t i)
{
    return json_object_get(row_of(s, i), "curve");
}

/* Is this row's curve that of the law, of an earlier row, or none? */
static bool known(const struct simulator_curves *s, size_t i)
{
    bool is = json_array_size(curve_of(s, i)) < 2 ||
              difference(curve_of(s, i), json_object_get(s->part, "fit")) < apart;
    for (size_t k = 0; k < s->ndrawn; k++)
        is = is || difference(curve_of(s, i), curve_of(s, s->drawn[k])) < apart;
    return is;
}

static struct simulator_curves begin(const json_t *fit)
{
    struct simulator_curves s = {.part = json_object_get(fit, "simulators"), .e = CF_RANGE_EMPTY};

    s.rows = json_object_get(s.part, "rows");
    s.speeds = json_object_get(s.part, "speeds_m_s");
    s.nrow = json_array_size(s.rows) < MOST ? json_array_size(s.rows) : MOST;
    for (size_t i = 0; i < s.nrow; i++)
        if (!known(&s, i))
            s.drawn[s.ndrawn++] = i;
    return s;
}

static bool applies(const json_t *fit)
{
    struct simulator_curves s = begin(fit);
    return s.nrow > 0 && json_array_size(s.speeds) > 1;
}

/* A curve of e over the speeds. */
static struct cf_chart_series *add_curve(struct simulator_curves *s, const json_t *e,
                                         struct cf_style style, struct cf_panel *panel)
{
    struct cf_chart_series *series = cf_panel_add_series(panel, CF_SERIES_LINE, style);

    for (size_t i = 0; i < json_array_size(s->speeds); i++) {
        cf_series_add(series,
                      (struct cf_datum){.x = cf_view_item(s->speeds, i), .y = cf_view_item(e, i)});
        /* a bounce that is no more would make the rest flat */
        if (cf_view_item(e, i) > 0)
            cf_range_include(&s->e, cf_view_item(e, i));
    }
    return series;
}

/* The usual step of a row. */
static const json_t *step_of(const struct simulator_curves *s, size_t i)
{
    return json_array_get(json_object_get(row_of(s, i), "steps"), USUAL);
}

static bool is_stepped(const struct simulator_curves *s, size_t i)
{
    return isfinite(cf_view_number(step_of(s, i), "e"));
}

static void add_mark(struct simulator_curves *s, double speed, const json_t *seen,
                     struct cf_chart_series *series)
{
    struct cf_datum mark = {.x = speed,
                            .y = cf_view_number(seen, "e"),
                            .low = cf_view_number(seen, "low"),
                            .high = cf_view_number(seen, "high")};

    cf_series_add(series, mark);
    cf_range_include(&s->e, mark.low);
    cf_range_include(&s->e, mark.high);
}

/* The usual step's e of a row at the speeds that it was run at; fit files of old have the middle
 * speed's alone. */
static struct cf_chart_series *add_marks(struct simulator_curves *s, size_t i, size_t place,
                                         struct cf_panel *panel)
{
    static const enum cf_marker marker[] = {CF_MARKER_SQUARE, CF_MARKER_CIRCLE, CF_MARKER_TRIANGLE,
                                            CF_MARKER_TRIANGLE_DOWN, CF_MARKER_DIAMOND};
    const json_t *marks = json_object_get(row_of(s, i), "marks"), *mark;
    struct cf_chart_series *series =
        cf_panel_add_series(panel, CF_SERIES_BARS,
                            (struct cf_style){.colour = cf_line_colour(place + 3),
                                              .width = 1.6,
                                              .marker = marker[place % 5],
                                              .size = 0.8});
    size_t k;

    json_array_foreach(marks, k, mark) add_mark(s, cf_view_number(mark, "speed_m_s"), mark, series);
    if (json_array_size(marks) == 0)
        add_mark(s, cf_view_number(s->part, "speed_m_s"), step_of(s, i), series);
    return series;
}

static void add_all(struct simulator_curves *s, struct cf_panel *panel)
{
    const struct cf_style own = {.colour = CF_BLUE, .width = 2.4};
    double usual_ms = 1e3 * cf_view_item(json_object_get(s->part, "dt_s"), USUAL);
    size_t key = 0;

    cf_series_title(add_curve(s, json_object_get(s->part, "fit"), own, panel), CF_KEY_PANEL, key++,
                    "the fit");
    for (size_t k = 0; k < s->ndrawn; k++) {
        const struct cf_style style = {
            .colour = cf_line_colour(k + 1), .width = 1.8, .dash = cf_line_dash(k + 1)};
        cf_series_title(add_curve(s, curve_of(s, s->drawn[k]), style, panel), CF_KEY_PANEL, key++,
                        "no. %zu, fine steps", s->drawn[k] + 1);
    }
    for (size_t i = 0, place = 0; i < s->nrow; i++) {
        if (!is_stepped(s, i))
            continue;
        cf_series_title(add_marks(s, i, place++, panel), CF_KEY_PANEL, key++, "no. %zu at %.3g ms",
                        i + 1, usual_ms);
    }
}

static int make_chart(const json_t *fit, struct cf_chart *chart, struct cf_error *err)
{
    struct simulator_curves s = begin(fit);
    const struct cf_stack stack = {.height = 3.7, .count = 1, .above = 0.12};
    struct cf_range speed = {cf_view_item(s.speeds, 0),
                             cf_view_item(s.speeds, json_array_size(s.speeds) - 1)};

    (void) err;
    cf_stack_chart(&stack, chart);
    chart->one_panel = true;
    struct cf_panel *panel = cf_stack_add_panel(&stack, chart);
    add_all(&s, panel);
    cf_axis_abscissa(&panel->x, &impacts.axis, speed, true);
    cf_fit_headline_axis(&panel->y, &impacts, s.e, 0.1);
    return CF_OK;
}

static void caption(const json_t *fit, FILE *html)
{
    const json_t *part = json_object_get(fit, "simulators");

    fputs(
        "The fitted law, and what simulators make of it, by the numbers of the table; those that "
        "are not drawn lie on a curve that is. Marks: e at the speeds where they stand, with steps "
        "of ",
        html);
    cf_html_number(html, 1e3 * cf_view_item(json_object_get(part, "dt_s"), USUAL), 2);
    fputs("&#8239;ms and damping chosen for them at the middle speed; their bars, all places "
          "within a step where the touch may fall.",
          html);
    if (json_array_size(json_object_get(part, "rows")) > MOST)
        fprintf(html, " Of the %zu rows of the table the first %d are drawn.",
                json_array_size(json_object_get(part, "rows")), MOST);
}

const struct cf_figure cf_figure_simulators = {
    .name = "simulators",
    .title = "e in simulators",
    .what = "e against log v: the law, and what simulators make of it",
    .applies = applies,
    .chart = make_chart,
    .caption = caption,
};
