/* Decimal numbers, read the same way whatever the locale of the process. */

#define _POSIX_C_SOURCE 200809L

#include "core/number.h"

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "core/units.h"

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static size_t digits(const char *s)
{
    size_t n = 0;
    while (is_digit(s[n]))
        n++;
    return n;
}

size_t cf_number_scan(const char *text, char decimal)
{
    const char *s = text + (*text == '+' || *text == '-');
    size_t whole = digits(s), part = 0;

    s += whole;
    if (*s == decimal) {
        part = digits(s + 1);
        if (whole + part)
            s += 1 + part;
    }
    if (whole + part == 0)
        return 0;

    /* an e without digits is no exponent: it may start a unit */
    if (*s == 'e' || *s == 'E') {
        size_t sign = s[1] == '+' || s[1] == '-', power = digits(s + 1 + sign);
        if (power)
            s += 1 + sign + power;
    }
    return (size_t) (s - text);
}

/* Digits up to 2^53 times or over a power of ten up to 10^22 are exact, so that one rounding gives
 * the nearest number (Clinger 1990): nearly all of a table's are such. */
static bool is_short(const char *text, size_t len, char decimal, double *value)
{
    static const double power[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                   1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                   1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    enum { MOST_DIGITS = 15 };
    uint64_t mantissa = 0;
    size_t n = 0, places = 0;
    bool minus = *text == '-', part = false;

    for (size_t i = *text == '-' || *text == '+'; i < len; i++) {
        if (text[i] == decimal) {
            part = true;
            continue;
        }
        if (!is_digit(text[i]) || ++n > MOST_DIGITS)
            return false;
        mantissa = 10 * mantissa + (uint64_t) (text[i] - '0');
        places += part;
    }
    *value = (double) mantissa / power[places];
    *value = minus ? -*value : *value;
    return true;
}

/* strtod() of the "C" locale on text whose form cf_number_scan() has checked. */
static int convert(const char *text, size_t len, char decimal, double *value, struct cf_error *err)
{
    if (is_short(text, len, decimal, value))
        return CF_OK;

    char shown[CF_SHOWN], fixed[64], *copy = len < sizeof fixed ? fixed : malloc(len + 1);
    locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t) 0);
    int status = CF_OK;

    if (!copy || c == (locale_t) 0) {
        status = cf_fail(err, CF_ENOMEM, "out of memory");
        goto done;
    }
    memcpy(copy, text, len);
    copy[len] = '\0';
    char *mark = memchr(copy, decimal, len);
    if (mark)
        *mark = '.';

    locale_t before = uselocale(c);
    errno = 0;
    double x = strtod(copy, NULL);
    int code = errno;
    uselocale(before);

    if (!isfinite(x))
        status = cf_fail(err, CF_EINPUT, "\"%s\" is too large a number", cf_show(text, shown));
    else if (code == ERANGE && x == 0)
        status = cf_fail(err, CF_EINPUT, "\"%s\" is too small a number", cf_show(text, shown));
    else
        *value = x;
done:
    if (c != (locale_t) 0)
        freelocale(c);
    if (copy != fixed)
        free(copy);
    return status;
}

static int begins_with(const char *text, const char *word)
{
    while (*word && (*text | 0x20) == *word)
        text++, word++;
    return *word == '\0';
}

/* `text` holds no number, or more than one: say what is there instead. */
static int refuse(const char *text, char decimal, struct cf_error *err)
{
    char shown[CF_SHOWN] = "", mended[CF_SHOWN];
    const char *bare = text + (*text == '+' || *text == '-');
    size_t whole = digits(bare);
    char other = decimal == '.' ? ',' : '.';

    cf_show(text, shown);
    if (*text == '\0')
        return cf_fail(err, CF_EINPUT, "nothing is there: a number is wanted");
    if (begins_with(bare, "nan") || begins_with(bare, "inf"))
        return cf_fail(err, CF_EINPUT, "\"%s\": a finite number is wanted", shown);
    if (bare[0] == '0' && (bare[1] | 0x20) == 'x')
        return cf_fail(err, CF_EINPUT, "\"%s\": a decimal number is wanted, not a hexadecimal one",
                       shown);
    if (strncmp(text, "\xE2\x88\x92", 3) == 0)
        return cf_fail(err, CF_EINPUT, "\"%s\": a typographic minus; write -%s", shown, shown + 3);
    if (bare[whole] != other || !(whole || is_digit(bare[1])))
        return cf_fail(err, CF_EINPUT, "\"%s\" is not a number", shown);

    /* one mark of the other kind: was it meant as the mark? */
    size_t at = (size_t) (bare - text) + whole, len;
    if (at < strlen(shown)) {
        memcpy(mended, shown, sizeof mended);
        mended[at] = decimal;
        len = cf_number_scan(mended, decimal);
        if (!is_digit(mended[len]) && mended[len] != '.' && mended[len] != ',')
            return cf_fail(err, CF_EINPUT, "\"%s\": a decimal %s; write %s", shown,
                           other == ',' ? "comma" : "point", mended);
    }
    return cf_fail(err, CF_EINPUT, "\"%s\": a '%c' inside a number whose decimal mark is '%c'",
                   shown, other, decimal);
}

int cf_number_head(const char *text, char decimal, double *value, size_t *len, struct cf_error *err)
{
    *len = cf_number_scan(text, decimal);
    char after = text[*len];
    if (*len == 0 || after == '.' || after == ',' || is_digit(after) ||
        (*len <= 2 && (after | 0x20) == 'x'))
        return refuse(text, decimal, err);
    return convert(text, *len, decimal, value, err);
}

int cf_number_parse(const char *text, char decimal, double *value, struct cf_error *err)
{
    size_t len, end;

    text += strspn(text, " \t");
    end = len = cf_number_scan(text, decimal);
    end += strspn(text + len, " \t");
    if (len == 0 || text[end] != '\0')
        return refuse(text, decimal, err);
    return convert(text, len, decimal, value, err);
}
