/* What is fitted and what is held. Every parameter of the law is one or
 * the other, under its own name or one of its aliases; a typical value is never substituted. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "study/parts.h"

enum { MAX_NAMES = 2 * CF_MAX_PARAM };

/* A name under which a parameter of the law goes. */
struct name {
    const char *name, *unit;
    size_t target;
    const struct cf_param *param; /* its row; NULL for an alias */
    const struct cf_alias *alias; /* NULL for the parameter itself */
};

/* Has the law a parameter of that name? Keys of a study whose law another one replaces are left out
 * where it has none. */
static bool has_name(const struct cf_law *law, const char *name)
{
    return cf_param_find(law->param, law->nparam, name) < law->nparam || cf_law_alias(law, name);
}

static int find_name(const struct cf_law *law, const struct cf_yaml *at, struct name *out,
                     struct cf_error *err)
{
    const char *known[MAX_NAMES];
    size_t n = 0, i = cf_param_find(law->param, law->nparam, at->key);

    *out = (struct name){.target = i};
    if (i < law->nparam) {
        out->param = &law->param[i];
        out->name = out->param->name;
        out->unit = out->param->unit;
        return CF_OK;
    }
    out->alias = cf_law_alias(law, at->key);
    if (out->alias) {
        out->name = out->alias->name;
        out->unit = out->alias->unit;
        out->target = out->alias->target;
        return CF_OK;
    }
    for (size_t j = 0; j < law->nparam && n < MAX_NAMES; j++)
        known[n++] = law->param[j].name;
    for (size_t j = 0; j < law->nalias && n < MAX_NAMES; j++)
        known[n++] = law->alias[j].name;
    return cf_yaml_unknown(at, "parameter", at->key, known, n, err);
}

/* k from Hertz on the pair of the first data set; every pair must be able to give it. */
static int hertz(const struct cf_study *study, const struct name *name, const struct cf_yaml *at,
                 double *k, struct cf_error *err)
{
    const struct cf_law *law = study->spec.law;

    if (!name->param || name->target != cf_law_k(law))
        return cf_yaml_fail(at, err, "%s: hertz gives k and nothing else", name->name);
    for (size_t i = study->spec.ndata; i-- > 0;) {
        const struct cf_dataset *d = &study->spec.data[i];

        if (!(d->pair.modulus_Pa > 0))
            return cf_yaml_fail(at, err,
                                "%s: hertz needs youngs_modulus and poissons_ratio of both bodies "
                                "of data set %s, or of one and rigid: true of the other",
                                name->name, d->name);
        if (!isfinite(d->pair.radius_m))
            return cf_yaml_fail(at, err, "%s: hertz needs a sphere among the bodies of data set %s",
                                name->name, d->name);
        *k = cf_hertz_stiffness(d->pair.modulus_Pa, d->pair.radius_m);
        if (!(*k >= name->param->lower && *k <= name->param->upper))
            return cf_yaml_fail(at, err, "%s: hertz gives %.4g %s: must be in [%g, %g]", name->name,
                                *k, name->unit, name->param->lower, name->param->upper);
    }
    return CF_OK;
}

static bool says_hertz(const struct cf_yaml *at)
{
    return at->kind == CF_YAML_TEXT && strcmp(at->text, "hertz") == 0;
}

/* The parameter as a number that may be fitted; the range of an alias is not its own. */
static struct cf_estimand estimand(const struct name *name)
{
    const struct cf_param *q = name->param;
    struct cf_estimand out = {.name = name->name,
                              .unit = name->unit,
                              .by_logarithm = q && q->scale == CF_SCALE_LOG,
                              .lower = q ? q->lower : (double) -INFINITY,
                              .upper = q ? q->upper : (double) INFINITY,
                              .fit_lower = q ? q->fit_lower : (double) -INFINITY,
                              .fit_upper = q ? q->fit_upper : (double) INFINITY,
                              .whose = "the law's own bound"};
    return out;
}

