/* What is fitted and what is held. Every parameter of the law is one or
 * the other, under its own name or one of its aliases; a typical value is never substituted. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "study/keys.h"
#include "study/parameter_name.h"

static int read_prior(const struct cf_study *study, const struct cf_parameter_name *name,
                      const struct cf_yaml *prior, struct cf_free *f, struct cf_error *err)
{
    const struct cf_estimand number = cf_parameter_number(name);
    const struct cf_yaml *value, *sigma;
    int status = cf_estimand_prior(prior, &value, &sigma, err);

    if (status)
        return status;
    f->prior_hertz = cf_parameter_says_hertz(value);
    if (f->prior_hertz)
        status = cf_parameter_hertz(study, study->spec.law, name, value, &f->prior_value, err);
    else
        status = cf_estimand_value(&number, value, &f->prior_value, err);
    if (status)
        return status;
    return cf_estimand_sigma(sigma, name->unit, f->prior_value, &f->prior_sigma, err);
}

/* `per`: what shares the parameter's value. */
static int read_sharing(const struct cf_yaml *at, enum cf_sharing *per, struct cf_error *err)
{
    const char *text = NULL;
    int status = cf_yaml_text(at, &text, err);

    for (size_t i = 0; status == CF_OK && i < CF_NSHARING; i++)
        if (strcmp(cf_sharing_name[i], text) == 0) {
            *per = (enum cf_sharing) i;
            return CF_OK;
        }
    return status ? status
                  : cf_yaml_unknown(at, "sharing", text, cf_sharing_name, CF_NSHARING, err);
}

static int read_free(const struct cf_study *study, const struct cf_parameter_name *name,
                     const struct cf_yaml *at, struct cf_free *f, struct cf_error *err)
{
    const struct cf_estimand number = cf_parameter_number(name);
    const struct cf_yaml *prior, *per;
    struct cf_search search = {(double) NAN, (double) NAN, (double) NAN};
    int status = cf_schema_check(at, &cf_study_free_schema, err);

    *f = (struct cf_free){
        .name = name->name, .prior_value = (double) NAN, .prior_sigma = (double) NAN};
    if (status == CF_OK)
        status = cf_estimand_search(&number, at, &search, err);
    f->min = search.min;
    f->max = search.max;
    f->start = search.start;
    per = status == CF_OK ? cf_yaml_get(at, "per") : NULL;
    if (per)
        status = read_sharing(per, &f->per, err);
    prior = status == CF_OK ? cf_yaml_get(at, "prior") : NULL;
    return prior ? read_prior(study, name, prior, f, err) : status;
}

/* The key that has set each parameter so far. */
struct claims {
    const struct cf_yaml *by[CF_MAX_PARAM];
};

/* A key of `fit` that is none of the law's. */
static int no_such_name(const struct cf_study *study, const struct cf_yaml *at,
                        struct cf_error *err)
{
    for (size_t i = 0; i < study->nrival; i++)
        if (cf_parameter_named(study->rival[i], at->key, NULL))
            return cf_yaml_fail_key(at, err,
                                    "%s is a parameter of rival %s, which is fitted unless it is "
                                    "held: put it under fixed, or leave it out",
                                    at->key, study->rival[i]->name);
    return cf_parameter_unknown(study, at, false, err);
}

static int claim(const struct cf_study *study, const struct cf_yaml *at, struct claims *claims,
                 struct cf_parameter_name *name, struct cf_error *err)
{
    const struct cf_law *law = study->spec.law;
    const struct cf_yaml *before;

    if (!cf_parameter_named(law, at->key, name))
        return no_such_name(study, at, err);
    before = claims->by[name->target];
    if (before && strcmp(before->key, at->key) == 0)
        return cf_yaml_fail_key(at, err, "%s is fitted (line %zu) and fixed: one of them is wanted",
                                at->key, before->key_line);
    if (before)
        return cf_yaml_fail_key(at, err, "%s and %s (line %zu) both set %s: one of them is wanted",
                                at->key, before->key, before->key_line,
                                law->param[name->target].name);
    claims->by[name->target] = at;
    return cf_parameter_radius(study, name, at, err);
}

/* Do the data need the law's parameter i? Where n = p, e does not depend on k: data that hold only
 * e can do without it. */
static bool needed(const struct cf_study *study, size_t i)
{
    const struct cf_law *law = study->spec.law;

    if (law->family != CF_FAMILY_NORMAL || cf_law_is_slow(law) || i != cf_law_k(law) ||
        !(law->n > 0 && law->n == law->p))
        return true;
    for (size_t j = 0; j < study->spec.ndata; j++) {
        const struct cf_dataset *d = &study->spec.data[j];
        for (size_t c = 0; c < d->protocol->nchannel; c++)
            for (size_t row = 0; row < d->nrow; row++)
                if (d->protocol->channel[c].role == CF_ROLE_MEASURED &&
                    !cf_channel_predicted(&d->protocol->channel[c], CF_FAMILY_RESTITUTION) &&
                    cf_dataset_has(d, row, c))
                    return true;
    }
    return false;
}

