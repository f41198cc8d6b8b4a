/* Rows about one measurement or one test, which several tables have in common. */

#include <math.h>
#include <string.h>

#include "document/view.h"
#include "report/channel.h"
#include "report/html.h"
#include "report/listing.h"
#include "report/prose.h"
#include "report/sections.h"

static const json_t *axis_of(const json_t *fit, const json_t *row)
{
    const json_t *data = json_array_get(json_object_get(fit, "data"), cf_view_count(row, "data"));
    return json_object_get(data, "axis");
}

static bool is_outside(const json_t *row)
{
    double value = cf_view_number(row, "value");
    return !(value >= cf_view_number(row, "low") && value <= cf_view_number(row, "high"));
}

/* Rows of a use, NULL for any: all, or those outside of their intervals. */
static bool is_wanted(const json_t *row, const char *use, bool all)
{
    return (!use || strcmp(cf_view_text(row, "use"), use) == 0) && (all || is_outside(row));
}

void cf_section_row_head(const json_t *fit, const json_t *row, FILE *out)
{
    fputs("<tr><td>", out);
    cf_html_text(out, cf_view_text(cf_row_channel(fit, row), "label"));
    fprintf(out, "<br><span class=\"note\">line %zu</span></td><td class=\"r\">",
            cf_view_count(row, "line"));
    cf_html_number(out, cf_view_number(row, "abscissa"), 4);
    cf_html_unit(out, cf_view_text(axis_of(fit, row), "unit"));
    fputs("</td>", out);
}

static void put_predicted(const json_t *fit, const json_t *row, FILE *out)
{
    double low = cf_view_number(row, "low"), high = cf_view_number(row, "high");
    double measured = cf_view_number(row, "value");
    const char *unit = cf_view_text(cf_row_channel(fit, row), "unit");

    cf_section_row_head(fit, row, out);
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

size_t cf_section_rows(const json_t *fit, const char *use, bool all, size_t open, FILE *out)
{
    char axis[80];
    const char *const heads[] = {"Row",
                                 cf_words(fit, ">{Axis}", axis, sizeof axis),
                                 ">Measured",
                                 "Predicted [interval]",
                                 ">Residual&#8239;/&#8239;<i>&sigma;</i>",
                                 "Measured lies"};
    struct cf_listing listing = {.out = out,
                                 .what = "rows",
                                 .open = open,
                                 .heads = heads,
                                 .nhead = sizeof heads / sizeof heads[0]};
    const json_t *rows = json_object_get(fit, "observations");
    size_t i;
    json_t *row;

    json_array_foreach(rows, i, row)
    {
        listing.n += is_wanted(row, use, all);
    }
    if (!out)
        return listing.n;
    cf_listing_begin(&listing);
    json_array_foreach(rows, i, row)
    {
        if (is_wanted(row, use, all) && cf_listing_next(&listing))
            put_predicted(fit, row, out);
    }
    cf_listing_end(&listing);
    return listing.n;
}

void cf_section_list(const json_t *fit, const json_t *list, const char *heading, const char *what,
                     FILE *out)
{
    struct cf_listing listing = {
        .out = out, .what = what, .n = json_array_size(list), .open = CF_OPEN_STATEMENTS};

    if (!listing.n)
        return;
    fprintf(out, "<h3>%s</h3>\n", heading);
    cf_listing_begin(&listing);
    for (size_t i = 0; i < listing.n; i++) {
        if (!cf_listing_next(&listing))
            continue;
        fputs("<li>", out);
        cf_prose(fit, cf_view_statement(json_array_get(list, i)), out);
        fputs("</li>\n", out);
    }
    cf_listing_end(&listing);
}

void cf_section_outcome(const json_t *fit, const json_t *test, const char *rejected, FILE *out)
{
    bool rejects = cf_view_true(test, "rejects");

    fputs("<td class=\"r\">", out);
    cf_html_probability(out, cf_view_number(test, "p"));
    fputs("</td><td class=\"r\">", out);
    cf_html_probability(out, cf_view_number(test, "p_adjusted"));
    fprintf(out, "</td><td><span class=\"tag %s\">%s</span> ", rejects ? "warn" : "fine",
            rejects ? rejected : "passes");
    cf_prose(fit, cf_view_text(test, "text"), out);
    fputs("</td></tr>\n", out);
}
