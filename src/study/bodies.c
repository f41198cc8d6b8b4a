/* Bodies and their pairs.
 *
 * A body is a sphere, hollow (concave) or not, or a plane; where no shape is given, none is needed:
 * only Hertz and aliases with R ask for a radius. A rigid material has an infinite modulus; a
 * material that is not given is not assumed rigid.
 */

#define _POSIX_C_SOURCE 200809L

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "study/keys.h"
#include "study/parts.h"

/* "ball.yaml:5: mass: 31 kg", for who is to correct it. */
static int keep_place(const struct cf_yaml *at, char **place, struct cf_error *err)
{
    char shown[CF_SHOWN];

    *place = cf_format("%s:%zu: %s: %s", at->file, at->line, at->key, cf_show(at->text, shown));
    return *place ? CF_OK : cf_fail(err, CF_ENOMEM, "no memory for the bodies");
}

static int read_radius(const struct cf_yaml *sphere, struct cf_body *body, struct cf_error *err)
{
    const struct cf_yaml *radius, *diameter, *hollow;
    bool concave = false;
    int status = cf_schema_check(sphere, &cf_study_sphere_schema, err);

    if (status)
        return status;
    radius = cf_yaml_get(sphere, "radius");
    diameter = cf_yaml_get(sphere, "diameter");
    hollow = cf_yaml_get(sphere, "concave");
    if (!radius == !diameter)
        return cf_yaml_fail(sphere, err, "sphere: %s: one of radius and diameter is needed",
                            radius ? "both radius and diameter" : "no size");
    status = cf_yaml_positive(radius ? radius : diameter, "m", &body->radius_m, err);
    if (status == CF_OK)
        status = keep_place(radius ? radius : diameter, &body->size_at, err);
    if (status == CF_OK && hollow)
        status = cf_yaml_bool(hollow, &concave, err);
    if (diameter)
        body->radius_m /= 2;
    if (concave)
        body->radius_m = -body->radius_m;
    body->sphere = true;
    return status;
}

static int read_shape(const struct cf_yaml *node, struct cf_body *body, struct cf_error *err)
{
    const struct cf_yaml *sphere = cf_yaml_get(node, "sphere");
    const struct cf_yaml *plane = cf_yaml_get(node, "plane");

    body->radius_m = (double) INFINITY;
    if (sphere && plane)
        return cf_yaml_fail_key(plane, err, "body %s: a sphere and a plane: one of them is wanted",
                                body->name);
    if (plane)
        return cf_schema_check(plane, &cf_study_plane_schema, err);
    return sphere ? read_radius(sphere, body, err) : CF_OK;
}

static int read_mass(const struct cf_yaml *node, struct cf_body *body, struct cf_error *err)
{
    const struct cf_yaml *mass = cf_yaml_get(node, "mass"), *fixed = cf_yaml_get(node, "fixed");
    int status = fixed ? cf_yaml_bool(fixed, &body->fixed, err) : CF_OK;

    body->mass_kg = (double) INFINITY;
    if (status == CF_OK && mass)
        status = cf_yaml_positive(mass, "kg", &body->mass_kg, err);
    if (status == CF_OK && mass)
        status = keep_place(mass, &body->mass_at, err);
    if (status == CF_OK && !mass && !body->fixed)
        status = cf_yaml_fail_key(node, err, "body %s: no mass: give it, or state fixed: true",
                                  body->name);
    return status;
}

/* What takes it, as tables of pairs do, has room for that much. */
enum { MOST_OF_NAME = 63 };

static int read_material_name(const struct cf_yaml *at, struct cf_body *body, struct cf_error *err)
{
    const char *name = "";
    int status = at ? cf_yaml_text(at, &name, err) : CF_OK;

    if (!at || status)
        return status;
    if (strcspn(name, ",") != strlen(name) || !*name || strlen(name) > MOST_OF_NAME)
        return cf_yaml_fail(at, err,
                            "body %s: material: a name of 1 to %d bytes without commas is wanted, "
                            "such as steel",
                            body->name, (int) MOST_OF_NAME);
    char shown[CF_SHOWN];
    body->material = strdup(cf_show(name, shown));
    return body->material ? CF_OK : cf_fail(err, CF_ENOMEM, "no memory for the bodies");
}

