/* Where a study may state an uncertainty, and what it then has: the numbers of bodies, gravity, the
 * apparatus, the scales of columns and what is held of the law. Each is left with its value alone,
 * so that whatever reads it needs to know nothing of uncertainties; and moved, it is read in the
 * same way. */

#include "study/parts.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "core/units.h"

/* ---- where they stand */

/* The entry of a mapping, to be changed; NULL: none. */
static struct cf_yaml *entry(struct cf_yaml *map, const char *key)
{
    return map ? (struct cf_yaml *) cf_yaml_get(map, key) : NULL;
}

/* A node is a place where it has the mark. The name, by the format, is what it is of. */
static int add(struct cf_uncertain_places *places, struct cf_yaml *at,
               const struct cf_uncertain_place *like, char *what, struct cf_error *err)
{
    struct cf_uncertain_place *grown, *place;
    size_t length;

    if (!at || at->kind != CF_YAML_TEXT || !cf_uncertain_mark(at->text, &length)) {
        free(what);
        return CF_OK;
    }
    grown = realloc(places->item, (places->n + 1) * sizeof *grown);
    if (grown)
        places->item = grown;
    if (!grown || !what) {
        free(what);
        return cf_fail(err, CF_ENOMEM, "no memory for the uncertainties");
    }
    place = &places->item[places->n++];
    *place = *like;
    place->node = at;
    place->what = what;
    place->number = SIZE_MAX;
    int status = cf_stated_read(at, &place->stated, err);
    if (status == CF_ENOMEM)
        return status;
    char *value = cf_format("%s", place->stated.value);
    if (!value)
        return cf_fail(err, CF_ENOMEM, "no memory for the uncertainties");
    place->text = at->text;
    at->text = value;
    return status;
}

static int find_bodies(struct cf_yaml *bodies, struct cf_uncertain_places *places,
                       struct cf_error *err)
{
    static const struct {
        const char *key, *what;
        bool sphere;
    } row[] = {{"mass", "mass", false},
               {"radius", "radius", true},
               {"diameter", "diameter", true},
               {"youngs_modulus", "Young's modulus", false},
               {"poissons_ratio", "Poisson's ratio", false}};
    size_t n = bodies && bodies->kind == CF_YAML_MAP ? bodies->n : 0;
    struct cf_error one;
    int status = CF_OK;

    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
            struct cf_yaml *body = &bodies->item[i];
            struct cf_yaml *of = row[k].sphere ? entry(body, "sphere") : body;
            const struct cf_uncertain_place like = {.of = CF_UNCERTAIN_BODY, .has_size = true};
            status = cf_gather(err, status,
                               add(places, entry(of, row[k].key), &like,
                                   cf_format("%s of %s", row[k].what, body->key), &one),
                               &one);
        }
    return status;
}

/* A number that is fitted along is not stated with an uncertainty, too. */
static int check_nuisance(const struct cf_yaml *set, const struct cf_yaml *at, const char *nuisance,
                          struct cf_error *err)
{
    const struct cf_yaml *map = cf_yaml_get(set, "nuisance");
    const struct cf_yaml *fitted = map ? cf_yaml_get(map, nuisance) : NULL;
    size_t length;

    if (!at || !fitted || at->kind != CF_YAML_TEXT || !cf_uncertain_mark(at->text, &length))
        return CF_OK;
    return cf_yaml_fail(at, err,
                        "%s: stated with an uncertainty, and fitted under nuisance as %s in line "
                        "%zu: one of them is wanted, +- here or prior: {value: , sigma: } there",
                        at->key, nuisance, fitted->key_line);
}

static int find_apparatus(struct cf_yaml *set, struct cf_uncertain_place like,
                          struct cf_uncertain_places *places, struct cf_error *err)
{
    struct cf_yaml *apparatus = entry(set, "apparatus");
    size_t n = apparatus && apparatus->kind == CF_YAML_MAP ? apparatus->n : 0;
    struct cf_error one;
    int status = CF_OK;

