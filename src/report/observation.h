/* Observations and points of a fit file as figures draw them, beside the curve of a law. Private to
 * src/report. */

#ifndef CF_REPORT_OBSERVATION_H
#define CF_REPORT_OBSERVATION_H

#include <jansson.h>
#include <stdio.h>

#include "report/channel.h"
#include "report/chart.h"
#include "report/fit_curve.h"

/* Its value with one sigma each way, 0 where that is not known: the true value that the reading
 * tells, where its instrument's gain or bias was fitted along. */
struct cf_datum cf_observation_datum(const json_t *row, struct cf_scaling by);

/* What the law predicts for it, in the file's unit: of the true value, as the datum; NAN: none. */
double cf_observation_predicted(const json_t *row);

/* A sentence (HTML) where readings of this channel were freed of a gain or bias. */
void cf_observation_caption(const json_t *fit, const struct cf_shown_channel *channel, FILE *html);

#endif
