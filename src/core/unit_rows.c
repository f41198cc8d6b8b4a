/* The one table of units: symbols, prefixes, and the suffixes of column names. */

#include "core/unit_rows.h"

#define PI 3.14159265358979323846
#define POUND 0.45359237 /* kg, exact since 1959 */
#define INCH 0.0254      /* m, exact */
#define GRAVITY 9.80665  /* m/s^2, the conventional value that lbf and kgf are made of */

/* Exact names are looked up before prefix and name, so "min" is no milli-inch and "ft" no
 * femtotonne. g is the gram and nothing else. */
const struct cf_unit_symbol cf_unit_symbols[] = {
    /* name, in SI, {m, kg, s, rad}, prefix */
    {"m", 1, {1, 0, 0, 0}, true, "metre"},
    {"in", INCH, {1, 0, 0, 0}, false, "inch"},
    {"inch", INCH, {1, 0, 0, 0}, false, "inch"},
    {"ft", 12 * INCH, {1, 0, 0, 0}, false, "foot"},
    {"yd", 36 * INCH, {1, 0, 0, 0}, false, "yard"},
    {"mil", INCH / 1000, {1, 0, 0, 0}, false, "thousandth of an inch"},
    {"mi", 63360 * INCH, {1, 0, 0, 0}, false, "mile"},
    {"L", 1e-3, {3, 0, 0, 0}, true, "litre"},
    {"l", 1e-3, {3, 0, 0, 0}, true, "litre"},
    {"g", 1e-3, {0, 1, 0, 0}, true, "gram, never gravity"},
    {"t", 1e3, {0, 1, 0, 0}, false, "tonne"},
    {"lb", POUND, {0, 1, 0, 0}, false, "pound, a mass"},
    {"oz", POUND / 16, {0, 1, 0, 0}, false, "ounce, a mass"},
    {"s", 1, {0, 0, 1, 0}, true, "second"},
    {"sec", 1, {0, 0, 1, 0}, false, "second"},
    {"min", 60, {0, 0, 1, 0}, false, "minute"},
    {"h", 3600, {0, 0, 1, 0}, false, "hour"},
    {"Hz", 1, {0, 0, -1, 0}, true, "hertz, 1/s; not rad/s"},
    {"rad", 1, {0, 0, 0, 1}, true, "radian"},
    {"deg", PI / 180, {0, 0, 0, 1}, false, "degree"},
    {"\xC2\xB0", PI / 180, {0, 0, 0, 1}, false, "degree"},
    {"rev", 2 * PI, {0, 0, 0, 1}, false, "revolution"},
    {"rpm", PI / 30, {0, 0, -1, 1}, false, "revolution a minute"},
    {"mph", 63360 * INCH / 3600, {1, 0, -1, 0}, false, "mile an hour"},
    {"kph", 1 / 3.6, {1, 0, -1, 0}, false, "kilometre an hour"},
    {"gn", GRAVITY, {1, 0, -2, 0}, false, "standard gravity"},
    {"N", 1, {1, 1, -2, 0}, true, "newton"},
    {"dyn", 1e-5, {1, 1, -2, 0}, false, "dyne"},
    {"gf", GRAVITY / 1000, {1, 1, -2, 0}, false, "gram-force"},
    {"kgf", GRAVITY, {1, 1, -2, 0}, false, "kilogram-force"},
    {"lbf", POUND *GRAVITY, {1, 1, -2, 0}, false, "pound-force"},
    {"ozf", POUND *GRAVITY / 16, {1, 1, -2, 0}, false, "ounce-force"},
    {"Ns", 1, {1, 1, -1, 0}, true, "newton second"},
    {"Nm", 1, {2, 1, -2, 0}, true, "newton metre"},
    {"Ncm", 1e-2, {2, 1, -2, 0}, false, "newton centimetre"},
    {"Nmm", 1e-3, {2, 1, -2, 0}, false, "newton millimetre"},
    {"J", 1, {2, 1, -2, 0}, true, "joule"},
    {"erg", 1e-7, {2, 1, -2, 0}, false, "erg"},
    {"W", 1, {2, 1, -3, 0}, true, "watt"},
    {"Pa", 1, {-1, 1, -2, 0}, true, "pascal"},
    {"bar", 1e5, {-1, 1, -2, 0}, true, "bar"},
    {"atm", 101325, {-1, 1, -2, 0}, false, "standard atmosphere"},
    {"psi", POUND *GRAVITY / (INCH * INCH), {-1, 1, -2, 0}, false, "lbf/in^2"},
    {"ksi", 1000 * POUND *GRAVITY / (INCH * INCH), {-1, 1, -2, 0}, false, "1000 psi"},
    {"%", 1e-2, {0, 0, 0, 0}, false, "per cent"},
    {"ppm", 1e-6, {0, 0, 0, 0}, false, "per million"},
    {.name = NULL},
};

