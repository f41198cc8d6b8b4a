/* The first screen beside its figure: the numbers in short, and the command to run next. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "document/view.h"
#include "report/html.h"
#include "report/listing.h"
#include "report/next_step.h"
#include "report/sections.h"

/* Are the ends of the interval a value and its uncertainty, and no limit on one side? */
static bool has_both_ends(const json_t *parameter)
{
    const json_t *interval = json_object_get(parameter, "interval");
    double limit;

    return cf_view_determined(parameter) && !cf_view_limit(parameter, &limit) &&
           isfinite(cf_view_number(interval, "low")) && isfinite(cf_view_number(interval, "high"));
}

/* A value whose interval reaches more than so many times further on one side than on the other is
 * shown with both ends: no +- would say where it lies. */
static const double lopsided = 2;

static bool is_even(const json_t *parameter)
{
    const json_t *interval = json_object_get(parameter, "interval");
    double value = cf_view_number(parameter, "value");
    double below = value - cf_view_number(interval, "low"),
           above = cf_view_number(interval, "high") - value;
    return fmax(below, above) <= lopsided * fmin(below, above);
}

static void put_value(const json_t *parameter, FILE *out)
{
    const json_t *interval = json_object_get(parameter, "interval");

    if (has_both_ends(parameter) && is_even(parameter))
        cf_html_plus_minus(out, cf_view_number(parameter, "value"),
                           (cf_view_number(interval, "high") - cf_view_number(interval, "low")) / 2,
                           cf_view_text(parameter, "unit"));
    else
        cf_section_estimate(parameter, out);
}

static void put_number(const char *name, const json_t *parameter, FILE *out)
{
    const char *verdict = cf_view_text(parameter, "verdict");

    fputs("<li>", out);
    cf_html_formula(out, name);
    fputs(cf_view_determined(parameter) ? " = " : ": ", out);
    put_value(parameter, out);
    if (strcmp(verdict, "held") == 0)
        fputs(" <span class=\"note\">held</span>", out);
    fputs("</li>\n", out);
}

/* The level of the intervals; NaN where no number has one of two ends. */
static double level_of(const json_t *fit)
{
    const json_t *list = cf_view(fit, "combinations");
    const char *name;
    json_t *parameter;

    json_object_foreach((json_t *) cf_view(fit, "parameters"), name, parameter)
    {
        if (!cf_view_is_start(parameter) && has_both_ends(parameter))
            return cf_view_number(json_object_get(parameter, "interval"), "level");
    }
    for (size_t i = 0; i < json_array_size(list); i++)
        if (has_both_ends(json_array_get(list, i)))
            return cf_view_number(json_object_get(json_array_get(list, i), "interval"), "level");
    return (double) NAN;
}

static size_t count(const json_t *fit)
{
    size_t n = json_array_size(cf_view(fit, "combinations"));
    const char *name;
    json_t *parameter;

    json_object_foreach((json_t *) cf_view(fit, "parameters"), name, parameter)
    {
        n += !cf_view_is_start(parameter);
    }
    return n;
}

void cf_section_numbers(const json_t *fit, FILE *out)
{
    struct cf_listing listing = {
        .out = out, .what = "numbers", .n = count(fit), .open = CF_OPEN_ROWS};
    const json_t *list = cf_view(fit, "combinations");
    double level = level_of(fit);
    const char *name;
    json_t *parameter;

    if (!listing.n)
        return;
    fputs("<h2>Result</h2>\n", out);
    cf_listing_begin(&listing);
    json_object_foreach((json_t *) cf_view(fit, "parameters"), name, parameter)
    {
        if (!cf_view_is_start(parameter) && cf_listing_next(&listing))
            put_number(name, parameter, out);
    }
    for (size_t i = 0; i < json_array_size(list); i++)
        if (cf_listing_next(&listing))
            put_number(cf_view_text(json_array_get(list, i), "name"), json_array_get(list, i), out);
    cf_listing_end(&listing);
    if (isnan(level))
        return;
    fputs("<p class=\"note\">&plusmn; is half the width of the ", out);
    cf_html_number(out, 100 * level, 4);
    fputs("&#8239;% interval, brackets are its ends", out);
    fputs(strcmp(cf_view_text(cf_view(fit, "verdict"), "status"), "misfit") == 0
              ? "; it holds only if the law does.</p>\n"
              : ".</p>\n",
          out);
}

int cf_section_next(const json_t *fit, FILE *out, struct cf_error *err)
{
    const char *why = "";
    char *command = cf_next_step(fit, &why);

    return cf_section_command(command, why, out, err);
}

int cf_section_command(char *command, const char *why, FILE *out, struct cf_error *err)
{
    if (!command)
        return cf_fail(err, CF_ENOMEM, "no memory for the next command");
    fputs("<h2>Next</h2>\n<pre class=\"next\"><code>", out);
    cf_html_text(out, command);
    fputs("</code></pre>\n<p class=\"note\">", out);
    cf_html_text(out, why);
    fputs(".</p>\n", out);
    free(command);
    return CF_OK;
}
