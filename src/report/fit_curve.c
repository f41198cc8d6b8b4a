#include "report/fit_curve.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "document/view.h"
#include "report/axis.h"

/* Curves that differ by less than this part of their size lie on one line of a figure. */
static const double apart = 1e-3;

/* Point i of a curve; one within a range, whose neighbour `to` lies beyond it, moved to where the
 * line between them leaves the range. */
static struct cf_datum point_of(const json_t *curve, size_t i, size_t to, struct cf_range but,
                                struct cf_scaling by)
{
    const json_t *abscissa = json_object_get(curve, "abscissa");
    double x = cf_view_item(abscissa, i), end = cf_view_item(abscissa, to), share = 0, at[3];
    static const char *const key[3] = {"value", "low", "high"};

    if (end > but.high && x < but.high)
        share = (but.high - x) / (end - x);
    else if (end < but.low && x > but.low)
        share = (but.low - x) / (end - x);
    for (int k = 0; k < 3; k++) {
        const json_t *list = json_object_get(curve, key[k]);
        double here = cf_view_item(list, i), there = cf_view_item(list, to);
        at[k] = by.y * (share > 0 ? here + share * (there - here) : here);
    }
    return (struct cf_datum){
        .x = by.x * (x + share * (end - x)), .y = at[0], .low = at[1], .high = at[2]};
}

static bool is_within(const json_t *abscissa, size_t i, struct cf_range but)
{
    return cf_view_item(abscissa, i) >= but.low && cf_view_item(abscissa, i) <= but.high;
}

/* Does the curve jump between this point and the next? They are then far nearer to each other than
 * to their neighbours. */
static bool jumps(const json_t *abscissa, size_t i)
{
    const double near = 1e-3; /* in distances of points */
    double step;

    if (i < 1 || i + 2 >= json_array_size(abscissa))
        return false;
    step = cf_view_item(abscissa, i + 1) - cf_view_item(abscissa, i);
    return step < near * (cf_view_item(abscissa, i) - cf_view_item(abscissa, i - 1)) &&
           step < near * (cf_view_item(abscissa, i + 2) - cf_view_item(abscissa, i + 1));
}

/* The points of a curve beyond a range; where it jumps, or some are left out, the line is parted.
 */
static struct cf_chart_series *add_curve(struct cf_panel *panel, enum cf_series_kind kind,
                                         struct cf_style style, const json_t *curve,
                                         struct cf_range but, struct cf_scaling by)
{
    const struct cf_datum parting = {.x = NAN, .y = NAN, .low = NAN, .high = NAN};
    const json_t *abscissa = json_object_get(curve, "abscissa");
    struct cf_chart_series *series = cf_panel_add_series(panel, kind, style);
    size_t n = json_array_size(abscissa);

    for (size_t i = 0; i < n; i++) {
        bool within = is_within(abscissa, i, but);
        if (within && i > 0 && !is_within(abscissa, i - 1, but)) {
            cf_series_add(series, point_of(curve, i, i - 1, but, by));
            cf_series_add(series, parting);
        }
        if (!within)
            cf_series_add(series, point_of(curve, i, i, but, by));
        else if (i + 1 < n && !is_within(abscissa, i + 1, but))
            cf_series_add(series, point_of(curve, i, i + 1, but, by));
        if (!within && jumps(abscissa, i))
            cf_series_add(series, parting);
    }
    return series;
}

struct cf_chart_series *cf_fit_curve(struct cf_panel *panel, enum cf_series_kind kind,
                                     struct cf_style style, const json_t *curve,
                                     struct cf_scaling by)
{
    return add_curve(panel, kind, style, curve, (struct cf_range) CF_RANGE_EMPTY, by);
}

struct cf_chart_series *cf_fit_curve_own(struct cf_panel *panel, struct cf_style style,
                                         const json_t *curve, struct cf_range but,
                                         struct cf_scaling by)
{
    style.width = 2.4;
    style.opacity = 0.2;
    if (json_is_array(json_object_get(curve, "low")))
        add_curve(panel, CF_SERIES_BAND, style, curve, but, by);
    return add_curve(panel, CF_SERIES_LINE, style, curve, but, by);
}

struct cf_range cf_fit_curve_range(const json_t *curve)
{
    const json_t *abscissa = json_object_get(curve, "abscissa");
    struct cf_range range = CF_RANGE_EMPTY;

    for (size_t i = 0; i < json_array_size(abscissa); i++)
        cf_range_include(&range, cf_view_item(abscissa, i));
    return range;
}

/* A curve at a place between its points, by a straight line; NAN: beyond its ends. *from: the index
 * where the search begins, for places that ascend. */
static double value_at(const json_t *curve, double x, size_t *from)
{
    const json_t *abscissa = json_object_get(curve, "abscissa"),
                 *value = json_object_get(curve, "value");

    for (; *from + 1 < json_array_size(abscissa); ++*from) {
        double a = cf_view_item(abscissa, *from), b = cf_view_item(abscissa, *from + 1);
        double low = cf_view_item(value, *from), high = cf_view_item(value, *from + 1);
        if (x >= a && x <= b && b > a)
            return low + (high - low) * (x - a) / (b - a);
        if (x < a)
            break;
    }
    return (double) NAN;
}

