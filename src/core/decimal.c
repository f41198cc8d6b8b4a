#include "core/decimal.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* May 15 digits read back, where these are 17? They do where the value is within half a unit of its
 * last binary digit, which is at most 1.12e-16 of it, or 12 of the 17th decimal digit. */
static bool may_be_shorter(const char *seventeen)
{
    int tail = 0, digits = 0;
    bool begun = false;

    for (const char *c = seventeen; *c && *c != 'e'; c++)
        if (*c >= '0' && *c <= '9' && (begun = begun || *c != '0')) {
            tail = (10 * tail + *c - '0') % 100;
            digits++;
        }
    return digits < 17 || tail <= 12 || tail >= 88;
}

/* Fewer digits first, but for what cannot be: traces have a hundred million numbers. */
static void put_shortest(double value, char text[CF_DECIMAL])
{
    char shorter[CF_DECIMAL];

    if (fabs(value) < 1e15 && value == trunc(value)) {
        snprintf(text, CF_DECIMAL, "%.0f", value);
        return;
    }
    snprintf(text, CF_DECIMAL, "%.17g", value);
    bool subnormal = fabs(value) < DBL_MIN; /* has fewer binary digits */
    for (int digits = subnormal || may_be_shorter(text) ? 15 : 16; digits <= 16; digits++) {
        snprintf(shorter, sizeof shorter, "%.*g", digits, value);
        if (strtod(shorter, NULL) == value) {
            memcpy(text, shorter, sizeof shorter);
            return;
        }
    }
}

char *cf_decimal(double value, char text[CF_DECIMAL])
{
    const char *point = localeconv()->decimal_point;
    size_t n = strlen(point);
    char *at;

    put_shortest(value, text);
    if (strcmp(point, ".") != 0 && (at = strstr(text, point))) {
        *at = '.';
        memmove(at + 1, at + n, strlen(at + n) + 1);
    }
    return text;
}

double cf_decimal_value(const char *text)
{
    enum { ROOM = 128, ROOM_OF_POINT = 16 };
    const char *point = strchr(text, '.');
    char local[ROOM + ROOM_OF_POINT];

    if (!point || strcmp(localeconv()->decimal_point, ".") == 0)
        return strtod(text, NULL);
    snprintf(local, sizeof local, "%.*s%s%s", (int) (point - text), text,
             localeconv()->decimal_point, point + 1);
    return strtod(local, NULL);
}

void cf_decimal_put(double value, FILE *out)
{
    char text[CF_DECIMAL];

    fputs(cf_decimal(value, text), out);
}

/* The power of ten of a number's first digit, once it is rounded to so many behind it. */
static int power_of(double x, int digits)
{
    char text[CF_DECIMAL];

    snprintf(text, sizeof text, "%.*e", digits, x);
    return atoi(strchr(text, 'e') + 1);
}

int cf_decimal_digits(double value, double uncertainty, int usual)
{
    if (value == 0 || !isfinite(value) || !(uncertainty > 0) || isinf(uncertainty))
        return usual;
    return (int) fmin(fmax(floor(log10(fabs(value))) - floor(log10(uncertainty)) + 2, 2), 17);
}

char *cf_decimal_short(double value, int digits, char text[CF_DECIMAL])
{
    static const double scientific = 1e5; /* from here on zeros would pretend to be digits */

    snprintf(text, CF_DECIMAL, "%.*g", digits, value);
    const char *exponent = strchr(text, 'e');
    if (exponent && fabs(value) >= 1) {
        double place = pow(10, atoi(exponent + 1) - digits + 1);
        double rounded = round(value / place) * place;
        if (fabs(rounded) < scientific)
            snprintf(text, CF_DECIMAL, "%.0f", rounded);
    }
    return text;
}

char *cf_decimal_plus_minus(double value, double uncertainty, char text[], size_t size)
{
    enum { LEAST = -4, MOST = 6 }; /* powers of ten that are written out */

    if (!isfinite(value) || !isfinite(uncertainty) || !(uncertainty > 0)) {
        snprintf(text, size, "%.4g +- %.2g", value, uncertainty);
        return text;
    }
    int place = power_of(uncertainty, 1) - 1; /* of the last digit */
    double unit = pow(10, place), shown = round(value / unit) * unit;
    int power = power_of(fmax(fabs(shown), uncertainty), 1);
    int behind = place < 0 ? -place : 0;

    if (power >= LEAST && power < MOST)
        snprintf(text, size, "%.*f +- %.*f", behind, shown, behind,
                 round(uncertainty / unit) * unit);
    else
        snprintf(text, size, "(%.*f +- %.*f)e%+03d", power - place, shown / pow(10, power),
                 power - place, uncertainty / pow(10, power), power);
    return text;
}
