/* Two equal grains, of a fit of one of them on a plane of the same material. */

#include <math.h>
#include <string.h>

#include "export/target.h"

/* Does a fit say what spheres of one material do to each other? */
static bool is_of_grains(const struct cf_material *material, const struct cf_export_body *grain)
{
    const struct cf_export_body *b = material->body;
    return cf_export_same_type(&b[0], grain) && cf_export_same_type(&b[1], grain);
}

/* Does fit i, of a ball on a fixed plane of the same material, tell what two such balls do to each
 * other, where no fit is of such a pair? False as well where the law has no rule for another R*. */
static bool tells(const struct cf_mapping m[], size_t n, size_t i, struct cf_material *out)
{
    const struct cf_material *from = m[i].material;
    const struct cf_export_body *b = from->body, *grain = &b[b[0].plane];
    struct cf_error none;

    if (!m[0].target->by_type || cf_material_is_friction(from) || b[0].plane == b[1].plane ||
        !cf_export_same_material(&b[0], &b[1]) || !b[!b[0].plane].fixed)
        return false;
    if (!(from->mass_kg > 0 && isfinite(from->mass_kg) && from->radius_m > 0 &&
          isfinite(from->radius_m)))
        return false;
    for (size_t j = 0; j < n; j++)
        if (is_of_grains(m[j].material, grain))
            return false;
    *out = *from;
    cf_material_unlink(out); /* band and curve are of the fitted m* and R* */
    out->body[0] = out->body[1] = *grain;
    snprintf(out->name, sizeof out->name, "%.30s: two of %.20s", from->name, grain->name);
    cf_material_at_mass(out, from->mass_kg / 2);
    if (cf_material_at_radius(out, from->radius_m / 2, &none))
        return false;
    if (!isnan(from->fitted_mass_kg))
        out->fitted_mass_kg = from->fitted_mass_kg;
    if (!isnan(from->fitted_radius_m))
        out->fitted_radius_m = from->fitted_radius_m;
    return true;
}

int cf_export_add_grains(struct cf_material material[], struct cf_mapping m[],
                         const struct cf_mapping *list[], size_t *n,
                         const struct cf_law *approximate, struct cf_curves *curves,
                         struct cf_error *err)
{
    size_t fits = *n;
    int status = CF_OK;

    for (size_t i = 0; i < fits && !status; i++) {
        if (!tells(m, *n, i, &material[*n]))
            continue;
        list[*n] = &m[*n];
        status = cf_export_map(m[0].target, &material[*n], &m[i].question, approximate, curves,
                               &m[*n], err);
        ++*n;
    }
    return status;
}
