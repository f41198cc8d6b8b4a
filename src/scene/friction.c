/* Friction of a contact: its law, what stands in for parameters that are not given, and its form
 * over a volume of interference. */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "scene/keys.h"
#include "scene/parts.h"

enum { MAX_LAWS = 64, MAX_NAMES = 48 };

static int find_friction(const struct cf_yaml *node, const struct cf_friction_law **law,
                         struct cf_error *err)
{
    const char *known[MAX_LAWS], *name = NULL;
    const struct cf_yaml *at;
    size_t n = 0;
    int status = cf_yaml_need(node, "law", &at, err);

    if (status == CF_OK)
        status = cf_yaml_text(at, &name, err);
    if (status)
        return status;
    *law = cf_friction_find(name);
    for (; cf_friction_laws[n] && n < MAX_LAWS; n++)
        known[n] = cf_friction_laws[n]->name;
    return *law ? CF_OK : cf_yaml_unknown(at, "friction law", name, known, n, err);
}

/* Which substitutes for parameters the file asks for. */
static int read_help(const struct cf_scene_reader *r, const struct cf_yaml *node,
                     const struct cf_contact_pair *pair, struct cf_friction_help *help,
                     struct cf_error *err)
{
    const char *const *const assumptions = cf_scene_assumption;
    const struct cf_yaml *from = cf_yaml_get(node, "from-normal");
    const struct cf_yaml *assume = cf_yaml_get(node, "assume");
    const double *g = r->scene->gravity_m_s2;
    const char *word = NULL;
    int status = from ? cf_yaml_bool(from, &help->from_normal, err) : CF_OK;

    help->normal = pair->law;
    help->normal_p = pair->p;
    help->gravity_m_s2 = sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
    if (status || !assume)
        return status;
    status = cf_yaml_text(assume, &word, err);
    if (status == CF_OK && strcmp(word, assumptions[0]) != 0)
        status = cf_yaml_unknown(assume, "assumption", word, assumptions, CF_NASSUMPTION, err);
    help->assume = true;
    return status;
}

/* How friction over a volume is shared between sliding and spinning. */
static int read_contensou(const struct cf_yaml *node, struct cf_contact_pair *pair,
                          struct cf_error *err)
{
    const char *const *const names = cf_scene_pressure;
    static const double power[CF_NPRESSURE] = {NAN, 0, 0.5, 1};
    const struct cf_yaml *at = cf_yaml_get(node, "contensou");
    const struct cf_yaml *factor = cf_yaml_get(node, "spin-factor");
    const char *name = names[0];
    size_t i = 0;
    int status = at ? cf_yaml_text(at, &name, err) : CF_OK;

    if (status == CF_OK && (at || factor) && !cf_pair_is_patch(pair))
        return cf_yaml_fail_key(at ? at : factor, err,
                                "%s: only a contact with a foundation spins as an area does",
                                at ? at->key : factor->key);
    while (i < CF_NPRESSURE && strcmp(names[i], name) != 0)
        i++;
    if (status == CF_OK && i == CF_NPRESSURE)
        status = cf_yaml_unknown(at, "pressure", name, names, CF_NPRESSURE, err);
    if (status == CF_OK)
        pair->pressure_power = power[i];
    pair->spin_factor = 1;
    return status == CF_OK && factor ? cf_yaml_positive(factor, "1", &pair->spin_factor, err)
                                     : status;
}

/* A load has no depth. */
static int under_load(const struct cf_yaml *node, const struct cf_contact_pair *pair,
                      struct cf_error *err)
{
    struct cf_error why = {""};

    return cf_friction_check_load(pair->friction, "load", &why)
               ? cf_yaml_fail(cf_yaml_get(node, "law"), err, "%s", why.text)
               : CF_OK;
}

