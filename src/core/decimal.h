/* Numbers as text. */

#ifndef CF_CORE_DECIMAL_H
#define CF_CORE_DECIMAL_H

#include <stdio.h>

/* Write a number so that it reads back as the same value, with no digit more than that needs: 0.2
 * and not 0.20000000000000001. NaN and infinity as printf() does. */
void cf_decimal_put(double value, FILE *out);

#endif
