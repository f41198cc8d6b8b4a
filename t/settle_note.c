/* Names of points find their places: boxes are computed here again, from the places alone. */

#include "report/settle_note.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/axis.h"
#include "report/layout.h"
#include "report/text_width.h"
#include "tap.h"

/* A panel of an axis from 0 to 10 each way. */
static struct cf_panel *begin(struct cf_chart *chart)
{
    const struct cf_stack stack = {.height = 3, .count = 1, .above = 0.35};

    cf_stack_chart(&stack, chart);
    struct cf_panel *panel = cf_stack_add_panel(&stack, chart);
    cf_axis_linear(&panel->x, (struct cf_range){0, 10});
    cf_axis_linear(&panel->y, (struct cf_range){0, 10});
    return panel;
}

static double inches_x(const struct cf_panel *panel, double x)
{
    return panel->left + x / 10 * (panel->right - panel->left);
}

static double inches_y(const struct cf_panel *panel, double y)
{
    return panel->bottom + y / 10 * (panel->top - panel->bottom);
}

static double width_of(const struct cf_note *note)
{
    return CF_KEY_SIZE_IN * cf_text_width(&note->text);
}

/* Is a point within the letters of a note? They are less than 0.1 high on either side. */
static bool covers(const struct cf_panel *panel, const struct cf_note *note, double x, double y)
{
    double at_x = inches_x(panel, x), at_y = inches_y(panel, y);

    return at_x > note->place.x && at_x < note->place.x + width_of(note) &&
           fabs(at_y - note->place.y) < 0.075;
}

static bool inside(const struct cf_panel *panel, const struct cf_note *note)
{
    return note->place.x > panel->left && note->place.x + width_of(note) < panel->right &&
           note->place.y - 0.075 > panel->bottom && note->place.y + 0.075 < panel->top;
}

static bool apart(const struct cf_note *a, const struct cf_note *b)
{
    return fabs(a->place.y - b->place.y) >= 0.15 || a->place.x + width_of(a) <= b->place.x ||
           b->place.x + width_of(b) <= a->place.x;
}

static struct cf_chart_series *add_points(struct cf_panel *panel)
{
    return cf_panel_add_series(panel, CF_SERIES_POINTS,
                               (struct cf_style){.colour = CF_INK, .marker = CF_MARKER_CIRCLE});
}

static void alone(void)
{
    struct cf_chart chart;
    struct cf_panel *panel = begin(&chart);

    cf_series_add(add_points(panel), (struct cf_datum){.x = 5, .y = 5});
    cf_panel_add_note(panel, 5, 5, "line %d", 7);
    cf_panel_add_note(panel, 12, 5, "out");
    cf_chart_settle_notes(&chart);
    const struct cf_note *note = &panel->note[0];
    is_str(cf_text_letters(&note->text, 0), "line 7", "its words");
    ok(note->placed && !note->leads && note->place.x > inches_x(panel, 5) &&
           note->place.x < inches_x(panel, 5) + 0.2,
       "to the right of its point");
    is_near(note->place.y, inches_y(panel, 5), 1e-12, "at its height");
    ok(!panel->note[1].placed, "a point outside the frame has no name");
    cf_chart_free(&chart);
}

/* A line to the right and a bar: the name goes elsewhere. */
static void obstacles(void)
{
    struct cf_chart chart;
    struct cf_panel *panel = begin(&chart);
    struct cf_chart_series *line =
        cf_panel_add_series(panel, CF_SERIES_LINE, (struct cf_style){.colour = CF_BLUE});

    cf_series_add(add_points(panel), (struct cf_datum){.x = 5, .y = 5});
    cf_series_add(line, (struct cf_datum){.x = 5.05, .y = 5});
    cf_series_add(line, (struct cf_datum){.x = 10, .y = 5});
    cf_panel_add_note(panel, 5, 5, "name");
    cf_chart_settle_notes(&chart);
    ok(panel->note[0].placed && panel->note[0].place.x + width_of(panel->note) < inches_x(panel, 5),
       "not on a line");
    struct cf_chart_series *bar = cf_panel_add_series(
        panel, CF_SERIES_BARS, (struct cf_style){.colour = CF_INK, .marker = CF_MARKER_CIRCLE});
    cf_series_add(bar, (struct cf_datum){.x = 4.6, .y = 9, .low = 0, .high = 10});
    cf_chart_settle_notes(&chart);
    const struct cf_note *note = &panel->note[0];
    ok(note->placed && (note->place.x > inches_x(panel, 4.6) ||
                        note->place.x + width_of(note) < inches_x(panel, 4.6)),
       "and not on a bar");
    cf_chart_free(&chart);
}

/* Twenty points in a crowd, each with a name. */
static void crowd(void)
{
    enum { N = 20 };
    struct cf_chart chart;
    struct cf_panel *panel = begin(&chart);
    struct cf_chart_series *points = add_points(panel);
    size_t placed = 0, covered = 0, outside = 0, near = 0, over = 0;

    for (int i = 0; i < N; i++) {
        double x = 10 * fmod(0.618034 * (i + 1), 1), y = 10 * fmod(0.324718 * (i + 1), 1);
        cf_series_add(points, (struct cf_datum){.x = x, .y = y});
        cf_panel_add_note(panel, x, y, "line %d", 100 + i);
    }
    cf_chart_settle_notes(&chart);
    for (size_t i = 0; i < N; i++) {
        const struct cf_note *note = &panel->note[i];
        if (!note->placed)
            continue;
        placed++;
        outside += !inside(panel, note);
        for (size_t k = 0; k < N; k++) {
            const struct cf_datum *d = &points->datum[k];
            covered += covers(panel, note, d->x, d->y);
            near += k < i && panel->note[k].placed && !apart(note, &panel->note[k]);
            /* halfway along its line lies no other point */
            double x = (note->from.x + note->to.x) / 2, y = (note->from.y + note->to.y) / 2;
            over += note->leads && k != i &&
                    hypot(inches_x(panel, d->x) - x, inches_y(panel, d->y) - y) < 0.05;
        }
    }
    ok(placed > N / 2, "%zu of %d are named", placed, N);
    ok(covered == 0, "none on a point");
    ok(outside == 0, "none outside the frame");
    ok(near == 0, "none on another");
    ok(over == 0, "and no line over a point");
    cf_chart_free(&chart);
}

TEST(settle_note)
{
    plan(4 + 2 + 5);
    alone();
    obstacles();
    crowd();
    return done();
}