static int read_material(const struct cf_yaml *node, struct cf_body *body, struct cf_error *err)
{
    const struct cf_yaml *E = cf_yaml_get(node, "youngs_modulus");
    const struct cf_yaml *nu = cf_yaml_get(node, "poissons_ratio");
    const struct cf_yaml *stiff = cf_yaml_get(node, "rigid");
    bool rigid = false;
    int status = read_material_name(cf_yaml_get(node, "material"), body, err);

    if (!status && stiff)
        status = cf_yaml_bool(stiff, &rigid, err);

    body->youngs_modulus_Pa = body->poissons_ratio = (double) NAN;
    if (status)
        return status;
    if (rigid && (E || nu))
        return cf_yaml_fail_key(E ? E : nu, err, "body %s: rigid and %s: one of them is wanted",
                                body->name, E ? E->key : nu->key);
    if (rigid) {
        body->youngs_modulus_Pa = (double) INFINITY;
        body->poissons_ratio = 0;
        return CF_OK;
    }
    if (!E != !nu)
        return cf_yaml_fail_key(E ? E : nu, err, "body %s: %s without %s: both are needed",
                                body->name, E ? E->key : nu->key,
                                E ? "poissons_ratio" : "youngs_modulus");
    if (!E)
        return CF_OK;
    status = cf_yaml_positive(E, "Pa", &body->youngs_modulus_Pa, err);
    if (status == CF_OK)
        status = keep_place(E, &body->modulus_at, err);
    if (status == CF_OK)
        status = cf_yaml_quantity(nu, "1", &body->poissons_ratio, err);
    if (status == CF_OK && !(body->poissons_ratio > -1 && body->poissons_ratio <= 0.5))
        status = cf_yaml_fail(nu, err, "poissons_ratio: %g: must be above -1 and at most 0.5",
                              body->poissons_ratio);
    return status;
}

static int read_body(const struct cf_yaml *node, struct cf_body *body, struct cf_error *err)
{
    char shown[CF_SHOWN];
    struct cf_error one;
    int status = cf_schema_check(node, &cf_study_body_schema, err);

    if (status) /* a size or mass under a wrong key is not missing as well */
        return status;
    body->name = strdup(cf_show(node->key, shown));
    if (!body->name)
        return cf_fail(err, CF_ENOMEM, "no memory for the bodies");
    status = cf_gather(err, status, read_shape(node, body, &one), &one);
    status = cf_gather(err, status, read_mass(node, body, &one), &one);
    return cf_gather(err, status, read_material(node, body, &one), &one);
}

/* A remark on each number of a body that comes without its unit. */
static int note_bare(struct cf_study *study, const struct cf_yaml *map, struct cf_error *err)
{
    static const struct {
        const char *key, *unit;
    } quantity[] = {{"mass", "kg"}, {"radius", "m"}, {"diameter", "m"}, {"youngs_modulus", "Pa"}};
    int status = CF_OK;

    for (size_t i = 0; i < map->n && !status; i++) {
        const struct cf_yaml *at = &map->item[i];
        char *end = NULL, shown[CF_SHOWN];
        if (at->kind == CF_YAML_MAP)
            status = note_bare(study, at, err);
        for (size_t k = 0; k < sizeof quantity / sizeof *quantity && !status; k++) {
            if (at->kind != CF_YAML_TEXT || strcmp(at->key, quantity[k].key) != 0)
                continue;
            if (strtod(at->text, &end) > 0 && !*end)
                status = cf_study_note(
                    study, err, "%s:%zu: %s: %s has no unit and is read as %s %s", at->file,
                    at->line, at->key, cf_show(at->text, shown), shown, quantity[k].unit);
        }
    }
    return status;
}

static int read_gravity(struct cf_study *study, const struct cf_yaml *gravity, struct cf_error *err)
{
    return gravity ? cf_yaml_positive(gravity, "m/s^2", &study->gravity_m_s2, err) : CF_OK;
}

/* Does no data set ask for masses and radii? */
static bool is_bodiless(const struct cf_study *study, const struct cf_yaml *root)
{
    const struct cf_yaml *data = cf_yaml_get(root, "data");
    size_t n = data && data->kind == CF_YAML_LIST ? data->n : 0;

    for (size_t i = 0; i < n; i++) {
        const struct cf_yaml *set = &data->item[i];
        const struct cf_yaml *at = set->kind == CF_YAML_MAP ? cf_yaml_get(set, "protocol") : NULL;
        const struct cf_protocol *protocol =
            at && at->kind == CF_YAML_TEXT ? cf_registry_protocol(study->registry, at->text) : NULL;
        if (!protocol || !protocol->bodiless)
            return false;
    }
    return n > 0;
}

int cf_study_bodies(struct cf_study *study, const struct cf_yaml *root, struct cf_error *err)
{
    const struct cf_yaml *bodies, *gravity = cf_yaml_get(root, "gravity");
    struct cf_error one;
    int status;

    study->gravity_m_s2 = 9.80665; /* the standard acceleration, CGPM 1901 */
    if (!cf_yaml_get(root, "bodies") && is_bodiless(study, root))
        return read_gravity(study, gravity, err);
    status = cf_yaml_need_some(root, "bodies", "ball: {sphere: {diameter: 42.7 mm}, mass: 45.9 g}",
                               &bodies, err);
    if (status)
        return status;
    study->body = calloc(bodies->n, sizeof *study->body);
    if (!study->body)
        return cf_fail(err, CF_ENOMEM, "no memory for the bodies");
    study->nbody = bodies->n;
    for (size_t i = 0; i < bodies->n; i++)
        status = cf_gather(err, status, read_body(&bodies->item[i], &study->body[i], &one), &one);
    if (status == CF_OK)
        status = note_bare(study, bodies, err);
    return cf_gather(err, status, read_gravity(study, gravity, &one), &one);
}

