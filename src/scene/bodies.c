/* Bodies of a scene: mass and inertia, where they are, how they move. */

#define _POSIX_C_SOURCE 200809L

#include <gsl/gsl_math.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/limits.h"
#include "core/text.h"
#include "scene/keys.h"
#include "scene/parts.h"

/* `solid` and `hollow` are of one sphere about its mass centre. */
static int read_inertia_word(const struct cf_yaml *at, const struct cf_scene_shape *shape,
                             struct cf_rigid *body, struct cf_error *err)
{
    static const char *const words[] = {"solid", "hollow"};
    static const double factor[] = {2.0 / 5, 2.0 / 3};
    const char *word = NULL;
    int status = cf_yaml_text(at, &word, err), i = 0;

    while (status == CF_OK && i < 2 && strcmp(word, words[i]) != 0)
        i++;
    if (status == CF_OK && i == 2)
        status = cf_yaml_unknown(at, "inertia", word, words, 2, err);
    if (status == CF_OK && !shape->centred)
        status = cf_yaml_fail(at, err,
                              "inertia: %s is of one sphere about the mass centre: give [Ixx, Iyy, "
                              "Izz]",
                              word);
    for (int axis = 0; axis < 3 && status == CF_OK; axis++)
        body->inertia_kg_m2[axis] = factor[i] * body->mass_kg * shape->radius_m * shape->radius_m;
    return status;
}

/* Inertia from the shape: a solid sphere, a solid box. */
static int shape_inertia(const struct cf_yaml *node, const struct cf_scene_shape *shape,
                         struct cf_rigid *body, struct cf_error *err)
{
    const double *s = shape->side_m;

    if (!shape->centred && !shape->box)
        return cf_yaml_fail_key(node, err,
                                "body %s: no inertia: give inertia: [Ixx, Iyy, Izz], or turns: "
                                "false",
                                body->name);
    for (int i = 0; i < 3; i++) {
        double b = s[(i + 1) % 3], c = s[(i + 2) % 3];
        body->inertia_kg_m2[i] = shape->box
                                     ? body->mass_kg / 12 * (b * b + c * c)
                                     : 2.0 / 5 * body->mass_kg * shape->radius_m * shape->radius_m;
    }
    return CF_OK;
}

static int read_inertia(const struct cf_yaml *node, const struct cf_scene_shape *shape,
                        struct cf_rigid *body, struct cf_error *err)
{
    const struct cf_yaml *at = cf_yaml_get(node, "inertia"), *turns = cf_yaml_get(node, "turns");
    bool free_to_turn = body->drive == CF_DRIVE_FREE;
    int status = CF_OK;

    for (int i = 0; i < 3; i++)
        body->inertia_kg_m2[i] = (double) INFINITY;
    if (turns && !free_to_turn)
        return cf_yaml_fail_key(turns, err, "turns: %s does not move by forces", body->name);
    if (turns)
        status = cf_yaml_bool(turns, &free_to_turn, err);
    if (status == CF_OK && at && !free_to_turn)
        return cf_yaml_fail_key(at, err, "inertia: %s never turns: leave it out", body->name);
    if (status || !free_to_turn)
        return status;
    if (!at)
        return shape_inertia(node, shape, body, err);
    return at->kind == CF_YAML_LIST ? cf_scene_vector(at, "kg m^2", 3, body->inertia_kg_m2, err)
                                    : read_inertia_word(at, shape, body, err);
}

/* A body that moves by forces needs a mass; for others it does not matter. */
static int read_mass(const struct cf_yaml *node, struct cf_rigid *body, struct cf_error *err)
{
    const struct cf_yaml *mass = cf_yaml_get(node, "mass");

    body->mass_kg = (double) INFINITY;
    if (mass)
        return cf_yaml_positive(mass, "kg", &body->mass_kg, err);
    if (body->drive != CF_DRIVE_FREE)
        return CF_OK;
    return cf_yaml_fail_key(node, err,
                            "body %s: no mass: give it, or state fixed: true, moving, trace or "
                            "command",
                            body->name);
}

