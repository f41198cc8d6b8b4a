#include "report/gnuplot.h"

#include <stdlib.h>
#include <string.h>

#include "report/gnuplot_parts.h"
#include "report/svg.h"

/* A format: size and type are set so that letters come out equally large beside the figure. */
static const struct format {
    const char *name;
    double dots_per_inch; /* of the size argument */
    const char *key_font; /* a step smaller: names of laws are long */
    const char *terminal;
} formats[] = {
    {"svg", 90, ",13", "svg enhanced font 'sans-serif,15' linewidth 1.3 rounded"},
    {"pdf", 1, ",8",
     "pdfcairo enhanced font 'Helvetica,9' fontscale 1 linewidth 1.2 dashlength 3 rounded"},
    {"png", 220, ",8",
     "pngcairo enhanced font 'Helvetica,9' fontscale 3.05 linewidth 3.7 dashlength 2 pointscale "
     "3 rounded"},
};
enum { NFORMAT = sizeof formats / sizeof formats[0] };

/* Colours, borders, grid and tics of every figure. */
static void put_begin(FILE *script, const struct cf_chart *chart, const struct format *format)
{
    fprintf(script,
            "set terminal %s size %g,%g background rgb 'white'\nset output\nset key font '%s'\n",
            format->terminal, chart->width * format->dots_per_inch,
            chart->height * format->dots_per_inch, format->key_font);
    fputs("set encoding utf8\n"
          "set border 3 linecolor rgb '" CF_INK "' linewidth 1\n"
          "set tics nomirror out scale 0.7,0.4 textcolor rgb '" CF_INK "'\n"
          "set xtics offset 0,0.3\n"
          "set minussign\n"
          "set grid linetype 1 linewidth 0.5 linecolor rgb '#DDDDDD'\n"
          "set errorbars 0.6\n"
          "set samples 2\n",
          script);
    fprintf(script, "set key Left reverse samplen %g %senhanced\n", chart->key_sample,
            chart->rich_key ? "" : "no");
}

int cf_gnuplot_write(const struct cf_chart *chart, const char *format, FILE *script,
                     struct cf_error *err)
{
    struct cf_gnuplot to = {.script = script, .status = CF_OK, .err = err};
    size_t i = 0;

    while (i < NFORMAT && strcmp(formats[i].name, format) != 0)
        i++;
    if (i == NFORMAT)
        return cf_fail(err, CF_EUSAGE, "gnuplot draws no %s", format);
    to.key_font = formats[i].key_font;
    put_begin(script, chart, &formats[i]);
    /* in SVG the names of what is drawn in a multiplot bear the panel's letter: they must not
     * depend on whether there happens to be another panel */
    if (!chart->one_panel)
        fputs("set multiplot\n", script);
    for (size_t p = 0; p < chart->npanel; p++) {
        cf_gnuplot_frame(&to, chart, chart->panel[p]);
        cf_gnuplot_series(&to, chart, chart->panel[p]);
    }
    if (!chart->one_panel)
        fputs("unset multiplot\n", script);
    return to.status;
}

int cf_gnuplot_draw(const struct cf_chart *chart, const char *format, struct cf_plotter *plotter,
                    char **bytes, size_t *len, struct cf_error *err)
{
    int status = cf_plotter_begin(plotter, err);

    *bytes = NULL;
    *len = 0;
    if (status == CF_OK)
        status = cf_gnuplot_write(chart, format, plotter->script, err);
    if (status == CF_OK)
        status = cf_plotter_run(plotter, bytes, len, err);
    if (status == CF_OK && strcmp(format, "svg") == 0)
        status = cf_svg_describe(chart, bytes, len, err);
    if (status) {
        free(*bytes);
        *bytes = NULL;
        *len = 0;
    }
    return status;
}
