/* How wide texts are, at most, in the fonts that figures are drawn with. Private to src/report. */

#ifndef CF_REPORT_TEXT_WIDTH_H
#define CF_REPORT_TEXT_WIDTH_H

#include "report/chart_text.h"

/* Heights of a line of texts and of the key in the largest of the formats [inches]: see gnuplot.c.
 * Widths are in parts of these. */
#define CF_TEXT_SIZE_IN (15.0 / 90)
#define CF_KEY_SIZE_IN (13.0 / 90)

/* By how much letters of the key are larger on the page of a phone: see page_style.c. */
#define CF_PHONE_LETTERS (CF_TEXT_SIZE_IN / CF_KEY_SIZE_IN)

double cf_text_width(const struct cf_text *text);

/* Of roman letters, in UTF-8. */
double cf_letters_width(const char *letters);

#endif
