/* Charts whose texts find their room, and markers of data sets. Widths are checked against the font
 * itself, in whole figures, by t/svg_text.t. */

#include "report/settle.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "experiment/protocol.h"
#include "report/axis.h"
#include "report/fit_curve.h"
#include "report/layout.h"
#include "report/set_style.h"
#include "report/text_width.h"
#include "tap.h"

static const double tic_gap =
    18.4 / 90; /* where gnuplot ends labels beside a frame, seen in SVGs */

static void widths(void)
{
    struct cf_text text = {0};

    is_near(cf_letters_width("0123456789"), 10 * 1303 / 2048.0, 1e-12, "ten digits");
    is_near(cf_letters_width("−"), 1716 / 2048.0, 1e-12, "a minus");
    is_near(cf_letters_width("語"), 1, 0, "a letter that is not in the table: the widest");
    cf_text_unit(&text, "m^2");
    is_near(cf_text_width(&text), (1995 + 0.8 * 1303) / 2048, 1e-12, "what is raised is smaller");
}

/* A stack of one panel over these ranges. */
static struct cf_panel *begin(struct cf_chart *chart, struct cf_range x, struct cf_range y)
{
    const struct cf_stack stack = {.height = 3, .count = 1, .above = 0.35};

    cf_stack_chart(&stack, chart);
    struct cf_panel *panel = cf_stack_add_panel(&stack, chart);
    cf_axis_linear(&panel->x, x);
    cf_axis_linear(&panel->y, y);
    return panel;
}

static struct cf_chart_series *add_entry(struct cf_panel *panel, enum cf_key key, size_t rank,
                                         const char *title)
{
    struct cf_chart_series *series =
        cf_panel_add_series(panel, CF_SERIES_LINE, (struct cf_style){.colour = CF_INK});
    cf_series_title(series, key, rank, "%s", title);
    return series;
}

static void margins(void)
{
    struct cf_chart chart;
    struct cf_panel *panel = begin(&chart, (struct cf_range){0, 1000}, (struct cf_range){0, 5e8});
    double before = panel->left, label = CF_TEXT_SIZE_IN * cf_letters_width("500000000");

    cf_text_add(&panel->y.label, "force");
    cf_chart_settle(&chart);
    ok(panel->left > before && panel->left - tic_gap - label > panel->y.label_at + 0.08,
       "a frame begins behind its labels, which keep from that of the axis");
    ok(panel->right + CF_TEXT_SIZE_IN * cf_letters_width("1000") / 2 < chart.width,
       "it ends so that the last number is whole");
    cf_chart_free(&chart);

    panel = begin(&chart, (struct cf_range){0, 900}, (struct cf_range){0, 1});
    before = panel->right;
    cf_chart_settle(&chart);
    is_near(panel->right, before, 0, "and where it is, if there is room");
    cf_chart_free(&chart);

    panel = begin(&chart, (struct cf_range){0, 1}, (struct cf_range){0, 1});
    cf_text_add(&panel->y.label, "a label that is much longer than the frame is high, by far");
    before = chart.height;
    cf_chart_settle(&chart);
    ok(chart.height > before && panel->top - panel->bottom + 0.3 >=
                                    CF_TEXT_SIZE_IN * cf_text_width(&panel->y.label) - 1e-9,
       "a frame becomes as high as its label is long, about");
    cf_chart_free(&chart);
}

/* Labels of an axis that are left, as words. */
static const char *labels(const struct cf_chart_axis *axis)
{
    static char out[512];
    size_t at = 0;

    out[0] = '\0';
    for (size_t i = 0; i < axis->ntic; i++)
        if (axis->tic[i].label[0])
            at += (size_t) snprintf(out + at, sizeof out - at, "%s ", axis->tic[i].label);
    return out;
}

