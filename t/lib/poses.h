/* Poses for tests, and volumes of interference as seen from another frame. */

#ifndef T_POSES_H
#define T_POSES_H

#include "volume/implicit.h"

/* The next of a sequence of numbers in (-1, 1), the same on each machine. */
double next_number(unsigned long *seed);

/* A rotation, of random quaternions: its rows are unit vectors. */
void next_rotation(unsigned long *seed, double row[3][3]);

/* A volume that was told in a frame whose axes are rows of `axis` and whose origin is origin_m, in
 * the frame in which these are told. */
void volume_seen(const struct cf_volume *volume, double axis[3][3], const double origin_m[3],
                 struct cf_volume *out);

/* A primitive at the origin, its axes those of the frame; and as seen from another frame. */
struct cf_implicit primitive(const char *name, double a, double b, double c);
void primitive_seen(struct cf_implicit *p, double axis[3][3], const double origin_m[3]);

/* sum = a + factor b, of bodies that are disjoint or (factor -1) one in the other, moved as one. */
void volume_sum(const struct cf_volume *a, double factor, const struct cf_volume *b,
                struct cf_volume *sum);

#endif
