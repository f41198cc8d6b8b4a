/* Rows about one measurement, which several tables have in common. */

#include <math.h>

#include "document/view.h"
#include "report/fold.h"
#include "report/html.h"
#include "report/quantity.h"
#include "report/sections.h"

void cf_section_row_head(const json_t *row, FILE *out)
{
    fputs("<tr><td>", out);
    cf_html_text(out, cf_quantity_label(cf_view_text(row, "quantity")));
    fprintf(out, "<br><span class=\"note\">line %zu</span></td><td class=\"r\">",
            cf_view_count(row, "line"));
    cf_html_number(out, cf_view_number(row, "speed_m_s"), 4);
    cf_html_unit(out, "m/s");
    fputs("</td>", out);
}

void cf_section_predicted_row(const json_t *row, FILE *out)
{
    double low = cf_view_number(row, "low"), high = cf_view_number(row, "high");
    double measured = cf_view_number(row, "measured");
    const char *unit = cf_view_text(row, "unit");

    cf_section_row_head(row, out);
    fputs("<td class=\"r\">", out);
    cf_html_number(out, measured, 5);
    cf_html_unit(out, unit);
    fputs("</td><td>", out);
    cf_html_interval(out, cf_view_number(row, "predicted"), low, high, unit);
    fputs("</td><td class=\"r\">", out);
    cf_html_fixed(out, cf_view_number(row, "residual"), 2);
    fputs("</td><td>", out);
    if (isfinite(low) && isfinite(high))
        fputs(measured >= low && measured <= high ? "inside" : "<b>outside</b>", out);
    else
        cf_html_none(out);
    fputs("</td></tr>\n", out);
}

void cf_section_list(const json_t *list, const char *heading, const char *what, FILE *out)
{
    struct cf_fold fold = {
        .out = out, .what = what, .n = json_array_size(list), .open = CF_OPEN_STATEMENTS};

    if (!fold.n)
        return;
    fprintf(out, "<h3>%s</h3>\n", heading);
    cf_fold_begin(&fold);
    for (size_t i = 0; i < fold.n; i++) {
        if (!cf_fold_next(&fold))
            continue;
        fputs("<li>", out);
        cf_html_text(out, json_string_value(json_array_get(list, i)));
        fputs("</li>\n", out);
    }
    cf_fold_end(&fold);
}
