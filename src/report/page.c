/* The page of a fit, from the verdict down to how it was made. */

#include "report/page.h"

#include <stdlib.h>
#include <string.h>

#include "report/figure.h"
#include "report/html.h"
#include "report/sections.h"
#include "report/view.h"

static void write_head(const json_t *fit, FILE *out)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
          "img-src data:; style-src 'unsafe-inline'\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          "<meta name=\"generator\" content=\"contactfit ",
          out);
    cf_html_text(out, cf_view_text(fit, "version"));
    fputs("\">\n<title>", out);
    cf_html_text(out, cf_view_text(fit, "title"));
    fputs(": fit of ", out);
    cf_html_text(out, cf_view_text(fit, "law"));
    fprintf(out, "</title>\n<style>\n%s</style>\n</head>\n<body>\n<main>\n", cf_page_style);
}

static void write_title(const json_t *fit, FILE *out)
{
    const json_t *statistics = cf_view(fit, "statistics");
    size_t ndata = json_array_size(cf_view(fit, "data"));

    fputs("<header>\n<p class=\"kind\">Fit of a contact law</p>\n<h1>", out);
    cf_html_text(out, cf_view_text(fit, "title"));
    fputs("</h1>\n<p class=\"sub\">Law ", out);
    cf_html_text(out, cf_view_text(fit, "law"));
    fprintf(out, ", %zu measurements from %zu data set%s</p>\n</header>\n",
            cf_view_count(statistics, "n"), ndata, ndata == 1 ? "" : "s");
}

static int write_figure(const struct cf_figure *figure, const json_t *fit, FILE *out,
                        struct cf_error *err)
{
    char *svg = NULL;
    size_t len = 0;
    int status = cf_figure_render(figure, fit, "svg", &svg, &len, err);

    if (status)
        return status;
    fprintf(out, "<section>\n<h2>%s</h2>\n<figure id=\"%s\">\n<img alt=\"%s: %s\" src=\"data:",
            figure->title, figure->name, figure->title, figure->what);
    fputs("image/svg+xml;base64,", out);
    cf_html_base64(out, svg, len);
    fputs("\">\n<figcaption>", out);
    figure->caption(fit, out);
    fputs("</figcaption>\n</figure>\n</section>\n", out);
    free(svg);
    return CF_OK;
}

int cf_page_write(const json_t *fit, FILE *out, struct cf_error *err)
{
    write_head(fit, out);
    write_title(fit, out);
    cf_section_verdict(fit, out);
    cf_section_parameters(fit, out);
    for (const struct cf_figure *const *figure = cf_figures; *figure; figure++) {
        int status = (*figure)->applies(fit) ? write_figure(*figure, fit, out, err) : CF_OK;
        if (status)
            return status;
    }
    cf_section_rivals(fit, out);
    cf_section_tests(fit, out);
    cf_section_outliers(fit, out);
    cf_section_held_out(fit, out);
    cf_section_data(fit, out);
    cf_section_making(fit, out);
    fputs("</main>\n</body>\n</html>\n", out);
    if (ferror(out))
        return cf_fail(err, CF_EIO, "the page cannot be written");
    return CF_OK;
}
