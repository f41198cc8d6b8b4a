/* The picture of a figure file. */

#ifndef CF_REPORT_DRAWING_H
#define CF_REPORT_DRAWING_H

#include "figure/law_figure.h"
#include "report/chart.h"

/* The picture as data. *chart is the caller's to cf_chart_free(), whatever comes out. */
int cf_drawing_chart(const struct cf_drawing *drawing, struct cf_chart *chart,
                     struct cf_error *err);

#endif
