/* Units, quantities, numbers and the unit endings of columns. The oracles are the definitions of
 * the units (SI brochure, NIST SP 811), written out here. */

#define _POSIX_C_SOURCE 200809L

#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/units.h"
#include "tap.h"

/* thousandths of a power, so that 1.5 is written 1500 */
static const struct {
    const char *text;
    double factor;
    int power[CF_NBASE];
} good[] = {
    {"m", 1, {1000, 0, 0, 0}},
    {"mm", 1e-3, {1000, 0, 0, 0}},
    {"um", 1e-6, {1000, 0, 0, 0}},
    {"\xC2\xB5m", 1e-6, {1000, 0, 0, 0}},
    {"\xCE\xBCm", 1e-6, {1000, 0, 0, 0}},
    {"in", 0.0254, {1000, 0, 0, 0}},
    {"ft", 0.3048, {1000, 0, 0, 0}},
    {"g", 1e-3, {0, 1000, 0, 0}},
    {"kg", 1, {0, 1000, 0, 0}},
    {"t", 1e3, {0, 1000, 0, 0}},
    {"lb", 0.45359237, {0, 1000, 0, 0}},
    {"oz", 0.028349523125, {0, 1000, 0, 0}},
    {"min", 60, {0, 0, 1000, 0}},
    {"h", 3600, {0, 0, 1000, 0}},
    {"kHz", 1e3, {0, 0, -1000, 0}},
    {"deg", 0.017453292519943295, {0, 0, 0, 1000}},
    {"\xC2\xB0", 0.017453292519943295, {0, 0, 0, 1000}},
    {"rpm", 0.10471975511965977, {0, 0, -1000, 1000}},
    {"rev/min", 0.10471975511965977, {0, 0, -1000, 1000}},
    {"km/h", 0.27777777777777779, {1000, 0, -1000, 0}},
    {"mph", 0.44704, {1000, 0, -1000, 0}},
    {"gn", 9.80665, {1000, 0, -2000, 0}},
    {"lbf", 4.4482216152605, {1000, 1000, -2000, 0}},
    {"psi", 6894.7572931683613, {-1000, 1000, -2000, 0}},
    {"GPa", 1e9, {-1000, 1000, -2000, 0}},
    {"N/mm^2", 1e6, {-1000, 1000, -2000, 0}},
    {"daN", 10, {1000, 1000, -2000, 0}},
    {"Nm", 1, {2000, 1000, -2000, 0}},
    {"N m", 1, {2000, 1000, -2000, 0}},
    {"N*m", 1, {2000, 1000, -2000, 0}},
    {"N.m", 1, {2000, 1000, -2000, 0}},
    {"N\xC2\xB7m", 1, {2000, 1000, -2000, 0}},
    {"N\xE2\x8B\x85m", 1, {2000, 1000, -2000, 0}},
    {"mL", 1e-6, {3000, 0, 0, 0}},
    {"%", 1e-2, {0, 0, 0, 0}},
    {"1", 1, {0, 0, 0, 0}},
    {"-", 1, {0, 0, 0, 0}},
    {"1/m", 1, {-1000, 0, 0, 0}},
    {"m/s^2", 1, {1000, 0, -2000, 0}},
    {"m/s2", 1, {1000, 0, -2000, 0}},
    {"m s-2", 1, {1000, 0, -2000, 0}},
    {"m**2", 1, {2000, 0, 0, 0}},
    {"m/s\xC2\xB2", 1, {1000, 0, -2000, 0}},
    {"m s\xE2\x81\xBB\xC2\xB9", 1, {1000, 0, -1000, 0}},
    {"m/s/s", 1, {1000, 0, -2000, 0}},
    {"N/m^1.5", 1, {-500, 1000, -2000, 0}},
    {"N/m^(3/2)", 1, {-500, 1000, -2000, 0}},
    {"N/mm^1.5", 31622.776601683792, {-500, 1000, -2000, 0}},
    {"kg m^-0.5 s^-2", 1, {-500, 1000, -2000, 0}},
    {"N s/m^2.5", 1, {-1500, 1000, -1000, 0}},
    {"kg^0.5 kg^0.25", 1, {0, 750, 0, 0}},
    {"kg/(m s^2)", 1, {-1000, 1000, -2000, 0}},
    {"(N/mm)^(1/2)", 31.622776601683793, {0, 500, -1000, 0}},
    {"s/m", 1, {-1000, 0, 1000, 0}},
    {" mm ", 1e-3, {1000, 0, 0, 0}},
};

