/* Rows of the main figure that are to be looked at: rings and names. Private to src/report. */

#ifndef CF_REPORT_HEADLINE_FLAGS_H
#define CF_REPORT_HEADLINE_FLAGS_H

#include <stdio.h>

#include "report/headline_series.h"

/* Ring the outliers and the influential rows among the points of a panel, with an entry in the key
 * below it, and name them, rows that were held out and rows that were excluded by their line in the
 * table or study. Of a kind that has more rows than can be read none is named. */
void cf_headline_add_flags(const struct cf_headline_series *series, struct cf_panel *panel);

/* A sentence (HTML) on what is ringed and named in the main figure; nothing where nothing is. */
void cf_headline_flags_caption(const json_t *fit, FILE *html);

#endif
