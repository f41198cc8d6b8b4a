#include "report/settle_note.h"

#include <math.h>

#include "report/layout.h"
#include "report/text_width.h"

/* Inches: half of the height of a line of letters; between two things; half of the size of a point
 * of size 1. */
static const double half_line = 0.075, gap = 0.03, point_in = 0.055;

struct box {
    double left, right, bottom, top;
};

/* A place of an axis in inches from the chart's edge; NAN: it has none there. */
static double place_on(const struct cf_chart_axis *axis, double value, double from, double to)
{
    double low = axis->range.low, high = axis->range.high;
    double share =
        axis->logarithmic ? log(value / low) / log(high / low) : (value - low) / (high - low);

    return isfinite(share) ? from + share * (to - from) : (double) NAN;
}

static struct cf_place place_of(const struct cf_panel *panel, double x, double y)
{
    return (struct cf_place){place_on(&panel->x, x, panel->left, panel->right),
                             place_on(&panel->y, y, panel->bottom, panel->top)};
}

static bool overlap(struct box a, struct box b)
{
    return a.left < b.right && b.left < a.right && a.bottom < b.top && b.bottom < a.top;
}

static struct box around(struct cf_place at, double half_width, double half_height)
{
    return (struct box){at.x - half_width, at.x + half_width, at.y - half_height,
                        at.y + half_height};
}

/* Does a stroke from a to b cross a box? It is cut to the box, side by side (Liang & Barsky). */
static bool crosses(struct box box, struct cf_place a, struct cf_place b)
{
    const double way[4] = {a.x - b.x, b.x - a.x, a.y - b.y, b.y - a.y};
    const double room[4] = {a.x - box.left, box.right - a.x, a.y - box.bottom, box.top - a.y};
    double from = 0, to = 1;

    for (int i = 0; i < 4; i++) {
        if (way[i] == 0 && room[i] < 0)
            return false;
        if (way[i] < 0)
            from = fmax(from, room[i] / way[i]);
        else if (way[i] > 0)
            to = fmin(to, room[i] / way[i]);
    }
    return from <= to;
}

static bool on_datum(const struct cf_panel *panel, const struct cf_chart_series *series,
                     const struct cf_datum *datum, struct box box)
{
    double half = point_in * (series->style.size > 0 ? series->style.size : 1) + gap;
    struct cf_place at = place_of(panel, datum->x, datum->y);
    struct cf_place low = place_of(panel, datum->x, datum->low),
                    high = place_of(panel, datum->x, datum->high);

    if (isnan(at.x) || isnan(at.y))
        return false;
    if (overlap(box, around(at, half, half)))
        return true;
    return series->kind == CF_SERIES_BARS && isfinite(low.y) && isfinite(high.y) &&
           overlap(box, (struct box){at.x - gap, at.x + gap, low.y, high.y});
}

/* How many series of lines, or of points, a box lies on. */
static size_t lies_on(const struct cf_panel *panel, struct box box, bool lines)
{
    size_t n = 0;

    for (size_t i = 0; i < panel->nseries; i++) {
        const struct cf_chart_series *series = panel->series[i];
        bool hit = false,
             points = series->kind == CF_SERIES_POINTS || series->kind == CF_SERIES_BARS;
        if (lines ? series->kind != CF_SERIES_LINE : !points)
            continue;
        for (size_t k = 0; k < series->n && !hit; k++) {
            const struct cf_datum *d = &series->datum[k];
            hit = points ? on_datum(panel, series, d, box)
                         : k > 0 && crosses(box, place_of(panel, d[-1].x, d[-1].y),
                                            place_of(panel, d->x, d->y));
        }
        n += hit;
    }
    return n;
}

/* Does another point than that of the note lie in a box or, where the note has a line to it, on
 * that? */
static bool meets_others(const struct cf_panel *panel, const struct cf_note *note, struct box box,
                         bool line)
{
    bool meets = false;

    for (size_t i = 0; i < panel->nseries; i++) {
        const struct cf_chart_series *series = panel->series[i];
        if (series->kind != CF_SERIES_POINTS && series->kind != CF_SERIES_BARS)
            continue;
        for (size_t k = 0; k < series->n && !meets; k++) {
            const struct cf_datum *d = &series->datum[k];
            struct cf_place at = place_of(panel, d->x, d->y);
            struct box point = around(at, point_in, point_in);
            if ((d->x == note->x && d->y == note->y) || !isfinite(at.x) || !isfinite(at.y))
                continue;
            meets = line ? crosses(point, note->from, note->to) : overlap(point, box);
        }
    }
    return meets;
}