static void tics(void)
{
    struct cf_chart chart;
    struct cf_panel *panel =
        begin(&chart, (struct cf_range){1.0000001, 1.0000005}, (struct cf_range){0, 1});
    struct cf_chart_axis axis = {.step = 1};
    const double steps[] = {2, 5, 10, 20};

    for (int i = 0; i < 4; i++) {
        cf_axis_sparser(&axis);
        is_near(axis.step, steps[i], 1e-12 * steps[i], "steps become larger: %g", steps[i]);
    }
    double before = panel->x.step;
    panel->right = panel->left + 2;
    cf_chart_settle(&chart);
    ok(panel->x.step > before, "of long numbers there are fewer");
    cf_chart_free(&chart);

    panel = begin(&chart, (struct cf_range){0, 1}, (struct cf_range){0, 1});
    cf_axis_log(&panel->x, (struct cf_range){0.05, 300}, 1e6);
    panel->right = panel->left + 2;
    cf_chart_settle(&chart);
    is_str(labels(&panel->x), "0.1 1 10 100 ", "of 1, 2 and 5 the powers of ten stay");
    cf_chart_free(&chart);

    panel = begin(&chart, (struct cf_range){0, 1}, (struct cf_range){0, 1});
    cf_axis_decades(&panel->x, (struct cf_range){1e-20, 1e20});
    panel->right = panel->left + 2;
    cf_chart_settle(&chart);
    is_str(labels(&panel->x), "-18 -9 0 9 18 ", "of many decades some at even distances");
    ok(panel->x.tic[2].power, "which are powers");
    struct cf_text power = cf_tic_text(&panel->x.tic[2]);
    ok(power.nrun == 2 && power.run[1].level == 1, "and drawn so");
    cf_chart_free(&chart);

    panel = begin(&chart, (struct cf_range){0, 1}, (struct cf_range){0, 1});
    cf_axis_add_tic(&panel->x, -1, "%d", -1);
    struct cf_text minus = cf_tic_text(&panel->x.tic[0]);
    is_str(cf_text_letters(&minus, 0), "−1", "a number below zero has a minus and no hyphen");
    cf_chart_free(&chart);
}

/* Where two short entries of a key with samples of this length stand apart. */
static double apart(double sample)
{
    struct cf_chart chart;
    struct cf_panel *panel = begin(&chart, (struct cf_range){0, 1}, (struct cf_range){0, 1});
    const struct cf_chart_series *a = add_entry(panel, CF_KEY_PANEL, 0, "a"),
                                 *b = add_entry(panel, CF_KEY_PANEL, 1, "a");
    double x;

    chart.key_sample = sample;
    cf_chart_settle(&chart);
    x = b->place.x - a->place.x;
    cf_chart_free(&chart);
    return x;
}

/* Four entries in two columns: the second below the first, or beside it. */
static void orders(void)
{
    for (int down = 0; down <= 1; down++) {
        struct cf_chart chart;
        struct cf_panel *panel = begin(&chart, (struct cf_range){0, 1}, (struct cf_range){0, 1});
        const struct cf_chart_series *entry[4];
        for (size_t i = 0; i < 4; i++)
            entry[i] = add_entry(panel, CF_KEY_CHART, i, "some twenty-five letters");
        chart.key_down = down;
        cf_chart_settle(&chart);
        bool below =
            entry[1]->place.x == entry[0]->place.x &&
            entry[1]->place.y<entry[0]->place.y, beside = entry[1]->place.x> entry[0]->place.x &&
            entry[1]->place.y == entry[0]->place.y;
        ok(down ? below && entry[2]->place.x > entry[0]->place.x : beside, "a key that goes %s",
           down ? "down" : "along");
        cf_chart_free(&chart);
    }
}

