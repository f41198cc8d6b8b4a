/* Contacts of a scene. */

#define _POSIX_C_SOURCE 200809L

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "scene/keys.h"
#include "scene/parts.h"

static struct cf_contact_pair *add_pair(struct cf_scene_reader *r, const struct cf_yaml *node)
{
    struct cf_scene *scene = r->scene;

    if (scene->npair == r->room) {
        size_t room = r->room ? 2 * r->room : 8;
        struct cf_contact_pair *pair = realloc(scene->pair, room * sizeof *pair);
        const struct cf_yaml **at;
        if (!pair)
            return NULL;
        scene->pair = pair;
        at = realloc(r->pair, room * sizeof *at);
        if (!at)
            return NULL;
        r->pair = at;
        r->room = room;
    }
    r->pair[scene->npair] = node;
    scene->pair[scene->npair] = (struct cf_contact_pair){.name = NULL};
    return &scene->pair[scene->npair++];
}

/* One of the parts of a body by its number from 1; without one, the only one there is, or `all`. */
static int choose(const struct cf_yaml *node, const char *key, const char *what, const char *body,
                  size_t n, bool all, size_t *first, size_t *count, struct cf_error *err)
{
    const struct cf_yaml *at = cf_yaml_get(node, key), *between = cf_yaml_get(node, "between");
    unsigned long long index = 1;
    int status;

    if (n == 0)
        return cf_yaml_fail(between, err, "between: %s has no %s", body, what);
    if (!at && n > 1 && !all)
        return cf_yaml_fail(node, err, "%s has %zu %ss: state which one with %s, from 1 to %zu",
                            body, n, what, key, n);
    status = at ? cf_yaml_whole(at, 1, n, &index, err) : CF_OK;
    *first = (size_t) index - 1;
    *count = at ? 1 : n;
    return status;
}

/* The parts of a body that a contact is about: balls or solids, or its cells. */
struct parts {
    const struct cf_rigid *body;
    bool cells, several;
    size_t first, count;
};

/* With a foundation a body touches with its cells, if it has any. */
static int choose_touching(const struct cf_yaml *node, bool volume, struct parts *part,
                           struct cf_error *err)
{
    const struct cf_rigid *body = part->body;

    part->cells = volume && body->ncell > 0 && !cf_yaml_get(node, "ball");
    part->count = body->ncell;
    part->several = (part->cells ? body->ncell : body->nball) > 1;
    return part->cells ? CF_OK
                       : choose(node, "ball", "sphere or point", body->name, body->nball, true,
                                &part->first, &part->count, err);
}

static int choose_touched(const struct cf_yaml *node, bool volume, struct parts *part,
                          struct cf_error *err)
{
    const struct cf_rigid *body = part->body;

    part->cells = volume && body->ncell > 0 && !cf_yaml_get(node, "solid");
    part->count = body->ncell;
    part->several = body->ncell > 1;
    return part->cells ? CF_OK
                       : choose(node, "solid", "solid", body->name, body->nsolid, false,
                                &part->first, &part->count, err);
}

/* "box-plane", or "box.3-plane.2" where a body has several such parts: their numbers from 1, else
 * 0.
 */
static int make_name(const struct cf_yaml *node, const struct cf_scene *scene,
                     struct cf_contact_pair *pair, const size_t number[2], struct cf_error *err)
{
    const struct cf_yaml *name = cf_yaml_get(node, "name");
    const char *i = scene->body[pair->body[0]].name, *j = scene->body[pair->body[1]].name;
    const char *text = NULL;
    char part[2][24] = {"", ""}, *given = NULL;
    int status = name ? cf_yaml_text(name, &text, err) : CF_OK;

    if (status == CF_OK && name)
        status = cf_scene_name(name, text, &given, err);
    if (status)
        return status;
    for (int k = 0; k < 2; k++)
        if (number[k])
            snprintf(part[k], sizeof part[k], ".%zu", number[k]);
    pair->name = given ? cf_format("%s%s%s", given, part[0], part[1])
                       : cf_format("%s%s-%s%s", i, part[0], j, part[1]);
    free(given);
    return pair->name ? CF_OK : cf_fail(err, CF_ENOMEM, "no memory for the contacts");
}

