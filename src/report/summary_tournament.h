/* A tournament in a terminal. */

#ifndef CF_REPORT_SUMMARY_TOURNAMENT_H
#define CF_REPORT_SUMMARY_TOURNAMENT_H

#include <jansson.h>
#include <stdio.h>

void cf_summary_tournament_write(const json_t *fit, FILE *out);

#endif
