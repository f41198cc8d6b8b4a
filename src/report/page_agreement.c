/* What each channel tells of the parameters, side by side. */

#include "document/view.h"
#include "report/html.h"
#include "report/sections.h"

static void put_told(const json_t *test, const json_t *told, FILE *out)
{
    fputs("<tr><td>", out);
    cf_html_formula(out, cf_view_text(test, "parameter"));
    fputs(" by ", out);
    cf_html_text(out, cf_view_text(told, "label"));
    fputs("</td><td colspan=\"3\">", out);
    cf_html_interval(out, cf_view_number(told, "value"), cf_view_number(told, "low"),
                     cf_view_number(told, "high"), cf_view_text(test, "unit"));
    fputs("</td></tr>\n", out);
}

void cf_section_agreement(const json_t *fit, FILE *out)
{
    static const char *const heads[] = {"Parameter", "><i>p</i>", ">Adjusted <i>p</i>", "Outcome"};
    const json_t *tests = cf_view(fit, "agreement"), *test, *told;
    size_t i, j;

    if (!json_array_size(tests))
        return;
    fputs("<section>\n<h2>Do the channels agree?</h2>\n<p>Each is a reading of the same events. "
          "Every parameter is given a value of its own for each channel, the others being shared, "
          "by the linear model at the optimum: side by side, with intervals, and tested for being "
          "one value.</p>\n",
          out);
    cf_html_table_begin(out, heads, sizeof heads / sizeof heads[0]);
    json_array_foreach(tests, i, test)
    {
        fputs("<tr><td>", out);
        cf_html_formula(out, cf_view_text(test, "parameter"));
        fputs("</td>", out);
        cf_section_outcome(test, "disagree beyond their errors", out);
        json_array_foreach(json_object_get(test, "told"), j, told)
        {
            put_told(test, told, out);
        }
    }
    cf_html_table_end(out);
    fputs("</section>\n", out);
}
