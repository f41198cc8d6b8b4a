/* A figure on a page, with its caption. */

#include <stdlib.h>

#include "report/channel.h"
#include "report/html.h"
#include "report/sections.h"

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
    fprintf(out, "<figure id=\"%s", prefix);
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
    fputs("</figcaption>\n</figure>\n", out);
    free(svg);
    return CF_OK;
}