/* u, U+00B5 (micro sign) and U+03BC (mu): keyboards and spreadsheets disagree */
const struct cf_unit_prefix cf_unit_prefixes[] = {
    {"f", 1e-15}, {"p", 1e-12}, {"n", 1e-9}, {"u", 1e-6},    {"\xC2\xB5", 1e-6}, {"\xCE\xBC", 1e-6},
    {"m", 1e-3},  {"c", 1e-2},  {"d", 1e-1}, {"da", 1e1},    {"h", 1e2},         {"k", 1e3},
    {"M", 1e6},   {"G", 1e9},   {"T", 1e12}, {.name = NULL},
};

const char *const cf_common_units[] = {
    "mm",  "cm",  "km",  "um",   "nm",  "m",   "ms",  "us",  "ns",   "s",   "kg",  "mg",   "g",
    "kN",  "N",   "Pa",  "kPa",  "MPa", "GPa", "Hz",  "kHz", "MHz",  "J",   "mJ",  "kJ",   "W",
    "kW",  "rad", "deg", "mrad", "rpm", "rev", "min", "h",   "inch", "in",  "ft",  "yd",   "mil",
    "lb",  "oz",  "lbf", "ozf",  "psi", "ksi", "bar", "atm", "Nm",   "Nmm", "Ncm", "kNm",  "mNm",
    "kgf", "gf",  "Ns",  "sec",  "mph", "kph", "gn",  "dyn", "erg",  "ppm", "t",   "mbar",
};
const size_t cf_ncommon_units = sizeof cf_common_units / sizeof cf_common_units[0];

/* In a column's name an underscore divides: m_s is m/s, N_m is N/m, and a torque is Nm. Left out on
 * purpose, because columns are called so for other reasons: _in (speed_in), _min (v_min), _h, _t,
 * _bar (x_bar), _l. */
const struct cf_unit_suffix cf_unit_suffixes[] = {
    {"_m", "m"},           {"_mm", "mm"},
    {"_cm", "cm"},         {"_km", "km"},
    {"_um", "um"},         {"_\xC2\xB5m", "um"},
    {"_\xCE\xBCm", "um"},  {"_nm", "nm"},
    {"_inch", "in"},       {"_ft", "ft"},
    {"_m2", "m^2"},        {"_cm2", "cm^2"},
    {"_mm2", "mm^2"},      {"_m3", "m^3"},
    {"_cm3", "cm^3"},      {"_mm3", "mm^3"},
    {"_s", "s"},           {"_ms", "ms"},
    {"_us", "us"},         {"_\xC2\xB5s", "us"},
    {"_\xCE\xBCs", "us"},  {"_ns", "ns"},
    {"_Hz", "Hz"},         {"_kHz", "kHz"},
    {"_m_s", "m/s"},       {"_cm_s", "cm/s"},
    {"_mm_s", "mm/s"},     {"_km_h", "km/h"},
    {"_ft_s", "ft/s"},     {"_mph", "mph"},
    {"_m_s2", "m/s^2"},    {"_mm_s2", "mm/s^2"},
    {"_s_m", "s/m"},       {"_rad", "rad"},
    {"_mrad", "mrad"},     {"_deg", "deg"},
    {"_rad_s", "rad/s"},   {"_deg_s", "deg/s"},
    {"_rpm", "rpm"},       {"_rad_s2", "rad/s^2"},
    {"_kg", "kg"},         {"_g", "g"},
    {"_mg", "mg"},         {"_lb", "lb"},
    {"_oz", "oz"},         {"_kg_m2", "kg m^2"},
    {"_kg_m3", "kg/m^3"},  {"_N", "N"},
    {"_mN", "mN"},         {"_kN", "kN"},
    {"_lbf", "lbf"},       {"_Ns", "N s"},
    {"_Nm", "N m"},        {"_mNm", "mN m"},
    {"_Nmm", "N mm"},      {"_N_m", "N/m"},
    {"_N_mm", "N/mm"},     {"_N_m15", "N/m^1.5"},
    {"_N_m3", "N/m^3"},    {"_N_s", "N/s"},
    {"_Ns_m", "N s/m"},    {"_Ns_m15", "N s/m^1.5"},
    {"_Ns_m2", "N s/m^2"}, {"_Ns_m25", "N s/m^2.5"},
    {"_Pa", "Pa"},         {"_kPa", "kPa"},
    {"_MPa", "MPa"},       {"_GPa", "GPa"},
    {"_psi", "psi"},       {"_J", "J"},
    {"_mJ", "mJ"},         {"_uJ", "uJ"},
    {"_kJ", "kJ"},         {"_W", "W"},
    {"_mW", "mW"},         {"_percent", "%"},
    {"_um_s", "um/s"},     {"_nm_s", "nm/s"},
    {"_mm_min", "mm/min"}, {"_mrad_s", "mrad/s"},
    {"_uN", "uN"},         {"_nN", "nN"},
    {"_m_per_s", "m/s"},   {"_cm_per_s", "cm/s"},
    {"_mm_per_s", "mm/s"}, {"_um_per_s", "um/s"},
    {.name = NULL},
};
