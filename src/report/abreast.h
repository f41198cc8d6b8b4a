/* Charts of many cells, on paper and screens of any height. Private to src/report. */

#ifndef CF_REPORT_ABREAST_H
#define CF_REPORT_ABREAST_H

#include "report/chart.h"

/* Where a chart says that its cells may stand abreast: four and more stand in two columns, in the
 * order of reading, if every text has room in its column; and cells become lower, as far as their
 * frames can, until the chart is no higher than half a sheet of paper. Once, before texts find
 * their room. */
void cf_chart_abreast(struct cf_chart *chart);

/* Headings and labels that are wider than the frames stay in their columns. Once, when frames are
 * as wide as they are to be. */
void cf_chart_words_abreast(struct cf_chart *chart);

#endif
