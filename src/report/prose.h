/* Sentences of a verdict on a page. Private to src/report. */

#ifndef CF_REPORT_PROSE_H
#define CF_REPORT_PROSE_H

#include <jansson.h>
#include <stdio.h>

/* Write a plain sentence of the library as HTML, escaped, as the rest of a page is set:
 * - names of parameters, Greek letters and single letters before a relation ("p = 0.01") as
 *   symbols, "lambda/(k^0.6 m^0.4)" and "sqrt(R)" as formulas;
 * - "-0.41" with a minus sign, 1.8e-05 as a power of ten, units behind numbers with raised
 *   exponents, p below 1e-16 as no more than that;
 * - <=, >=, +- and -> as the signs they stand for;
 * - the '_' in names made of words as blanks.
 * What stands in braces or quotes, and names before a colon that are no parameter's, are for a
 * study and stay as they are. fit: a fit or a validation; NULL: none, and no names are known. */
void cf_prose(const json_t *fit, const char *text, FILE *out);

/* The same of the first n bytes. */
void cf_prose_part(const json_t *fit, const char *text, size_t n, FILE *out);

#endif
