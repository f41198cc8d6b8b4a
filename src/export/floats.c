/* Where single precision places the two bodies of a pair. */

#include <math.h>

#include "export/predict.h"

/* A body of infinite radius is a plane, which stays at 0; one of infinite mass does not move. */
static bool is_known(const struct cf_export_body *body)
{
    return body->radius_m > 0 && (body->mass_kg > 0 || body->fixed);
}

static double curvature(const struct cf_export_body *body)
{
    return body->plane ? 0 : 1 / body->radius_m;
}

static bool is_near(double a, double b)
{
    const double within = 1e-6;
    return fabs(a / b - 1) < within;
}

void cf_export_floats(const struct cf_material *material, struct cf_floats *out)
{
    const struct cf_export_body *b = material->body;
    double part[2];

    *out = (struct cf_floats){.are = false};
    if (!(material->radius_m > 0 && isfinite(material->radius_m) && material->mass_kg > 0))
        return;
    *out = (struct cf_floats){.are = true, .radius_m = {material->radius_m, 0}, .part = {1, 0}};
    for (int i = 0; i < 2; i++)
        part[i] = b[i].fixed ? 0 : material->mass_kg / b[i].mass_kg;
    if (!is_known(&b[0]) || !is_known(&b[1]) || !is_near(part[0] + part[1], 1) ||
        !is_near((curvature(&b[0]) + curvature(&b[1])) * material->radius_m, 1))
        return;
    /* the first is the one that comes */
    bool other = b[0].plane || b[0].fixed;
    for (int i = 0; i < 2; i++) {
        const struct cf_export_body *body = &b[other ? 1 - i : i];
        out->radius_m[i] = body->plane ? 0 : body->radius_m;
        out->part[i] = part[other ? 1 - i : i];
    }
}
