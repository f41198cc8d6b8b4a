#include "report/line_style.h"

const char *cf_line_colour(size_t i)
{
    static const char *const colour[CF_LINE_COLOURS] = {
        CF_BLUE, CF_VERMILION, CF_GREEN, CF_ORANGE, CF_PURPLE, CF_SKY, CF_VIOLET, CF_GREY};
    return colour[i % CF_LINE_COLOURS];
}

const char *cf_line_dash(size_t i)
{
    static const char *const dash[CF_LINE_DASHES] = {
        NULL,  "12,5", "3,3",     "12,4,3,4",     "6,3",
        "2,6", "20,5", "6,3,2,3", "12,4,3,4,3,4", "20,4,2,4,2,4"};
    return dash[i % CF_LINE_DASHES];
}

void cf_line_mark_start(struct cf_panel *panel, const struct cf_chart_series *line)
{
    const struct cf_style style = {
        .colour = CF_INK, .width = 1.6, .marker = CF_MARKER_CIRCLE, .size = 1.1};

    if (line->n > 0)
        cf_series_add(cf_panel_add_series(panel, CF_SERIES_POINTS, style), line->datum[0]);
}
