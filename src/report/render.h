/* From charts to images. Private to src/report. */

#ifndef CF_REPORT_RENDER_H
#define CF_REPORT_RENDER_H

#include "core/process.h"
#include "report/chart.h"

/* What draws charts one after the other: a gnuplot that starts with the first, and a new one after
 * a failure. It belongs to one thread. */
struct cf_plotter {
    double limit_s; /* the longest that a figure may take */
    FILE *script, *output;
    struct cf_coprocess gnuplot;
};

/* None takes so long on a busy machine, where large ones take seconds: a gnuplot that is still at
 * work after a minute hangs. */
#define CF_PLOTTER                                                                                 \
    {                                                                                              \
        .limit_s = 60                                                                              \
    }

void cf_plotter_end(struct cf_plotter *plotter);

/* Draw as "svg", "pdf" or "png"; *bytes is the caller's to free(). */
int cf_chart_render(struct cf_chart *chart, const char *format, struct cf_plotter *plotter,
                    char **bytes, size_t *len, struct cf_error *err);

#endif
