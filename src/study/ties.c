/* Tied parameters: `tie: {lambda2: lambda1}`, `{lambda2: 2 lambda1}`, and with a unit where the
 * units of the two differ: `{lambda: 1e-4 s k}`. */

#define _POSIX_C_SOURCE 200809L

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "core/units.h"
#include "study/parts.h"

enum { MAX_NAMES = 2 * CF_MAX_PARAM };

/* A parameter of the law or an alias of one. */
struct end {
    const char *name, *unit;
    size_t target;
    const struct cf_alias *alias;
    bool positive; /* on a log scale */
};

static int find(const struct cf_law *law, const struct cf_yaml *at, const char *name,
                struct end *end, struct cf_error *err)
{
    const char *known[MAX_NAMES];
    size_t n = 0, i = cf_param_find(law->param, law->nparam, name);
    const struct cf_alias *s = i < law->nparam ? NULL : cf_law_alias(law, name);

    if (i < law->nparam || s) {
        const struct cf_param *row = &law->param[s ? s->target : i];
        *end = (struct end){s ? s->name : row->name, s ? s->unit : row->unit, s ? s->target : i, s,
                            row->scale == CF_SCALE_LOG};
        return CF_OK;
    }
    for (size_t j = 0; j < law->nparam && n < MAX_NAMES; j++)
        known[n++] = law->param[j].name;
    for (size_t j = 0; j < law->nalias && n < MAX_NAMES; j++)
        known[n++] = law->alias[j].name;
    return cf_yaml_unknown(at, "parameter", name, known, n, err);
}

/* An alias with R needs the radius of every pair. */
static int check_radius(const struct cf_study *study, const struct end *end,
                        const struct cf_yaml *at, struct cf_error *err)
{
    for (size_t i = 0; i < study->spec.ndata; i++)
        if (end->alias && end->alias->radius_power != 0 &&
            !isfinite(study->spec.data[i].pair.radius_m))
            return cf_yaml_fail(at, err, "%s needs a sphere among the bodies of data set %s",
                                end->name, study->spec.data[i].name);
    return CF_OK;
}

/* "N s/m^1.5" over "N/m^1.5", as a unit. */
static void quotient(const char *over, const char *under, char out[], size_t size)
{
    bool bare = strcmp(under, "1") == 0;
    snprintf(out, size, "(%s)%s%s%s", over, bare ? "" : "/(", bare ? "" : under, bare ? "" : ")");
}

static bool same_unit(const char *a, const char *b)
{
    struct cf_unit u, v;
    return !cf_unit_parse(a, &u, NULL) && !cf_unit_parse(b, &v, NULL) &&
           cf_unit_same_dimension(&u, &v);
}

/* The factor before the other parameter's name: a number, and a unit where one is needed. */
static int read_factor(const struct cf_yaml *at, const char *text, const struct end *own,
                       const struct end *to, double *factor, struct cf_error *err)
{
    bool same = same_unit(own->unit, to->unit);
    char unit[120];
    double bare;
    int status;

    *factor = 1;
    if (!*text && same)
        return CF_OK;
    quotient(own->unit, to->unit, unit, sizeof unit);
    if (!same && (!*text || !cf_number_parse(text, '.', &bare, NULL)))
        return cf_yaml_fail(at, err, "%s [%s] is tied to %s [%s]: a factor with its unit is wanted",
                            own->name, own->unit, to->name, to->unit);
    status = cf_quantity_parse(text, same ? "1" : unit, factor, err);
    if (status)
        return cf_yaml_blame(at, own->name, CF_EINPUT, err);
    if (!(own->positive ? *factor > 0 : *factor != 0))
        return cf_yaml_fail(at, err, "%s: the factor of a tie must %s 0, not %g", own->name,
                            own->positive ? "be above" : "differ from", *factor);
    return CF_OK;
}

/* What the tie's name and the other one's must obey. */
static int check(const struct cf_study *study, const struct cf_yaml *ties, const struct cf_yaml *at,
                 const struct cf_yaml *claimed[], const struct end *own, const struct end *to,
                 struct cf_error *err)
{
    const struct cf_law *law = study->spec.law;
    const struct cf_yaml *before = claimed[own->target];
    size_t k = cf_law_k(law);

    if (own->target == to->target)
        return cf_yaml_fail(at, err, "%s is tied to itself", own->name);
    if (before)
        return cf_yaml_fail_key(at, err,
                                "%s is tied here and set by %s (line %zu): one of them is "
                                "wanted",
                                own->name, before->key, before->key_line);
    for (size_t i = 0; i < ties->n; i++) {
        struct end other;
        if (!find(law, &ties->item[i], ties->item[i].key, &other, NULL) &&
            other.target == to->target)
            return cf_yaml_fail(at, err,
                                "%s is tied to %s, which is tied itself (line %zu): tie both to "
                                "one that is fitted or fixed",
                                own->name, to->name, ties->item[i].key_line);
    }
    if (!claimed[to->target])
        return cf_yaml_fail(at, err, "%s is tied to %s, which is neither fitted nor fixed",
                            own->name, to->name);
    if (own->target == k && to->alias && to->alias->k_power != 0)
        return cf_yaml_fail(at, err, "%s is tied to %s, which needs k itself", own->name, to->name);
    return CF_OK;
}

/* "2 1/s lambda1": the last word is the name, the text before it the factor. */
static int read_tie(struct cf_study *study, const struct cf_yaml *ties, const struct cf_yaml *at,
                    const struct cf_yaml *claimed[], struct cf_error *err)
{
    struct cf_tie *tie = &study->spec.tie[study->spec.ntie];
    const char *whole = NULL, *space;
    char factor[80], *end;
    struct end own, to;
    int status = find(study->spec.law, at, at->key, &own, err);

    if (status == CF_OK)
        status = cf_yaml_text(at, &whole, err);
    if (status)
        return status;
    space = strrchr(whole, ' ');
    snprintf(factor, sizeof factor, "%.*s", space ? (int) (space - whole) : 0, whole);
    for (end = factor + strlen(factor); end > factor && (end[-1] == ' ' || end[-1] == '*'); end--)
        end[-1] = '\0';
    status = find(study->spec.law, at, space ? space + 1 : whole, &to, err);
    if (status == CF_OK)
        status = check(study, ties, at, claimed, &own, &to, err);
    if (status == CF_OK)
        status = check_radius(study, &own, at, err);
    if (status == CF_OK)
        status = check_radius(study, &to, at, err);
    if (status == CF_OK)
        status = read_factor(at, factor, &own, &to, &tie->factor, err);
    if (status)
        return status;
    tie->name = own.name;
    tie->to = to.name;
    claimed[own.target] = at;
    study->spec.ntie++;
    return CF_OK;
}

int cf_study_ties(struct cf_study *study, const struct cf_yaml *root,
                  const struct cf_yaml *claimed[], struct cf_error *err)
{
    const struct cf_yaml *ties = cf_yaml_get(root, "tie");
    int status = ties ? cf_yaml_map(ties, err) : CF_OK;

    for (size_t i = 0; ties && i < ties->n && status == CF_OK; i++)
        status = read_tie(study, ties, &ties->item[i], claimed, err);
    return status;
}
