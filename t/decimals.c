/* Numbers as text: the fewest digits that read back, two digits of an uncertainty, and JSON, whose
 * texts stay as they are. The oracle is strtod(): it reads the text back, and no shorter one. */

#define _POSIX_C_SOURCE 200809L

#include <locale.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/decimal.h"
#include "document/json_dump.h"
#include "tap.h"

static const struct {
    double value;
    const char *text;
} plain[] = {
    {0.95, "0.95"},
    {0.1 + 0.2, "0.30000000000000004"},
    {0.02, "0.02"},
    {9.80665, "9.80665"},
    {0, "0"},
    {-0.0, "-0"},
    {5, "5"},
    {-1234567, "-1234567"},
    {1e15, "1e+15"},
    {999999999999999, "999999999999999"},
    {1e22, "1e+22"},
    {1.0 / 3, "0.3333333333333333"},
    {2.2250738585072014e-308, "2.2250738585072014e-308"},
    {1e-5, "1e-05"},
    {5e-324, "4.94065645841247e-324"},
};

static const struct {
    double value, uncertainty;
    const char *text;
} pairs[] = {
    {0.90094321, 0.0021567, "0.9009 +- 0.0022"},
    {0.90094321, 0.0099567, "0.901 +- 0.010"}, /* 0.00996 is 0.010 with two digits */
    {12.3456, 1.26, "12.3 +- 1.3"},
    {12.3456, 12.6, "12 +- 13"},
    {1234.56, 126, "1230 +- 130"},
    {-3.14159, 0.25, "-3.14 +- 0.25"},
    {1.8183e8, 2.13e6, "(1.818 +- 0.021)e+08"},
    {1.2343e-7, 3.3e-9, "(1.234 +- 0.033)e-07"},
    {0, 0.5, "0.00 +- 0.50"},
    {0.3, 12, "0 +- 12"},
    {999999.6, 12, "(1.000000 +- 0.000012)e+06"},
};

/* Any bits are a double; a generator of its own, so that each run has the same. */
static double any_double(uint64_t *state)
{
    double value;

    *state = *state * 6364136223846793005u + 1442695040888963407u;
    uint64_t bits = *state ^ *state >> 29;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static size_t count_digits(const char *text)
{
    size_t n = 0, zeros = 0; /* at the end, which only say how large it is */

    while (*text == '-' || *text == '0' || *text == '.')
        text++;
    for (; *text && *text != 'e'; text++)
        if (*text != '.') {
            n++;
            zeros = *text == '0' ? zeros + 1 : 0;
        }
    return n - zeros;
}

static void check_any(void)
{
    uint64_t state = 1;
    size_t wrong = 0, longer = 0, shown[2] = {0, 0};
    char text[CF_DECIMAL], other[CF_DECIMAL];

    for (int i = 0; i < 200000; i++) {
        double value = any_double(&state);
        if (i % 2 && isfinite(value)) /* one of few digits */
            value = strtod((snprintf(other, sizeof other, "%.*g", 1 + i % 15, value), other), NULL);
        if (!isfinite(value))
            continue;
        wrong += strtod(cf_decimal(value, text), NULL) != value;
        size_t n = count_digits(text);
        shown[n > 15]++;
        for (size_t fewer = 1; fewer < n; fewer++) {
            snprintf(other, sizeof other, "%.*g", (int) fewer, value);
            if (fabs(value) > 1e-300 && strtod(other, NULL) == value && count_digits(other) < n)
                longer++;
        }
    }
    ok(wrong == 0, "each of 200000 reads back: %zu do not", wrong);
    ok(longer == 0, "none is longer than it need be: %zu are", longer);
    ok(shown[0] > 90000 && shown[1] > 90000, "short ones and long ones: %zu and %zu", shown[0],
       shown[1]);
}

static void check_json(void)
{
    static const char source[] = "{\"a 0.94999999999999996\":[0.94999999999999996,1.0,-2.5e-300,3,"
                                 "true,null,-7],\"\\\" 0.10000000000000001\":1e+20,"
                                 "\"b\":0.30000000000000004}";
    static const char want[] = "{\"a 0.94999999999999996\":[0.95,1.0,-2.5e-300,3,"
                               "true,null,-7],\"\\\" 0.10000000000000001\":1e20,"
                               "\"b\":0.30000000000000004}";
    json_t *value = json_loads(source, 0, NULL), *list = json_array(), *again;
    char *text = NULL;
    size_t size = 0;
    uint64_t state = 7;
    FILE *out = open_memstream(&text, &size);

    ok(cf_json_dump(value, out, JSON_COMPACT) == 0 && fclose(out) == 0, "a document is written");
    is_str(text, want, "numbers are short, and texts as they were");
    free(text);
    json_decref(value);

    for (int i = 0; i < 20000; i++) {
        double x = any_double(&state);
        json_array_append_new(list, isfinite(x) ? json_real(x) : json_integer(i));
        json_array_append_new(list, json_real(i / 100.0));
    }
    out = open_memstream(&text, &size);
    ok(cf_json_dump(list, out, JSON_INDENT(1)) == 0 && fclose(out) == 0, "a long one is written");
    again = json_loads(text, 0, NULL);
    ok(json_equal(list, again), "and reads back as it was, reals as reals");
    free(text);
    json_decref(again);
    json_decref(list);
}

/* Numbers have points where the locale of the process has commas. */
static void check_locale(void)
{
    bool found = setlocale(LC_ALL, "de_DE.UTF-8") || setlocale(LC_ALL, "fr_FR.UTF-8");
    json_t *one = json_real(0.95);
    char text[CF_DECIMAL], *bytes = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&bytes, &size);

    is_str(cf_decimal(-2.5, text), "-2.5", "in %s locale", found ? "a German" : "the C");
    bool written = cf_json_dump(one, out, JSON_ENCODE_ANY) == 0 && fclose(out) == 0;
    ok(written && strcmp(bytes, "0.95") == 0, "and in JSON: %s", bytes);
    free(bytes);
    json_decref(one);
    setlocale(LC_ALL, "C");
}

