/* Conversion of parameters as the user gives them, by name, alias or material, to a law's own.
 *
 * Order matters in three places only: the pair's radius is needed first, aliases at a pivot depth
 * come after their exponent, and those that contain k (a = lambda/k) after k.
 */

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "core/nearest.h"
#include "law/law.h"
#include "law/pair.h"

enum { E1, NU1, E2, NU2, R1, R2, PIVOT, KV1, KV2, NMATERIAL };

#define MODULUS(body)                                                                              \
    {                                                                                              \
        "youngs_modulus_" body, "Pa", 1, 1e15, 1, 1e15, 1e9, CF_SCALE_LOG, ""                      \
    }
#define POISSON(body)                                                                              \
    {                                                                                              \
        "poissons_ratio_" body, "1", -0.99, 0.5, 0, 0.5, 0.3, CF_SCALE_LINEAR, ""                  \
    }
#define RADIUS(body, least)                                                                        \
    {                                                                                              \
        "radius_" body, "m", least, 1e6, 1e-6, 1e6, 0.01, CF_SCALE_LOG, ""                         \
    }

#define FOUNDATION(body)                                                                           \
    {                                                                                              \
        "kv_" body, "N/m^3", 1, 1e18, 1e4, 1e15, 1e8, CF_SCALE_LOG, ""                             \
    }

static const struct cf_param material[NMATERIAL] = {
    [E1] = MODULUS("1"),
    [NU1] = POISSON("1"),
    [E2] = MODULUS("2"),
    [NU2] = POISSON("2"),
    [R1] = RADIUS("1", 1e-9),
    [R2] = RADIUS("2", -1e6), /* concave: < 0 */
    [KV1] = FOUNDATION("1"),
    [KV2] = FOUNDATION("2"),
    [PIVOT] = {"pivot", "m", 1e-9, 1, 1e-9, 1, 1e-3, CF_SCALE_LOG, ""},
};

enum { MAX_WORD = 40 }; /* parameters, aliases and material names of one law */

struct door {
    const struct cf_law *law;
    const struct cf_named *from[CF_MAX_PARAM]; /* what gave each parameter; NULL: nothing yet */
    const struct cf_named *about[NMATERIAL];
    double *p;
    double radius_m;
    bool optional; /* parameters may be missing */
};

size_t cf_law_k(const struct cf_law *law)
{
    return cf_param_find(law->param, law->nparam, "k");
}

const struct cf_alias *cf_law_alias(const struct cf_law *law, const char *name)
{
    for (size_t i = 0; i < law->nalias; i++)
        if (strcmp(law->alias[i].name, name) == 0)
            return &law->alias[i];
    return NULL;
}

static int unknown(const struct cf_law *law, const char *name, struct cf_error *err)
{
    const char *words[MAX_WORD];
    const char *nearest;
    size_t n = 0;

    for (size_t i = 0; i < law->nparam && n < MAX_WORD; i++)
        words[n++] = law->param[i].name;
    for (size_t i = 0; i < law->nalias && n < MAX_WORD; i++)
        words[n++] = law->alias[i].name;
    for (size_t i = 0; i < NMATERIAL && n < MAX_WORD; i++)
        words[n++] = material[i].name;
    nearest = cf_nearest(name, words, n);
    if (nearest)
        return cf_fail(err, CF_EINPUT, "%s has no parameter %s: did you mean %s?", law->name, name,
                       nearest);
    return cf_fail(err, CF_EINPUT, "%s has no parameter %s: see contactfit models %s", law->name,
                   name, law->name);
}

/* Record which name gives parameter i. */
static int claim(struct door *door, size_t i, const struct cf_named *by, struct cf_error *err)
{
    const struct cf_named *first = door->from[i];

    if (first && strcmp(first->name, by->name) == 0)
        return cf_fail(err, CF_EINPUT, "%s is given twice", by->name);
    if (first)
        return cf_fail(err, CF_EINPUT, "%s and %s both give %s of %s: give one of them",
                       first->name, by->name, door->law->param[i].name, door->law->name);
    door->from[i] = by;
    return CF_OK;
}

