/* The law of a study, with the friction beside it, and its rivals. */

#include <stdlib.h>
#include <string.h>

#include "file/law_name.h"
#include "study/parts.h"

/* A law, or two parts of one: what the text leaves out is as in `like`. */
static int law_named(struct cf_study *study, const struct cf_yaml *at, const struct cf_law *like,
                     const struct cf_law **law, struct cf_error *err)
{
    struct cf_error why = {""};
    const char *name = NULL;
    int status = cf_yaml_text(at, &name, err);

    if (status)
        return status;
    if (!strchr(name, '+') && (!cf_contact_friction_find(name) || !like)) {
        status = cf_law_name(at, study->registry, NULL, law, err);
        if (status)
            return status;
    }
    if (cf_registry_contact_law(study->registry, &study->made, like, name, law, &why))
        return cf_yaml_fail(at, err, "%s", why.text);
    return CF_OK;
}

/* `friction`: what a contact law has beside the normal law. */
static int add_friction(struct cf_study *study, const struct cf_yaml *at, const struct cf_law **law,
                        struct cf_error *err)
{
    const char *known[CF_MOST_FRICTIONS], *name = NULL;
    const struct cf_friction_law *friction;
    struct cf_error why = {""};
    int status = cf_yaml_text(at, &name, err);

    if (status)
        return status;
    friction = cf_contact_friction_find(name);
    if (!friction)
        return cf_yaml_unknown(at, "friction law", name, known, cf_contact_friction_names(known),
                               err);
    if ((*law)->friction)
        return cf_yaml_fail(at, err, "friction: law %s has one already", (*law)->name);
    if (cf_contact_law(&study->made, *law, friction, law, &why))
        return cf_yaml_fail(at, err, "friction: %s", why.text);
    return CF_OK;
}

static bool is_foundation(const struct cf_law *law)
{
    return law->family == CF_FAMILY_FOUNDATION;
}

/* `foundation`: the law of a contact over a volume, under a key of its own. */
static int read_foundation(struct cf_study *study, const struct cf_yaml *at,
                           const struct cf_yaml *law, const struct cf_law **out,
                           struct cf_error *err)
{
    int status = CF_OK;

    if (law)
        return cf_yaml_fail_key(at, err,
                                "foundation and law: a contact has one of them: leave one out, or "
                                "name it under rivals");
    status = cf_law_name(at, study->registry, is_foundation, out, err);
    if (!status && !is_foundation(*out))
        return cf_yaml_fail(at, err, "foundation: %s is no foundation: it is a law: %s",
                            (*out)->name, (*out)->name);
    return status;
}

static bool is_curve(const struct cf_law *law)
{
    return law->curve != NULL;
}

/* `friction` without `law`: slides need no normal law, and a friction curve is the law. */
static int friction_alone(struct cf_study *study, const struct cf_yaml *at,
                          const struct cf_law **law, struct cf_error *err)
{
    const char *name = NULL;
    int status = cf_yaml_text(at, &name, err);

    if (status)
        return status;
    if (cf_contact_friction_find(name))
        return cf_study_law_named(study, name, law, err);
    status = cf_law_name(at, study->registry, is_curve, law, err);
    if (!status && !is_curve(*law))
        return cf_yaml_fail(at, err, "friction: %s is no law of friction: it is a law: %s", name,
                            name);
    return status;
}

/* `law` and `friction`: the parts of a contact law, or the same curve twice. */
static int both(struct cf_study *study, const struct cf_yaml *friction, const struct cf_law **law,
                struct cf_error *err)
{
    const char *name = NULL;
    const struct cf_law *curve;
    int status = cf_yaml_text(friction, &name, err);

    if (status)
        return status;
    curve = cf_registry_law(study->registry, name);
    if (!curve || !is_curve(curve))
        return add_friction(study, friction, law, err);
    if (curve == *law)
        return CF_OK;
    return cf_yaml_fail(friction, err,
                        "friction: %s is a curve of slides, which stands alone, and law is %s: "
                        "leave one out%s",
                        name, (*law)->name,
                        is_curve(*law) ? "" : "; beside that law it is one such as clutch");
}

static int read_rivals(struct cf_study *study, const struct cf_yaml *rivals, struct cf_error *err)
{
    int status = cf_yaml_list(rivals, err);

    if (status)
        return status;
    study->rival = calloc(rivals->n + 1, sizeof *study->rival);
    if (!study->rival)
        return cf_fail(err, CF_ENOMEM, "no memory for the rivals");
    for (size_t i = 0; i < rivals->n; i++) {
        const struct cf_yaml *at = &rivals->item[i];
        const struct cf_law *law = NULL;

        status = law_named(study, at, study->spec.law, &law, err);
        if (status)
            return status;
        if (law == study->spec.law) { /* as when `law` follows the advice to try a rival */
            status = cf_study_note(study, err, "rival %s is the study's own law: it is fitted once",
                                   law->name);
            if (status)
                return status;
            continue;
        }
        for (size_t j = 0; j < study->nrival; j++)
            if (study->rival[j] == law)
                return cf_yaml_fail(at, err, "rival %s: named twice", law->name);
        study->rival[study->nrival++] = law;
    }
    return CF_OK;
}

/* The law that the study names becomes a rival of the one that takes its place. */
static int add_rival(struct cf_study *study, const struct cf_law *law, struct cf_error *err)
{
    const struct cf_law **longer;

    for (size_t i = 0; i < study->nrival; i++)
        if (study->rival[i] == law)
            return CF_OK;
    longer = realloc(study->rival, (study->nrival + 1) * sizeof *longer);
    if (!longer)
        return cf_fail(err, CF_ENOMEM, "no memory for the rivals");
    study->rival = longer;
    longer[study->nrival++] = law;
    return CF_OK;
}

const struct cf_yaml *cf_study_law_node(const struct cf_yaml *root)
{
    const struct cf_yaml *law = cf_yaml_get(root, "law");

    law = law ? law : cf_yaml_get(root, "foundation");
    return law ? law : cf_yaml_get(root, "friction");
}

int cf_study_law_named(struct cf_study *study, const char *name, const struct cf_law **law,
                       struct cf_error *err)
{
    return cf_registry_contact_law(study->registry, &study->made, study->spec.law, name, law, err);
}

int cf_study_law(struct cf_study *study, const struct cf_yaml *root, const char *instead,
                 struct cf_error *err)
{
    const struct cf_yaml *law = cf_yaml_get(root, "law"), *rivals = cf_yaml_get(root, "rivals");
    const struct cf_yaml *friction = cf_yaml_get(root, "friction");
    const struct cf_yaml *foundation = cf_yaml_get(root, "foundation");
    const struct cf_law *named = NULL;
    int status = law || foundation || friction ? CF_OK : cf_yaml_need(root, "law", &law, err);

    if (status == CF_OK && foundation)
        status = read_foundation(study, foundation, law, &named, err);
    else if (status == CF_OK && !law)
        status = friction_alone(study, friction, &named, err);
    else if (status == CF_OK)
        status = law_named(study, law, NULL, &named, err);
    if (status == CF_OK && (law || foundation) && friction)
        status = both(study, friction, &named, err);
    study->spec.law = named;
    if (status == CF_OK && instead)
        status = cf_study_law_named(study, instead, &study->spec.law, err) ? CF_EUSAGE : CF_OK;
    study->other_law = study->spec.law != named;
    if (status == CF_OK && rivals)
        status = read_rivals(study, rivals, err);
    return status == CF_OK && study->other_law ? add_rival(study, named, err) : status;
}