    like.is_apparatus = true;
    for (size_t i = 0; i < n; i++) {
        struct cf_yaml *at = &apparatus->item[i];
        status = cf_gather(err, status, check_nuisance(set, at, at->key, &one), &one);
        status =
            cf_gather(err, status, add(places, at, &like, cf_format("%s", at->key), &one), &one);
    }
    return status;
}

/* The numbers that turn what is read into a quantity, in an entry of `columns` or the like. */
static int find_scales(struct cf_yaml *set, struct cf_yaml *at, const char *name,
                       struct cf_uncertain_place like, struct cf_uncertain_places *places,
                       struct cf_error *err)
{
    static const struct {
        const char *key, *nuisance;
        bool has_size;
    } row[] = {{"rate", NULL, true}, {"scale", "gain", true}, {"offset", "bias", false}};
    int status = CF_OK;
    struct cf_error one;

    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        struct cf_yaml *number = entry(at, row[k].key);
        char *fitted = cf_format("%s.%s", name, row[k].nuisance ? row[k].nuisance : "");
        int own = fitted ? check_nuisance(set, number, fitted, &one)
                         : cf_fail(&one, CF_ENOMEM, "no memory for the uncertainties");
        free(fitted);
        like.has_size = row[k].has_size;
        status = cf_gather(err, status, own, &one);
        own = add(places, number, &like, cf_format("%s of %s", row[k].key, name), &one);
        status = cf_gather(err, status, own, &one);
    }
    return status;
}

static int find_columns(struct cf_yaml *set, const char *list, struct cf_uncertain_place like,
                        struct cf_uncertain_places *places, struct cf_error *err)
{
    struct cf_yaml *columns = entry(set, list);
    size_t n = columns && columns->kind == CF_YAML_MAP ? columns->n : 0;
    struct cf_error one;
    int status = CF_OK;

    for (size_t i = 0; i < n; i++) {
        struct cf_yaml *at = &columns->item[i];
        char *clock = cf_format("time of %s", at->key);
        int own =
            at->kind == CF_YAML_MAP ? find_scales(set, at, at->key, like, places, &one) : CF_OK;
        status = cf_gather(err, status, own, &one);
        own =
            !clock ? cf_fail(&one, CF_ENOMEM, "no memory for the uncertainties")
            : at->kind == CF_YAML_MAP && entry(at, "time") && entry(at, "time")->kind == CF_YAML_MAP
                ? find_scales(set, entry(at, "time"), clock, like, places, &one)
                : CF_OK;
        status = cf_gather(err, status, own, &one);
        free(clock);
    }
    return status;
}

static int find_sets(struct cf_yaml *data, struct cf_uncertain_places *places, struct cf_error *err)
{
    size_t n = data && data->kind == CF_YAML_LIST ? data->n : 0;
    struct cf_error one;
    int status = CF_OK;

    for (size_t i = 0; i < n; i++) {
        struct cf_yaml *set = &data->item[i];
        const struct cf_yaml *name = cf_yaml_get(set, "name");
        const struct cf_uncertain_place like = {
            .of = CF_UNCERTAIN_INSTRUMENT,
            .data = i,
            .set = name && name->kind == CF_YAML_TEXT ? name->text : ""};
        if (set->kind != CF_YAML_MAP)
            continue;
        status = cf_gather(err, status, find_apparatus(set, like, places, &one), &one);
        status = cf_gather(err, status, find_columns(set, "columns", like, places, &one), &one);
        status = cf_gather(err, status, find_columns(set, "inputs", like, places, &one), &one);
    }
    return status;
}

static int find_held(struct cf_yaml *fixed, struct cf_uncertain_places *places,
                     struct cf_error *err)
{
    size_t n = fixed && fixed->kind == CF_YAML_MAP ? fixed->n : 0;
    const struct cf_uncertain_place like = {.of = CF_UNCERTAIN_PARAMETER};
    struct cf_error one;
    int status = CF_OK;

