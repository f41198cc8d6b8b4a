/* A cone: a frustum of which one disc is a point. */

#include "volume/rows.h"

enum { RADIUS, HEIGHT, NSIZE };

static const struct cf_param size[NSIZE] = {
    [RADIUS] = CF_FORM_LENGTH("radius", "radius of the base"),
    [HEIGHT] = CF_FORM_LENGTH("height", "height of the tip over the base"),
};

static struct cf_frustum frustum_of(const struct cf_piece *piece)
{
    return (struct cf_frustum){.axis = {0, 0, 1},
                               .length_m = piece->size_m[HEIGHT],
                               .radius_m = {piece->size_m[RADIUS], 0}};
}

const struct cf_form cf_form_cone = {
    .name = "cone",
    .what = "cone along z, its base in z = 0, its tip up",
    .nsize = NSIZE,
    .size = size,
    .lowest = cf_frustum_lowest,
    .slice = cf_frustum_slice,
    .frustum = frustum_of,
};