/* What is refused, with the whole message. */
static const struct {
    const char *text, *message;
} bad[] = {
    {"", "an empty unit; write 1 for a pure number"},
    {"mn", "unknown unit \"mn\": did you mean \"mm\"?"},
    {"Mpa", "unknown unit \"Mpa\": did you mean \"MPa\"?"},
    {"KG", "unknown unit \"KG\": did you mean \"kg\"?"},
    {"N/mn", "unknown unit \"mn\" in \"N/mn\": did you mean \"mm\"?"},
    {"furlong", "unknown unit \"furlong\": \"contactfit models --units\" lists the known"},
    {"kin", "unknown unit \"kin\": did you mean \"min\"?"},
    {"N/m s", "unit \"N/m s\" is ambiguous: write \"N/(m s)\" or \"N s/m\""},
    {"N/m*s", "unit \"N/m*s\" is ambiguous: write \"N/(m s)\" or \"N s/m\""},
    {"m^3/2", "unit \"m^3/2\": a number inside; a fraction as power is written m^(3/2)"},
    {"2 m", "unit \"2 m\": a number inside; a fraction as power is written m^(3/2)"},
    {"/s", "unit \"/s\": a symbol such as m, kg or N is wanted"},
    {"m/", "unit \"m/\": a symbol such as m, kg or N is wanted"},
    {"m^", "unit \"m^\": a power is a number such as 2, -1.5 or (3/2), and not 0"},
    {"m^0", "unit \"m^0\": a power is a number such as 2, -1.5 or (3/2), and not 0"},
    {"m^(3/0)", "unit \"m^(3/0)\": a power is a number such as 2, -1.5 or (3/2), and not 0"},
    {"m^99999", "unit \"m^99999\": a power is a number such as 2, -1.5 or (3/2), and not 0"},
    {"(m", "unit \"(m\": a closing parenthesis is missing"},
    {"m)", "unit \"m)\": a closing parenthesis without an opening one"},
    {"((((((((((m", "unit \"((((((((((m\": too many parentheses"},
    {"km^9999", "unit \"km^9999\": too high a power"},
    {"m\x1b[31m", "unit \"m?[31m\": not understood; write for example N s/m^1.5"},
};

static const struct {
    const char *text, *want;
    double si;
    const char *message; /* NULL: si is right */
} quantity[] = {
    {"12.7 mm", "m", 0.0127, NULL},
    {"12.7mm", "m", 0.0127, NULL},
    {"  66 g ", "kg", 0.066, NULL},
    {"0.97 ms", "s", 0.00097, NULL},
    {"-.5", "m", -0.5, NULL},
    {"+5.", "m", 5, NULL},
    {"1e10", "N/m^1.5", 1e10, NULL},
    {"2.5 N/mm^1.5", "N/m^1.5", 79056.941504209483, NULL},
    {"50 %", "1", 0.5, NULL},
    {"3000 rpm", "rad/s", 314.15926535897933, NULL},
    {"5 N m", "J", 5, NULL},
    {"12.7 kg", "m", 0, "12.7 kg: a mass [kg] where a length [m] is wanted"},
    {"5 Hz", "rad/s", 0,
     "5 Hz: a frequency [1/s] where an angular speed [rad/s] is wanted; write rad/s, deg/s or rpm"},
    {"2 s/m", "m/s", 0,
     "2 s/m: an inverse speed [s/m] where a speed [m/s] is wanted; no reciprocal is taken"},
    {"3 g", "m/s^2", 0,
     "3 g: a mass [kg] where an acceleration [m/s^2] is wanted; g is the gram, gn is standard "
     "gravity"},
    {"3 lb", "N", 0, "3 lb: a mass [kg] where a force [N] is wanted; forces are N, kgf, lbf"},
    {"3 N/m^2.5", "N/m^1.5", 0,
     "3 N/m^2.5: a quantity in [kg/(m^1.5 s^2)] where a Hertz stiffness [N/m^1.5] is wanted"},
    {"3 m^(1/3)", "m", 0, "3 m^(1/3): a quantity in [m^(1/3)] where a length [m] is wanted"},
    {"3 mn", "m", 0, "3 mn: unknown unit \"mn\": did you mean \"mm\"?"},
    {"", "m", 0, "nothing is there: a length [m] is wanted"},
    {"mm", "m", 0, "\"mm\" is not a number"},
    {"12,7 mm", "m", 0, "\"12,7 mm\": a decimal comma; write 12.7 mm"},
    {"nan", "m", 0, "\"nan\": a finite number is wanted"},
    {"inf m", "m", 0, "\"inf m\": a finite number is wanted"},
    {"0x10", "m", 0, "\"0x10\": a decimal number is wanted, not a hexadecimal one"},
    {"1e308 km", "m", 0, "1e308 km: too large a number in m"},
    {"1.2.3", "m", 0, "\"1.2.3\" is not a number"},
};