static const char *name_of(const void *bodies, size_t i)
{
    return ((const struct cf_body *) bodies)[i].name;
}

static int find_body(const struct cf_study *study, const struct cf_yaml *at,
                     const struct cf_body **body, struct cf_error *err)
{
    size_t i;
    int status = cf_yaml_pick(at, "body", name_of, study->body, study->nbody, &i, err);

    if (status == CF_OK)
        *body = &study->body[i];
    return status;
}

/* A body that the study does not name: fixed, flat, of unknown material. */
static const struct cf_body nobody = {
    .name = "(fixed)",
    .fixed = true,
    .radius_m = (double) INFINITY,
    .mass_kg = (double) INFINITY,
    .youngs_modulus_Pa = (double) NAN,
    .poissons_ratio = (double) NAN,
};

static int find_pair(const struct cf_study *study, const struct cf_yaml *set,
                     const struct cf_body *body[2], struct cf_error *err)
{
    const struct cf_yaml *between = cf_yaml_get(set, "between");
    int status;

    if (!between) {
        if (study->nbody > 2)
            return cf_yaml_fail(set, err, "%zu bodies and no key between here: which two meet?",
                                study->nbody);
        body[0] = &study->body[0];
        body[1] = study->nbody > 1 ? &study->body[1] : &nobody;
        return CF_OK;
    }
    status = cf_yaml_list(between, err);
    if (status)
        return status;
    if (between->n != 2)
        return cf_yaml_fail(between, err, "between: %zu bodies: two are wanted", between->n);
    for (size_t i = 0; i < 2 && status == CF_OK; i++)
        status = find_body(study, &between->item[i], &body[i], err);
    if (status == CF_OK && body[0] == body[1])
        status =
            cf_yaml_fail(between, err, "between: %s twice: two bodies are wanted", body[0]->name);
    return status;
}

/* The mass that resists the impact: a fixed body counts as infinite, whatever its mass. */
static double inertia_kg(const struct cf_body *body)
{
    return body->fixed ? (double) INFINITY : body->mass_kg;
}

/* That of two materials, which the softer one decides. */
static void put_modulus(const struct cf_body *const b[2], struct cf_pair *pair)
{
    bool first = b[0]->youngs_modulus_Pa < b[1]->youngs_modulus_Pa;
    const struct cf_body *soft = b[!first], *hard = b[first];
    double modulus = cf_effective_modulus(soft->youngs_modulus_Pa, soft->poissons_ratio,
                                          hard->youngs_modulus_Pa, hard->poissons_ratio);

    pair->modulus_Pa = isfinite(modulus) ? modulus : 0; /* NAN: a material is not known */
    pair->modulus_at = soft->modulus_at;
}

int cf_study_pair(const struct cf_study *study, const struct cf_yaml *set, struct cf_pair *pair,
                  struct cf_error *err)
{
    const struct cf_body *b[2] = {NULL, NULL};
    int status;

    if (!study->nbody) { /* nothing that is fitted depends on them */
        *pair = (struct cf_pair){.mass_kg = (double) INFINITY,
                                 .radius_m = (double) INFINITY,
                                 .gravity_m_s2 = study->gravity_m_s2};
        return CF_OK;
    }
    status = find_pair(study, set, b, err);

    if (status)
        return status;
    if (b[0]->fixed && b[1]->fixed)
        return cf_yaml_fail(set, err, "%s and %s are both fixed: one of them must be free to move",
                            b[0]->name, b[1]->name);
    pair->mass_kg = cf_series(inertia_kg(b[0]), inertia_kg(b[1]));
    pair->radius_m = cf_series(b[0]->radius_m, b[1]->radius_m);
    if (!(pair->radius_m > 0))
        return cf_yaml_fail(set, err,
                            "%s (radius %g m) does not fit into %s (radius %g m): a concave radius "
                            "must be the larger one",
                            b[0]->name, b[0]->radius_m, b[1]->name, b[1]->radius_m);
    put_modulus(b, pair);
    pair->gravity_m_s2 = study->gravity_m_s2;
    for (size_t i = 0; i < 2; i++) {
        if (cf_yaml_get(set, "between"))
            pair->between[i] = b[i]->name;
        bool sphere = b[i]->sphere && b[i]->radius_m > 0 && isfinite(b[i]->mass_kg);
        pair->sphere[i] = (struct cf_sphere){sphere ? b[i]->name : NULL, b[i]->mass_kg,
                                             b[i]->radius_m, b[i]->mass_at, b[i]->size_at};
    }
    return CF_OK;
}
