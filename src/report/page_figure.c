/* A figure on a page, with its caption. */

#include <stdio.h>
#include <stdlib.h>

#include "report/channel.h"
#include "report/html.h"
#include "report/html_svg.h"
#include "report/live.h"
#include "report/render.h"
#include "report/sections.h"

enum { NAME = 160, WORDS = 500 };

static int put_image(const struct cf_figure *figure, const json_t *fit, const char *prefix,
                     const char svg[], size_t len, FILE *out, struct cf_error *err)
{
    char name[CF_FIGURE_NAME], id[NAME], title[WORDS];

    snprintf(id, sizeof id, "%s%s-svg", prefix, cf_figure_name(figure, fit, name));
    const struct cf_html_svg image = {.id = id,
                                      .title = cf_words(fit, figure->title, title, sizeof title)};
    return cf_html_svg(&image, svg, len, out, err);
}

/* *chart, as it was drawn, is the caller's to cf_chart_free(), *svg to free(). */
static int draw_chart(const struct cf_figure *figure, const json_t *fit, struct cf_plotter *plotter,
                      struct cf_chart *chart, char **svg, size_t *len, struct cf_error *err)
{
    int status = cf_figure_chart(figure, fit, chart, err);

    if (!status)
        status = cf_chart_render(chart, "svg", plotter, svg, len, err);
    if (status)
        cf_chart_free(chart);
    return status;
}

int cf_page_figure(const struct cf_figure *figure, const json_t *fit, const char *prefix,
                   struct cf_plotter *plotter, FILE *out, struct cf_error *err)
{
    struct cf_chart chart;
    char *svg = NULL;
    size_t len = 0;
    int status = plotter ? draw_chart(figure, fit, plotter, &chart, &svg, &len, err) : CF_OK;

    if (status)
        return status;
    fprintf(out, "<figure id=\"%s", prefix);
    cf_words_html(fit, figure->name, out);
    fputs("\">\n", out);
    if (plotter)
        status = put_image(figure, fit, prefix, svg, len, out, err);
    else
        fputs("<p class=\"none\">Not drawn: gnuplot did not serve when this page was written. "
              "Once it does, make the page again.</p>\n",
              out);
    fputs("<figcaption>", out);
    figure->caption(fit, out);
    fputs("</figcaption>\n", out);
    if (plotter) {
        if (!status)
            status = cf_live_figure(fit, &chart, prefix, out, err);
        cf_chart_free(&chart);
    }
    fputs("</figure>\n", out);
    free(svg);
    return status;
}