    for (size_t i = 0; i < n; i++)
        status = cf_gather(
            err, status,
            add(places, &fixed->item[i], &like, cf_format("held %s", fixed->item[i].key), &one),
            &one);
    return status;
}

int cf_uncertain_find(struct cf_yaml *root, struct cf_uncertain_places *places,
                      struct cf_error *err)
{
    const struct cf_uncertain_place gravity = {.of = CF_UNCERTAIN_INSTRUMENT, .has_size = true};
    struct cf_error one;
    int status;

    *places = (struct cf_uncertain_places){.n = 0};
    status = find_bodies(entry(root, "bodies"), places, err);
    status =
        cf_gather(err, status,
                  add(places, entry(root, "gravity"), &gravity, cf_format("gravity"), &one), &one);
    status = cf_gather(err, status, find_held(entry(root, "fixed"), places, &one), &one);
    return cf_gather(err, status, find_sets(entry(root, "data"), places, &one), &one);
}

void cf_uncertain_places_clear(struct cf_uncertain_places *places)
{
    for (size_t i = 0; i < places->n; i++) {
        free(places->item[i].what);
        free(places->item[i].text);
        free(places->item[i].stated.value);
        free(places->item[i].stated.u);
    }
    free(places->item);
    *places = (struct cf_uncertain_places){.n = 0};
}

/* ---- what they are */

/* A number of an apparatus that is chosen, and not measured. */
static bool is_chosen(const struct cf_protocol *protocol, size_t parameter)
{
    return (protocol->steps && parameter == protocol->steps) ||
           parameter - protocol->smoothing < protocol->nsmoothing; /* below it: a huge number */
}

/* Is it a number that is known to no part of itself where its uncertainty is larger than it: no
 * zero, and none of an apparatus that may be below 0? */
static int find_size(const struct cf_study *study, const struct cf_uncertain_place *place,
                     bool *has_size, struct cf_error *err)
{
    const struct cf_protocol *protocol =
        place->is_apparatus ? study->spec.data[place->data].protocol : NULL;
    size_t n = protocol ? protocol->napparatus : 0;
    size_t j = n ? cf_param_find(protocol->apparatus, n, place->node->key) : n;

    *has_size = place->has_size;
    if (j == n)
        return CF_OK;
    *has_size = protocol->apparatus[j].lower >= 0;
    return is_chosen(protocol, j)
               ? cf_yaml_fail(place->node, err,
                              "%s: is chosen, not measured: it has no uncertainty",
                              place->node->key)
               : CF_OK;
}

/* Value and uncertainty in SI of a place that was read. */
static int measure(const struct cf_study *study, struct cf_uncertain_place *place,
                   struct cf_error *err)
{
    const char *unit = *place->node->read_as;
    bool has_size, pure = strcmp(unit, "1") == 0;
    char shown[CF_SHOWN];
    int status = cf_quantity_parse(place->node->text, unit, &place->value, err);

    if (!status)
        status = find_size(study, place, &has_size, err);
    if (!status)
        status = cf_stated_size(place->node, &place->stated, unit, place->value, &place->u, err);
    if (status)
        return status;
    if (has_size && place->value != 0 && !(place->u * place->stated.k < fabs(place->value)))
        return cf_yaml_fail(place->node, err,
                            "%s: %s: the uncertainty, %g%s%s, must be smaller than the value",
                            place->node->key, cf_show(place->text, shown),
                            place->u * place->stated.k, pure ? "" : " ", pure ? "" : unit);
    return CF_OK;
}

/* The same key with the same value and the same uncertainty in another data set is one number. */
static bool is_same(const struct cf_uncertain_place *a, const struct cf_uncertain_place *b)
{
    return a->number != SIZE_MAX && a->set && b->set && strcmp(a->what, b->what) == 0 &&
           a->data != b->data && a->value == b->value && a->u == b->u;
}

