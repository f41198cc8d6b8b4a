/* Sentences of a verdict on a page. Private to src/report. */

#ifndef CF_REPORT_PROSE_H
#define CF_REPORT_PROSE_H

#include <jansson.h>
#include <stdio.h>

/* Write a sentence of the fit as HTML, escaped: "lambda/(k^0.6 m^0.4)" and the names of its
 * parameters as symbols, 1.8e-05 as a power of ten, the names of its channels with blanks. What
 * stands in braces is for a study, and stays as it is. */
void cf_prose(const json_t *fit, const char *text, FILE *out);

#endif
