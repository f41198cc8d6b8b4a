/* Numbers with a unit, and column names that carry one. */

#include <math.h>
#include <string.h>

#include "core/number.h"
#include "core/text.h"
#include "core/unit_rows.h"

/* What a dimension is called in messages; dimensions without a row are shown by their units. */
static const struct {
    const char *unit, *what;
} dimension[] = {
    {"1", "a pure number"},
    {"m", "a length"},
    {"m^2", "an area"},
    {"m^3", "a volume"},
    {"kg", "a mass"},
    {"kg/m^3", "a density"},
    {"kg m^2", "a moment of inertia"},
    {"s", "a time"},
    {"1/s", "a frequency"},
    {"m/s", "a speed"},
    {"m/s^2", "an acceleration"},
    {"s/m", "an inverse speed"},
    {"rad", "an angle"},
    {"rad/s", "an angular speed"},
    {"rad/s^2", "an angular acceleration"},
    {"N", "a force"},
    {"N s", "a momentum"},
    {"J", "an energy or torque"},
    {"W", "a power"},
    {"Pa", "a pressure"},
    {"Pa s", "a viscosity"},
    {"N/m", "a stiffness"},
    {"N/m^1.5", "a Hertz stiffness"},
    {"N s/m", "a damping"},
    {"N s/m^1.25", "a damping"},
    {"N s/m^1.5", "a damping"},
    {"N s/m^2", "a damping"},
    {"N s/m^2.5", "a damping"},
};
enum { NDIMENSION = sizeof dimension / sizeof dimension[0] };

/* Pairs that are mixed up often enough for a word of help. */
static const struct {
    const char *found, *want, *advice;
} mixed_up[] = {
    {"1/s", "rad/s", "; write rad/s, deg/s or rpm"},
    {"rad/s", "1/s", "; write Hz or 1/s"},
    {"kg", "N", "; forces are N, kgf, lbf"},
    {"N", "kg", "; masses are kg, g, lb"},
    {"kg", "m/s^2", "; g is the gram, gn is standard gravity"},
    {"s/m", "m/s", "; no reciprocal is taken"},
    {"m/s", "s/m", "; no reciprocal is taken"},
};

/* Row of the dimension, or NDIMENSION. */
static size_t find_dimension(const struct cf_unit *unit)
{
    size_t i = 0;
    struct cf_unit row;
    while (i < NDIMENSION && (cf_unit_parse(dimension[i].unit, &row, NULL) != CF_OK ||
                              !cf_unit_same_dimension(&row, unit)))
        i++;
    return i;
}

static const char *advice(size_t found, size_t want)
{
    if (found < NDIMENSION && want < NDIMENSION)
        for (size_t i = 0; i < sizeof mixed_up / sizeof mixed_up[0]; i++)
            if (strcmp(mixed_up[i].found, dimension[found].unit) == 0 &&
                strcmp(mixed_up[i].want, dimension[want].unit) == 0)
                return mixed_up[i].advice;
    return "";
}

/* "12.7 kg: a mass [kg] where a length [m] is wanted" */
static int refuse_dimension(const char *text, const struct cf_unit *found, const char *want_text,
                            const struct cf_unit *want, struct cf_error *err)
{
    char shown[CF_SHOWN], base[CF_UNIT_TEXT];
    size_t f = find_dimension(found), w = find_dimension(want);
    return cf_fail(err, CF_EINPUT, "%s: %s [%s] where %s [%s] is wanted%s", cf_show(text, shown),
                   f < NDIMENSION ? dimension[f].what : "a quantity in",
                   f < NDIMENSION ? dimension[f].unit : cf_unit_base_text(found, base),
                   w < NDIMENSION ? dimension[w].what : "a quantity in", want_text, advice(f, w));
}

/* A unit with a letter in its exponent, "N/m^n": no unit can be checked against it. */
static bool is_open(const char *want)
{
    const char *power = strchr(want, '^');
    return power && strpbrk(power, "np");
}

/* A bare number, where the unit changes with an exponent. */
static int parse_bare(const char *text, const char *want, double *si, struct cf_error *err)
{
    char shown[CF_SHOWN];
    size_t len;
    int status = cf_number_head(text, '.', si, &len, err);

    if (status || text[len + strspn(text + len, " \t")] == '\0')
        return status;
    return cf_fail(err, CF_EINPUT,
                   "%s: a bare number in SI is wanted: its unit, %s, changes with the exponent",
                   cf_show(text, shown), want);
}

int cf_quantity_parse(const char *text, const char *want, double *si, struct cf_error *err)
{
    struct cf_unit unit, wanted;
    struct cf_error why = {""};
    char shown[CF_SHOWN];
    double value;
    size_t len;

    if (is_open(want))
        return parse_bare(text + strspn(text, " \t"), want, si, err);
    int status = cf_unit_parse(want, &wanted, err);
    if (status)
        return status;
    text += strspn(text, " \t");
    if (*text == '\0') {
        size_t w = find_dimension(&wanted);
        return cf_fail(err, CF_EINPUT, "nothing is there: %s [%s] is wanted",
                       w < NDIMENSION ? dimension[w].what : "a quantity in", want);
    }
    status = cf_number_head(text, '.', &value, &len, err);
    if (status)
        return status;

    /* a bare number is in the unit that is asked for */
    const char *tail = text + len + strspn(text + len, " \t");
    if (*tail == '\0') {
        *si = value;
        return CF_OK;
    }
    if (strstr(tail, "+-") || strstr(tail, "+/-") || strstr(tail, "\xc2\xb1"))
        return cf_fail(err, CF_EINPUT, "%s: no uncertainty is stated here", cf_show(text, shown));
    status = cf_unit_parse(tail, &unit, &why);
    if (status)
        return cf_fail(err, status, "%s: %s", cf_show(text, shown), why.text);
    if (!cf_unit_same_dimension(&unit, &wanted))
        return refuse_dimension(text, &unit, want, &wanted, err);

    unit.factor /= wanted.factor;
    value = cf_unit_to_si(value, &unit);
    if (!isfinite(value))
        return cf_fail(err, CF_EINPUT, "%s: too large a number in %s", cf_show(text, shown), want);
    *si = value;
    return CF_OK;
}

const char *cf_unit_ending(const char *unit)
{
    const struct cf_unit_suffix *s = cf_unit_suffixes;

    while (s->name && strcmp(s->unit, unit) != 0)
        s++;
    return s->name ? s->name : "";
}

bool cf_unit_suffix(const char *name, size_t *stem, const char **unit)
{
    size_t len = strlen(name), longest = 0;
    for (const struct cf_unit_suffix *s = cf_unit_suffixes; s->name; s++) {
        size_t n = strlen(s->name);
        if (n > longest && n <= len && strcmp(name + len - n, s->name) == 0) {
            longest = n;
            *unit = s->unit;
        }
    }
    *stem = len - longest;
    return longest > 0 && *stem > 0;
}
