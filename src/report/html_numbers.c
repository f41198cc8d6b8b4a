/* How numbers, intervals and p-values are written on a page. */

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "report/html.h"

#define MINUS "&minus;"
#define THIN "&#8239;" /* narrow, and no line breaks there */

/* Digits as printf gives them, with a minus sign in place of the hyphen. */
static void put_digits(FILE *out, double value, int decimals)
{
    char text[400];
    int n = snprintf(text, sizeof text, "%.*f", decimals, fabs(value));
    /* no "-0.00" for what rounds to nothing */
    if (value < 0 && n > 0 && strspn(text, "0.") < strlen(text))
        fputs(MINUS, out);
    fputs(text, out);
}

static void put_power(FILE *out, int power)
{
    fprintf(out, THIN "&times;" THIN "10<sup>%s%d</sup>", power < 0 ? MINUS : "", abs(power));
}

static int decade(double value)
{
    return value == 0 ? 0 : (int) floor(log10(fabs(value)));
}

/* The decade of a value once it is rounded to so many digits: 99.99 to three is 100. */
static int decade_rounded(double value, int digits)
{
    char text[64];
    snprintf(text, sizeof text, "%.*e", digits - 1, value);
    return value == 0 ? 0 : atoi(strchr(text, 'e') + 1);
}

void cf_html_number(FILE *out, double value, int digits)
{
    if (!isfinite(value)) {
        cf_html_none(out);
        return;
    }
    int power = decade_rounded(value, digits);
    int scaled = power >= 5 || power < -4;
    double mantissa = scaled ? value / pow(10, power) : value;
    int decimals = digits - 1 - (scaled ? 0 : power);
    char text[64];

    /* trailing zeros say nothing here: the digits asked for are an upper limit */
    snprintf(text, sizeof text, "%.*f", decimals > 0 ? decimals : 0, fabs(mantissa));
    if (strchr(text, '.')) {
        size_t len = strlen(text);
        while (text[len - 1] == '0')
            text[--len] = '\0';
        if (text[len - 1] == '.')
            text[--len] = '\0';
    }
    fprintf(out, "<span class=\"n\">%s%s", value < 0 ? MINUS : "", text);
    if (scaled)
        put_power(out, power);
    fputs("</span>", out);
}

void cf_html_fixed(FILE *out, double value, int decimals)
{
    if (!isfinite(value))
        cf_html_none(out);
    else
        put_digits(out, value, decimals);
}

/* Does a number stand without a power of ten? Where its last digit is a zero that was rounded to,
 * only below 1000: 9.8 x 10^3, but 40 [0, 230]. */
static bool is_plain(int power, int decimals)
{
    return power < 5 && power >= -3 && (decimals >= 0 || power < 3);
}

/* Of a plain number: zeros in the place of digits that the half-width does not ask for, but for
 * the first digit of the value. */
static double rounded(double value, int decimals, int power)
{
    double unit = decimals < 0 ? pow(10, fmin(-decimals, power)) : 1;
    return decimals < 0 ? round(value / unit) * unit : value;
}

/* Decimals that a half-width asks for, before any scaling. */
static int decimals_of(double half)
{
    int power = decade(half);
    return -power + (half / pow(10, power) < 3.55 ? 1 : 0);
}

void cf_html_interval(FILE *out, double value, double low, double high, const char *unit)
{
    double half = isfinite(low) && isfinite(high) ? (high - low) / 2
                  : isfinite(low)                 ? value - low
                                                  : high - value;
    if (!isfinite(value) || !(half > 0)) {
        cf_html_number(out, value, 4);
        cf_html_unit(out, unit);
        return;
    }
    int decimals = decimals_of(half);
    int power = decade(value != 0 ? value : isfinite(high) ? high : low);
    if (is_plain(power, decimals)) {
        value = rounded(value, decimals, power);
        low = rounded(low, decimals, power);
        high = rounded(high, decimals, power);
        power = 0;
    }
    double scale = pow(10, -power);
    decimals = decimals + power > 0 ? decimals + power : 0;

    fputs("<span class=\"n\">", out);
    put_digits(out, value * scale, decimals);
    fputs(" [", out);
    if (isfinite(low))
        put_digits(out, low * scale, decimals);
    else
        fputs("open", out);
    fputs(", ", out);
    if (isfinite(high))
        put_digits(out, high * scale, decimals);
    else
        fputs("open", out);
    fputs("]", out);
    if (power)
        put_power(out, power);
    cf_html_unit(out, unit);
    fputs("</span>", out);
}

void cf_html_plus_minus(FILE *out, double value, double half, const char *unit)
{
    if (!isfinite(value) || !isfinite(half) || !(half > 0)) {
        cf_html_number(out, value, 4);
        cf_html_unit(out, unit);
        return;
    }
    int decimals = 1 - decade_rounded(half, 2);
    int power = decade(fabs(value) > half ? value : half);
    if (is_plain(power, decimals)) {
        value = rounded(value, decimals, power);
        half = rounded(half, decimals, power);
        power = 0;
    }
    double scale = pow(10, -power);
    decimals = decimals + power > 0 ? decimals + power : 0;

    fputs("<span class=\"n\">", out);
    /* the power of ten is that of both */
    fputs(power ? "(" : "", out);
    put_digits(out, value * scale, decimals);
    fputs(THIN "&plusmn;" THIN, out);
    put_digits(out, half * scale, decimals);
    fputs(power ? ")" : "", out);
    if (power)
        put_power(out, power);
    cf_html_unit(out, unit);
    fputs("</span>", out);
}

/* What doubles can tell from 0, nearly. */
static const double least_p = 1e-16;

void cf_html_probability(FILE *out, double p)
{
    if (isfinite(p) && p < least_p)
        fputs("<span class=\"n\">&lt;" THIN "10<sup>" MINUS "16</sup></span>", out);
    else
        cf_html_number(out, p, 2);
}
