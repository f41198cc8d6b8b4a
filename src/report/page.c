/* The page of a fit, from the verdict down to how it was made. */

#include "report/page.h"

#include <stdlib.h>
#include <string.h>

#include "core/output.h"
#include "core/text.h"
#include "document/view.h"
#include "report/channel.h"
#include "report/figures.h"
#include "report/html.h"
#include "report/live.h"
#include "report/sections.h"

void cf_page_begin(const json_t *fit, const char *kind, FILE *out)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n", out);
    cf_live_policy(cf_live_pieces, out);
    fputs("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
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
    fputs("</main>\n</body>\n</html>\n<!-- " CF_OUTPUT_MARK " -->\n", out);
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

/* The figure of the first screen: the main channel against its axis, or else what there is. */
static const struct cf_figure *main_figure(const json_t *fit)
{
    static const struct cf_figure *const order[] = {&cf_figure_headline_log, &cf_figure_headline,
                                                    &cf_figure_loops, &cf_figure_measurements};

    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        if (order[i]->applies(fit))
            return order[i];
    return NULL;
}

static int write_first_screen(const json_t *fit, const char *prefix, const struct cf_figure *figure,
                              struct cf_plotter *plotter, FILE *out, struct cf_error *err)
{
    int status = CF_OK;

    cf_section_verdict(fit, out);
    fputs(figure ? "<div class=\"first\">\n" : "<div>\n", out);
    if (figure)
        status = cf_page_figure(figure, fit, prefix, plotter, out, err);
    fputs("<section class=\"numbers\">\n", out);
    cf_section_numbers(fit, out);
    cf_section_near(fit, prefix, out);
    if (!status)
        status = cf_section_next(fit, out, err);
    fputs("</section>\n</div>\n", out);
    return status;
}

/* What is folded is written first, since the links to it stand above. */
int cf_page_body(const json_t *fit, const char *prefix, struct cf_plotter *plotter, FILE *out,
                 struct cf_error *err)
{
    const struct cf_figure *first = main_figure(fit);
    struct cf_text_stream links, folded;
    bool begun = cf_text_begin(&links), whole;
    int status = CF_OK;

    if (cf_text_begin(&folded) && begun)
        status = cf_page_sections(fit, prefix, first, plotter, links.out, folded.out, err);
    whole = cf_text_end(&links);
    if ((!cf_text_end(&folded) || !whole) && !status)
        status = cf_fail(err, CF_ENOMEM, "no memory for a page");
    if (!status) {
        write_title(fit, out);
        fprintf(out, "<nav aria-label=\"Contents\">\n<ul>\n%s</ul>\n</nav>\n", links.bytes);
        status = write_first_screen(fit, prefix, first, plotter, out, err);
    }
    if (!status)
        fputs(folded.bytes, out);
    if (!status && plotter)
        status = cf_live_rows(fit, prefix, out, err);
    free(links.bytes);
    free(folded.bytes);
    return status;
}

int cf_page_write(const json_t *fit, bool draw, FILE *out, struct cf_error *err)
{
    struct cf_plotter plotter = CF_PLOTTER;
    int status;

    cf_page_begin(fit, json_object_get(fit, "tournament") ? "tournament" : "fit", out);
    status = cf_page_body(fit, "", draw ? &plotter : NULL, out, err);
    cf_plotter_end(&plotter);
    if (!status && draw)
        cf_live_script(cf_live_pieces, out);
    return status ? status : cf_page_end(out, err);
}
