/* A fit of a foundation in a target whose contact is one. */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "export/predict.h"

/* Those that hold any law as it was fitted have no contact. */
static bool is_foundation(const struct cf_target *target)
{
    return (target->takes & CF_TAKES_KV) && !target->any_values;
}

static bool is_winkler(const struct cf_law *law)
{
    return strcmp(law->name, "winkler") == 0;
}

enum cf_exactness cf_target_exactness(const struct cf_target *target, const struct cf_law *law,
                                      const char **why)
{
    if (law->family != CF_FAMILY_FOUNDATION)
        return target->exactness(law, why);
    if (target->any_values) {
        *why = "exports tell what e becomes, and that of a foundation asks for the shapes of the "
               "bodies";
        return CF_EXACTNESS_NONE;
    }
    if (is_foundation(target) && is_winkler(law)) {
        *why = "kv depth (1 + a v) over the contact is the foundation's own pressure; of a sphere "
               "it is exact to z/(3 R)";
        return CF_EXACTNESS_LAW;
    }
    *why = is_foundation(target)
               ? "its damping asks for the speed of each impact"
               : "a force of a volume of interference, and the target's contact is a point";
    return CF_EXACTNESS_NONE;
}

/* Put parameter `from` of the law that was fitted in the place of `to` of the one that stands for
 * it; nothing, SIZE_MAX. */
static void move(const struct cf_material *fit, size_t from, struct cf_material *to, size_t i)
{
    bool known = from < fit->law->nparam;

    to->p[i] = known ? fit->p[from] : (double) NAN;
    to->low[i] = known ? fit->low[from] : (double) NAN;
    to->high[i] = known ? fit->high[from] : (double) NAN;
    to->identified[i] = known && fit->identified[from];
}

/* Of an indentation that names no bodies: a probe, and the half-space that it is pressed into. */
static void name_bodies(struct cf_material *material)
{
    if (material->body[0].name[0] || material->body[1].name[0])
        return;
    snprintf(material->body[0].name, CF_NAME, "probe");
    material->body[0].radius_m = material->radius_m;
    snprintf(material->body[1].name, CF_NAME, "half-space");
    material->body[1].plane = material->body[1].fixed = true;
    material->body[1].radius_m = material->body[1].mass_kg = (double) INFINITY;
}

void cf_export_on_foundation(const struct cf_target *target, struct cf_material *material)
{
    const struct cf_material fit = *material;
    const struct cf_law *stands = cf_law_find("hunt-crossley");
    size_t kv;

    if (!is_foundation(target) || !is_winkler(fit.law))
        return;
    kv = cf_param_find(fit.law->param, fit.law->nparam, "kv");
    material->foundation = fit.law;
    material->tangential.kv = fit.p[kv];
    material->foundation_identified = fit.identified[kv];
    material->law = stands;
    name_bodies(material);
    for (size_t i = 0; i < CF_MAX_PARAM; i++)
        move(&fit,
             i < stands->nparam
                 ? cf_param_find(fit.law->param, fit.law->nparam, stands->param[i].name)
                 : fit.law->nparam,
             material, i);
}
