#define _GNU_SOURCE /* memmem() */
#include "report/svg.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "report/chart_words.h"
#include "report/html.h"

/* An element without a child, <title>...</title>: its start, the start of its text, and its ends.
 */
struct element {
    const char *start, *text, *text_end, *end;
};

static bool find(const char *from, const char *open, const char *close, struct element *out)
{
    out->start = strstr(from, open);
    if (!out->start)
        return false;
    out->text = out->start + strlen(open);
    out->text_end = strstr(out->text, close);
    out->end = out->text_end ? out->text_end + strlen(close) : NULL;
    return out->end != NULL;
}

/* False: no memory. */
static bool put_words(void (*words)(const struct cf_chart *chart, FILE *out),
                      const struct cf_chart *chart, FILE *out)
{
    struct cf_text_stream text;

    if (cf_text_begin(&text))
        words(chart, text.out);
    if (!cf_text_end(&text))
        return false;
    cf_html_text(out, text.bytes);
    free(text.bytes);
    return true;
}

/* Without groups that hold nothing, whose colour is that of whatever gnuplot drew before, be it
 * another figure. */
static void put_groups(const char *svg, const char *until, FILE *out)
{
    static const char empty[] = ">\n</g>\n";
    const size_t len = sizeof empty - 1;
    const char *end;

    while ((end = memmem(svg, (size_t) (until - svg), empty, len))) {
        const char *start = end;
        while (start > svg && *start != '<')
            start--;
        bool drop = strncmp(start, "<g ", 3) == 0;
        fwrite(svg, 1, (size_t) ((drop ? start : end + len) - svg), out);
        svg = end + len;
    }
    fwrite(svg, 1, (size_t) (until - svg), out);
}

/* What is between, without titles that are numbers of gnuplot's. */
static void put_rest(const char *svg, FILE *out)
{
    static const char number[] = "gnuplot_plot_";
    struct element title;

    while (find(svg, "<title>", "</title>", &title)) {
        bool numbered = strncmp(title.text, number, strlen(number)) == 0;
        const char *until = numbered ? title.start : title.end;
        put_groups(svg, until, out);
        svg = title.end;
    }
    put_groups(svg, svg + strlen(svg), out);
}

static bool put_all(const struct cf_chart *chart, const char *svg, const struct element *title,
                    const struct element *desc, FILE *out)
{
    fwrite(svg, 1, (size_t) (title->text - svg), out);
    if (!put_words(cf_chart_axes_words, chart, out))
        return false;
    fwrite(title->text_end, 1, (size_t) (desc->text - title->text_end), out);
    if (!put_words(cf_chart_words, chart, out))
        return false;
    fwrite(desc->text_end, 1, (size_t) (desc->end - desc->text_end), out);
    put_rest(desc->end, out);
    return true;
}

int cf_svg_describe(const struct cf_chart *chart, char **svg, size_t *len, struct cf_error *err)
{
    struct element title, desc;
    struct cf_text_stream text;

    if (!find(*svg, "<title>", "</title>", &title) || !find(title.end, "<desc>", "</desc>", &desc))
        return cf_fail(err, CF_EDRAW, "gnuplot drew an SVG without title and description");
    bool all = cf_text_begin(&text) && put_all(chart, *svg, &title, &desc, text.out);
    if (!cf_text_end(&text) || !all) {
        free(text.bytes);
        return cf_fail(err, CF_ENOMEM, "no memory for a figure");
    }
    free(*svg);
    *svg = text.bytes;
    *len = text.size;
    return CF_OK;
}
