/* Programs that contactfit writes no file for, and what their users do. */

#include "export/elsewhere.h"

#include <ctype.h>
#include <stddef.h>

struct elsewhere {
    const char *name, *title, *what;
};

#define DEM_PROGRAM                                                                                \
    "for each pair of materials the column e, of the design speed, as the coefficient of "         \
    "restitution, mu_S and mu_C as its frictions, and modulus_Pa, 1/E* = (1 - nu_1^2)/E_1 + "      \
    "(1 - nu_2^2)/E_2, for its elastic moduli"
#define TABLE_PROGRAM                                                                              \
    "k, n and the damping of the law for a table or formula of force over depth and speed, or "    \
    "the column e, of the design speed, where it has a coefficient of restitution"

static const struct elsewhere known[] = {
    {"rocky", "Rocky", DEM_PROGRAM},
    {"edem", "EDEM", DEM_PROGRAM},
    {"pfc", "PFC", DEM_PROGRAM},
    {"abaqus", "Abaqus", TABLE_PROGRAM},
    {"ansys", "Ansys", TABLE_PROGRAM},
    {"comsol", "COMSOL", TABLE_PROGRAM},
    {"lsdyna", "LS-DYNA", TABLE_PROGRAM},
    {"adams", "Adams", TABLE_PROGRAM},
    {"recurdyn", "RecurDyn", TABLE_PROGRAM},
    {"simpack", "Simpack", TABLE_PROGRAM},
};

/* "LS-DYNA", "ls_dyna" and "lsdyna" are the same. */
static bool is_name(const char *text, const char *name)
{
    for (; *text; text++) {
        if (*text == '-' || *text == '_' || *text == ' ')
            continue;
        if (tolower((unsigned char) *text) != *name)
            return false;
        name++;
    }
    return *name == '\0';
}

bool cf_elsewhere(const char *name, const char **title, const char **what)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (is_name(name, known[i].name)) {
            *title = known[i].title;
            *what = known[i].what;
            return true;
        }
    return false;
}