static const struct {
    const char *text;
    char decimal;
    double value;
    const char *message;
} number[] = {
    {"0.1", '.', 0.1, NULL},
    {"-1.5e-3", '.', -1.5e-3, NULL},
    {" 7\t", '.', 7, NULL},
    {"12,7", ',', 12.7, NULL},
    {"-,5", ',', -0.5, NULL},
    {"4.9e-324", '.', 4.9e-324, NULL},
    {"12,7", '.', 0, "\"12,7\": a decimal comma; write 12.7"},
    {"12.7", ',', 0, "\"12.7\": a decimal point; write 12,7"},
    {"1,234.5", '.', 0, "\"1,234.5\": a ',' inside a number whose decimal mark is '.'"},
    {"", '.', 0, "nothing is there: a number is wanted"},
    {"NaN", '.', 0, "\"NaN\": a finite number is wanted"},
    {"-Infinity", '.', 0, "\"-Infinity\": a finite number is wanted"},
    {"0X1p3", '.', 0, "\"0X1p3\": a decimal number is wanted, not a hexadecimal one"},
    {"1e999", '.', 0, "\"1e999\" is too large a number"},
    {"1e-999", '.', 0, "\"1e-999\" is too small a number"},
    {"1e", '.', 0, "\"1e\" is not a number"},
    {"1 2", '.', 0, "\"1 2\" is not a number"},
    {"abc", '.', 0, "\"abc\" is not a number"},
    {"-", '.', 0, "\"-\" is not a number"},
    {"\xE2\x88\x92"
     "3",
     '.', 0,
     "\"\xE2\x88\x92"
     "3\": a typographic minus; write -3"},
};

static const struct {
    const char *name;
    size_t stem;
    const char *unit; /* NULL: no unit */
} suffix[] = {
    {"speed_m_s", 5, "m/s"},
    {"h0_cm", 2, "cm"},
    {"a_m_s2", 1, "m/s^2"},
    {"w_rad_s", 1, "rad/s"},
    {"k_N_m15", 1, "N/m^1.5"},
    {"torque_Nm", 6, "N m"},
    {"stiff_N_m", 5, "N/m"},
    {"E_GPa", 1, "GPa"},
    {"t_us", 1, "us"},
    {"t_\xC2\xB5s", 1, "us"},
    {"spin_rpm", 4, "rpm"},
    {"m_g", 1, "g"},
    {"peak_force_N", 10, "N"},
    {"contact_time_s", 12, "s"},
    {"speed", 0, NULL},
    {"_m_s", 0, NULL},
    {"m", 0, NULL},
    {"v_min", 0, NULL},
    {"speed_in", 0, NULL},
    {"x_bar", 0, NULL},
};

#define COUNT(table) (int) (sizeof table / sizeof table[0])

