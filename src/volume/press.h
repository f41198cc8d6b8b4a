/* How much of a body is in a half-space that it is pressed into straight, along one direction: a
 * function of the depth alone, tabulated once so that a look costs the same of any body.
 *
 * Between two depths V is the cubic that has V and the area dV/dz of both ends. It grows with the
 * depth. Of a polytope pieces end where a vertex goes in, and it is exact; elsewhere they are
 * halved until V is as good as asked.
 */

#ifndef CF_VOLUME_PRESS_H
#define CF_VOLUME_PRESS_H

#include "volume/implicit.h"
#include "volume/volume.h"

/* From one depth of the lowest point to another [m], V [m^3] and dV/dz [m^2] at both. */
struct cf_press_piece {
    double from_m, to_m, from_m3, to_m3, from_m2, to_m2;
};

/* Made once, never changed, and shared. */
struct cf_press {
    char what[64];  /* "polytope of 4 vertices" */
    double error;   /* of V at any depth, relative to it; 0: exact to rounding */
    size_t nvolume; /* volumes that were found */
    size_t npiece;
    struct cf_press_piece *piece; /* from 0 to the length of the body along the press */
    _Atomic size_t shared;        /* how many hold it beside the first */
};

/* A table of the pieces of a document. CF_ERANGE where they are none: not one after the other from
 * 0 on, not finite, or V falls. CF_ENOMEM. To be released. */
int cf_press_make(size_t npiece, const struct cf_press_piece piece[], struct cf_press **out,
                  struct cf_error *err);

/* Of a polytope in its frame; n: unit vector out of the half-space there. CF_ERANGE as
 * cf_polytope_check(), or n is no unit vector to 1e-9; CF_ENOMEM. To be released. */
int cf_press_polytope(const struct cf_polytope *polytope, const double n[3], struct cf_press **out,
                      struct cf_error *err);

/* The range of its error. */
extern const double cf_press_least_error, cf_press_most_error;

/* Of an intersection of primitives (implicit.h), by the octree: V is good to `error` of itself from
 * 1/65536 of the body's length, or 1e-5 of its width, on; below that V grows as a power of depth
 * does that has V and dV/dz there. The lowest point is found holes included, to some 1e-8 of the
 * length. `most`: volumes that may be found.
 *
 * CF_ERANGE as cf_implicit_check() and cf_volume_implicit() have it; the body has no end along n,
 * or sideways; n is no unit vector; error outside of its range. CF_ESOLVE: not to that error with
 * so many volumes, or as cf_volume_implicit(). CF_ENOMEM. To be released. */
int cf_press_implicit(const struct cf_implicit body[], size_t nbody, const double n[3],
                      double error, size_t most, struct cf_press **out, struct cf_error *err);

/* V [m^3] and dV/dz [m^2] at a depth [m]: 0 before touch, of the whole body where it is in. */
void cf_press_at(const struct cf_press *press, double depth_m, double *volume_m3, double *area_m2);

/* The length of the body along the press [m]: how deep the whole of it reaches. */
double cf_press_extent(const struct cf_press *press);

/* Hold it once more; NULL of NULL. From any thread. */
struct cf_press *cf_press_share(struct cf_press *press);

/* Let go of it: the last one frees it. */
void cf_press_release(struct cf_press *press);

#endif
