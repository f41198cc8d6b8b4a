/* A box of the octree: what of the overlap it holds. Private to src/volume.
 *
 * All in the root's measure xi, x = origin + map xi: the root is the cube of half side 1.
 */

#ifndef CF_VOLUME_LEAF_H
#define CF_VOLUME_LEAF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "volume/conic.h"
#include "volume/cubelet.h"
#include "volume/implicit.h"
#include "volume/moments.h"

struct cf_octree_surface {
    struct cf_quadric quadric;
    int hole;   /* the number of the hole that it belongs to, from 0; -1: none */
    bool still; /* of body j */
};

/* A surface in a leaf, from its centre: q there, the tangent plane n.x = height. */
struct cf_facet {
    const struct cf_octree_surface *surface;
    struct cf_quadric quadric;
    double n[3], height, slope; /* slope: of q along n */
    double along[3], square;    /* the square part of q times n, and that times n */
    double bend, bulge;         /* the surface's curvature; how far from its plane it can be */
    double mistaken, lost; /* the volume, and area, at corners that are not as the plane says */
};

struct cf_octree {
    struct cf_octree_surface surface[CF_MAX_SURFACES];
    size_t nsurface, nhole;
    uint64_t of_hole[CF_MAX_SURFACES]; /* a bit for each surface of a hole */
    uint64_t curved;                   /* and for each that is not flat */
    enum cf_leaf leaf;
    double origin_m[3], map[3][3];
    double volume_m3; /* of a unit of xi, and the cofactors of map: areas' normals */
    double normal[3][3];
    struct cf_cubelet *cubelet;
    struct cf_facet facet[CF_MAX_SURFACES]; /* of the leaf at hand */
};

/* A box: its centre; a bit for each surface that may cut it, and for each hole that may reach into
 * it. */
struct cf_octree_box {
    double centre[3];
    uint64_t cut, hole;
};

enum cf_content { CF_BOX_OUT, CF_BOX_IN, CF_BOX_CUT };

/* What a box of a half side is; drops the bits of what leaves it alone. */
enum cf_content cf_octree_look(const struct cf_octree *tree, struct cf_octree_box *box,
                               double half);

/* What a box or several hold: moments about the root's centre; of region, in metres along the axes
 * of the call from origin_m, what is integrated over facets at rest; the estimated error of V. */
struct cf_octree_part {
    double moment[CF_NMOMENT];
    struct cf_region region;
    double error;
    double lost; /* how much of facets at rest may be missed, in units of xi */
    double bend; /* the greatest curvature of a surface in one of its leaves, of 1/length */
};

/* Adds a box of a half side that is all in. */
void cf_octree_add_whole(const struct cf_octree_box *box, double half, struct cf_octree_part *part);

void cf_octree_add_part(const struct cf_octree_part *from, struct cf_octree_part *to);

/* Adds one that is cut. */
void cf_octree_add_leaf(struct cf_octree *tree, const struct cf_octree_box *box, double half,
                        struct cf_octree_part *part);

#endif
