/* What a sphere can touch: shapes as const tables of parameters and pure functions. To add one,
 * write a file that defines a row, declare it in rows.h and list it in registry.c.
 *
 * Every pair is a sphere (a point is one of radius 0) and a solid. A solid says, for the centre of
 * the sphere, how deep the sphere is in it and where the normal points; with [G07] A.2 the point of
 * action is that of the sphere, centre - radius n, but between two curved bodies motion/scene.h has
 * it in the overlap. Everything is in the frame of the body that carries the solid. Functions
 * allocate nothing and keep nothing: a solid is checked and made ready once, by cf_solid_make().
 *
 * Where the surface is smooth, d(depth) = -n . d(centre): depth is a distance. What the sources do
 * at degenerate positions is noted at each row.
 */

#ifndef CF_GEOMETRY_SHAPE_H
#define CF_GEOMETRY_SHAPE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/param.h"

enum { CF_SHAPE_DIRECTIONS = 2, CF_SHAPE_SIZES = 1, CF_SHAPE_SEAMS = 2 };

struct cf_shape;

/* A shape with its measures, in the frame of its body. */
struct cf_solid {
    const struct cf_shape *shape;
    double point_m[3];                        /* centre, apex, a point of the edge or the axis */
    double direction[CF_SHAPE_DIRECTIONS][3]; /* unit after cf_solid_make() */
    double size[CF_SHAPE_SIZES];              /* radius, height, angle: by the row's table */
};

/* A sphere against a solid. */
struct cf_touch {
    double depth_m;    /* > 0: overlap; < 0: the gap */
    double n[3];       /* unit, out of the solid towards the sphere */
    double turn[3][3]; /* dn/d(centre) [1/m]: n' = turn . (velocity of the centre in the frame) */
    double fade[3];    /* [1/m] from the centre of curvature on: turn's own derivative follows */
};

struct cf_shape {
    const char *name; /* "cylinder" */
    const char *cite; /* source, with the equation number */
    const char *what; /* one line */

    /* Keys in scene files, all of them needed; NULL where the row reads none. */
    const char *point;
    const char *direction[CF_SHAPE_DIRECTIONS];
    size_t nsize;
    const struct cf_param *size;

    /* The surface's principal curvatures under the sphere make the pair's radius: 1/R = 1/R1 +
     * 1/R2, with 1/R2 [1/m] from here: 0 for a plane, below 0 for what is concave; of a cylinder,
     * which curves one way only, that one. 0 also for edge and cone: Hertz's theory wants one
     * smooth curvature and they have none, so the pair's radius is the sphere's. */
    double (*curvature)(const struct cf_solid *solid);

    /* Beyond directions that are not 0 and sizes in range; NULL: nothing. */
    int (*check)(const struct cf_solid *solid, struct cf_error *err);

    /* False where the sphere has no normal (its centre is within a nanometre of the axis of a
     * cylinder, or of the centre of a sphere): depth is right, n and turn are 0. That is an error
     * only where depth > 0: a ball flies through the axis of a bore. */
    bool (*touch)(const struct cf_solid *solid, double radius_m, const double centre_m[3],
                  struct cf_touch *out);

    /* Go through 0 where the centre passes from over one part of the surface to over another, n on
     * smoothly, and turn jumps: from the tip of a cone to its flank. From the first on, the rest
     * NULL. */
    double (*seam[CF_SHAPE_SEAMS])(const struct cf_solid *solid, const double centre_m[3]);
};

/* NULL-terminated; the order is the order of help. */
extern const struct cf_shape *const cf_shapes[];

/* NULL when unknown. */
const struct cf_shape *cf_shape_find(const char *name);

/* Find a shape, or fail with CF_EINPUT and the nearest known name. */
int cf_shape_get(const char *name, const struct cf_shape **shape, struct cf_error *err);

/* Checks a solid against its row and normalises its directions, of whatever length they come.
 * CF_ERANGE: a point or a direction is not finite, a direction is 0, a size is out of its range,
 * the planes of an edge are opposite; the message names the row's key, the value and the rule, and
 * the solid stays as it was. */
int cf_solid_make(struct cf_solid *solid, struct cf_error *err);

/* How a sphere at centre_m touches a solid that cf_solid_make() has passed: solid->shape->touch().
 * radius_m >= 0; a point has none. */
bool cf_solid_touch(const struct cf_solid *solid, double radius_m, const double centre_m[3],
                    struct cf_touch *out);

/* The derivative of turn as the centre goes along d: with m = turn . d,
 *
 *   -(fade . d) turn - m fade^T - fade m^T
 *
 * for all of them, since turn is (1 - n n^T)/r or g g^T/r with g' = -fade (g . d). */
void cf_touch_bend(const struct cf_touch *touch, const double d[3], double bend[3][3]);

#endif
