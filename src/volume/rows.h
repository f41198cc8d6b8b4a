/* The rows of the forms and what they share; private to src/volume. */

#ifndef CF_VOLUME_ROWS_H
#define CF_VOLUME_ROWS_H

#include "volume/moments.h"
#include "volume/volume.h"

extern const struct cf_form cf_form_sphere;
extern const struct cf_form cf_form_box;
extern const struct cf_form cf_form_cylinder;
extern const struct cf_form cf_form_cone;
extern const struct cf_form cf_form_polytope;

#define CF_FORM_LENGTH(name, text)                                                                 \
    {                                                                                              \
        name, "m", 1e-9, 1e6, 1e-6, 1e6, 0.1, CF_SCALE_LOG, text                                   \
    }

/* A flat section across the region's third axis at z (see cf_region_still_section()). */
static inline void cf_region_still_level(struct cf_region *region, double z, double across[4][4])
{
    static const double x[3] = {1, 0, 0}, y[3] = {0, 1, 0};
    const double origin[3] = {0, 0, z};

    cf_region_still_section(region, origin, x, y, across);
}

/* What a direction, a radius, a depth must be; `what` and `body` say whose. The direction becomes a
 * unit vector. */
int cf_volume_unit(const char *what, const double n[3], double unit[3], struct cf_error *err);
int cf_volume_check_radius(const char *body, double radius_m, struct cf_error *err);
int cf_volume_check_place(const char *what, const double place_m[3], struct cf_error *err);
int cf_volume_check_depth(const char *body, double depth_m, struct cf_error *err);

/* Between two discs across an axis. */
struct cf_frustum {
    double axis[3], end_m[3]; /* unit; the centre of the first disc */
    double length_m, radius_m[2];
};

/* Of the rows that have a frustum(). */
void cf_frustum_lowest(const struct cf_piece *piece, const double n[3], double point_m[3]);
int cf_frustum_slice(const struct cf_piece *piece, const double n[3], double depth_m,
                     struct cf_region *out, struct cf_error *err);

#endif
