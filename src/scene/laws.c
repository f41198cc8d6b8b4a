/* The laws along the normal of a contact: a force of the depth or of a volume, or a load, and a
 * target restitution. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "file/law_name.h"
#include "scene/keys.h"
#include "scene/law_keys.h"
#include "scene/parts.h"

enum { MAX_NAMES = 48 };

static bool is_normal(const struct cf_law *law)
{
    return law->family == CF_FAMILY_NORMAL;
}

static bool is_restitution(const struct cf_law *law)
{
    return law->family == CF_FAMILY_RESTITUTION;
}

static bool is_foundation(const struct cf_law *law)
{
    return law->family == CF_FAMILY_FOUNDATION;
}

/* The families of laws that a scene asks for, and what is said of other laws in their place. */
static const struct {
    bool (*is)(const struct cf_law *law);
    const char *none;              /* of any other */
    const char *other[CF_NFAMILY]; /* of those of a family */
} wanted[CF_NFAMILY] = {
    [CF_FAMILY_NORMAL] = {is_normal,
                          "gives no force along the normal",
                          {[CF_FAMILY_RESTITUTION] =
                               "predicts a restitution and no force: it can be the target e "
                               "of a law such as gonthier",
                           [CF_FAMILY_FOUNDATION] =
                               "acts on a volume of interference: put it under foundation, in "
                               "place of normal"}},
    [CF_FAMILY_RESTITUTION] = {is_restitution,
                               "is no law of restitution, such as e-linear",
                               {NULL}},
    [CF_FAMILY_FOUNDATION] = {is_foundation,
                              "does not act on a volume of interference, as winkler does",
                              {NULL}},
};

static int find_law(const struct cf_yaml *node, enum cf_family family, const struct cf_law **law,
                    struct cf_error *err)
{
    const struct cf_yaml *at;
    int status = cf_yaml_need(node, "law", &at, err);

    if (status == CF_OK)
        status = cf_law_name(at, NULL, wanted[family].is, law, err);
    if (status == CF_OK && (*law)->family != family)
        return cf_yaml_fail(at, err, "law: %s %s", (*law)->name,
                            wanted[family].other[(*law)->family]
                                ? wanted[family].other[(*law)->family]
                                : wanted[family].none);
    return status;
}

/* The names that a law takes here, with `skip` the other keys; NULL unit: no name of the law. */
static const char *unit_of(const struct cf_law *law, const char *name)
{
    const struct cf_alias *alias = cf_law_alias(law, name);
    size_t i = cf_param_find(law->param, law->nparam, name);

    if (i < law->nparam)
        return law->param[i].unit;
    if (alias)
        return alias->unit;
    for (i = 0; i < CF_SCENE_NEXTRA; i++)
        if (cf_scene_extra[i].family == law->family && strcmp(cf_scene_extra[i].name, name) == 0)
            return cf_scene_extra[i].unit;
    return NULL;
}

static size_t names_of(const struct cf_law *law, const char *known[MAX_NAMES])
{
    size_t n = 0;

    while (n < MAX_NAMES && (known[n] = cf_scene_law_key(law, n)))
        n++;
    return n;
}

/* The parameters of a law: all keys but `law`. A mapping under `e` is put into *target. */
static int read_parameters(const struct cf_yaml *node, const struct cf_law *law, double radius_m,
                           double p[], const struct cf_yaml **target, struct cf_error *err)
{
    struct cf_named given[MAX_NAMES];
    const char *known[MAX_NAMES];
    struct cf_error why = {""};
    size_t n = 0;
    int status = CF_OK;

    for (size_t i = 0; i < node->n && status == CF_OK; i++) {
        const struct cf_yaml *at = &node->item[i];
        const char *unit = unit_of(law, at->key);
        if (strcmp(at->key, "law") == 0)
            continue;
        if (!unit || n == MAX_NAMES)
            return cf_yaml_unknown(at, "key or parameter", at->key, known, names_of(law, known),
                                   err);
        given[n].name = at->key;
        if (target && strcmp(at->key, "e") == 0 && at->kind == CF_YAML_MAP) {
            *target = at;
            given[n++].value = 1; /* in range; every touch sets its own */
            continue;
        }
        status = cf_yaml_quantity(at, unit, &given[n++].value, err);
    }
    if (status == CF_OK && cf_law_params(law, given, n, radius_m, 0, p, &why))
        status = cf_yaml_fail(node, err, "%s", why.text);
    return status;
}

