#include "report/fit_curve.h"

#include "document/view.h"
#include "report/axis.h"

struct cf_chart_series *cf_fit_curve(struct cf_panel *panel, enum cf_series_kind kind,
                                     struct cf_style style, const json_t *curve, double factor)
{
    const json_t *speeds = json_object_get(curve, "speed_m_s");
    const json_t *low = json_object_get(curve, "low"), *high = json_object_get(curve, "high");
    struct cf_chart_series *series = cf_panel_add_series(panel, kind, style);

    for (size_t i = 0; i < json_array_size(speeds); i++)
        cf_series_add(series, (struct cf_datum){
                                  .x = cf_view_item(speeds, i),
                                  .y = factor * cf_view_item(json_object_get(curve, "value"), i),
                                  .low = factor * cf_view_item(low, i),
                                  .high = factor * cf_view_item(high, i)});
    return series;
}

struct cf_chart_series *cf_fit_curve_own(struct cf_panel *panel, const char *dash,
                                         const json_t *curve, double factor)
{
    const struct cf_style style = {.colour = CF_BLUE, .width = 2.4, .dash = dash, .opacity = 0.2};

    if (json_is_array(json_object_get(curve, "low")))
        cf_fit_curve(panel, CF_SERIES_BAND, style, curve, factor);
    return cf_fit_curve(panel, CF_SERIES_LINE, style, curve, factor);
}

void cf_fit_restitution_axis(struct cf_chart_axis *axis, struct cf_range e, double room)
{
    cf_range_pad(&e, room);
    cf_axis_linear(axis, e);
    cf_text_add(&axis->label, "coefficient of restitution ");
    cf_text_symbol(&axis->label, "e");
}
