/* Units as people read them: a dimension in base units, and the whole table. */

#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "core/unit_rows.h"

static const char *const base_name[CF_NBASE] = {
    [CF_BASE_M] = "m", [CF_BASE_KG] = "kg", [CF_BASE_S] = "s", [CF_BASE_RAD] = "rad"};

/* as people write it: kg m^2/s^2 */
static const enum cf_base order[CF_NBASE] = {CF_BASE_RAD, CF_BASE_KG, CF_BASE_M, CF_BASE_S};

/* Append "m^1.5 s" for the bases whose power has the sign; returns how many there were. */
static int append_side(const struct cf_unit *unit, int sign, char out[CF_UNIT_TEXT])
{
    int count = 0;
    for (int i = 0; i < CF_NBASE; i++) {
        struct cf_ratio r = unit->power[order[i]];
        int num = sign * r.num;
        char *end = out + strlen(out);
        size_t room = CF_UNIT_TEXT - (size_t) (end - out);
        if (num <= 0)
            continue;
        const char *gap = count++ ? " " : "", *name = base_name[order[i]];
        if (num == r.den)
            snprintf(end, room, "%s%s", gap, name);
        else if (1000 % r.den == 0)
            snprintf(end, room, "%s%s^%g", gap, name, (double) num / r.den);
        else
            snprintf(end, room, "%s%s^(%d/%d)", gap, name, num, r.den);
    }
    return count;
}

const char *cf_unit_base_text(const struct cf_unit *unit, char out[CF_UNIT_TEXT])
{
    char below[CF_UNIT_TEXT] = "";
    out[0] = '\0';
    int above = append_side(unit, 1, out), count = append_side(unit, -1, below);
    if (above == 0)
        snprintf(out, CF_UNIT_TEXT, "1");
    if (count) {
        size_t used = strlen(out);
        snprintf(out + used, CF_UNIT_TEXT - used, count > 1 ? "/(%s)" : "/%s", below);
    }
    return out;
}

/* Text padded to a width in characters, not bytes. */
static void print_padded(FILE *out, const char *text, size_t width)
{
    size_t w = cf_utf8_width(text);
    fprintf(out, "%s%*s", text, (int) (w < width ? width - w : 0), "");
}

static void print_symbols(FILE *out)
{
    fprintf(out, "UNITS   (+ takes a prefix)\n");
    for (const struct cf_unit_symbol *s = cf_unit_symbols; s->name; s++) {
        struct cf_unit unit;
        char base[CF_UNIT_TEXT];
        if (cf_unit_parse(s->name, &unit, NULL) != CF_OK)
            continue;
        fprintf(out, "  %c ", s->prefix ? '+' : ' ');
        print_padded(out, s->name, 6);
        fprintf(out, "%-18.14g", s->factor);
        print_padded(out, cf_unit_base_text(&unit, base), 14);
        fprintf(out, "%s\n", s->what);
    }
}

static void print_prefixes(FILE *out)
{
    enum { ACROSS = 8 };
    int n = 0;
    fprintf(out, "\nPREFIXES");
    for (const struct cf_unit_prefix *x = cf_unit_prefixes; x->name; x++, n++)
        fprintf(out, "%s%s=%g", n % ACROSS ? "  " : "\n    ", x->name, x->factor);
    fprintf(out, "\n    micro is u, the micro sign U+00B5 or the Greek letter U+03BC\n");
}

static void print_suffixes(FILE *out)
{
    enum { ACROSS = 3 };
    fprintf(out, "\nCOLUMN NAMES   speed_m_s is \"speed\" in m/s, as is speed [m/s]; endings:\n");
    for (const struct cf_unit_suffix *s = cf_unit_suffixes; s->name; s++) {
        bool last = (s + 1 - cf_unit_suffixes) % ACROSS == 0 || !s[1].name;
        fprintf(out, "    ");
        print_padded(out, s->name, 10);
        print_padded(out, s->unit, last ? 0 : 11);
        fprintf(out, last ? "\n" : "");
    }
}

void cf_units_print(FILE *out)
{
    print_symbols(out);
    print_prefixes(out);
    fprintf(out,
            "\nPRODUCTS AND POWERS\n"
            "    N/m^1.5   N s/m^(3/2)   kg/(m s^2)   N*m   m s^-2   m/s\xC2\xB2   1/s   1   %%\n"
            "    A \"/\" divides by the one symbol or parenthesis after it: N/m s is refused.\n"
            "    No reciprocal is taken (s/m is not m/s), and Hz is not rad/s.\n");
    print_suffixes(out);
}
