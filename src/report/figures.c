/* The table of figures, and how a row becomes an image. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/nearest.h"
#include "report/figures.h"
#include "report/gnuplot.h"
#include "report/image.h"

const struct cf_figure *const cf_figures[] = {
    &cf_figure_tournament,  &cf_figure_restitution_log,
    &cf_figure_restitution, &cf_figure_measurements,
    &cf_figure_residuals,   &cf_figure_profiles,
    &cf_figure_correlation, &cf_figure_starts,
    &cf_figure_simulators,  NULL,
};

const struct cf_figure *cf_figure_find(const char *name)
{
    for (const struct cf_figure *const *figure = cf_figures; *figure; figure++)
        if (strcmp((*figure)->name, name) == 0)
            return *figure;
    return NULL;
}

/* A format: size and type are set so that letters come out equally large beside the figure. */
struct format {
    const char *name;
    double dots_per_inch; /* of the size argument */
    const char *key_font; /* a step smaller: names of laws are long */
    const char *terminal;
};

static const struct format formats[] = {
    {"svg", 90, ",13", "svg enhanced font 'sans-serif,15' linewidth 1.3 rounded"},
    {"pdf", 1, ",8",
     "pdfcairo enhanced font 'Helvetica,9' fontscale 1 linewidth 1.2 dashlength 3 rounded"},
    {"png", 220, ",8",
     "pngcairo enhanced font 'Helvetica,9' fontscale 3.05 linewidth 3.7 dashlength 2 pointscale "
     "3 rounded"},
};
enum { NFORMAT = sizeof formats / sizeof formats[0] };

static int find_format(const char *name, const struct format **format, struct cf_error *err)
{
    const char *known[NFORMAT];

    for (size_t i = 0; i < NFORMAT; i++) {
        known[i] = formats[i].name;
        *format = &formats[i];
        if (strcmp(name, known[i]) == 0)
            return CF_OK;
    }
    const char *near = cf_nearest(name, known, NFORMAT);
    return near
               ? cf_fail(err, CF_EUSAGE, "unknown format \"%s\": did you mean %s?", name, near)
               : cf_fail(err, CF_EUSAGE, "unknown format \"%s\": svg, pdf and png are known", name);
}

int cf_image_render(const struct cf_image *image, const char *name, char **bytes, size_t *len,
                    struct cf_error *err)
{
    const struct format *format;

    *bytes = NULL;
    *len = 0;
    int status = find_format(name, &format, err);
    if (status)
        return status;
    FILE *script = tmpfile();
    if (!script)
        return cf_fail(err, CF_EIO, "no temporary file for a figure");
    fprintf(script,
            "set terminal %s size %g,%g background rgb 'white'\nset output\nset key font '%s'\n",
            format->terminal, image->width * format->dots_per_inch,
            image->height * format->dots_per_inch, format->key_font);
    status = image->draw(image->what, script, err);
    if (status == CF_OK)
        status = cf_gnuplot_run(script, bytes, len, err);
    fclose(script);
    return status;
}

/* A figure of one fit. */
struct figure_of {
    const struct cf_figure *figure;
    const json_t *fit;
};

static int draw_figure(const void *what, FILE *script, struct cf_error *err)
{
    const struct figure_of *of = what;
    return of->figure->draw(of->fit, script, err);
}

int cf_figure_render(const struct cf_figure *figure, const json_t *fit, const char *name,
                     char **bytes, size_t *len, struct cf_error *err)
{
    size_t panels = figure->panels ? figure->panels(fit) : 1;
    const struct figure_of of = {figure, fit};
    const struct cf_image image = {figure->width, figure->height * (double) panels, draw_figure,
                                   &of};

    return cf_image_render(&image, name, bytes, len, err);
}
