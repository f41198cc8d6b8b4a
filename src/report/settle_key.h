/* The keys of a chart find their places: entries in as many columns as have room, below a panel's
 * axis or below all panels, or beside a heading. Private to src/report. */

#ifndef CF_REPORT_SETTLE_KEY_H
#define CF_REPORT_SETTLE_KEY_H

#include "report/chart.h"

/* Once, when the frames are where they are to be; those above keys are lifted. */
void cf_chart_settle_keys(struct cf_chart *chart);

/* How wide the key of a panel is in one column, whether it stands below the axis or beside the
 * heading; 0 without one. */
double cf_chart_key_width(struct cf_chart *chart, const struct cf_panel *panel);

#endif
