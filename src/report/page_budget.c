/* The uncertainty budget of a page: a row for each source, a column for each number. */

#include <math.h>
#include <string.h>

#include "document/view.h"
#include "report/html.h"
#include "report/prose.h"
#include "report/sections.h"

/* Uncertainties have two digits. */
enum { DIGITS = 2 };

/* Student's t is the normal distribution to three digits from here on. */
static const double many = 1000;

static void put_size(const json_t *number, double u, FILE *out)
{
    bool relative = cf_view_true(number, "relative");

    fputs("<td class=\"r\">", out);
    cf_html_number(out, relative ? 100 * u : u, DIGITS);
    if (relative && !isnan(u))
        fputs("&#8201;%", out);
    fputs("</td>", out);
}

/* The heads: names of the numbers, with the unit of those whose uncertainties are no shares. */
static void put_heads(const json_t *numbers, FILE *out)
{
    const char *name;
    json_t *number;

    fputs("<div class=\"scroll\"><table class=\"wide\">\n<thead><tr><th "
          "scope=\"col\">Source</th><th scope=\"col\">As stated</th>",
          out);
    json_object_foreach((json_t *) numbers, name, number)
    {
        const char *unit = cf_view_text(number, "unit");
        fputs("<th scope=\"col\" class=\"r\">", out);
        cf_html_formula(out, name);
        if (!cf_view_true(number, "relative") && strcmp(unit, "1") != 0) {
            fputs(" [", out);
            cf_html_unit_alone(out, unit);
            fputs("]", out);
        }
        fputs("</th>", out);
    }
    fputs("<th scope=\"col\" class=\"r\">The curve, in sigmas</th></tr></thead>\n<tbody>\n", out);
}

/* A row of one key of all numbers; of a source its part of type_b. */
static void put_row(const char *head, const char *what, const char *key, const json_t *numbers,
                    FILE *out)
{
    const char *name;
    json_t *number;

    fprintf(out, "<tr><td>%s</td><td class=\"note\">%s</td>", head, what);
    json_object_foreach((json_t *) numbers, name, number)
    {
        put_size(number, cf_view_number(number, key), out);
    }
    fputs("<td></td></tr>\n", out);
}

/* A size that is nothing beside the scatter is not told in powers of ten. */
static void put_sigmas(double sigmas, FILE *out)
{
    const double nothing = 0.01;

    if (sigmas < nothing)
        fputs("&lt; 0.01", out);
    else
        cf_html_number(out, sigmas, DIGITS);
}

static void put_source(const json_t *source, size_t i, const json_t *numbers, FILE *out)
{
    const char *name;
    json_t *number;

    fputs("<tr><td>", out);
    cf_html_text(out, cf_view_text(source, "name"));
    fputs(" <span class=\"note\">type B</span></td><td class=\"note\">", out);
    cf_html_text(out, cf_view_text(source, "stated"));
    fputs("</td>", out);
    json_object_foreach((json_t *) numbers, name, number)
    {
        put_size(number, fabs(cf_view_item(json_object_get(number, "type_b"), i)), out);
    }
    fputs("<td class=\"r\">", out);
    put_sigmas(cf_view_number(json_object_get(source, "curve"), "sigmas"), out);
    fputs("</td></tr>\n", out);
}

/* Degrees of freedom, coverage factor and the interval. */
static void put_coverage(const json_t *numbers, FILE *out)
{
    const char *name;
    json_t *number;

    fputs("<tr><td>Degrees of freedom</td><td></td>", out);
    json_object_foreach((json_t *) numbers, name, number)
    {
        double dof = cf_view_number(number, "dof");
        fputs("<td class=\"r\">", out);
        if (isnan(dof))
            fputs("&#8734;", out);
        else if (dof > many)
            fprintf(out, "&gt; %g", many);
        else
            cf_html_number(out, dof, 3);
        fputs("</td>", out);
    }
    fputs("<td></td></tr>\n<tr><td>Coverage factor</td><td></td>", out);
    json_object_foreach((json_t *) numbers, name, number)
    {
        fputs("<td class=\"r\">", out);
        cf_html_number(out, cf_view_number(number, "coverage_factor"), 3);
        fputs("</td>", out);
    }
    fputs("<td></td></tr>\n<tr><td>Value [interval]</td><td></td>", out);
    json_object_foreach((json_t *) numbers, name, number)
    {
        fputs("<td class=\"r\">", out);
        cf_html_interval(out, cf_view_number(number, "value"), cf_view_number(number, "low"),
                         cf_view_number(number, "high"), cf_view_text(number, "unit"));
        fputs("</td>", out);
    }
    fputs("<td></td></tr>\n", out);
}

static void put_remarks(const json_t *fit, const json_t *sources, FILE *out)
{
    const char *left_out = cf_view_text(cf_view(fit, "budget"), "remark");
    const json_t *source;
    size_t i;

    json_array_foreach((json_t *) sources, i, source)
    {
        if (!*cf_view_text(source, "remark"))
            continue;
        fputs("<p>", out);
        cf_html_text(out, cf_view_text(source, "name"));
        fputs(": ", out);
        cf_prose(fit, cf_view_text(source, "remark"), out);
        fputs(".</p>\n", out);
    }
    if (!*left_out)
        return;
    fputs("<p>", out);
    cf_prose(fit, left_out, out);
    fputs(".</p>\n", out);
}

void cf_section_budget(const json_t *fit, FILE *out)
{
    const json_t *sources = cf_view(fit, "budget.sources"), *source;
    const json_t *numbers = cf_view(fit, "budget.numbers");
    size_t i;

    if (!sources)
        return;
    fprintf(out,
            "<p>Standard uncertainties: what the scatter of the data leaves (type A), and what "
            "each number that the study states with an uncertainty adds (type B), found by moving "
            "it to both sides and fitting again. Their squares add; one number that stands in "
            "several data sets moves in all of them. The last rows are the interval at "
            "%g&#8201;%% of both together.</p>\n",
            100 * cf_view_number(cf_view(fit, "budget"), "level"));
    put_heads(numbers, out);
    put_row("The data", "type A", "type_a", numbers, out);
    json_array_foreach((json_t *) sources, i, source)
    {
        put_source(source, i, numbers, out);
    }
    put_row("Combined", "", "combined", numbers, out);
    put_coverage(numbers, out);
    cf_html_table_end(out);
    put_remarks(fit, sources, out);
}
