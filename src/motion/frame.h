/* Vectors into the frame of a body, and out of it; private to src/motion. Inline: an impact turns
 * several a step. */

#ifndef CF_MOTION_FRAME_H
#define CF_MOTION_FRAME_H

#include "motion/system.h"

/* x_i - x_j. Both may be far from the origin: it is as smooth as their motions are, where a
 * difference of places would be a multiple of their rounding. */
static inline void cf_apart(const struct cf_pose *i, const struct cf_pose *j, double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = (i->from[k] - j->from[k]) + (i->moved[k] - j->moved[k]);
}

/* R^T a: a vector of the world along the axes of the body. */
static inline void cf_into_body(const struct cf_pose *pose, const double a[3], double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = pose->turned ? pose->r[0][i] * a[0] + pose->r[1][i] * a[1] + pose->r[2][i] * a[2]
                              : a[i];
}

/* R a: a vector of the body along the axes of the world. */
static inline void cf_out_of_body(const struct cf_pose *pose, const double a[3], double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = pose->turned ? pose->r[i][0] * a[0] + pose->r[i][1] * a[1] + pose->r[i][2] * a[2]
                              : a[i];
}

#endif
