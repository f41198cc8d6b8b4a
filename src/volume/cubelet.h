/* A cube that is cut by planes. Its faces are sets of directed edges, in no order: what is
 * integrated over a face is summed over them. Private to src/volume. */

#ifndef CF_VOLUME_CUBELET_H
#define CF_VOLUME_CUBELET_H

#include <stddef.h>

#include "volume/moments.h"

/* Counter-clockwise about its face as seen from outside; the face on the other side of it. */
struct cf_cubelet_edge {
    double from[3], to[3];
    size_t beside;
};

/* n.x = height, n a unit vector out of what is left. */
struct cf_cubelet_face {
    double n[3], height;
    size_t nedge;
    struct cf_cubelet_edge *edge;
};

enum { CF_CUBE_FACES = 6 };

/* The faces of the cube, then one for each plane that was cut by, with or without edges. */
struct cf_cubelet {
    size_t nface, room;
    struct cf_cubelet_face *face;
};

/* Room for so many planes; NULL where there is no memory. */
struct cf_cubelet *cf_cubelet_alloc(size_t nplane);
void cf_cubelet_free(struct cf_cubelet *cubelet);

/* What it holds [bytes]. */
size_t cf_cubelet_size(size_t nplane);

/* Begin: the cube of a half side about the origin. */
void cf_cubelet_begin(struct cf_cubelet *cubelet, double half);

/* Keep what is under a plane. */
void cf_cubelet_cut(struct cf_cubelet *cubelet, const double n[3], double height);

/* The moments of what is left. */
void cf_cubelet_moments(const struct cf_cubelet *cubelet, double moment[CF_NMOMENT]);

double cf_cubelet_volume(const struct cf_cubelet *cubelet);

#endif
