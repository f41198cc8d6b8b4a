/* An uncertainty budget in a terminal. */

#ifndef CF_REPORT_SUMMARY_BUDGET_H
#define CF_REPORT_SUMMARY_BUDGET_H

#include <jansson.h>
#include <stdio.h>

/* A line for each number of the budget, and what is to be said of its sources; nothing where the
 * study states no uncertainty. */
void cf_summary_budget(const json_t *fit, FILE *out);

#endif