static struct box box_of(const struct cf_note *note, struct cf_place at)
{
    double width = CF_KEY_SIZE_IN * cf_text_width(&note->text);
    return (struct box){at.x - gap, at.x + width + gap, at.y - half_line - gap,
                        at.y + half_line + gap};
}

/* Is it within the frame, on no point and no note before it? */
static bool is_free(const struct cf_panel *panel, size_t index, struct box box)
{
    if (!(box.left > panel->left && box.right < panel->right && box.bottom > panel->bottom &&
          box.top < panel->top))
        return false;
    for (size_t i = 0; i < index; i++)
        if (panel->note[i].placed && overlap(box, box_of(&panel->note[i], panel->note[i].place)))
            return false;
    return lies_on(panel, box, false) == 0;
}

/* The place in a direction, so far away: where the letters begin, in the middle of their height. */
static struct cf_place beside(struct cf_place at, const double direction[2], double away,
                              double width)
{
    double x = at.x + direction[0] * away, y = at.y + direction[1] * (away + half_line);
    return (struct cf_place){direction[0] > 0   ? x
                             : direction[0] < 0 ? x - width
                                                : x - width / 2,
                             y};
}

static void settle_note(struct cf_panel *panel, size_t index)
{
    static const double direction[][2] = {{1, 0},      {-1, 0},      {0.7, 0.7}, {-0.7, 0.7},
                                          {0.7, -0.7}, {-0.7, -0.7}, {0, 1},     {0, -1}};
    static const double away[] = {0.14, 0.26, 0.4, 0.55};
    /* inches: from the middle of the point to the line; from the letters to other points */
    const double start = 0.1, aside = 0.1;
    struct cf_note *note = &panel->note[index];
    struct cf_place at = place_of(panel, note->x, note->y);
    double width = CF_KEY_SIZE_IN * cf_text_width(&note->text);
    size_t least = 0;

    note->placed = false;
    if (!(at.x >= panel->left && at.x <= panel->right && at.y >= panel->bottom &&
          at.y <= panel->top))
        return;
    for (size_t k = 0; k < sizeof away / sizeof *away; k++)
        for (size_t i = 0; i < sizeof direction / sizeof *direction; i++) {
            struct cf_note tried = *note;
            tried.leads = k > 0;
            tried.place = beside(at, direction[i], away[k], width);
            if (direction[i][0] == 0) /* above and below it may stand aside */
                tried.place.x = fmin(fmax(tried.place.x, panel->left + 2 * gap),
                                     panel->right - width - 2 * gap);
            struct box box = box_of(&tried, tried.place);
            tried.to = (struct cf_place){fmin(fmax(at.x, box.left), box.right),
                                         fmin(fmax(at.y, box.bottom), box.top)};
            double way = hypot(tried.to.x - at.x, tried.to.y - at.y);
            tried.from = (struct cf_place){at.x + start / way * (tried.to.x - at.x),
                                           at.y + start / way * (tried.to.y - at.y)};
            if (!is_free(panel, index, box) ||
                (tried.leads && meets_others(panel, &tried, box, true)))
                continue;
            /* beside another point it would be taken for the name of that, which is worse than a
             * line or two below it */
            const struct box wide = {box.left - aside, box.right + aside, box.bottom - aside,
                                     box.top + aside};
            size_t cost = lies_on(panel, box, true) + 3 * meets_others(panel, &tried, wide, false);
            if (note->placed && cost >= least)
                continue;
            tried.placed = true;
            *note = tried;
            least = cost;
        }
}

void cf_chart_settle_notes(struct cf_chart *chart)
{
    for (size_t i = 0; i < chart->npanel; i++)
        for (size_t k = 0; k < chart->panel[i]->nnote && !chart->panel[i]->space; k++)
            settle_note(chart->panel[i], k);
}