/* Sort the given names; nothing is converted yet. */
static int sort_names(struct door *door, const struct cf_named given[], size_t n,
                      struct cf_error *err)
{
    const struct cf_law *law = door->law;

    for (size_t g = 0; g < n; g++) {
        size_t i = cf_param_find(law->param, law->nparam, given[g].name);
        size_t m = cf_param_find(material, NMATERIAL, given[g].name);
        const struct cf_alias *alias = cf_law_alias(law, given[g].name);
        int status = CF_OK;

        if (i < law->nparam || alias)
            status = claim(door, i < law->nparam ? i : alias->target, &given[g], err);
        else if (m == NMATERIAL)
            status = unknown(law, given[g].name, err);
        else if (door->about[m])
            status = cf_fail(err, CF_EINPUT, "%s is given twice", given[g].name);
        else if (!(status = cf_param_check(&material[m], 1, &given[g].value, err)))
            door->about[m] = &given[g];
        if (status)
            return status;
    }
    return CF_OK;
}

/* The pair's radius from the named ones. */
static int find_radius(struct door *door, struct cf_error *err)
{
    double r1, r2;

    if (!door->about[R1] && !door->about[R2])
        return CF_OK;
    if (!door->about[R1])
        return cf_fail(err, CF_EINPUT, "radius_2 is given without radius_1");
    r1 = door->about[R1]->value;
    r2 = door->about[R2] ? door->about[R2]->value : (double) INFINITY;
    if (!(r2 > 0 || r1 < -r2))
        return cf_fail(err, CF_ERANGE,
                       "radius_1 = %.15g m does not fit into the hollow of radius_2 = %.15g m", r1,
                       r2);
    door->radius_m = cf_series(r1, r2);
    return CF_OK;
}

static int need_radius(const struct door *door, const char *name, struct cf_error *err)
{
    if (door->radius_m > 0 && isfinite(door->radius_m))
        return CF_OK;
    return cf_fail(err, CF_EINPUT, "%s needs the radius of the bodies: radius_1 is missing", name);
}

/* k from moduli, Poisson's ratios and radii, where any of them is given. */
static int hertz(struct door *door, struct cf_error *err)
{
    const struct cf_named *const *about = door->about, *first = NULL, *second;
    size_t k = cf_law_k(door->law);
    double modulus;
    int status;

    for (size_t i = E1; i <= NU2; i++)
        if (!first)
            first = about[i];
    if (!first)
        return CF_OK;
    if (!cf_law_alias(door->law, "effective_modulus"))
        return cf_fail(err, CF_EINPUT, "%s gives a Hertz stiffness, which %s does not have",
                       first->name, door->law->name);
    second = about[E2] ? about[E2] : about[NU2];
    for (size_t i = E1; i <= NU2; i++)
        if (!about[i] && (i <= NU1 || second))
            return cf_fail(err, CF_EINPUT, "%s is given without %s",
                           i <= NU1 ? first->name : second->name, material[i].name);
    if ((status = claim(door, k, first, err)) || (status = need_radius(door, first->name, err)))
        return status;
    modulus = cf_effective_modulus(about[E1]->value, about[NU1]->value,
                                   about[E2] ? about[E2]->value : (double) INFINITY,
                                   about[NU2] ? about[NU2]->value : 0);
    door->p[k] = cf_hertz_stiffness(modulus, door->radius_m);
    return CF_OK;
}

/* kv of two bodies whose foundations are in series ([G07] 4.127). */
static int in_series(struct door *door, struct cf_error *err)
{
    const struct cf_named *const *about = door->about;
    const struct cf_named *one = about[KV1] ? about[KV1] : about[KV2];
    size_t kv = cf_param_find(door->law->param, door->law->nparam, "kv");
    int status;

    if (!one)
        return CF_OK;
    if (kv == door->law->nparam)
        return cf_fail(err, CF_EINPUT,
                       "%s gives the stiffness of a foundation, which %s does not have", one->name,
                       door->law->name);
    if (!about[KV1] || !about[KV2])
        return cf_fail(err, CF_EINPUT,
                       "%s is given without %s: two bodies that give way need both; kv is that of "
                       "the pair",
                       one->name, material[about[KV1] ? KV2 : KV1].name);
    if ((status = claim(door, kv, one, err)))
        return status;
    door->p[kv] = cf_series(about[KV1]->value, about[KV2]->value);
    return CF_OK;
}

