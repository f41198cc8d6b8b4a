#include "report/law_style.h"

#include <string.h>

#include "report/line_style.h"

/* Laws in the order of the list of models; the first of them, which are compared most often, differ
 * in colour. No two have both colour and dash in common. */
static const struct law_row {
    const char *name;
    size_t colour, dash; /* by cf_line_colour() and cf_line_dash() */
} rows[] = {
    {"azad-featherstone", 0, 0},
    {"hunt-crossley", 1, 1},
    {"lee-wang", 5, 8},
    {"tsuji", 6, 3},
    {"linear", 4, 4},
    {"gonthier", 2, 3},
    {"hunt-crossley-e", 1, 2},
    {"lankarani-nikravesh", 3, 5},
    {"herbert-mcwhannell", 7, 4},
    {"hu-guo", 5, 6},
    {"flores", 4, 7},
    {"power", 6, 1},
    {"azad-featherstone-two-body", 0, 9},
    {"azad-featherstone-recovering", 0, 3},
    {"exponential", 6, 2},
    {"winkler", 2, 0},
    {"gonthier-volumetric", 2, 9},
    {"e-constant", 7, 2},
    {"e-linear", 6, 8},
    {"e-log", 2, 2},
    {"e-power", 3, 3},
    {"e-thornton", 5, 1},
    {"coulomb", 1, 4},
    {"viscous", 3, 6},
    {"stribeck", 2, 1},
    {"stribeck-exponential", 0, 1},
    {"stribeck-free", 4, 3},
    {"drake", 5, 2},
    {"power-viscous", 6, 4},
    {"tanh", 7, 5},
    {"clutch", 1, 0},
    {"clutch-linear", 1, 3},
    {"bristle", 2, 4},
    {"bristle-fixed", 2, 5},
    {"viscous-load", 3, 8},
    {"dahl", 5, 3},
    {"lugre", 4, 1},
    {"elasto-plastic", 3, 2},
    {"iwan-2", 6, 5},
    {"iwan-3", 6, 6},
    {"iwan-4", 6, 9},
    {"rate-state", 0, 2},
    {"rate-state-slip", 1, 6},
    {"rate-state-2", 0, 4},
    {"rate-state-slip-2", 1, 8},
    {"rigid-coulomb", 4, 0},
    {"walton", 3, 0},
    {"hydroelastic-sphere", 5, 0},
    {"hydroelastic-spheres", 5, 4},
    {"hydroelastic-cylinder", 5, 5},
    {"hydroelastic-cone", 5, 9},
};
enum { NROW = sizeof rows / sizeof *rows };

struct code {
    size_t colour, dash;
};

/* What a friction curve's name begins with: the quantity that it gives. */
static const char *without_quantity(const char *name)
{
    static const char *const prefix[] = {"mu-", "f-", "t-"};

    for (size_t i = 0; i < sizeof prefix / sizeof *prefix; i++)
        if (strncmp(name, prefix[i], strlen(prefix[i])) == 0)
            return name + strlen(prefix[i]);
    return name;
}

/* FNV-1a, a step a letter. */
static struct code of_letters(const char *name, size_t length)
{
    unsigned long hash = 2166136261u;

    for (size_t i = 0; i < length; i++)
        hash = ((hash ^ (unsigned char) name[i]) * 16777619u) & 0xffffffffu;
    return (struct code){hash % CF_LINE_COLOURS, hash / CF_LINE_COLOURS % CF_LINE_DASHES};
}

static struct code code_of(const char *name, size_t length)
{
    for (size_t i = 0; i < NROW; i++)
        if (strlen(rows[i].name) == length && strncmp(rows[i].name, name, length) == 0)
            return (struct code){rows[i].colour, rows[i].dash};
    return of_letters(name, length);
}

struct cf_style cf_law_style(const char *law)
{
    const char *name = without_quantity(law), *between = strstr(name, " + ");
    struct code code = code_of(name, between ? (size_t) (between - name) : strlen(name));

    if (between) {
        /* sums, by turns: with either law given, the other decides */
        struct code second = code_of(between + 3, strlen(between + 3));
        code.colour += second.colour;
        code.dash += second.dash;
    }
    return (struct cf_style){
        .colour = cf_line_colour(code.colour), .width = 1.6, .dash = cf_line_dash(code.dash)};
}
