#include "report/fit_curve.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "document/view.h"
#include "report/axis.h"

/* Curves that differ by less than this part of their size lie on one line of a figure. */
static const double apart = 1e-3;

struct cf_series *cf_fit_curve(struct cf_panel *panel, enum cf_series_kind kind,
                               struct cf_style style, const json_t *curve, double factor)
{
    const json_t *speeds = json_object_get(curve, "speed_m_s");
    const json_t *low = json_object_get(curve, "low"), *high = json_object_get(curve, "high");
    struct cf_series *series = cf_panel_add_series(panel, kind, style);

    for (size_t i = 0; i < json_array_size(speeds); i++)
        cf_series_add(series, (struct cf_datum){
                                  .x = cf_view_item(speeds, i),
                                  .y = factor * cf_view_item(json_object_get(curve, "value"), i),
                                  .low = factor * cf_view_item(low, i),
                                  .high = factor * cf_view_item(high, i)});
    return series;
}

struct cf_series *cf_fit_curve_own(struct cf_panel *panel, const char *dash, const json_t *curve,
                                   double factor)
{
    const struct cf_style style = {.colour = CF_BLUE, .width = 2.4, .dash = dash, .opacity = 0.2};

    if (json_is_array(json_object_get(curve, "low")))
        cf_fit_curve(panel, CF_SERIES_BAND, style, curve, factor);
    return cf_fit_curve(panel, CF_SERIES_LINE, style, curve, factor);
}

/* A curve and its value at the middle speed. */
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
    static const char *const key[] = {"speed_m_s", "value"};

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

int cf_fit_curves_choose(const json_t *fit, const char *quantity,
                         bool (*wanted)(const void *context, size_t data), const void *context,
                         struct cf_curve_choice *choice, struct cf_error *err)
{
    const json_t *curves = json_object_get(fit, "curves"), *curve;
    size_t most = json_array_size(curves), i, before = SIZE_MAX;
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
        if (strcmp(cf_view_text(curve, "quantity"), quantity) != 0 || points < 2 ||
            data == before || (wanted && !wanted(context, data)))
            continue;
        placed[choice->all++] = (struct placed){curve, i, cf_view_item(value, points / 2)};
        before = data;
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
        fprintf(html,
                " Of the %zu different curves of the law, one for each mass and radius, %zu are "
                "drawn, from the lowest to the highest in equal steps of their number.",
                choice->distinct, choice->n);
}

void cf_fit_restitution_axis(struct cf_axis *axis, struct cf_range e, double room)
{
    cf_range_pad(&e, room);
    cf_axis_linear(axis, e);
    cf_text_add(&axis->label, "coefficient of restitution ");
    cf_text_symbol(&axis->label, "e");
}
