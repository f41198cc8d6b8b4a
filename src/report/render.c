/* What draws which format. Another way to draw is a file with a function like cf_gnuplot_draw(),
 * and its rows here. */

#include "report/render.h"

#include <string.h>

#include "core/nearest.h"
#include "report/gnuplot.h"
#include "report/settle.h"

static const struct {
    const char *format;
    int (*draw)(const struct cf_chart *chart, const char *format, struct cf_plotter *plotter,
                char **bytes, size_t *len, struct cf_error *err);
} rows[] = {{"svg", cf_gnuplot_draw}, {"pdf", cf_gnuplot_draw}, {"png", cf_gnuplot_draw}};
enum { NROW = sizeof rows / sizeof rows[0] };

int cf_chart_render(struct cf_chart *chart, const char *format, struct cf_plotter *plotter,
                    char **bytes, size_t *len, struct cf_error *err)
{
    const char *known[NROW];

    *bytes = NULL;
    *len = 0;
    for (size_t i = 0; i < NROW; i++) {
        known[i] = rows[i].format;
        if (strcmp(format, known[i]) == 0) {
            cf_chart_settle(chart);
            return rows[i].draw(chart, format, plotter, bytes, len, err);
        }
    }
    const char *near = cf_nearest(format, known, NROW);
    return near ? cf_fail(err, CF_EUSAGE, "unknown format \"%s\": did you mean %s?", format, near)
                : cf_fail(err, CF_EUSAGE, "unknown format \"%s\": svg, pdf and png are known",
                          format);
}
