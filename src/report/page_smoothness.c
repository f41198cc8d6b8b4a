/* What of a fit hangs on the cutoff at which recorded inputs were smoothed. */

#include <math.h>
#include <string.h>

#include "document/view.h"
#include "report/html.h"
#include "report/prose.h"
#include "report/sections.h"

static void put_cutoffs(const json_t *cutoffs, FILE *out)
{
    const json_t *cutoff;
    size_t i;

    json_array_foreach(cutoffs, i, cutoff)
    {
        fputs(i ? ", " : "", out);
        cf_html_text(out, cf_view_text(cutoff, "name"));
        fputs(" of ", out);
        cf_html_text(out, cf_view_text(cutoff, "data"));
        fputs(" at ", out);
        cf_html_number(out, cf_view_number(cutoff, "value_Hz"), 3);
        fputs(" Hz", out);
    }
}

/* A value; and by how many standard errors it is off. */
static void put_value(double value, double change, FILE *out)
{
    fputs("<td class=\"r\">", out);
    if (isnan(value)) {
        cf_html_none(out);
    } else {
        cf_html_number(out, value, 5);
        if (!isnan(change)) {
            fputs(" (", out);
            cf_html_number(out, change, 2);
            fputs(")", out);
        }
    }
    fputs("</td>", out);
}

static void put_parameter(const json_t *p, FILE *out)
{
    const char *unit = cf_view_text(p, "unit");

    fputs("<tr><td>", out);
    cf_html_formula(out, cf_view_text(p, "parameter"));
    if (strcmp(unit, "1") != 0) {
        fputs(" [", out);
        cf_html_unit_alone(out, unit);
        fputs("]", out);
    }
    fputs("</td>", out);
    put_value(cf_view_number(p, "at_half"), cf_view_number(p, "change_at_half"), out);
    put_value(cf_view_number(p, "value"), (double) NAN, out);
    put_value(cf_view_number(p, "at_double"), cf_view_number(p, "change_at_double"), out);
    fputs("</tr>\n", out);
}

void cf_section_smoothness(const json_t *fit, FILE *out)
{
    static const char *const heads[] = {"Parameter", ">At half", ">As fitted", ">At double"};
    const json_t *smoothness = cf_view(fit, "smoothness");
    const json_t *parameters = cf_view(smoothness, "parameters"), *p;
    bool matters = false;
    size_t i;

    if (!json_array_size(parameters))
        return;
    fputs("<p>A recorded motion is "
          "differentiated, and so smoothed: ",
          out);
    put_cutoffs(cf_view(smoothness, "cutoffs"), out);
    fputs(". The fit once more with half of it and with double, and in brackets the change over "
          "the standard error:</p>\n",
          out);
    cf_html_table_begin(out, heads, sizeof heads / sizeof heads[0]);
    json_array_foreach(parameters, i, p)
    {
        put_parameter(p, out);
    }
    cf_html_table_end(out);
    json_array_foreach(parameters, i, p)
    {
        const char *text = cf_view_text(p, "text");
        if (!*text)
            continue;
        matters = true;
        fputs("<p>", out);
        cf_prose(fit, text, out);
        fputs(".</p>\n", out);
    }
    if (!matters)
        fputs("<p>Nothing moves by more than its standard error: the noise of the recorded motion "
              "does not limit the result.</p>\n",
              out);
}