/* Where the force of a depth acts. */
static int read_action(const struct cf_scene_reader *r, const struct cf_yaml *at,
                       struct cf_contact_pair *pair, struct cf_error *err)
{
    const char *word = NULL;
    size_t i = 0;
    int status = cf_yaml_text(at, &word, err);

    if (status)
        return status;
    while (i < CF_NACTION && strcmp(cf_scene_action[i], word) != 0)
        i++;
    if (i == CF_NACTION)
        return cf_yaml_unknown(at, "point of action", word, cf_scene_action, CF_NACTION, err);
    if (!pair->law || cf_pair_is_patch(pair))
        return cf_yaml_fail_key(at, err, "%s: %s", at->key,
                                pair->law ? "the force of a foundation acts at the centroid of its "
                                            "volume: leave the key out"
                                          : "a load acts at the mass centre: leave the key out");
    if (i == CF_ACTION_OVERLAP && !cf_contact_pair_is_curved(r->scene, pair))
        return cf_yaml_fail_key(at, err,
                                "%s: %s: contact %s is not one of a sphere with a sphere, a "
                                "cylinder or a bore: the force acts on the first surface",
                                at->key, word, pair->name);
    pair->on_first = i == CF_ACTION_FIRST;
    return CF_OK;
}

/* All of a contact except its position. */
static int read_laws(struct cf_scene_reader *r, const struct cf_yaml *node,
                     struct cf_contact_pair *pair, struct cf_error *err)
{
    const struct cf_yaml *foundation = cf_yaml_get(node, "foundation");
    const struct cf_yaml *friction = cf_yaml_get(node, "friction");
    const struct cf_yaml *stuck = cf_yaml_get(node, "stuck");
    const struct cf_yaml *relaxation = cf_yaml_get(node, "relaxation");
    const struct cf_yaml *action = cf_yaml_get(node, "point-of-action");
    int status = foundation ? cf_scene_foundation(r, foundation, pair, err)
                            : cf_scene_normal(r, cf_yaml_get(node, "normal"), pair, err);

    if (status == CF_OK && action)
        status = read_action(r, action, pair, err);
    if (status == CF_OK && friction)
        status = cf_scene_friction(r, friction, pair, err);
    if (status == CF_OK && foundation)
        status = cf_scene_shares(r, foundation, pair, err);
    if (status == CF_OK && stuck)
        status = cf_yaml_bool(stuck, &pair->stuck, err);
    if (status == CF_OK && pair->stuck && !(friction && pair->friction->nvector))
        status = cf_yaml_fail_key(stuck, err, "stuck: there is no friction here that sticks");
    if (status == CF_OK && relaxation)
        status = cf_yaml_positive(relaxation, "s", &pair->relaxation_s, err);
    if (relaxation && !r->file->relaxation)
        r->file->relaxation = relaxation;
    return status;
}

/* Laws that are those of the contact before, of the same entry, are not read again: they hang on
 * the entry and on the radius of the pair. A load over time has memory of its own. */
static bool copy_laws(const struct cf_scene_reader *r, struct cf_contact_pair *pair)
{
    size_t last = r->scene->npair - 1;
    const struct cf_contact_pair *before = pair - 1;
    struct cf_contact_pair own = *pair;

    if (last == 0 || r->pair[last] != r->pair[last - 1] || before->load.n > 0)
        return false;
    own.law = before->law;
    if (cf_contact_pair_radius(r->scene, &own) != cf_contact_pair_radius(r->scene, before))
        return false;
    *pair = *before;
    pair->name = own.name;
    memcpy(pair->body, own.body, sizeof pair->body);
    memcpy(pair->cell, own.cell, sizeof pair->cell);
    pair->ball = own.ball;
    pair->solid = own.solid;
    return true;
}

/* The contacts of two bodies: one for each of their parts that may touch. */
static int add_contacts(struct cf_scene_reader *r, const struct cf_yaml *node, const size_t body[2],
                        struct cf_error *err)
{
    const struct cf_rigid *i = &r->scene->body[body[0]], *j = &r->scene->body[body[1]];
    const struct cf_yaml *normal = cf_yaml_get(node, "normal");
    bool foundation = cf_yaml_get(node, "foundation") != NULL;
    bool loaded = normal && normal->kind == CF_YAML_MAP && cf_yaml_get(normal, "load");
    struct parts part[2] = {{.body = i, .count = 1}, {.body = j, .count = 1}};
    int status = loaded ? CF_OK : choose_touching(node, foundation, &part[0], err);