/* "load of a, b": the data sets are named where these are not all. */
static char *name_of(const struct cf_study *study, const struct cf_uncertain_places *places,
                     const struct cf_uncertain_place *place)
{
    const char **set = calloc(places->n + 1, sizeof *set);
    size_t n = 0;
    char *sets, *name;

    for (size_t i = 0; set && i < places->n; i++)
        if (places->item[i].number == place->number && places->item[i].set)
            set[n++] = places->item[i].set;
    if (set && (!n || n == study->spec.ndata)) {
        free(set);
        return cf_format("%s", place->what);
    }
    sets = set ? cf_joined(set, n, " and ") : NULL;
    name = sets ? cf_format("%s of %s", place->what, sets) : NULL;
    free(sets);
    free(set);
    return name;
}

static int append(struct cf_study *study, struct cf_uncertain_place *place, struct cf_error *err)
{
    struct cf_uncertains *all = &study->spec.uncertain;
    struct cf_uncertain *grown = realloc(all->item, (all->n + 1) * sizeof *grown);

    if (!grown)
        return cf_fail(err, CF_ENOMEM, "no memory for the uncertainties");
    all->item = grown;
    place->number = all->n++;
    grown[place->number] = (struct cf_uncertain){.stated = cf_format("%s", place->text),
                                                 .unit = *place->node->read_as,
                                                 .of = place->of,
                                                 .as = place->stated.as,
                                                 .value = place->value,
                                                 .u = place->u,
                                                 .k = place->stated.k};
    return grown[place->number].stated ? CF_OK
                                       : cf_fail(err, CF_ENOMEM, "no memory for the uncertainties");
}

int cf_uncertain_number(struct cf_study *study, struct cf_uncertain_places *places,
                        struct cf_error *err)
{
    struct cf_error one;
    int status = CF_OK;

    for (size_t i = 0; i < places->n; i++) {
        struct cf_uncertain_place *place = &places->item[i];
        int own = *place->node->read_as ? measure(study, place, &one) : CF_OK;
        status = cf_gather(err, status, own, &one);
        if (own || !*place->node->read_as) /* what is not read moves nothing */
            continue;
        for (size_t k = 0; k < i && place->number == SIZE_MAX; k++)
            if (is_same(&places->item[k], place))
                place->number = places->item[k].number;
        if (place->number == SIZE_MAX && !status)
            status = append(study, place, err);
    }
    study->uncertain_place = calloc(places->n + 1, sizeof *study->uncertain_place);
    if (!study->uncertain_place)
        return cf_fail(err, CF_ENOMEM, "no memory for the uncertainties");
    for (size_t i = 0; i < places->n && !status; i++) {
        const struct cf_uncertain_place *place = &places->item[i];
        study->uncertain_place[i] = place->number;
        struct cf_uncertain *of =
            place->number == SIZE_MAX ? NULL : &study->spec.uncertain.item[place->number];
        if (of && !of->name && !(of->name = name_of(study, places, place)))
            status = cf_fail(err, CF_ENOMEM, "no memory for the uncertainties");
    }
    return status;
}

int cf_uncertain_move(struct cf_uncertain_places *places, const struct cf_study *of, size_t i,
                      double by, struct cf_error *err)
{
    const struct cf_uncertain *number = &of->spec.uncertain.item[i];
    struct cf_unit unit;
    /* one that changes with an exponent goes without */
    bool has_unit =
        strcmp(number->unit, "1") != 0 && cf_unit_parse(number->unit, &unit, NULL) == CF_OK;

    for (size_t k = 0; k < places->n; k++) {
        struct cf_yaml *at = places->item[k].node;
        if (of->uncertain_place[k] != i)
            continue;
        char *moved = has_unit ? cf_format("%.17g %s", number->value + by, number->unit)
                               : cf_format("%.17g", number->value + by);
        if (!moved)
            return cf_fail(err, CF_ENOMEM, "no memory for the uncertainties");
        free(at->text);
        at->text = moved;
    }
    return CF_OK;
}
