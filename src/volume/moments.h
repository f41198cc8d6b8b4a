/* Moments of a region of space up to the second, how they change as its boundary moves, and the
 * metrics of them. A region has a frame of its own, near it and along its thin side, so that
 * nothing of a thin region is lost in the size of the bodies. Private to src/volume but for forms.
 */

#ifndef CF_VOLUME_MOMENTS_H
#define CF_VOLUME_MOMENTS_H

#include "volume/volume.h"

/* The integrals of 1; x, y, z; x^2, y^2, z^2; y z, z x, x y. */
enum cf_moment {
    CF_MOMENT_1,
    CF_MOMENT_X,
    CF_MOMENT_Y,
    CF_MOMENT_Z,
    CF_MOMENT_XX,
    CF_MOMENT_YY,
    CF_MOMENT_ZZ,
    CF_MOMENT_YZ,
    CF_MOMENT_ZX,
    CF_MOMENT_XY,
    CF_NMOMENT
};

struct cf_region {
    double origin_m[3]; /* of the region's frame, in the frame of the call */
    double axis[3][3];  /* orthonormal, right-handed */
    double moment[CF_NMOMENT];
    /* Of each f above, the integral of f u.n over the boundary that is at rest, n out of the
     * region, for u a unit of each component of the twist about origin_m, along the axes. */
    double still[CF_NMOMENT][CF_TWIST];
    double up[3];     /* out of a half-space, along the region's axes */
    double ceiling_m; /* height of its plane along it over the origin; NAN: there is none */
};

/* Begin: nothing in the frame at `origin_m` whose third axis is the unit vector n and whose first
 * is along `first`, which is a unit vector across n; NULL: any. */
void cf_region_begin(struct cf_region *region, const double origin_m[3], const double n[3],
                     const double first[3]);

/* Begin: nothing at `origin_m` along the axes of the call; n as above. */
void cf_region_begin_along(struct cf_region *region, const double origin_m[3], const double n[3]);

/* Add the moments of the tetrahedron of the origin and a, b, c: > 0 where they are
 * counter-clockwise as seen from outside; the functions f at a point. */
void cf_moment_add_cone(double moment[CF_NMOMENT], const double a[3], const double b[3],
                        const double c[3]);
void cf_moment_functions(const double x[3], double f[CF_NMOMENT]);

/* The moments of a region that map makes of another, y = map x, of a determinant > 0. */
void cf_moment_map(const double moment[CF_NMOMENT], double map[3][3], double out[CF_NMOMENT]);

/* Add the tetrahedron of the origin and a, b, c: > 0 where they are counter-clockwise as seen from
 * outside. */
void cf_region_add_cone(struct cf_region *region, const double a[3], const double b[3],
                        const double c[3]);

/* Add to the boundary at rest: an area (its normal vector, as long as the area) at a point; a
 * triangle, counter-clockwise as seen from outside, exactly; a flat section across the third axis
 * at z by its moments across[a][b] = integral of x^a y^b, a + b <= 3. */
void cf_region_still(struct cf_region *region, const double x[3], const double area_m2[3]);
void cf_region_still_triangle(struct cf_region *region, const double a[3], const double b[3],
                              const double c[3]);
void cf_region_still_section(struct cf_region *region, const double origin[3],
                             const double along[3], const double beside[3], double across[4][4]);

/* Add the whole boundary of a part of the region that has these moments, by Gauss' theorem: less
 * its flat sections it is the curved side that is left. */
void cf_region_still_whole(struct cf_region *region, const double moment[CF_NMOMENT]);

/* The metrics, in the frame of the call. */
void cf_region_metrics(const struct cf_region *region, struct cf_volume *out);

#endif
