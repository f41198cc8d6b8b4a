/* Numbers as text. */

#ifndef CF_CORE_DECIMAL_H
#define CF_CORE_DECIMAL_H

#include <stddef.h>
#include <stdio.h>

enum { CF_DECIMAL = 32 };

/* A number with a decimal point, whatever the locale, that reads back as the same value and has no
 * digit more than that needs: 0.2 and not 0.20000000000000001. NaN and infinity as printf() does.
 * Returns text. */
char *cf_decimal(double value, char text[CF_DECIMAL]);

/* The value of such a text, of less than 128 bytes, which is known to be a number. Takes no memory,
 * as the readers of files do. */
double cf_decimal_value(const char *text);

/* Write it. */
void cf_decimal_put(double value, FILE *out);

/* Significant digits of a number up to the second one of an uncertainty, 2 to 17: 3 of 0.812 +-
 * 0.011. `usual` where one of them is 0 or not finite. */
int cf_decimal_digits(double value, double uncertainty, int usual);

/* So many significant digits, as "%.*g" has them, but below 1e5 in full: 9820 and 230, not 9.82e+03
 * and 2.3e+02. Returns text. */
char *cf_decimal_short(double value, int digits, char text[CF_DECIMAL]);

/* "0.9009 +- 0.0022": two digits of an uncertainty, which is above 0, and the value to the same
 * place; very large and very small ones have their power of ten in common, "(1.818 +- 0.021)e+08".
 * Returns text. */
char *cf_decimal_plus_minus(double value, double uncertainty, char text[], size_t size);

#endif
