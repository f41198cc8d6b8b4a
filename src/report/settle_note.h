/* Names of points find their places. Private to src/report. */

#ifndef CF_REPORT_SETTLE_NOTE_H
#define CF_REPORT_SETTLE_NOTE_H

#include "report/chart.h"

/* Place the notes of all panels beside their points: within the frame, on no point, no bar and no
 * other note, and on no line either where that can be had. Notes that find no place are not drawn.
 * The frames must have theirs. */
void cf_chart_settle_notes(struct cf_chart *chart);

#endif