/* Over a volume a law has another form. */
static int over_area(const struct cf_yaml *node, struct cf_contact_pair *pair, struct cf_error *err)
{
    const char *known[MAX_LAWS];
    size_t n = 0;

    for (size_t i = 0; cf_friction_laws[i] && n < MAX_LAWS; i++)
        if (cf_friction_laws[i]->over_area)
            known[n++] = cf_friction_laws[i]->name;
    if (!pair->friction->over_area)
        return cf_yaml_unknown(cf_yaml_get(node, "law"), "friction law over a volume",
                               pair->friction->name, known, n, err);
    pair->friction = pair->friction->over_area;
    return CF_OK;
}

static int read_friction_names(const struct cf_yaml *node, const struct cf_friction_law *law,
                               struct cf_named given[MAX_NAMES], size_t *n, struct cf_error *err)
{
    enum { NOWN = CF_SCENE_FRICTION_KEYS };
    const struct cf_schema_key *const own = cf_scene_friction_schema.key;
    const char *known[NOWN + CF_MAX_PARAM + 1];
    size_t nknown = NOWN + cf_friction_names(law, known + NOWN);
    int status = CF_OK;

    for (int j = 0; j < NOWN; j++)
        known[j] = own[j].name;
    *n = 0;
    for (size_t i = 0; i < node->n && status == CF_OK; i++) {
        const struct cf_yaml *at = &node->item[i];
        const char *unit = cf_friction_unit(law, at->key);
        bool is_own = false;
        for (int j = 0; j < NOWN; j++)
            is_own |= strcmp(at->key, own[j].name) == 0;
        if (is_own)
            continue;
        if (!unit || *n == MAX_NAMES)
            return cf_yaml_unknown(at, "key or parameter", at->key, known, nknown, err);
        given[*n].name = at->key;
        status = cf_yaml_quantity(at, unit, &given[(*n)++].value, err);
    }
    return status;
}

/* What was assumed is reported wherever the scene is. */
static int remark(struct cf_scene_file *file, const struct cf_contact_pair *pair,
                  const struct cf_friction_given *given, struct cf_error *err)
{
    const struct cf_friction_law *law = pair->friction;
    char list[600] = "";
    size_t used = 0, n = 0;

    for (size_t i = 0; i < law->nparam; i++) {
        const char *unit = law->param[i].unit;
        bool pure = strcmp(unit, "1") == 0;
        if (given->origin[i] == CF_FRICTION_ASSUMED && used < sizeof list)
            used += (size_t) snprintf(list + used, sizeof list - used, "%s%s = %.4g%s%s",
                                      n++ ? ", " : "", law->param[i].name, pair->friction_p[i],
                                      pure ? "" : " ", pure ? "" : unit);
    }
    return n ? cf_scene_remark(
                   file, err,
                   "contact %s: assumed, as Gonthier 2007 (3.3.2) advises where nothing "
                   "was measured: %s",
                   pair->name, list)
             : CF_OK;
}

int cf_scene_friction(struct cf_scene_reader *r, const struct cf_yaml *node,
                      struct cf_contact_pair *pair, struct cf_error *err)
{
    struct cf_named given[MAX_NAMES];
    struct cf_friction_help help = {.normal = NULL};
    struct cf_friction_given origin;
    struct cf_error why = {""};
    size_t n = 0;
    int status = cf_yaml_map(node, err);

    if (status == CF_OK)
        status = find_friction(node, &pair->friction, err);
    if (status == CF_OK && !pair->law)
        status = under_load(node, pair, err);
    if (status == CF_OK)
        status = read_contensou(node, pair, err);
    if (status == CF_OK && cf_pair_is_patch(pair))
        status = over_area(node, pair, err);
    if (status == CF_OK)
        status = read_help(r, node, pair, &help, err);
    if (status == CF_OK)
        status = read_friction_names(node, pair->friction, given, &n, err);
    if (status == CF_OK &&
        cf_friction_params(pair->friction, given, n, &help, pair->friction_p, &origin, &why))
        status = cf_yaml_fail(node, err, "%s", why.text);
    /* the corners of a box are reported once */
    size_t last = r->scene->npair - 1;
    bool known = last > 0 && r->pair[last] == r->pair[last - 1];
    return status == CF_OK && !known ? remark(r->file, pair, &origin, err) : status;
}
