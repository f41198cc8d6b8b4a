/* The captions of the main figures. Private to src/report. */

#ifndef CF_REPORT_HEADLINE_CAPTION_H
#define CF_REPORT_HEADLINE_CAPTION_H

#include <jansson.h>
#include <stdio.h>

/* What lies along which axis, in words of the protocol; what is drawn; which data set is which. */
void cf_headline_caption(const json_t *fit, const char *along, size_t nrival, FILE *html);

/* The last of it: which data set is which, and where the headline was computed from something else.
 */
void cf_headline_caption_sets(const json_t *fit, FILE *html);

#endif