/* Where it is and how it moves at the start. `place`, if there is one, is one of those that `many`
 * stands for. */
static int read_start(const struct cf_yaml *node, const struct cf_scene_many *many,
                      const double *place, struct cf_rigid *body, struct cf_error *err)
{
    static const struct {
        const char *key, *unit;
    } part[] = {{"position", "m"}, {"velocity", "m/s"}, {"spin", "rad/s"}};
    static const char *const drive[CF_NDRIVE] = {[CF_DRIVE_FIXED] = "fixed",
                                                 [CF_DRIVE_STEADY] = "moving",
                                                 [CF_DRIVE_RECORDED] = "trace",
                                                 [CF_DRIVE_COMMANDED] = "command"};
    double *to[] = {body->position_m, body->velocity_m_s, body->spin_rad_s};
    const struct cf_yaml *attitude = cf_yaml_get(node, "attitude");
    int status = CF_OK;

    for (int i = 0; i < 3 && status == CF_OK; i++) {
        const struct cf_yaml *at = i == 0 && place ? many->at : cf_yaml_get(node, part[i].key);
        bool says = body->drive == CF_DRIVE_FREE || (i < 2 && body->drive == CF_DRIVE_COMMANDED) ||
                    (i == 0 && body->drive != CF_DRIVE_RECORDED);
        if (at && !says)
            return cf_yaml_fail_key(at, err,
                                    "%s: the key %s states how %s moves: leave it out here",
                                    at->key, drive[body->drive], body->name);
        if (i == 0 && place)
            memcpy(body->position_m, place, sizeof body->position_m);
        else if (at)
            status = cf_scene_vector(at, part[i].unit, 3, to[i], err);
    }
    body->attitude[0] = 1;
    return status == CF_OK && attitude ? cf_scene_attitude(attitude, body->attitude, err) : status;
}

/* How far from its axis a body reaches for certain: by its balls, or by its radius of gyration. */
static double reach(const struct cf_rigid *body)
{
    double most_m = 0;

    for (size_t i = 0; i < body->nball; i++)
        most_m = fmax(most_m, fabs(body->ball[i].radius_m));
    for (int k = 0; k < 3; k++)
        if (body->drive == CF_DRIVE_FREE && isfinite(body->inertia_kg_m2[k]))
            most_m = fmax(most_m, sqrt(body->inertia_kg_m2[k] / body->mass_kg));
    return most_m;
}

static int check_spin(const struct cf_yaml *node, const struct cf_rigid *body, struct cf_error *err)
{
    const struct cf_yaml *moving = cf_yaml_get(node, "moving");
    const struct cf_yaml *spin = cf_yaml_get(moving ? moving : node, "spin");
    const double *w = body->spin_rad_s;
    struct cf_error why = {""};

    if (!spin || !cf_limits_check_spin(gsl_hypot3(w[0], w[1], w[2]), reach(body), &why))
        return CF_OK;
    return cf_yaml_fail(spin, err, "body %s: %s", body->name, why.text);
}

static int check_keys(const struct cf_yaml *node, struct cf_error *err)
{
    const char *known[CF_SCENE_SHAPE_KEYS + CF_SCENE_OTHER_KEYS];
    size_t n = cf_scene_shape_keys(known);

    for (size_t i = CF_SCENE_OWN_SHAPES; i < cf_scene_body_schema.nkey; i++)
        known[n++] = cf_scene_body_schema.key[i].name;
    int status = cf_yaml_map(node, err);
    for (size_t i = 0; i < node->n && status == CF_OK; i++) {
        size_t j = 0;
        while (j < n && strcmp(known[j], node->item[i].key) != 0)
            j++;
        if (j == n)
            status =
                cf_yaml_unknown(&node->item[i], "key or shape", node->item[i].key, known, n, err);
    }
    return status;
}