/* Over time: {times:, values:}. */
static int read_load_course(const struct cf_yaml *node, struct cf_contact_pair *pair,
                            struct cf_error *err)
{
    const struct cf_yaml *times, *values;
    int status = cf_schema_check(node, &cf_scene_course_schema, err);

    if (status == CF_OK)
        status = cf_yaml_need(node, "times", &times, err);
    if (status == CF_OK)
        status = cf_yaml_need(node, "values", &values, err);
    if (status == CF_OK)
        status = cf_scene_course(times, values, &pair->load, err);
    for (size_t i = 0; i < pair->load.n && status == CF_OK; i++) {
        if (!(pair->load.value[i] >= 0))
            return cf_yaml_fail(&values->item[i], err, "load: %s: it presses, or is 0",
                                values->item[i].text);
        pair->load_N = fmax(pair->load_N, pair->load.value[i]);
    }
    if (status == CF_OK && !(pair->load_N > 0))
        return cf_yaml_fail(values, err, "load: it never presses: a value above 0 is wanted");
    return status;
}

/* A force that is always there: {load:, direction:}. */
static int read_load(const struct cf_yaml *node, struct cf_contact_pair *pair, struct cf_error *err)
{
    const struct cf_yaml *load, *direction;
    int status = cf_schema_check(node, &cf_scene_load_schema, err);

    if (status == CF_OK)
        status = cf_yaml_need(node, "load", &load, err);
    if (status == CF_OK)
        status = cf_yaml_need(node, "direction", &direction, err);
    if (status == CF_OK)
        status = load->kind == CF_YAML_MAP ? read_load_course(load, pair, err)
                                           : cf_yaml_positive(load, "N", &pair->load_N, err);
    return status == CF_OK ? cf_scene_direction(direction, pair->normal, err) : status;
}

/* (1 - nu^2)/E of a body by its keys; 0: its modulus is not given. */
static int read_compliance(const struct cf_yaml *node, const char *modulus, const char *ratio,
                           double *by_Pa, struct cf_error *err)
{
    const struct cf_yaml *E = cf_yaml_get(node, modulus), *nu = cf_yaml_get(node, ratio);
    double E_Pa = (double) INFINITY, value = 0;
    int status = E ? cf_yaml_quantity(E, "Pa", &E_Pa, err) : CF_OK;

    if (status == CF_OK && nu)
        status = cf_yaml_quantity(nu, "1", &value, err);
    *by_Pa = (1 - value * value) / E_Pa;
    return status;
}

/* Two bodies share a depth as they give way, by Hertz: the second is rigid where only the modulus
 * of the first is given ([AF14] 6). */
static int read_share(const struct cf_yaml *node, struct cf_contact_pair *pair,
                      struct cf_error *err)
{
    double by_Pa[2];
    int status = read_compliance(node, "youngs_modulus_1", "poissons_ratio_1", &by_Pa[0], err);

    if (status == CF_OK)
        status = read_compliance(node, "youngs_modulus_2", "poissons_ratio_2", &by_Pa[1], err);
    if (status == CF_OK && by_Pa[0] > 0)
        pair->uneven = 0.5 * (by_Pa[0] - by_Pa[1]) / (by_Pa[0] + by_Pa[1]);
    return status;
}

/* A law with its parameters and its target. */
static int read_law(const struct cf_scene_reader *r, const struct cf_yaml *node,
                    enum cf_family family, struct cf_contact_pair *pair, struct cf_error *err)
{
    const struct cf_yaml *target = NULL;
    int status = find_law(node, family, &pair->law, err);

