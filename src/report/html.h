/* Writing HTML: escaping, and numbers, units and symbols set as papers set them. */

#ifndef CF_REPORT_HTML_H
#define CF_REPORT_HTML_H

#include <stddef.h>
#include <stdio.h>

/* Text from a file: markup, quotes and backticks become entities, control characters blanks. */
void cf_html_text(FILE *out, const char *text);

/* The same of its first len bytes. */
void cf_html_letters(FILE *out, const char *text, size_t len);

/* "lambda/(k^0.6 m^0.4)" with Greek letters, italic symbols and raised exponents, and what stands
 * in brackets, the name of a data set, as it is; escaped. */
void cf_html_formula(FILE *out, const char *formula);

/* "N/m^1.5" with a raised exponent, after a thin space; nothing for "1". Escaped. */
void cf_html_unit(FILE *out, const char *unit);

/* The same without the space before it, as a unit stands in brackets; of "1", that. */
void cf_html_unit_alone(FILE *out, const char *unit);

/* At most `digits` significant digits, powers of ten from 10^5 and below 10^-4; a dash for NaN. */
void cf_html_number(FILE *out, double value, int digits);

/* A fixed number of decimals; a dash for NaN. */
void cf_html_fixed(FILE *out, double value, int decimals);

/* "2.91 [2.84, 2.99] x 10^7 N/m^1.5": all three numbers to the same decimal, which is where the
 * interval's half-width has its first digit, or its second when the first is small (a half-width
 * of 0.0748 is read at 0.07, one of 0.0213 at 0.021). An end that is NaN is open; with both NaN
 * four digits of the value are given. */
void cf_html_interval(FILE *out, double value, double low, double high, const char *unit);

/* "1.818 ± 0.021 x 10^8 N/m^1.5": half, the uncertainty, with two digits, and the value to the same
 * decimal. With a half that is not positive and finite, four digits of the value alone. */
void cf_html_plus_minus(FILE *out, double value, double half, const char *unit);

/* A probability: two digits, "< 10^-16" below that. */
void cf_html_probability(FILE *out, double p);

/* The dash of a value that is not there. */
void cf_html_none(FILE *out);

/* A table in a box that scrolls when it is wider than the page. Heads are HTML; one that starts
 * with '>' stands to the right, over numbers. */
void cf_html_table_begin(FILE *out, const char *const heads[], size_t n);
void cf_html_table_end(FILE *out);

void cf_html_base64(FILE *out, const char *bytes, size_t len);

#endif
