/* The sections of a page; private to src/report. Each writes whole elements, with every text from
 * the fit escaped, and nothing when the fit has nothing for it. */

#ifndef CF_REPORT_SECTIONS_H
#define CF_REPORT_SECTIONS_H

#include <jansson.h>
#include <stdio.h>

extern const char cf_page_style[]; /* CSS */

void cf_section_verdict(const json_t *fit, FILE *out);
void cf_section_parameters(const json_t *fit, FILE *out);
void cf_section_rivals(const json_t *fit, FILE *out);
void cf_section_outliers(const json_t *fit, FILE *out);
void cf_section_tests(const json_t *fit, FILE *out);
void cf_section_held_out(const json_t *fit, FILE *out);
void cf_section_data(const json_t *fit, FILE *out);
void cf_section_making(const json_t *fit, FILE *out);

#endif
