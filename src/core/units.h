/* Units: SI prefixes, some 50 symbols and rational exponents over m, kg, s and rad.
 *
 * A unit is a product of symbols with rational powers, "N/m^1.5", "kg m^-3", "N s/m^1.5",
 * "m/s^2", "1/m", "%", "1". A solidus divides by what stands next to it only, so "N/m s" is
 * refused as ambiguous; write "N/(m s)" or "N s/m". Half powers (N/m^1.5) are this field's units.
 * No reciprocal conversion is ever made (s/m is not m/s) and Hz is not rad/s.
 */

#ifndef CF_CORE_UNITS_H
#define CF_CORE_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "core/status.h"

enum cf_base { CF_BASE_M, CF_BASE_KG, CF_BASE_S, CF_BASE_RAD, CF_NBASE };

struct cf_ratio {
    int num, den; /* den > 0, reduced */
};

struct cf_unit {
    double factor; /* value in SI = value in this unit * factor */
    struct cf_ratio power[CF_NBASE];
};

/* Parse a unit. The message names the symbol that is not known and the nearest one. */
int cf_unit_parse(const char *text, struct cf_unit *unit, struct cf_error *err);

/* Do both measure the same kind of thing, whatever their factors? */
bool cf_unit_same_dimension(const struct cf_unit *a, const struct cf_unit *b);

/* value * factor, rounded once where the factor is a whole part such as 1/1000. */
double cf_unit_to_si(double value, const struct cf_unit *unit);

/* Convert a number with its unit, "12.7 mm", to SI. `want` is the SI unit that is asked for; a
 * bare number is in `want`. The message names the thing, what was found and what is allowed:
 * "12.7 kg: a mass where a length [m] is wanted". `text` must be consumed whole; NaN, Inf and
 * hexadecimal numbers are refused; the decimal mark is a point whatever the locale. Where `want`
 * has a letter in its exponent, "N/m^n", no unit can be checked: only a bare number is taken. */
int cf_quantity_parse(const char *text, const char *want, double *si, struct cf_error *err);

/* Parse text[0..len) wholly as a finite decimal number (no unit); `decimal` is '.' or ','. */
int cf_number_parse(const char *text, char decimal, double *value, struct cf_error *err);

/* Split a column name that ends in a listed unit suffix: "speed_m_s" gives the stem length 5 and
 * "m/s", "h0_cm" gives 2 and "cm". False when the name ends in none, or is nothing but one. */
bool cf_unit_suffix(const char *name, size_t *stem, const char **unit);

/* The ending of a column's name that stands for an SI unit, "_m_s" of "m/s"; "" where none does. */
const char *cf_unit_ending(const char *unit);

/* Print the table of symbols, prefixes and suffixes, as `contactfit models --units` shows it. */
void cf_units_print(FILE *out);

#endif