    if (status == CF_OK && !loaded)
        status = choose_touched(node, foundation, &part[1], err);
    if (status == CF_OK &&
        r->scene->npair + part[0].count * part[1].count > (size_t) CF_SCENE_MOST_PAIRS)
        status = cf_yaml_fail(node, err, "more than %d contacts", CF_SCENE_MOST_PAIRS);
    for (size_t k = 0; k < part[0].count * part[1].count && status == CF_OK; k++) {
        struct cf_contact_pair *pair = add_pair(r, node);
        size_t at[2] = {part[0].first + k / part[1].count, part[1].first + k % part[1].count};
        size_t number[2] = {part[0].several && !loaded ? at[0] + 1 : 0,
                            part[1].cells && part[1].several ? at[1] + 1 : 0};
        if (!pair)
            return cf_fail(err, CF_ENOMEM, "no memory for the contacts");
        pair->body[0] = body[0];
        pair->body[1] = body[1];
        *(part[0].cells ? &pair->cell[0] : &pair->ball) = at[0] + part[0].cells;
        *(part[1].cells ? &pair->cell[1] : &pair->solid) = at[1] + part[1].cells;
        status = make_name(node, r->scene, pair, number, err);
        if (status == CF_OK && !copy_laws(r, pair))
            status = read_laws(r, node, pair, err);
    }
    return status;
}

static int read_contact(struct cf_scene_reader *r, const struct cf_yaml *node,
                        struct cf_scene_pairs *pairs, struct cf_error *err)
{
    const struct cf_yaml *normal = cf_yaml_get(node, "normal");
    const struct cf_yaml *foundation = cf_yaml_get(node, "foundation");
    const struct cf_yaml *name = cf_yaml_get(node, "name");
    int status = cf_schema_check(node, &cf_scene_contact_schema, err);

    if (status == CF_OK)
        status = cf_scene_pairs_of(pairs, r, node, err);
    if (status == CF_OK && name && cf_scene_pairs_many(node))
        status =
            cf_yaml_fail_key(name, err,
                             "name: one name, and the contacts of a pattern are many: leave it "
                             "out, and they are named by their bodies");
    if (status == CF_OK && !normal == !foundation)
        status =
            cf_yaml_fail(node, err,
                         "%s: a force of the depth, or one of the volume of interference, is "
                         "wanted",
                         normal ? "both normal and foundation" : "no normal and no foundation");
    for (size_t k = 0; k < pairs->n && status == CF_OK; k++)
        status = add_contacts(r, node, pairs->body[k], err);
    return status;
}

static const char *name_of(const void *pairs, size_t i)
{
    return ((const struct cf_contact_pair *) pairs)[i].name;
}

static int check_names(const struct cf_scene_reader *r, struct cf_error *err)
{
    const struct cf_scene *scene = r->scene;
    size_t first, second;
    int status = cf_scene_twin(name_of, scene->pair, scene->npair, &first, &second, err);

    if (status || second == scene->npair)
        return status;
    if (cf_scene_pairs_many(r->pair[second]))
        return cf_yaml_fail(r->pair[second], err,
                            "a second contact %s, after one of the entry in line %zu: give that "
                            "one a name of its own with name, or a body another name",
                            scene->pair[second].name, r->pair[first]->line);
    return cf_yaml_fail(r->pair[second], err,
                        "a second contact %s: give it a name of its own with name",
                        scene->pair[second].name);
}

int cf_scene_contacts(struct cf_scene_reader *r, const struct cf_yaml *root, struct cf_error *err)
{
    const struct cf_yaml *contacts = cf_yaml_get(root, "contacts");
    struct cf_scene_pairs pairs = {.n = 0};
    int status = contacts ? cf_yaml_list(contacts, err) : CF_OK;

    if (!contacts || status)
        return status;
    status = cf_scene_pairs_make(&pairs, r, contacts, err);
    for (size_t i = 0; i < contacts->n && status == CF_OK; i++)
        status = read_contact(r, &contacts->item[i], &pairs, err);
    cf_scene_pairs_clear(&pairs);
    return status == CF_OK ? check_names(r, err) : status;
}