bool cf_fit_curves_agree(const json_t *a, const json_t *b)
{
    const json_t *abscissa = json_object_get(b, "abscissa"), *value = json_object_get(b, "value");
    size_t from = 0, n = 0;

    for (size_t i = 0; i < json_array_size(abscissa); i++) {
        double here = cf_view_item(value, i), there = value_at(a, cf_view_item(abscissa, i), &from);
        if (!isfinite(here) || !isfinite(there))
            continue;
        if (!(fabs(here - there) <= apart * fabs(here)))
            return false;
        n++;
    }
    return n > 1;
}

/* A curve and its value in the middle of its axis. */
struct placed {
    const json_t *curve;
    size_t index;
    double middle;
};

static int compare_middle(const void *a, const void *b)
{
    const struct placed *s = a, *t = b;
    if (s->middle != t->middle)
        return s->middle < t->middle ? -1 : 1;
    return (s->index > t->index) - (s->index < t->index);
}

static bool same_line(const json_t *a, const json_t *b)
{
    static const char *const key[] = {"abscissa", "value"};

    for (size_t k = 0; k < sizeof key / sizeof key[0]; k++) {
        const json_t *x = json_object_get(a, key[k]), *y = json_object_get(b, key[k]);
        if (json_array_size(x) != json_array_size(y))
            return false;
        for (size_t i = 0; i < json_array_size(x); i++)
            if (!(fabs(cf_view_item(x, i) - cf_view_item(y, i)) <=
                  apart * fabs(cf_view_item(y, i))))
                return false;
    }
    return true;
}

/* Of many curves one of each line, sorted by their middle. */
static void part_curves(struct placed placed[], struct cf_curve_choice *choice)
{
    choice->distinct = choice->all;
    if (choice->all <= CF_SETS_APART)
        return;
    qsort(placed, choice->all, sizeof *placed, compare_middle);
    choice->distinct = 0;
    for (size_t i = 0; i < choice->all; i++)
        if (!i || !same_line(placed[i].curve, placed[choice->distinct - 1].curve))
            placed[choice->distinct++] = placed[i];
}

size_t cf_fit_branches(const json_t *fit, const struct cf_shown_channel *channel,
                       const char *branch[])
{
    const json_t *curve;
    size_t i, n = 0;

    json_array_foreach(json_object_get(fit, "curves"), i, curve)
    {
        const char *name = cf_view_text(curve, "branch");
        bool new = cf_shown_has(fit, channel, curve);
        for (size_t k = 0; k < n; k++)
            new = new &&strcmp(branch[k], name) != 0;
        if (new &&n < CF_BRANCHES_APART)
            branch[n++] = name;
    }
    if (!n)
        branch[n++] = "";
    return n;
}

int cf_fit_curves_choose(const json_t *fit, const struct cf_shown_channel *channel,
                         const char *branch, bool (*wanted)(const void *context, size_t data),
                         const void *context, struct cf_curve_choice *choice, struct cf_error *err)
{
    const json_t *curves = json_object_get(fit, "curves"), *curve;
    size_t most = json_array_size(curves), i, before = SIZE_MAX, part_before = 0;
    struct placed *placed = calloc(most + 1, sizeof *placed);

    *choice = (struct cf_curve_choice){.curve = calloc(CF_SETS_APART, sizeof *choice->curve)};
    if (!placed || !choice->curve) {
        free(placed);
        free(choice->curve);
        choice->curve = NULL;
        return cf_fail(err, CF_ENOMEM, "no memory for %zu curves", most);
    }
    json_array_foreach(curves, i, curve)
    {
        const json_t *value = json_object_get(curve, "value");
        size_t data = cf_view_count(curve, "data"), points = json_array_size(value);
        size_t part = cf_view_count(curve, "part");
        if (!cf_shown_has(fit, channel, curve) || points < 2 ||
            (data == before && part == part_before) ||
            (branch && strcmp(cf_view_text(curve, "branch"), branch) != 0) ||
            (wanted && !wanted(context, data)))
            continue;
        placed[choice->all++] = (struct placed){curve, i, cf_view_item(value, points / 2)};
        before = data;
        part_before = part;
    }
    part_curves(placed, choice);
    choice->n = choice->distinct < CF_SETS_APART ? choice->distinct : CF_SETS_APART;
    for (i = 0; i < choice->n; i++)
        choice->curve[i] =
            placed[choice->n > 1 ? i * (choice->distinct - 1) / (choice->n - 1) : 0].curve;
    free(placed);
    return CF_OK;
}

void cf_fit_curves_caption(const struct cf_curve_choice *choice, FILE *html)
{
    if (choice->n < choice->distinct)
        fprintf(
            html,
            " Of the %zu different curves of the law, one for each mass, radius and condition, %zu "
            "are drawn, from the lowest to the highest in equal steps of their number.",
            choice->distinct, choice->n);
}

struct cf_scaling cf_fit_headline_scaling(const struct cf_shown_channel *shown, struct cf_range x,
                                          struct cf_range y)
{
    return (struct cf_scaling){
        cf_axis_prefix(&shown->axis, x).factor,
        cf_unit_for(shown->unit, fmax(fabs(y.low), fabs(y.high))).factor,
    };
}

void cf_fit_headline_axis(struct cf_chart_axis *axis, const struct cf_shown_channel *shown,
                          struct cf_range y, double room)
{
    struct cf_prefix prefix = cf_unit_for(shown->unit, fmax(fabs(y.low), fabs(y.high)));

    y.low *= prefix.factor;
    y.high *= prefix.factor;
    cf_range_pad(&y, room);
    cf_axis_linear(axis, y);
    cf_axis_label(&axis->label, shown->label, shown->symbol, prefix.symbol, prefix.unit);
}
