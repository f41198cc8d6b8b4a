/* Names of parameters in a study: the law's own and its aliases, and values that are held. */

#include "study/parameter_name.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool cf_parameter_named(const struct cf_law *law, const char *name, struct cf_parameter_name *out)
{
    size_t i = cf_param_find(law->param, law->nparam, name);
    const struct cf_alias *alias = i < law->nparam ? NULL : cf_law_alias(law, name);
    struct cf_parameter_name found = {.target = i};

    if (i == law->nparam && !alias)
        return false;
    if (alias) {
        found.alias = alias;
        found.name = alias->name;
        found.unit = alias->unit;
        found.target = alias->target;
    } else {
        found.param = &law->param[i];
        found.name = found.param->name;
        found.unit = found.param->unit;
    }
    if (out)
        *out = found;
    return true;
}

/* Add a name that is not there yet. */
static void add_name(const char *known[], size_t *n, const char *name)
{
    for (size_t i = 0; i < *n; i++)
        if (strcmp(known[i], name) == 0)
            return;
    known[(*n)++] = name;
}

static void add_names(const struct cf_law *law, const char *known[], size_t *n)
{
    for (size_t i = 0; i < law->nparam; i++)
        add_name(known, n, law->param[i].name);
    for (size_t i = 0; i < law->nalias; i++)
        add_name(known, n, law->alias[i].name);
}

int cf_parameter_unknown(const struct cf_study *study, const struct cf_yaml *at, bool rivals,
                         struct cf_error *err)
{
    const struct cf_law *law = study->spec.law;
    size_t most = law->nparam + law->nalias, n = 0;
    const char **known;
    int status;

    for (size_t i = 0; i < study->nrival && rivals; i++)
        most += study->rival[i]->nparam + study->rival[i]->nalias;
    known = calloc(most + 1, sizeof *known);
    if (!known)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu names", most);
    add_names(law, known, &n);
    for (size_t i = 0; i < study->nrival && rivals; i++)
        add_names(study->rival[i], known, &n);
    status = cf_yaml_unknown(at, "parameter", at->key, known, n, err);
    free(known);
    return status;
}

struct cf_estimand cf_parameter_number(const struct cf_parameter_name *name)
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

bool cf_parameter_says_hertz(const struct cf_yaml *at)
{
    return at->kind == CF_YAML_TEXT && strcmp(at->text, "hertz") == 0;
}

bool cf_parameter_is_hertz(const struct cf_law *law, const struct cf_parameter_name *name)
{
    return name->param && name->target == cf_law_k(law) && cf_law_alias(law, "effective_modulus");
}

int cf_parameter_hertz(const struct cf_study *study, const struct cf_law *law,
                       const struct cf_parameter_name *name, const struct cf_yaml *at, double *k,
                       struct cf_error *err)
{
    if (!name->param || name->target != cf_law_k(law))
        return cf_yaml_fail(at, err, "%s: hertz gives k and nothing else", name->name);
    if (!cf_parameter_is_hertz(law, name))
        return cf_yaml_fail(at, err, "%s: hertz gives N/m^1.5, and %s has it in %s", name->name,
                            law->name, name->unit);
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

int cf_parameter_radius(const struct cf_study *study, const struct cf_parameter_name *name,
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

int cf_parameter_given(const struct cf_study *study, const struct cf_law *law,
                       const struct cf_parameter_name *name, const struct cf_yaml *at,
                       struct cf_given *given, struct cf_error *err)
{
    const struct cf_estimand number = cf_parameter_number(name);

    *given = (struct cf_given){.name = name->name, .hertz = cf_parameter_says_hertz(at)};
    return given->hertz ? cf_parameter_hertz(study, law, name, at, &given->value, err)
                        : cf_estimand_value(&number, at, &given->value, err);
}
