/* A figure on a page, with its caption. */

#include <stdio.h>
#include <stdlib.h>

#include "report/channel.h"
#include "report/html.h"
#include "report/html_svg.h"
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

int cf_page_figure(const struct cf_figure *figure, const json_t *fit, const char *prefix, bool draw,
                   FILE *out, struct cf_error *err)
{
    char *svg = NULL;
    size_t len = 0;
    int status = draw ? cf_figure_render(figure, fit, "svg", &svg, &len, err) : CF_OK;

    if (status)
        return status;
    fprintf(out, "<figure id=\"%s", prefix);
    cf_words_html(fit, figure->name, out);
    fputs("\">\n", out);
    if (draw)
        status = put_image(figure, fit, prefix, svg, len, out, err);
    else
        fputs("<p class=\"none\">Not drawn: gnuplot did not serve when this page was written. "
              "Once it does, make the page again.</p>\n",
              out);
    fputs("<figcaption>", out);
    figure->caption(fit, out);
    fputs("</figcaption>\n</figure>\n", out);
    free(svg);
    return status;
}
