/* The curves of a figure file: laws, their parameters, and errors in them. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "figure/keys.h"
#include "figure/law_figure_parts.h"
#include "file/law_name.h"

enum { MAX_NAMES = 32 };

static bool is_among(const char *word, const char *const words[], size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(word, words[i]) == 0)
            return true;
    return false;
}

static bool is_key(const char *word, const struct cf_schema *schema)
{
    for (size_t i = 0; i < schema->nkey; i++)
        if (strcmp(word, schema->key[i].name) == 0)
            return true;
    return false;
}

static size_t count(const char *const words[])
{
    size_t n = 0;
    while (words && words[n])
        n++;
    return n;
}

static int read_law(const struct cf_yaml *node, const struct cf_law **law, struct cf_error *err)
{
    const struct cf_yaml *at;
    int status = cf_yaml_need(node, "law", &at, err);

    return status ? status : cf_law_name(at, NULL, NULL, law, err);
}

/* k from the bodies' materials and radii. */
static int read_hertz(const struct cf_yaml *at, const struct cf_pair *pair, double *k,
                      struct cf_error *err)
{
    if (strcmp(at->key, "k") != 0)
        return cf_yaml_fail(at, err, "%s: hertz gives k and nothing else", at->key);
    if (!pair)
        return cf_yaml_fail(at, err, "k: hertz needs bodies here, with their radii and moduli");
    if (!(pair->modulus_Pa > 0))
        return cf_yaml_fail(at, err,
                            "k: hertz needs youngs_modulus and poissons_ratio of both bodies, or "
                            "of one and rigid: true of the other");
    if (!isfinite(pair->radius_m))
        return cf_yaml_fail(at, err, "k: hertz needs a sphere among the bodies");
    *k = cf_hertz_stiffness(pair->modulus_Pa, pair->radius_m);
    return CF_OK;
}

static int read_named(const struct cf_law *law, const struct cf_yaml *at,
                      const struct cf_schema *skip, const struct cf_pair *pair,
                      struct cf_named *named, bool *hertz, struct cf_error *err)
{
    const struct cf_alias *alias = cf_law_alias(law, at->key);
    size_t i = cf_param_find(law->param, law->nparam, at->key), n = 0;
    const char *known[MAX_NAMES];

    for (size_t j = 0; j < skip->nkey; j++)
        known[n++] = skip->key[j].name;
    for (size_t j = 0; j < law->nparam && n < MAX_NAMES; j++)
        known[n++] = law->param[j].name;
    for (size_t j = 0; j < law->nalias && n < MAX_NAMES; j++)
        known[n++] = law->alias[j].name;
    if (i == law->nparam && !alias)
        return cf_yaml_unknown(at, "key or parameter", at->key, known, n, err);
    named->name = at->key;
    if (at->kind == CF_YAML_TEXT && strcmp(at->text, "hertz") == 0) {
        *hertz = true;
        return read_hertz(at, pair, &named->value, err);
    }
    return cf_yaml_quantity(at, alias ? alias->unit : law->param[i].unit, &named->value, err);
}

int cf_drawing_law(const struct cf_yaml *node, const struct cf_schema *skip,
                   const char *const own[], const struct cf_pair *pair, const struct cf_law **law,
                   double p[], bool *hertz, struct cf_error *err)
{
    struct cf_named given[MAX_NAMES];
    size_t n = 0;
    int status = cf_yaml_map(node, err);

    *hertz = false;
    if (status == CF_OK)
        status = read_law(node, law, err);
    for (size_t i = 0; i < node->n && status == CF_OK; i++) {
        const struct cf_yaml *at = &node->item[i];
        if (is_key(at->key, skip))
            continue;
        if (is_among(at->key, own, count(own)))
            return cf_yaml_fail_key(at, err, "%s: a figure of this kind sets it: leave it out",
                                    at->key);
        if (n == MAX_NAMES)
            return cf_yaml_fail_key(at, err, "more than %d parameters", MAX_NAMES);
        status = read_named(*law, at, skip, pair, &given[n++], hertz, err);
    }
    if (status == CF_OK) {
        status = cf_law_params(*law, given, n, pair ? pair->radius_m : (double) NAN, 1, p, err);
        status = status ? cf_yaml_blame(node, (*law)->name, status, err) : CF_OK;
    }
    return status;
}

/* Every parameter that the curve depends on, and the mass where it does. */
static int check_complete(const struct cf_drawing *drawing, const struct cf_drawn *curve,
                          const struct cf_yaml *node, struct cf_error *err)
{
    const struct cf_drawing_kind *kind = drawing->kind;
    const struct cf_law *law = curve->law;
    double k_power = 0, mass_power = 0;
    bool forces = law->family == CF_FAMILY_NORMAL, groups = false;

    if (forces && kind->any_k)
        groups = cf_impact_group(law, &k_power, &mass_power);
    for (size_t i = 0; i < law->nparam; i++) {
        bool idle = groups && i == cf_law_k(law) && k_power == 0;
        if (isnan(curve->p[i]) && !idle &&
            !is_among(law->param[i].name, kind->own, count(kind->own)))
            return cf_yaml_fail(node, err, "%s needs %s [%s] (%s)", law->name, law->param[i].name,
                                law->param[i].unit, law->param[i].what);
    }
    if (isnan(curve->mass_kg) && forces && (!groups || mass_power != 0))
        return cf_yaml_fail(node, err,
                            "%s needs the mass that bounces: give mass, here or beside the curves, "
                            "or bodies",
                            law->name);
    return CF_OK;
}

