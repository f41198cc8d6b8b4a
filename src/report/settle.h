/* Texts of a chart find their room: by their widths, tics become fewer, frames narrower and charts
 * higher, so that no text lies on another or is cut. Private to src/report. */

#ifndef CF_REPORT_SETTLE_H
#define CF_REPORT_SETTLE_H

#include "report/chart.h"

/* Of a chart that has all its series, once: what draws it finds every text in its place. */
void cf_chart_settle(struct cf_chart *chart);

#endif
