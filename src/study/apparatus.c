/* `apparatus` of a data set: what is known of the rig, by the names of the protocol's table. */

#include <stdlib.h>
#include <string.h>

#include "study/keys.h"
#include "study/parts.h"

struct cf_estimand cf_apparatus_number(const struct cf_param *row)
{
    return (struct cf_estimand){.name = row->name,
                                .unit = row->unit,
                                .positive = row->scale == CF_SCALE_LOG,
                                .lower = row->lower,
                                .upper = row->upper,
                                .fit_lower = row->fit_lower,
                                .fit_upper = row->fit_upper,
                                .whose = "the protocol's own bound"};
}

static int unknown(const struct cf_yaml *at, const struct cf_protocol *protocol,
                   struct cf_error *err)
{
    const char **known = calloc(protocol->napparatus + 2, sizeof *known);
    size_t n = protocol->napparatus;
    int status;

    for (size_t i = 0; known && i < protocol->napparatus; i++)
        known[i] = protocol->apparatus[i].name;
    if (known && protocol->presses)
        known[n++] = "shape";
    status = known ? cf_yaml_unknown(at, "part of the apparatus", at->key, known, n, err)
                   : cf_fail(err, CF_ENOMEM, "no memory for names");
    free(known);
    return status;
}

/* What is not stated, and has a prior as a nuisance, is what that says until it is fitted. */
static int take_prior(const struct cf_yaml *set, struct cf_dataset *d, size_t i,
                      struct cf_error *err)
{
    const struct cf_param *row = &d->protocol->apparatus[i];
    const struct cf_yaml *apparatus = cf_yaml_get(set, "apparatus");
    const struct cf_yaml *nuisance = cf_yaml_get(set, "nuisance");
    const struct cf_yaml *at = nuisance ? cf_yaml_get(nuisance, row->name) : NULL;
    const struct cf_yaml *prior = at ? cf_yaml_get(at, "prior") : NULL;
    const struct cf_yaml *value = prior ? cf_yaml_get(prior, "value") : NULL;
    struct cf_estimand number = cf_apparatus_number(row);

    if (!value || (apparatus && cf_yaml_get(apparatus, row->name)))
        return CF_OK;
    return cf_estimand_value(&number, value, &d->apparatus[i], err);
}

/* A data set's own gravity, or the study's. */
static void take_gravity(const struct cf_yaml *apparatus, struct cf_dataset *d)
{
    size_t i = d->protocol->gravity;

    if (apparatus && i && cf_yaml_get(apparatus, d->protocol->apparatus[i].name))
        d->pair.gravity_m_s2 = d->apparatus[i];
    else if (i)
        d->apparatus[i] = d->pair.gravity_m_s2;
}

int cf_source_apparatus(const struct cf_yaml *set, struct cf_dataset *d, struct cf_error *err)
{
    const struct cf_protocol *protocol = d->protocol;
    const struct cf_yaml *apparatus = cf_yaml_get(set, "apparatus");
    int status = apparatus ? cf_yaml_map(apparatus, err) : CF_OK;

    for (size_t i = 0; apparatus && i < apparatus->n && status == CF_OK; i++) {
        const struct cf_yaml *at = &apparatus->item[i];
        size_t j = cf_param_find(protocol->apparatus, protocol->napparatus, at->key);
        struct cf_estimand number;

        if (protocol->presses && strcmp(at->key, cf_apparatus_shape) == 0) {
            status = cf_source_shape(at, d, err);
            continue;
        }
        if (j == protocol->napparatus)
            return unknown(at, protocol, err);
        number = cf_apparatus_number(&protocol->apparatus[j]);
        status = cf_estimand_value(&number, at, &d->apparatus[j], err);
        d->steps_stated = d->steps_stated || (protocol->steps && j == protocol->steps);
    }
    for (size_t i = 0; i < protocol->napparatus && status == CF_OK; i++)
        status = take_prior(set, d, i, err);
    if (status == CF_OK)
        take_gravity(apparatus, d);
    return status;
}
