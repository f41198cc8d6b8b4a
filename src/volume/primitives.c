/* The table of implicit primitives, their surfaces and finding one by name. */

#include <gsl/gsl_math.h>
#include <string.h>

#include "core/nearest.h"
#include "volume/conic.h"
#include "volume/implicit.h"
#include "volume/rows.h"

/* Under the plane n.x = height. */
static struct cf_conic under(double nx, double ny, double nz, double height)
{
    return (struct cf_conic){.slope = {-nx, -ny, -nz}, .reach = height, .flat = true};
}

static void half_space(const double size[], struct cf_conic *out)
{
    (void) size;
    out[0] = under(0, 0, 1, 0);
}

static void sphere(const double size[], struct cf_conic *out)
{
    out[0] = (struct cf_conic){.spread = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, .reach = size[0]};
}

/* The length of (x/a, y/b, z/c), by the shortest of the half axes so that it grows by no more than
 * the way. */
static void ellipsoid(const double size[], struct cf_conic *out)
{
    double least = fmin(size[0], fmin(size[1], size[2]));

    out[0] = (struct cf_conic){
        .spread = {{least / size[0], 0, 0}, {0, least / size[1], 0}, {0, 0, least / size[2]}},
        .reach = least};
}

static void box(const double size[], struct cf_conic *out)
{
    for (int k = 0; k < 6; k++)
        out[k] = under(k / 2 == 0 ? 1 - 2 * (k % 2) : 0, k / 2 == 1 ? 1 - 2 * (k % 2) : 0,
                       k / 2 == 2 ? 1 - 2 * (k % 2) : 0, size[k / 2] / 2);
}

static void rod(const double size[], struct cf_conic *out)
{
    out[0] = (struct cf_conic){.spread = {{1, 0, 0}, {0, 1, 0}}, .reach = size[0]};
}

static void cylinder(const double size[], struct cf_conic *out)
{
    rod(size, out);
    out[1] = under(0, 0, 1, size[1] / 2);
    out[2] = under(0, 0, -1, size[1] / 2);
}

/* Distance from the axis times the cosine of the half angle, less the way down from the tip times
 * its sine. */
static struct cf_conic nappe(double sine, double cosine, double tip)
{
    return (struct cf_conic){
        .spread = {{cosine, 0, 0}, {0, cosine, 0}}, .slope = {0, 0, -sine}, .reach = tip * sine};
}

static void cone(const double size[], struct cf_conic *out)
{
    double side = hypot(size[0], size[1]);

    out[0] = nappe(size[0] / side, size[1] / side, size[1]);
    out[1] = under(0, 0, -1, 0);
}

static void spike(const double size[], struct cf_conic *out)
{
    out[0] = nappe(sin(size[0]), cos(size[0]), 0);
}

/* x^2 + y^2 < -2 R z is (x^2 + y^2) + (z + R/2)^2 < (R/2 - z)^2. */
static void paraboloid(const double size[], struct cf_conic *out)
{
    out[0] = (struct cf_conic){
        .spread = {{0.5, 0, 0}, {0, 0.5, 0}, {0, 0, 0.5}},
        .offset = {0, 0, size[0] / 4},
        .slope = {0, 0, -0.5},
        .reach = size[0] / 4,
    };
}

static double longest(const double size[])
{
    return fmax(size[0], fmax(size[1], size[2]));
}

static double radius(const double size[])
{
    return size[0];
}

static double half_diagonal(const double size[])
{
    return 0.5 * sqrt(size[0] * size[0] + size[1] * size[1] + size[2] * size[2]);
}

static double round_ends(const double size[])
{
    return hypot(size[0], 0.5 * size[1]);
}

static double tip_or_base(const double size[])
{
    return fmax(size[0], size[1]);
}

#define COUNT(table) (sizeof table / sizeof table[0])

static const struct cf_param sphere_size[] = {CF_FORM_LENGTH("radius", "radius of the sphere")};
static const struct cf_param ellipsoid_size[] = {
    CF_FORM_LENGTH("radius_x", "half axis along x"),
    CF_FORM_LENGTH("radius_y", "half axis along y"),
    CF_FORM_LENGTH("radius_z", "half axis along z"),
};
static const struct cf_param box_size[] = {
    CF_FORM_LENGTH("size_x", "length along x"),
    CF_FORM_LENGTH("size_y", "length along y"),
    CF_FORM_LENGTH("size_z", "length along z"),
};
static const struct cf_param cylinder_size[] = {
    CF_FORM_LENGTH("radius", "radius of the cylinder"),
    CF_FORM_LENGTH("length", "length between its ends"),
};
static const struct cf_param cone_size[] = {
    CF_FORM_LENGTH("radius", "radius of the base"),
    CF_FORM_LENGTH("height", "height of the tip over the base"),
};
/* A cone of 0 is its axis, one of 90 deg a half-space. */
static const struct cf_param spike_size[] = {
    {"half_angle", "rad", 1e-6, M_PI_2 - 1e-6, 1e-3, 1.57, 0.5, CF_SCALE_LINEAR,
     "angle between the axis and the side"},
};
static const struct cf_param paraboloid_size[] = {
    CF_FORM_LENGTH("radius", "radius of curvature at its top"),
};

static const struct cf_primitive rows[] = {
    {"half-space", "what is under the plane z = 0", NULL, 0, NULL, 1, half_space},
    {"sphere", "ball about the origin", radius, COUNT(sphere_size), sphere_size, 1, sphere},
    {"ellipsoid", "ellipsoid about the origin, its axes along x, y, z", longest,
     COUNT(ellipsoid_size), ellipsoid_size, 1, ellipsoid},
    {"box", "box along the axes about the origin", half_diagonal, COUNT(box_size), box_size, 6,
     box},
    {"cylinder", "cylinder along z, its middle at the origin", round_ends, COUNT(cylinder_size),
     cylinder_size, 3, cylinder},
    {"cone", "cone along z, its base in z = 0, its tip up", tip_or_base, COUNT(cone_size),
     cone_size, 2, cone},
    {"endless-cylinder", "cylinder along z without ends; as a hole, a bore", NULL, 1, cylinder_size,
     1, rod},
    {"endless-cone", "cone along z without a base, its tip up at the origin", NULL,
     COUNT(spike_size), spike_size, 1, spike},
    {"paraboloid", "round paraboloid along z without an end, its top at the origin", NULL,
     COUNT(paraboloid_size), paraboloid_size, 1, paraboloid},
};

enum { NPRIMITIVE = sizeof rows / sizeof rows[0] };

const struct cf_primitive *const cf_primitives[NPRIMITIVE + 1] = {
    &rows[0], &rows[1], &rows[2], &rows[3], &rows[4], &rows[5], &rows[6], &rows[7], &rows[8],
};

const struct cf_primitive *cf_primitive_find(const char *name)
{
    const struct cf_primitive *const *row = cf_primitives;

    while (*row && strcmp((*row)->name, name) != 0)
        row++;
    return *row;
}

int cf_primitive_get(const char *name, const struct cf_primitive **row, struct cf_error *err)
{
    const char *names[NPRIMITIVE];
    char hint[CF_HINT];

    *row = cf_primitive_find(name);
    if (*row)
        return CF_OK;
    for (size_t i = 0; i < NPRIMITIVE; i++)
        names[i] = rows[i].name;
    cf_nearest_hint(name, names, NPRIMITIVE, hint);
    return cf_fail(err, CF_EINPUT, "unknown primitive %s: %s", name, hint);
}
