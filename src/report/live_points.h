/* Points of a figure that are rows of its fit: the script has their numbers already. Private to
 * src/report. */

#ifndef CF_REPORT_LIVE_POINTS_H
#define CF_REPORT_LIVE_POINTS_H

#include <jansson.h>
#include <stdbool.h>

#include "report/chart.h"

/* Where each point of a series is a row of one quantity, at a multiple of its abscissa and of its
 * value or residual (and with bars at as much of its sigma), put "rows", the places of these rows
 * in the fit's observations, "field", the place of the number in a row of the script's, and "by",
 * the two factors. false: some point is none, and nothing is put. *series is NULL where memory ran
 * out, as by cf_json_put(). */
bool cf_live_points(const json_t *fit, const struct cf_chart_series *points, json_t **series);

#endif
