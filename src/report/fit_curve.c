#include "report/fit_curve.h"

#include <math.h>

#include "document/view.h"
#include "report/axis.h"

struct cf_chart_series *cf_fit_curve(struct cf_panel *panel, enum cf_series_kind kind,
                                     struct cf_style style, const json_t *curve,
                                     struct cf_scaling by)
{
    const json_t *abscissa = json_object_get(curve, "abscissa");
    const json_t *low = json_object_get(curve, "low"), *high = json_object_get(curve, "high");
    struct cf_chart_series *series = cf_panel_add_series(panel, kind, style);

    for (size_t i = 0; i < json_array_size(abscissa); i++)
        cf_series_add(
            series, (struct cf_datum){.x = by.x * cf_view_item(abscissa, i),
                                      .y = by.y * cf_view_item(json_object_get(curve, "value"), i),
                                      .low = by.y * cf_view_item(low, i),
                                      .high = by.y * cf_view_item(high, i)});
    return series;
}

struct cf_chart_series *cf_fit_curve_own(struct cf_panel *panel, const char *dash,
                                         const json_t *curve, struct cf_scaling by)
{
    const struct cf_style style = {.colour = CF_BLUE, .width = 2.4, .dash = dash, .opacity = 0.2};

    if (json_is_array(json_object_get(curve, "low")))
        cf_fit_curve(panel, CF_SERIES_BAND, style, curve, by);
    return cf_fit_curve(panel, CF_SERIES_LINE, style, curve, by);
}

struct cf_scaling cf_fit_headline_scaling(const struct cf_shown_channel *shown, struct cf_range x,
                                          struct cf_range y)
{
    return (struct cf_scaling){
        cf_axis_prefix(&shown->axis, x).factor,
        cf_prefix_for(shown->unit, fmax(fabs(y.low), fabs(y.high))).factor,
    };
}

void cf_fit_headline_axis(struct cf_chart_axis *axis, const struct cf_shown_channel *shown,
                          struct cf_range y, double room)
{
    struct cf_prefix prefix = cf_prefix_for(shown->unit, fmax(fabs(y.low), fabs(y.high)));

    y.low *= prefix.factor;
    y.high *= prefix.factor;
    cf_range_pad(&y, room);
    cf_axis_linear(axis, y);
    cf_axis_label(&axis->label, shown->label, shown->symbol, prefix.symbol, shown->unit);
}
