/* The page of a fit, from the verdict down to how it was made. */

#include "report/page.h"

#include <stdlib.h>
#include <string.h>

#include "document/view.h"
#include "report/channel.h"
#include "report/figures.h"
#include "report/html.h"
#include "report/sections.h"

void cf_page_begin(const json_t *fit, const char *kind, FILE *out)
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
    fprintf(out, ": %s of ", kind);
    cf_html_text(out, cf_view_text(fit, "law"));
    fputs("</title>\n", out);
    cf_section_style(out);
    fputs("</head>\n<body>\n<main>\n", out);
}

int cf_page_end(FILE *out, struct cf_error *err)
{
    fputs("</main>\n</body>\n</html>\n", out);
    return ferror(out) ? cf_fail(err, CF_EIO, "the page cannot be written") : CF_OK;
}

static void write_title(const json_t *fit, FILE *out)
{
    const json_t *statistics = cf_view(fit, "statistics");
    size_t ndata = json_array_size(cf_view(fit, "data"));

    fprintf(out, "<header>\n<p class=\"kind\">%s</p>\n<h1>",
            json_object_get(fit, "tournament") ? "Tournament of contact laws"
                                               : "Fit of a contact law");
    cf_html_text(out, cf_view_text(fit, "title"));
    fputs("</h1>\n<p class=\"sub\">Law ", out);
    cf_html_text(out, cf_view_text(fit, "law"));
    fprintf(out, ", %zu measurements from %zu data set%s</p>\n</header>\n",
            cf_view_count(statistics, "n"), ndata, ndata == 1 ? "" : "s");
}

static void put_image(const struct cf_figure *figure, const json_t *fit, const char svg[],
                      size_t len, FILE *out)
{
    fputs("<img alt=\"", out);
    cf_words_html(fit, figure->title, out);
    fputs(": ", out);
    cf_words_html(fit, figure->what, out);
    fputs("\" src=\"data:image/svg+xml;base64,", out);
    cf_html_base64(out, svg, len);
    fputs("\">\n", out);
}

int cf_page_figure(const struct cf_figure *figure, const json_t *fit, const char *prefix, bool draw,
                   FILE *out, struct cf_error *err)
{
    char *svg = NULL;
    size_t len = 0;
    int status = draw ? cf_figure_render(figure, fit, "svg", &svg, &len, err) : CF_OK;

    if (status)
        return status;
    fputs("<section>\n<h2>", out);
    cf_words_html(fit, figure->title, out);
    fprintf(out, "</h2>\n<figure id=\"%s", prefix);
    cf_words_html(fit, figure->name, out);
    fputs("\">\n", out);
    if (draw)
        put_image(figure, fit, svg, len, out);
    else
        fputs("<p class=\"none\">Not drawn: gnuplot did not serve when this page was written. "
              "Once it does, make the page again.</p>\n",
              out);
    fputs("<figcaption>", out);
    figure->caption(fit, out);
    fputs("</figcaption>\n</figure>\n</section>\n", out);
    free(svg);
    return CF_OK;
}

/* A figure that stands with its table. */
static int write_figure(const struct cf_figure *figure, const json_t *fit, const char *prefix,
                        bool draw, FILE *out, struct cf_error *err)
{
    return figure->applies(fit) ? cf_page_figure(figure, fit, prefix, draw, out, err) : CF_OK;
}

/* The others, behind the parameters. */
static int write_figures(const json_t *fit, const char *prefix, bool draw, FILE *out,
                         struct cf_error *err)
{
    int status = CF_OK;

    for (const struct cf_figure *const *figure = cf_figures; *figure && !status; figure++)
        if (*figure != &cf_figure_tournament && *figure != &cf_figure_simulators)
            status = write_figure(*figure, fit, prefix, draw, out, err);
    return status;
}

int cf_page_body(const json_t *fit, const char *prefix, bool draw, FILE *out, struct cf_error *err)
{
    int status;

    write_title(fit, out);
    cf_section_verdict(fit, out);
    cf_section_tournament(fit, out);
    status = write_figure(&cf_figure_tournament, fit, prefix, draw, out, err);
    cf_section_parameters(fit, out);
    cf_section_intervals(fit, prefix, out);
    if (!status)
        status = write_figures(fit, prefix, draw, out, err);
    if (status)
        return status;
    cf_section_rivals(fit, out);
    cf_section_agreement(fit, out);
    cf_section_priors(fit, out);
    cf_section_smoothness(fit, out);
    cf_section_errors(fit, out);
    cf_section_tests(fit, out);
    cf_section_outliers(fit, out);
    cf_section_held_out(fit, out);
    cf_section_simulators(fit, prefix, out);
    status = write_figure(&cf_figure_simulators, fit, prefix, draw, out, err);
    if (status)
        return status;
    cf_section_plausible(fit, out);
    cf_section_data(fit, out);
    cf_section_making(fit, out);
    return CF_OK;
}

int cf_page_write(const json_t *fit, bool draw, FILE *out, struct cf_error *err)
{
    int status;

    cf_page_begin(fit, json_object_get(fit, "tournament") ? "tournament" : "fit", out);
    status = cf_page_body(fit, "", draw, out, err);
    return status ? status : cf_page_end(out, err);
}
