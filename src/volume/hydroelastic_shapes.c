/* The shapes of which Drake's documentation estimates hydroelastic contact: a sphere on a
 * half-space, two spheres, a flat punch and a cone; a row each. */

#include <gsl/gsl_math.h>

#include "volume/hydroelastic.h"
#include "volume/pairs.h"
#include "volume/rows.h"

#define CITE "Drake, Hydroelastic contact: estimates; Gonthier 2007, eqs. 4.62 and 4.132"
#define KV                                                                                         \
    {                                                                                              \
        "kv", "N/m^3", 1e-6, 1e24, 1e3, 1e18, 2e8, CF_SCALE_LOG, "stiffness of the contact"        \
    }
#define MODULUS(name, text)                                                                        \
    {                                                                                              \
        name, "Pa", 1e-6, 1e18, 1e3, 1e12, 1e7, CF_SCALE_LOG, text                                 \
    }
#define OWN "modulus of the shape; kv = modulus/thickness"
#define HALF_SPACE                                                                                 \
    MODULUS("modulus_2", "modulus of the half-space; none: it is rigid"),                          \
        CF_FORM_LENGTH("thickness_2", "of the half-space's foundation")

static const double up[3] = {0, 0, 1};

/* In the frame of the piece; its tip or base is where n says. */
static int over_half_space(const struct cf_piece *piece, const double n[3], double depth_m,
                           double *volume_m3, double *area_m2, struct cf_error *err)
{
    struct cf_volume v;
    int status = cf_volume_half_space(piece, n, depth_m, &v, err);

    if (status)
        return status;
    *volume_m3 = v.volume_m3;
    *area_m2 = -n[2] * v.volume_by[2]; /* n is along z */
    return CF_OK;
}

static double radius_of(const double size[])
{
    return size[0];
}

static double own_radius(const double size[], int body)
{
    return size[body];
}

/* ---- sphere */

static const struct cf_param sphere_param[] = {
    CF_FORM_LENGTH("radius", "radius of the sphere"), KV, MODULUS("modulus", OWN),
    CF_FORM_LENGTH("thickness", "of the sphere's foundation; not given: the radius"), HALF_SPACE};

static double sphere_coefficient(const double size[])
{
    return M_PI * size[0];
}

static double sphere_depth_of_radius(const double size[], double a)
{
    return a * a / (2 * size[0]);
}

static int sphere_exact(const double size[], double depth_m, double *volume_m3, double *area_m2,
                        struct cf_error *err)
{
    const struct cf_piece piece = {.form = &cf_form_sphere, .size_m = {size[0]}};

    return over_half_space(&piece, up, depth_m, volume_m3, area_m2, err);
}

static const struct cf_hydroelastic sphere = {
    .name = "hydroelastic-sphere",
    .what = "compliant sphere on a half-space",
    .formula = "kv pi R x^2, kv = E/R: pi E x^2 on a rigid half-space",
    .cite = CITE,
    .nsize = 1,
    .nparam = sizeof sphere_param / sizeof *sphere_param,
    .param = sphere_param,
    .deepest = "the radius of the sphere",
    .power = 2,
    .coefficient = sphere_coefficient,
    .thickness = own_radius,
    .limit = radius_of,
    .depth_of_radius = sphere_depth_of_radius,
    .exact = sphere_exact,
};

/* ---- two spheres */

static const struct cf_param spheres_param[] = {
    CF_FORM_LENGTH("radius", "radius of the first sphere"),
    CF_FORM_LENGTH("radius_2", "radius of the second sphere"),
    KV,
    MODULUS("modulus", "modulus of the first sphere"),
    CF_FORM_LENGTH("thickness", "of the first sphere's foundation; not given: its radius"),
    MODULUS("modulus_2", "modulus of the second sphere"),
    CF_FORM_LENGTH("thickness_2", "of the second sphere's foundation; not given: its radius"),
};

static double effective(const double size[])
{
    return size[0] / (size[0] + size[1]) * size[1];
}

static double spheres_coefficient(const double size[])
{
    return M_PI * effective(size);
}

static double smaller(const double size[])
{
    return fmin(size[0], size[1]);
}

static double spheres_depth_of_radius(const double size[], double a)
{
    return a * a / (2 * effective(size));
}

static int spheres_exact(const double size[], double depth_m, double *volume_m3, double *area_m2,
                         struct cf_error *err)
{
    static const double centre[3] = {0};
    struct cf_volume v;
    int status = cf_volume_spheres(size[0], size[1], centre, up, depth_m, &v, err);

    if (status)
        return status;
    *volume_m3 = v.volume_m3;
    *area_m2 = -v.volume_by[2];
    return CF_OK;
}

