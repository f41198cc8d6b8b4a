/* Panels that several figures of fits have. Private to src/report. */

#ifndef CF_REPORT_PANELS_H
#define CF_REPORT_PANELS_H

#include <jansson.h>

#include "report/channel.h"
#include "report/chart.h"

/* The main channel `which`, as measured and by the fitted law, in an empty panel; *x receives the
 * range of its axis in the file's unit. Rivals, rows that are excluded and flags are for the main
 * figure alone. */
int cf_headline_add_prediction(const json_t *fit, size_t which, bool logarithmic,
                               struct cf_panel *panel, struct cf_range *x, struct cf_error *err);

/* How many residuals a channel has: rows that are excluded count, too. */
size_t cf_residuals_count(const json_t *fit, const struct cf_shown_channel *channel);

/* Its residuals over sigma, in an empty panel over the range x of the axis [the file's unit]. */
void cf_residuals_add(const json_t *fit, const struct cf_shown_channel *channel, struct cf_range x,
                      bool logarithmic, struct cf_panel *panel);

#endif
