/* What derivatives may be asked for. */

#include "motion/sensitivity.h"

static int check_pair(const struct cf_scene *scene, const struct cf_wrt *wrt, size_t column,
                      struct cf_error *err)
{
    const struct cf_contact_pair *pair = &scene->pair[wrt->index];
    bool law = wrt->kind == CF_WRT_LAW;
    size_t nparam = 0;

    if (wrt->index >= scene->npair)
        return cf_fail(err, CF_ERANGE, "derivative %zu: contact %zu: there are %zu", column,
                       wrt->index, scene->npair);
    if (law && pair->law)
        nparam = pair->law->nparam;
    else if (!law && pair->friction)
        nparam = pair->friction->nparam;
    if (wrt->part < nparam)
        return CF_OK;
    return cf_fail(err, CF_ERANGE,
                   "derivative %zu: parameter %zu of the %s law of contact %s: it "
                   "has %zu",
                   column, wrt->part, law ? "normal" : "friction", pair->name, nparam);
}

static int check_body(const struct cf_scene *scene, const struct cf_wrt *wrt, size_t column,
                      struct cf_error *err)
{
    if (wrt->index >= scene->nbody)
        return cf_fail(err, CF_ERANGE, "derivative %zu: body %zu: there are %zu", column,
                       wrt->index, scene->nbody);
    if (scene->body[wrt->index].drive != CF_DRIVE_FREE)
        return cf_fail(err, CF_ERANGE, "derivative %zu: %s does not move by forces", column,
                       scene->body[wrt->index].name);
    if (wrt->kind != CF_WRT_MASS && wrt->part >= 3)
        return cf_fail(err, CF_ERANGE, "derivative %zu: component %zu of a vector of three", column,
                       wrt->part);
    return CF_OK;
}

int cf_sensitivity_check(const struct cf_scene *scene, size_t ncolumn, const struct cf_wrt wrt[],
                         struct cf_error *err)
{
    int status = CF_OK;

    for (size_t c = 0; c < ncolumn && status == CF_OK; c++)
        switch (wrt[c].kind) {
        case CF_WRT_LAW:
        case CF_WRT_FRICTION:
            status = check_pair(scene, &wrt[c], c, err);
            break;
        case CF_WRT_GRAVITY:
            if (wrt[c].part >= 3)
                status =
                    cf_fail(err, CF_ERANGE, "derivative %zu: component %zu of a vector of three", c,
                            wrt[c].part);
            break;
        case CF_WRT_MASS:
        case CF_WRT_POSITION:
        case CF_WRT_VELOCITY:
        case CF_WRT_SPIN:
            status = check_body(scene, &wrt[c], c, err);
            break;
        }
    return status;
}