static int check_complete(const struct cf_study *study, const struct cf_yaml *root,
                          const struct claims *claims, struct cf_error *err)
{
    const struct cf_law *law = study->spec.law;
    const struct cf_yaml *fit = cf_yaml_get(root, "fit");

    fit = fit ? fit : root;
    for (size_t i = 0; i < law->nparam; i++)
        if (!claims->by[i] && needed(study, i))
            return cf_yaml_fail_key(fit, err,
                                    "%s (%s) of law %s is neither fitted nor fixed: put %s: {} "
                                    "here, or its value under fixed",
                                    law->param[i].name, law->param[i].what, law->name,
                                    law->param[i].name);
    if (!study->spec.nfree)
        return cf_yaml_fail(fit, err, "fit: no parameter: at least one is needed");
    return CF_OK;
}

/* The law, and every rival, at each data set: a load where the law has coefficients. */
static int check_suits(const struct cf_study *study, const struct cf_yaml *root,
                       struct cf_error *err)
{
    const struct cf_yaml *at = cf_study_law_node(root), *rivals = cf_yaml_get(root, "rivals");
    struct cf_error why;

    for (size_t i = 0; i < study->spec.ndata; i++)
        for (size_t r = 0; r <= study->nrival; r++) {
            const struct cf_law *law = r < study->nrival ? study->rival[r] : study->spec.law;
            if (cf_law_suits(law, &study->spec.data[i], &why))
                return cf_yaml_fail(r < study->nrival && rivals ? rivals : at, err,
                                    "law %s, data set %s: %s", law->name, study->spec.data[i].name,
                                    why.text);
        }
    return CF_OK;
}

/* An entry of `fixed`, of the law or of rivals alone. */
static int read_fixed(struct cf_study *study, const struct cf_yaml *at, struct claims *claims,
                      struct cf_error *err)
{
    struct cf_spec *spec = &study->spec;
    struct cf_parameter_name name;
    int status;

    if (!cf_parameter_named(spec->law, at->key, NULL))
        return cf_study_rival_given(study, at, err);
    status = claim(study, at, claims, &name, err);
    return status
               ? status
               : cf_parameter_given(study, spec->law, &name, at, &spec->given[spec->ngiven++], err);
}

/* The entries of `fit` or `fixed`. */
static int read_entries(struct cf_study *study, const struct cf_yaml *map, bool fixed,
                        struct claims *claims, struct cf_error *err)
{
    struct cf_spec *spec = &study->spec;
    int status = cf_yaml_map(map, err);

    for (size_t i = 0; status == CF_OK && i < map->n; i++) {
        const struct cf_yaml *at = &map->item[i];
        struct cf_parameter_name name;
        if (study->other_law && !fixed && !cf_parameter_named(spec->law, at->key, NULL)) {
            status = cf_study_note(study, err, "%s of the study's law is no parameter of %s",
                                   at->key, spec->law->name);
            continue;
        }
        status = fixed ? read_fixed(study, at, claims, err) : claim(study, at, claims, &name, err);
        if (status == CF_OK && !fixed)
            status = read_free(study, &name, at, &spec->free[spec->nfree++], err);
    }
    return status;
}

/* All that nothing sets is fitted. */
static void free_the_rest(struct cf_study *study, const struct cf_yaml *by, struct claims *claims)
{
    struct cf_spec *spec = &study->spec;

    for (size_t i = 0; i < spec->law->nparam; i++) {
        if (claims->by[i] || !needed(study, i))
            continue;
        spec->free[spec->nfree++] = (struct cf_free){.name = spec->law->param[i].name,
                                                     .min = (double) NAN,
                                                     .max = (double) NAN,
                                                     .start = (double) NAN,
                                                     .prior_value = (double) NAN,
                                                     .prior_sigma = (double) NAN};
        claims->by[i] = by;
    }
}

/* What only impacts slower than those of a table would show is off, unless the study sets it. In a
 * motion it is needed: bodies come to rest there. */
static void switch_off(struct cf_study *study, const struct cf_yaml *by, struct claims *claims)
{
    struct cf_spec *spec = &study->spec;
    const struct cf_law *law = spec->law;
    size_t i = law->threshold && !law->normal
                   ? cf_param_find(law->param, law->nparam, law->threshold)
                   : law->nparam;

    if (i == law->nparam || claims->by[i])
        return;
    spec->given[spec->ngiven++] = (struct cf_given){.name = law->param[i].name, .value = 0};
    claims->by[i] = by;
}

static bool says_all(const struct cf_yaml *fit)
{
    return !fit || (fit->kind == CF_YAML_TEXT && strcmp(fit->text, "all") == 0);
}

int cf_study_parameters(struct cf_study *study, const struct cf_yaml *root, struct cf_error *err)
{
    const struct cf_yaml *fit = cf_yaml_get(root, "fit"), *fixed = cf_yaml_get(root, "fixed");
    struct claims claims = {{NULL}};
    int status = says_all(fit) ? CF_OK : read_entries(study, fit, false, &claims, err);

    if (status == CF_OK && fixed)
        status = read_entries(study, fixed, true, &claims, err);
    if (status == CF_OK && fixed)
        status = cf_study_rivals_claims(study, fixed, err);
    if (status == CF_OK && !study->other_law)
        status = cf_study_ties(study, root, claims.by, err);
    if (status == CF_OK)
        switch_off(study, fit ? fit : root, &claims);
    if (status == CF_OK && (says_all(fit) || study->other_law))
        free_the_rest(study, fit ? fit : root, &claims);
    if (status == CF_OK)
        status = check_complete(study, root, &claims, err);
    return status == CF_OK ? check_suits(study, root, err) : status;
}
