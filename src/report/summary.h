/* A fit in a terminal: verdict, parameters, rivals, held-out rows. Lines are whole, with the marks
 * of cf_wrap_write(), which folds them. */

#ifndef CF_REPORT_SUMMARY_H
#define CF_REPORT_SUMMARY_H

#include <jansson.h>
#include <stdio.h>

void cf_summary_write(const json_t *fit, FILE *out);

/* How wide the column of laws is in a table of rivals. */
int cf_summary_law_width(const json_t *rivals);

/* Text after a mark, a line. */
void cf_summary_text(FILE *out, const char *mark, const char *text);

/* A list of texts, each after the mark; of many the first, and how many more there are of `what`.
 */
void cf_summary_list(FILE *out, const char *mark, const json_t *list, const char *what);

/* Its uncertainty budget: a line for each number, and what is to be said of the sources; nothing
 * where the study states no uncertainty. */
void cf_summary_budget(const json_t *fit, FILE *out);

#endif
