/* One page of several fits: a table of them, then each as on its own page. */

#include "report/pages.h"

#include <stdio.h>

#include "config.h"
#include "document/view.h"
#include "report/html.h"
#include "report/live.h"
#include "report/sections.h"

enum { PREFIX = 32 };

/* Anchors of the i-th fit. */
static const char *prefix_of(size_t i, char prefix[PREFIX])
{
    snprintf(prefix, PREFIX, "fit-%zu-", i + 1);
    return prefix;
}

static void put_head(size_t n, FILE *out)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n", out);
    cf_live_policy(cf_live_pieces, out);
    fputs("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          "<meta name=\"generator\" content=\"contactfit " PACKAGE_VERSION "\">\n"
          "<title>Fits</title>\n",
          out);
    cf_section_style(out);
    fprintf(out,
            "</head>\n<body>\n<main>\n"
            "<header>\n<p class=\"kind\">Fits of contact laws</p>\n<h1>%zu fits</h1>\n</header>\n",
            n);
}

/* What was fitted, and what the data identify of it. */
static void put_parameters(const json_t *fit, FILE *out)
{
    const json_t *list = cf_view(fit, "combinations");
    const char *name, *between = "";
    json_t *parameter;

    json_object_foreach((json_t *) cf_view(fit, "parameters"), name, parameter)
    {
        if (cf_view_text(parameter, "role")[0] != 'f') /* fitted */
            continue;
        fputs(between, out);
        between = "<br>";
        cf_html_formula(out, name);
        fputs(cf_view_determined(parameter) ? " = " : " ", out);
        cf_section_estimate(parameter, out);
    }
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *combination = json_array_get(list, i);
        fputs(between, out);
        between = "<br>";
        cf_html_formula(out, cf_view_text(combination, "name"));
        fputs(" = ", out);
        cf_section_estimate(combination, out);
    }
}

static void put_row(const json_t *fit, size_t i, FILE *out)
{
    char prefix[PREFIX];

    fprintf(out, "<tr><td><a href=\"#%stop\">", prefix_of(i, prefix));
    cf_html_text(out, cf_view_text(fit, "title"));
    fputs("</a><br><span class=\"note\">", out);
    cf_html_text(out, cf_view_text(fit, "law"));
    fprintf(out, ", %zu measurements</span></td><td>",
            cf_view_count(cf_view(fit, "statistics"), "n"));
    cf_section_status(cf_view(fit, "verdict"), out);
    fputs("</td><td>", out);
    put_parameters(fit, out);
    fputs("</td></tr>\n", out);
}

int cf_pages_write(json_t *const fit[], size_t n, bool draw, FILE *out, struct cf_error *err)
{
    static const char *const heads[] = {"Fit", "Verdict", "Parameters [interval]"};
    struct cf_plotter plotter = CF_PLOTTER;
    int status = CF_OK;

    put_head(n, out);
    fputs("<section>\n", out);
    cf_html_table_begin(out, heads, sizeof heads / sizeof heads[0]);
    for (size_t i = 0; i < n; i++)
        put_row(fit[i], i, out);
    cf_html_table_end(out);
    fputs("</section>\n", out);
    for (size_t i = 0; i < n && !status; i++) {
        char prefix[PREFIX];
        fprintf(out, "<article id=\"%stop\">\n", prefix_of(i, prefix));
        status = cf_page_body(fit[i], prefix, draw ? &plotter : NULL, out, err);
        fputs("</article>\n", out);
    }
    cf_plotter_end(&plotter);
    if (!status && draw)
        cf_live_script(cf_live_pieces, out);
    return status ? status : cf_page_end(out, err);
}
