/* How the curves of a law look: a law has its colour and its dash in all figures, whatever else is
 * drawn there. Private to src/report. */

#ifndef CF_REPORT_LAW_STYLE_H
#define CF_REPORT_LAW_STYLE_H

#include "report/chart.h"

/* Colour and dash of a law by its name, of a line 1.6 wide. A curve of friction looks the same as a
 * part of the load ("mu-..."), as a force ("f-...") and as a torque ("t-..."). The two laws of a
 * contact, "A + B", make a pair of their own: contacts that share one law never look alike. A name
 * that the table lacks gets a style by its letters. */
struct cf_style cf_law_style(const char *law);

#endif
