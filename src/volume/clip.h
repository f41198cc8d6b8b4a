/* A convex polytope that is cut by one plane after another. Private to src/volume. */

#ifndef CF_VOLUME_CLIP_H
#define CF_VOLUME_CLIP_H

#include <stdbool.h>

#include "volume/volume.h"

/* Loops of corners, as in struct cf_polytope. */
struct cf_clip_face {
    size_t begin, n;
    bool cut; /* by a plane */
};

struct cf_clip_body {
    size_t nvertex, nface, ncorner;
    double (*vertex_m)[3];
    struct cf_clip_face *face;
    size_t *corner;
};

/* An edge that a plane crosses, and the vertex that is left of it; the edge of the section that
 * leaves this vertex goes to the crossing `next`. */
struct cf_crossing {
    size_t in, out, vertex, next;
    bool open;
};

struct cf_clip {
    struct cf_clip_body now, next;
    double *over;    /* of each vertex over the plane */
    size_t *becomes; /* its index in `next` */
    struct cf_crossing *crossing;
    size_t ncrossing, room;
};

/* Begin with a polytope; allocates, also where it fails: cf_clip_free(). CF_ENOMEM. */
int cf_clip_begin(struct cf_clip *clip, const struct cf_polytope *polytope, struct cf_error *err);

/* Keep what is under the plane through a point, n out of what is kept and of any length. It may
 * leave nothing: no faces. CF_ENOMEM. */
int cf_clip_plane(struct cf_clip *clip, const double n[3], const double point_m[3],
                  struct cf_error *err);

void cf_clip_free(struct cf_clip *clip);

#endif