/* Check parameter i; where another name gave it, the message says which. */
static int check(const struct door *door, size_t i, struct cf_error *err)
{
    const struct cf_named *from = door->from[i];
    struct cf_error why = {""};
    int status = cf_param_check(&door->law->param[i], 1, &door->p[i], &why);

    if (!status)
        return CF_OK;
    if (strcmp(from->name, door->law->param[i].name) == 0)
        return cf_fail(err, status, "%s", why.text);
    return cf_fail(err, status, "%.200s = %.15g gives %.500s", from->name, from->value, why.text);
}

/* Parameter i is not given: the law itself needs it, or else the name that is converted with it. */
static int missing(const struct door *door, size_t i, const char *name, struct cf_error *err)
{
    const struct cf_param *row = &door->law->param[i];

    if (door->optional)
        return cf_fail(err, CF_EINPUT, "%s needs %s, which is missing", name, row->name);
    return cf_fail(err, CF_EINPUT, "%s needs %s [%s], %s: it is missing", door->law->name,
                   row->name, row->unit, row->what);
}

/* The pivot depth, and the exponent that goes with it. */
static int need_pivot(const struct door *door, const char *name, const struct cf_alias *alias,
                      struct cf_error *err)
{
    size_t exponent = alias->pivot_by - 1;

    if (!door->from[exponent])
        return missing(door, exponent, name, err);
    if (!door->about[PIVOT])
        return cf_fail(err, CF_EINPUT,
                       "%s needs the depth at which it is meant: pivot [m] is missing", name);
    return CF_OK;
}

/* Convert parameter i, given by its own name or by an alias. */
static int convert(struct door *door, size_t i, struct cf_error *err)
{
    const struct cf_law *law = door->law;
    const struct cf_named *from = door->from[i];
    const struct cf_alias *alias = cf_law_alias(law, from->name);
    size_t k = cf_law_k(law);
    int status;

    if (strcmp(from->name, law->param[i].name) == 0)
        door->p[i] = from->value;
    if (alias) {
        if (alias->radius_power != 0 && (status = need_radius(door, from->name, err)))
            return status;
        if (alias->k_power != 0 && !door->from[k])
            return missing(door, k, from->name, err);
        if (alias->pivot_by && (status = need_pivot(door, from->name, alias, err)))
            return status;
        door->p[i] = alias->factor * from->value;
        if (alias->radius_power != 0)
            door->p[i] *= pow(door->radius_m, alias->radius_power);
        if (alias->k_power != 0)
            door->p[i] *= pow(door->p[k], alias->k_power);
        if (alias->pivot_by)
            door->p[i] *= pow(door->about[PIVOT]->value, -door->p[alias->pivot_by - 1]);
    }
    return check(door, i, err);
}

enum { NPASS = 3 };

/* Parameters themselves go first, then aliases that need an exponent, then those that need k. */
static int pass_of(const struct door *door, size_t i)
{
    const struct cf_alias *s = cf_law_alias(door->law, door->from[i]->name);
    return !s ? 0 : s->k_power != 0 ? 2 : s->pivot_by ? 1 : 0;
}

int cf_law_params(const struct cf_law *law, const struct cf_named given[], size_t n,
                  double radius_m, int optional, double p[], struct cf_error *err)
{
    struct door door = {.law = law, .p = p, .radius_m = radius_m, .optional = optional != 0};
    int status;

    for (size_t i = 0; i < law->nparam; i++)
        p[i] = (double) NAN;
    if ((status = sort_names(&door, given, n, err)) || (status = find_radius(&door, err)) ||
        (status = hertz(&door, err)) || (status = in_series(&door, err)))
        return status;
    for (int pass = 0; pass < NPASS; pass++)
        for (size_t i = 0; i < law->nparam; i++)
            if (door.from[i] && pass_of(&door, i) == pass && (status = convert(&door, i, err)))
                return status;
    for (size_t i = 0; i < law->nparam; i++)
        if (!door.from[i] && !optional)
            return missing(&door, i, law->name, err);
    return CF_OK;
}
