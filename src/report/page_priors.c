/* The priors of a page, beside what the data say without them. */

#include <math.h>

#include "document/view.h"
#include "report/html.h"
#include "report/prose.h"
#include "report/sections.h"

static void put_prior(const json_t *fit, const json_t *test, FILE *out)
{
    fputs("<tr><td>", out);
    cf_html_formula(out, cf_view_text(test, "parameter"));
    fputs("<br><span class=\"note\">", out);
    cf_prose(fit, cf_view_text(test, "prior"), out);
    fputs("</span></td>", out);
    if (isfinite(cf_view_number(test, "p"))) {
        cf_section_outcome(fit, test, "contradicts the data", out);
        return;
    }
    fputs("<td colspan=\"3\" class=\"note\">", out);
    cf_prose(fit, cf_view_text(test, "text"), out);
    fputs("</td></tr>\n", out);
}

void cf_section_priors(const json_t *fit, FILE *out)
{
    static const char *const heads[] = {"Prior", "><i>p</i>", ">Adjusted <i>p</i>", "Outcome"};
    const json_t *tests = cf_view(fit, "prior_tests");

    if (!json_array_size(tests))
        return;
    fputs("<p>What was known before, beside what the data say without "
          "it. Where the two contradict each other the result is a compromise that neither "
          "supports.</p>\n",
          out);
    cf_html_table_begin(out, heads, sizeof heads / sizeof heads[0]);
    for (size_t i = 0; i < json_array_size(tests); i++)
        put_prior(fit, json_array_get(tests, i), out);
    cf_html_table_end(out);
}