static int refuse(const char *bytes, size_t size, void *to)
{
    (void) bytes;
    (void) size;
    (void) to;
    return -1;
}

TEST(decimals)
{
    static const struct {
        double value;
        int digits;
        const char *text;
    } shorts[] = {{234.2, 2, "230"},   {9820.4, 3, "9820"}, {-2431.7, 3, "-2430"},
                  {99960, 3, "1e+05"}, {99949, 3, "99900"}, {123456, 2, "1.2e+05"},
                  {42.25, 3, "42.2"},  {0.0301, 2, "0.03"}, {3.2e-5, 2, "3.2e-05"},
                  {940, 1, "900"},     {0, 3, "0"}};
    enum {
        NPLAIN = sizeof plain / sizeof *plain,
        NPAIR = sizeof pairs / sizeof *pairs,
        NSHORT = sizeof shorts / sizeof *shorts
    };
    char text[3 * CF_DECIMAL];
    json_t *one = json_real(0.5);

    plan(NPLAIN + NPAIR + NSHORT + 4 + 8 + 2);
    ok(cf_decimal_digits(0.812, 0.011, 6) == 3 && cf_decimal_digits(-1.818e8, 2.1e6, 6) == 4,
       "digits up to the second of an uncertainty");
    ok(cf_decimal_digits(3, 50, 6) == 2, "at least two");
    ok(cf_decimal_digits(1, 1e-30, 6) == 17, "no more than a number has");
    ok(cf_decimal_digits(0, 1, 5) == 5 && cf_decimal_digits(1, 0, 6) == 6 &&
           cf_decimal_digits(1, NAN, 6) == 6 && cf_decimal_digits(INFINITY, 1, 6) == 6 &&
           cf_decimal_digits(1, INFINITY, 6) == 6,
       "the usual ones where nothing is known");
    for (size_t i = 0; i < NPLAIN; i++)
        is_str(cf_decimal(plain[i].value, text), plain[i].text, "%s", plain[i].text);
    for (size_t i = 0; i < NPAIR; i++)
        is_str(cf_decimal_plus_minus(pairs[i].value, pairs[i].uncertainty, text, sizeof text),
               pairs[i].text, "%s", pairs[i].text);
    for (size_t i = 0; i < NSHORT; i++)
        is_str(cf_decimal_short(shorts[i].value, shorts[i].digits, text), shorts[i].text, "%s",
               shorts[i].text);
    check_any();
    check_json();
    check_locale();
    ok(cf_json_dump_to(one, refuse, NULL, JSON_ENCODE_ANY) != 0, "what cannot be written fails");
    json_decref(one);
    return done();
}
