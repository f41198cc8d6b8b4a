/* A cylinder between two flat ends: a frustum of equal discs. */

#include "volume/rows.h"

enum { RADIUS, LENGTH, NSIZE };

static const struct cf_param size[NSIZE] = {
    [RADIUS] = CF_FORM_LENGTH("radius", "radius of the cylinder"),
    [LENGTH] = CF_FORM_LENGTH("length", "length between its ends"),
};

static struct cf_frustum frustum_of(const struct cf_piece *piece)
{
    double radius = piece->size_m[RADIUS], length = piece->size_m[LENGTH];

    return (struct cf_frustum){.axis = {0, 0, 1},
                               .end_m = {0, 0, -length / 2},
                               .length_m = length,
                               .radius_m = {radius, radius}};
}

const struct cf_form cf_form_cylinder = {
    .name = "cylinder",
    .what = "cylinder along z, its middle at the origin",
    .nsize = NSIZE,
    .size = size,
    .lowest = cf_frustum_lowest,
    .slice = cf_frustum_slice,
    .frustum = frustum_of,
};
