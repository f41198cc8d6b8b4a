/* Curves of laws, as fit files hold them, in charts. Private to src/report. */

#ifndef CF_REPORT_FIT_CURVE_H
#define CF_REPORT_FIT_CURVE_H

#include <jansson.h>

#include "report/chart.h"

/* A curve over the speed as a line or as its band, in units 1/factor of the file's. */
struct cf_chart_series *cf_fit_curve(struct cf_panel *panel, enum cf_series_kind kind,
                                     struct cf_style style, const json_t *curve, double factor);

/* The fitted law: a thick line, of which the series is returned, over its band if it has one. */
struct cf_chart_series *cf_fit_curve_own(struct cf_panel *panel, const char *dash,
                                         const json_t *curve, double factor);

/* The axis of restitution: the range with this share of room on either side, and the label. */
void cf_fit_restitution_axis(struct cf_chart_axis *axis, struct cf_range e, double room);

#endif
