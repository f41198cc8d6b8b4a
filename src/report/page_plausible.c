/* What a page says of the plausible: the number of each rule, and its range. */

#include <math.h>

#include "document/view.h"
#include "report/html.h"
#include "report/prose.h"
#include "report/sections.h"

static void put_range(const json_t *p, FILE *out)
{
    double low = cf_view_number(p, "low"), high = cf_view_number(p, "high");

    if (isnan(high) || !(low > 0))
        fputs(isnan(high) ? "at least " : "at most ", out);
    else {
        cf_html_number(out, low, 3);
        fputs(" to ", out);
    }
    cf_html_number(out, isnan(high) ? low : high, 3);
    cf_html_unit(out, cf_view_text(p, "unit"));
}

static void put_outcome(const json_t *fit, const json_t *p, FILE *out)
{
    if (cf_view_true(p, "plausible"))
        fputs("plausible", out);
    else if (cf_view_true(p, "stated"))
        fputs("unusual, as the study states", out);
    else {
        fputs(json_is_false(json_object_get(p, "possible")) ? "<b>impossible</b>"
                                                            : "<b>implausible</b>",
              out);
        if (!*cf_view_text(p, "slip"))
            return;
        fputs(": is ", out);
        cf_prose(fit, cf_view_text(p, "slip"), out);
        fputs("?", out);
    }
}

static void put_rule(const json_t *fit, const json_t *p, FILE *out)
{
    bool fine = cf_view_true(p, "plausible") || cf_view_true(p, "stated");

    fprintf(out, "<tr%s><td>", fine ? "" : " class=\"bad\"");
    cf_prose(fit, cf_view_text(p, "rule"), out);
    fputs(" of ", out);
    cf_prose(fit, cf_view_text(p, "of"), out);
    fputs("</td><td class=\"r\">", out);
    cf_html_number(out, cf_view_number(p, "value"), 3);
    cf_html_unit(out, cf_view_text(p, "unit"));
    fputs("</td><td>", out);
    put_range(p, out);
    fputs("<br><span class=\"note\">", out);
    cf_prose(fit, cf_view_text(p, "why"), out);
    fputs("</span></td><td>", out);
    put_outcome(fit, p, out);
    fputs("</td></tr>\n", out);
}

void cf_section_plausible(const json_t *fit, FILE *out)
{
    static const char *const heads[] = {"Quantity", ">Here", "Plausible", "Outcome"};
    const json_t *list = cf_view(fit, "plausibility");

    if (!json_array_size(list))
        return;
    fputs(
        "<p>For each quantity, the number that lies nearest to a limit of what is plausible, "
        "or furthest beyond it. A wrong unit fits as well as the right one, but shows here.</p>\n",
        out);
    cf_html_table_begin(out, heads, sizeof heads / sizeof heads[0]);
    for (size_t i = 0; i < json_array_size(list); i++)
        put_rule(fit, json_array_get(list, i), out);
    cf_html_table_end(out);
}