static void keys(void)
{
    struct cf_chart chart;
    struct cf_panel *panel = begin(&chart, (struct cf_range){0, 1}, (struct cf_range){0, 1});
    const struct cf_chart_series *third = add_entry(panel, CF_KEY_PANEL, 7, "third"),
                                 *first = add_entry(panel, CF_KEY_PANEL, 0, "first"),
                                 *second = add_entry(panel, CF_KEY_PANEL, 0, "second");
    double height = chart.height, bottom = panel->bottom;

    cf_chart_settle(&chart);
    ok(first->place.x < second->place.x && second->place.x < third->place.x &&
           first->place.y == third->place.y,
       "entries stand in the order of their ranks");
    ok(chart.height > height && fabs(panel->bottom - bottom - (chart.height - height)) < 1e-12 &&
           panel->x.label_at > first->place.y,
       "below the axis, for which the chart becomes higher");
    cf_chart_free(&chart);

    panel = begin(&chart, (struct cf_range){0, 1}, (struct cf_range){0, 1});
    char title[121];
    memset(title, 'W', sizeof title - 1);
    title[sizeof title - 1] = '\0';
    first = add_entry(panel, CF_KEY_PANEL, 0, title);
    second = add_entry(panel, CF_KEY_PANEL, 1, "short");
    cf_chart_settle(&chart);
    ok(chart.width > first->place.x + CF_KEY_SIZE_IN * cf_letters_width(title) &&
           panel->right > CF_FIGURE_WIDTH && second->place.x == first->place.x &&
           second->place.y < first->place.y,
       "an entry wider than the chart makes it wider");
    cf_chart_free(&chart);

    panel = begin(&chart, (struct cf_range){0, 1}, (struct cf_range){0, 1});
    cf_stack_heading(panel, "heading");
    first = add_entry(panel, CF_KEY_HEADING, 1, "right");
    second = add_entry(panel, CF_KEY_HEADING, 0, "left");
    cf_chart_settle(&chart);
    ok(first->place.y > panel->top && second->place.x < first->place.x &&
           first->place.x + CF_KEY_SIZE_IN * cf_letters_width("right") < panel->right + 1e-9,
       "beside the heading, in their order");
    cf_chart_free(&chart);

    panel = begin(&chart, (struct cf_range){0, 1}, (struct cf_range){0, 1});
    cf_stack_heading(panel, "a heading that leaves little room for anything else");
    first = add_entry(panel, CF_KEY_HEADING, 0, "that goes below");
    cf_chart_settle(&chart);
    ok(first->place.y < panel->bottom, "or below, where that has no room");
    cf_chart_free(&chart);
}

static bool alike(struct cf_style a, struct cf_style b)
{
    return a.marker == b.marker && strcmp(a.colour, b.colour) == 0 && a.size == b.size &&
           a.filled == b.filled;
}

static void markers(void)
{
    enum { SETS = 200 };
    size_t same = 0;

    for (size_t i = 0; i < SETS; i++)
        for (size_t k = 0; k < i; k++)
            same +=
                alike(cf_set_style(i, CF_POINT_FIT, false), cf_set_style(k, CF_POINT_FIT, false)) +
                alike(cf_set_style(i, CF_POINT_HELD_OUT, false),
                      cf_set_style(k, CF_POINT_HELD_OUT, false)) +
                alike(cf_set_style(i, CF_POINT_FIT, false),
                      cf_set_style(k, CF_POINT_HELD_OUT, false));
    ok(same == 0, "%d data sets have as many markers", SETS);
    ok(!cf_set_style(0, CF_POINT_FIT, true).filled &&
           cf_set_style(0, CF_POINT_FIT, true).marker ==
               cf_set_style(0, CF_POINT_FIT, false).marker,
       "the second stroke of a loop is open");
}

static void units(void)
{
    struct cf_prefix angle = cf_unit_for("rad", 1), rate = cf_unit_for("rad/s", 1),
                     time = cf_unit_for("s", 1e-3);

    ok(fabs(angle.factor - 180 / acos(-1.0)) < 1e-12 && strcmp(angle.unit, "deg") == 0,
       "angles in degrees");
    ok(rate.factor == 1 && strcmp(rate.unit, "rad/s") == 0, "rates of turning as they are");
    ok(time.factor == 1e3 && *time.symbol == 'm' && strcmp(time.unit, "s") == 0, "a prefix");
}

/* y = x^2 at n places from `from` on, in steps of `step`, with `more` added. */
static json_t *curve(int n, double from, double step, double more)
{
    json_t *x = json_array(), *y = json_array();

    for (int i = 0; i < n; i++) {
        double at = from + step * i;
        json_array_append_new(x, json_real(at));
        json_array_append_new(y, json_real(at * at + more));
    }
    return json_pack("{s:o,s:o}", "abscissa", x, "value", y);
}

