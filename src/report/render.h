/* From charts to images. Private to src/report. */

#ifndef CF_REPORT_RENDER_H
#define CF_REPORT_RENDER_H

#include "report/chart.h"

/* Draw as "svg", "pdf" or "png"; *bytes is the caller's to free(). */
int cf_chart_render(struct cf_chart *chart, const char *format, char **bytes, size_t *len,
                    struct cf_error *err);

#endif
