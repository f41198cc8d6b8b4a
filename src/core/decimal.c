#include "core/decimal.h"

#include <stdlib.h>

void cf_decimal_put(double value, FILE *out)
{
    char text[32];

    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    fputs(text, out);
}
