/* What each channel, and each data set, says of the parameters, side by side. */

#include <math.h>
#include <string.h>

#include "document/view.h"
#include "report/html.h"
#include "report/sections.h"

/* By what the interval grows without it. */
static void put_without(const json_t *told, FILE *out)
{
    fputs("<td>", out);
    if (!cf_view_true(told, "identified_without")) {
        fputs("without it not identified</td>", out);
        return;
    }
    fputs("without it the interval is \u00d7 ", out);
    cf_html_number(out, cf_view_number(told, "widens"), 3);
    fputs("</td>", out);
}

static void put_told(const json_t *test, const json_t *told, FILE *out)
{
    fputs("<tr><td>", out);
    cf_html_formula(out, cf_view_text(test, "parameter"));
    fputs(" by ", out);
    cf_html_text(out, cf_view_text(told, "label"));
    fputs("</td><td colspan=\"2\">", out);
    if (isnan(cf_view_number(told, "value")))
        fputs("not identified by this alone", out);
    else
        cf_html_interval(out, cf_view_number(told, "value"), cf_view_number(told, "low"),
                         cf_view_number(told, "high"), cf_view_text(test, "unit"));
    fputs("</td>", out);
    put_without(told, out);
    fputs("</tr>\n", out);
}

static bool is_by(const json_t *test, const char *by)
{
    return strcmp(cf_view_text(test, "by"), by) == 0;
}

static bool has(const json_t *tests, const char *by)
{
    const json_t *test;
    size_t i;

    json_array_foreach(tests, i, test)
    {
        if (is_by(test, by))
            return true;
    }
    return false;
}

static void put_outcome(const json_t *fit, const json_t *test, FILE *out)
{
    if (isnan(cf_view_number(test, "p")))
        fputs("<td></td><td></td><td>not tested: fewer than two identify it</td></tr>\n", out);
    else
        cf_section_outcome(fit, test, "disagree beyond their errors", out);
}

static void put_section(const json_t *fit, const json_t *tests, const char *by, const char *what,
                        FILE *out)
{
    static const char *const heads[] = {"Parameter", "><i>p</i>", ">Adjusted <i>p</i>", "Outcome"};
    const json_t *test, *told;
    size_t i, j;

    if (!has(tests, by))
        return;
    fprintf(out, "<p>%s</p>\n", what);
    cf_html_table_begin(out, heads, sizeof heads / sizeof heads[0]);
    json_array_foreach(tests, i, test)
    {
        if (!is_by(test, by))
            continue;
        fputs("<tr><td>", out);
        cf_html_formula(out, cf_view_text(test, "parameter"));
        fputs("</td>", out);
        put_outcome(fit, test, out);
        json_array_foreach(json_object_get(test, "told"), j, told)
        {
            put_told(test, told, out);
        }
    }
    cf_html_table_end(out);
}

void cf_section_agreement_channels(const json_t *fit, FILE *out)
{
    put_section(
        fit, cf_view(fit, "agreement"), "channel",
        "Each is a reading of the same events. Every parameter is given a value of its own "
        "for each channel, the others being shared, by the linear model at the optimum: "
        "side by side, with intervals, and tested for being one value. Beside it stands how much "
        "wider the interval of the fit is without the channel.",
        out);
}

void cf_section_agreement_sets(const json_t *fit, FILE *out)
{
    put_section(fit, cf_view(fit, "agreement"), "data",
                "Every parameter is given a value of its own for each data set, the others being "
                "shared, by the linear model at the optimum: side by side, with intervals, and "
                "tested for being one value. Beside it stands how much wider the interval of the "
                "joint fit is without the data set.",
                out);
}