    if (status == CF_OK) {
        double radius_m = cf_contact_pair_radius(r->scene, pair);
        status = read_parameters(node, pair->law, radius_m, pair->p, &target, err);
    }
    if (status || !target)
        return status;
    status = find_law(target, CF_FAMILY_RESTITUTION, &pair->restitution, err);
    if (status == CF_OK)
        status = read_parameters(target, pair->restitution, (double) NAN, pair->e_param, NULL, err);
    return status;
}

int cf_scene_normal(struct cf_scene_reader *r, const struct cf_yaml *node,
                    struct cf_contact_pair *pair, struct cf_error *err)
{
    int status = cf_yaml_map(node, err);

    if (status == CF_OK && cf_yaml_get(node, "load"))
        return read_load(node, pair, err);
    if (status == CF_OK)
        status = read_law(r, node, CF_FAMILY_NORMAL, pair, err);
    return status ? status : read_share(node, pair, err);
}

/* What each of two bodies would have alone of what both have together, b of them: b/r_i. The pair's
 * is a number of the law or of the friction, or depends on the touch. */
static void tell_own(const char *what, const struct cf_param *param, const double p[],
                     const double part[2], const char *const body[2], char *words, size_t room)
{
    if (param)
        snprintf(words, room, "; its %s, %s = %.4g %s, would be %.4g in %s alone, %.4g in %s", what,
                 param->name, *p, param->unit, *p / part[0], body[0], *p / part[1], body[1]);
    else
        snprintf(words, room, "; its %s would be %.3g times as large in %s alone, %.3g times in %s",
                 what, 1 / part[0], body[0], 1 / part[1], body[1]);
}

/* Of two bodies that give way each takes its share of the volume, r_i = kv_j/(kv_i + kv_j) ([G07]
 * 4.127), and of the speed, so that it has the damping a/r_i (4.173) and the viscous friction
 * mu/r_i (4.187). Cells of one body are reported once. */
int cf_scene_shares(struct cf_scene_reader *r, const struct cf_yaml *node,
                    const struct cf_contact_pair *pair, struct cf_error *err)
{
    enum { WORDS = 300 }; /* longer names are cut */
    const struct cf_yaml *at[2] = {cf_yaml_get(node, "kv_1"), cf_yaml_get(node, "kv_2")};
    const char *const body[2] = {r->scene->body[pair->body[0]].name,
                                 r->scene->body[pair->body[1]].name};
    size_t last = r->scene->npair - 1, nfriction = pair->friction ? pair->friction->nparam : 0;
    size_t a = cf_param_find(pair->law->param, pair->law->nparam, "a");
    size_t mu = nfriction ? cf_param_find(pair->friction->param, nfriction, "mu_v") : 0;
    double kv[2] = {1, 1}, part[2];
    char damping[WORDS], friction[WORDS] = "";
    int status = CF_OK;

    if (!at[0] || !at[1] || (last > 0 && r->pair[last] == r->pair[last - 1]))
        return CF_OK;
    for (int k = 0; k < 2 && status == CF_OK; k++)
        status = cf_yaml_quantity(at[k], "N/m^3", &kv[k], err);
    if (status)
        return status;
    for (int k = 0; k < 2; k++)
        part[k] = kv[1 - k] / (kv[0] + kv[1]);
    tell_own("damping", a < pair->law->nparam ? &pair->law->param[a] : NULL, &pair->p[a], part,
             body, damping, sizeof damping);
    if (mu < nfriction)
        tell_own("friction", &pair->friction->param[mu], &pair->friction_p[mu], part, body,
                 friction, sizeof friction);
    return cf_scene_remark(
        r->file, err,
        "contact %s: kv = %.4g N/m^3, of both in series: %.3g of the volume is in "
        "%s, %.3g in %s%s%s",
        pair->name, pair->p[0], part[0], body[0], part[1], body[1], damping, friction);
}

int cf_scene_foundation(struct cf_scene_reader *r, const struct cf_yaml *node,
                        struct cf_contact_pair *pair, struct cf_error *err)
{
    int status = cf_yaml_map(node, err);

    return status ? status : read_law(r, node, CF_FAMILY_FOUNDATION, pair, err);
}