/* Which parameter is to be fitted to the points. */
static int read_tuned(const struct cf_drawing *drawing, struct cf_drawn *curve,
                      const struct cf_yaml *at, struct cf_error *err)
{
    const char *known[CF_MAX_PARAM], *name = NULL;
    const struct cf_law *law = curve->law;
    int status = cf_yaml_text(at, &name, err);

    if (status)
        return status;
    if (!drawing->kind->tunable)
        return cf_yaml_fail_key(at, err, "fit: curves of a figure of kind %s are not fitted",
                                drawing->kind->name);
    curve->tune = true;
    curve->tuned = cf_param_find(law->param, law->nparam, name);
    for (size_t i = 0; i < law->nparam; i++)
        known[i] = law->param[i].name;
    if (curve->tuned == law->nparam)
        return cf_yaml_unknown(at, "parameter", name, known, law->nparam, err);
    if (isnan(curve->p[curve->tuned]))
        return cf_yaml_fail(at, err, "fit: %s has no value to start from: give it, too", name);
    return CF_OK;
}

static int read_clamp(struct cf_drawn *curve, const struct cf_yaml *at, struct cf_error *err)
{
    bool clamp = true;
    int status = cf_yaml_bool(at, &clamp, err);

    curve->pulls = !clamp;
    if (status == CF_OK && curve->pulls && curve->law->n != 1)
        status = cf_yaml_fail_key(at, err,
                                  "clamp: false is for the law linear: the force of %s is never "
                                  "drawn without its clamp",
                                  curve->law->name);
    return status;
}

static int read_speed(const struct cf_drawing *drawing, struct cf_drawn *curve,
                      const struct cf_yaml *node, struct cf_error *err)
{
    const struct cf_yaml *speed = cf_yaml_get(node, "speed"), *clamp = cf_yaml_get(node, "clamp");
    int status = CF_OK;

    curve->speed_m_s = (double) NAN;
    if (!drawing->kind->by_speed && (speed || clamp))
        return cf_yaml_fail_key(speed ? speed : clamp, err,
                                "%s: a curve of a figure of kind %s has none",
                                speed ? "speed" : "clamp", drawing->kind->name);
    if (drawing->kind->by_speed)
        status = cf_yaml_need(node, "speed", &speed, err);
    if (status == CF_OK && speed)
        status = cf_yaml_positive(speed, "m/s", &curve->speed_m_s, err);
    return status == CF_OK && clamp ? read_clamp(curve, clamp, err) : status;
}

static int read_curve(struct cf_drawing *drawing, const struct cf_drawn_panel *panel,
                      struct cf_curves *curves, const struct cf_yaml *node, struct cf_drawn *curve,
                      struct cf_error *err)
{
    const struct cf_yaml *at;
    const char *wrong;
    int status = cf_drawing_law(node, &cf_drawing_curve_schema, drawing->kind->own,
                                panel->has_pair ? &panel->pair : NULL, &curve->law, curve->p,
                                &curve->hertz, err);

    if (status)
        return status;
    wrong = drawing->kind->refuses(curve->law);
    if (wrong)
        return cf_yaml_fail(cf_yaml_get(node, "law"), err, "law %s in a figure of kind %s: %s",
                            curve->law->name, drawing->kind->name, wrong);
    curve->mass_kg = panel->mass_kg;
    if ((at = cf_yaml_get(node, "mass")))
        status = cf_yaml_positive(at, "kg", &curve->mass_kg, err);
    if (status == CF_OK)
        status = read_speed(drawing, curve, node, err);
    if (status == CF_OK && (at = cf_yaml_get(node, "fit")))
        status = read_tuned(drawing, curve, at, err);
    if (status == CF_OK)
        status = check_complete(drawing, curve, node, err);
    if (status)
        return status;
    if (curve->tune && panel->points.file)
        status = cf_drawing_tune(curves, drawing->kind, &panel->points, curve, err);
    if (status == CF_OK)
        status = drawing->kind->trace(curves, drawing, curve, err);
    return status ? cf_yaml_blame(node, curve->law->name, status, err) : CF_OK;
}

int cf_drawing_curves(struct cf_drawing *drawing, struct cf_drawn_panel *panel,
                      struct cf_curves *curves, const struct cf_yaml *node, struct cf_error *err)
{
    const struct cf_yaml *list;
    int status = cf_yaml_need(node, "curves", &list, err);

    if (status == CF_OK)
        status = cf_yaml_list(list, err);
    if (status == CF_OK && (list->n == 0 || list->n > CF_MAX_DRAWN))
        status =
            cf_yaml_fail(list, err, "curves: %zu: from 1 to %d are wanted", list->n, CF_MAX_DRAWN);
    if (status)
        return status;
    panel->curve = calloc(list->n, sizeof *panel->curve);
    if (!panel->curve)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu curves", list->n);
    for (size_t i = 0; i < list->n && status == CF_OK; i++)
        status =
            read_curve(drawing, panel, curves, &list->item[i], &panel->curve[panel->ncurve++], err);
    return status;
}
