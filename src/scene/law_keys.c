/* The names that stand beside a law in a scene. */

#include "scene/law_keys.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "law/friction.h"
#include "law/rigid_friction.h"

const struct cf_scene_extra cf_scene_extra[CF_SCENE_NEXTRA] = {
    {CF_FAMILY_NORMAL, "youngs_modulus_1", "Pa"},
    {CF_FAMILY_NORMAL, "youngs_modulus_2", "Pa"},
    {CF_FAMILY_NORMAL, "poissons_ratio_1", "1"},
    {CF_FAMILY_NORMAL, "poissons_ratio_2", "1"},
    {CF_FAMILY_NORMAL, "radius_1", "m"},
    {CF_FAMILY_NORMAL, "radius_2", "m"},
    {CF_FAMILY_NORMAL, "pivot", "m"},
    {CF_FAMILY_FOUNDATION, "kv_1", "N/m^3"},
    {CF_FAMILY_FOUNDATION, "kv_2", "N/m^3"},
};

const char *cf_scene_law_key(const struct cf_law *law, size_t i)
{
    if (i == 0)
        return "law";
    if (--i < law->nparam)
        return law->param[i].name;
    if ((i -= law->nparam) < law->nalias)
        return law->alias[i].name;
    i -= law->nalias;
    for (size_t j = 0; j < CF_SCENE_NEXTRA; j++)
        if (cf_scene_extra[j].family == law->family && i-- == 0)
            return cf_scene_extra[j].name;
    return NULL;
}

void cf_schema_note_of(const struct cf_param *row, struct cf_schema_note *out)
{
    snprintf(out->unit, sizeof out->unit, "%s", row->unit);
    out->lower = row->lower;
    out->upper = row->upper;
    out->what = row->what;
}

/* Of a name that has no range of its own. */
static void note_unit(const char *unit, const char *what, struct cf_schema_note *out)
{
    snprintf(out->unit, sizeof out->unit, "%s", unit);
    out->what = what;
}

void cf_scene_law_note(const struct cf_law *law, size_t i, struct cf_schema_note *out)
{
    if (i == 0)
        return;
    if (--i < law->nparam) {
        cf_schema_note_of(&law->param[i], out);
        return;
    }
    if ((i -= law->nparam) < law->nalias) {
        note_unit(law->alias[i].unit, law->alias[i].what, out);
        return;
    }
    i -= law->nalias;
    for (size_t j = 0; j < CF_SCENE_NEXTRA; j++)
        if (cf_scene_extra[j].family == law->family && i-- == 0)
            note_unit(cf_scene_extra[j].unit, "", out);
}

/* Is a unit one of those divided by " or "? */
static bool has_unit(const char *units, const char *unit)
{
    static const char between[] = " or ";
    size_t n = strlen(unit);

    for (const char *next; *units; units = next) {
        const char *end = strstr(units, between);
        size_t length = end ? (size_t) (end - units) : strlen(units);
        if (length == n && strncmp(units, unit, n) == 0)
            return true;
        next = end ? end + sizeof between - 1 : units + length;
    }
    return false;
}

static void add_unit(const char *unit, struct cf_schema_note *out)
{
    size_t used = strlen(out->unit);

    if (!has_unit(out->unit, unit))
        snprintf(out->unit + used, sizeof out->unit - used, "%s%s", used ? " or " : "", unit);
}

/* One more row of that name, or where row is NULL an alias, which has no range. */
static void add_row(const struct cf_param *row, const struct cf_alias *alias, size_t n,
                    struct cf_schema_note *out)
{
    const char *what = row ? row->what : alias->what;

    add_unit(row ? row->unit : alias->unit, out);
    if (n == 0)
        out->what = what;
    else if (strcmp(what, out->what) != 0)
        out->what = ""; /* laws differ in what it is */
    out->lower = !row ? (double) -INFINITY : n == 0 ? row->lower : fmin(out->lower, row->lower);
    out->upper = !row ? (double) INFINITY : n == 0 ? row->upper : fmax(out->upper, row->upper);
}

void cf_schema_note_parameter(const char *name, struct cf_schema_note *out)
{
    size_t n = 0;

    for (const struct cf_law *const *l = cf_laws; *l; l++) {
        size_t i = cf_param_find((*l)->param, (*l)->nparam, name);
        const struct cf_alias *alias = cf_law_alias(*l, name);
        if (i < (*l)->nparam)
            add_row(&(*l)->param[i], NULL, n++, out);
        else if (alias)
            add_row(NULL, alias, n++, out);
    }
    for (int rigid = 0; rigid < 2; rigid++) {
        const struct cf_friction_law *const *l = rigid ? cf_rigid_friction_laws : cf_friction_laws;
        for (; *l; l++) {
            size_t i = cf_param_find((*l)->param, (*l)->nparam, name);
            if (i < (*l)->nparam)
                add_row(&(*l)->param[i], NULL, n++, out);
        }
    }
}
