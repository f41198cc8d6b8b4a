/* The plane of contact in space: a frame for the vectors of friction.h, carried along with the
 * normal so that a bristle stays tangential and keeps its length when the normal turns. */

#ifndef CF_LAW_TANGENT_H
#define CF_LAW_TANGENT_H

/* Two unit vectors across the normal n; axis[0] x axis[1] = n. */
struct cf_tangent {
    double axis[2][3];
};

/* A frame in the plane across the unit normal n. */
void cf_tangent_frame(const double n[3], struct cf_tangent *frame);

/* Turn a frame to the unit normal n by the least rotation, without spin about the normal: the
 * coordinates of what it carries stay. Of all ways to the opposite normal none is the least: there
 * it turns about axis[0]. */
void cf_tangent_carry(const double n[3], struct cf_tangent *frame);

/* Coordinates of u in the plane, and the vector that has such coordinates. */
void cf_tangent_of(const struct cf_tangent *frame, const double u[3], double out[2]);
void cf_tangent_vector(const struct cf_tangent *frame, const double x[2], double out[3]);

#endif
