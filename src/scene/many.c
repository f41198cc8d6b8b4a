/* Bodies that are many: `count` of them, on a lattice or at listed places. */

#include <stdint.h>
#include <stdlib.h>

#include "core/random.h"
#include "core/text.h"
#include "scene/keys.h"
#include "scene/parts.h"

/* Stream 0 of a seed is what a sensor would add. */
enum { JITTER_STREAM = 1 };

int cf_scene_count(const struct cf_yaml *node, size_t *n, struct cf_error *err)
{
    const struct cf_yaml *count = cf_yaml_get(node, "count");
    unsigned long long whole = 1;
    int status = count ? cf_yaml_whole(count, 1, CF_SCENE_MOST_COUNT, &whole, err) : CF_OK;

    *n = (size_t) whole;
    return status;
}

/* Which of both keys says where they are. */
static int find_places(const struct cf_yaml *node, struct cf_scene_many *many, struct cf_error *err)
{
    const struct cf_yaml *count = cf_yaml_get(node, "count");
    const struct cf_yaml *lattice = cf_yaml_get(node, "lattice");
    const struct cf_yaml *places = cf_yaml_get(node, "places");
    const struct cf_yaml *position = cf_yaml_get(node, "position");

    many->at = lattice ? lattice : places;
    if (many->at && !count)
        return cf_yaml_fail_key(many->at, err,
                                "%s: the places of several bodies: state how many with count, or "
                                "the place of one with position",
                                many->at->key);
    if (!count)
        return CF_OK;
    if (lattice && places)
        return cf_yaml_fail_key(places, err, "both lattice and places: one of them is wanted");
    if (position)
        return cf_yaml_fail_key(position, err,
                                "position: one place, and %zu bodies by count: give lattice: "
                                "{from:, spacing:, size:}, or a list of places",
                                many->n);
    if (!many->at)
        return cf_yaml_fail_key(count, err,
                                "count: %zu bodies, and not where they are: give lattice: {from:, "
                                "spacing:, size:}, or a list of places",
                                many->n);
    return CF_OK;
}

/* How many along each axis. Two bodies at one place are none. */
static int read_size(const struct cf_yaml *lattice, const double spacing_m[3], size_t n,
                     unsigned long long size[3], struct cf_error *err)
{
    const struct cf_yaml *at = cf_yaml_get(lattice, "size");
    unsigned long long room = 1;
    int status = cf_yaml_list(at, err);

    if (!status && at->n != 3)
        status = cf_yaml_fail(at, err, "size: %zu values: 3 are wanted", at->n);
    for (int i = 0; i < 3 && !status; i++) {
        status = cf_yaml_whole(&at->item[i], 1, CF_SCENE_MOST_COUNT, &size[i], err);
        room *= status ? 1 : size[i];
        if (!status && size[i] > 1 && spacing_m[i] == 0)
            status = cf_yaml_fail(&at->item[i], err,
                                  "size: %llu along %c, where the spacing is 0: they would be at "
                                  "one place",
                                  size[i], "xyz"[i]);
    }
    if (!status && room < n)
        status = cf_yaml_fail(
            at, err,
            "size: %llu x %llu x %llu = %llu places for %zu bodies: at least as many are wanted",
            size[0], size[1], size[2], room, n);
    return status;
}

/* Off its place by at most `jitter` along each axis, all alike likely. */
static int shake(const struct cf_yaml *lattice, struct cf_scene_many *many, struct cf_error *err)
{
    const struct cf_yaml *jitter = cf_yaml_get(lattice, "jitter");
    const struct cf_yaml *seed = cf_yaml_get(lattice, "seed");
    unsigned long long stream = 0;
    double most_m = 0;
    gsl_rng *random;
    int status;

    if (!jitter)
        return seed ? cf_yaml_fail_key(seed, err, "seed: there is no jitter here: leave it out")
                    : CF_OK;
    if (!seed)
        return cf_yaml_fail_key(jitter, err,
                                "jitter: no seed: give one, a whole number, for the same places "
                                "each time");
    status = cf_yaml_positive(jitter, "m", &most_m, err);
    if (!status)
        status = cf_yaml_whole(seed, 0, UINT64_MAX, &stream, err);
    if (status)
        return status;
    random = cf_random_stream(stream, JITTER_STREAM);
    if (!random)
        return cf_fail(err, CF_ENOMEM, "no memory for the places of bodies");
    for (size_t k = 0; k < many->n; k++)
        for (int i = 0; i < 3; i++)
            many->place[k][i] += most_m * (2 * gsl_rng_uniform(random) - 1);
    gsl_rng_free(random);
    return CF_OK;
}

/* {from:, spacing:, size:}: x runs first, then y. */
static int read_lattice(struct cf_scene_many *many, struct cf_error *err)
{
    const struct cf_yaml *lattice = many->at;
    static const char *const needed[] = {"from", "spacing", "size"};
    const struct cf_yaml *at[3];
    unsigned long long size[3] = {1, 1, 1};
    double from_m[3], spacing_m[3];
    int status = cf_schema_check(lattice, &cf_scene_lattice_schema, err);

    for (int i = 0; i < 3 && !status; i++)
        status = cf_yaml_need(lattice, needed[i], &at[i], err);
    if (!status)
        status = cf_scene_vector(at[0], "m", 3, from_m, err);
    if (!status)
        status = cf_scene_vector(at[1], "m", 3, spacing_m, err);
    if (!status)
        status = read_size(lattice, spacing_m, many->n, size, err);
    if (status)
        return status;
    for (size_t k = 0; k < many->n; k++) {
        const size_t step[3] = {k % size[0], k / size[0] % size[1], k / size[0] / size[1]};
        for (int i = 0; i < 3; i++)
            many->place[k][i] = from_m[i] + (double) step[i] * spacing_m[i];
    }
    return shake(lattice, many, err);
}

static int read_places(struct cf_scene_many *many, struct cf_error *err)
{
    const struct cf_yaml *list = many->at;
    int status = cf_yaml_list(list, err);

    if (!status && list->n != many->n)
        status =
            cf_yaml_fail(list, err, "places: %zu for the %zu bodies of count: as many are wanted",
                         list->n, many->n);
    for (size_t k = 0; k < many->n && !status; k++)
        status = cf_scene_vector(&list->item[k], "m", 3, many->place[k], err);
    return status;
}

int cf_scene_many(const struct cf_yaml *node, struct cf_scene_many *many, struct cf_error *err)
{
    int status;

    *many = (struct cf_scene_many){.n = 1};
    status = cf_scene_count(node, &many->n, err);
    if (!status)
        status = find_places(node, many, err);
    if (status || !many->at)
        return status;
    for (size_t left = many->n; left > 0; left /= 10)
        many->digits++;
    many->place = calloc(many->n, sizeof *many->place);
    if (!many->place)
        return cf_fail(err, CF_ENOMEM, "no memory for the places of bodies");
    return cf_yaml_get(node, "lattice") ? read_lattice(many, err) : read_places(many, err);
}

void cf_scene_many_clear(struct cf_scene_many *many)
{
    free(many->place);
    *many = (struct cf_scene_many){.n = 1};
}

char *cf_scene_many_name(const struct cf_scene_many *many, const char *key, size_t k)
{
    return many->digits > 0 ? cf_format("%s%0*zu", key, many->digits, k + 1) : cf_format("%s", key);
}
