/* What is held in rivals alone: entries of `fixed` that name no parameter of the study's law. */

#include <stdlib.h>
#include <string.h>

#include "core/units.h"
#include "study/parameter_name.h"

/* May the value be one of this parameter, by its unit? */
static bool goes_with(const struct cf_law *law, const struct cf_parameter_name *name,
                      const struct cf_yaml *at)
{
    double si;

    if (cf_parameter_says_hertz(at))
        return cf_parameter_is_hertz(law, name);
    return at->kind == CF_YAML_TEXT && cf_quantity_parse(at->text, name->unit, &si, NULL) == CF_OK;
}

/* Room for one more in spec->rival_given; NULL without memory. */
static struct cf_rival_given *grow(struct cf_spec *spec)
{
    struct cf_rival_given *longer =
        realloc(spec->rival_given, (spec->nrival_given + 1) * sizeof *longer);

    if (!longer)
        return NULL;
    spec->rival_given = longer;
    return &longer[spec->nrival_given];
}

/* The rival whose parameter a value is: the first that has the name in its unit, or where that is
 * nobody's, in any, so that the message can say which is wanted; NULL: none has the name. */
static const struct cf_law *rival_meant(const struct cf_study *study, const struct cf_yaml *at)
{
    const struct cf_law *any = NULL;
    struct cf_parameter_name name;

    for (size_t i = 0; i < study->nrival; i++) {
        const struct cf_law *law = study->rival[i];
        if (!cf_parameter_named(law, at->key, &name))
            continue;
        if (goes_with(law, &name, at))
            return law;
        any = any ? any : law;
    }
    return any;
}

int cf_study_rival_given(struct cf_study *study, const struct cf_yaml *at, struct cf_error *err)
{
    const struct cf_law *meant = rival_meant(study, at);
    struct cf_parameter_name wanted, name;
    struct cf_rival_given *given;
    int status = CF_OK;

    if (!meant)
        return cf_parameter_unknown(study, at, true, err);
    given = grow(&study->spec);
    if (!given)
        return cf_fail(err, CF_ENOMEM, "no memory for what is held in rivals");
    cf_parameter_named(meant, at->key, &wanted);
    given->unit = wanted.unit;
    status = cf_parameter_given(study, meant, &wanted, at, &given->given, err);
    for (size_t i = 0; i < study->nrival && !status; i++) {
        const struct cf_law *law = study->rival[i];
        struct cf_given same;
        if (!cf_parameter_named(law, at->key, &name) || !goes_with(law, &name, at))
            continue;
        if (strcmp(name.unit, wanted.unit) != 0)
            return cf_yaml_fail(at, err,
                                "%s: %s: %s has it in %s and %s in %s: give it with its unit",
                                at->key, at->text, meant->name, wanted.unit, law->name, name.unit);
        status = cf_parameter_radius(study, &name, at, err);
        if (!status)
            status = cf_parameter_given(study, law, &name, at, &same, err);
    }
    study->spec.nrival_given += !status;
    return status;
}

/* The parameter of a rival that an entry of `fixed` sets, or nparam; *alone where it is none of the
 * law's. */
static size_t held_by(const struct cf_study *study, const struct cf_law *rival, const char *key,
                      bool *alone)
{
    const struct cf_law *own = study->spec.law;
    struct cf_parameter_name here, there;

    *alone = !cf_parameter_named(own, key, &there);
    if (!cf_parameter_named(rival, key, &here))
        return rival->nparam;
    if (!*alone)
        return strcmp(own->param[there.target].unit, rival->param[here.target].unit) == 0
                   ? here.target
                   : rival->nparam;
    for (size_t i = 0; i < study->spec.nrival_given; i++)
        if (strcmp(study->spec.rival_given[i].given.name, here.name) == 0 &&
            strcmp(study->spec.rival_given[i].unit, here.unit) == 0)
            return here.target;
    return rival->nparam;
}

static int check_claims(const struct cf_study *study, const struct cf_law *rival,
                        const struct cf_yaml *fixed, struct cf_error *err)
{
    for (size_t i = 1; i < fixed->n; i++)
        for (size_t j = 0; j < i; j++) {
            const struct cf_yaml *at = &fixed->item[i], *before = &fixed->item[j];
            bool alone, other_alone;
            size_t target = held_by(study, rival, at->key, &alone);
            if (target == rival->nparam ||
                held_by(study, rival, before->key, &other_alone) != target ||
                !(alone || other_alone))
                continue;
            return cf_yaml_fail_key(
                at, err, "%s and %s (line %zu) both set %s of rival %s: one of them is wanted",
                at->key, before->key, before->key_line, rival->param[target].name, rival->name);
        }
    return CF_OK;
}

int cf_study_rivals_claims(const struct cf_study *study, const struct cf_yaml *fixed,
                           struct cf_error *err)
{
    int status = CF_OK;

    for (size_t i = 0; i < study->nrival && study->spec.nrival_given && !status; i++)
        status = check_claims(study, study->rival[i], fixed, err);
    return status;
}