static void try_good(int i)
{
    struct cf_unit u;
    struct cf_error err = {""};
    bool right = cf_unit_parse(good[i].text, &u, &err) == CF_OK;
    for (int b = 0; right && b < CF_NBASE; b++)
        right = u.power[b].num * 1000 == good[i].power[b] * u.power[b].den;
    ok(right && fabs(u.factor / good[i].factor - 1) < 4e-16, "unit \"%s\" %s", good[i].text,
       err.text);
}

static void try_locale(void)
{
    /* a locale of commas need not be installed: then the point is what is tested */
    bool found = setlocale(LC_ALL, "de_DE.UTF-8") || setlocale(LC_ALL, "fr_FR.UTF-8");
    double x = 0;
    cf_number_parse("0.25", '.', &x, NULL);
    ok(x == 0.25, "a point is the mark in every locale%s", found ? "" : " (only C is here)");
    setlocale(LC_ALL, "C");
}

static void try_print(void)
{
    char *text = NULL;
    size_t len;
    FILE *f = open_memstream(&text, &len);
    cf_units_print(f);
    fclose(f);
    int wide = 0;
    for (char *line = text, *end; (end = strchr(line, '\n')); line = end + 1)
        wide += end - line > 80 || (end > line && end[-1] == ' ');
    ok(strstr(text, "  + g     0.001             kg            gram, never gravity\n") != NULL,
       "the table has its rows");
    ok(strstr(text, "    psi   6894.7572931684   kg/(m s^2)    lbf/in^2\n") != NULL,
       "dimensions are printed in base units");
    ok(wide == 0, "the table is at most 80 wide, without trailing blanks");
    free(text);
}

TEST(units)
{
    struct cf_error err;
    struct cf_unit u, v;

    plan(COUNT(good) + COUNT(bad) + COUNT(quantity) + COUNT(number) + COUNT(suffix) + 7);
    for (int i = 0; i < COUNT(good); i++)
        try_good(i);
    for (int i = 0; i < COUNT(bad); i++) {
        err.text[0] = '\0';
        cf_unit_parse(bad[i].text, &u, &err);
        is_str(err.text, bad[i].message, "refused unit %d", i);
    }
    for (int i = 0; i < COUNT(quantity); i++) {
        double si = 0;
        err.text[0] = '\0';
        cf_quantity_parse(quantity[i].text, quantity[i].want, &si, &err);
        if (quantity[i].message)
            is_str(err.text, quantity[i].message, "refused quantity %d", i);
        else
            ok(fabs(si - quantity[i].si) <= 2e-16 * fabs(si), "quantity \"%s\" %s",
               quantity[i].text, err.text);
    }
    for (int i = 0; i < COUNT(number); i++) {
        double x = 0;
        err.text[0] = '\0';
        cf_number_parse(number[i].text, number[i].decimal, &x, &err);
        if (number[i].message)
            is_str(err.text, number[i].message, "refused number %d", i);
        else
            ok(x == number[i].value, "number \"%s\" %s", number[i].text, err.text);
    }
    for (int i = 0; i < COUNT(suffix); i++) {
        size_t stem = 0;
        const char *unit = "";
        bool found = cf_unit_suffix(suffix[i].name, &stem, &unit);
        ok(suffix[i].unit ? found && stem == suffix[i].stem && strcmp(unit, suffix[i].unit) == 0
                          : !found,
           "column %s", suffix[i].name);
    }
    try_locale();
    try_print();
    cf_unit_parse("N/m^1.5", &u, NULL);
    cf_unit_parse("GPa mm^(1/2)", &v, NULL);
    ok(cf_unit_same_dimension(&u, &v), "half powers are compared as fractions");
    cf_unit_parse("m^0.5 m", &u, NULL);
    cf_unit_parse("m^1.5", &v, NULL);
    ok(cf_unit_same_dimension(&u, &v), "half powers add up as fractions");
    cf_unit_parse("Hz", &u, NULL);
    cf_unit_parse("rad/s", &v, NULL);
    ok(!cf_unit_same_dimension(&u, &v), "Hz is not rad/s");
    return done();
}