static const struct cf_hydroelastic spheres = {
    .name = "hydroelastic-spheres",
    .what = "two compliant spheres",
    .formula = "kv pi R x^2, 1/R = 1/R1 + 1/R2, 1/kv = R1/E1 + R2/E2",
    .cite = CITE,
    .nsize = 2,
    .nparam = sizeof spheres_param / sizeof *spheres_param,
    .param = spheres_param,
    .pair = true,
    .deepest = "the radius of the smaller sphere",
    .power = 2,
    .coefficient = spheres_coefficient,
    .thickness = own_radius,
    .limit = smaller,
    .depth_of_radius = spheres_depth_of_radius,
    .exact = spheres_exact,
};

/* ---- punch */

static const struct cf_param cylinder_param[] = {
    CF_FORM_LENGTH("radius", "radius of the punch, which is longer than that"), KV,
    MODULUS("modulus", OWN),
    CF_FORM_LENGTH("thickness", "of the punch's foundation; not given: the radius"), HALF_SPACE};

static double cylinder_coefficient(const double size[])
{
    return M_PI * size[0] * size[0];
}

/* Any length from the greatest depth on gives the same. */
static int cylinder_exact(const double size[], double depth_m, double *volume_m3, double *area_m2,
                          struct cf_error *err)
{
    const struct cf_piece piece = {.form = &cf_form_cylinder, .size_m = {size[0], 2 * size[0]}};

    return over_half_space(&piece, up, depth_m, volume_m3, area_m2, err);
}

static const struct cf_hydroelastic cylinder = {
    .name = "hydroelastic-cylinder",
    .what = "compliant cylinder, its flat end on a half-space",
    .formula = "kv pi R^2 x, kv = E/R: pi E R x on a rigid half-space",
    .cite = CITE,
    .nsize = 1,
    .nparam = sizeof cylinder_param / sizeof *cylinder_param,
    .param = cylinder_param,
    .deepest = "the radius of the punch",
    .power = 1,
    .coefficient = cylinder_coefficient,
    .thickness = own_radius,
    .limit = radius_of,
    .exact = cylinder_exact,
};

/* ---- cone: t is half of the angle at its tip */

enum { CONE_RADIUS, CONE_ANGLE };

static const struct cf_param cone_param[] = {
    CF_FORM_LENGTH("radius", "radius of the cone's base"),
    {"half_apex_angle", "rad", 1e-6, M_PI_2 - 1e-6, 0.02, 1.55, 0.8, CF_SCALE_LINEAR,
     "angle between axis and side"},
    KV,
    MODULUS("modulus", OWN),
    CF_FORM_LENGTH("thickness",
                   "of its foundation; not given: R sqrt((1 - sin t)/(1 + sin t)), the incircle's "
                   "radius"),
    HALF_SPACE};

static double cone_coefficient(const double size[])
{
    double slope = tan(size[CONE_ANGLE]);

    return M_PI / 3 * slope * slope;
}

/* (1 - sin t)/(1 + sin t) is the square of tan(pi/4 - t/2), which cancels nowhere. */
static double cone_thickness(const double size[], int body)
{
    (void) body;
    return size[CONE_RADIUS] * tan(M_PI_4 - size[CONE_ANGLE] / 2);
}

static double cone_height(const double size[])
{
    return size[CONE_RADIUS] / tan(size[CONE_ANGLE]);
}

static double cone_depth_of_radius(const double size[], double a)
{
    return a / tan(size[CONE_ANGLE]);
}

static int cone_exact(const double size[], double depth_m, double *volume_m3, double *area_m2,
                      struct cf_error *err)
{
    static const double down[3] = {0, 0, -1}; /* towards the tip */
    const struct cf_piece piece = {.form = &cf_form_cone,
                                   .size_m = {size[CONE_RADIUS], cone_height(size)}};

    return over_half_space(&piece, down, depth_m, volume_m3, area_m2, err);
}

static const struct cf_hydroelastic cone = {
    .name = "hydroelastic-cone",
    .what = "cone, its tip in a half-space",
    .formula = "kv (pi/3) tan(t)^2 x^3, kv = (E/R) sqrt((1 + sin t)/(1 - sin t)), t from the axis "
               "to the side",
    .cite = CITE,
    .nsize = 2,
    .nparam = sizeof cone_param / sizeof *cone_param,
    .param = cone_param,
    .deepest = "the height of the cone",
    .power = 3,
    .coefficient = cone_coefficient,
    .thickness = cone_thickness,
    .limit = cone_height,
    .depth_of_radius = cone_depth_of_radius,
    .exact = cone_exact,
};

const struct cf_hydroelastic *const cf_hydroelastic_shapes[] = {&sphere, &spheres, &cylinder, &cone,
                                                                NULL};
