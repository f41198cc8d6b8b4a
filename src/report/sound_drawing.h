/* The figure of a recording: its waveform with every onset, and below it the envelope with the
 * threshold that it crossed. */

#ifndef CF_REPORT_SOUND_DRAWING_H
#define CF_REPORT_SOUND_DRAWING_H

#include "report/chart.h"
#include "sound/onsets.h"

/* As many columns as a picture needs: more are not seen. */
enum { CF_SOUND_COLUMNS = 1200 };

/* The figure as data. *chart is the caller's to cf_chart_free(), whatever comes out. */
int cf_sound_drawing_chart(const struct cf_onsets *onsets, const struct cf_onset_rules *rules,
                           const struct cf_sound_picture *picture, struct cf_chart *chart,
                           struct cf_error *err);

#endif