static void curves(void)
{
    json_t *a = curve(101, 1, 0.01, 0), *same = curve(120, 1.5, 0.011, 0),
           *other = curve(120, 1.5, 0.011, 0.02), *far = curve(10, 5, 0.1, 0);
    struct cf_chart chart;
    struct cf_panel *panel = begin(&chart, (struct cf_range){0, 3}, (struct cf_range){0, 9});
    const struct cf_scaling by = {1, 1};
    const struct cf_chart_series *line = cf_fit_curve_own(
        panel, (struct cf_style){.colour = CF_BLUE}, same, cf_fit_curve_range(a), by);

    ok(cf_fit_curves_agree(a, same), "one line, on other places");
    ok(!cf_fit_curves_agree(a, other), "two lines");
    ok(!cf_fit_curves_agree(a, far), "two that share no place");
    is_near(line->datum[0].x, 2, 1e-12, "of the second only what goes beyond the first");
    is_near(line->datum[line->n - 1].x, 1.5 + 119 * 0.011, 1e-12, "to its end");
    cf_chart_free(&chart);
    json_decref(a);
    json_decref(same);
    json_decref(other);
    json_decref(far);
}

/* Friction jumps where the speed changes its sign. */
static void jumps(void)
{
    const struct cf_axis *slide = &cf_protocol_find("slide")->axis,
                         *indent = &cf_protocol_find("indent")->axis;
    double point[11];
    json_t *x = json_array(), *y = json_array();

    cf_axis_curve_points(slide, -1, 1, 11, point);
    size_t k = 1;
    while (k < 11 && point[k] < 0)
        k++;
    ok(point[0] == -1 && point[10] == 1 && point[k - 1] > -1e-5 && point[k] < 1e-5,
       "a curve of friction has a point on each side of rest");
    for (int i = 0; i < 11; i++) {
        json_array_append_new(x, json_real(point[i]));
        json_array_append_new(y, json_real(point[i] < 0 ? -1 : 1));
    }
    json_t *friction = json_pack("{s:o,s:o}", "abscissa", x, "value", y);
    struct cf_chart chart;
    struct cf_panel *panel = begin(&chart, (struct cf_range){-1, 1}, (struct cf_range){-2, 2});
    const struct cf_chart_series *line =
        cf_fit_curve(panel, CF_SERIES_LINE, (struct cf_style){.colour = CF_BLUE}, friction,
                     (struct cf_scaling){1, 1});
    ok(line->n == 12 && isnan(line->datum[k].x), "and its line is parted there");
    cf_chart_free(&chart);
    json_decref(friction);
    double many[361], widest = 0;
    cf_axis_curve_points(slide, -0.2, 0.2, 361, many);
    for (int i = 1; i < 361; i++)
        if (many[i - 1] > 2e-4)
            widest = fmax(widest, many[i] / many[i - 1]);
    ok(widest < 1.25,
       "from a thousandth of the fastest speed on, places of a curve lie so near that "
       "slow sliding is seen on a logarithmic axis: %g apart at most",
       widest);
    /* by the end of each side, however fast it is */
    cf_axis_curve_points(slide, -50, 0.2, 361, many);
    double fast = -HUGE_VAL, slow = HUGE_VAL;
    for (int i = 0; i < 361; i++) {
        fast = many[i] < 0 ? fmax(fast, many[i]) : fast;
        slow = many[i] > 0 ? fmin(slow, many[i]) : slow;
    }
    ok(fabs(fast / -5e-7 - 1) < 1e-9 && fabs(slow / 2e-9 - 1) < 1e-9,
       "a hundred millionth of the fastest speed each way stands for rest: %g, %g", fast, slow);
    cf_axis_curve_points(slide, 0.5, 1, 11, point);
    is_near(point[5], 0.75, 1e-12, "one direction alone has even places");
    cf_axis_curve_points(indent, -1, 1, 11, point);
    is_near(point[4], -0.2, 1e-12, "as an axis without a jump has");
}

TEST(settle)
{
    plan(37 + 5);
    widths();
    margins();
    tics();
    keys();
    ok(fabs((apart(4) - apart(2)) - 2 * (apart(3) - apart(2))) < 1e-9 && apart(4) > apart(2),
       "a longer sample takes its length");
    orders();
    markers();
    units();
    curves();
    jumps();
    return done();
}