static int read_prior(const struct cf_study *study, const struct name *name,
                      const struct cf_yaml *prior, struct cf_free *f, struct cf_error *err)
{
    const struct cf_estimand number = estimand(name);
    const struct cf_yaml *value, *sigma;
    int status = cf_estimand_prior(prior, &value, &sigma, err);

    if (status)
        return status;
    f->prior_hertz = says_hertz(value);
    if (f->prior_hertz)
        status = hertz(study, name, value, &f->prior_value, err);
    else
        status = cf_estimand_value(&number, value, &f->prior_value, err);
    if (status)
        return status;
    return cf_estimand_sigma(sigma, name->unit, f->prior_value, &f->prior_sigma, err);
}

/* `per`: by whom the parameter's value is shared. */
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

static int read_free(const struct cf_study *study, const struct name *name,
                     const struct cf_yaml *at, struct cf_free *f, struct cf_error *err)
{
    static const char *const keys[] = {"min", "max", "start", "prior", "per"};
    const struct cf_estimand number = estimand(name);
    const struct cf_yaml *prior, *per;
    struct cf_search search = {(double) NAN, (double) NAN, (double) NAN};
    int status = cf_yaml_keys(at, keys, sizeof keys / sizeof *keys, err);

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

/* An alias with R needs the radius of every pair. */
static int check_radius(const struct cf_study *study, const struct name *name,
                        const struct cf_yaml *at, struct cf_error *err)
{
    if (!name->alias || name->alias->radius_power == 0)
        return CF_OK;
    for (size_t i = 0; i < study->spec.ndata; i++)
        if (!isfinite(study->spec.data[i].pair.radius_m))
            return cf_yaml_fail_key(at, err, "%s needs a sphere among the bodies of data set %s",
                                    name->name, study->spec.data[i].name);
    return CF_OK;
}

/* The key that has set each parameter so far. */
struct claims {
    const struct cf_yaml *by[CF_MAX_PARAM];
};

static int claim(const struct cf_study *study, const struct cf_yaml *at, struct claims *claims,
                 struct name *name, struct cf_error *err)
{
    const struct cf_law *law = study->spec.law;
    const struct cf_yaml *before;
    int status = find_name(law, at, name, err);

    if (status)
        return status;
    before = claims->by[name->target];
    if (before && strcmp(before->key, at->key) == 0)
        return cf_yaml_fail_key(at, err, "%s is fitted (line %zu) and fixed: one of them is wanted",
                                at->key, before->key_line);
    if (before)
        return cf_yaml_fail_key(at, err, "%s and %s (line %zu) both set %s: one of them is wanted",
                                at->key, before->key, before->key_line,
                                law->param[name->target].name);
    claims->by[name->target] = at;
    return check_radius(study, name, at, err);
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
                    !cf_channel_common(d->protocol, c) && cf_dataset_has(d, row, c))
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

/* The law, and every rival, at each data set: a load where it tells a coefficient. */
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

static int read_fixed(struct cf_study *study, const struct cf_yaml *at, const struct name *name,
                      struct cf_error *err)
{
    const struct cf_estimand number = estimand(name);
    struct cf_given *given = &study->spec.given[study->spec.ngiven++];

    *given = (struct cf_given){.name = name->name, .hertz = says_hertz(at)};
    return given->hertz ? hertz(study, name, at, &given->value, err)
                        : cf_estimand_value(&number, at, &given->value, err);
}

/* The entries of `fit` or `fixed`. */
static int read_entries(struct cf_study *study, const struct cf_yaml *map, bool fixed,
                        struct claims *claims, struct cf_error *err)
{
    struct cf_spec *spec = &study->spec;
    int status = cf_yaml_map(map, err);

    for (size_t i = 0; status == CF_OK && i < map->n; i++) {
        const struct cf_yaml *at = &map->item[i];
        struct name name;
        if (study->other_law && !has_name(spec->law, at->key)) {
            status = cf_study_note(study, err, "%s of the study's law is no parameter of %s",
                                   at->key, spec->law->name);
            continue;
        }
        status = claim(study, at, claims, &name, err);
        if (status == CF_OK && fixed)
            status = read_fixed(study, at, &name, err);
        else if (status == CF_OK)
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
    if (status == CF_OK && !study->other_law)
        status = cf_study_ties(study, root, claims.by, err);
    if (status == CF_OK && (says_all(fit) || study->other_law))
        free_the_rest(study, fit ? fit : root, &claims);
    if (status == CF_OK)
        status = check_complete(study, root, &claims, err);
    return status == CF_OK ? check_suits(study, root, err) : status;
}