/* Body k of those that the node stands for. */
static int read_body(struct cf_scene_reader *r, const struct cf_yaml *node,
                     const struct cf_scene_many *many, size_t k, struct cf_rigid *body,
                     struct cf_error *err)
{
    struct cf_scene_shape shape = {.centred = false};
    int status = cf_scene_shapes(node, body, &shape, err);

    if (status == CF_OK)
        status = cf_scene_drive(r, node, body, err);
    if (status == CF_OK)
        status = read_mass(node, body, err);
    if (status == CF_OK)
        status = read_inertia(node, &shape, body, err);
    if (status == CF_OK)
        status = read_start(node, many, many->place ? many->place[k] : NULL, body, err);
    return status == CF_OK ? check_spin(node, body, err) : status;
}

/* All bodies that an entry stands for. */
static int read_bodies(struct cf_scene_reader *r, const struct cf_yaml *node, struct cf_error *err)
{
    struct cf_scene_many many = {.n = 1};
    char *name = NULL;
    int status = check_keys(node, err);

    if (status == CF_OK)
        status = cf_scene_name(node, node->key, &name, err);
    free(name);
    if (status == CF_OK)
        status = cf_scene_many(node, &many, err);
    for (size_t k = 0; k < many.n && status == CF_OK; k++) {
        struct cf_rigid *body = &r->scene->body[r->scene->nbody];
        r->body[r->scene->nbody++] = node;
        body->attitude[0] = 1;
        body->name = cf_scene_many_name(&many, node->key, k);
        status = body->name ? read_body(r, node, &many, k, body, err)
                            : cf_fail(err, CF_ENOMEM, "no memory for a name");
    }
    cf_scene_many_clear(&many);
    return status;
}

static const char *name_of(const void *bodies, size_t i)
{
    return ((const struct cf_rigid *) bodies)[i].name;
}

/* Numbered names may be those of other bodies. */
static int check_names(const struct cf_scene_reader *r, struct cf_error *err)
{
    size_t first, second;
    int status = cf_scene_twin(name_of, r->scene->body, r->scene->nbody, &first, &second, err);

    if (status || second == r->scene->nbody)
        return status;
    return cf_yaml_fail_key(r->body[second], err,
                            "%s: a second body %s, after the one of line %zu: give one of them "
                            "another name",
                            r->body[second]->key, r->scene->body[second].name,
                            r->body[first]->key_line);
}

int cf_scene_bodies(struct cf_scene_reader *r, const struct cf_yaml *root, struct cf_error *err)
{
    const struct cf_yaml *bodies, *chain = cf_yaml_get(root, "chain");
    size_t n = 0;
    int status = cf_yaml_need_some(root, "bodies", "ball: {sphere: {radius: 12.7 mm}, mass: 66 g}",
                                   &bodies, err);

    for (size_t i = 0; status == CF_OK && i < bodies->n; i++) {
        size_t count;
        status = cf_scene_count(&bodies->item[i], &count, err);
        n += count;
    }
    if (status)
        return status;
    r->scene->body = calloc(n + CF_MAX_LINK, sizeof *r->scene->body);
    r->body = calloc(n + CF_MAX_LINK, sizeof *r->body);
    if (!r->scene->body || !r->body)
        return cf_fail(err, CF_ENOMEM, "no memory for the bodies");
    for (size_t i = 0; i < bodies->n && status == CF_OK; i++)
        status = read_bodies(r, &bodies->item[i], err);
    if (status == CF_OK)
        status = check_names(r, err);
    return status == CF_OK && chain ? cf_scene_chain(r, chain, err) : status;
}

int cf_scene_find_body(const struct cf_scene_reader *r, const struct cf_yaml *at, size_t *body,
                       struct cf_error *err)
{
    return cf_yaml_pick(at, "body", name_of, r->scene->body, r->scene->nbody, body, err);
}
